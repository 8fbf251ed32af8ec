import { describe, expect, test } from 'vitest';
import { evaluate } from './evaluate.ts';

const LIMIT = 'operation cancelled: actual cost limit exceeded';
const items = (count: number): string => `{"l": [${Array(count).fill('"abcdefghij"').join(',')}]}`;

/** However a policy is written, an evaluation ends: by its cost, or by the bounds on work that costs nothing. */
describe('bounded work', () => {
  test.each<[rule: string, expression: string, object: string, error: string | undefined]>([
    ['nested loops over 10,000 items', 'object.l.all(a, object.l.all(b, a == b))', items(10_000), LIMIT],
    [
      'loops whose turns cost nothing',
      'object.l.exists_one(a, object.l.exists_one(b, false))',
      items(10_000),
      'operation interrupted',
    ],
    ['a hostile pattern on a long text', `"${'a'.repeat(50_000)}!".matches("^(a|a)*(a|a)*$")`, 'null', undefined],
    ['doubling a string', doubling('object.l[0]', 40), items(1), 'operation cancelled: value too large'],
    ['doubling a list', doubling('object.l', 40), items(10), 'operation cancelled: value too large'],
    [
      'a quantity with a huge exponent',
      'quantity("1e1000000").isGreaterThan(quantity("1e-1000000"))',
      'null',
      undefined,
    ],
    ['a range of everything', 'lists.range(9223372036854775807).size() > 0', 'null', LIMIT],
  ])('%s', (_, expression, object, error) => {
    const outcome = evaluate(expression, object);
    if (error === undefined) expect(outcome.error ?? '').not.toBe('throws');
    else expect(outcome.error).toBe(error);
  });

  test('an exceeded budget is reported with the cost at which the API server stops', () => {
    expect(evaluate('object.l.all(a, true)', items(1_000), 100)).toMatchObject({ error: LIMIT, cost: 101 });
  });
});

/** `x` doubled that many times, each time by one operator of cost 1. */
function doubling(expression: string, times: number): string {
  return Array.from({ length: times }).reduce<string>((inner) => `[${inner}].map(x, x + x)[0]`, expression);
}
