/** JSON Patch operations, as a policy's expression yields them. */

/** One operation. Whether there is a value at all matters: the own property `value` decides. */
export interface Operation {
  readonly op: string;
  readonly path: string;
  /** Absent and empty are the same. */
  readonly from?: string;
  readonly value?: unknown;
}

/** An operation of a diff: always one that a strict RFC 6902 implementation takes. */
export type DiffOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** The number of a boxed double, or `undefined` for any other object. */
export type Unbox = (value: object) => number | undefined;

/** A plain JSON object; only own properties are entries. */
export interface PlainMap {
  readonly [key: string]: unknown;
}

/** Whether a value is a plain JSON object. The prototype decides, since a key may be called `constructor`. */
export function isPlainMap(value: unknown): value is PlainMap {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether a value is a list. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The number of a numeric value, bare or boxed. */
export function numberOf(value: unknown, unbox: Unbox): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'object' && value !== null ? unbox(value) : undefined;
}
