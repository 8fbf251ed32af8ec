/**
 * One walk through an object along its Go type: every field read, and written again or left out.
 *
 * Faults end up in the walk. Decoding goes on after a wrong JSON type and reports the first one, but a type that reads
 * itself (quantities, times) ends everything; converting stops at the first fault of any kind.
 */
import { goQuote } from '../go-text.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../json.ts';
import { isBoxed, isJsonList, setOwn, type Unbox } from './numbers.ts';
import { describe, type Reader, readScalar, zeroScalar } from './scalar.ts';
import type { NativeField, NativeType, ScalarType, StructType } from './schema.ts';

/** The state of one reading. */
export interface Walk {
  readonly reader: Reader;
  readonly unbox: Unbox;
  readonly sorted: boolean;
  /** Field names from the root, and the same with indexes and keys. */
  readonly path: string[];
  readonly place: (string | number)[];
  readonly structs: string[];
  readonly unknown: string[];
  /** The first fault that decoding goes on after. */
  first: string | undefined;
  /** The fault that ended the reading. */
  stop: string | undefined;
}

/** A fresh reading. `sorted` meets keys in order, as the decoder does; only texts depend on it. */
export function newWalk(reader: Reader, unbox: Unbox, sorted: boolean): Walk {
  const lists = { path: [], place: [], structs: [], unknown: [] };
  return { reader, unbox, sorted, ...lists, first: undefined, stop: undefined };
}

/** Ends a reading; never leaves this module. */
class Stop extends Error {}

/** Reads an object of a kind through its struct; a fault that ended it is in `walk.stop`. */
export function readObject(
  walk: Walk,
  struct: StructType,
  kind: { readonly apiVersion: string; readonly kind: string },
  object: Json,
  known?: JsonObject,
): JsonObject {
  try {
    const source = isJsonObject(object) ? object : {};
    const named =
      source['kind'] === kind.kind && source['apiVersion'] === kind.apiVersion
        ? source
        : { ...source, apiVersion: kind.apiVersion, kind: kind.kind };
    return readFields(walk, struct, named, known, true);
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
    walk.stop = stop.message;
    return {};
  }
}

/** `known` is what an earlier reading wrote at that place: it comes out as it is. */
function read(walk: Walk, type: NativeType, value: Json | undefined, known: Json | undefined): Json {
  if (value === null || value === undefined) return zero(type);
  if (value === known && typeof value === 'object') return value;
  switch (type.kind) {
    case 'struct':
      if (isJsonObject(value)) return readFields(walk, type, value, known, false);
      return mistyped(walk, type, value, 'restore struct from:');
    case 'list':
      if (isJsonList(value)) return readItems(walk, type.item, value, known);
      return mistyped(walk, type, value, 'restore slice from');
    case 'map':
      if (isJsonObject(value)) return readEntries(walk, type.item, value, known);
      return mistyped(walk, type, value, 'restore map from');
    default: {
      if (isPlain(type, value)) return value;
      const result = readScalar(type, value, walk.reader, walk.unbox);
      if ('value' in result) return result.value;
      if ('stop' in result) throw new Stop(result.stop);
      if ('error' in result) walk.first ??= result.error;
      else if ('stopMismatch' in result) throw new Stop(mismatchText(walk, result.stopMismatch, result.go));
      else walk.first ??= mismatchText(walk, result.mismatch, result.go);
      return zeroScalar(type);
    }
  }
}

/** The common scalars, which come out as they went in. */
function isPlain(type: ScalarType, value: Json): boolean {
  switch (type.kind) {
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'int32':
      return typeof value === 'number' && (value | 0) === value && !Object.is(value, -0);
    case 'int64':
      return typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0);
    default:
      return false;
  }
}

function mistyped(walk: Walk, type: NativeType, value: Json, verb: string): Json {
  if (walk.reader === 'convert') throw new Stop(`cannot ${verb} ${goKind(value)}`);
  walk.first ??= mismatchText(walk, describe(value, walk.unbox), type.go);
  return zero(type);
}

/** The reflect kind of the data that the converter is given. */
function goKind(value: Json): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isJsonList(value)) return 'slice';
  if (isBoxed(value) || (typeof value === 'number' && !Number.isInteger(value))) return 'float64';
  return typeof value === 'object' ? 'map' : 'int64';
}

function mismatchText(walk: Walk, what: string, go: string): string {
  const struct = walk.structs.at(-1);
  const place =
    walk.reader === 'convert' || struct === undefined
      ? 'Go value'
      : `Go struct field ${struct.slice(struct.indexOf('.') + 1)}.${walk.path.join('.')}`;
  return `json: cannot unmarshal ${what} into ${place} of type ${go}`;
}

function readFields(
  walk: Walk,
  struct: StructType,
  value: JsonObject,
  known: Json | undefined,
  root: boolean,
): JsonObject {
  const old = isJsonObject(known) ? known : undefined;
  let changed: Record<string, Json> | undefined;
  walk.structs.push(struct.go);
  for (const key of keysOf(walk, value)) {
    if (root && (key === 'apiVersion' || key === 'kind')) continue;
    const field = struct.fields.get(key);
    const written = field === undefined ? ABSENT : readField(walk, key, field, value[key], old && own(old, key));
    if (field === undefined) walk.unknown.push(unknownField(walk, key));
    if (written === value[key]) continue;
    changed ??= { ...value };
    if (written === ABSENT) delete changed[key];
    else setOwn(changed, key, written);
  }
  walk.structs.pop();
  for (const [name, field] of struct.required) {
    if (Object.hasOwn(value, name)) continue;
    changed ??= { ...value };
    changed[name] = field.presence === 'nullable' ? null : zero(field.type);
  }
  return changed ?? value;
}

const ABSENT: unique symbol = Symbol('not written');

function readField(
  walk: Walk,
  key: string,
  field: NativeField,
  value: Json | undefined,
  known: Json | undefined,
): Json | typeof ABSENT {
  if (value === null && field.presence === 'given') return ABSENT;
  if (value === null && field.presence === 'nullable') return null;
  walk.path.push(field.place);
  walk.place.push(key);
  const written = read(walk, field.type, value, known);
  walk.path.pop();
  walk.place.pop();
  return field.presence === 'nonzero' && isZero(written) ? ABSENT : written;
}

function isZero(value: Json): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  if (isJsonList(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function readItems(walk: Walk, type: NativeType, value: readonly Json[], known: Json | undefined): readonly Json[] {
  const old = known !== undefined && isJsonList(known) ? known : undefined;
  let changed: Json[] | undefined;
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index] ?? null;
    walk.place.push(index);
    const written = read(walk, type, item, old?.[index]);
    walk.place.pop();
    if (written === item) continue;
    changed ??= [...value];
    changed[index] = written;
  }
  return changed ?? value;
}

function readEntries(walk: Walk, type: NativeType, value: JsonObject, known: Json | undefined): JsonObject {
  const old = isJsonObject(known) ? known : undefined;
  let changed: Record<string, Json> | undefined;
  for (const key of keysOf(walk, value)) {
    walk.place.push(key);
    const written = read(walk, type, value[key], old && own(old, key));
    walk.place.pop();
    if (written === value[key]) continue;
    changed ??= { ...value };
    setOwn(changed, key, written);
  }
  return changed ?? value;
}

function keysOf(walk: Walk, value: JsonObject): readonly string[] {
  const keys = Object.keys(value);
  return walk.sorted ? keys.sort() : keys;
}

function unknownField(walk: Walk, key: string): string {
  let place = '';
  for (const step of walk.place) place += typeof step === 'number' ? `[${step}]` : place === '' ? step : `.${step}`;
  return `unknown field ${goQuote(place === '' ? key : `${place}.${key}`)}`;
}

/** What the zero value of a type is written as. */
function zero(type: NativeType): Json {
  if (type.kind === 'list' || type.kind === 'map') return null;
  if (type.kind !== 'struct') return zeroScalar(type);
  const fields: Record<string, Json> = {};
  for (const [name, field] of type.required) fields[name] = field.presence === 'nullable' ? null : zero(field.type);
  return fields;
}
