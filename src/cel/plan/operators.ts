import { codePoints, sizeOf } from '../cost.ts';
import { equal, mapGet, mapSize } from '../equality.ts';
import { formatValue } from '../go-value.ts';
import { cachingRegexpCompiler, compileRegexp, type Regexp } from '../regexp.ts';
import { typeName } from '../type-name.ts';
import {
  CelError,
  CelMap,
  Double,
  Duration,
  heldBy,
  isDouble,
  isInt,
  isMap,
  mapKey,
  Opaque,
  Optional,
  type Result,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../values.ts';
import {
  add,
  type Binary,
  concatText,
  divide,
  greater,
  greaterOrEqual,
  less,
  lessOrEqual,
  modulo,
  multiply,
  subtract,
  unsupported,
} from './arithmetic.ts';
import { type Fields, hasFields, isSafeName } from './attribute.ts';
import { charge, type Frame, NO_OVERLOAD, noOverload, type Step, units } from './frame.ts';

const tenth = (size: number): number => Math.ceil(size * 0.1);

/** What a binary operator means and costs: by the resolved overload, else 1. */
export interface Operator {
  readonly run: Binary;
  readonly cost?: Readonly<Record<string, (a: Result, b: Result) => number>>;
}

const size = (value: Result): number => (value instanceof CelError ? 1 : sizeOf(value));
const compared = (a: Result, b: Result): number => tenth(Math.min(size(a), size(b)));
const joined = (a: Result, b: Result): number => tenth(size(a) + size(b));

function ordered(run: Binary, id: string): Operator {
  return { run, cost: { [`${id}_string`]: compared, [`${id}_bytes`]: compared } };
}

export const BINARY: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['_+_', { run: add, cost: { add_string: joined, add_bytes: joined } }],
  ['_-_', { run: subtract }],
  ['_*_', { run: multiply }],
  ['_/_', { run: divide }],
  ['_%_', { run: modulo }],
  ['_<_', ordered(less, 'less')],
  ['_<=_', ordered(lessOrEqual, 'less_equals')],
  ['_>_', ordered(greater, 'greater')],
  ['_>=_', ordered(greaterOrEqual, 'greater_equals')],
  ['@in', { run: contains, cost: { in_list: (_, list) => size(list) } }],
  [
    'contains',
    { run: text((a, b) => a.includes(b)), cost: { contains_string: (a, b) => tenth(size(a)) * tenth(size(b)) } },
  ],
  ['startsWith', { run: text((a, b) => a.startsWith(b)), cost: { starts_with_string: (a) => tenth(size(a)) } }],
  ['endsWith', { run: text((a, b) => a.endsWith(b)), cost: { ends_with_string: (a) => tenth(size(a)) } }],
]);

function text(test: (a: string, b: string) => boolean): Binary {
  return (a, b) => (typeof a === 'string' && typeof b === 'string' ? test(a, b) : NO_OVERLOAD);
}

function contains(item: Value, aggregate: Value): Result {
  if (Array.isArray(aggregate)) return aggregate.some((element: Value) => equal(item, element) === true);
  if (isMap(aggregate)) return mapGet(aggregate, item) !== undefined;
  return NO_OVERLOAD;
}

function matchCost(subject: Result, patternSize: number): number {
  return tenth(size(subject) + 1) * Math.ceil(patternSize * 0.25);
}

/** Patterns that are no constants are compiled when met; a call keeps the last ones. */
const KEPT_PATTERNS = 16;

/** `matches` for one call. */
export function matchesOperator(): Operator {
  const compile = cachingRegexpCompiler(KEPT_PATTERNS);
  const run: Binary = (subject, pattern) => {
    if (typeof subject !== 'string') return unsupported('matches', subject);
    if (typeof pattern !== 'string') return NO_OVERLOAD;
    const regexp = compile(pattern);
    return 'error' in regexp ? new CelError(regexp.error) : regexp.test(subject);
  };
  return { run, cost: { matches_string: (a, b) => matchCost(a, size(b)) } };
}

/** Both operands are evaluated and the call is charged for, whatever they come to. */
export function binaryStep(operator: Operator, id: string | undefined, left: Step, right: Step): Step {
  const { run } = operator;
  const cost = id === undefined ? undefined : operator.cost?.[id];
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const result = a instanceof CelError ? a : b instanceof CelError ? b : run(a, b);
    charge(frame, cost ? cost(a, b) : 1);
    return result;
  };
}

/** An ordering against a constant int, the commonest of all. */
export function intComparison(name: string, left: Step, constant: number): Step | undefined {
  const operator = BINARY.get(name);
  const test = INT_TESTS[name];
  if (!operator || !test) return undefined;
  return (frame) => {
    const value = left(frame);
    const result =
      typeof value === 'number' && Number.isInteger(value)
        ? test(value, constant)
        : value instanceof CelError
          ? value
          : operator.run(value, constant);
    units(frame, 1);
    return result;
  };
}

const INT_TESTS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '_<_': (a, b) => a < b,
  '_<=_': (a, b) => a <= b,
  '_>_': (a, b) => a > b,
  '_>=_': (a, b) => a >= b,
};

/** `==` and `!=`: an error on the way to an answer is the answer of `==`, and makes `!=` true. */
export function equalityStep(left: Step, right: Step, negated: boolean): Step {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    charge(frame, equalityCost(a, b, negated));
    if (a instanceof CelError) return a;
    if (b instanceof CelError) return b;
    const same = equal(a, b);
    return negated ? same !== true : same;
  };
}

/** Host types cost 1 in `==`, whatever their size. */
function equalityCost(a: Result, b: Result, negated: boolean): number {
  if (!negated && a instanceof Opaque && a.flatEquality) return 1;
  return compared(a, b);
}

/** `==` and `!=` against a constant, without looking further than it takes. */
export function constantEquality(left: Step, constant: string | boolean | number | null, negated: boolean): Step {
  if (typeof constant === 'string') return textEquality(left, constant, negated);
  return (frame) => {
    const value = left(frame);
    if (typeof value === 'boolean' || typeof value === 'number') {
      units(frame, 1);
      return (value === constant) !== negated;
    }
    charge(frame, cheapSize(value, 1, negated));
    return comparedTo(value, constant, negated);
  };
}

function textEquality(left: Step, constant: string, negated: boolean): Step {
  const length = codePoints(constant);
  return (frame) => {
    const value = left(frame);
    charge(frame, cheapSize(value, length, negated));
    return typeof value === 'string' ? (value === constant) !== negated : comparedTo(value, constant, negated);
  };
}

function comparedTo(value: Result, constant: Value, negated: boolean): Result {
  if (value instanceof CelError) return value;
  const same = equal(value, constant);
  return negated ? same !== true : same;
}

/** A chain of string concatenations: sizes add up, so that no intermediate text is ever counted. */
export function concatenation(parts: readonly Step[], constants: readonly (string | undefined)[]): Step {
  const sizes = constants.map((text) => (text === undefined ? undefined : codePoints(text)));
  return (frame) => {
    let result = (parts[0] as Step)(frame);
    let length = sizes[0] ?? size(result);
    for (let index = 1; index < parts.length; index++) {
      const part = (parts[index] as Step)(frame);
      const partLength = sizes[index] ?? size(part);
      charge(frame, tenth(length + partLength));
      if (result instanceof CelError) continue;
      if (typeof result === 'string' && typeof part === 'string') {
        result = concatText(result, part);
        length += partLength;
      } else {
        result = part instanceof CelError ? part : add(result, part);
        length = size(result);
      }
    }
    return result;
  };
}

/** ⌈min(size of value, length) · 0.1⌉; a string is only counted when it could be the shorter one. */
function cheapSize(value: Result, length: number, negated: boolean): number {
  if (value instanceof Opaque && value.flatEquality && !negated) return 1;
  if (typeof value !== 'string') return tenth(Math.min(size(value), length));
  if (value.length >= length * 2) return tenth(length);
  if (length <= 10) return value === '' || length === 0 ? 0 : 1;
  return tenth(Math.min(codePoints(value), length));
}

/** `x in [constants]`: the members are a set, and looking one up is free. */
export function membershipStep(item: Step, members: readonly Value[]): Step | undefined {
  if (!members.every(isSetMember)) return undefined;
  const set = new Set(members.map(mapKey));
  return (frame) => {
    const value = item(frame);
    if (value instanceof CelError) return value;
    return set.has(mapKey(value));
  };
}

function isSetMember(value: Value): boolean {
  return (
    typeof value === 'string' || typeof value === 'boolean' || isInt(value) || isDouble(value) || value instanceof Uint
  );
}

/** `'key' in map` for a constant key that no array and no prototype has: any map or list answers for 1. */
export function constantKeyStep(key: string, aggregate: Step): Step | undefined {
  if (!isSafeName(key)) return undefined;
  return (frame) => {
    const value = aggregate(frame);
    units(frame, 1);
    if (hasFields(value) && !Array.isArray(value)) {
      return value instanceof Uint8Array ? NO_OVERLOAD : (value as Fields)[key] !== undefined;
    }
    return value instanceof CelError ? value : contains(key, value as Value);
  };
}

/** A test of a string against a constant one, whose cost is the target's traversal. */
export function constantTextTest(name: 'startsWith' | 'endsWith', target: Step, constant: string): Step {
  const starts = name === 'startsWith';
  return (frame) => {
    const value = target(frame);
    charge(frame, typeof value === 'string' ? tenth(textSize(frame, value)) : tenth(size(value)));
    if (typeof value === 'string') return starts ? value.startsWith(constant) : value.endsWith(constant);
    return value instanceof CelError ? value : NO_OVERLOAD;
  };
}

/** The size of a string; the last one asked for is remembered, since tests come in rows. */
function textSize(frame: Frame, text: string): number {
  if (frame.text !== text) {
    frame.text = text;
    frame.textSize = codePoints(text);
  }
  return frame.textSize;
}

/** `matches` with a constant pattern: compiled at first use and kept; a failed subject is not charged for. */
export function constantMatch(subject: Step, pattern: string, member: boolean): Step {
  const patternSize = codePoints(pattern);
  let compiled: Regexp | undefined;
  return (frame) => {
    const value = subject(frame);
    if (value instanceof CelError) return value;
    charge(frame, member ? matchCost(value, patternSize) : 1);
    if (typeof value !== 'string') return NO_OVERLOAD;
    if (!compiled) {
      const regexp = compileRegexp(pattern);
      if ('error' in regexp) return new CelError(regexp.error);
      compiled = regexp;
    }
    return compiled.test(value);
  };
}

/** `&&` (absorbing `false`) and `||` (absorbing `true`) over a whole chain: the first fault counts if nothing absorbs. */
export function logicalStep(terms: readonly Step[], absorbing: boolean): Step {
  const [first, second] = terms;
  if (terms.length === 2 && first && second) {
    return (frame) => {
      const a = first(frame);
      if (a === absorbing) return absorbing;
      const b = second(frame);
      if (b === absorbing) return absorbing;
      if (a !== !absorbing) return a instanceof CelError ? a : NO_OVERLOAD;
      return b === !absorbing ? b : b instanceof CelError ? b : NO_OVERLOAD;
    };
  }
  const count = terms.length;
  return (frame) => {
    let failed: CelError | undefined;
    for (let index = 0; index < count; index++) {
      const value = (terms[index] as Step)(frame);
      if (value === absorbing) return absorbing;
      if (value !== !absorbing) failed ??= value instanceof CelError ? value : NO_OVERLOAD;
    }
    return failed ?? !absorbing;
  };
}

/** Functions of one argument that the planner knows; each costs 1. */
export const UNARY: ReadonlyMap<string, (value: Value) => Result> = new Map<string, (value: Value) => Result>([
  ['size', sizeFunction],
  ['type', (value) => new TypeValue(typeName(value))],
  ['dyn', (value) => value],
  ['optional.of', (value) => new Optional(value)],
  ['optional.ofNonZeroValue', (value) => (isZero(value) ? Optional.none : new Optional(value))],
  ['hasValue', onOptional('hasValue', (optional) => optional.value !== undefined)],
  ['value', onOptional('value', dereference)],
  ['first', (value) => end('first', value, 0)],
  ['last', (value) => end('last', value, -1)],
  ['optional.unwrap', (value) => unwrap('optional.unwrap', value)],
  ['unwrapOpt', (value) => unwrap('unwrapOpt', value)],
]);

function sizeFunction(value: Value): Result {
  if (typeof value === 'string') return codePoints(value);
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (isMap(value)) return mapSize(value);
  return value instanceof Timestamp || value instanceof Duration ? NO_OVERLOAD : noOverload('size');
}

function dereference(optional: Optional): Result {
  const held = heldBy(optional);
  return held === undefined ? new CelError('optional.none() dereference') : held;
}

function onOptional(name: string, run: (optional: Optional) => Result): (value: Value) => Result {
  return (value) => (value instanceof Optional ? run(value) : noOverload(`${name}(${typeName(value)})`));
}

function end(name: string, value: Value, at: 0 | -1): Result {
  if (!Array.isArray(value)) return noOverload(`${name}(${typeName(value)})`);
  const element = value.at(at) as Value | undefined;
  return element === undefined ? Optional.none : new Optional(element);
}

function unwrap(name: string, value: Value): Result {
  if (!Array.isArray(value)) return noOverload(`${name}(${typeName(value)})`);
  const items: Value[] = [];
  for (const item of value as readonly Value[]) {
    if (!(item instanceof Optional)) {
      // The signature's guard looks at the first element only.
      if (item === value[0]) return noOverload(`${name}(list)`);
      return new CelError(`value ${item === null ? 0 : formatValue(item)} is not optional`);
    }
    if (item.value !== undefined) items.push(item.value);
  }
  return items;
}

/** Zero values of the language's own types; Unix time zero is not one, the year 1 is. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  if (value instanceof Double) return value.value === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.nanos === ZERO_TIME;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelMap || isMap(value)) return mapSize(value) === 0;
  return value instanceof Opaque && value.isZero?.() === true;
}

/** 0001-01-01T00:00:00Z */
const ZERO_TIME = -62_135_596_800n * 1_000_000_000n;

export function unaryStep(run: (value: Value) => Result, operand: Step): Step {
  return (frame: Frame) => {
    const value = operand(frame);
    units(frame, 1);
    return value instanceof CelError ? value : run(value);
  };
}
