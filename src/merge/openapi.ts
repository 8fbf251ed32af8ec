/**
 * OpenAPI v3 models as merge nodes, by the rules the API server converts its own documents with.
 *
 * API server: kube-openapi pkg/schemaconv (openapi.go, smd.go) with preserveUnknownFields=false.
 */
import { isList, isPlainMap, type PlainMap } from './data.ts';
import { type NodePool, nodePool, sortedEntries } from './pool.ts';
import type { KeyDefault, ScalarLetter, StoredNode, StoredSchema, StoredShape } from './schema.ts';

/** A schema, or why the document does not convert: one bad model spoils all of it, as upstream. */
export type Imported = { readonly schema: StoredSchema } | { readonly errors: readonly string[] };

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const RAW_EXTENSION = 'io.k8s.apimachinery.pkg.runtime.RawExtension';

/**
 * The kinds of one saved document (`kubectl get --raw /openapi/v3/apis/<group>/<version>`). Only models that name a
 * kind of `apiVersion` itself become kinds, as on the server.
 */
export function openApiSchema(document: unknown, apiVersion: string): Imported {
  const models = mapAt(mapAt(document, 'components'), 'schemas');
  const pool = nodePool();
  const errors: string[] = [];
  const indexes = new Map(Object.keys(models).map((name) => [name, pool.reserve()]));
  const converter = modelConverter(pool, (name) => indexes.get(name), errors);
  for (const [name, model] of sortedEntries(models)) {
    const index = indexes.get(name);
    if (index !== undefined) pool.fill(index, namedNode(name, model, converter));
  }
  converter.finish();
  const kinds: Record<string, number> = {};
  for (const [name, model] of sortedEntries(models)) {
    for (const kind of kindsOf(model, apiVersion)) {
      if (Object.hasOwn(kinds, kind)) errors.push(`duplicate entry for ${apiVersion}, Kind=${kind}`);
      kinds[kind] = indexes.get(name) ?? -1;
    }
  }
  return errors.length > 0 ? { errors } : { schema: { types: pool.types, kinds: { [apiVersion]: kinds } } };
}

function namedNode(name: string, model: unknown, converter: ModelConverter): StoredNode {
  if (name === QUANTITY) return 'u';
  if (name === RAW_EXTENSION) return { ...converter.untyped };
  return converter.node(model, false);
}

function kindsOf(model: unknown, apiVersion: string): string[] {
  const list = at(model, 'x-kubernetes-group-version-kind');
  if (!isList(list)) return [];
  return list.flatMap((entry) => {
    const group = at(entry, 'group');
    const version = at(entry, 'version');
    const kind = at(entry, 'kind');
    if (typeof kind !== 'string' || kind === '') return [];
    return (group === '' || group === undefined ? version : `${group}/${version}`) === apiVersion ? [kind] : [];
  });
}

/** Converts models into a pool; `finish` must be called once all named nodes are filled. */
export interface ModelConverter {
  /** The content of a model's node; `preserve` says whether undeclared keys are kept here. */
  node(model: unknown, preserve: boolean): StoredNode;
  finish(): void;
  /** The untyped atomic type: any scalar, an atomic list, an atomic map. */
  readonly untyped: StoredShape;
}

/** A converter. `named` finds the node of a referenced model; faults are added to `errors`. */
export function modelConverter(
  pool: NodePool,
  named: (name: string) => number | undefined,
  errors: string[],
): ModelConverter {
  const untypedIndex = pool.reserve();
  const deducedIndex = pool.reserve();
  const untyped: StoredShape = { u: 'u', l: untypedIndex, m: {}, e: untypedIndex, a: 1 };
  pool.fill(untypedIndex, untyped);
  pool.fill(deducedIndex, { u: 'u', l: untypedIndex, m: {}, e: deducedIndex });
  const overrides: { readonly index: number; readonly target: number; readonly atomic: boolean }[] = [];

  function reference(model: unknown, preserve: boolean): number {
    const name = referenceName(model);
    if (name === undefined) return pool.add(node(model, preserve));
    const target = named(name);
    if (target === undefined) {
      errors.push(`no type found matching: ${name}`);
      return untypedIndex;
    }
    const mapType = at(model, 'x-kubernetes-map-type');
    if (mapType === undefined) return target;
    const index = pool.reserve();
    overrides.push({ index, target, atomic: isAtomicMap(model) });
    return index;
  }

  function node(model: unknown, inherited: boolean): StoredNode {
    const preserve = inherited || at(model, 'x-kubernetes-preserve-unknown-fields') === true;
    const type = at(model, 'type');
    switch (type) {
      case 'object':
        return mapShape(model, preserve);
      case 'array':
        return listShape(model, preserve, false);
      case 'integer':
      case 'number':
        return 'n';
      case 'boolean':
        return 'b';
      case 'string':
        return stringClass(at(model, 'format'));
      case undefined:
      case '':
        return { u: 'u', ...listShape(model, preserve, true), ...mapShape(model, preserve) };
      default:
        errors.push(`unrecognized type: '${String(type)}'`);
        return 'u';
    }
  }

  function mapShape(model: unknown, preserve: boolean): StoredShape {
    const properties = sortedEntries(mapAt(model, 'properties'));
    const fields = properties.map(([name, field]) => [name, reference(field, preserve)] as const);
    const defaults = properties.flatMap(([name, field]) => {
      const value = at(field, 'default');
      return isKeyDefault(value) ? [[name, value] as const] : [];
    });
    const other = otherKeys(model, properties.length === 0, preserve);
    return {
      ...(isAtomicMap(model) ? { a: 1 } : {}),
      m: Object.fromEntries(fields),
      ...(other === undefined ? {} : { e: other }),
      ...(defaults.length === 0 ? {} : { d: Object.fromEntries(defaults) }),
    };
  }

  function otherKeys(model: unknown, empty: boolean, preserve: boolean): number | undefined {
    const additional = at(model, 'additionalProperties');
    if (additional === undefined) return preserve || empty ? deducedIndex : undefined;
    if (typeof additional === 'boolean') return additional ? deducedIndex : undefined;
    return reference(additional, preserve);
  }

  function isAtomicMap(model: unknown): boolean {
    const type = at(model, 'x-kubernetes-map-type');
    if (type !== undefined && type !== 'atomic' && type !== 'granular') {
      errors.push(`unknown map type ${String(type)}`);
    }
    return type === 'atomic';
  }

  function listShape(model: unknown, preserve: boolean, typeless: boolean): StoredShape {
    const items = at(model, 'items');
    if (items === undefined && !typeless) errors.push('array should have exactly one sub-item');
    const item = items === undefined ? untypedIndex : reference(items, preserve);
    const keys = listKeys(model, errors);
    return { l: item, ...(keys === undefined ? {} : { k: keys }) };
  }

  function finish(): void {
    for (const { index, target, atomic } of overrides) {
      const source = pool.types[target];
      if (source === undefined || typeof source === 'string') {
        pool.fill(index, source ?? 'u');
        continue;
      }
      const { a: _, ...rest } = source;
      pool.fill(index, atomic ? { ...rest, a: 1 } : rest);
    }
  }

  return { node, finish, untyped };
}

/** The model's name behind `$ref`, alone or as the only member of `allOf`. */
function referenceName(model: unknown): string | undefined {
  const allOf = at(model, 'allOf');
  const ref = at(model, '$ref') ?? (isList(allOf) && allOf.length === 1 ? at(allOf[0], '$ref') : undefined);
  return typeof ref === 'string' && ref !== '' ? ref.slice(ref.lastIndexOf('/') + 1) : undefined;
}

function stringClass(format: unknown): ScalarLetter {
  return format === undefined || format === '' || format === 'byte' ? 's' : 'u';
}

/** Key names, 0 for a set, `undefined` for an atomic list. */
function listKeys(model: unknown, errors: string[]): readonly string[] | 0 | undefined {
  const type = at(model, 'x-kubernetes-list-type');
  const strategy = at(model, 'x-kubernetes-patch-strategy');
  switch (type) {
    case 'atomic':
      return undefined;
    case 'set':
      return 0;
    case 'map': {
      const keys = at(model, 'x-kubernetes-list-map-keys');
      if (isList(keys) && keys.length > 0) return keys.map(String);
      errors.push('missing map keys');
      return undefined;
    }
    case undefined:
      break;
    default:
      errors.push(`unknown list type ${String(type)}`);
      return undefined;
  }
  if (strategy === 'merge' || strategy === 'merge,retainKeys') {
    const key = at(model, 'x-kubernetes-patch-merge-key');
    return typeof key === 'string' ? [key] : 0;
  }
  if (strategy !== undefined && strategy !== 'retainKeys') errors.push(`unknown patch strategy ${String(strategy)}`);
  return undefined;
}

function isKeyDefault(value: unknown): value is KeyDefault {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** An own member of a JSON object. */
export function at(value: unknown, key: string): unknown {
  return isPlainMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** An own member that is an object, or an empty one. */
export function mapAt(value: unknown, key: string): PlainMap {
  const found = at(value, key);
  return isPlainMap(found) ? found : {};
}
