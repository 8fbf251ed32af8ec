/**
 * A built-in object as it comes out of its Go type: what the next mutation sees, or why it could not be read.
 *
 * API server: after a JSON Patch the strict JSON decoder (sigs.k8s.io/json), after an ApplyConfiguration the converter
 * from unstructured data (apimachinery runtime/converter.go). Defaults of the API are not part of this.
 */
import type { GroupVersionKind } from '../admission.ts';
import { goQuote } from '../go-text.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../json.ts';
import { apiVersionOf } from '../resources.ts';
import type { Unbox } from './numbers.ts';
import { describe } from './scalar.ts';
import { type NativeSchema, nativeStruct, type StructType } from './schema.ts';
import { newWalk, readObject, type Walk } from './walk.ts';

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
export type RoundTrip = { readonly object: JsonObject } | { readonly error: string; readonly internal: boolean };

/** `roundTrip` bound to a schema, in the shape that the engine asks for: strictly decoded, or converted from a merge. */
export type BoundRoundTrip = (
  kind: GroupVersionKind,
  object: Json,
  options: { readonly strict: boolean; readonly known?: JsonObject | undefined },
) => { readonly object: JsonObject } | { readonly error: string; readonly internal: boolean };

/** Binds a schema: `strict` decodes what a JSON Patch left, otherwise what a merge left is converted. */
export function boundRoundTrip(schema: NativeSchema, unbox: Unbox): BoundRoundTrip {
  return (kind, object, { strict, known }) =>
    roundTrip(
      schema,
      { apiVersion: apiVersionOf(kind), kind: kind.kind },
      object,
      strict ? 'strict' : 'convert',
      unbox,
      known,
    );
}

const SCHEME = 'k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30';

/**
 * Takes an object of `kind` through its Go type. The result shares with the input what did not change. A kind that the
 * schema does not have comes back as it is. `known` is a result for that kind: what the object shares with it is not read
 * again.
 */
export function roundTrip(
  schema: NativeSchema,
  kind: NativeKind,
  object: Json,
  mode: RoundTripMode,
  unbox: Unbox = () => undefined,
  known?: JsonObject,
): RoundTrip {
  const struct = nativeStruct(schema, kind.apiVersion, kind.kind);
  if (struct === undefined) return { object: isJsonObject(object) ? object : {} };
  if (mode === 'convert') return convert(struct, kind, object, unbox, known);
  const said = saidKind(object, kind, unbox);
  if ('error' in said) return { error: said.error, internal: true };
  const target = sameKind(said, kind) ? struct : nativeStruct(schema, said.apiVersion, said.kind);
  if (target === undefined) {
    const text = `no kind ${goQuote(said.kind)} is registered for version ${goQuote(said.apiVersion)}`;
    return { error: `${text} in scheme ${goQuote(SCHEME)}`, internal: true };
  }
  const decoded = decode(target, said, object, mode, unbox, target === struct ? known : undefined);
  if ('error' in decoded || target === struct) return decoded;
  const conversion = `converting (${target.go}) to (${struct.go}): unknown conversion`;
  return { error: `failed to convert object: ${conversion}`, internal: true };
}

function sameKind(a: NativeKind, b: NativeKind): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind;
}

/** The kind that the object itself says, with the expected one for what it leaves out. */
function saidKind(object: Json, kind: NativeKind, unbox: Unbox): NativeKind | { readonly error: string } {
  const failed = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (object !== null && !isJsonObject(object)) {
    const shape =
      'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
    return { error: `${failed} ${describe(object, unbox)} into Go value of type ${shape}` };
  }
  const said = { ...kind };
  for (const field of ['apiVersion', 'kind'] as const) {
    const value = (object === null ? null : own(object, field)) ?? null;
    if (value === null || value === '') continue;
    if (typeof value !== 'string') {
      return { error: `${failed} ${describe(value, unbox)} into Go struct field .${field} of type string` };
    }
    said[field] = value;
  }
  if (said.apiVersion.split('/').length > 2) return { error: `unexpected GroupVersion string: ${said.apiVersion}` };
  return said;
}

function convert(
  struct: StructType,
  kind: NativeKind,
  object: Json,
  unbox: Unbox,
  known: JsonObject | undefined,
): RoundTrip {
  const walk = newWalk('convert', unbox, false);
  const read = readObject(walk, struct, kind, object, known);
  if (walk.stop === undefined) return { object: read };
  const group = kind.apiVersion.includes('/') ? kind.apiVersion : `/${kind.apiVersion}`;
  return {
    error: `unable to convert unstructured object to ${group}, Kind=${kind.kind}: ${walk.stop}`,
    internal: false,
  };
}

function decode(
  struct: StructType,
  kind: NativeKind,
  object: Json,
  mode: RoundTripMode,
  unbox: Unbox,
  known: JsonObject | undefined,
): RoundTrip {
  let walk = newWalk('decode', unbox, false);
  let read = readObject(walk, struct, kind, object, known);
  if (hasFaults(walk)) {
    walk = newWalk('decode', unbox, true);
    read = readObject(walk, struct, kind, object, known);
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
