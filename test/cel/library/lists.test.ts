import { describe, expect, it } from 'vitest';
import { CelError, Double, Uint, type Value } from '#cel/runtime';
import { sortedIndices } from '../../../src/cel/go-sort.ts';
import { lists } from '../../../src/cel/library/lists.ts';
import { sets } from '../../../src/cel/library/sets.ts';
import { error, rows } from '../../rows.ts';

const run = rows(lists);
const runSets = rows(sets);

type Row = readonly [rule: string, id: string, args: readonly unknown[], result: unknown];

const TABLE: readonly Row[] = [
  ['from, to', 'list_slice', [[1, 2, 3], 1, 3], [2, 3]],
  [
    'negative indexes first',
    'list_slice',
    [[1, 2, 3], -1, 4],
    error('cannot slice(-1, 4), negative indexes not supported'),
  ],
  [
    'then their order',
    'list_slice',
    [[1, 2, 3], 5, 4],
    error('cannot slice(5, 4), start index must be less than or equal to end index'),
  ],
  ['then the length', 'list_slice', [[1, 2, 3], 0, 4], error('cannot slice(0, 4), list is length 3')],

  ['one level', 'list_flatten', [[1, [2, [3]]]], [1, 2, [3]]],
  ['some levels', 'list_flatten_int', [[1, [2, [3, [4]]]], 2], [1, 2, 3, [4]]],
  ['no level', 'list_flatten_int', [[1, [2]], 0], [1, [2]]],
  ['a negative level', 'list_flatten_int', [[1], -1], error('level must be non-negative')],
  ['no list', 'list_flatten', [5], error('no such overload: int.flatten()')],
  ['a map', 'list_flatten_int', [{}, 1], error('no such overload: map(dyn, dyn).flatten(int)')],

  ['up to a number', 'lists_range', [3], [0, 1, 2]],
  ['of a negative number', 'lists_range', [-1], []],
  ['too many to be paid for', 'lists_range', [1_000_000], error('operation cancelled: actual cost limit exceeded')],

  ['back to front', 'list_reverse', [[1, 2]], [2, 1]],
  ['the first of equal ones', 'list_distinct', [[1, new Double(1), new Uint(1n), '1', null, null]], [1, '1', null]],
  ['NaN is never equal', 'list_distinct', [[Number.NaN, Number.NaN]], [Number.NaN, Number.NaN]],

  ['by order', 'list_string_sort', [['b', 'a', '\u{10000}', '\uffff']], ['a', 'b', '\uffff', '\u{10000}']],
  ['of several types', 'list_int_sort', [[1, 'a']], error('list elements must have the same type')],
  ['of int and uint', 'list_int_sort', [[1, new Uint(1n)]], error('list elements must have the same type')],
  ['without an order', 'list_int_sort', [[null]], error('list elements must be comparable')],
  ['NaN stays where it is', 'list_double_sort', [[1.5, Number.NaN, 0.5]], [1.5, Number.NaN, 0.5]],
  [
    'by keys',
    'list_int_sortByAssociatedKeys',
    [
      ['a', 'b', 'c'],
      [3, 1, 2],
    ],
    ['b', 'c', 'a'],
  ],
];

describe('lists', () => {
  it.each(TABLE)('%s: %s', (_rule, id, args, result) => {
    expect(run(id, ...args)).toEqual(result);
  });

  it('is left alone where its cost ends the expression', () => {
    expect(run('list_distinct', new Array(1000).fill('a'))).toEqual(
      error('operation cancelled: actual cost limit exceeded'),
    );
  });
});

describe('sort', () => {
  it('is stable up to twelve elements', () => {
    expect(sortedIndices(12, () => false)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('leaves equal elements where Go does', () => {
    const order = sortedIndices(20, (left, right) => left % 3 < right % 3);
    expect(order).toEqual([9, 18, 15, 3, 12, 0, 6, 10, 7, 4, 13, 16, 1, 19, 8, 5, 11, 14, 2, 17]);
  });

  it.each([13, 50, 51, 257, 1000])('orders %d elements', (length) => {
    const keys = Array.from({ length }, (_, index) => (index * 7919) % 101);
    const sorted = sortedIndices(length, (left, right) => (keys[left] ?? 0) < (keys[right] ?? 0));
    expect(new Set(sorted).size).toBe(length);
    expect(sorted.map((index) => keys[index])).toEqual(keys.toSorted((left, right) => left - right));
  });

  it('falls back to heapsort', () => {
    const length = 3000;
    const sorted = sortedIndices(length, (left, right) => left % 2 < right % 2);
    expect(sorted.map((index) => index % 2)).toEqual(Array.from({ length }, (_, index) => (index < 1500 ? 0 : 1)));
  });
});

describe('costs', () => {
  it.each<readonly [string, string, readonly Value[], Value, number]>([
    ['the result', 'list_slice', [[1, 2, 3], 0, 2], [1, 2], 13],
    ['the number', 'lists_range', [5], [0, 1, 2, 3, 4], 16],
    ['the list by levels', 'list_flatten_int', [[1, [2]], 3], [1, 2], 17],
    ['twice the square', 'list_int_sort', [[3, 1, 2]], [1, 2, 3], 29],
    ['a tenth more for texts', 'list_string_sort', [['b', 'a', 'c']], ['a', 'b', 'c'], 29],
    ['the keys', 'list_int_sortByAssociatedKeys', [['a'], [1, 2]], ['a'], 19],
  ])('%s: %s', (_rule, id, args, result, cost) => {
    expect(lists.overloads.find((row) => row.id === id)?.cost?.(args, result, id)).toBe(cost);
  });

  it('an error has the size 1', () => {
    const slice = lists.overloads.find((row) => row.id === 'list_slice');
    expect(slice?.cost?.([[1], 2, 1], new CelError('cannot'), 'list_slice')).toBe(12);
  });
});

describe('sets', () => {
  it.each<readonly [string, string, readonly [unknown, unknown], unknown]>([
    ['all of them', 'list_sets_contains_list', [[1, 2], [new Double(1)]], true],
    ['not all', 'list_sets_contains_list', [[1], [1, 2]], false],
    ['none of none', 'list_sets_contains_list', [[], []], true],
    ['repetition does not count', 'list_sets_equivalent_list', [[1, 1], [1]], true],
    ['both ways', 'list_sets_equivalent_list', [[1, 2], [1]], false],
    [
      'some',
      'list_sets_intersects_list',
      [
        [1, 2],
        [2, 3],
      ],
      true,
    ],
    ['with nothing', 'list_sets_intersects_list', [[1], []], false],
  ])('%s: %s', (_rule, id, args, result) => {
    expect(runSets(id, ...args)).toBe(result);
  });

  it.each<readonly [string, number]>([
    ['list_sets_contains_list', 7],
    ['list_sets_intersects_list', 7],
    ['list_sets_equivalent_list', 13],
  ])('%s costs the product', (id, cost) => {
    const lengths = [
      [1, 2, 3],
      [1, 2],
    ];
    expect(sets.overloads.find((row) => row.id === id)?.cost?.(lengths, true, id)).toBe(cost);
  });
});
