import { describe, expect, test } from 'vitest';
import { Double, Duration, Timestamp, Uint } from '#cel/runtime';
import { evaluate } from './evaluate.ts';

const OBJECT = `{
  "exact": 9007199254740993, "most": 9223372036854775807, "least": -9223372036854775808, "beyond": 10000000000000000000,
  "whole": 1.0, "exponent": 1e3, "negativeZero": -0.0, "text": "\\u00e9", "nothing": null,
  "list": [1, 2, 3], "map": {"a": 1}, "__proto__": "own", "constructor": "own"
}`;

/** What JavaScript would get wrong, one row each. */
describe('values', () => {
  test.each<[rule: string, expression: string, value: unknown]>([
    ['an integer beyond 2^53 stays itself', 'object.exact', 9007199254740993n],
    ['the largest int is exact', 'object.most', 9223372036854775807n],
    ['the smallest int is exact', 'object.least', -9223372036854775808n],
    ['an integer beyond int64 is a double', 'object.beyond', new Double(1e19)],
    ['1.0 is a double', 'type(object.whole) == double', true],
    ['1e3 is a double', 'type(object.exponent) == double', true],
    ['a double equals the int of its value', 'object.whole == 1', true],
    ['the smallest int can be written', '-9223372036854775808', -9223372036854775808n],
    ['int arithmetic beyond 2^53 is exact', '9007199254740993 + 1', 9007199254740994n],
    ['ints come back to numbers', '9007199254740993 - 9007199254740992', 1],
    ['division truncates toward zero', '-7 / 2', -3],
    ['the remainder has the sign of the dividend', '-7 % 2', -1],
    ['uint is a type of its own', '18446744073709551615u', new Uint(18446744073709551615n)],
    ['equality of int and double goes through double', 'dyn(9007199254740993) == dyn(9007199254740992.0)', true],
    ['order of int and double looks at the bounds', 'dyn(9223372036854775807) < 9223372036854775808.0', false],
    ['NaN is not itself', 'double("NaN") == double("NaN")', false],
    ['NaN is unequal', 'double("NaN") != double("NaN")', true],
    ['-0.0 keeps its sign', 'string(-0.0)', '-0'],
    ['-0.0 equals 0.0', '-0.0 == 0.0', true],
    ['1/0.0 is infinite', 'string(1.0 / 0.0)', '+Inf'],
    ['a surrogate pair is one character', '"😀".size()', 1],
    ['positions count characters', '"😀a".indexOf("a")', 1],
    ['order is by code point', '"\\uFF61" < "😀"', true],
    ['no normalisation', 'object.text == "e\\u0301"', false],
    ['doubles print as in Go', 'string(1e6)', '1e+06'],
    ['small doubles print as in Go', 'string(0.00001)', '1e-05'],
    ['int("+5") is 5', 'int("+5")', 5],
    ['double("0x1p-2") is a quarter', 'double("0x1p-2")', 0.25],
    ['trim keeps U+FEFF', '"\\ufeff a ".trim()', '\ufeff a'],
    ['split by nothing of nothing', '"".split("")', []],
    ['split with a limit keeps the rest', '"a,b,c".split(",", 2)', ['a', 'b,c']],
    ['indexOf of nothing answers the offset', '"abc".indexOf("", 20)', 20],
    ['replace of nothing', '"ab".replace("", "_")', '_a_b_'],
    ['empty matches beside a match are skipped', '"abc 123".findAll("[0-9]*")', ['', '', '', '', '123']],
    ['\\w is ASCII', '"é".matches("^\\\\w$")', false],
    ['$ is the very end', '"a\\n".matches("a$")', false],
    ['hostile patterns are linear', '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("^(a+)+$")', false],
    ['nanoseconds are kept', 'timestamp("2024-01-01T00:00:00.123456789Z")', new Timestamp(1704067200123456789n)],
    ['durations print in seconds', 'string(duration("1h30m"))', '5400s'],
    ['durations are exact', 'duration("1ns") + duration("1s")', new Duration(1000000001n)],
    ['months count from zero', 'timestamp("2024-03-05T00:00:00Z").getMonth()', 2],
    ['numeric keys meet across types', '{1: "a"}[dyn(1u)]', 'a'],
    ['an error is absorbed from the left', '(1 / 0 == 1) || true', true],
    ['an error is absorbed from the right', 'false && (1 / 0 == 1)', false],
    ['a later false hides an error', '[0, 5].all(x, 1 / x > 0)', false],
    ['has() of a null is true', 'has(object.nothing)', true],
    ['an own __proto__ is a key', 'object["__proto__"]', 'own'],
    ['an own constructor is a field', 'object.constructor', 'own'],
    ['macros shadow', '["a"].all(object, object == "a")', true],
    ['an optional chain ends in none', 'object.?missing.deep.hasValue()', false],
    ['a list index may be a double', 'object.list[1.0]', 2],
  ])('%s', (_, expression, value) => {
    const outcome = evaluate(expression, OBJECT);
    expect(outcome.error).toBeUndefined();
    expect(outcome.value).toEqual(value);
  });
});

describe('errors', () => {
  test.each<[rule: string, expression: string, error: string]>([
    ['int overflow', '9223372036854775807 + 1', 'integer overflow'],
    ['negation of the smallest int', '-object.least', 'integer overflow'],
    ['smallest int by -1', 'object.least / -1', 'integer overflow'],
    ['uint underflow', '1u - 2u', 'unsigned integer overflow'],
    ['division by zero', '1 / 0', 'division by zero'],
    ['modulus by zero', '1 % 0', 'modulus by zero'],
    ['NaN has no order', 'double("NaN") < 1.0', 'NaN values cannot be ordered'],
    ['a double has no remainder', 'object.whole % 2', 'no such overload: _%_'],
    ['inherited names are no fields', 'object.toString', 'no such key: toString'],
    ['a field of a list', 'object.list.a', "unsupported index type 'string' in list"],
    ['a field of a null', 'object.nothing.a', 'no such key: a'],
    ['beyond a list', 'object.list[3]', 'index out of bounds: 3'],
    ['before a list', 'object.list[-1]', 'index out of bounds: -1'],
    ['a fraction in a list', 'object.list[dyn(1.5)]', 'unsupported index value 1.5 in list'],
    ['a missing key of a map', 'object.map["b"]', 'no such key: b'],
    ['an operand without order', 'dyn([1]) < 1', 'no such overload: _<_'],
    ['an operand of the wrong type', 'dyn("a") < 1', 'no such overload'],
    ['size of an int', 'size(dyn(1))', 'no such overload: size'],
    ['an error of exists_one', '[0].exists_one(x, 1 / x > 0)', 'division by zero'],
    ['2^63 is no int', 'int(object.beyond)', 'integer overflow'],
    ['iterating a scalar', 'object.exact.all(x, true)', "got 'types.Int', expected iterable type"],
    ['none has no value', 'optional.none().value()', 'optional.none() dereference'],
  ])('%s', (_, expression, error) => {
    expect(evaluate(expression, OBJECT).error).toBe(error);
  });
});
