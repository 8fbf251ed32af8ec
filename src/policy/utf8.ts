/** Lengths and cuts in UTF-8 bytes, as the API server counts, without an encoder. */

/** Bytes of a string in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += characterBytes(character);
  return bytes;
}

/**
 * The first `limit` bytes of a string. A character that the cut goes through leaves U+FFFD for each of its bytes that
 * remains, which is what Go's JSON encoder makes of them.
 */
export function cutBytes(text: string, limit: number): string {
  let bytes = 0;
  let units = 0;
  for (const character of text) {
    const next = bytes + characterBytes(character);
    if (next > limit) return text.slice(0, units) + '\ufffd'.repeat(limit - bytes);
    bytes = next;
    units += character.length;
  }
  return text;
}

function characterBytes(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
