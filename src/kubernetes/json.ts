/**
 * JSON as the engine sees it: a number that is integral is an integer, integers beyond ±(2^53-1) are `bigint`, and a
 * number that must stay a double although it is integral is boxed. A `JsonObject` is always a plain object; only its
 * own properties count.
 */
export type Json = null | boolean | number | bigint | string | BoxedDouble | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** An integral double, as `#cel/runtime` boxes it. */
export interface BoxedDouble {
  readonly value: number;
}

const HAS_OWN = Object.prototype.hasOwnProperty;

/** An own property of an object, never one of its prototype; `undefined` when there is none. */
export function own(object: JsonObject, key: string): Json | undefined {
  return HAS_OWN.call(object, key) ? object[key] : undefined;
}

/** Whether a value is a JSON object (not a list, not a boxed number). */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The object below a chain of own properties; `undefined` as soon as one is not an object. */
export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject | undefined {
  let here = value;
  for (const key of path) {
    if (!isJsonObject(here)) return undefined;
    here = own(here, key);
  }
  return isJsonObject(here) ? here : undefined;
}

/** The string below a chain of own properties; `''` when it is absent or not a string. */
export function stringAt(value: Json | undefined, ...path: readonly string[]): string {
  let here = value;
  for (const key of path) {
    if (!isJsonObject(here)) return '';
    here = own(here, key);
  }
  return typeof here === 'string' ? here : '';
}
