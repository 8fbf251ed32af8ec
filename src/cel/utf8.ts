/** UTF-8, without the platform's encoders: the core may use the language only. */

/** The bytes of a well-formed string. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    else {
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    }
  }
  return Uint8Array.from(bytes);
}

/** The string of some bytes; `undefined` when they are not UTF-8 (overlong forms and surrogates are not). */
export function decodeUtf8(bytes: ArrayLike<number>): string | undefined {
  let text = '';
  let index = 0;
  while (index < bytes.length) {
    const code = codePointAt(bytes, index);
    if (code < 0) return undefined;
    text += String.fromCodePoint(code);
    index += widthOf(code);
  }
  return text;
}

/** The string of some bytes, each byte that does not belong to a code point read as U+FFFD. */
export function decodeUtf8Lossy(bytes: ArrayLike<number>): string {
  let text = '';
  let index = 0;
  while (index < bytes.length) {
    const code = codePointAt(bytes, index);
    text += code < 0 ? '\ufffd' : String.fromCodePoint(code);
    index += code < 0 ? 1 : widthOf(code);
  }
  return text;
}

/** The code point that starts at an index, or -1. */
function codePointAt(bytes: ArrayLike<number>, index: number): number {
  const first = bytes[index] ?? 0;
  if (first < 0x80) return first;
  if (first < 0xc2 || first > 0xf4) return -1;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let code = first & (0x7f >> length);
  for (let offset = 1; offset < length; offset++) {
    const next = bytes[index + offset] ?? 0;
    if ((next & 0xc0) !== 0x80) return -1;
    code = (code << 6) | (next & 0x3f);
  }
  if (length === 3 && (code < 0x800 || (code >= 0xd800 && code <= 0xdfff))) return -1;
  return length === 4 && (code < 0x10000 || code > 0x10ffff) ? -1 : code;
}

function widthOf(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
