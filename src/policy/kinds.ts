/**
 * What the engine knows of the kinds that it mutates: how they merge, how a built-in kind's Go type writes an object
 * back, which defaults a custom resource has.
 */
import { Double } from '#cel/runtime';
import { applyPatch, type Operation } from '#jsonpatch';
import {
  apiVersionOf,
  BUILTIN_RESOURCES,
  type GroupVersionKind,
  goJson,
  goQuote,
  internalError,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonNumbers,
  kindText,
  parseApiVersion,
  stringAt,
} from '#kubernetes';
import { applyConfiguration, lookup, type MergeSchema, settleEmptyLiterals } from '#merge';
import type { CompiledCustomResource } from './compiled.ts';
import { withDefaults } from './custom-defaults.ts';
import type { Mutated } from './mutate.ts';
import type { PlainObject } from './object-plain.ts';

export type Patched =
  | { readonly kind: 'patched'; readonly value: Json }
  | { readonly kind: 'test-failed' }
  | { readonly kind: 'error'; readonly error: string }
  | { readonly kind: 'panic'; readonly error: string };

/** What is known of an object from the mutations before: whatever is still shared with these is not walked again. */
export interface Known {
  /** An earlier form that fits the merge schema. */
  valid?: JsonObject | undefined;
  /** An earlier form that came out of the Go type. */
  written?: JsonObject | undefined;
}

export interface KindKnowledge {
  /** Whether the API server has a schema document for the kind's group and version. */
  served(kind: GroupVersionKind): boolean;
  /** Whether the API server holds the kind as a Go type. */
  isBuiltin(kind: GroupVersionKind): boolean;
  /**
   * Structured merge; the text goes behind `error applying patch: `. A custom resource keeps the patch's empty list
   * literals (see `written`).
   */
  merge(
    kind: GroupVersionKind,
    live: JsonObject,
    patch: PlainObject,
    known: Known,
  ): { readonly object: JsonObject } | { readonly error: string };
  /** The merged object as the next mutation sees it. */
  settle(kind: GroupVersionKind, merged: JsonObject, known: Known): Mutated;
  /** JSON Patch; the text goes behind `JSON Patch: `. */
  patch(kind: GroupVersionKind, live: JsonObject, operations: readonly Operation[]): Patched;
  /** The patched document as the next mutation sees it: decoded strictly. */
  decode(kind: GroupVersionKind, document: Json, known: Known): Mutated;
  /** A mutated object as the kind that the policy matched, though a patch may have changed its version; or why that cannot be. */
  restore(object: JsonObject, kind: GroupVersionKind): { readonly object: JsonObject } | { readonly error: string };
  /**
   * The object as JSON text has it: the empty list literals of a custom resource, lists until then, are null there, and
   * its whole doubles integers.
   */
  written(kind: GroupVersionKind, object: JsonObject): JsonObject;
}

/** Takes a built-in object through its Go type and back. */
export type RoundTrip = (
  kind: GroupVersionKind,
  object: JsonObject,
  options: { readonly strict: boolean; readonly known?: JsonObject | undefined },
) => { readonly object: JsonObject } | { readonly error: string; readonly internal: boolean };

/** The number in a boxed double: the one value of the data that is not plain. */
export function unbox(value: object): number | undefined {
  return value instanceof Double ? value.value : undefined;
}

export function kindKnowledge(
  schema: MergeSchema,
  customResources: readonly CompiledCustomResource[],
  roundTrip: RoundTrip,
): KindKnowledge {
  // the API server knows every kind of its own groups as a Go type
  const isBuiltin = ({ group }: GroupVersionKind): boolean => BUILTIN_GROUPS.has(group);
  const customVersion = ({
    group,
    kind,
    version,
  }: GroupVersionKind): CompiledCustomResource['versions'][number] | undefined =>
    customResources
      .find((row) => row.group === group && row.kind === kind)
      ?.versions.find(({ name }) => name === version);
  const defaulted = (kind: GroupVersionKind, object: JsonObject): JsonObject => {
    const apiVersion = stringAt(object, 'apiVersion');
    const version = customVersion({ ...kind, version: apiVersion.slice(apiVersion.indexOf('/') + 1) });
    return version?.defaults ? withDefaults(object, version.defaults) : object;
  };
  const throughGo = (kind: GroupVersionKind, object: JsonObject, strict: boolean, known: Known): Mutated => {
    const result = roundTrip(kind, object, { strict, known: known.written });
    if ('object' in result) {
      known.written = result.object;
      return { object: result.object };
    }
    return result.internal ? { status: internalError(result.error) } : { error: result.error };
  };
  const written = (kind: GroupVersionKind, object: JsonObject): JsonObject => {
    if (isBuiltin(kind)) return object;
    const text = jsonNumbers(jsonOf(settleEmptyLiterals(object)), unbox);
    return isJsonObject(text) ? text : object;
  };
  return {
    written,
    served: (kind) => isBuiltin(kind) || lookup(schema, apiVersionOf(kind), kind.kind).kind !== 'no-document',
    isBuiltin,
    merge: (kind, live, patch, known) => {
      const applied = applyConfiguration(schema, { apiVersion: apiVersionOf(kind), kind: kind.kind }, live, patch, {
        unbox,
        literals: isBuiltin(kind) ? 'settle' : 'keep',
        known: known.valid,
      });
      if ('error' in applied) return applied;
      const object = isJsonObject(applied.object) ? applied.object : live;
      known.valid = object;
      return { object };
    },
    settle: (kind, merged, known) =>
      isBuiltin(kind) ? throughGo(kind, merged, false, known) : { object: defaulted(kind, merged) },
    patch: (kind, live, operations) => {
      const result = applyPatch(written(kind, live), operations, unbox);
      if (result.kind === 'patched') return { kind: 'patched', value: jsonOf(result.document) };
      if (result.kind === 'panic')
        return { kind: 'panic', error: 'runtime error: invalid memory address or nil pointer dereference' };
      return result;
    },
    decode: (kind, document, known) => {
      if (!isJsonObject(document)) return { status: internalError('the patched document is no object') };
      if (isBuiltin(kind)) return throughGo(kind, document, true, known);
      if (stringAt(document, 'kind') === '')
        return { status: internalError(`Object 'Kind' is missing in '${goJson(document)}'`) };
      const read = jsonNumbers(document, unbox);
      return { object: defaulted(kind, isJsonObject(read) ? read : document) };
    },
    restore: (object, kind) => {
      const apiVersion = stringAt(object, 'apiVersion');
      const wanted = apiVersionOf(kind);
      if (isBuiltin(kind) || apiVersion === wanted) return { object };
      const said = parseApiVersion(apiVersion);
      const convertible = customResources.some(
        (row) => row.convertible && row.group === kind.group && row.kind === kind.kind,
      );
      if (convertible && said?.group === kind.group && customVersion({ ...kind, version: said.version })) {
        return { object: { ...object, apiVersion: wanted } };
      }
      const text = kindText({ group: '', version: apiVersion, ...said, kind: stringAt(object, 'kind') });
      return { error: `${text} is unstructured and is not suitable for converting to ${goQuote(wanted)}` };
    },
  };
}

const BUILTIN_GROUPS: ReadonlySet<string> = new Set([
  ...BUILTIN_RESOURCES.map(({ group }) => group),
  'extensions',
  'imagepolicy.k8s.io',
  'internal.apiserver.k8s.io',
  'storagemigration.k8s.io',
]);

/** A document that patches made of JSON is JSON. */
function jsonOf(document: unknown): Json {
  return document as Json;
}
