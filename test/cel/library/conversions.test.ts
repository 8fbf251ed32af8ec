import { describe, expect, it } from 'vitest';
import { Double, Duration, Timestamp, Uint } from '#cel/runtime';
import { conversions } from '../../../src/cel/library/conversions.ts';
import { error, rows } from '../../rows.ts';

const run = rows(conversions);
const double = (value: number) => (Number.isInteger(value) ? new Double(value) : value);
const unreadable = (type: string) => error(`type conversion error from 'string' to '${type}'`);

describe('int', () => {
  it.each<readonly [string, number, unknown]>([
    ['truncates toward zero', 1.9, 1],
    ['truncates toward zero from below', -1.9, -1],
    ['the greatest double below 2^63', 2 ** 63 - 1024, 9223372036854774784n],
    ['2^63 is too large', 2 ** 63, error('integer overflow')],
    ['-2^63 is refused too', -(2 ** 63), error('integer overflow')],
    ['NaN has no int', Number.NaN, error('integer overflow')],
    ['infinity has no int', Number.NEGATIVE_INFINITY, error('integer overflow')],
  ])('of a double: %s', (_rule, value, result) => {
    expect(run('double_to_int64', double(value))).toEqual(result);
  });

  it.each<readonly [string, string, unknown]>([
    ['digits', '42', 42],
    ['a plus sign', '+5', 5],
    ['leading zeros', '-007', -7],
    ['the greatest', '9223372036854775807', 9223372036854775807n],
    ['one more', '9223372036854775808', unreadable('int')],
    ['nothing', '', unreadable('int')],
    ['a blank', ' 5', unreadable('int')],
    ['hexadecimal', '0x10', unreadable('int')],
    ['an underscore', '1_000', unreadable('int')],
    ['an exponent', '1e3', unreadable('int')],
    ['digits of other scripts', '١', unreadable('int')],
  ])('of a string: %s', (_rule, text, result) => {
    expect(run('string_to_int64', text)).toEqual(result);
  });

  it('of a timestamp: seconds, rounded down', () => {
    expect(run('timestamp_to_int64', new Timestamp(-500_000_000n))).toBe(-1);
  });

  it('of a duration: nanoseconds', () => {
    expect(run('duration_to_int64', new Duration(90_000_000_000n))).toBe(90_000_000_000);
  });

  it('of a uint: within int64', () => {
    expect(run('uint64_to_int64', new Uint(2n ** 63n))).toEqual(error('integer overflow'));
  });
});

describe('uint', () => {
  it.each<readonly [string, string, unknown, unknown]>([
    ['a negative int', 'int64_to_uint64', -1, error('unsigned integer overflow')],
    ['2^64 as a double', 'double_to_uint64', new Double(2 ** 64), error('unsigned integer overflow')],
    ['a fraction', 'double_to_uint64', 2.9, new Uint(2n)],
    ['a sign in a string', 'string_to_uint64', '+5', unreadable('uint')],
    ['the greatest', 'string_to_uint64', '18446744073709551615', new Uint(2n ** 64n - 1n)],
  ])('%s', (_rule, id, value, result) => {
    expect(run(id, value)).toEqual(result);
  });
});

describe('double of a string', () => {
  it.each<readonly [string, string, unknown]>([
    ['decimal', '-.5e-3', -0.0005],
    ['no digits after the point', '1.', new Double(1)],
    ['hexadecimal', '0x1p-2', 0.25],
    ['hexadecimal, rounded to even', '0x1.00000000000008p0', new Double(1)],
    ['hexadecimal, the least', '0x1p-1074', 5e-324],
    ['hexadecimal, half of the least', '0x1p-1075', new Double(0)],
    ['hexadecimal, too large', '0x1.fffffffffffff8p1023', unreadable('double')],
    ['hexadecimal without exponent', '0x10', unreadable('double')],
    ['underscores between digits', '1_0', new Double(10)],
    ['underscores elsewhere', '1__0', unreadable('double')],
    ['infinity in any case', '-InFinity', Number.NEGATIVE_INFINITY],
    ['NaN', 'nan', Number.NaN],
    ['NaN with a sign', '+nan', unreadable('double')],
    ['overflow', '1e400', unreadable('double')],
    ['underflow', '1e-400', new Double(0)],
    ['a blank', ' 1', unreadable('double')],
  ])('%s', (_rule, text, result) => {
    expect(run('string_to_double', text)).toEqual(result);
  });
});

describe('bool of a string', () => {
  it.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('%s', (text) => expect(run('string_to_bool', text)).toBe(true));
  it.each(['0', 'f', 'F', 'FALSE', 'false', 'False'])('%s', (text) => expect(run('string_to_bool', text)).toBe(false));
  it.each(['', 'tRUE', 'yes'])('not `%s`', (text) => expect(run('string_to_bool', text)).toEqual(unreadable('bool')));
});

describe('string', () => {
  it.each<readonly [number, string]>([
    [1, '1'],
    [-0, '-0'],
    [999999, '999999'],
    [123456.7, '123456.7'],
    [1e6, '1e+06'],
    [2097152, '2.097152e+06'],
    [9007199254740992, '9.007199254740992e+15'],
    [0.0001, '0.0001'],
    [0.0000123, '1.23e-05'],
    [5e-324, '5e-324'],
    [1.5e300, '1.5e+300'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NaN, 'NaN'],
  ])('of the double %d', (value, text) => {
    expect(run('double_to_string', double(value))).toBe(text);
  });

  it.each<readonly [string, bigint, string]>([
    ['whole seconds', 5_400_000_000_000n, '5400s'],
    ['nanoseconds', 1n, '0.000000001s'],
    ['no exponent', 360_000_000_000_000_000n, '360000000s'],
    ['as a double', 123_456_789_123_456_789n, '123456789.12345679s'],
    ['the longest', 9_223_372_036_854_775_807n, '9223372036.854776s'],
  ])('of a duration: %s', (_rule, nanos, text) => {
    expect(run('duration_to_string', new Duration(nanos))).toBe(text);
  });

  it.each<readonly [string, readonly number[]]>([
    ['a lone byte', [0xff]],
    ['a cut code point', [0xc3]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong form', [0xc0, 0x80]],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
  ])('of bytes that are not UTF-8: %s', (_rule, bytes) => {
    const invalid = error('invalid UTF-8 in bytes, cannot convert to string');
    expect(run('bytes_to_string', Uint8Array.from(bytes))).toEqual(invalid);
  });

  it('of bytes and back', () => {
    const bytes = Uint8Array.from([0x61, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80]);
    expect(run('bytes_to_string', bytes)).toBe('aé😀');
    expect(run('string_to_bytes', 'aé😀')).toEqual(bytes);
  });
});

describe('timestamp of an int', () => {
  it.each<readonly [number, unknown]>([
    [-62_135_596_800, new Timestamp(-62_135_596_800_000_000_000n)],
    [-62_135_596_801, error('timestamp overflow')],
    [253_402_300_800, error('timestamp overflow')],
  ])('%d', (seconds, result) => {
    expect(run('int64_to_timestamp', seconds)).toEqual(result);
  });
});

it('duration of an int fails always', () => {
  const refused = error("type conversion error from 'int' to 'google.protobuf.Duration'");
  expect(run('int64_to_duration', 1)).toEqual(refused);
});
