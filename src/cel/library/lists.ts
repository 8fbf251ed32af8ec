/** cel-go's list extension, third version; its costs are those of the overload, before any rule by name. */
import { sizeOf } from '../cost.ts';
import { compare, equal } from '../equality.ts';
import { sortedIndices } from '../go-sort.ts';
import { Interrupt } from '../interrupt.ts';
import { celGoType, typeName } from '../type-name.ts';
import { CelError, Duration, type Int, isInt, isMap, Timestamp, type Value } from '../values.ts';
import { overCostLimit } from './cost-limit.ts';
import type { CallCost, Library, Overload } from './library.ts';

type List = readonly Value[];

/** A call and the allocation of its list. */
const CALL_AND_LIST = 11;

function slice(list: List, start: Int, end: Int): List | CelError {
  const refuse = (reason: string) => new CelError(`cannot slice(${start}, ${end}), ${reason}`);
  if (start < 0 || end < 0) return refuse('negative indexes not supported');
  if (start > end) return refuse('start index must be less than or equal to end index');
  if (end > list.length) return refuse(`list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function flatten(list: Value, depth?: Value): List | CelError {
  if (!Array.isArray(list) || (depth !== undefined && !isInt(depth))) {
    const target = isMap(list) ? 'map(dyn, dyn)' : typeName(list);
    return new CelError(`no such overload: ${target}.flatten(${depth === undefined ? '' : typeName(depth)})`);
  }
  if (depth !== undefined && depth < 0) return new CelError('level must be non-negative');
  return list.flat(Number(depth ?? 1));
}

function range(count: Int): List | CelError {
  if (count <= 0) return [];
  return overCostLimit(Number(count) + CALL_AND_LIST) ?? Array.from({ length: Number(count) }, (_, index) => index);
}

function distinct(list: List): List | CelError {
  const over = overCostLimit(selfCompareCost(list));
  if (over) return over;
  const kept: Value[] = [];
  for (const value of list) {
    if (!kept.some((other) => equal(value, other) === true)) kept.push(value);
  }
  return kept;
}

/** Whether values of a kind have an order. */
export function isComparable(value: Value): boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return true;
  if (typeof value === 'boolean' || value instanceof Timestamp || value instanceof Duration) return true;
  return COMPARABLE_NAMES.has(typeName(value));
}

const COMPARABLE_NAMES: ReadonlySet<string> = new Set(['uint', 'double', 'bytes']);

function sort(list: List): List | CelError {
  return sortByKeys(list, list);
}

function sortByKeys(list: List, keys: Value): List | CelError {
  if (!Array.isArray(keys)) return new CelError('no such overload');
  if (list.length === 0) return list;
  const [first = null] = keys as List;
  if (!isComparable(first)) return new CelError('list elements must be comparable');
  if (list.length > 1) {
    const type = typeName(first);
    if (keys.some((key: Value) => typeName(key) !== type)) {
      return new CelError('list elements must have the same type');
    }
  }
  const order = sortedIndices(list.length, (left, right) => {
    const sign = compare(keys[left] as Value, keys[right] as Value);
    return typeof sign === 'number' && sign < 0;
  });
  return order.map((index) => list[index] as Value);
}

const outputCost: CallCost = (_args, result) => sizeOf(result instanceof CelError ? undefined : result) + CALL_AND_LIST;

const rangeCost: CallCost = ([count = null]) => (isInt(count) ? Math.max(Number(count), 0) : 1) + CALL_AND_LIST;

/** cel-go: the product is a float64 made a uint64, and a depth that is no int makes the cost tracker panic. */
const flattenCost: CallCost = ([list, depth]) => {
  if (depth === undefined) return sizeOf(list) + CALL_AND_LIST;
  if (!isInt(depth)) throw panicked(`ref.Val is ${celGoType(depth)}, not types.Int`);
  const product = sizeOf(list) * Number(depth);
  return (product > -(2 ** 63) && product < 2 ** 64 ? product : 2 ** 63) + CALL_AND_LIST;
};

function panicked(reason: string): Interrupt {
  return new Interrupt(`internal error: interface conversion: ${reason}`);
}

/** Twice the square of the length, and a tenth more of it for texts. */
function selfCompareCost(list: Value | undefined): number {
  const size = sizeOf(list);
  const first = Array.isArray(list) ? (list as List)[0] : undefined;
  const factor = typeof first === 'string' || first instanceof Uint8Array ? 2.1 : 2;
  return Math.floor(size * size * factor) + CALL_AND_LIST;
}

/** cel-go: what is no list makes the cost tracker panic, which names the first method that it lacks. */
function listCost(list: Value): number {
  if (Array.isArray(list)) return selfCompareCost(list);
  const type = celGoType(list);
  throw panicked(`${type} is not traits.Lister: missing method ${ADDABLE.has(type) ? 'Contains' : 'Add'}`);
}

const ADDABLE: ReadonlySet<string> = new Set(
  'types.Int types.Uint types.Double types.String types.Bytes types.Timestamp types.Duration'.split(' '),
);
const selfCost: CallCost = ([list = null]) => listCost(list);
const sortByCost: CallCost = ([, keys = null]) => listCost(keys);

/** The types whose values have an order, by CEL's name and by the name in overload ids. */
const COMPARABLE_TYPES: readonly (readonly [type: string, idName: string])[] = [
  ['int', 'int'],
  ['uint', 'uint'],
  ['double', 'double'],
  ['bool', 'bool'],
  ['duration', 'google.protobuf.Duration'],
  ['timestamp', 'google.protobuf.Timestamp'],
  ['string', 'string'],
  ['bytes', 'bytes'],
];

const rows: readonly Overload[] = [
  { name: 'slice', id: 'list_slice', signature: 'list<T>.(int, int) -> list<T>', run: slice, cost: outputCost },
  {
    name: 'flatten',
    id: 'list_flatten',
    signature: 'list<list<T>>.() -> list<T>',
    guard: 'none',
    run: flatten,
    cost: flattenCost,
  },
  {
    name: 'flatten',
    id: 'list_flatten_int',
    signature: 'list<dyn>.(int) -> list<dyn>',
    guard: 'none',
    run: flatten,
    cost: flattenCost,
  },
  ...COMPARABLE_TYPES.map(
    ([type, idName]): Overload => ({
      name: 'sort',
      id: `list_${idName}_sort`,
      signature: `list<${type}>.() -> list<${type}>`,
      guard: 'list',
      run: sort,
      cost: selfCost,
    }),
  ),
  ...COMPARABLE_TYPES.map(
    ([type, idName]): Overload => ({
      name: '@sortByAssociatedKeys',
      id: `list_${idName}_sortByAssociatedKeys`,
      signature: `list<T>.(list<${type}>) -> list<T>`,
      guard: 'list',
      run: sortByKeys,
      cost: sortByCost,
    }),
  ),
  { name: 'lists.range', id: 'lists_range', signature: '(int) -> list<int>', run: range, cost: rangeCost },
  {
    name: 'reverse',
    id: 'list_reverse',
    signature: 'list<T>.() -> list<T>',
    run: (list: List) => list.toReversed(),
    cost: outputCost,
  },
  { name: 'distinct', id: 'list_distinct', signature: 'list<T>.() -> list<T>', run: distinct, cost: selfCost },
];

/** cel-go's `ext.Lists(3)`. */
export const lists: Library = { name: 'cel.lib.ext.lists', since: '1.34', overloads: rows, overloadCostsFirst: true };
