/**
 * Numbers on their way through JSON text, where a whole double becomes an integer.
 */
import { isJsonObject, type Json } from '../json.ts';

/** The number of a boxed double, or `undefined` for any other object. */
export type Unbox = (value: object) => number | undefined;

/** The number of a numeric value, bare or boxed. */
export function unboxed(value: unknown, unbox: Unbox): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return isBoxed(value) ? unbox(value) : undefined;
}

/** Whether a value is an object that is neither a list nor a map. */
export function isBoxed(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonObject(value);
}

/** A number as JSON text. */
export function numberText(number: number | bigint): string {
  return Object.is(number, -0) ? '-0' : String(number);
}

/** Whether a value is a list. */
export function isJsonList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value as it comes back from JSON text: boxed doubles are bare numbers. Shares what does not change. */
export function jsonNumbers(value: Json, unbox: Unbox): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonList(value)) {
    const items = value.map((item) => jsonNumbers(item, unbox));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return unbox(value) ?? value;
  let changed: Record<string, Json> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const plain = jsonNumbers(item, unbox);
    if (plain === item) continue;
    changed ??= { ...value };
    setOwn(changed, key, plain);
  }
  return changed ?? value;
}

/** Sets an own property, also one called `__proto__`. */
export function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
