/**
 * Byte strings: one character a byte. Go's URL code works on bytes, and what it decodes need not be UTF-8.
 */
import { decodeUtf8, decodeUtf8Lossy, encodeUtf8, quoteGo } from '#cel/runtime';

const ASCII = /^[\0-\x7f]*$/;

/** The UTF-8 bytes of a text. */
export function bytesOf(text: string): string {
  return ASCII.test(text) ? text : Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte)).join('');
}

function codes(bytes: string): number[] {
  return Array.from(bytes, (character) => character.charCodeAt(0));
}

/** The text of some bytes; what is not UTF-8 becomes U+FFFD. */
export function textOf(bytes: string): string {
  return ASCII.test(bytes) ? bytes : decodeUtf8Lossy(codes(bytes));
}

/** `%q` of some bytes: those that are not UTF-8 appear as `\xff`. */
export function quoteBytes(bytes: string): string {
  if (ASCII.test(bytes)) return quoteGo(bytes);
  let quoted = '';
  let position = 0;
  while (position < bytes.length) {
    let length = 1;
    let text = decodeUtf8(codes(bytes.slice(position, position + 1)));
    while (text === undefined && length < 4) {
      length++;
      text = decodeUtf8(codes(bytes.slice(position, position + length)));
    }
    if (text === undefined) {
      quoted += `\\x${bytes.charCodeAt(position).toString(16).padStart(2, '0')}`;
      position++;
    } else {
      quoted += quoteGo(text).slice(1, -1);
      position += length;
    }
  }
  return `"${quoted}"`;
}
