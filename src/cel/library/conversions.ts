/** Type conversions: `int uint double bool string bytes timestamp duration`, by Go's parsers and printers. */
import { traversal } from '../cost.ts';
import { formatDouble, parseFloat64, parseInt64, parseUint64 } from '../go-numbers.ts';
import {
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  timestampFromSeconds,
  unixSeconds,
} from '../time.ts';
import { decodeUtf8, encodeUtf8 } from '../utf8.ts';
import {
  CelError,
  type Double,
  type Duration,
  double,
  type Int,
  MAX_UINT64,
  normalizeInt,
  type Timestamp,
  Uint,
  type Value,
} from '../values.ts';
import type { CallCost, Library, Overload } from './library.ts';

const TWO_TO_63 = 2 ** 63;
const TWO_TO_64 = 2 ** 64;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** The JavaScript number of a double. */
export function doubleValue(value: number | Double): number {
  return typeof value === 'number' ? value : value.value;
}

function identity(value: Value): Value {
  return value;
}

function conversionError(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`);
}

function intOfDouble(value: number | Double): Int | CelError {
  const number = doubleValue(value);
  if (!(number > -TWO_TO_63 && number < TWO_TO_63)) return new CelError('integer overflow');
  return normalizeInt(BigInt(Math.trunc(number)));
}

function intOfString(text: string): Int | CelError {
  const value = parseInt64(text);
  return value === undefined ? conversionError('string', 'int') : normalizeInt(value);
}

function intOfUint(value: Uint): Int | CelError {
  return value.value >= 2n ** 63n ? new CelError('integer overflow') : normalizeInt(value.value);
}

function uintOverflow(): CelError {
  return new CelError('unsigned integer overflow');
}

function uintOfInt(value: Int): Uint | CelError {
  return value < 0 ? uintOverflow() : new Uint(BigInt(value));
}

function uintOfDouble(value: number | Double): Uint | CelError {
  const number = doubleValue(value);
  if (!(number >= 0 && number < TWO_TO_64)) return uintOverflow();
  const integral = BigInt(Math.trunc(number));
  return integral > MAX_UINT64 ? uintOverflow() : new Uint(integral);
}

function uintOfString(text: string): Uint | CelError {
  const value = parseUint64(text);
  return value === undefined ? conversionError('string', 'uint') : new Uint(value);
}

function doubleOfString(text: string): number | Double | CelError {
  const value = parseFloat64(text);
  return value === undefined ? conversionError('string', 'double') : double(value);
}

function boolOfString(text: string): boolean | CelError {
  return BOOLEANS.get(text) ?? conversionError('string', 'bool');
}

function stringOfBytes(bytes: Uint8Array): string | CelError {
  return decodeUtf8(bytes) ?? new CelError('invalid UTF-8 in bytes, cannot convert to string');
}

const traversalCost: CallCost = (args) => traversal(args[0]);

/** Text of any double: `string(double)`. */
export function stringOfDouble(value: number | Double): string {
  return formatDouble(doubleValue(value));
}

const rows: readonly Overload[] = [
  { name: 'int', id: 'int64_to_int64', signature: '(int) -> int', run: identity },
  { name: 'int', id: 'double_to_int64', signature: '(double) -> int', run: intOfDouble },
  {
    name: 'int',
    id: 'duration_to_int64',
    signature: '(duration) -> int',
    run: (value: Duration) => normalizeInt(value.nanos),
  },
  { name: 'int', id: 'string_to_int64', signature: '(string) -> int', run: intOfString },
  {
    name: 'int',
    id: 'timestamp_to_int64',
    signature: '(timestamp) -> int',
    run: (value: Timestamp) => normalizeInt(unixSeconds(value)),
  },
  { name: 'int', id: 'uint64_to_int64', signature: '(uint) -> int', run: intOfUint },

  { name: 'uint', id: 'uint64_to_uint64', signature: '(uint) -> uint', run: identity },
  { name: 'uint', id: 'double_to_uint64', signature: '(double) -> uint', run: uintOfDouble },
  { name: 'uint', id: 'int64_to_uint64', signature: '(int) -> uint', run: uintOfInt },
  { name: 'uint', id: 'string_to_uint64', signature: '(string) -> uint', run: uintOfString },

  { name: 'double', id: 'double_to_double', signature: '(double) -> double', run: identity },
  { name: 'double', id: 'int64_to_double', signature: '(int) -> double', run: (value: Int) => double(Number(value)) },
  { name: 'double', id: 'string_to_double', signature: '(string) -> double', run: doubleOfString },
  {
    name: 'double',
    id: 'uint64_to_double',
    signature: '(uint) -> double',
    run: (value: Uint) => double(Number(value.value)),
  },

  { name: 'bool', id: 'bool_to_bool', signature: '(bool) -> bool', run: identity },
  {
    name: 'bool',
    id: 'string_to_bool',
    signature: '(string) -> bool',
    run: boolOfString,
  },

  { name: 'string', id: 'string_to_string', signature: '(string) -> string', run: identity },
  { name: 'string', id: 'bool_to_string', signature: '(bool) -> string', run: String },
  { name: 'string', id: 'bytes_to_string', signature: '(bytes) -> string', run: stringOfBytes, cost: traversalCost },
  { name: 'string', id: 'double_to_string', signature: '(double) -> string', run: stringOfDouble },
  { name: 'string', id: 'duration_to_string', signature: '(duration) -> string', run: formatDuration },
  { name: 'string', id: 'int64_to_string', signature: '(int) -> string', run: String },
  { name: 'string', id: 'timestamp_to_string', signature: '(timestamp) -> string', run: formatTimestamp },
  { name: 'string', id: 'uint64_to_string', signature: '(uint) -> string', run: (value: Uint) => String(value.value) },

  { name: 'bytes', id: 'bytes_to_bytes', signature: '(bytes) -> bytes', run: identity },
  { name: 'bytes', id: 'string_to_bytes', signature: '(string) -> bytes', run: encodeUtf8, cost: traversalCost },

  { name: 'timestamp', id: 'timestamp_to_timestamp', signature: '(timestamp) -> timestamp', run: identity },
  {
    name: 'timestamp',
    id: 'int64_to_timestamp',
    signature: '(int) -> timestamp',
    run: (value: Int) => timestampFromSeconds(BigInt(value)),
  },
  {
    name: 'timestamp',
    id: 'string_to_timestamp',
    signature: '(string) -> timestamp',
    run: parseTimestamp,
  },

  { name: 'duration', id: 'duration_to_duration', signature: '(duration) -> duration', run: identity },
  {
    name: 'duration',
    id: 'int64_to_duration',
    signature: '(int) -> duration',
    run: () => conversionError('int', 'google.protobuf.Duration'),
  },
  {
    name: 'duration',
    id: 'string_to_duration',
    signature: '(string) -> duration',
    run: parseDuration,
  },
];

/** cel-go's standard type conversions. */
export const conversions: Library = { name: 'cel.lib.std.conversions', overloads: rows };
