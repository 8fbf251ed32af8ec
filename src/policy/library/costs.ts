/**
 * Kubernetes' cost rules. They are keyed by the *name* of the function, so that one rule serves strings and lists alike,
 * and they apply when the overload is not known. What is not here costs 1.
 *
 * API server: pkg/cel/library/cost.go.
 */
import {
  type CallCost,
  CelMap,
  isJsonMap,
  mapEntries,
  type Result,
  sizeOf,
  traversal,
  utf8Length,
  type Value,
} from '#cel/runtime';
import { FormatValue } from './formats.ts';
import { KubernetesValue } from './kubernetes-value.ts';

/** One traversal of a value. k8s: rounded down for each text, so that short ones are free. */
function walk(value: Value | undefined): number {
  if (typeof value === 'string') return Math.floor(utf8Length(value) * 0.1);
  if (value instanceof Uint8Array) return Math.floor(value.length * 0.1);
  if (Array.isArray(value)) return value.reduce((sum: number, element: Value) => sum + walk(element), 0);
  if (value instanceof CelMap || (typeof value === 'object' && isJsonMap(value))) {
    return mapEntries(value).reduce((sum, [key, entry]) => sum + walk(key) + walk(entry), 0);
  }
  return 1;
}

function resultSize(result: Result): number {
  return sizeOf(result as Value);
}

const walkTarget: CallCost = ([target]) => walk(target);
const once: CallCost = ([text]) => traversal(text);
const twice: CallCost = ([text]) => traversal(text, 0.2);
const joined: CallCost = (_args, result) => Math.ceil(resultSize(result) * 0.2);

/** The text, and one more so that an empty one is not free, times the pattern. */
function searchCost(textSize: number, patternSize: number): number {
  return Math.ceil((1 + textSize) * 0.1) * Math.ceil(patternSize * 0.25);
}

const search: CallCost = ([text, pattern]) => searchCost(sizeOf(text), sizeOf(pattern));

const validate: CallCost = ([format, text]) =>
  format instanceof FormatValue ? searchCost(sizeOf(text), format.format.patternLength) : undefined;

const selector: CallCost = ([, text]) => 10 + traversal(text) + Math.ceil(sizeOf(text) * 0.5) * 50;

/** A text is parsed first; the overload tells it, where it is known. */
function parsedText(overload: string | undefined, id: string, text: Value | undefined): number {
  return overload === id ? traversal(text) : 0;
}

const containsIp: CallCost = ([network, other], _result, overload) =>
  Math.ceil(sizeOf(network) * 2 * 0.1) + parsedText(overload, 'cidr_contains_ip_string', other);

const containsCidr: CallCost = ([network, other], _result, overload) =>
  Math.ceil(sizeOf(network) * 2 * 0.1) +
  traversal(network) +
  1 +
  parsedText(overload, 'cidr_contains_cidr_string', other);

/** `ip(text)` reads the text; `cidr.ip()` a field, where the overload is known. */
const ip: CallCost = ([target], _result, overload) => (overload === 'cidr_ip' ? 1 : traversal(target));

/** Equality with a value of a Kubernetes type on the left costs 1 whatever its size; `!=` has no such rule. */
const equality: CallCost = ([left]) => (left instanceof KubernetesValue ? 1 : undefined);

/** The rules by function name. */
export const kubernetesCosts: Readonly<Record<string, CallCost>> = {
  check: () => 350_000,
  fieldSelector: selector,
  labelSelector: selector,

  isSorted: walkTarget,
  sum: walkTarget,
  max: walkTarget,
  min: walkTarget,
  indexOf: walkTarget,
  lastIndexOf: walkTarget,

  url: once,
  lowerAscii: once,
  upperAscii: once,
  substring: once,
  trim: once,
  'jsonpatch.escapeKey': once,
  replace: twice,
  split: twice,
  join: joined,
  find: search,
  findAll: search,

  quantity: once,
  isQuantity: once,
  semver: once,
  isSemver: once,
  validate,

  cidr: once,
  isIP: once,
  isCIDR: once,
  ip,
  'ip.isCanonical': twice,
  containsIP: containsIp,
  containsCIDR: containsCidr,

  '_==_': equality,
};
