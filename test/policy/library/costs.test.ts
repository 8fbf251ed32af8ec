import { describe, expect, it } from 'vitest';
import { CelError, CelMap, type Value } from '#cel/runtime';
import { parsePrefix } from '../../../src/policy/library/address.ts';
import { CidrValue } from '../../../src/policy/library/cidr.ts';
import { kubernetesCosts } from '../../../src/policy/library/costs.ts';
import { FormatValue } from '../../../src/policy/library/formats.ts';
import { IpValue } from '../../../src/policy/library/ip.ts';
import { NAMED_FORMATS } from '../../../src/policy/library/named-formats.ts';

const cost = (name: string, args: readonly Value[], result: Value | CelError = true, overload?: string) =>
  kubernetesCosts[name]?.(args, result, overload);

function cidr(text: string): CidrValue {
  const prefix = parsePrefix(text);
  if ('error' in prefix) throw new Error(prefix.error);
  return new CidrValue(prefix);
}

function ip(): IpValue {
  return new IpValue({ bytes: new Array(16).fill(0), zone: '' });
}

const uuid = NAMED_FORMATS.get('uuid');

describe('kubernetesCosts', () => {
  it.each<readonly [string, string, readonly Value[], number]>([
    ['a check', 'check', [], 350_000],
    ['a selector', 'fieldSelector', [null, 'a'.repeat(20)], 512],
    ['a list of ints', 'sum', [[1, 2, 3]], 3],
    ['short strings are free', 'indexOf', [['a', 'b']], 0],
    ['bytes are counted, rounded down', 'indexOf', ['é'.repeat(10)], 2],
    [
      'maps within lists',
      'indexOf',
      [
        [
          new CelMap([
            ['k', 1],
            ['l', 'm'],
          ]),
        ],
      ],
      1,
    ],
    ['code points are counted, rounded up', 'trim', ['é'.repeat(11)], 2],
    ['two traversals', 'split', ['a'.repeat(11)], 3],
    ['a search', 'find', ['a'.repeat(11), '[0-9]+'], 4],
    ['a search in nothing', 'findAll', ['', 'a'.repeat(9)], 3],
    ['an address', 'isIP', ['1.2.3.4'], 1],
    ['a canonical address', 'ip.isCanonical', ['1.2.3.4'], 2],
    ['a network without bits', 'containsIP', [cidr('0.0.0.0/0'), '1.2.3.4'], 0],
    ['a network', 'containsIP', [cidr('::/128'), '::'], 4],
    ['a network in a network', 'containsCIDR', [cidr('::/128'), cidr('::/128')], 7],
    ['equality of an address', '_==_', [ip(), ip()], 1],
  ])('%s', (_rule, name, args, expected) => {
    expect(cost(name, args)).toBe(expected);
  });

  it('the result, for join', () => {
    expect(cost('join', [['a', 'b']], 'a'.repeat(11))).toBe(3);
    expect(cost('join', [['a', 1]], new CelError('join: invalid input: 1'))).toBe(1);
  });

  it('a text is read only where the overload is known', () => {
    const args = [cidr('::/128'), 'a'.repeat(20)];
    expect(cost('containsIP', args, true, 'cidr_contains_ip_string')).toBe(6);
    expect(cost('containsCIDR', args, true, 'cidr_contains_cidr_string')).toBe(9);
    expect(cost('ip', [cidr('::/128')], true, 'cidr_ip')).toBe(1);
    expect(cost('ip', [cidr('::/128')])).toBe(2);
  });

  it('a validation, by the length of the pattern', () => {
    expect(uuid && cost('validate', [new FormatValue(uuid), 'a'.repeat(10)])).toBe(36);
    expect(cost('validate', [1, 'a'])).toBeUndefined();
  });

  it('equality of other values has no rule here', () => {
    expect(cost('_==_', ['a', ip()])).toBeUndefined();
  });

  it('every rule is of an own name', () => {
    expect(Object.hasOwn(kubernetesCosts, 'constructor')).toBe(false);
  });
});
