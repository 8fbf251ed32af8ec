import { describe, expect, test } from 'vitest';
import { type LabelSelector, labelsOf, parseSelector, selectorMatches } from '#kubernetes';

function matches(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean | string {
  const parsed = parseSelector(selector);
  return 'error' in parsed ? parsed.error : selectorMatches(parsed, labels);
}

const ENV = { env: 'prod' };

describe('matching', () => {
  test.each<[string, LabelSelector, Readonly<Record<string, string>>, boolean]>([
    ['an empty selector matches everything', {}, ENV, true],
    ['matchLabels compare', { matchLabels: { env: 'prod' } }, ENV, true],
    ['matchLabels want the key', { matchLabels: { env: '' } }, {}, false],
    ['all requirements must hold', { matchLabels: { env: 'prod', tier: 'x' } }, ENV, false],
    ['In', { matchExpressions: [{ key: 'env', operator: 'In', values: ['dev', 'prod'] }] }, ENV, true],
    [
      'NotIn holds for absent keys',
      { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['x'] }] },
      ENV,
      true,
    ],
    ['NotIn', { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['prod'] }] }, ENV, false],
    ['Exists', { matchExpressions: [{ key: 'env', operator: 'Exists' }] }, ENV, true],
    ['DoesNotExist', { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] }, ENV, false],
    [
      'keys of the prototype are no labels',
      { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] },
      ENV,
      false,
    ],
  ])('%s', (_name, selector, labels, expected) => {
    expect(matches(selector, labels)).toBe(expected);
  });
});

describe('errors are the API server’s', () => {
  test.each<[LabelSelector, string]>([
    [{ matchExpressions: [{ key: 'a', operator: 'Frob' }] }, '"Frob" is not a valid label selector operator'],
    [
      { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
  ])('%j', (selector, text) => {
    expect(matches(selector, {})).toBe(text);
  });
});

test('labels with a value that is no string vanish, nulls are empty', () => {
  expect(labelsOf({ metadata: { labels: { a: 'b', c: null } } })).toEqual({ a: 'b', c: '' });
  expect(labelsOf({ metadata: { labels: { a: 'b', c: 1 } } })).toEqual({});
  expect(labelsOf({ metadata: null })).toEqual({});
});
