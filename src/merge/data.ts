/**
 * The values that are merged: plain JSON data, seen as the API server's value wrapper sees them.
 *
 * The layer knows no expression language. Whatever is not plain data (a timestamp, an unsigned number, a null that is an
 * enum, ...) is `foreign`, which no schema admits and which prints itself (`Foreign`); the one foreign form that counts as data, a boxed double, is
 * recognised by the caller's `unbox`.
 */

/** A plain JSON object; only own properties are entries. */
export interface PlainMap {
  readonly [key: string]: unknown;
}

/** What a value is to the schema. */
export type Shape = 'null' | 'string' | 'numeric' | 'boolean' | 'list' | 'map' | 'foreign';

/** A value that no schema takes, by what Go prints of it in the texts that refuse it. */
export abstract class Foreign {
  /** `%T` */
  abstract readonly goType: string;
  /** `%v` */
  abstract plain(): string;
  /** `%#v` */
  abstract syntax(): string;
}

/** The number of a boxed double, or `undefined` for any other object. */
export type Unbox = (value: object) => number | undefined;

/**
 * What an empty list literal of an expression becomes: a list while it is merged, `null` in the result. Upstream it is
 * a nil slice. Recognised by identity.
 */
export const EMPTY_LITERAL: readonly never[] = Object.freeze([]);

/** The shape of a value. */
export function shapeOf(value: unknown, unbox: Unbox): Shape {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
    case 'bigint':
      return 'numeric';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'list';
      if (isPlainMap(value)) return 'map';
      return unbox(value) === undefined ? 'foreign' : 'numeric';
    default:
      return 'foreign';
  }
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

/** Sets an own property, also one called `__proto__`. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
