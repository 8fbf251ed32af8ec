/**
 * `JSONPatch` values as JSON Patch operations (API server: plugin/policy/mutating/patch/json_patch.go). Values go through
 * protobuf's Value there: large ints become texts, times and durations too, host types are errors.
 */
import {
  CelMap,
  Double,
  Duration,
  double,
  isJsonMap,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  typeName,
  Uint,
  type Value,
} from '#cel/runtime';
import { internalError, type Json, type Status } from '#kubernetes';
import { ForeignValue } from './foreign.ts';
import type { NativeLists } from './native-lists.ts';
import { plainObject } from './object-plain.ts';
import { JsonPatchValue, ObjectValue, typeNameFaults } from './object-values.ts';
import { base64, durationText, timestampText } from './protobuf-json.ts';

/** An operation as the expression gave it: any text may stand in it. */
export interface RawOperation {
  readonly op: string;
  readonly path: string;
  /** Absent when empty. */
  readonly from?: string;
  /** Absent when the field was not set. */
  readonly value?: Json;
}

/** The operations, or the text of the error; a panic of the API server's code is a status. */
export type Operations =
  | { readonly operations: readonly RawOperation[]; readonly error?: undefined; readonly status?: undefined }
  | { readonly error: string; readonly status?: undefined }
  | { readonly status: Status; readonly error?: undefined };

export function patchOperations(value: Value, native: NativeLists): Operations {
  if (!Array.isArray(value)) return { error: 'unsupported return type from JSONPatch expression' };
  try {
    const list: readonly Value[] = value;
    return { operations: list.map((item) => operation(item, native)) };
  } catch (thrown) {
    if (thrown instanceof Panic) return { status: internalError(thrown.message) };
    if (thrown instanceof PatchError) return { error: thrown.message };
    throw thrown;
  }
}

class PatchError extends Error {}
/** The API server's code panics here; it answers 500. */
class Panic extends Error {}

function unmarshalable(text: string): PatchError {
  return new PatchError(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${text}`);
}

function operation(item: Value, native: NativeLists): RawOperation {
  if (!(item instanceof JsonPatchValue)) throw new PatchError('type mismatch: unexpected value in a list of JSONPatch');
  const { op, path, from, value } = item;
  const base = from === '' ? { op, path } : { op, path, from };
  if (value === undefined) return base;
  if (value instanceof ObjectValue) {
    const faults = typeNameFaults(value, value.typeName);
    if (faults.length > 0) throw new PatchError(`type mismatch: ${faults.join('\n')}`);
  }
  return { ...base, value: toJson(value, native, true) };
}

/** `top`: the value itself, where an Object may stand; below a list or map it makes the API server panic. */
function toJson(value: Value, native: NativeLists, top: boolean): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'bigint':
      return String(value);
    case 'number':
      return Number.isInteger(value) ? intJson(value) : doubleJson(value, 'Value');
  }
  if (value === null) return null;
  if (value instanceof Uint) return value.value <= MAX_SAFE ? Number(value.value) : String(value.value);
  if (value instanceof Double) return doubleJson(value.value, 'Value');
  if (value instanceof Uint8Array) return base64(value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof TypeValue) throw unmarshalable("type conversion not supported for 'type'");
  if (value instanceof Optional) {
    if (value.value === undefined) throw unmarshalable('optional.none() dereference');
    return toJson(value.value, native, top);
  }
  if (Array.isArray(value)) return value.map((item) => toJson(item, native, false));
  if (value instanceof ObjectValue) {
    if (!top) throw new Panic('reflect.Set: value of type *structpb.Struct is not assignable to type *structpb.Value');
    return objectJson(value, native);
  }
  if (value instanceof Opaque) throw unmarshalable(hostError(value.typeName));
  const entries = value instanceof CelMap ? [...value.entries.values()] : isJsonMap(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.map(([key, item]) => [textKey(key), toJson(item, native, false)]));
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

function intJson(value: number): Json {
  return Object.is(value, -0) ? 0 : value;
}

/** A double as Go prints it into JSON, and as the API server reads that again: whole numbers are ints as far as they go. */
function doubleJson(value: number, message: 'Value' | 'Struct'): Json {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
    throw unmarshalable(
      `json: error calling MarshalJSON for type *structpb.${message}: proto: google.protobuf.Value.number_value: invalid ${name} value`,
    );
  }
  if (!Number.isInteger(value)) return value;
  if (Number.isSafeInteger(value)) return intJson(value);
  return Math.abs(value) < 2 ** 63 ? BigInt(value) : double(value);
}

function textKey(key: Value): string {
  if (typeof key === 'string') return key;
  const type = typeName(key);
  if (type === 'int' || type === 'uint') throw unmarshalable(`unsupported type conversion from '${type}' to string`);
  if (type === 'bool') throw unmarshalable("type conversion error from bool to 'string'");
  if (type === 'double') throw unmarshalable("type conversion error from Double to 'string'");
  if (type === 'list') throw unmarshalable("type conversion error from list to 'string'");
  throw unmarshalable(`type conversion error from '${type.replace('google.protobuf.', '')}' to 'string'`);
}

/** What the API server calls types of its own that have no JSON form. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  'kubernetes.NamedFormat': 'Format',
  'kubernetes.Quantity': 'Quantity',
  'kubernetes.Semver': 'Semver',
  'kubernetes.URL': 'URL',
  'net.CIDR': 'CIDR',
  'net.IP': 'IP',
};

function hostError(type: string): string {
  if (type === 'JSONPatch') return 'cannot convert to native type: *structpb.Value';
  if (type === 'kubernetes.variables') return 'disallowed conversion from "kubernetes.variables" to ""';
  const name = Object.hasOwn(SHORT_NAMES, type) ? SHORT_NAMES[type] : type;
  return `type conversion error from '${name}' to '*structpb.Value'`;
}

function objectJson(value: ObjectValue, native: NativeLists): Json {
  const plain = plainObject(value, native);
  if (plain.error !== undefined) throw unmarshalable(plain.error);
  return plainJson(plain.object);
}

/** protobuf's own reading of Go data: all numbers are doubles. */
function plainJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return doubleJson(Number(value), 'Struct');
  if (value instanceof Double) return doubleJson(value.value, 'Struct');
  if (value instanceof ForeignValue) {
    if (value.value instanceof Uint8Array) return base64(value.value);
    if (value.value instanceof Uint) return doubleJson(Number(value.value.value), 'Struct');
    throw unmarshalable(`proto: invalid type: ${value.goType}`);
  }
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== 'object') throw unmarshalable('proto: invalid type');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainJson(item)]));
}
