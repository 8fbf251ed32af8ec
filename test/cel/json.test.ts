import { describe, expect, test } from 'vitest';
import { Double, JsonError, parseJson, stringifyJson } from '#cel/runtime';

describe('parseJson', () => {
  test.each<[text: string, value: unknown]>([
    ['{"a": [1, -2, true, null, "x"]}', { a: [1, -2, true, null, 'x'] }],
    ['9007199254740993', 9007199254740993n],
    ['[-9223372036854775808]', [-9223372036854775808n]],
    ['[9007199254740991]', [9007199254740991]],
    ['[0000000000000000.5]', undefined],
    ['[1.0]', [new Double(1)]],
    ['[1.5]', [1.5]],
    ['[1e2]', [new Double(100)]],
    ['[-0]', [0]],
    ['[18446744073709551616]', [new Double(2 ** 64)]],
    ['"\\ud800x"', '\ufffdx'],
    ['"\\ud83d\\ude00"', '😀'],
    ['{"a": 1, "a": 2}', { a: 2 }],
    ['', undefined],
    ['{"a":1,}', undefined],
    ['{"a" 1}', undefined],
    ['[1 2]', undefined],
    ['{"a": 1.}', undefined],
    ['tru', undefined],
    ['"a\nb"', undefined],
    ['{} {}', undefined],
  ])('%s', (text, value) => {
    if (value === undefined) expect(() => parseJson(text)).toThrow(JsonError);
    else expect(parseJson(text)).toEqual(value);
  });

  test('a key __proto__ is an entry like any other', () => {
    const value = parseJson('{"__proto__": {"polluted": 1}}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('nesting is bounded', () => {
    expect(() => parseJson(`${'['.repeat(20_000)}1.0${']'.repeat(20_000)}`)).toThrow(JsonError);
  });
});

test.each([
  ['{"a":[1,9007199254740993,-5,"x",null,true]}', '{"a":[1,9007199254740993,-5,"x",null,true]}'],
  ['[1.0,1.5,1e21]', '[1,1.5,1e+21]'],
])('stringifyJson writes %s as %s', (text, written) => {
  expect(stringifyJson(parseJson(text))).toBe(written);
});
