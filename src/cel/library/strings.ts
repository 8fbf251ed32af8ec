/** cel-go's string extension, second version: all positions and lengths count code points. */
import { codePoints, traversal } from '../cost.ts';
import { trimSpace } from '../go-text.ts';
import { formatValue } from '../go-value.ts';
import { checkStringSize } from '../plan/frame.ts';
import { CelError, type Int, TextList, type Value } from '../values.ts';
import { formatString } from './format.ts';
import type { Library, Overload } from './library.ts';

function indexOutOfRange(index: Int): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** The part of a text between two code points; both are within it. */
function slice(text: string, start: number, end: number): string {
  if (codePoints(text) === text.length) return text.slice(start, end);
  return Array.from(text).slice(start, end).join('');
}

function charAt(text: string, index: Int): string | CelError {
  const position = Number(index);
  return position < 0 || position > codePoints(text) ? indexOutOfRange(index) : slice(text, position, position + 1);
}

/** A UTF-16 offset as a count of code points; -1 stays. */
function codePointIndex(text: string, offset: number): number {
  return offset < 0 ? -1 : codePoints(text.slice(0, offset));
}

function utf16Offset(text: string, index: number): number {
  return codePoints(text) === text.length ? index : slice(text, 0, index).length;
}

function indexOf(text: string, needle: string): number {
  return codePointIndex(text, text.indexOf(needle));
}

/** An empty needle is found at any offset at all, even outside the text. */
function indexOfFrom(text: string, needle: string, offset: Int): Int | CelError {
  if (needle === '') return offset;
  if (offset < 0) return indexOutOfRange(offset);
  if (offset >= codePoints(text)) return -1;
  return codePointIndex(text, text.indexOf(needle, utf16Offset(text, Number(offset))));
}

function lastIndexOf(text: string, needle: string): number {
  return codePointIndex(text, text.lastIndexOf(needle));
}

function lastIndexOfFrom(text: string, needle: string, offset: Int): Int | CelError {
  if (needle === '') return offset;
  if (offset < 0) return indexOutOfRange(offset);
  if (offset >= codePoints(text)) return -1;
  return codePointIndex(text, text.lastIndexOf(needle, utf16Offset(text, Number(offset))));
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Go's `strings.Replace`: a negative limit is none; an empty needle stands before each code point and at the end. */
function replace(text: string, needle: string, replacement: string, limit: Int = -1): string {
  let left = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  if (needle === '') {
    checkStringSize(text.length + Math.min(left, text.length + 1) * replacement.length);
    let result = '';
    for (const character of text) result += left-- > 0 ? replacement + character : character;
    return left > 0 ? result + replacement : result;
  }
  let result = '';
  let position = 0;
  for (; left > 0; left--) {
    const found = text.indexOf(needle, position);
    if (found < 0) break;
    result += text.slice(position, found) + replacement;
    checkStringSize(result.length);
    position = found + needle.length;
  }
  return result + text.slice(position);
}

/** Go's `strings.SplitN`: the last of a limited number of parts holds the rest. */
function split(text: string, separator: string, limit: Int = -1): TextList {
  if (limit === 0) return TextList.holding([]);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0 || parts.length <= limit) return TextList.holding(parts);
  const kept = Number(limit) - 1;
  return TextList.holding([...parts.slice(0, kept), parts.slice(kept).join(separator)]);
}

function substringFrom(text: string, start: Int): string | CelError {
  const length = codePoints(text);
  return start < 0 || start > length ? indexOutOfRange(start) : slice(text, Number(start), length);
}

function substring(text: string, start: Int, end: Int): string | CelError {
  if (start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  const length = codePoints(text);
  if (start < 0 || start > length) return indexOutOfRange(start);
  if (end < 0 || end > length) return indexOutOfRange(end);
  return slice(text, Number(start), Number(end));
}

function join(list: readonly Value[], separator = ''): string | CelError {
  let length = list.length * separator.length;
  for (const element of list) {
    if (typeof element !== 'string') return new CelError(`join: invalid input: ${formatValue(element)}`);
    length += element.length;
  }
  checkStringSize(length);
  return list.join(separator);
}

const QUOTE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

/** CEL's own quoting: only the characters with a short escape are escaped. */
function quote(text: string): string {
  return `"${text.replace(/[\u0007-\r"\\]/g, (character) => QUOTE_ESCAPES.get(character) ?? character)}"`;
}

const rows: readonly Overload[] = [
  { name: 'charAt', id: 'string_char_at_int', signature: 'string.(int) -> string', run: charAt },
  {
    name: 'format',
    id: 'string_format',
    signature: 'string.(list<dyn>) -> string',
    run: formatString,
    variadic: true,
    cost: ([format]) => traversal(format),
  },
  { name: 'indexOf', id: 'string_index_of_string', signature: 'string.(string) -> int', run: indexOf },
  { name: 'indexOf', id: 'string_index_of_string_int', signature: 'string.(string, int) -> int', run: indexOfFrom },
  { name: 'join', id: 'list_join', signature: 'list<string>.() -> string', run: join },
  { name: 'join', id: 'list_join_string', signature: 'list<string>.(string) -> string', run: join },
  { name: 'lastIndexOf', id: 'string_last_index_of_string', signature: 'string.(string) -> int', run: lastIndexOf },
  {
    name: 'lastIndexOf',
    id: 'string_last_index_of_string_int',
    signature: 'string.(string, int) -> int',
    run: lastIndexOfFrom,
  },
  { name: 'lowerAscii', id: 'string_lower_ascii', signature: 'string.() -> string', run: lowerAscii },
  { name: 'replace', id: 'string_replace_string_string', signature: 'string.(string, string) -> string', run: replace },
  {
    name: 'replace',
    id: 'string_replace_string_string_int',
    signature: 'string.(string, string, int) -> string',
    run: replace,
  },
  { name: 'split', id: 'string_split_string', signature: 'string.(string) -> list<string>', run: split },
  { name: 'split', id: 'string_split_string_int', signature: 'string.(string, int) -> list<string>', run: split },
  {
    name: 'strings.quote',
    id: 'strings_quote',
    signature: '(string) -> string',
    run: quote,
    cost: ([text]) => traversal(text),
  },
  { name: 'substring', id: 'string_substring_int', signature: 'string.(int) -> string', run: substringFrom },
  { name: 'substring', id: 'string_substring_int_int', signature: 'string.(int, int) -> string', run: substring },
  { name: 'trim', id: 'string_trim', signature: 'string.() -> string', run: trimSpace },
  { name: 'upperAscii', id: 'string_upper_ascii', signature: 'string.() -> string', run: upperAscii },
];

/** cel-go's `ext.Strings(2)`. */
export const strings: Library = { name: 'cel.lib.ext.strings', since: '1.29', overloads: rows };
