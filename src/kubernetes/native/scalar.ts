/**
 * One scalar through its Go type: the value that is written again, or why it could not be read.
 *
 * Two readers exist upstream. `decode` reads JSON text (after a JSON Patch), `convert` reads the merge's data (after an
 * ApplyConfiguration). They differ in texts, and in integers that are too large: decoding refuses them, converting wraps.
 */
import { goTrim } from '../go-text.ts';
import type { Json } from '../json.ts';
import { canonicalText } from '../quantity.ts';
import { canonicalBase64, encodeBase64 } from './base64.ts';
import { isBoxed, isJsonList, jsonNumbers, numberText, type Unbox, unboxed } from './numbers.ts';
import type { ScalarType } from './schema.ts';
import { canonicalTime } from './time.ts';

/** Which reader is at work. */
export type Reader = 'decode' | 'convert';

/**
 * A scalar's outcome. `stop` ends the reading at once; `mismatch` is a wrong JSON type, which decoding notes and passes;
 * `error` is another text that decoding notes and passes.
 */
export type ScalarResult =
  | { readonly value: Json }
  | { readonly stop: string }
  | { readonly stopMismatch: string; readonly go: string }
  | { readonly mismatch: string; readonly go: string }
  | { readonly error: string };

/** Reads a value that is not null. */
export function readScalar(type: ScalarType, value: Json, reader: Reader, unbox: Unbox): ScalarResult {
  switch (type.kind) {
    case 'string':
      return typeof value === 'string' ? { value } : mismatch(type, value, reader, unbox);
    case 'bool':
      return typeof value === 'boolean' ? { value } : mismatch(type, value, reader, unbox);
    case 'int32':
      return readInteger(type, value, 32, reader, unbox);
    case 'int64':
      return readInteger(type, value, 64, reader, unbox);
    case 'bytes':
      return readBytes(type, value, reader, unbox);
    case 'quantity':
      return readQuantity(value, unbox);
    case 'time':
    case 'microtime':
      return readTime(type, value, unbox);
    case 'intorstring':
      return readIntOrString(value, unbox);
    case 'raw':
      return { value: jsonNumbers(value, unbox) };
  }
}

/** What the zero value of a scalar type is written as. */
export function zeroScalar(type: ScalarType): Json {
  switch (type.kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'intorstring':
      return 0;
    case 'quantity':
      return '0';
    default:
      return null;
  }
}

function readInteger(type: ScalarType, value: Json, bits: 32 | 64, reader: Reader, unbox: Unbox): ScalarResult {
  const number = unboxed(value, unbox);
  if (number === undefined) return mismatch(type, value, reader, unbox);
  const whole = typeof number === 'bigint' || Number.isInteger(number);
  if (reader === 'convert') {
    if (!whole) return { stop: `cannot convert float64 to ${type.go}` };
    const exact = BigInt(number);
    const wrapped = BigInt.asIntN(bits, exact);
    return { value: wrapped === exact && !isBoxed(value) ? value : plain(wrapped) };
  }
  if (!whole || BigInt.asIntN(bits, BigInt(number)) !== BigInt(number)) {
    return { mismatch: `number ${numberText(number)}`, go: type.go };
  }
  return { value: isBoxed(value) && typeof number === 'number' ? number + 0 : value }; // -0 is written as 0
}

function plain(number: bigint): number | bigint {
  return number >= -(2n ** 53n) && number <= 2n ** 53n ? Number(number) : number;
}

function readBytes(type: ScalarType, value: Json, reader: Reader, unbox: Unbox): ScalarResult {
  if (typeof value === 'string') {
    const result = canonicalBase64(value);
    if ('text' in result) return { value: result.text };
    const error = `illegal base64 data at input byte ${result.offset}`;
    return reader === 'convert' ? { stop: `error decoding from json: ${error}` } : { error };
  }
  if (!isJsonList(value)) return mismatch(type, value, reader, unbox);
  const bytes: number[] = [];
  for (const item of value) {
    const number = item === null ? 0 : unboxed(item, unbox);
    if (number === undefined) return { mismatch: describe(item, unbox), go: 'uint8' };
    if (!(typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= 255)) {
      return { mismatch: `number ${numberText(number)}`, go: 'uint8' };
    }
    bytes.push(number);
  }
  return { value: encodeBase64(bytes) };
}

function readQuantity(value: Json, unbox: Unbox): ScalarResult {
  const number = unboxed(value, unbox);
  // Anything but a text or a number reaches the parser as JSON text, which no quantity is.
  const text = typeof value === 'string' ? value : number === undefined ? '{}' : numberText(number);
  const written = canonicalText(goTrim(text));
  return typeof written === 'string' ? { value: written } : { stop: written.error };
}

function readTime(type: ScalarType, value: Json, unbox: Unbox): ScalarResult {
  if (typeof value !== 'string') return { stopMismatch: describe(value, unbox), go: 'string' };
  const time = canonicalTime(value, type.kind === 'microtime');
  return 'error' in time ? { stop: time.error } : { value: time.text };
}

function readIntOrString(value: Json, unbox: Unbox): ScalarResult {
  if (typeof value === 'string') return { value };
  const number = unboxed(value, unbox);
  if (number === undefined) return { stopMismatch: describe(value, unbox), go: 'int32' };
  const whole = typeof number === 'bigint' || Number.isInteger(number);
  if (whole && BigInt.asIntN(32, BigInt(number)) === BigInt(number)) return { value: Number(number) };
  return { stopMismatch: `number ${numberText(number)}`, go: 'int32' };
}

function mismatch(type: ScalarType, value: Json, reader: Reader, unbox: Unbox): ScalarResult {
  if (reader === 'decode') return { mismatch: describe(value, unbox), go: type.go };
  const number = unboxed(value, unbox);
  const integer = number !== undefined && !isBoxed(value) && (typeof number === 'bigint' || Number.isInteger(number));
  if (type.kind === 'string' && integer) return { stop: `cannot convert int64 to ${type.go}` };
  return { stop: `unrecognized type: ${type.kind}` };
}

/** What the JSON decoder calls a value. */
export function describe(value: Json, unbox: Unbox): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (unboxed(value, unbox) !== undefined) return 'number';
  return Array.isArray(value) ? 'array' : 'object';
}
