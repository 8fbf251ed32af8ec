import { Double, double, MAX_INT64, MAX_UINT64, MIN_INT64, normalizeInt, Uint, type Value } from './values.ts';

/** The value of a literal's text, or the message of what is wrong with it. */
export type Literal = { readonly value: Value } | { readonly error: string };

/** An int literal; `negative` folds the sign in, so that the smallest int can be written. */
export function intLiteral(text: string, negative: boolean): Literal {
  const magnitude = BigInt(text.startsWith('0x') ? text : text.replace(/^0+(?=\d)/, ''));
  const value = negative ? -magnitude : magnitude;
  if (value < MIN_INT64 || value > MAX_INT64) return { error: 'invalid int literal' };
  return { value: normalizeInt(value) };
}

/** A uint literal, with its `u` or `U`. */
export function uintLiteral(text: string): Literal {
  const digits = text.slice(0, -1);
  const value = BigInt(digits.startsWith('0x') ? digits : digits.replace(/^0+(?=\d)/, ''));
  return value > MAX_UINT64 ? { error: 'invalid uint literal' } : { value: new Uint(value) };
}

/** A double literal; too large is an error, too small is zero with its sign. */
export function doubleLiteral(text: string, negative: boolean): Literal {
  const magnitude = Number(text);
  if (!Number.isFinite(magnitude)) return { error: 'invalid double literal' };
  const value = negative ? -magnitude : magnitude;
  return { value: Object.is(value, -0) ? new Double(-0) : double(value) };
}

const SIMPLE_ESCAPES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    a: 7,
    b: 8,
    f: 12,
    n: 10,
    r: 13,
    t: 9,
    v: 11,
    '\\': 92,
    "'": 39,
    '"': 34,
    '`': 96,
    '?': 63,
  }),
);

/** The text of a string token: prefix and quotes removed, line breaks normalised, escapes resolved. */
export function stringLiteral(token: string): Literal {
  const { body, raw } = unquote(token);
  if (raw || !body.includes('\\')) return { value: body };
  let out = '';
  for (const part of escapes(body)) {
    if (part.escape === undefined) {
      out += part.text;
      continue;
    }
    const code = part.escape;
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return { error: 'invalid unicode code point' };
    out += String.fromCodePoint(code);
  }
  return { value: out };
}

/** The bytes of a bytes token: text as UTF-8, `\x` and octal escapes as single bytes; `\u` and `\U` are refused. */
export function bytesLiteral(token: string): Literal {
  const { body, raw } = unquote(token.slice(1));
  const out: number[] = [];
  for (const part of raw ? [{ text: body, escape: undefined, unicode: false }] : escapes(body)) {
    if (part.escape === undefined) pushUtf8(out, part.text);
    else if (part.unicode) return { error: 'unable to unescape string' };
    else out.push(part.escape);
  }
  return { value: Uint8Array.from(out) };
}

function unquote(token: string): { body: string; raw: boolean } {
  const raw = token.startsWith('r') || token.startsWith('R');
  const quoted = raw ? token.slice(1) : token;
  const width = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''")) ? 3 : 1;
  return { body: quoted.slice(width, quoted.length - width).replace(/\r\n?/g, '\n'), raw };
}

interface Part {
  readonly text: string;
  readonly escape: number | undefined;
  readonly unicode: boolean;
}

function* escapes(body: string): Generator<Part> {
  let at = 0;
  while (at < body.length) {
    const next = body.indexOf('\\', at);
    if (next < 0) {
      yield { text: body.slice(at), escape: undefined, unicode: false };
      return;
    }
    if (next > at) yield { text: body.slice(at, next), escape: undefined, unicode: false };
    const kind = body[next + 1] ?? '';
    const simple = SIMPLE_ESCAPES.get(kind);
    const width = simple !== undefined ? 2 : (ESCAPE_WIDTH[kind] ?? 4);
    const digits = body.slice(next + (width === 4 && /[0-3]/.test(kind) ? 1 : 2), next + width);
    const code = simple ?? Number.parseInt(digits, /[0-3]/.test(kind) ? 8 : 16);
    yield { text: '', escape: code, unicode: kind === 'u' || kind === 'U' };
    at = next + width;
  }
}

const ESCAPE_WIDTH: Readonly<Record<string, number>> = { x: 4, X: 4, u: 6, U: 10 };

/** Appends the UTF-8 bytes of a text. */
export function pushUtf8(out: number[], text: string): void {
  for (const rune of text) {
    const code = rune.codePointAt(0) ?? 0;
    if (code < 0x80) out.push(code);
    else if (code < 0x800) out.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) out.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else out.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
}
