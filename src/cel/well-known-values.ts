import { mapEntries } from './equality.ts';
import { quoteGo } from './go-text.ts';
import { NANOS_PER_SECOND } from './time.ts';
import {
  CelError,
  CelMap,
  Double,
  Duration,
  double,
  isInt,
  isMap,
  Opaque,
  type Result,
  Timestamp,
  Uint,
  type Value,
} from './values.ts';

/** What a literal of a protobuf well-known message comes to; `undefined` for other types. */
export function createWellKnown(type: string, fields: ReadonlyMap<string, Value>): Result | undefined {
  return type.startsWith('google.protobuf.') ? CREATE.get(type.slice('google.protobuf.'.length))?.(fields) : undefined;
}

type Create = (fields: ReadonlyMap<string, Value>) => Result;

const wrapper =
  (zero: Value): Create =>
  (fields) =>
    fields.get('value') ?? zero;

const CREATE: ReadonlyMap<string, Create> = new Map<string, Create>([
  ['BoolValue', wrapper(false)],
  ['BytesValue', wrapper(new Uint8Array())],
  ['DoubleValue', wrapper(new Double(0))],
  ['FloatValue', (fields) => single(fields.get('value') ?? new Double(0))],
  ['Int32Value', wrapper(0)],
  ['Int64Value', wrapper(0)],
  ['StringValue', wrapper('')],
  ['UInt32Value', wrapper(new Uint(0n))],
  ['UInt64Value', wrapper(new Uint(0n))],
  ['Timestamp', (fields) => new Timestamp(nanos(fields))],
  ['Duration', (fields) => new Duration(nanos(fields))],
  ['Struct', (fields) => json(fields.get('fields') ?? new CelMap())],
  ['ListValue', (fields) => json(fields.get('values') ?? [])],
  ['Value', ([...fields]) => fromValue(fields.at(-1))],
  ['Any', anyMessage],
  ['Empty', () => new EmptyMessage()],
]);

/** `Any` has no CEL value outside protobuf; the error shows the message in protobuf's text form. */
function anyMessage(fields: ReadonlyMap<string, Value>): CelError {
  const shown = [...fields].map(
    ([name, value]) => `${name}:${value instanceof Uint8Array ? bytesText(value) : quoteGo(String(value))}`,
  );
  return new CelError(`unsupported conversion to ref.Val: (*dynamicpb.Message)${shown.join('  ')}`);
}

/** Bytes as protobuf's text form escapes them. */
function bytesText(bytes: Uint8Array): string {
  const shown = Array.from(bytes, (byte) => {
    const char = String.fromCharCode(byte);
    if (char === '"' || char === '\\') return `\\${char}`;
    return byte >= 0x20 && byte < 0x7f ? char : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `"${shown.join('')}"`;
}

function single(value: Value): Value {
  return value instanceof Double
    ? double(Math.fround(value.value))
    : typeof value === 'number'
      ? double(Math.fround(value))
      : value;
}

function nanos(fields: ReadonlyMap<string, Value>): bigint {
  const part = (name: string): bigint => {
    const value = fields.get(name) ?? 0;
    return isInt(value) ? BigInt(value) : 0n;
  };
  return part('seconds') * NANOS_PER_SECOND + part('nanos');
}

function fromValue(field: readonly [string, Value] | undefined): Result {
  return field === undefined || field[0] === 'null_value' ? null : json(field[1]);
}

/** Protobuf's JSON values have one number type: ints become doubles. */
function json(value: Value): Value {
  if (isInt(value)) return double(Number(value));
  if (Array.isArray(value)) return value.map(json);
  if (isMap(value)) return new CelMap(mapEntries(value).map(([key, item]) => [key, json(item)] as const));
  return value;
}

class EmptyMessage extends Opaque {
  override readonly typeName = 'google.protobuf.Empty';
  override equals(other: Value): boolean {
    return other instanceof EmptyMessage;
  }
}
