import { describe, expect, test } from 'vitest';
import { applyConfiguration, link, lookup } from '#merge';
import { builtinSchema, closure, crdSchema, openApiSchema } from '#merge/schemas';

const POD = { apiVersion: 'v1', kind: 'Pod' };
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' };

describe('the closure of some kinds', () => {
  const builtin = builtinSchema();

  test('is the same bytes for the same kinds in any order', () => {
    const one = JSON.stringify(closure([builtin], [POD, DEPLOYMENT]));
    expect(JSON.stringify(closure([builtin], [DEPLOYMENT, POD]))).toBe(one);
    const again: unknown = JSON.parse(one);
    expect(JSON.stringify(closure([again as typeof builtin], [POD, DEPLOYMENT]))).toBe(one);
  });

  test('merges as the whole does', () => {
    const live = { ...POD, spec: { containers: [{ name: 'a', env: [{ name: 'X', value: '1' }] }] } };
    const patch = { spec: { containers: [{ name: 'a', env: [{ name: 'Y', value: '2' }] }, { name: 'b' }] } };
    const pruned = applyConfiguration(link(closure([builtin], [POD])), POD, live, patch);
    expect(pruned).toEqual(applyConfiguration(link(builtin), POD, live, patch));
  });

  test('knows a document of which no kind is wanted, and nothing of others', () => {
    const linked = link(
      closure(
        [builtin],
        [
          { apiVersion: 'policy/v1', kind: 'Eviction' },
          { apiVersion: 'x/v1', kind: 'Y' },
        ],
      ),
    );
    expect(lookup(linked, 'policy/v1', 'Eviction')).toEqual({ kind: 'no-type' });
    expect(lookup(linked, 'x/v1', 'Y')).toEqual({ kind: 'no-document' });
  });

  test('takes a kind from the first schema that has it', () => {
    const own = { types: ['s' as const, { m: { only: 0 } }], kinds: { v1: { Pod: 1 } } };
    expect(closure([own, builtin], [POD]).types).toHaveLength(2);
  });

  test('is a small part', () => {
    expect(JSON.stringify(closure([builtin], [POD])).length).toBeLessThan(12_000);
  });
});

const WIDGET = { apiVersion: 'example.com/v1', kind: 'Widget' };

function crd(schema: unknown): unknown {
  const version = {
    name: 'v1',
    served: true,
    ...(schema === undefined ? {} : { schema: { openAPIV3Schema: schema } }),
  };
  return { spec: { group: 'example.com', names: { kind: 'Widget' }, versions: [version] } };
}

function applyTo(schema: unknown, live: object, patch: object): unknown {
  const imported = crdSchema(crd(schema), builtinSchema());
  if ('errors' in imported) return imported;
  const outcome = applyConfiguration(link(imported.schema), WIDGET, { ...WIDGET, ...live }, { ...patch });
  return 'error' in outcome ? outcome : { ...outcome.object, apiVersion: undefined, kind: undefined };
}

describe('a custom resource', () => {
  const structural = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
  };

  test.each<[string, unknown, object, object, object]>([
    [
      'has typed metadata whatever its schema says',
      { ...structural, properties: { metadata: { type: 'object' } } },
      { metadata: { finalizers: ['a'] } },
      { metadata: { finalizers: ['b'] } },
      { metadata: { finalizers: ['a', 'b'] } },
    ],
    [
      'without a schema takes every key and replaces every list',
      undefined,
      { metadata: { finalizers: ['a'] }, x: [1] },
      { metadata: { finalizers: ['b'] }, x: [2] },
      { metadata: { finalizers: ['b'] }, x: [2] },
    ],
    [
      'whose schema is not structural is like one without',
      { properties: { spec: {} } },
      { spec: { a: 1 } },
      { spec: { b: [1] } },
      { spec: { a: 1, b: [1] } },
    ],
    [
      'that keeps unknown fields at its root merges them deep',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { spec: { m: { x: 1 } } },
      { spec: { m: { y: 2 } } },
      { spec: { m: { x: 1, y: 2 } } },
    ],
    [
      'passes the keeping of unknown fields on to what is inside',
      {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { a: { type: 'object', properties: { b: { type: 'string' } } } },
          },
        },
      },
      {},
      { spec: { a: { z: 1 } } },
      { spec: { a: { z: 1 } } },
    ],
    [
      'refuses undeclared fields otherwise',
      structural,
      {},
      { spec: { b: 1 } },
      { error: 'failed to convert patch object to typed object: .spec.b: field not declared in schema' },
    ],
  ])('%s', (_, schema, live, patch, expected) => {
    expect(applyTo(schema, live, patch)).toEqual(expected);
  });

  test('is known in its served versions only', () => {
    const both = {
      spec: {
        group: 'g.io',
        names: { kind: 'K' },
        versions: [
          { name: 'v1', served: true },
          { name: 'v2', served: false },
        ],
      },
    };
    expect(crdSchema(both, builtinSchema())).toMatchObject({
      schema: { kinds: { 'g.io/v1': { K: expect.any(Number) } } },
    });
  });

  test('that is none is an error', () => {
    expect(crdSchema({ kind: 'ConfigMap' }, builtinSchema())).toMatchObject({ errors: [expect.any(String)] });
  });
});

describe('a saved OpenAPI document', () => {
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const document = {
    components: {
      schemas: {
        'io.k8s.api.x.Thing': {
          type: 'object',
          'x-kubernetes-group-version-kind': [
            { group: 'x.io', version: 'v1', kind: 'Thing' },
            { group: '', version: 'v1', kind: 'Other' },
          ],
          properties: {
            apiVersion: { type: 'string' },
            kind: { type: 'string' },
            quantity: ref('io.k8s.apimachinery.pkg.api.resource.Quantity'),
            raw: ref('io.k8s.apimachinery.pkg.runtime.RawExtension'),
            whole: { allOf: [ref('Pair')] },
            granular: { ...ref('Pair'), 'x-kubernetes-map-type': 'granular' },
            tree: ref('Tree'),
            time: { type: 'string', format: 'date-time' },
            old: {
              type: 'array',
              items: ref('Item'),
              'x-kubernetes-patch-strategy': 'merge',
              'x-kubernetes-patch-merge-key': 'name',
            },
          },
        },
        'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string' },
        'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object' },
        Pair: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          properties: { a: { type: 'integer' }, b: { type: 'integer' } },
        },
        Tree: { type: 'object', properties: { left: ref('Tree'), name: { type: 'string' } } },
        Item: { type: 'object', properties: { name: { type: 'string', default: '' }, value: { type: 'string' } } },
      },
    },
  };
  const kind = { apiVersion: 'x.io/v1', kind: 'Thing' };
  const imported = openApiSchema(document, 'x.io/v1');
  if ('errors' in imported) throw new Error(imported.errors.join());
  const schema = link(imported.schema);

  test.each<[string, object, object, object]>([
    ['a quantity may be a number', {}, { quantity: 1 }, { quantity: 1 }],
    [
      'a reference may override atomicity',
      { granular: { a: 1 } },
      { granular: { b: 2 } },
      { granular: { a: 1, b: 2 } },
    ],
    [
      'models may reach themselves',
      { tree: { left: { name: 'a' } } },
      { tree: { left: { left: { name: 'b' } } } },
      { tree: { left: { name: 'a', left: { name: 'b' } } } },
    ],
    [
      'a patch strategy gives keys',
      { old: [{ name: 'a', value: '1' }] },
      { old: [{ name: 'a' }, {}] },
      { old: [{ name: 'a', value: '1' }, {}] },
    ],
    ['a time may be any scalar', {}, { time: 5 }, { time: 5 }],
  ])('%s', (_, live, patch, expected) => {
    expect(applyConfiguration(schema, kind, { ...kind, ...live }, { ...patch })).toEqual({
      object: { ...kind, ...expected },
    });
  });

  test('a model in a single allOf is a reference', () => {
    expect(applyConfiguration(schema, kind, kind, { whole: { a: 1 }, raw: { x: 1 } })).toEqual({
      error: 'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .whole, .raw',
    });
  });

  test('holds the kinds of its own group and version', () => {
    expect(lookup(schema, 'x.io/v1', 'Other')).toEqual({ kind: 'no-type' });
    expect(lookup(schema, 'v1', 'Other')).toEqual({ kind: 'no-document' });
  });

  test.each<[string, object, string]>([
    ['an unknown list type', { type: 'array', items: {}, 'x-kubernetes-list-type': 'bag' }, 'unknown list type bag'],
    ['an unknown map type', { type: 'object', 'x-kubernetes-map-type': 'x' }, 'unknown map type x'],
    ['a list without items', { type: 'array' }, 'array should have exactly one sub-item'],
    ['a reference to nothing', { $ref: '#/components/schemas/Nope' }, 'no type found matching: Nope'],
    ['a keyed list without keys', { type: 'array', items: {}, 'x-kubernetes-list-type': 'map' }, 'missing map keys'],
  ])('%s spoils all of it', (_, property, error) => {
    const models = { X: { type: 'object', properties: { a: property } } };
    expect(openApiSchema({ components: { schemas: models } }, 'v1')).toEqual({ errors: [error] });
  });
});
