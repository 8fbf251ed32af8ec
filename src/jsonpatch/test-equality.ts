/**
 * When a `test` operation's value equals what stands in the document.
 *
 * API server: json-patch v4 lazyNode.equal. The oddities are upstream's: a null given as a value equals an empty map and
 * an empty list, and comparing lists that hold a null crashes the server.
 */
import { STORED_NULL } from './document.ts';
import { isList, isPlainMap, numberOf, type PlainMap, type Unbox } from './operation.ts';

/** Thrown where the API server's code panics (it answers 500). */
export class UpstreamPanic extends Error {}

/** Whether a node of the document (never a document's own null) equals a given value. */
export function nodeEquals(node: unknown, value: unknown, unbox: Unbox): boolean {
  if (node === STORED_NULL) return isEmptyMap(value);
  if (isPlainMap(node)) return value === null ? isEmptyMap(node) : isPlainMap(value) && mapEquals(node, value, unbox);
  if (isList(node)) return value === null ? node.length === 0 : isList(value) && listEquals(node, value, unbox);
  const number = numberOf(node, unbox);
  if (number === undefined) return node === value;
  const other = numberOf(value, unbox);
  return other !== undefined && numberText(number) === numberText(other);
}

function isEmptyMap(value: unknown): boolean {
  return value === null || value === STORED_NULL || (isPlainMap(value) && Object.keys(value).length === 0);
}

function mapEquals(node: PlainMap, value: PlainMap, unbox: Unbox): boolean {
  const keys = Object.keys(node);
  if (keys.length !== Object.keys(value).length) return false;
  return keys.every((key) => {
    if (!Object.hasOwn(value, key)) return false;
    const left = node[key];
    const right = value[key];
    if (left === null || right === null) return left === right;
    return nodeEquals(left, right, unbox);
  });
}

function listEquals(node: readonly unknown[], value: readonly unknown[], unbox: Unbox): boolean {
  if (node.length !== value.length) return false;
  return node.every((item, index) => {
    const other = value[index];
    if (item === null || other === null) throw new UpstreamPanic('null in a list that is tested');
    return nodeEquals(item, other, unbox);
  });
}

/** A number as the JSON text that is compared: whole doubles without a fraction, but -0 is not 0. */
function numberText(number: number | bigint): string {
  if (typeof number === 'bigint') return String(number);
  return Object.is(number, -0) ? '-0' : String(number);
}
