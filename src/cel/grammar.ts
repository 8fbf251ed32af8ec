/** The token classes of cel-go's grammar: reserved words, operators with their functions, what may start and follow an operand. */
import type { TokenKind } from './lexer.ts';

export const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop package namespace return true var void while null'.split(
    ' ',
  ),
);

export const RELATIONS: ReadonlyMap<TokenKind, string> = new Map([
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>=', '_>=_'],
  ['>', '_>_'],
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['in', '@in'],
]);
export const SUMS: ReadonlyMap<TokenKind, string> = new Map([
  ['+', '_+_'],
  ['-', '_-_'],
]);
export const PRODUCTS: ReadonlyMap<TokenKind, string> = new Map([
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
]);

/** What may start an operand, in the order in which cel-go's grammar lists it; `extra` goes where it would stand. */
export function operandSet(extra: "')'" | "'?'" | undefined = undefined): string {
  const close = extra === "')'" ? "')', " : '';
  const question = extra === "'?'" ? "'?', " : '';
  return `{'[', '{', '(', ${close}'.', '-', '!', ${question}'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}`;
}

export const LITERAL_WORDS: ReadonlySet<TokenKind> = new Set(['true', 'false', 'null'] as TokenKind[]);

export const STARTS_OPERAND: ReadonlySet<TokenKind> = new Set([
  '[',
  '{',
  '(',
  '.',
  '-',
  '!',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
] as TokenKind[]);

export const FOLLOW: ReadonlySet<TokenKind> = new Set([
  ...RELATIONS.keys(),
  ...SUMS.keys(),
  ...PRODUCTS.keys(),
  '&&',
  '||',
  '?',
  '[',
  '.',
] as TokenKind[]);
export const BINARY: ReadonlySet<TokenKind> = new Set([
  ...RELATIONS.keys(),
  ...SUMS.keys(),
  ...PRODUCTS.keys(),
  '&&',
  '||',
] as TokenKind[]);
