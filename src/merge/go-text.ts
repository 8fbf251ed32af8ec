/**
 * How Go prints the values that error texts quote: keys in paths, and the dump after `got`.
 *
 * API server: structured-merge-diff value.ToString; fmt verbs %q, %v, %#v and %T over its value wrapper.
 */
import { Foreign, isList, isPlainMap, type PlainMap, type Unbox } from './data.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

/** A string as strconv.Quote writes it, for everything but rare non-printable characters beyond Latin-1. */
export function goQuote(text: string): string {
  const quoted = text.replace(/["\\\x00-\x1f\x7f]|[\x80-\xa0\xad]/g, (character) => {
    const known = ESCAPES.get(character);
    if (known !== undefined) return known;
    const code = character.charCodeAt(0).toString(16).padStart(2, '0');
    return character < '\x80' ? `\\x${code}` : `\\u00${code}`;
  });
  return `"${quoted}"`;
}

/** A value as a path shows it. */
export function goText(value: unknown, unbox: Unbox): string {
  if (typeof value === 'string') return goQuote(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return goNumber(value);
  if (isList(value)) return `[${value.map((item) => goText(item, unbox)).join()}]`;
  if (isPlainMap(value)) {
    return Object.entries(value)
      .map(([key, item]) => `${key}=${goText(item, unbox)}`)
      .join('');
  }
  const number = typeof value === 'object' ? unbox(value) : undefined;
  return number === undefined ? '{{undefined}}' : goNumber(number);
}

/** A float64 by %v: exponents from 1e+21 on and below 1e-4, with two digits at least. Integers are never that large. */
function goNumber(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const size = Math.abs(value);
  const text = size !== 0 && size < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** The name of the Go type of a value (%T). */
export function goType(value: unknown, unbox: Unbox): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      if (isList(value)) return '[]interface {}';
      if (isPlainMap(value)) return 'map[string]interface {}';
      if (value instanceof Foreign) return value.goType;
      return typeof value === 'object' && value !== null && unbox(value) !== undefined ? 'float64' : 'ref.Val';
  }
}

/** The value wrapper by %v. */
export function goDump(value: unknown, unbox: Unbox): string {
  return `&{${dump(value, unbox)}}`;
}

/** The value wrapper by %#v. */
export function goSyntaxDump(value: unknown, unbox: Unbox): string {
  return `&value.valueUnstructured{Value:${syntax(value, unbox)}}`;
}

function dump(value: unknown, unbox: Unbox): string {
  if (typeof value === 'string') return value;
  if (value === null) return '<nil>';
  if (value instanceof Foreign) return value.plain();
  if (isList(value)) return `[${value.map((item) => dump(item, unbox)).join(' ')}]`;
  if (isPlainMap(value)) return `map[${entries(value, (key) => key, dump, unbox).join(' ')}]`;
  return goText(value, unbox);
}

function syntax(value: unknown, unbox: Unbox): string {
  if (value === null) return 'interface {}(nil)';
  if (value instanceof Foreign) return value.syntax();
  if (isList(value)) return `[]interface {}{${value.map((item) => syntax(item, unbox)).join(', ')}}`;
  if (isPlainMap(value)) return `map[string]interface {}{${entries(value, goQuote, syntax, unbox).join(', ')}}`;
  return goText(value, unbox);
}

type Print = (value: unknown, unbox: Unbox) => string;

function entries(map: PlainMap, key: (text: string) => string, print: Print, unbox: Unbox): string[] {
  return Object.keys(map)
    .sort()
    .map((name) => `${key(name)}:${print(map[name], unbox)}`);
}
