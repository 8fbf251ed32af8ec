/**
 * Kubernetes quantities (`500m`, `1.5Gi`, `1e3`) with the API server's exact arithmetic and its two internal forms.
 *
 * A quantity is `value × 10^exponent`. What the upstream type keeps in an int64 is form `i`; what needed its
 * arbitrary-precision decimal is form `d`, and `d` never counts as an integer, however round it is. The form is
 * observable in CEL (`isInteger`, `asInteger`), so it is kept here too.
 *
 * API server: k8s.io/apimachinery/pkg/api/resource quantity.go, amount.go, suffix.go.
 */

/** How a quantity was written, and so how it is written again. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** An immutable quantity: `value × 10^exponent`. */
export interface Quantity {
  readonly form: 'i' | 'd';
  readonly value: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** The text it was read from, where the API server writes that text back as it is. */
  readonly text?: string;
}

/** Why a text is not a quantity; `error` is the API server's text. */
export interface QuantityError {
  readonly error: string;
}

const ERR_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const ERR_NUMERIC = 'unable to parse numeric part of quantity';
const ERR_SUFFIX = "unable to parse quantity's suffix";

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const NANO = -9;
const MAX_INT64_DIGITS = 18;

/**
 * The largest decimal exponent that is taken. The API server has no limit and computes for minutes on some of the
 * values beyond; all of them are refused here as bad suffixes.
 */
const MAX_EXPONENT = 1_000_000;

/** Texts that are written as they are read, for certain: the common case, without any arithmetic. */
const CANONICAL_DECIMAL = /^[1-9][0-9]{0,17}[numkMGTPE]?$/;
const THOUSANDS = /000[numkMGTPE]?$/;
const CANONICAL_BINARY = /^[1-9][0-9]{0,2}[KMGT]i$/;

/** The text the API server writes for a text it reads, or why it cannot read it. */
export function canonicalText(text: string): string | QuantityError {
  if (CANONICAL_DECIMAL.test(text) && !THOUSANDS.test(text)) return text;
  if (CANONICAL_BINARY.test(text)) return text;
  const quantity = parseQuantity(text);
  return 'error' in quantity ? quantity : canonical(quantity);
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const SUFFIXES: ReadonlyMap<string, Suffix> = new Map<string, Suffix>([
  ['n', { base: 10, exponent: -9, format: 'DecimalSI' }],
  ['u', { base: 10, exponent: -6, format: 'DecimalSI' }],
  ['m', { base: 10, exponent: -3, format: 'DecimalSI' }],
  ['', { base: 10, exponent: 0, format: 'DecimalSI' }],
  ['k', { base: 10, exponent: 3, format: 'DecimalSI' }],
  ['M', { base: 10, exponent: 6, format: 'DecimalSI' }],
  ['G', { base: 10, exponent: 9, format: 'DecimalSI' }],
  ['T', { base: 10, exponent: 12, format: 'DecimalSI' }],
  ['P', { base: 10, exponent: 15, format: 'DecimalSI' }],
  ['E', { base: 10, exponent: 18, format: 'DecimalSI' }],
  ['Ki', { base: 2, exponent: 10, format: 'BinarySI' }],
  ['Mi', { base: 2, exponent: 20, format: 'BinarySI' }],
  ['Gi', { base: 2, exponent: 30, format: 'BinarySI' }],
  ['Ti', { base: 2, exponent: 40, format: 'BinarySI' }],
  ['Pi', { base: 2, exponent: 50, format: 'BinarySI' }],
  ['Ei', { base: 2, exponent: 60, format: 'BinarySI' }],
]);

const DECIMAL_SUFFIX: ReadonlyMap<number, string> = suffixesOf(10);
const BINARY_SUFFIX: ReadonlyMap<number, string> = suffixesOf(2);

function suffixesOf(base: number): Map<number, string> {
  const found = new Map<number, string>();
  for (const [text, suffix] of SUFFIXES) if (suffix.base === base) found.set(suffix.exponent, text);
  return found;
}

/** The quantity of a text, without any trimming of blanks. */
export function parseQuantity(text: string): Quantity | QuantityError {
  if (text === '0') return { form: 'i', value: 0n, exponent: 0, format: 'DecimalSI', text };
  // One linear scan: a regular expression with these optional runs would backtrack on hostile texts.
  const start = text[0] === '+' || text[0] === '-' ? 1 : 0;
  const significant = skip(text, start, ZERO);
  const wholeEnd = skip(text, significant, DIGITS);
  const pointed = text[wholeEnd] === '.';
  const fractionEnd = pointed ? skip(text, wholeEnd + 1, DIGITS) : wholeEnd;
  const letters = skip(text, fractionEnd, SUFFIX_LETTERS);
  const signed = text[letters] === '+' || text[letters] === '-' ? letters + 1 : letters;
  if (text === '' || skip(text, signed, DIGITS) !== text.length) return { error: ERR_FORMAT };
  const suffix = parseSuffix(text.slice(fractionEnd));
  if (suffix === undefined) return { error: ERR_SUFFIX };
  const number: Written = {
    text,
    negative: text[0] === '-',
    whole: text.slice(significant, wholeEnd) || '0',
    fraction: pointed ? text.slice(wholeEnd + 1, fractionEnd) : '',
  };
  const fast = fastParse(number, suffix);
  if (fast !== undefined) return fast;
  const digits = wholeEnd - start + number.fraction.length;
  return digits === 0 ? { error: ERR_NUMERIC } : exactParse(number, suffix); // k8s: `.k` is zero, `.Pi` is refused
}

/** A quantity taken apart; `whole` has no leading zeros but for `0` itself. */
interface Written {
  readonly text: string;
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

const ZERO = '0';
const DIGITS = '0123456789';
const SUFFIX_LETTERS = 'eEinumkKMGTP';

function skip(text: string, from: number, set: string): number {
  let at = from;
  while (at < text.length && set.includes(text.charAt(at))) at += 1;
  return at;
}

function parseSuffix(text: string): Suffix | undefined {
  const known = SUFFIXES.get(text);
  if (known !== undefined) return known;
  if (!/^[eE][+-]?[0-9]+$/.test(text)) return undefined;
  const exponent = BigInt(text[1] === '+' ? text.slice(2) : text.slice(1));
  if (exponent > MAX_INT64 || exponent < MIN_INT64) return undefined;
  const wrapped = Number(BigInt.asIntN(32, exponent)); // k8s: resource/suffix.go interpret, int32 of an int64
  return Math.abs(wrapped) > MAX_EXPONENT ? undefined : { base: 10, exponent: wrapped, format: 'DecimalExponent' };
}

/** The `i` form, for what upstream's int64 path takes. */
function fastParse({ text, negative, whole, fraction }: Written, suffix: Suffix): Quantity | undefined {
  const digits = whole + fraction;
  const binary = suffix.format === 'BinarySI';
  if (binary && fraction !== '') return undefined;
  const precision = binary
    ? 15 - whole.length - Math.trunc((suffix.exponent * 3) / 10) - 1
    : MAX_INT64_DIGITS - digits.length;
  const exponent = (binary ? 0 : suffix.exponent) - fraction.length;
  if (precision < 0 || exponent < NANO) return undefined;
  const count = BigInt(digits);
  const magnitude = binary ? count << BigInt(suffix.exponent) : count;
  if (magnitude > MAX_INT64) return undefined;
  const value = negative ? -magnitude : magnitude;
  const kept = binary ? (count & 7n) !== 0n : exponent % 3 === 0 && !digits.endsWith('000') && digits[0] !== '0';
  const plain: Quantity = { form: 'i', value, exponent, format: suffix.format };
  return kept ? { ...plain, text } : plain;
}

/** The `d` form: exact, then rounded away from zero to nano, binary ones capped to the int64 range. */
function exactParse({ negative, whole, fraction }: Written, suffix: Suffix): Quantity {
  let magnitude = BigInt(whole + fraction);
  let exponent = -fraction.length;
  let format = suffix.format;
  if (suffix.base === 10) exponent += suffix.exponent;
  else magnitude <<= BigInt(suffix.exponent);
  if (magnitude !== 0n) [magnitude, exponent] = roundUpToNano(magnitude, exponent);
  if (format === 'BinarySI') {
    if (compareDecimal(magnitude, exponent, MAX_INT64, 0) > 0) {
      magnitude = MAX_INT64;
      exponent = 0;
    }
    if (magnitude !== 0n && compareDecimal(magnitude, exponent, 1n, 0) < 0) format = 'DecimalSI';
  }
  return { form: 'd', value: negative ? -magnitude : magnitude, exponent, format };
}

function roundUpToNano(magnitude: bigint, exponent: number): [bigint, number] {
  const excess = NANO - exponent;
  if (excess === 0) return [magnitude, exponent];
  // Beyond a double's range only the size tells, and a nano-scaled number would be needlessly large.
  if (excess < 0) return exponent > 400 ? [magnitude, exponent] : [magnitude * 10n ** BigInt(-excess), NANO];
  if (excess > magnitude.toString().length) return [1n, NANO];
  const unit = 10n ** BigInt(excess);
  return [(magnitude + unit - 1n) / unit, NANO];
}

/** The text the API server writes for a quantity. */
export function canonical(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.value === 0n) return '0';
  if (quantity.format === 'BinarySI') {
    const whole = wholeValue(quantity);
    if (whole !== undefined && (whole <= -1024n || whole >= 1024n)) return binaryText(whole);
  }
  let [amount, exponent] = stripFactors(quantity.value, 10n, quantity.exponent);
  while (exponent % 3 !== 0) {
    amount *= 10n;
    exponent -= 1;
  }
  if (quantity.format === 'DecimalExponent') return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
  return `${amount}${DECIMAL_SUFFIX.get(exponent) ?? ''}`; // k8s: no suffix where the table ends
}

function binaryText(whole: bigint): string {
  const [amount, thousands] = stripFactors(whole, 1024n, 0);
  return `${amount}${BINARY_SUFFIX.get(thousands * 10) ?? ''}`;
}

/** The value when it is integral, whatever the form. */
function wholeValue({ value, exponent }: Quantity): bigint | undefined {
  if (exponent >= 0) return value * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  return value % unit === 0n ? value / unit : undefined;
}

function stripFactors(value: bigint, factor: bigint, exponent: number): [bigint, number] {
  let amount = value;
  let count = exponent;
  while (amount !== 0n && amount % factor === 0n) {
    amount /= factor;
    count += 1;
  }
  return [amount, count];
}

/** -1, 0 or 1 by numeric value. */
export function compare(a: Quantity, b: Quantity): -1 | 0 | 1 {
  return compareDecimal(a.value, a.exponent, b.value, b.exponent);
}

function compareDecimal(a: bigint, aExponent: number, b: bigint, bExponent: number): -1 | 0 | 1 {
  if (aExponent === bExponent) return order(a, b);
  const aSign = order(a, 0n);
  const bSign = order(b, 0n);
  if (aSign !== bSign || aSign === 0) return order(BigInt(aSign), BigInt(bSign));
  // Sizes first, so that `1e1000000` is never written out.
  const aSize = digitCount(a) + aExponent;
  const bSize = digitCount(b) + bExponent;
  if (aSize !== bSize) return aSize > bSize === aSign > 0 ? 1 : -1;
  const low = Math.min(aExponent, bExponent);
  return order(a * 10n ** BigInt(aExponent - low), b * 10n ** BigInt(bExponent - low));
}

function digitCount(value: bigint): number {
  return (value < 0n ? -value : value).toString().length;
}

function order(a: bigint, b: bigint): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether two quantities are the same number; form, format and text do not matter. */
export function quantityEquals(a: Quantity, b: Quantity): boolean {
  return compare(a, b) === 0;
}

/** -1, 0 or 1. */
export function sign(quantity: Quantity): -1 | 0 | 1 {
  return order(quantity.value, 0n);
}

/** `a + b`, in the format of `a` unless that is zero. Exact, never capped. */
export function add(a: Quantity, b: Quantity): Quantity {
  return sum(a, b, b.value);
}

/** `a - b`, in the format of `a` unless that is zero. Exact, never capped. */
export function sub(a: Quantity, b: Quantity): Quantity {
  return sum(a, b, -b.value);
}

/**
 * Two of form `i` stay so when everything fits int64. k8s: there a subtraction adds the negated int64, which the smallest one
 * wraps to itself.
 */
function sum(a: Quantity, b: Quantity, addend: bigint): Quantity {
  const format = a.value === 0n ? b.format : a.format;
  const exponent = Math.min(a.exponent, b.exponent);
  const left = a.value * 10n ** BigInt(a.exponent - exponent);
  const scale = 10n ** BigInt(b.exponent - exponent);
  if (a.form === 'i' && b.form === 'i') {
    const wrapped = BigInt.asIntN(64, addend);
    if (wrapped === 0n) return { form: 'i', value: a.value, exponent: a.exponent, format };
    if (a.value === 0n) return { form: 'i', value: wrapped, exponent: b.exponent, format };
    const right = wrapped * scale;
    if ([left, right, left + right].every(isInt64)) return { form: 'i', value: left + right, exponent, format };
  }
  return { form: 'd', value: left + addend * scale, exponent, format };
}

function isInt64(value: bigint): boolean {
  return value >= MIN_INT64 && value <= MAX_INT64;
}

/** The quantity of an int, in DecimalSI. */
export function quantityOf(value: bigint): Quantity {
  return { form: 'i', value, exponent: 0, format: 'DecimalSI' };
}

/** The same number in form `d`: what the receiver of a comparison with a `d` becomes for good, upstream. */
export function promote(quantity: Quantity): Quantity {
  return quantity.form === 'd' ? quantity : { ...quantity, form: 'd' };
}

/** Whether it is in form `i`, integral by its exponent and within int64. */
export function isInteger(quantity: Quantity): boolean {
  return asInteger(quantity) !== undefined;
}

/** The int64, or `undefined` where `isInteger` is false (the API server: `cannot convert value to integer`). */
export function asInteger({ form, value, exponent }: Quantity): bigint | undefined {
  if (form === 'd' || exponent < 0) return undefined;
  if (value === 0n) return 0n;
  if (exponent > MAX_INT64_DIGITS) return undefined;
  const whole = value * 10n ** BigInt(exponent);
  return isInt64(whole) ? whole : undefined;
}

/** The nearest double by upstream's one multiplication, so not always the closest one. */
export function approximate({ value, exponent }: Quantity): number {
  return exponent === 0 ? Number(value) : Number(value) * powerOfTen(exponent);
}

/** Go's math.Pow10: two table look-ups and one multiplication or division. */
function powerOfTen(exponent: number): number {
  if (exponent > 308) return Number.POSITIVE_INFINITY;
  if (exponent < -323) return 0;
  const size = Math.abs(exponent);
  const high = Number(`1e${exponent < 0 ? '-' : ''}${Math.trunc(size / 32) * 32}`);
  const low = Number(`1e${size % 32}`);
  return exponent < 0 ? high / low : high * low;
}
