/** cel-go's set functions over lists. */
import { sizeOf } from '../cost.ts';
import { equal } from '../equality.ts';
import type { CelError, Value } from '../values.ts';
import { overCostLimit } from './cost-limit.ts';
import type { CallCost, Library } from './library.ts';

type List = readonly Value[];

function includes(list: List, value: Value): boolean {
  return list.some((element) => equal(value, element) === true);
}

function containsAll(list: List, sublist: List): boolean {
  return sublist.every((value) => includes(list, value));
}

function productCost(factor: number): CallCost {
  return ([left, right]) => 1 + factor * sizeOf(left) * sizeOf(right);
}

const once = productCost(1);
const twice = productCost(2);

/** The function, unless its cost ends the expression anyway. */
function bounded(cost: CallCost, run: (left: List, right: List) => boolean) {
  return (left: List, right: List): boolean | CelError =>
    overCostLimit(cost([left, right], null, undefined) ?? 0) ?? run(left, right);
}

/** cel-go's `ext.Sets`. */
export const sets: Library = {
  name: 'cel.lib.ext.sets',
  since: '1.29',
  overloadCostsFirst: true,
  overloads: [
    {
      name: 'sets.contains',
      id: 'list_sets_contains_list',
      signature: '(list<T>, list<T>) -> bool',
      run: bounded(once, containsAll),
      cost: once,
    },
    {
      name: 'sets.equivalent',
      id: 'list_sets_equivalent_list',
      signature: '(list<T>, list<T>) -> bool',
      run: bounded(twice, (left, right) => containsAll(left, right) && containsAll(right, left)),
      cost: twice,
    },
    {
      name: 'sets.intersects',
      id: 'list_sets_intersects_list',
      signature: '(list<T>, list<T>) -> bool',
      run: bounded(once, (left, right) => left.some((value) => includes(right, value))),
      cost: once,
    },
  ],
};
