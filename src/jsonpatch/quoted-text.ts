/**
 * Which op, path and from texts survive upstream's way of putting them into JSON: quoted by Go's rules, then read by
 * JSON's. Go's `\x01`, `\a`, `\v` and `\U000e0001` are no JSON escapes.
 *
 * API server: policy/mutating/patch/json_patch.go, strconv.Quote.
 */

const CONTROL = /[\x00-\x07\x0b\x0e-\x1f\x7f]/;
const BEYOND_BMP = /[\u{10000}-\u{10ffff}]/u;
const HIDDEN_BEYOND_BMP = /[\u{10000}-\u{10ffff}]/gu;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

/** Whether the text can be read back. */
export function isDecodable(text: string): boolean {
  return !CONTROL.test(text) && (!BEYOND_BMP.test(text) || firstHidden(text) === undefined);
}

/** The JSON reader's text about the first escape that it does not know. */
export function undecodable(text: string): string {
  const control = CONTROL.exec(text);
  const hidden = firstHidden(text);
  const first = control !== null && (hidden === undefined || control.index < text.indexOf(hidden)) ? control[0] : 'U';
  return `invalid character '${ESCAPES.get(first) ?? (first === 'U' ? 'U' : 'x')}' in string escape code`;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\x07', 'a'],
  ['\x0b', 'v'],
]);

function firstHidden(text: string): string | undefined {
  for (const [character] of text.matchAll(HIDDEN_BEYOND_BMP)) if (!PRINTABLE.test(character)) return character;
  return undefined;
}
