/**
 * Where each character of a YAML string stands in the file: quotes, escapes, folding and indentation lie between the two.
 * Found by walking both texts side by side, which is exact for everything but the white space that folding makes.
 */

/** For an offset in `value`, the offset in the file, given the scalar's raw text that starts at `start` there. */
export function scalarOffsets(value: string, raw: string, start: number): (offset: number) => number {
  const begin = contentStart(raw);
  const double = raw.startsWith('"');
  const single = raw.startsWith("'");
  let places: number[] | undefined;
  return (offset) => {
    places ??= align(value, raw, begin, double, single);
    const index = Math.max(0, Math.min(offset, value.length));
    return start + (places[index] ?? raw.length);
  };
}

/** Behind the opening quote, or behind the header line of a block scalar. */
function contentStart(raw: string): number {
  if (raw.startsWith('"') || raw.startsWith("'")) return 1;
  if (!/^[|>]/.test(raw)) return 0;
  const lineEnd = raw.indexOf('\n');
  return lineEnd < 0 ? raw.length : lineEnd + 1;
}

function align(value: string, raw: string, begin: number, double: boolean, single: boolean): number[] {
  const places: number[] = [];
  let at = begin;
  for (let index = 0; index < value.length; index++) {
    const wanted = value.charAt(index);
    if (!isSpace(wanted)) {
      while (at < raw.length && isSpace(raw.charAt(at))) at++;
    }
    if (double && raw.charAt(at) === '\\') {
      // a line break that is escaped stands for nothing
      const broken = /^\\\r?\n\s*/.exec(raw.slice(at));
      if (broken) at += broken[0].length;
    }
    places.push(at);
    if (double && raw.charAt(at) === '\\') {
      const length = escapeLength(raw, at);
      // an escape may stand for two UTF-16 units
      if (length === 10 && isHighSurrogate(wanted)) {
        places.push(at);
        index++;
      }
      at += length;
    } else if (single && raw.startsWith("''", at)) at += 2;
    else if (!isSpace(wanted) || isSpace(raw.charAt(at))) at++;
  }
  places.push(at);
  return places;
}

const ESCAPE_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function escapeLength(raw: string, at: number): number {
  const letter = raw.charAt(at + 1);
  return 2 + (Object.hasOwn(ESCAPE_DIGITS, letter) ? (ESCAPE_DIGITS[letter] ?? 0) : 0);
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
}

function isHighSurrogate(character: string): boolean {
  const code = character.charCodeAt(0);
  return code >= 0xd800 && code < 0xdc00;
}
