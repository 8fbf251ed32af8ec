/**
 * Which resources are served under several names, and of which kind each name is: what matchPolicy Equivalent walks
 * through (API server: apimachinery runtime.EquivalentResourceMapper).
 */
import {
  apiVersionOf,
  BUILTIN_RESOURCES,
  type GroupVersionKind,
  type GroupVersionResource,
  type JsonObject,
  sameKind,
  sameResource,
} from '#kubernetes';
import type { Attributes } from './attributes.ts';
import type { CompiledCustomResource } from './compiled.ts';

/** One name of a resource. A list of them is one resource served under all of these names. */
export interface ServedResource extends GroupVersionResource {
  readonly subresource?: string;
  readonly kind: string;
  /** Group and version of the kind where they are not the resource's. */
  readonly kindGroup?: string;
  readonly kindVersion?: string;
}

interface Registration {
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly kind: GroupVersionKind;
  /** Equal for names of the same resource. */
  readonly identity: string;
}

export interface Equivalents {
  /** The names of a resource, itself included, in order of registration. */
  others(attributes: Attributes): readonly GroupVersionResource[];
  /** The kind of a resource with the request's subresource. */
  kindFor(attributes: Attributes, resource: GroupVersionResource): GroupVersionKind | undefined;
  /** An object of one kind as another, or `undefined` when that needs knowledge that only the cluster has. */
  convert(object: JsonObject, from: GroupVersionKind, to: GroupVersionKind): JsonObject | undefined;
}

/** Built-in resources that live under two groups. */
const IDENTITY: ReadonlyMap<string, string> = new Map([
  ['/events', 'events'],
  ['events.k8s.io/events', 'events'],
]);

export function equivalents(
  declared: readonly (readonly ServedResource[])[],
  customResources: readonly CompiledCustomResource[],
): Equivalents {
  const identities = new Map(IDENTITY);
  declared.forEach((set, index) => {
    for (const { group, resource } of set) identities.set(`${group}/${resource}`, `declared ${index}`);
  });
  const registrations: Registration[] = [];
  const add = (resource: GroupVersionResource, subresource: string, kind: GroupVersionKind): void => {
    if (registrations.some((row) => row.subresource === subresource && sameResource(row.resource, resource))) return;
    const name = `${resource.group}/${resource.resource}`;
    registrations.push({ resource, subresource, kind, identity: identities.get(name) ?? name });
  };
  for (const set of declared) for (const name of set) add(name, name.subresource ?? '', kindOf(name));
  for (const row of BUILTIN_RESOURCES) {
    if (!MANY_VERSIONS.has(row.kind)) continue;
    for (const subresource of ['', 'status']) add(row, subresource, row);
  }
  for (const { group, kind, resource, versions } of customResources) {
    for (const { name: version, subresources } of versions) {
      add({ group, version, resource }, '', { group, version, kind });
      for (const subresource of subresources)
        add({ group, version, resource }, subresource, subresource === 'scale' ? SCALE : { group, version, kind });
    }
  }

  /** The review itself names a resource twice when the API server converted. */
  const withRequest = (attributes: Attributes): readonly Registration[] => {
    if (sameResource(attributes.resource, attributes.objectResource)) return registrations;
    const original = identityOf(registrations, identities, attributes.resource);
    const served = registrations.some(
      (row) =>
        row.subresource === attributes.objectSubresource && sameResource(row.resource, attributes.objectResource),
    );
    if (served) return registrations;
    return [
      ...registrations,
      {
        resource: attributes.objectResource,
        subresource: attributes.subresource,
        kind: attributes.objectKind,
        identity: original,
      },
    ];
  };

  return {
    others: (attributes) => {
      const rows = withRequest(attributes);
      const identity = identityOf(rows, identities, attributes.resource);
      return rows
        .filter((row) => row.subresource === attributes.subresource && row.identity === identity)
        .map((row) => row.resource);
    },
    kindFor: (attributes, resource) =>
      withRequest(attributes).find(
        (row) => row.subresource === attributes.subresource && sameResource(row.resource, resource),
      )?.kind,
    convert: (object, from, to) => {
      if (sameKind(from, to)) return object;
      const asDeclared = declared.some((set) =>
        [from, to].every((kind) => set.some((name) => sameKind(kindOf(name), kind))),
      );
      const asCustom =
        from.group === to.group &&
        from.kind === to.kind &&
        customResources.some((row) => row.convertible && row.group === from.group && row.kind === from.kind);
      return asDeclared || asCustom ? { ...object, apiVersion: apiVersionOf(to), kind: to.kind } : undefined;
    },
  };
}

const SCALE: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
/** The built-in kinds that have more than one stable name. */
const MANY_VERSIONS: ReadonlySet<string> = new Set(['HorizontalPodAutoscaler', 'Event']);

function kindOf(name: ServedResource): GroupVersionKind {
  return { group: name.kindGroup ?? name.group, version: name.kindVersion ?? name.version, kind: name.kind };
}

function identityOf(
  rows: readonly Registration[],
  identities: ReadonlyMap<string, string>,
  resource: GroupVersionResource,
): string {
  const name = `${resource.group}/${resource.resource}`;
  return rows.find((row) => sameResource(row.resource, resource))?.identity ?? identities.get(name) ?? name;
}
