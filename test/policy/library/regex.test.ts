import { describe, expect, it } from 'vitest';
import { CelError } from '#cel/runtime';
import { jsonPatch } from '../../../src/policy/library/json-patch.ts';
import { regex } from '../../../src/policy/library/regex.ts';
import { error, outcome, rows } from '../../rows.ts';

const run = rows(regex);
const row = (id: string) => regex.overloads.find((overload) => overload.id === id);

describe('a pattern that is an argument', () => {
  it.each<readonly [string, readonly unknown[], unknown]>([
    ['string_find_string', ['abc 123', '[0-9]+'], '123'],
    ['string_find_string', ['abc', '[0-9]+'], ''],
    ['string_find_all_string', ['abc 123', '[0-9]*'], ['', '', '', '', '123']],
    ['string_find_all_string_int', ['a1b2', '[0-9]', 1], ['1']],
    ['string_find_all_string_int', ['a1b2', '[0-9]', 0], []],
    ['string_find_string', ['a', '('], error('Illegal regex: error parsing regexp: missing closing ): `(`')],
  ])('%s', (id, args, result) => {
    expect(run(id, ...args)).toEqual(result);
  });
});

describe('a constant pattern', () => {
  it('is compiled beforehand', () => {
    const find = row('string_find_string')?.specialize?.([undefined, 'b+']);
    expect(typeof find === 'function' && find('abbc', 'b+')).toBe('bb');
  });

  it('takes anything, without naming it in the error', () => {
    const find = row('string_find_all_string_int')?.specialize?.([undefined, 'b', undefined]);
    if (typeof find !== 'function') throw new Error('not specialized');
    expect(outcome(find(1, 'b', 1))).toEqual(error('no such overload'));
    expect(outcome(find('b', 'b', 'x'))).toEqual(error('no such overload'));
  });

  it('with a fault is one of the program, without a prefix', () => {
    const fault = new CelError('error parsing regexp: missing closing ): `(`');
    expect(row('string_find_string')?.specialize?.([undefined, '('])).toEqual(fault);
  });
});

it('jsonpatch.escapeKey', () => {
  const runPatch = rows(jsonPatch);
  expect(runPatch('string_jsonpatch_escapeKey_string', 'k8s.io/my~label')).toBe('k8s.io~1my~0label');
});
