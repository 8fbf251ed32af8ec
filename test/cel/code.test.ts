import { describe, expect, test } from 'vitest';
import { parse, unparse } from '#cel';
import { shape } from '../fuzz/cel.ts';
import { codeOf, planned } from './evaluate.ts';

describe('stored code', () => {
  test('is plain JSON', () => {
    const code = codeOf('object.l.all(x, x.n > 1u && x.t == b"a" && x.d == 1.0 && x.i < 9223372036854775807)');
    expect(JSON.parse(JSON.stringify(code))).toEqual(code);
  });

  /** A bundle's author is not trusted. */
  test.each<[what: string, code: unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'true'],
    ['an object', { version: 1 }],
    ['another version', [2, [0, true]]],
    ['no tree', [1]],
    ['an unknown operation', [1, [99, 1]]],
    ['a name that is not declared', [1, [1, 'process']]],
    ['an inherited name', [1, [1, 'constructor']]],
    ['a function that is not there', [1, [4, 'eval', 0, [0, 'x']]]],
    ['an inherited function name', [1, [4, 'toString', 0, [0, 'x']]]],
    ['an overload that is not there', [1, [4, 'int', 'nope', [1, 'object']]]],
    ['a call without arguments', [1, [4, '_[_]', 0]]],
    ['a field that is no text', [1, [2, [1, 'object'], 5]]],
    ['an int out of range', [1, [0, ['i', '9223372036854775808']]]],
    ['an int that is no number', [1, [0, ['i', '1e9']]]],
    ['bytes that are no numbers', [1, [0, ['b', ['x']]]]],
    ['a map with half an entry', [1, [7, [[0, 'a']]]]],
    ['optional indexes that are no numbers', [1, [6, [[0, 1]], ['0']]]],
    ['a fold without parts', [1, [9, [0, 1]]]],
    ['an insertion outside of a fold', [1, [4, 'cel.@mapInsert', 0, [7, []], [0, 'a'], [0, 1]]]],
    ['endless nesting', [1, nested(5_000)]],
  ])('refuses %s', (_, code) => {
    expect(planned(code)).toMatchObject({ error: expect.stringMatching(/\S/) });
  });
});

function nested(depth: number): unknown {
  let code: unknown = [0, true];
  for (let level = 0; level < depth; level++) code = [4, '!_', 0, code];
  return code;
}

describe('unparse', () => {
  test.each([
    ['a.b.c[0].d(1, "x")', 'a.b.c[0].d(1, "x")'],
    ['a.?b[?"c"].orValue( 1 )', 'a.?b[?"c"].orValue(1)'],
    ['( a + b ) * c - d', '(a + b) * c - d'],
    ['a - (b - c)', 'a - (b - c)'],
    ['a&&b||c&&d', 'a && b || c && d'],
    ['a && (b || c)', 'a && (b || c)'],
    ['x ? y : (z ? 1 : 2)', 'x ? y : z ? 1 : 2'],
    ['(x ? y : z) ? 1 : 2', '(x ? y : z) ? 1 : 2'],
    ['has(a.b) && l.all(x, x > -1)', 'has(a.b) && l.all(x, x > -1)'],
    ['-(5)', '-(5)'],
    ['!(a == b)', '!(a == b)'],
    ['- -x', 'x'],
    ['-(-x)', '-(-x)'],
    ["{'a': 1, ?'b': x}", '{"a": 1, ?"b": x}'],
    ['Object{spec: Object.spec{?a: b}}', 'Object{spec: Object.spec{?a: b}}'],
    ["b'\\xff' + b'a'", 'b"\\xff" + b"a"'],
    ['1.0 + 1e21 + .5', '1.0 + 1e21 + 0.5'],
    ['7u in [1u]', '7u in [1u]'],
    ["'a\"b\\n'", '"a\\"b\\n"'],
  ])('%s', (source, text) => {
    const first = parse(source);
    if ('issues' in first) throw new Error('does not parse');
    expect(unparse(first.parsed)).toBe(text);
    const again = parse(text);
    if ('issues' in again) throw new Error('does not parse again');
    expect(shape(again.parsed.expr)).toBe(shape(first.parsed.expr));
  });
});
