/**
 * Numbers on their way through JSON text, where a whole double becomes an integer.
 */
import { isJsonObject } from '../json.ts';

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

/** The value as it comes back from JSON text: boxed doubles are bare numbers. Shares what does not change. */
export function jsonNumbers(value: unknown, unbox: Unbox): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item) => jsonNumbers(item, unbox));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return unbox(value) ?? value;
  let changed: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const plain = jsonNumbers(item, unbox);
    if (plain === item) continue;
    changed ??= { ...value };
    setOwn(changed, key, plain);
  }
  return changed ?? value;
}

/** Sets an own property, also one called `__proto__`. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
