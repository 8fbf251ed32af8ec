/** Texts that protobuf's JSON mapping gives values which JSON lacks. */
import type { Duration, Timestamp } from '#cel/runtime';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes in standard base64 with padding. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b, c] = bytes.subarray(index, index + 3);
    const word = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    const digits = [word >> 18, word >> 12, word >> 6, word].map((bits) => ALPHABET.charAt(bits & 63));
    text += `${digits[0]}${digits[1]}${b === undefined ? '=' : digits[2]}${c === undefined ? '=' : digits[3]}`;
  }
  return text;
}

const NANOS = 1_000_000_000n;

/** RFC 3339 with as many digits as there are, in the offset that the time was written with. */
export function timestampText({ nanos, offset }: Timestamp): string {
  const seconds = floorDivide(nanos, NANOS);
  const fraction = nanos - seconds * NANOS;
  const civil = new Date((Number(seconds) + offset) * 1000).toISOString().slice(0, 19);
  const digits = fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
  return `${civil}${digits}${offsetText(offset)}`;
}

/** Seconds in decimal, as short as they can be told apart, with `s`. */
export function durationText({ nanos }: Duration): string {
  const seconds = Number(nanos / NANOS) + Number(nanos % NANOS) / 1e9;
  return `${plainDecimal(seconds)}s`;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

/** A number without an exponent; durations are too small for large ones. */
function plainDecimal(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e-');
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith('-') ? '-' : '';
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${mantissa.replace(/[-.]/g, '')}`;
}
