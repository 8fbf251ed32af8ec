/**
 * A CustomResourceDefinition's versions as merge schemas, as the API server publishes and converts them.
 *
 * API server: apiextensions-apiserver controller/openapi/builder. Published is the structural schema with apiVersion,
 * kind and metadata forced in at the root and in every embedded resource; a version without a structural schema is
 * an object of which nothing is known.
 */
import { indexOf } from './closure.ts';
import { isList, isPlainMap } from './data.ts';
import { at, type Imported, mapAt, modelConverter } from './openapi.ts';
import { nodePool, sortedEntries } from './pool.ts';
import type { StoredSchema } from './schema.ts';

const OBJECT_META = 'ObjectMeta';

/**
 * The served versions of one CRD object; `builtin` lends the node of ObjectMeta (from its v1 ConfigMap). Faults are
 * texts about the first bad place of a version.
 */
export function crdSchema(crd: unknown, builtin: StoredSchema): Imported {
  const spec = mapAt(crd, 'spec');
  const kind = at(mapAt(spec, 'names'), 'kind');
  const group = at(spec, 'group');
  const versions = at(spec, 'versions');
  if (typeof kind !== 'string' || typeof group !== 'string' || !isList(versions)) {
    return { errors: ['not a CustomResourceDefinition: spec.group, spec.names.kind and spec.versions are needed'] };
  }
  const pool = nodePool();
  const errors: string[] = [];
  const metadata = objectMeta(builtin);
  const converter = modelConverter(
    pool,
    (name) => (name === OBJECT_META && metadata !== undefined ? pool.copy(builtin, metadata) : undefined),
    errors,
  );
  const kinds: Record<string, Record<string, number>> = {};
  for (const version of versions) {
    const name = at(version, 'name');
    if (typeof name !== 'string' || at(version, 'served') !== true) continue;
    const schema = at(mapAt(version, 'schema'), 'openAPIV3Schema');
    const model = isStructural(schema) ? published(schema, true) : { type: 'object' };
    kinds[`${group}/${name}`] = { [kind]: pool.add(converter.node(model, false)) };
  }
  converter.finish();
  return errors.length > 0 ? { errors } : { schema: { types: pool.types, kinds } };
}

function objectMeta(builtin: StoredSchema): number | undefined {
  const index = indexOf(builtin, 'v1', 'ConfigMap');
  const node = index === undefined ? undefined : builtin.types[index];
  return typeof node === 'object' && node.m !== undefined ? node.m['metadata'] : undefined;
}

/** Whether a type stands everywhere and none has both properties and additionalProperties. */
function isStructural(schema: unknown): boolean {
  if (!isPlainMap(schema)) return false;
  const untyped =
    at(schema, 'x-kubernetes-int-or-string') === true || at(schema, 'x-kubernetes-preserve-unknown-fields') === true;
  if (!untyped && (at(schema, 'type') ?? '') === '') return false;
  const additional = at(schema, 'additionalProperties');
  const properties = Object.values(mapAt(schema, 'properties'));
  if (properties.length > 0 && additional !== undefined) return false;
  const items = at(schema, 'items');
  return (
    properties.every(isStructural) &&
    (additional === undefined || typeof additional === 'boolean' || isStructural(additional)) &&
    (items === undefined || isStructural(items))
  );
}

/** Keywords that survive publication and matter here. */
const KEPT: readonly string[] = [
  'type',
  'format',
  'default',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
];

function published(schema: unknown, resource: boolean): Record<string, unknown> {
  const model: Record<string, unknown> = {};
  for (const keyword of KEPT) {
    const value = at(schema, keyword);
    if (value !== undefined) model[keyword] = value;
  }
  if (at(schema, 'x-kubernetes-int-or-string') === true) delete model['type'];
  const properties = sortedEntries(mapAt(schema, 'properties')).map(
    ([name, field]) => [name, published(field, false)] as const,
  );
  const embedded = resource || at(schema, 'x-kubernetes-embedded-resource') === true;
  if (embedded || properties.length > 0) {
    model['properties'] = Object.fromEntries([...properties, ...(embedded ? RESOURCE_FIELDS : [])]);
  }
  const items = at(schema, 'items');
  if (items !== undefined) model['items'] = published(items, false);
  const additional = at(schema, 'additionalProperties');
  if (additional !== undefined) {
    model['additionalProperties'] = typeof additional === 'boolean' ? additional : published(additional, false);
  }
  return model;
}

const RESOURCE_FIELDS: readonly (readonly [string, unknown])[] = [
  ['apiVersion', { type: 'string' }],
  ['kind', { type: 'string' }],
  ['metadata', { $ref: `#/definitions/${OBJECT_META}` }],
];
