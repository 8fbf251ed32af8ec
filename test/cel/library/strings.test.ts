import { describe, expect, it } from 'vitest';
import { Duration, Optional, Timestamp, Uint } from '#cel/runtime';
import { strings } from '../../../src/cel/library/strings.ts';
import { error, rows } from '../../rows.ts';

const run = rows(strings);
const outOfRange = (index: number) => error(`index out of range: ${index}`);

type Row = readonly [rule: string, id: string, args: readonly unknown[], result: unknown];

const TABLE: readonly Row[] = [
  ['positions count code points', 'string_char_at_int', ['a😀b', 2], 'b'],
  ['the end is an empty string', 'string_char_at_int', ['abc', 3], ''],
  ['beyond the end', 'string_char_at_int', ['abc', 4], outOfRange(4)],
  ['before the start', 'string_char_at_int', ['abc', -1], outOfRange(-1)],

  ['the first place', 'string_index_of_string', ['😀b b', 'b'], 1],
  ['nowhere', 'string_index_of_string', ['abc', 'd'], -1],
  ['an empty needle is at any offset', 'string_index_of_string_int', ['abc', '', 20], 20],
  ['even at a negative one', 'string_index_of_string_int', ['abc', '', -1], -1],
  ['a negative offset', 'string_index_of_string_int', ['abc', 'a', -1], outOfRange(-1)],
  ['an offset at the end finds nothing', 'string_index_of_string_int', ['abc', 'a', 3], -1],

  ['the last place', 'string_last_index_of_string', ['hello mellow', 'ello'], 7],
  ['an empty needle is at the end', 'string_last_index_of_string', ['a😀', ''], 2],
  ['starts no later than the offset', 'string_last_index_of_string_int', ['hello mellow', 'ello', 6], 1],
  ['an offset beyond the end finds nothing', 'string_last_index_of_string_int', ['hello mellow', 'ello', 12], -1],
  ['an empty needle is at the offset', 'string_last_index_of_string_int', ['abc', '', 100], 100],

  ['ASCII only', 'string_lower_ascii', ['TacoCÆt'], 'tacocÆt'],
  ['ASCII only', 'string_upper_ascii', ['tacoCæt'], 'TACOCæT'],

  ['all, by default', 'string_replace_string_string', ['hello', 'l', 'L'], 'heLLo'],
  ['$ means nothing', 'string_replace_string_string', ['abc', 'b', '$&'], 'a$&c'],
  ['an empty needle is at each boundary', 'string_replace_string_string', ['h😀', '', '_'], '_h_😀_'],
  ['no more than the limit', 'string_replace_string_string_int', ['aaa', 'a', 'b', 2], 'bba'],
  ['none', 'string_replace_string_string_int', ['aaa', 'a', 'b', 0], 'aaa'],
  ['all, when negative', 'string_replace_string_string_int', ['aaa', 'a', 'b', -1], 'bbb'],
  ['boundaries within the limit', 'string_replace_string_string_int', ['ab', '', '_', 2], '_a_b'],

  ['code points', 'string_split_string', ['a😀', ''], ['a', '😀']],
  ['nothing by nothing', 'string_split_string', ['', ''], []],
  ['nothing by something', 'string_split_string', ['', ','], ['']],
  ['the last part is the rest', 'string_split_string_int', ['a,b,c', ',', 2], ['a', 'b,c']],
  ['no parts', 'string_split_string_int', ['a,b', ',', 0], []],
  ['all parts', 'string_split_string_int', ['a,b', ',', -1], ['a', 'b']],

  ['to the end', 'string_substring_int', ['a😀b', 1], '😀b'],
  ['from the end', 'string_substring_int', ['abc', 3], ''],
  ['beyond the end', 'string_substring_int', ['abc', 4], outOfRange(4)],
  ['from, to', 'string_substring_int_int', ['a😀bc', 1, 3], '😀b'],
  ['the order first', 'string_substring_int_int', ['abc', 5, 4], error('invalid substring range. start: 5, end: 4')],
  ['then the start', 'string_substring_int_int', ['abc', -1, 9], outOfRange(-1)],
  ['then the end', 'string_substring_int_int', ['abc', 0, 9], outOfRange(9)],

  ['Unicode white space', 'string_trim', ['\u0085\u00a0\u2003 x\t\u3000'], 'x'],
  ['no byte order mark, no zero width space', 'string_trim', ['\ufeffx\u200b'], '\ufeffx\u200b'],
  ['nothing but space', 'string_trim', [' \n '], ''],

  ['strings', 'list_join_string', [['a', 'b'], ', '], 'a, b'],
  ['an int', 'list_join', [['a', 1]], error('join: invalid input: 1')],
  ['a uint', 'list_join', [['a', new Uint(7n)]], error('join: invalid input: 7')],
  ['null', 'list_join', [['a', null]], error('join: invalid input: 0')],
  ['bytes', 'list_join', [['a', Uint8Array.from([97, 98])]], error('join: invalid input: [97 98]')],
  ['a map', 'list_join', [['a', { a: ['x'] }]], error('join: invalid input: {a: [x]}')],
  ['an optional', 'list_join', [['a', new Optional(1)]], error('join: invalid input: optional(1)')],
  ['a duration', 'list_join', [['a', new Duration(90_500_000_000n)]], error('join: invalid input: 1m30.5s')],
  [
    'a timestamp',
    'list_join',
    [['a', new Timestamp(0n, 3600)]],
    error('join: invalid input: 1970-01-01 01:00:00 +0100 +0100'),
  ],

  ['short escapes only', 'strings_quote', ['a"\\\n\u0007\u0001\u007fé'], '"a\\"\\\\\\n\\a\u0001\u007fé"'],
];

describe('strings', () => {
  it.each(TABLE)('%s: %s', (_rule, id, args, result) => {
    expect(run(id, ...args)).toEqual(result);
  });
});
