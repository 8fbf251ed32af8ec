/**
 * `string.format`: the clauses of a format string, read one at a time so that the checker can validate a literal and the
 * function can write its text with the same faults in the same order.
 */
import { compareText, mapEntries } from '../equality.ts';
import { atoi, formatDouble, formatFixed, scientificParts } from '../go-numbers.ts';
import { quoteGo } from '../go-text.ts';
import { checkStringSize } from '../plan/frame.ts';
import { formatDuration, formatTimestamp } from '../time.ts';
import { typeName } from '../type-name.ts';
import { decodeUtf8, encodeUtf8 } from '../utf8.ts';
import { CelError, Duration, isDouble, isInt, isMap, Timestamp, TypeValue, Uint, type Value } from '../values.ts';
import { doubleValue, stringOfDouble } from './conversions.ts';

/** The letters a clause may end in. */
export type Verb = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';

/** A piece of a format string; a fault is the last piece. */
export type FormatPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'clause'; readonly verb: Verb; readonly index: number; readonly precision: number | undefined }
  | { readonly kind: 'fault'; readonly message: string };

const VERBS = 'sdfebxXo';

/** The pieces of a format string for a number of arguments, in order. */
export function* formatParts(format: string, argumentCount: number): Generator<FormatPart> {
  let index = 0;
  let position = 0;
  while (position < format.length) {
    const percent = format.indexOf('%', position);
    if (percent < 0) {
      yield { kind: 'text', text: format.slice(position) };
      return;
    }
    if (percent > position) yield { kind: 'text', text: format.slice(position, percent) };
    if (format.charAt(percent + 1) === '%') {
      yield { kind: 'text', text: '%' };
      position = percent + 2;
      continue;
    }
    if (index >= argumentCount) {
      yield fault(`index ${index} out of range`);
      return;
    }
    const clause = readClause(format, percent + 1);
    if ('message' in clause) {
      yield clause;
      return;
    }
    yield { kind: 'clause', verb: clause.verb, index, precision: clause.precision };
    position = clause.end;
    index++;
  }
}

type Fault = Extract<FormatPart, { kind: 'fault' }>;

function fault(message: string): Fault {
  return { kind: 'fault', message };
}

const DIGITS = /[0-9]*/y;

function readClause(
  format: string,
  start: number,
): Fault | { readonly verb: Verb; readonly precision: number | undefined; readonly end: number } {
  if (start >= format.length) return fault('unexpected end of string');
  let position = start;
  let precision: number | undefined;
  if (format.charAt(start) === '.') {
    DIGITS.lastIndex = start + 1;
    const digits = DIGITS.exec(format)?.[0] ?? '';
    position = start + 1 + digits.length;
    const prefix = 'could not parse formatting clause: error while parsing precision:';
    if (position >= format.length) return fault(`${prefix} could not find end of precision specifier`);
    const number = atoi(digits);
    if ('error' in number) return fault(`${prefix} error while converting precision to integer: ${number.error}`);
    precision = Number(number.value);
  }
  const letter = format.charAt(position);
  if (!VERBS.includes(letter)) {
    const firstByte = encodeUtf8(format.slice(position, position + 2))[0] ?? 0;
    return fault(
      `could not parse formatting clause: unrecognized formatting clause "${String.fromCharCode(firstByte)}"`,
    );
  }
  return { verb: letter as Verb, precision, end: position + 1 };
}

/** `format.format(args)`. Arguments beyond the clauses are ignored. */
export function formatString(format: string, args: readonly Value[]): string | CelError {
  let text = '';
  for (const part of formatParts(format, args.length)) {
    if (part.kind === 'text') text += part.text;
    else if (part.kind === 'fault') return new CelError(part.message);
    else {
      const piece = CLAUSES[part.verb](args[part.index] as Value, part.precision);
      if (piece instanceof CelError) return new CelError(`error during formatting: ${piece.message}`);
      text += piece;
    }
    checkStringSize(text.length);
  }
  return text;
}

type Formatter = (value: Value, precision: number | undefined) => string | CelError;

const CLAUSES: Readonly<Record<Verb, Formatter>> = {
  s: stringClause,
  d: (value) => integerClause(value, 10) ?? refusal('decimal clause can only be used on integers', value),
  o: (value) => integerClause(value, 8) ?? refusal('octal clause can only be used on integers', value),
  b: (value) => {
    if (typeof value === 'boolean') return value ? '1' : '0';
    return integerClause(value, 2) ?? refusal('only integers and bools can be formatted as binary', value);
  },
  x: hexClause,
  X: (value) => {
    const text = hexClause(value);
    return text instanceof CelError ? text : text.toUpperCase();
  },
  f: fixedClause,
  e: scientificClause,
};

function refusal(rule: string, value: Value): CelError {
  return new CelError(`${rule}, was given ${typeName(value)}`);
}

const STRING_RULE =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

function stringClause(value: Value): string | CelError {
  if (typeof value === 'string') return value;
  if (isDouble(value)) return stringOfDouble(value);
  if (value instanceof Uint8Array) return textOfBytes(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  return nestedText(value) ?? refusal(STRING_RULE, value);
}

function textOfBytes(bytes: Uint8Array): string | CelError {
  const invalid = 'could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string';
  return decodeUtf8(bytes) ?? new CelError(invalid);
}

/** A value inside a list or map; `undefined` when its type has no form there. */
function nestedText(value: Value): string | CelError | undefined {
  if (value === null) return 'null';
  if (typeof value === 'string') return quoteGo(value);
  if (typeof value === 'boolean' || isInt(value)) return String(value);
  if (isDouble(value)) return nestedDouble(doubleValue(value));
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) {
    const text = textOfBytes(value);
    return text instanceof CelError ? text : `b${quoteGo(text)}`;
  }
  if (value instanceof Duration) return `duration(${quoteGo(formatDuration(value))})`;
  if (value instanceof Timestamp) return `timestamp(${quoteGo(formatTimestamp(value))})`;
  if (value instanceof TypeValue) return value.name;
  if (Array.isArray(value)) return listText(value);
  return isMap(value) ? mapText(value) : undefined;
}

function nestedDouble(value: number): string {
  return Number.isFinite(value) ? formatFixed(value, 6) : `"${formatDouble(value)}"`;
}

function elementText(value: Value): string | CelError {
  return nestedText(value) ?? new CelError(`no formatting function for ${typeName(value)}`);
}

function listText(list: readonly Value[]): string | CelError {
  const texts: string[] = [];
  for (const element of list) {
    const text = elementText(element);
    if (text instanceof CelError) return text;
    texts.push(text);
  }
  return `[${texts.join(', ')}]`;
}

function mapText(map: Parameters<typeof mapEntries>[0]): string | CelError {
  const texts: (readonly [key: string, text: string])[] = [];
  for (const [key, value] of mapEntries(map)) {
    const keyed = typeof key === 'string' || typeof key === 'boolean' || isInt(key) || key instanceof Uint;
    if (!keyed) return new CelError(`no formatting function for map key of type ${typeName(key)}`);
    const keyText = elementText(key);
    if (keyText instanceof CelError) return keyText;
    const text = elementText(value);
    if (text instanceof CelError) return text;
    texts.push([keyText, text]);
  }
  texts.sort(([left], [right]) => compareText(left, right));
  return `{${texts.map(([key, text]) => `${key}:${text}`).join(', ')}}`;
}

function integerClause(value: Value, radix: number): string | undefined {
  if (isInt(value)) return value.toString(radix);
  return value instanceof Uint ? value.value.toString(radix) : undefined;
}

function hexClause(value: Value): string | CelError {
  const bytes = typeof value === 'string' ? encodeUtf8(value) : value;
  if (bytes instanceof Uint8Array) return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return integerClause(value, 16) ?? refusal('only integers, byte buffers, and strings can be formatted as hex', value);
}

/** The doubles that a string may stand for under `%f` and `%e`. */
const SPECIAL_DOUBLES: ReadonlyMap<Value, number> = new Map<Value, number>([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/** The number of a double or of a special string. */
function realOf(value: Value): number | undefined {
  return isDouble(value) ? doubleValue(value) : SPECIAL_DOUBLES.get(value);
}

function nonFinite(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}

/** Longest fraction that is written; Go would go on until memory ends. */
const MAX_PRECISION = 10_000_000;

function fixedClause(value: Value, precision = 6): string | CelError {
  const real = realOf(value);
  if (real === undefined) return refusal('fixed-point clause can only be used on doubles', value);
  if (!Number.isFinite(real)) return nonFinite(real);
  if (precision > MAX_PRECISION) return new CelError('precision is too large');
  const [whole = '', fraction] = formatFixed(real === 0 ? 0 : real, precision).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** x/text takes the precision for a width; the fraction always has six digits. */
function scientificClause(value: Value, width = 6): string | CelError {
  const real = realOf(value);
  if (real === undefined) return refusal('scientific clause can only be used on doubles', value);
  if (width > MAX_PRECISION) return new CelError('precision is too large');
  if (!Number.isFinite(real)) return nonFinite(real).padStart(width);
  const { mantissa, exponent } = scientificParts(real === 0 ? 0 : real, 6);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  const raised = Array.from(digits, (digit) => SUPERSCRIPTS.charAt(Number(digit))).join('');
  return `${mantissa}×10${exponent < 0 ? '⁻' : ''}${raised}`.padStart(width);
}
