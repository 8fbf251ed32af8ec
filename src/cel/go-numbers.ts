/**
 * Numbers as Go's `strconv` reads and prints them. JavaScript's own parsers accept other texts, and its printers switch
 * to exponents and round ties elsewhere.
 */

import { quoteGo } from './go-text.ts';
import { MAX_INT64, MAX_UINT64, MIN_INT64 } from './values.ts';

const SIGNED = /^[+-]?[0-9]+$/;
const INT64 = /^([+-]?)0*([0-9]{1,19})$/;
const UINT64 = /^0*([0-9]{1,20})$/;
const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const HEXADECIMAL = /^([+-]?)0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)$/;
const SPECIAL = /^(?:([+-]?)inf(?:inity)?|nan)$/i;

/** `strconv.ParseInt(text, 10, 64)`; `undefined` for any error. */
export function parseInt64(text: string): bigint | undefined {
  const [, sign, digits] = INT64.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits);
  return value < MIN_INT64 || value > MAX_INT64 ? undefined : value;
}

/** `strconv.ParseUint(text, 10, 64)`; `undefined` for any error. */
export function parseUint64(text: string): bigint | undefined {
  const digits = UINT64.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const value = BigInt(digits);
  return value > MAX_UINT64 ? undefined : value;
}

/** `strconv.Atoi`, with its error text. */
export function atoi(text: string): { readonly value: bigint } | { readonly error: string } {
  const value = parseInt64(text);
  if (value !== undefined) return { value };
  const reason = SIGNED.test(text) ? 'value out of range' : 'invalid syntax';
  return { error: `strconv.Atoi: parsing ${quoteGo(text)}: ${reason}` };
}

/** `strconv.ParseFloat(text, 64)`; `undefined` for any error, overflow included. */
export function parseFloat64(text: string): number | undefined {
  const special = SPECIAL.exec(text);
  if (special) {
    if (special[1] === undefined) return Number.NaN;
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (text.includes('_') && !underscoresSeparateDigits(text)) return undefined;
  const digits = text.replaceAll('_', '');
  const hex = HEXADECIMAL.exec(digits);
  let value: number;
  if (hex) value = parseHexadecimal(hex[1] === '-', hex[2] ?? '', hex[3] ?? '', hex[4] ?? '0');
  else if (DECIMAL.test(digits)) value = Number(digits);
  else return undefined;
  return Number.isFinite(value) ? value : undefined;
}

function underscoresSeparateDigits(text: string): boolean {
  const unsigned = text.replace(/^[+-]/, '');
  const digits = /^0[xX]/.test(unsigned) ? `0${unsigned.slice(2).replace(/[a-fA-F]/g, '0')}` : unsigned;
  return !/(?:^|[^0-9_])_|__|_(?:$|[^0-9_])/.test(digits);
}

function parseHexadecimal(negative: boolean, whole: string, fraction: string, exponent: string): number {
  let mantissa = BigInt(`0x0${whole}${fraction}`);
  if (mantissa === 0n) return negative ? -0 : 0;
  let power = Math.max(-1e5, Math.min(1e5, Number(exponent))) - 4 * fraction.length;
  const length = mantissa.toString(2).length;
  if (length + power > 1025) return Number.POSITIVE_INFINITY;
  if (length + power < -1080) return negative ? -0 : 0;
  const drop = Math.max(length - 53, -1074 - power);
  if (drop > 0) {
    mantissa = roundHalfEven(mantissa, 1n << BigInt(drop));
    power += drop;
  }
  let value = Number(mantissa);
  for (; power > 900; power -= 900) value *= 2 ** 900;
  for (; power < -900; power += 900) value *= 2 ** -900;
  value *= 2 ** power;
  return negative ? -value : value;
}

/** The quotient of a non-negative dividend, ties to even. */
function roundHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  return twice > divisor || (twice === divisor && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

/** `%g` with the shortest digits: fixed notation for 1e-4 <= |value| < 1e6, exponents of two digits at least. */
export function formatDouble(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 1e6) return String(value);
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  return `${mantissa}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, '0')}`;
}

/** `%f` with the shortest digits that read back as the same double; never an exponent. The value is finite. */
export function formatShortestFixed(value: number): string {
  const [mantissa = '', exponentText = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(exponentText) + 1;
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`.replace(/\.0+$/, '');
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** A finite double as sign, integral mantissa and power of two. */
function decompose(value: number): { readonly negative: boolean; readonly mantissa: bigint; readonly power: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  return {
    negative: bits >> 63n === 1n,
    mantissa: biased === 0 ? fraction : fraction | (1n << 52n),
    power: Math.max(biased, 1) - 1075,
  };
}

/** The digits after which the expansion of every double has ended. */
const LAST_FRACTION_DIGIT = 1074;

/** `%.<precision>f`: the exact decimal expansion of a finite double, ties to even; `-0` keeps its sign. */
export function formatFixed(value: number, precision: number): string {
  const { negative, mantissa, power } = decompose(value);
  const digits = Math.min(precision, LAST_FRACTION_DIGIT);
  const scaled = mantissa * 10n ** BigInt(digits);
  const rounded = power >= 0 ? scaled << BigInt(power) : roundHalfEven(scaled, 1n << BigInt(-power));
  const text = rounded.toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits) + '0'.repeat(precision - digits);
  return `${negative ? '-' : ''}${whole}${precision > 0 ? `.${fraction}` : ''}`;
}

/** The mantissa (`d.dddddd`, signed) and exponent of a finite double to a number of fraction digits, ties to even. */
export function scientificParts(
  value: number,
  digits: number,
): { readonly mantissa: string; readonly exponent: number } {
  const { negative, mantissa, power } = decompose(value);
  const sign = negative ? '-' : '';
  if (mantissa === 0n) return { mantissa: `${sign}0.${'0'.repeat(digits)}`, exponent: 0 };
  let exponent = Number(Math.abs(value).toExponential().split('e')[1]);
  const shift = digits - exponent;
  const dividend = (power >= 0 ? mantissa << BigInt(power) : mantissa) * 10n ** BigInt(Math.max(shift, 0));
  const divisor = (power >= 0 ? 1n : 1n << BigInt(-power)) * 10n ** BigInt(Math.max(-shift, 0));
  let text = roundHalfEven(dividend, divisor).toString();
  if (text.length > digits + 1) {
    text = text.slice(0, -1);
    exponent++;
  }
  return { mantissa: `${sign}${text.charAt(0)}.${text.slice(1)}`, exponent };
}
