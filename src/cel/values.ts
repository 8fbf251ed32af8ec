import { Interrupt } from './interrupt.ts';

/**
 * CEL values over plain JSON, without copies: what the request's JSON reader yields is already a value.
 *
 * | CEL | JavaScript |
 * |---|---|
 * | null, bool, string | `null`, `boolean`, `string` (well-formed UTF-16) |
 * | int | integral `number` within ±(2^53-1), otherwise `bigint` (never a `bigint` inside that range) |
 * | double | non-integral, infinite or NaN `number`; integral doubles (-0 too) are boxed in `Double` |
 * | uint | `Uint` |
 * | bytes | `Uint8Array` |
 * | list | array |
 * | map | a plain JSON object, or `CelMap` for everything that a literal or a macro builds |
 * | timestamp, duration, type, optional | `Timestamp`, `Duration`, `TypeValue`, `Optional` |
 * | host types | a subclass of `Opaque` |
 *
 * An evaluation error is a value too: `CelError`. It is never stored inside another value.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Double
  | Uint
  | Timestamp
  | Duration
  | TypeValue
  | Optional
  | CelMap
  | Opaque
  | readonly Value[]
  | JsonMap;

/** A JSON object as it came out of the reader. Only own properties are entries. */
export interface JsonMap {
  readonly [key: string]: Value;
}

/** An int: a `number` that is integral and safe, or a `bigint` beyond. */
export type Int = number | bigint;

/** What an expression can come to. */
export type Result = Value | CelError;

/** What all boxed values derive from: an object that is neither this nor an array nor bytes is a JSON object. */
export abstract class Boxed {}

/** An evaluation error. `message` is the API server's own text. */
export class CelError extends Boxed {
  readonly message: string;
  constructor(message: string) {
    super();
    this.message = message;
  }
}

/** A double whose value is integral (or -0), which as a bare `number` would read as an int. */
export class Double extends Boxed {
  readonly value: number;
  constructor(value: number) {
    super();
    this.value = value;
  }
}

/** An unsigned 64-bit integer; the value is always in range. */
export class Uint extends Boxed {
  readonly value: bigint;
  constructor(value: bigint) {
    super();
    this.value = value;
  }
}

/** A point in time with the offset it was written with. `nanos` counts nanoseconds since the Unix epoch. */
export class Timestamp extends Boxed {
  readonly nanos: bigint;
  /** Seconds east of UTC, only for printing. */
  readonly offset: number;
  constructor(nanos: bigint, offset = 0) {
    super();
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A signed span of time in nanoseconds, in the int64 range. */
export class Duration extends Boxed {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }
}

/** The value of `type(x)` and of a type's name. Two are equal when their names are. */
export class TypeValue extends Boxed {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
}

/** `optional.of(value)`, or `optional.none()` when `value` is `undefined`. */
export class Optional extends Boxed {
  static readonly none: Optional = new Optional(undefined);
  readonly value: Value | undefined;
  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }
}

/** A value of a type that the host defines: quantities, addresses, `Object`, the authorizer, `variables`. */
export abstract class Opaque extends Boxed {
  /** The name `type(x)` prints and signatures use. */
  abstract readonly typeName: string;
  /** The name of the API server's own Go type, for the errors that show it. */
  get goType(): string | undefined {
    return undefined;
  }
  /** The value as it leaves CEL, where that is not the same value: what cel-go gets when it converts it back. */
  native?(): Value;
  /** Equality with any other value; without it `==` is `no such overload`. */
  equals?(other: Value): boolean | CelError;
  /** Field selection; `undefined` when there is no such field. Without it no field can be selected. */
  get?(field: string): Result | undefined;
  /** Whether the API server panics when it is looked up in a map or a set. */
  get unhashable(): boolean {
    return false;
  }
  /** What `has()` answers; without it a field is present when `get` finds one. */
  has?(field: string): boolean | CelError;
  /** Whether `==` on it costs 1 whatever its size: Kubernetes has a rule of its own for its types. */
  get flatEquality(): boolean {
    return false;
  }
  /** The size that cost rules see; 1 when absent. */
  costSize?(): number;
  /** Whether `optional.ofNonZeroValue` keeps it; true when absent. */
  isZero?(): boolean;
}

/**
 * What stands in an optional for a host value that cel-go took out of CEL and could not convert back: taking it out of the
 * optional raises the error.
 */
export class Unconverted extends Opaque {
  override readonly typeName = 'error';
  readonly error: CelError;
  constructor(error: CelError) {
    super();
    this.error = error;
  }
  override equals(): CelError {
    return this.error;
  }
}

/** What an optional holds, when it holds anything. */
export function heldBy(optional: Optional): Result | undefined {
  return optional.value instanceof Unconverted ? optional.value.error : optional.value;
}

/**
 * A list that a function made of a Go slice of strings. It is a list like any other to CEL, but not to the API server's patch
 * code, which takes no such slice for a field's value; what is made from it is an ordinary list again.
 */
export class TextList extends Array<string> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
  static holding(texts: readonly string[]): TextList {
    const list = new TextList();
    for (const text of texts) list.push(text);
    return list;
  }
}

/** What a map entry is found by: numeric keys meet across int, uint and double when nothing is lost. */
export type MapKey = string | boolean | number | bigint | null | Value;

/** A CEL map that is not a JSON object: any key type, insertion order, the last of equal keys wins. */
export class CelMap extends Boxed {
  readonly entries: Map<MapKey, readonly [Value, Value]>;
  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    super();
    this.entries = new Map();
    for (const entry of entries) this.entries.set(mapKey(entry[0]), entry);
  }
  get(key: Value): Value | undefined {
    return this.size === 0 ? undefined : this.entries.get(mapKey(key))?.[1];
  }
  set(key: Value, value: Value): void {
    this.entries.set(mapKey(key), [key, value]);
  }
  has(key: Value): boolean {
    return this.size > 0 && this.entries.has(mapKey(key));
  }
  get size(): number {
    return this.entries.size;
  }
}

/** The canonical key of a value; composite keys only equal themselves. */
export function mapKey(key: Value): MapKey {
  if (typeof key === 'number') return key === 0 ? 0 : key;
  if (key instanceof Uint) return normalizeInt(key.value);
  if (key instanceof Double) return Number.isSafeInteger(key.value) ? key.value + 0 : doubleKey(key.value);
  if (key instanceof Uint8Array) throw unhashable('types.Bytes');
  if (key instanceof Opaque && key.unhashable) throw unhashable(key.goType);
  return key;
}

/** cel-go: looking such a value up in a map of its own panics. */
function unhashable(type: string | undefined): Interrupt {
  return new Interrupt(`internal error: runtime error: hash of unhashable type ${type}`);
}

function doubleKey(value: number): MapKey {
  return Number.isInteger(value) ? BigInt(value) : value;
}

const MIN_SAFE = BigInt(Number.MIN_SAFE_INTEGER);
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_UINT64 = 2n ** 64n - 1n;

/** The int of a bigint that is known to be within int64 (or any exact integer used as one). */
export function normalizeInt(value: bigint): Int {
  return value >= MIN_SAFE && value <= MAX_SAFE ? Number(value) : value;
}

/** The int of a bigint, or the overflow error. */
export function checkedInt(value: bigint): Int | CelError {
  return value < MIN_INT64 || value > MAX_INT64 ? new CelError('integer overflow') : normalizeInt(value);
}

/** The double of a JavaScript number. */
export function double(value: number): number | Double {
  return Number.isInteger(value) ? new Double(value) : value;
}

/** Whether a bare value is an int. */
export function isInt(value: Value): value is Int {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

/** Whether a value is a double, bare or boxed. */
export function isDouble(value: Value): value is number | Double {
  return value instanceof Double || (typeof value === 'number' && !Number.isInteger(value));
}

/** Whether a value is a map: a JSON object or a `CelMap`. */
export function isMap(value: Value): value is CelMap | JsonMap {
  return value instanceof CelMap || isJsonMap(value);
}

/** Whether a value is a JSON object. */
export function isJsonMap(value: Value): value is JsonMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Boxed) &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array)
  );
}

const HAS_OWN = Object.prototype.hasOwnProperty;

/** An own property of a JSON object, never one of its prototype. */
export function ownProperty(map: JsonMap, key: string): Value | undefined {
  return HAS_OWN.call(map, key) ? map[key] : undefined;
}
