/**
 * Whether a value fits its node; every fault with its path, in the API server's texts.
 *
 * API server: structured-merge-diff typed/validate.go, typed/helpers.go. Null fits everywhere but as an item of a keyed
 * list or a set. The walk goes below atomic nodes too.
 */
import { isList, isPlainMap, type PlainMap, type Shape, shapeOf, type Unbox } from './data.ts';
import { goDump, goSyntaxDump, goType } from './go-text.ts';
import { itemKey, itemPlace } from './item-key.ts';
import type { ListShape, MapShape, MergeNode, ScalarClass } from './schema.ts';

/** What decides how a value is read. */
export interface ValidateOptions {
  readonly unbox: Unbox;
  /** Whether equal keys may repeat: true for live objects, false for patches. */
  readonly duplicates: boolean;
  /** A value that fits the node: what the value shares with it at the same place is not looked at. */
  readonly known?: unknown;
}

interface Fault {
  path: string;
  readonly text: string;
}

/** The text of all faults, or `undefined` when there are none. */
export function validate(node: MergeNode, value: unknown, options: ValidateOptions): string | undefined {
  const faults: Fault[] = [];
  walk(node, value, options.known, options, faults);
  if (faults.length === 0) return undefined;
  const texts = faults.map(({ path, text }) => (path === '' ? text : `${path}: ${text}`));
  return texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}

/** Which of a node's shapes a value is held against: the one that fits, else map, scalar, list in this order. */
export function handler(node: MergeNode, shape: Shape): 'map' | 'scalar' | 'list' {
  if (shape === 'list' && node.list !== undefined) return 'list';
  const scalar = shape === 'string' || shape === 'numeric' || shape === 'boolean';
  if (scalar && node.scalar !== undefined) return 'scalar';
  if (node.map !== undefined) return 'map';
  return node.scalar !== undefined ? 'scalar' : 'list';
}

function walk(node: MergeNode, value: unknown, known: unknown, options: ValidateOptions, faults: Fault[]): void {
  if (value === null || (value === known && typeof value === 'object')) return;
  if (typeof value === 'string' && (node.scalar === 'string' || node.scalar === 'untyped')) return;
  const shape = shapeOf(value, options.unbox);
  switch (handler(node, shape)) {
    case 'map':
      if (node.map !== undefined && isPlainMap(value)) walkMap(node.map, value, known, options, faults);
      else faults.push({ path: '', text: `expected map, got ${goDump(value, options.unbox)}` });
      return;
    case 'list':
      if (node.list !== undefined && isList(value)) walkList(node.list, value, known, options, faults);
      else faults.push({ path: '', text: `expected list, got ${goDump(value, options.unbox)}` });
      return;
    case 'scalar': {
      const text = scalarFault(node.scalar, shape, value, options.unbox);
      if (text !== undefined) faults.push({ path: '', text });
    }
  }
}

function scalarFault(scalar: ScalarClass | undefined, shape: Shape, value: unknown, unbox: Unbox): string | undefined {
  if (shape === scalar) return undefined;
  switch (scalar) {
    case 'numeric':
      return `expected numeric (int or float), got ${goType(value, unbox)}`;
    case 'string':
      return `expected string, got ${goSyntaxDump(value, unbox)}`;
    case 'boolean':
      return `expected boolean, got ${goDump(value, unbox)}`;
    default:
      if (shape === 'string' || shape === 'numeric' || shape === 'boolean') return undefined;
      return `expected any scalar, got ${goDump(value, unbox)}`;
  }
}

function walkMap(shape: MapShape, value: PlainMap, known: unknown, options: ValidateOptions, faults: Fault[]): void {
  const old = isPlainMap(known) ? known : undefined;
  for (const key of Object.keys(value)) {
    const node = shape.fields.get(key) ?? shape.other;
    if (node === undefined) {
      faults.push({ path: `.${key}`, text: 'field not declared in schema' });
      return; // k8s: the first undeclared key ends the scan of its map
    }
    const before = faults.length;
    walk(node, value[key], old && Object.hasOwn(old, key) ? old[key] : undefined, options, faults);
    if (faults.length > before) prefix(faults, before, `.${key}`);
  }
}

function walkList(
  shape: ListShape,
  value: readonly unknown[],
  known: unknown,
  options: ValidateOptions,
  faults: Fault[],
): void {
  const old = isList(known) ? known : undefined;
  const keyed = shape.keys !== 'atomic';
  const seen = new Set<string>();
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index];
    if (keyed) {
      const key = itemKey(shape, item, options.unbox);
      if (typeof key !== 'string') {
        faults.push({ path: '', text: `element ${index}: ${key.error}` });
        return; // k8s: an item without a key ends the scan of its list
      }
      if (seen.has(key) && !options.duplicates) {
        faults.push({ path: '', text: `duplicate entries for key ${itemPlace(shape, item, options.unbox)}` });
      }
      seen.add(key);
    }
    const before = faults.length;
    walk(shape.item, item, old?.[index], options, faults);
    if (faults.length > before) {
      prefix(faults, before, keyed ? itemPlace(shape, item, options.unbox) : `[${index}]`);
    }
  }
}

function prefix(faults: readonly Fault[], from: number, place: string): void {
  for (let index = from; index < faults.length; index += 1) {
    const fault = faults[index];
    if (fault !== undefined) fault.path = place + fault.path;
  }
}
