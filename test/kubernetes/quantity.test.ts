import { describe, expect, test } from 'vitest';
import {
  add,
  approximate,
  asInteger,
  canonical,
  compare,
  isInteger,
  parseQuantity,
  promote,
  type Quantity,
  quantityOf,
  sign,
  sub,
} from '../../src/kubernetes/quantity.ts';

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if ('error' in parsed) throw new Error(`${text}: ${parsed.error}`);
  return parsed;
}

const FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX = "unable to parse quantity's suffix";
const NUMERIC = 'unable to parse numeric part of quantity';

describe('a text that is no quantity says why', () => {
  test.each([
    ['', FORMAT],
    [' 1', FORMAT],
    ['1 ', FORMAT],
    ['1_0', FORMAT],
    ['1KiB', FORMAT],
    ['1..2', FORMAT],
    ['--1', SUFFIX],
    ['1M1', SUFFIX],
    ['1K', SUFFIX],
    ['1e', SUFFIX],
    ['1ee3', SUFFIX],
    ['1e9223372036854775808', SUFFIX],
    ['1e2147483648', SUFFIX],
    ['1e99999999', SUFFIX],
    ['.Pi', NUMERIC],
    ['Ei', NUMERIC],
  ])('%j', (text, error) => {
    expect(parseQuantity(text)).toEqual({ error });
  });
});

describe('the written text', () => {
  test.each([
    ['0', '0'],
    ['-', '0'],
    ['.', '0'],
    ['Ki', '0'],
    ['-0', '0'],
    ['1.', '1.'],
    ['1.G', '1.G'],
    ['1000m', '1'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['1024Ki', '1Mi'],
    ['1025Ki', '1025Ki'],
    ['1500Mi', '1500Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['1.1Ki', '1126400m'],
    ['0.1', '100m'],
    ['1.5G', '1500M'],
    ['1.500', '1.500'],
    ['+5', '+5'],
    ['001', '001'],
    ['1e1', '10'],
    ['1e3', '1e3'],
    ['1e19', '10e18'],
    ['1e4294967299', '1e4294967299'],
    ['100000k', '100M'],
    ['1000E', '1'],
    ['8Ei', '9223372036854775807'],
    ['-9Ei', '-9223372036854775807'],
    ['1.5n', '2n'],
    ['-0.5n', '-1n'],
    ['1e-10', '1e-9'],
    ['1e-900000', '1e-9'],
    ['1.5m', '1500u'],
    ['0.0001Ki', '102400u'],
  ])('%s is written %s', (text, expected) => {
    expect(canonical(quantity(text))).toBe(expected);
  });
});

describe('form decides what is an integer', () => {
  test.each([
    ['50k', 50_000n],
    ['1Ti', 2n ** 40n],
    ['1E', 10n ** 18n],
    ['100000000000000000', 10n ** 17n],
    ['0e5', 0n],
    ['1.0', undefined],
    ['1000m', undefined],
    ['1.5Ki', undefined],
    ['1Pi', undefined],
    ['1000000000000000000', undefined],
    ['10E', undefined],
  ])('%s', (text, expected) => {
    expect(asInteger(quantity(text))).toBe(expected);
    expect(isInteger(quantity(text))).toBe(expected !== undefined);
  });

  test('a promoted quantity is the same number and no integer', () => {
    const promoted = promote(quantity('5'));
    expect(compare(promoted, quantity('5'))).toBe(0);
    expect(isInteger(promoted)).toBe(false);
  });
});

describe('arithmetic is exact and keeps the format of the first unless that is zero', () => {
  test.each([
    ['1Gi', '+', '1G', '2073741824'],
    ['1Gi', '+', '1Mi', '1025Mi'],
    ['1m', '+', '1', '1001m'],
    ['0', '+', '1Ki', '1Ki'],
    ['1.500', '+', '0', '1500m'],
    ['1Ki', '-', '1Ki', '0'],
    ['0', '-', '2Ki', '-2Ki'],
    ['900000000000000000', '+', '9E', '9900P'],
    ['8Ei', '+', '1', '8Ei'],
  ])('%s %s %s = %s', (a, operator, b, expected) => {
    const result = operator === '+' ? add(quantity(a), quantity(b)) : sub(quantity(a), quantity(b));
    expect(canonical(result)).toBe(expected);
  });

  test('a sum beyond int64 is no integer', () => {
    expect(isInteger(add(quantity('9E'), quantity('9E')))).toBe(false);
    expect(isInteger(add(quantity('1E'), quantityOf(1n)))).toBe(true);
  });
});

describe('order is by number', () => {
  test.each([
    ['1', '1000m', 0],
    ['1Gi', '1G', 1],
    ['-1', '0', -1],
    ['-2k', '-1999', -1],
    ['1e1000000', '1e999999', 1],
    ['-1e1000000', '-1e999999', -1],
    ['0', '-0e5', 0],
  ])('%s and %s: %i', (a, b, expected) => {
    expect(compare(quantity(a), quantity(b))).toBe(expected);
    expect(compare(quantity(b), quantity(a))).toBe(0 - expected);
  });

  test.each([
    ['-3k', -1],
    ['0.0', 0],
    ['1n', 1],
  ])('the sign of %s is %i', (text, expected) => {
    expect(sign(quantity(text))).toBe(expected);
  });
});

describe('the nearest double comes from one multiplication', () => {
  test.each([
    ['0.1', 0.1],
    ['1Ki', 1024],
    ['9999999999999999999999999999999999999G', 1.0000000000000001e46],
    ['1e400', Number.POSITIVE_INFINITY],
  ])('%s', (text, expected) => {
    expect(approximate(quantity(text))).toBe(expected);
  });
});

test('a long hostile text is read in one pass', () => {
  expect(parseQuantity(`${'0'.repeat(200_000)}x`)).toEqual({ error: FORMAT });
});
