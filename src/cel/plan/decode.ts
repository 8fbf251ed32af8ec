import type { Code } from '../code.ts';
import { Double, double, MAX_INT64, MAX_UINT64, MIN_INT64, normalizeInt, Uint, type Value } from '../values.ts';
import { PlanError } from './frame.ts';

/** Reading stored code: each reader gives what its name says, or refuses the code as malformed. */
export function malformed(code: Code | undefined): PlanError {
  return new PlanError(`expression code is malformed at \`${JSON.stringify(code ?? null).slice(0, 60)}\``);
}

export function text(code: Code | undefined): string {
  if (typeof code !== 'string') throw malformed(code);
  return code;
}

export function overloadId(code: Code | undefined): string | undefined {
  return code === 0 ? undefined : text(code);
}

export function many(code: Code | undefined): readonly Code[] {
  if (!Array.isArray(code)) throw malformed(code);
  return code;
}

export function indexes(code: Code | undefined): ReadonlySet<number> {
  if (code === undefined) return new Set();
  const list = many(code);
  if (!list.every((index) => typeof index === 'number')) throw malformed(code);
  return new Set(list as readonly number[]);
}

export function pairs<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  if (items.length % 2 !== 0) throw new PlanError('expression code has a key without a value');
  const result: (readonly [T, T])[] = [];
  for (let index = 0; index < items.length; index += 2) result.push([items[index] as T, items[index + 1] as T]);
  return result;
}

export function constant(code: Code | undefined): Value {
  if (code === undefined) throw malformed(code);
  if (!Array.isArray(code)) return code as Value;
  const [tag, written] = code as readonly Code[];
  if (tag === 'b') return bytes(many(written));
  const digits = text(written);
  if (tag === 'd') {
    const value = Number(digits);
    return Object.is(value, -0) ? new Double(value) : double(value);
  }
  if (!/^-?\d{1,20}$/.test(digits)) throw malformed(code);
  const value = BigInt(digits);
  if (tag === 'i' && value >= MIN_INT64 && value <= MAX_INT64) return normalizeInt(value);
  if (tag === 'u' && value >= 0n && value <= MAX_UINT64) return new Uint(value);
  throw malformed(code);
}

function bytes(code: readonly Code[]): Uint8Array {
  if (!code.every((byte) => typeof byte === 'number')) throw malformed(code);
  return Uint8Array.from(code as readonly number[]);
}
