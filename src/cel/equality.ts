import {
  CelError,
  CelMap,
  Double,
  Duration,
  isJsonMap,
  type JsonMap,
  Opaque,
  Optional,
  ownProperty,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts';

/**
 * CEL's `==`: values of different kinds are unequal, numbers meet across int, uint and double, and host types may
 * answer with an error. Inside lists and maps an erring comparison counts as equal, as cel-go has it.
 */
export function equal(a: Value, b: Value): boolean | CelError {
  if (a === b && (typeof a !== 'object' || a === null)) return true;
  switch (typeof a) {
    case 'string':
    case 'boolean':
      return false;
    case 'number':
    case 'bigint':
      return isNumeric(b) && numbersEqual(a, b);
    default:
      return objectsEqual(a, b);
  }
}

type Numeric = number | bigint | Double | Uint;

function isNumeric(value: Value): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Double || value instanceof Uint;
}

/** int and uint compare exactly; against a double the integer is converted to the nearest double first. */
function numbersEqual(a: Numeric, b: Numeric): boolean {
  const x = a instanceof Double || a instanceof Uint ? a.value : a;
  const y = b instanceof Double || b instanceof Uint ? b.value : b;
  if (typeof x === typeof y) return x === y;
  const aDouble = a instanceof Double || (typeof a === 'number' && !Number.isInteger(a));
  const bDouble = b instanceof Double || (typeof b === 'number' && !Number.isInteger(b));
  if (aDouble || bDouble) return Number(x) === Number(y);
  return BigInt(x) === BigInt(y);
}

function objectsEqual(a: Exclude<Value, string | boolean | number | bigint>, b: Value): boolean | CelError {
  if (a === null) return b === null;
  if (Array.isArray(a)) return Array.isArray(b) && listsEqual(a, b);
  if (a instanceof Opaque) return a.equals ? a.equals(b) : new CelError('no such overload');
  if (isNumeric(a)) return isNumeric(b) && numbersEqual(a, b);
  if (a instanceof CelMap || isJsonMap(a)) return (b instanceof CelMap || isJsonMap(b)) && mapsEqual(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && bytesEqual(a, b);
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Optional) {
    if (!(b instanceof Optional)) return false;
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return equal(a.value, b.value);
  }
  return false;
}

function listsEqual(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (equal(a[index] as Value, b[index] as Value) === false) return false;
  }
  return true;
}

function mapsEqual(a: CelMap | JsonMap, b: CelMap | JsonMap): boolean {
  if (mapSize(a) !== mapSize(b)) return false;
  for (const [key, value] of mapEntries(a)) {
    const other = mapGet(b, key);
    if (other === undefined || equal(value, other) === false) return false;
  }
  return true;
}

function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** The value under a key, numeric keys meeting across types; `undefined` when there is none. */
export function mapGet(map: CelMap | JsonMap, key: Value): Value | undefined {
  if (map instanceof CelMap) return map.get(key);
  return typeof key === 'string' ? ownProperty(map, key) : undefined;
}

/** Number of entries. */
export function mapSize(map: CelMap | JsonMap): number {
  return map instanceof CelMap ? map.size : Object.keys(map).length;
}

/** Keys in iteration order (insertion order; any order is one that Go could take). */
export function mapKeys(map: CelMap | JsonMap): readonly Value[] {
  return map instanceof CelMap ? Array.from(map.entries.values(), ([key]) => key) : Object.keys(map);
}

/** Entries in iteration order. */
export function mapEntries(map: CelMap | JsonMap): readonly (readonly [Value, Value])[] {
  return map instanceof CelMap ? [...map.entries.values()] : Object.entries(map);
}

/** Why two values have no order. */
const NO_OVERLOAD = new CelError('no such overload');
const NAN_ORDER = new CelError('NaN values cannot be ordered');

/** The order of two values: negative, zero, positive; an error when they have none. */
export function compare(a: Value, b: Value): number | CelError {
  if (typeof a === 'string') return typeof b === 'string' ? compareText(a, b) : NO_OVERLOAD;
  if (isNumeric(a)) return isNumeric(b) ? compareNumbers(a, b) : NO_OVERLOAD;
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : NO_OVERLOAD;
  if (a instanceof Timestamp) return b instanceof Timestamp ? sign(a.nanos, b.nanos) : NO_OVERLOAD;
  if (a instanceof Duration) return b instanceof Duration ? sign(a.nanos, b.nanos) : NO_OVERLOAD;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : NO_OVERLOAD;
  return NO_OVERLOAD;
}

function sign<T extends number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareNumbers(a: Numeric, b: Numeric): number | CelError {
  const x = a instanceof Double || a instanceof Uint ? a.value : a;
  const y = b instanceof Double || b instanceof Uint ? b.value : b;
  const aDouble = a instanceof Double || (typeof a === 'number' && !Number.isInteger(a));
  const bDouble = b instanceof Double || (typeof b === 'number' && !Number.isInteger(b));
  if (!aDouble && !bDouble) return typeof x === typeof y ? sign(x, y) : sign(BigInt(x), BigInt(y));
  if (Number.isNaN(x) || Number.isNaN(y)) return NAN_ORDER;
  if (aDouble && bDouble) return sign(Number(x), Number(y));
  return aDouble ? -compareIntDouble(b, Number(x)) : compareIntDouble(a, Number(y));
}

/** Bounds of the integer's type decide first; inside them the integer is converted to a double. */
function compareIntDouble(integer: Numeric, real: number): number {
  const unsigned = integer instanceof Uint;
  const low = unsigned ? 0 : -(2 ** 63);
  const high = unsigned ? 2 ** 64 : 2 ** 63;
  if (real < low) return 1;
  if (real > high) return -1;
  return sign(Number(unsigned ? integer.value : integer), real);
}

/** Order by code point, which is also the order of the UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above every other UTF-16 unit. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
