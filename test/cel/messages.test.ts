import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileIn, environment } from '../../src/policy/compile/expression.ts';
import { SLOTS } from '../../src/policy/environment.ts';

interface Row {
  readonly expr: string;
  readonly error: string;
}

const rows = (name: string): Row[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const ENV = environment('applyConfiguration', { params: true, variables: [] });

/** The texts are what the API server's own compiler printed for these expressions. */
describe.each(['syntax-errors.jsonl', 'check-errors.jsonl'])('%s', (name) => {
  test.each(rows(name))('$expr', ({ expr, error }) => {
    const compiled = compileIn(ENV, expr, [], SLOTS);
    expect(compiled.ok ? 'compiles' : compiled.error).toBe(error);
  });
});

describe('limits of the parser', () => {
  const error = (expr: string): string => {
    const compiled = compileIn(ENV, expr, [], SLOTS);
    return compiled.ok ? 'compiles' : compiled.error;
  };
  test.each([
    ['249 nested parentheses', `${'('.repeat(249)}1${')'.repeat(249)}`, 'compiles'],
    [
      '250 nested parentheses',
      `${'('.repeat(250)}1${')'.repeat(250)}`,
      'compilation failed: ERROR: <input>:-1:0: expression recursion limit exceeded: 250',
    ],
    ['250 operators in a row', Array(251).fill('1').join(' + '), 'compiles'],
    [
      '251 operators in a row',
      Array(252).fill('1').join(' + '),
      'compilation failed: ERROR: <input>:-1:0: max recursion depth exceeded',
    ],
    ['250 selections', `object${'.a'.repeat(250)}`, 'compiles'],
    [
      '251 selections',
      `object${'.a'.repeat(251)}`,
      'compilation failed: ERROR: <input>:-1:0: max recursion depth exceeded',
    ],
    ['125 nested loops', nestedLoops(125), 'compiles'],
    ['249 nested lists', `${'['.repeat(249)}1${']'.repeat(249)}`, 'compiles'],
    ['1000 terms of a chain', Array(1000).fill('true').join(' && '), 'compiles'],
    [
      'more than 100,000 code points',
      `"${'a'.repeat(99_999)}"`,
      'compilation failed: ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000',
    ],
  ])('%s', (_, expr, expected) => {
    expect(error(expr)).toBe(expected);
  });
});

function nestedLoops(depth: number): string {
  return Array.from({ length: depth }).reduce<string>((inner, _, index) => `[1].all(x${index}, ${inner})`, 'true');
}
