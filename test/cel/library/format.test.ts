import { describe, expect, it } from 'vitest';
import { CelMap, Double, Duration, Optional, Timestamp, TypeValue, Uint, type Value } from '#cel/runtime';
import { formatParts, formatString } from '../../../src/cel/library/format.ts';
import { error, outcome } from '../../rows.ts';

const PRECISION = 'could not parse formatting clause: error while parsing precision:';
const format = (text: string, ...args: readonly Value[]) => outcome(formatString(text, args));
const double = (value: number) => (Number.isInteger(value) ? new Double(value) : value);
const during = (message: string) => error(`error during formatting: ${message}`);

describe('clauses', () => {
  it.each<readonly [string, string, readonly Value[], unknown]>([
    ['percent', '100%%', [], '100%'],
    ['arguments in order', '%s-%d', ['a', 5], 'a-5'],
    ['arguments left over', '%s', ['a', 'b'], 'a'],
    ['too few arguments', '%s %s', ['a'], error('index 1 out of range')],
    ['the argument is looked for first', '%', [], error('index 0 out of range')],
    ['a percent at the end', '%', ['a'], error('unexpected end of string')],
    ['precision at the end', '%.5', ['a'], error(`${PRECISION} could not find end of precision specifier`)],
    [
      'precision without digits',
      '%.a',
      ['a'],
      error(`${PRECISION} error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`),
    ],
    [
      'precision too large',
      '%.99999999999999999999f',
      [1.5],
      error(
        `${PRECISION} error while converting precision to integer: strconv.Atoi: parsing "99999999999999999999": value out of range`,
      ),
    ],
    ['an unknown letter', '%q', ['a'], error('could not parse formatting clause: unrecognized formatting clause "q"')],
    [
      'one byte is looked at',
      '%é',
      ['a'],
      error('could not parse formatting clause: unrecognized formatting clause "Ã"'),
    ],
    ['no width', '%5d', [1], error('could not parse formatting clause: unrecognized formatting clause "5"')],
    [
      'faults come in order',
      '%d %q',
      ['x', 1],
      during('decimal clause can only be used on integers, was given string'),
    ],
  ])('%s', (_rule, text, args, result) => {
    expect(format(text, ...args)).toEqual(result);
  });
});

describe('%s', () => {
  it.each<readonly [string, Value, unknown]>([
    ['a string as it is', 'a"\n', 'a"\n'],
    ['a double as string() has it', new Double(1e20), '1e+20'],
    ['bytes as text', Uint8Array.from([0xc3, 0xa9]), 'é'],
    ['null', null, 'null'],
    ['a type', new TypeValue('int'), 'int'],
    ['a duration', new Duration(90_000_000_000n), '90s'],
    ['a timestamp', new Timestamp(0n, 3600), '1970-01-01T01:00:00+01:00'],
    ['strings in lists are quoted', ['a\u0001\n', 'é\u200b'], '["a\\x01\\n", "é\\u200b"]'],
    ['doubles in lists have six digits', [new Double(1), 2.5], '[1.000000, 2.500000]'],
    ['infinities in lists are quoted', [Number.POSITIVE_INFINITY, Number.NaN], '["+Inf", "NaN"]'],
    ['the rest in lists', [new Duration(1n), Uint8Array.from([97]), null], '[duration("0.000000001s"), b"a", null]'],
    [
      'keys are sorted as text',
      new CelMap([
        [10, 'a'],
        [9, 'b'],
        [1, 'c'],
      ]),
      '{1:"c", 10:"a", 9:"b"}',
    ],
    ['a JSON object', { b: [1], a: true }, '{"a":true, "b":[1]}'],
  ])('%s', (_rule, value, text) => {
    expect(format('%s', value)).toBe(text);
  });

  it.each<readonly [string, Value, string]>([
    [
      'an optional',
      new Optional(1),
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type',
    ],
    ['an optional in a list', [new Optional(1)], 'no formatting function for optional_type'],
    ['a double as key', new CelMap([[1.5, 1]]), 'no formatting function for map key of type double'],
    [
      'bytes that are not UTF-8',
      Uint8Array.from([0xff]),
      'could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
    ],
  ])('not %s', (_rule, value, message) => {
    expect(format('%s', value)).toEqual(during(message));
  });
});

describe('numbers', () => {
  it.each<readonly [string, Value, string]>([
    ['%f', 1234567.891, '1,234,567.891000'],
    ['%.0f', 2.5, '2'],
    ['%.2f', 0.125, '0.12'],
    ['%.2f', 2.675, '2.67'],
    ['%f', new Double(-0), '0.000000'],
    ['%f', -1e-7, '-0.000000'],
    ['%f', new Double(1e22), '10,000,000,000,000,000,000,000.000000'],
    ['%f', Number.NEGATIVE_INFINITY, '-∞'],
    ['%f', 'NaN', 'NaN'],
    ['%.30f', 0.1, '0.100000000000000005551115123126'],
    ['%e', 1234.5, '1.234500×10⁰³'],
    ['%.2e', 1234.5, '1.234500×10⁰³'],
    ['%.15e', new Double(1), '  1.000000×10⁰⁰'],
    ['%e', Number.NaN, '   NaN'],
    ['%e', new Double(10000005), '1.000000×10⁰⁷'],
    ['%e', 5e-324, '4.940656×10⁻³²⁴'],
    ['%b', -5, '-101'],
    ['%b', true, '1'],
    ['%x', -255, '-ff'],
    ['%X', new Uint(255n), 'FF'],
    ['%x', 'é', 'c3a9'],
    ['%o', -9, '-11'],
    ['%d', -9223372036854775808n, '-9223372036854775808'],
  ])('%s of %s', (clause, value, text) => {
    expect(format(clause, value)).toBe(text);
  });

  it.each<readonly [string, Value, string]>([
    ['%d', 1.5, 'decimal clause can only be used on integers, was given double'],
    ['%o', true, 'octal clause can only be used on integers, was given bool'],
    ['%b', 'a', 'only integers and bools can be formatted as binary, was given string'],
    ['%x', true, 'only integers, byte buffers, and strings can be formatted as hex, was given bool'],
    ['%f', 1, 'fixed-point clause can only be used on doubles, was given int'],
    ['%e', 'abc', 'scientific clause can only be used on doubles, was given string'],
  ])('%s not of %s', (clause, value, message) => {
    expect(format(clause, value)).toEqual(during(message));
  });

  it('rounds a tie to even exactly where the double is one', () => {
    expect([0.5, 1.5, 2.5, 3.5].map((value) => format('%.0f', double(value)))).toEqual(['0', '2', '2', '4']);
  });
});

it('formatParts gives the clauses of a literal', () => {
  expect([...formatParts('a%.2f%%%s', 2)]).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'clause', verb: 'f', index: 0, precision: 2 },
    { kind: 'text', text: '%' },
    { kind: 'clause', verb: 's', index: 1, precision: undefined },
  ]);
});
