/**
 * A built-in object as it comes out of its Go type: what the next mutation sees, or why it could not be read.
 *
 * API server: after a JSON Patch the strict JSON decoder (sigs.k8s.io/json), after an ApplyConfiguration the converter
 * from unstructured data (apimachinery runtime/converter.go). Defaults of the API are not part of this.
 */
import { goQuote } from '../go-text.ts';
import { isJsonObject } from '../json.ts';
import { isBoxed, setOwn, type Unbox } from './numbers.ts';
import { describe, type Reader, readScalar, zeroScalar } from './scalar.ts';
import { type NativeField, type NativeSchema, type NativeType, nativeStruct, type StructType } from './schema.ts';

/** A kind as on the wire. */
export interface NativeKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * How the object is read: `strict` JSON refuses unknown fields, `lenient` JSON drops them, `convert` takes the data of a
 * merge and drops them too.
 */
export type RoundTripMode = 'strict' | 'lenient' | 'convert';

/**
 * The object, or a text. An `internal` error is a 500 whatever the failure policy says (`Internal error occurred: ` is
 * the caller's to add); others are plain errors of the mutation.
 */
export type RoundTrip =
  | { readonly object: Readonly<Record<string, unknown>> }
  | { readonly error: string; readonly internal: boolean };

const SCHEME = 'k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30';

/**
 * Takes an object of `kind` through its Go type. The result shares with the input what did not change. A kind that the
 * schema does not have comes back as it is.
 */
export function roundTrip(
  schema: NativeSchema,
  kind: NativeKind,
  object: unknown,
  mode: RoundTripMode,
  unbox: Unbox = () => undefined,
): RoundTrip {
  const struct = nativeStruct(schema, kind.apiVersion, kind.kind);
  if (struct === undefined) return { object: isJsonObject(object) ? object : {} };
  if (mode === 'convert') return convert(struct, kind, object, unbox);
  const said = saidKind(object, kind, unbox);
  if ('error' in said) return { error: said.error, internal: true };
  const target = sameKind(said, kind) ? struct : nativeStruct(schema, said.apiVersion, said.kind);
  if (target === undefined) {
    const text = `no kind ${goQuote(said.kind)} is registered for version ${goQuote(said.apiVersion)}`;
    return { error: `${text} in scheme ${goQuote(SCHEME)}`, internal: true };
  }
  const decoded = decode(target, said, object, mode, unbox);
  if ('error' in decoded || target === struct) return decoded;
  const conversion = `converting (${target.go}) to (${struct.go}): unknown conversion`;
  return { error: `failed to convert object: ${conversion}`, internal: true };
}

function sameKind(a: NativeKind, b: NativeKind): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind;
}

/** The kind that the object itself says, with the expected one for what it leaves out. */
function saidKind(object: unknown, kind: NativeKind, unbox: Unbox): NativeKind | { readonly error: string } {
  const failed = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (object !== null && !isJsonObject(object)) {
    const shape =
      'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
    return { error: `${failed} ${describe(object, unbox)} into Go value of type ${shape}` };
  }
  const said = { ...kind };
  for (const field of ['apiVersion', 'kind'] as const) {
    const value = object !== null && Object.hasOwn(object, field) ? object[field] : null;
    if (value === null || value === '') continue;
    if (typeof value !== 'string') {
      return { error: `${failed} ${describe(value, unbox)} into Go struct field .${field} of type string` };
    }
    said[field] = value;
  }
  if (said.apiVersion.split('/').length > 2) return { error: `unexpected GroupVersion string: ${said.apiVersion}` };
  return said;
}

function convert(struct: StructType, kind: NativeKind, object: unknown, unbox: Unbox): RoundTrip {
  const walk = newWalk('convert', unbox, false);
  const read = run(walk, struct, kind, object);
  if (walk.stop === undefined) return { object: read };
  const group = kind.apiVersion.includes('/') ? kind.apiVersion : `/${kind.apiVersion}`;
  return {
    error: `unable to convert unstructured object to ${group}, Kind=${kind.kind}: ${walk.stop}`,
    internal: false,
  };
}

function decode(struct: StructType, kind: NativeKind, object: unknown, mode: RoundTripMode, unbox: Unbox): RoundTrip {
  let walk = newWalk('decode', unbox, false);
  let read = run(walk, struct, kind, object);
  if (hasFaults(walk)) {
    // The decoder meets keys in order; only texts depend on it.
    walk = newWalk('decode', unbox, true);
    read = run(walk, struct, kind, object);
  }
  const fault = walk.stop ?? walk.first;
  if (fault !== undefined) return { error: fault, internal: true };
  if (mode === 'strict' && walk.unknown.length > 0) {
    return { error: `strict decoding error: ${walk.unknown.join(', ')}`, internal: true };
  }
  return { object: read };
}

function hasFaults(walk: Walk): boolean {
  return walk.stop !== undefined || walk.first !== undefined || walk.unknown.length > 0;
}

/** The state of one reading. */
interface Walk {
  readonly reader: Reader;
  readonly unbox: Unbox;
  readonly sorted: boolean;
  /** Field names from the root, and the same with indexes and keys. */
  readonly path: string[];
  readonly place: string[];
  readonly structs: string[];
  readonly unknown: string[];
  /** The first fault that decoding goes on after. */
  first: string | undefined;
  /** The fault that ended the reading. */
  stop: string | undefined;
}

function newWalk(reader: Reader, unbox: Unbox, sorted: boolean): Walk {
  const lists = { path: [], place: [], structs: [], unknown: [] };
  return { reader, unbox, sorted, ...lists, first: undefined, stop: undefined };
}

/** Ends a reading; never leaves this module. */
class Stop extends Error {}

function run(walk: Walk, struct: StructType, kind: NativeKind, object: unknown): Readonly<Record<string, unknown>> {
  try {
    const source = isJsonObject(object) ? object : {};
    const named =
      source['kind'] === kind.kind && source['apiVersion'] === kind.apiVersion
        ? source
        : { ...source, apiVersion: kind.apiVersion, kind: kind.kind };
    return readFields(walk, struct, named, true);
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
    walk.stop = stop.message;
    return {};
  }
}

function read(walk: Walk, type: NativeType, value: unknown): unknown {
  if (value === null || value === undefined) return zero(type);
  switch (type.kind) {
    case 'struct':
      if (isJsonObject(value)) return readFields(walk, type, value, false);
      return mistyped(walk, type, value, 'restore struct from:');
    case 'list':
      if (Array.isArray(value)) return readItems(walk, type.item, value);
      return mistyped(walk, type, value, 'restore slice from');
    case 'map':
      if (isJsonObject(value)) return readEntries(walk, type.item, value);
      return mistyped(walk, type, value, 'restore map from');
    default: {
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

function mistyped(walk: Walk, type: NativeType, value: unknown, verb: string): unknown {
  if (walk.reader === 'convert') throw new Stop(`cannot ${verb} ${goKind(value)}`);
  walk.first ??= mismatchText(walk, describe(value, walk.unbox), type.go);
  return zero(type);
}

/** The reflect kind of the data that the converter is given. */
function goKind(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'slice';
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
  value: Readonly<Record<string, unknown>>,
  root: boolean,
): Readonly<Record<string, unknown>> {
  let changed: Record<string, unknown> | undefined;
  walk.structs.push(struct.go);
  for (const key of keysOf(walk, value)) {
    if (root && (key === 'apiVersion' || key === 'kind')) continue;
    const field = struct.fields.get(key);
    const written = field === undefined ? ABSENT : readField(walk, key, field, value[key]);
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

const ABSENT = Symbol('not written');

function readField(walk: Walk, key: string, field: NativeField, value: unknown): unknown {
  if (value === null && field.presence === 'given') return ABSENT;
  if (value === null && field.presence === 'nullable') return null;
  walk.path.push(field.place);
  walk.place.push(walk.place.length === 0 ? key : `.${key}`);
  const written = read(walk, field.type, value);
  walk.path.pop();
  walk.place.pop();
  return field.presence === 'nonzero' && isZero(written) ? ABSENT : written;
}

function isZero(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function readItems(walk: Walk, type: NativeType, value: readonly unknown[]): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    walk.place.push(`[${index}]`);
    const written = read(walk, type, item);
    walk.place.pop();
    if (written === item) continue;
    changed ??= [...value];
    changed[index] = written;
  }
  return changed ?? value;
}

function readEntries(
  walk: Walk,
  type: NativeType,
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  let changed: Record<string, unknown> | undefined;
  for (const key of keysOf(walk, value)) {
    walk.place.push(`.${key}`);
    const written = read(walk, type, value[key]);
    walk.place.pop();
    if (written === value[key]) continue;
    changed ??= { ...value };
    setOwn(changed, key, written);
  }
  return changed ?? value;
}

function keysOf(walk: Walk, value: Readonly<Record<string, unknown>>): readonly string[] {
  const keys = Object.keys(value);
  return walk.sorted ? keys.sort() : keys;
}

function unknownField(walk: Walk, key: string): string {
  const place = walk.place.join('');
  return `unknown field ${goQuote(place === '' ? key : `${place}.${key}`)}`;
}

/** What the zero value of a type is written as. */
function zero(type: NativeType): unknown {
  if (type.kind === 'list' || type.kind === 'map') return null;
  if (type.kind !== 'struct') return zeroScalar(type);
  const fields: Record<string, unknown> = {};
  for (const [name, field] of type.required) fields[name] = field.presence === 'nullable' ? null : zero(field.type);
  return fields;
}
