/** Kubernetes' list functions: one row of a table of types gives the overloads. */
import {
  addValues,
  CelError,
  compare,
  Double,
  Duration,
  equal,
  type Int,
  isComparable,
  type Library,
  type Overload,
  Uint,
  type Value,
} from '#cel/runtime';

type List = readonly Value[];

function noSuchOverload(): CelError {
  return new CelError('no such overload');
}

function isSorted(list: List): boolean | CelError {
  for (let index = 0; index < list.length; index++) {
    const value = list[index] as Value;
    if (!isComparable(value)) return noSuchOverload();
    if (index === 0) continue;
    const order = compare(list[index - 1] as Value, value);
    if (typeof order === 'number' && order > 0) return false;
  }
  return true;
}

function sum(zero: Value): (list: List) => Value | CelError {
  return (list) => {
    let total: Value = zero;
    for (const value of list) {
      const next = addValues(total, value);
      if (next instanceof CelError) return next;
      total = next;
    }
    return total;
  };
}

/** The extreme by `sign`. k8s: an element that has no order with the best one so far does not replace it. */
function extreme(name: string, sign: 1 | -1): (list: List) => Value | CelError {
  return (list) => {
    if (list.length === 0) return new CelError(`${name} called on empty list`);
    let best = list[0] as Value;
    for (const value of list) {
      if (!isComparable(value)) return noSuchOverload();
      const order = compare(best, value);
      if (typeof order === 'number' && order * sign < 0) best = value;
    }
    return best;
  };
}

function indexOf(list: List, item: Value): Int {
  return list.findIndex((element) => equal(element, item) === true);
}

function lastIndexOf(list: List, item: Value): Int {
  return list.findLastIndex((element) => equal(element, item) === true);
}

const COMPARABLE_TYPES = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

/** In this order: an empty list of unknown type sums up to the first zero. */
const ZEROS: readonly (readonly [type: string, zero: Value])[] = [
  ['int', 0],
  ['uint', new Uint(0n)],
  ['double', new Double(0)],
  ['duration', new Duration(0n)],
];

const min = extreme('min', -1);
const max = extreme('max', 1);

const rows: readonly Overload[] = [
  ...COMPARABLE_TYPES.map((type) => ({
    name: 'isSorted',
    id: `list_${type}_is_sorted_bool`,
    signature: `list<${type}>.() -> bool`,
    run: isSorted,
  })),
  ...ZEROS.map(([type, zero]) => ({
    name: 'sum',
    id: `list_${type}_sum_${type}`,
    signature: `list<${type}>.() -> ${type}`,
    run: sum(zero),
  })),
  ...COMPARABLE_TYPES.map((type) => ({
    name: 'max',
    id: `list_${type}_max_${type}`,
    signature: `list<${type}>.() -> ${type}`,
    run: max,
  })),
  ...COMPARABLE_TYPES.map((type) => ({
    name: 'min',
    id: `list_${type}_min_${type}`,
    signature: `list<${type}>.() -> ${type}`,
    run: min,
  })),
  { name: 'indexOf', id: 'list_a_index_of_int', signature: 'list<A>.(A) -> int', run: indexOf },
  { name: 'lastIndexOf', id: 'list_a_last_index_of_int', signature: 'list<A>.(A) -> int', run: lastIndexOf },
];

/** API server: pkg/cel/library/lists.go, its first version. */
export const lists: Library = { name: 'kubernetes.lists', overloads: rows };
