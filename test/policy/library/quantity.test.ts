import { describe, expect, it } from 'vitest';
import { equal, type Value } from '#cel/runtime';
import { type QuantityValue, quantities } from '../../../src/policy/library/quantity.ts';
import { error, outcome, rows } from '../../rows.ts';

const run = rows(quantities);
const quantity = (text: string) => run('string_to_quantity', text) as QuantityValue;
const isInteger = (value: QuantityValue) => run('quantity_is_integer', value);

describe('quantity', () => {
  it.each<readonly [string, string]>([
    ['1000m', '1'],
    ['1024Ki', '1Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['Ki', '0'],
    ['-', '0'],
    ['1.5n', '2n'],
  ])('%s reads as %s', (text, canonical) => {
    expect(String(quantity(text))).toBe(canonical);
  });

  it.each<readonly [string, string]>([
    ['', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1K', "unable to parse quantity's suffix"],
  ])('not `%s`', (text, message) => {
    expect(run('string_to_quantity', text)).toEqual(error(message));
    expect(run('is_quantity_string', text)).toBe(false);
  });

  it('a constant is read once and made anew for each call', () => {
    const row = quantities.overloads.find(({ id }) => id === 'string_to_quantity');
    const make = row?.specialize?.(['1Gi']);
    if (typeof make !== 'function') throw new Error('not specialized');
    expect(String(make('1Gi'))).toBe('1Gi');
    expect(make('1Gi')).not.toBe(make('1Gi'));
  });
});

describe('integers', () => {
  it.each(['50k', '1Ki', '100Gi', '1E', '100000000000000000'])('%s is one', (text) => {
    expect(isInteger(quantity(text))).toBe(true);
  });

  it.each(['1.0', '1000m', '1.5', '1Pi', '1000000000000000000'])('%s is not', (text) => {
    expect(isInteger(quantity(text))).toBe(false);
    expect(run('quantity_get_int', quantity(text))).toEqual(error('cannot convert value to integer'));
  });

  it('a comparison with a long number makes the receiver a decimal for good', () => {
    const five = quantity('5');
    expect(run('quantity_is_less_than', five, quantity('1000000000000000000'))).toBe(true);
    expect(isInteger(five)).toBe(false);
  });

  it('but not the argument', () => {
    const five = quantity('5');
    expect(run('quantity_is_greater_than', quantity('1000000000000000000'), five)).toBe(true);
    expect(isInteger(five)).toBe(true);
  });

  it('and equality makes neither one', () => {
    const five = quantity('5');
    expect(equal(five, quantity('1000000000000000000'))).toBe(false);
    expect(isInteger(five)).toBe(true);
  });
});

describe('equality', () => {
  const sum = run('quantity_add', quantity('50k'), quantity('20k')) as QuantityValue;
  const none = error('no such overload');

  it.each<readonly [string, Value, Value, unknown]>([
    ['by value', quantity('1'), quantity('1000m'), true],
    ['a sum on the left', sum, quantity('70k'), true],
    ['a sum on the right', quantity('70k'), sum, none],
    ['sums on both sides', sum, sum, none],
    ['another type', quantity('1'), 1, none],
    ['null', quantity('1'), null, false],
    ['on the right of another type', 1, quantity('1'), false],
    ['another type within lists', [quantity('1')], [1], true],
  ])('%s', (_rule, left, right, result) => {
    expect(outcome(equal(left, right))).toEqual(result);
  });
});

describe('arithmetic', () => {
  it.each<readonly [string, string, string, string | number, string]>([
    ['the format of the receiver', 'quantity_add', '1Gi', '1Mi', '1025Mi'],
    ['unless that is zero', 'quantity_add', '0', '1000', '1k'],
    ['an int has an exponent', 'quantity_add_int', '0', 1000, '1e3'],
    ['an int takes the format of the receiver', 'quantity_sub_int', '1k', 1, '999'],
    ['down to zero', 'quantity_sub', '5', '5', '0'],
  ])('%s', (_rule, id, left, right, text) => {
    const result = run(id, quantity(left), typeof right === 'string' ? quantity(right) : right);
    expect(String(result)).toBe(text);
  });

  it.each<readonly [string, number]>([
    ['-1', -1],
    ['0', 0],
    ['1m', 1],
  ])('the sign of %s', (text, sign) => expect(run('quantity_sign', quantity(text))).toBe(sign));
});
