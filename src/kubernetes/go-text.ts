/** Texts as Go prints them, where a user sees them. */
import { isJsonObject, type Json, own } from './json.ts';

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

const PRINTABLE = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/** A string in double quotes as `strconv.Quote` writes it (`%q`). */
export function goQuote(text: string): string {
  let out = '"';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const known = ESCAPES.get(code);
    if (known !== undefined) out += known;
    else if (isPrintable(character, code)) out += character;
    else if (code < 0x80) out += `\\x${hex(code, 2)}`;
    else if (code < 0x10000) out += `\\u${hex(code, 4)}`;
    else out += `\\U${hex(code, 8)}`;
  }
  return `${out}"`;
}

/** A string as Go's encoding/json writes it, with HTML characters escaped. */
export function goJsonString(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${hex(character.charCodeAt(0), 4)}`);
}

const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const SPACE_AROUND = new RegExp(`^${SPACE}+|${SPACE}+$`, 'g');

/** JSON as Go writes a map: keys sorted, no blanks. */
export function goJson(value: Json): string {
  if (typeof value === 'string') return goJsonString(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => goJson(item)).join(',')}]`;
  if (isJsonObject(value)) {
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${goJsonString(key)}:${goJson(own(value, key) ?? null)}`).join(',')}}`;
  }
  return String(value);
}

/** Trims what `strings.TrimSpace` trims: Unicode's White_Space, which has U+0085 and lacks U+FEFF. */
export function goTrim(text: string): string {
  return text.replace(SPACE_AROUND, '');
}

function isPrintable(character: string, code: number): boolean {
  return code < 0x80 ? code >= 0x20 && code < 0x7f : PRINTABLE.test(character);
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}
