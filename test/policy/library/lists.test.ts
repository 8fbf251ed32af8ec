import { describe, expect, it } from 'vitest';
import { Double, Duration, Uint } from '#cel/runtime';
import { lists } from '../../../src/policy/library/lists.ts';
import { error, rows } from '../../rows.ts';

const run = rows(lists);
const none = error('no such overload');

type Row = readonly [rule: string, id: string, args: readonly unknown[], result: unknown];

const TABLE: readonly Row[] = [
  ['not falling', 'list_int_is_sorted_bool', [[1, 1, 2]], true],
  ['falling', 'list_int_is_sorted_bool', [[2, 1]], false],
  ['nothing', 'list_int_is_sorted_bool', [[]], true],
  ['what has no order with its neighbour is in order', 'list_int_is_sorted_bool', [[1, 'a']], true],
  ['what has no order at all', 'list_int_is_sorted_bool', [[1, null]], none],

  ['ints', 'list_int_sum_int', [[1, 2]], 3],
  ['nothing is zero of its type', 'list_double_sum_double', [[]], new Double(0)],
  ['durations', 'list_duration_sum_duration', [[new Duration(1n), new Duration(2n)]], new Duration(3n)],
  ['too much', 'list_int_sum_int', [[9223372036854775807n, 1]], error('integer overflow')],
  [
    'too much, unsigned',
    'list_uint_sum_uint',
    [[new Uint(2n ** 64n - 1n), new Uint(1n)]],
    error('unsigned integer overflow'),
  ],
  ['mixed', 'list_int_sum_int', [[1, 2.5]], none],

  ['the greatest, across number types', 'list_int_max_int', [[1, 2.5, new Uint(0n)]], 2.5],
  ['the least', 'list_int_min_int', [[3, 1, 2]], 1],
  ['nothing', 'list_int_max_int', [[]], error('max called on empty list')],
  ['nothing', 'list_int_min_int', [[]], error('min called on empty list')],
  ['NaN first', 'list_double_max_double', [[Number.NaN, 1.5]], Number.NaN],
  ['NaN last', 'list_double_max_double', [[1.5, Number.NaN]], 1.5],
  ['what has no order with the best is passed over', 'list_int_max_int', [[1, 'a']], 1],
  ['what has no order at all', 'list_int_max_int', [[1, null]], none],

  ['by equality across number types', 'list_a_index_of_int', [['a', 1], new Double(1)], 1],
  ['nowhere', 'list_a_index_of_int', [[1], 2], -1],
  ['from the end', 'list_a_last_index_of_int', [[1, 2, 1], 1], 2],
];

describe('lists', () => {
  it.each(TABLE)('%s: %s', (_rule, id, args, result) => {
    expect(run(id, ...args)).toEqual(result);
  });

  it('an empty list of unknown type sums up to int 0: its row comes first', () => {
    expect(lists.overloads.find(({ name }) => name === 'sum')?.id).toBe('list_int_sum_int');
  });
});
