/**
 * Standard base64 as Go reads it: padding required, line breaks ignored, left-over bits dropped.
 *
 * API server: encoding/base64 StdEncoding, through which every []byte field passes.
 */

/** The text as it is written again, or the offset of the first byte that is wrong. */
export type Base64Result = { readonly text: string } | { readonly offset: number };

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Reads and writes a base64 text. */
export function canonicalBase64(text: string): Base64Result {
  let at = 0;
  let out = '';
  for (;;) {
    const group = readGroup(text, at);
    if ('offset' in group) return group;
    if (group.text === '') return { text: out };
    out += group.text;
    at = group.next;
  }
}

/** Four digits, or the last two or three with their padding; no text at the end. */
function readGroup(text: string, start: number): { readonly text: string; readonly next: number } | { offset: number } {
  const digits: number[] = [];
  let at = start;
  while (digits.length < 4) {
    const character = text[at];
    if (character === undefined) {
      return digits.length === 0 ? { text: '', next: at } : { offset: at - digits.length };
    }
    at += 1;
    if (character === '\n' || character === '\r') continue;
    const digit = ALPHABET.indexOf(character);
    if (digit >= 0) digits.push(digit);
    else if (character === '=') return closeGroup(text, at, digits);
    else return { offset: at - 1 };
  }
  return { text: letters(digits), next: at };
}

function closeGroup(text: string, start: number, digits: readonly number[]): ReturnType<typeof readGroup> {
  let at = start;
  if (digits.length < 2) return { offset: at - 1 };
  if (digits.length === 2) {
    at = skipBreaks(text, at);
    if (at === text.length) return { offset: at };
    if (text[at] !== '=') return { offset: at - 1 };
    at += 1;
  }
  at = skipBreaks(text, at);
  if (at < text.length) return { offset: at };
  const [first = 0, second = 0, third = 0] = digits;
  const kept = digits.length === 2 ? [first, second & 0b110000] : [first, second, third & 0b111100];
  return { text: letters(kept).padEnd(4, '='), next: at };
}

function skipBreaks(text: string, start: number): number {
  let at = start;
  while (text[at] === '\n' || text[at] === '\r') at += 1;
  return at;
}

function letters(digits: readonly number[]): string {
  return digits.map((digit) => ALPHABET[digit] ?? '').join('');
}

/** The base64 text of some bytes. */
export function encodeBase64(bytes: readonly number[]): string {
  let out = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.slice(at, at + 3);
    const group = letters([a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63]);
    const left = bytes.length - at;
    out += left >= 3 ? group : group.slice(0, left + 1).padEnd(4, '=');
  }
  return out;
}
