/** What the two phases share: the request at hand, its facts, and the objects in the kind that a policy matched. */
import {
  type GroupVersionKind,
  type GroupVersionResource,
  internalError,
  type JsonObject,
  kindText,
  notFound,
  type Status,
} from '#kubernetes';
import type { AccessValues } from './access.ts';
import { type Attributes, namespaceOf } from './attributes.ts';
import type { CompiledParamKind } from './compiled.ts';
import type { NamespaceViews } from './environment.ts';
import type { FactsReader } from './facts-reader.ts';
import { CannotDecide, type NeedsCollector } from './needs.ts';
import type { PolicySet } from './policy-set.ts';
import type { Trace, TraceContext } from './trace.ts';

/** One pass over the policies of a phase. */
export interface Dispatch {
  readonly set: PolicySet;
  readonly attributes: Attributes;
  readonly facts: FactsReader;
  readonly collector: NeedsCollector;
  readonly access: AccessValues;
  readonly trace: (context: TraceContext) => Trace;
  readonly namespaceViews: NamespaceViews;
  /** The value of `request` for a matched resource and kind. */
  readonly request: (resource: GroupVersionResource, kind: GroupVersionKind) => JsonObject;
}

/** The stored namespace that evaluations see, or the status that ends the request. */
export type NamespaceResult =
  | { readonly value: JsonObject | null; readonly status?: undefined }
  | { readonly status: Status };

/**
 * The namespace of the request. What is known of it is taken in any case, since a missing one ends the request; it is
 * only asked for when an expression reads it.
 */
export function namespaceFor({ attributes, facts }: Dispatch, reads: boolean): NamespaceResult {
  const name = namespaceOf(attributes);
  if (name === '') return { value: null };
  const read = facts.knownNamespace(name) ?? (reads ? facts.namespace(name) : undefined);
  if (!read) return { value: null };
  if (!read.error) return { value: read.value };
  return { status: read.error.status ?? internalError(read.error.message) };
}

/** A missing namespace, as the mutating phase reports every failure to read it. */
export function namespaceNotFound(attributes: Attributes): Status {
  return notFound({ group: '', resource: 'namespaces' }, attributes.namespace);
}

/** The request's objects as the kind that a policy matched. */
export function versionedObjects(
  { set, attributes }: Dispatch,
  as: GroupVersionKind,
): { readonly object: JsonObject | null; readonly oldObject: JsonObject | null } {
  const convert = (object: JsonObject | null): JsonObject | null =>
    object && convertObject(set, object, attributes.objectKind, as);
  return { object: convert(attributes.object), oldObject: convert(attributes.oldObject) };
}

export function convertObject(
  set: PolicySet,
  object: JsonObject,
  from: GroupVersionKind,
  to: GroupVersionKind,
): JsonObject {
  const converted = set.equivalents.convert(object, from, to);
  if (converted) return converted;
  throw new CannotDecide(
    `an object of ${kindText(from)} has to be seen as ${kindText(to)}, which only the API server can do: let the webhook's rules name that version`,
  );
}

/** The param objects of a kind that travel with the policies. */
export function paramsOf(set: PolicySet, kind: CompiledParamKind | undefined): readonly JsonObject[] {
  return (kind && set.params.get(`${kind.apiVersion}/${kind.kind}`)) ?? [];
}
