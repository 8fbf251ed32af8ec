import type { Issue } from './issues.ts';

/** Kinds of tokens, by the names that syntax errors print. */
export type TokenKind =
  | '=='
  | '!='
  | 'in'
  | '<'
  | '<='
  | '>='
  | '>'
  | '&&'
  | '||'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%'
  | 'true'
  | 'false'
  | 'null'
  | 'NUM_FLOAT'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'STRING'
  | 'BYTES'
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | 'EOF';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** UTF-16 offset. */
  readonly start: number;
}

const KEYWORDS: ReadonlyMap<string, TokenKind> = new Map([
  ['in', 'in'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
]);

const OPERATORS: readonly TokenKind[] = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
];

const SPACE = /[\t \r\n\f]+|\/\/[^\n]*/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const ESCAPED_IDENTIFIER = /`[A-Za-z0-9_./\- ]+`/y;
const FLOAT = /[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y;
const INTEGER = /(?:0x[0-9a-fA-F]+|[0-9]+)([uU]?)/y;
const STRING_START = /([bB]?[rR]?)("""|'''|"|')/y;
const ESCAPE = /\\(?:[abfnrtv"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/y;

/** Splits an expression into tokens; what is no token is reported and skipped. The last token is `EOF`. */
export function tokenize(source: string, issues: Issue[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const space = matchAt(SPACE, source, at);
    if (space) {
      at += space[0].length;
      continue;
    }
    const token = readToken(source, at);
    if (typeof token === 'number') {
      const text = source.slice(at, token + 1);
      issues.push({ offset: at, message: `Syntax error: token recognition error at: '${printable(text)}'` });
      at = token + ((source.codePointAt(token) ?? 0) > 0xffff ? 2 : 1);
      continue;
    }
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: 'EOF', text: '<EOF>', start: source.length });
  return tokens;
}

/** The token at an offset, or the offset of the character that no token can have there. */
function readToken(source: string, at: number): Token | number {
  const string = readString(source, at);
  if (string !== undefined) return string;
  const word = matchAt(IDENTIFIER, source, at)?.[0];
  if (word !== undefined) return { kind: KEYWORDS.get(word) ?? 'IDENTIFIER', text: word, start: at };
  const float = matchAt(FLOAT, source, at)?.[0];
  if (float !== undefined) return { kind: 'NUM_FLOAT', text: float, start: at };
  const integer = matchAt(INTEGER, source, at);
  if (integer) return { kind: integer[1] ? 'NUM_UINT' : 'NUM_INT', text: integer[0], start: at };
  const escaped = matchAt(ESCAPED_IDENTIFIER, source, at)?.[0];
  if (escaped !== undefined) return { kind: 'ESC_IDENTIFIER', text: escaped, start: at };
  const operator = OPERATORS.find((candidate) => source.startsWith(candidate, at));
  if (operator !== undefined) return { kind: operator, text: operator, start: at };
  const first = source[at];
  return (first === '&' || first === '|' || first === '=') && at + 1 < source.length ? at + 1 : at;
}

function readString(source: string, at: number): Token | number | undefined {
  const start = matchAt(STRING_START, source, at);
  if (!start) return undefined;
  const [opening, prefix = '', quote = ''] = start;
  const raw = /[rR]/.test(prefix);
  const kind: TokenKind = /[bB]/.test(prefix) ? 'BYTES' : 'STRING';
  let index = at + opening.length;
  while (index < source.length) {
    if (source.startsWith(quote, index)) {
      return { kind, text: source.slice(at, index + quote.length), start: at };
    }
    const char = source[index];
    if (quote.length === 1 && (char === '\n' || char === '\r')) break;
    if (char === '\\' && !raw) {
      const sequence = matchAt(ESCAPE, source, index);
      if (!sequence) {
        index += brokenEscape(source, index);
        break;
      }
      index += sequence[0].length;
    } else index += 1;
  }
  if (quote.length === 3) {
    // An unclosed triple quote still starts with an empty string.
    return { kind, text: source.slice(at, at + opening.length - 1), start: at };
  }
  return prefix === '' ? index : undefined;
}

/** How far an escape sequence reads before the character that spoils it. */
function brokenEscape(source: string, at: number): number {
  const start = matchAt(/\\(?:[xXuU][0-9a-fA-F]*|[0-3][0-7]?|)/y, source, at);
  return start?.[0].length ?? 1;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function printable(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}
