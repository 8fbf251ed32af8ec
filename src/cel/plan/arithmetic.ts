import { compare } from '../equality.ts';
import { addDurations, addToTimestamp, subtractDurations, subtractFromTimestamp, subtractTimestamps } from '../time.ts';
import { typeName } from '../type-name.ts';
import {
  CelError,
  checkedInt,
  Double,
  Duration,
  double,
  type Int,
  isDouble,
  isInt,
  MAX_UINT64,
  type Result,
  Timestamp,
  Uint,
  type Value,
} from '../values.ts';
import { checkListSize, checkStringSize, NO_OVERLOAD, noOverload } from './frame.ts';

/**
 * Operators on values. Each is a table by the left operand's type; what lacks the operator altogether answers with the
 * operator's name, what has it but not for that right operand without.
 */
export type Binary = (a: Value, b: Value) => Result;

const DIVISION_BY_ZERO = new CelError('division by zero');
const MODULUS_BY_ZERO = new CelError('modulus by zero');
const UINT_OVERFLOW = new CelError('unsigned integer overflow');

function checkedUint(value: bigint): Uint | CelError {
  return value < 0n || value > MAX_UINT64 ? UINT_OVERFLOW : new Uint(value);
}

function real(value: number | Double): number {
  return value instanceof Double ? value.value : value;
}

/** Strings, timestamps and durations take any operator's name as a method, so their error has no name. */
export function unsupported(name: string, value: Value): CelError {
  const receives = typeof value === 'string' || value instanceof Timestamp || value instanceof Duration;
  return receives ? NO_OVERLOAD : noOverload(name);
}

interface Arithmetic {
  readonly name: string;
  readonly small?: (a: number, b: number) => number;
  readonly int?: (a: bigint, b: bigint) => Int | CelError;
  readonly uint?: (a: bigint, b: bigint) => Result;
  readonly double?: (a: number, b: number) => number;
  /** Other left operands; `undefined` when the type lacks the operator. */
  readonly other?: (a: Value, b: Value) => Result | undefined;
}

function arithmetic(table: Arithmetic): Binary {
  const { name, small, int, uint, double: onDoubles, other } = table;
  return (a, b) => {
    if (small && typeof a === 'number' && typeof b === 'number' && Number.isInteger(a) && Number.isInteger(b)) {
      const result = small(a, b);
      if (Number.isSafeInteger(result)) return result === 0 ? 0 : result;
    }
    if (int && isInt(a)) return isInt(b) ? int(BigInt(a), BigInt(b)) : NO_OVERLOAD;
    if (onDoubles && isDouble(a)) return isDouble(b) ? double(onDoubles(real(a), real(b))) : NO_OVERLOAD;
    if (uint && a instanceof Uint) return b instanceof Uint ? uint(a.value, b.value) : NO_OVERLOAD;
    return other?.(a, b) ?? unsupported(name, a);
  };
}

export const add: Binary = arithmetic({
  name: '_+_',
  small: (a, b) => a + b,
  int: (a, b) => checkedInt(a + b),
  uint: (a, b) => checkedUint(a + b),
  double: (a, b) => a + b,
  other: (a, b) => {
    if (typeof a === 'string') return typeof b === 'string' ? concatText(a, b) : NO_OVERLOAD;
    if (Array.isArray(a)) return Array.isArray(b) ? concatLists(a, b) : NO_OVERLOAD;
    if (a instanceof Uint8Array) return b instanceof Uint8Array ? concatBytes(a, b) : NO_OVERLOAD;
    if (a instanceof Timestamp) return b instanceof Duration ? addToTimestamp(a, b) : NO_OVERLOAD;
    if (!(a instanceof Duration)) return undefined;
    if (b instanceof Duration) return addDurations(a, b);
    return b instanceof Timestamp ? addToTimestamp(b, a) : NO_OVERLOAD;
  },
});

/** Two strings in a row; far too long a result ends the evaluation. */
export function concatText(a: string, b: string): string {
  checkStringSize(a.length + b.length);
  return a + b;
}

/** With an empty list the other is the result itself, and stays what it is outside CEL. */
function concatLists(a: readonly Value[], b: readonly Value[]): readonly Value[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  checkListSize(a.length + b.length);
  return a.concat(b);
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  checkStringSize(a.length + b.length);
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

export const subtract: Binary = arithmetic({
  name: '_-_',
  small: (a, b) => a - b,
  int: (a, b) => checkedInt(a - b),
  uint: (a, b) => checkedUint(a - b),
  double: (a, b) => a - b,
  other: (a, b) => {
    if (a instanceof Duration) return b instanceof Duration ? subtractDurations(a, b) : NO_OVERLOAD;
    if (!(a instanceof Timestamp)) return undefined;
    if (b instanceof Timestamp) return subtractTimestamps(a, b);
    return b instanceof Duration ? subtractFromTimestamp(a, b) : NO_OVERLOAD;
  },
});

export const multiply: Binary = arithmetic({
  name: '_*_',
  small: (a, b) => a * b,
  int: (a, b) => checkedInt(a * b),
  uint: (a, b) => checkedUint(a * b),
  double: (a, b) => a * b,
});

export const divide: Binary = arithmetic({
  name: '_/_',
  int: (a, b) => (b === 0n ? DIVISION_BY_ZERO : checkedInt(a / b)),
  uint: (a, b) => (b === 0n ? DIVISION_BY_ZERO : new Uint(a / b)),
  double: (a, b) => a / b,
});

export const modulo: Binary = arithmetic({
  name: '_%_',
  int: (a, b) => {
    if (b === 0n) return MODULUS_BY_ZERO;
    // The smallest int has no counterpart, so its division by -1 overflows before there is a remainder.
    const quotient = checkedInt(a / b);
    return quotient instanceof CelError ? quotient : checkedInt(a % b);
  },
  uint: (a, b) => (b === 0n ? MODULUS_BY_ZERO : new Uint(a % b)),
});

/** `-x`; booleans have a negation of their own and are refused here. */
export function negate(value: Value): Result {
  if (isInt(value)) return checkedInt(-BigInt(value));
  if (isDouble(value)) return double(-real(value));
  if (value instanceof Duration) return subtractDurations(new Duration(0n), value);
  return typeof value === 'boolean' ? NO_OVERLOAD : unsupported('-_', value);
}

/** `!x`. */
export function not(value: Value): Result {
  if (typeof value === 'boolean') return !value;
  return NO_OVERLOAD;
}

const ORDERED: ReadonlySet<string> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);

function ordering(name: string, holds: (order: number) => boolean): Binary {
  return (a, b) => {
    const order = compare(a, b);
    if (!(order instanceof CelError)) return holds(order);
    return ORDERED.has(typeName(a)) ? order : noOverload(name);
  };
}

export const less: Binary = ordering('_<_', (order) => order < 0);
export const lessOrEqual: Binary = ordering('_<=_', (order) => order <= 0);
export const greater: Binary = ordering('_>_', (order) => order > 0);
export const greaterOrEqual: Binary = ordering('_>=_', (order) => order >= 0);
