import { describe, expect, test } from 'vitest';
import { applyConfiguration, EMPTY_LITERAL, link, type PlainMap, settleEmptyLiterals } from '#merge';
import { builtinSchema, crdSchema } from '#merge/schemas';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const text = { type: 'string' };
const number = { type: 'integer' };
const keyed = (keys: string[], properties: object): object => ({
  type: 'array',
  items: object(properties),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

const crd = {
  spec: {
    group: 'example.com',
    names: { kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        schema: {
          openAPIV3Schema: object({
            spec: object({
              size: number,
              mode: text,
              flag: { type: 'boolean' },
              plain: { type: 'array', items: text },
              set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
              rules: keyed(['name'], { name: text, level: number, args: { type: 'array', items: text } }),
              ports: keyed(['port', 'protocol'], {
                port: number,
                protocol: { type: 'string', default: 'TCP' },
                name: text,
              }),
              color: object({ red: number }, { 'x-kubernetes-map-type': 'atomic' }),
              limits: { type: 'object', additionalProperties: object({ min: number, max: number }) },
              lists: { type: 'object', additionalProperties: { type: 'array', items: text } },
              port: { 'x-kubernetes-int-or-string': true },
              anything: { 'x-kubernetes-preserve-unknown-fields': true },
              free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              template: { type: 'object', 'x-kubernetes-embedded-resource': true },
            }),
          }),
        },
      },
    ],
  },
};

const imported = crdSchema(crd, builtinSchema());
if ('errors' in imported) throw new Error(imported.errors.join());
const schema = link(imported.schema);
const builtin = link(builtinSchema());
const WIDGET = { apiVersion: 'example.com/v1', kind: 'Widget' };

function applySpec(live: object, patch: object): unknown {
  const outcome = applyConfiguration(schema, WIDGET, { ...WIDGET, spec: { ...live } }, { spec: { ...patch } });
  return 'error' in outcome ? outcome.error : outcome.object['spec'];
}

const PATCH = 'failed to convert patch object to typed object: ';
const LIVE = 'failed to convert original object to typed object: ';
const ATOMIC = 'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ';

const item = (name: string, level?: number): object => (level === undefined ? { name } : { name, level });

describe('a merge', () => {
  test.each<[string, object, object, object]>([
    ['takes scalars from the patch and keeps the rest', { size: 1, mode: 'a' }, { size: 2 }, { size: 2, mode: 'a' }],
    ['null clears a scalar', { size: 1 }, { size: null }, { size: null }],
    ['null clears an atomic list', { plain: ['a'] }, { plain: null }, { plain: null }],
    ['null clears an atomic struct', { color: { red: 1 } }, { color: null }, { color: null }],
    ['null leaves a set with content', { set: ['a'] }, { set: null }, { set: ['a'] }],
    ['null leaves a map with content', { limits: { a: {} } }, { limits: null }, { limits: { a: {} } }],
    [
      'between two kinds of empty the patch wins',
      { limits: null, set: [] },
      { limits: {}, set: null },
      { limits: {}, set: null },
    ],
    ['a set takes new items by their place', { set: ['x', 'q'] }, { set: ['z', 'x'] }, { set: ['z', 'x', 'q'] }],
    [
      'a repeated item stays when it is not named',
      { set: ['x', 'q', 'x'] },
      { set: ['z'] },
      { set: ['x', 'q', 'x', 'z'] },
    ],
    ['a repeated item becomes one when it is named', { set: ['x', 'q', 'x'] }, { set: ['x'] }, { set: ['x', 'q'] }],
    [
      'a named repeated item is replaced, not merged',
      { rules: [item('a', 1), item('a', 2)] },
      { rules: [{ name: 'a' }] },
      { rules: [{ name: 'a' }] },
    ],
    [
      'keyed items merge by key',
      { rules: [item('a', 1)] },
      { rules: [item('b', 2), { name: 'a' }] },
      { rules: [item('b', 2), item('a', 1)] },
    ],
    [
      'the patch reorders what it names',
      { rules: ['a', 'x', 'b', 'c'].map((n) => item(n)) },
      { rules: [item('c'), item('a')] },
      { rules: ['x', 'b', 'c', 'a'].map((n) => item(n)) },
    ],
    [
      'others go first where both could',
      { rules: ['a', 'b', 'c'].map((n) => item(n)) },
      { rules: [item('b'), item('n')] },
      { rules: ['a', 'b', 'c', 'n'].map((n) => item(n)) },
    ],
    [
      'a new item goes right before the next shared one',
      { rules: ['a', 'b', 'c'].map((n) => item(n)) },
      { rules: [item('n'), item('b')] },
      { rules: ['a', 'n', 'b', 'c'].map((n) => item(n)) },
    ],
    [
      'a default stands in for a missing key',
      { ports: [{ port: 1, protocol: 'TCP' }] },
      { ports: [{ port: 1, name: 'a' }] },
      { ports: [{ port: 1, protocol: 'TCP', name: 'a' }] },
    ],
    [
      'an item may lack one of its keys',
      { ports: [{ port: 1, protocol: 'TCP' }] },
      { ports: [{ protocol: 'TCP' }] },
      { ports: [{ port: 1, protocol: 'TCP' }, { protocol: 'TCP' }] },
    ],
    [
      'map values merge',
      { limits: { a: { min: 1 } } },
      { limits: { a: { max: 2 }, b: { min: 3 } } },
      { limits: { a: { min: 1, max: 2 }, b: { min: 3 } } },
    ],
    [
      'lists in map values are replaced, unreported',
      { lists: { a: ['x'], b: ['q'] } },
      { lists: { a: ['z'] } },
      { lists: { a: ['z'], b: ['q'] } },
    ],
    ['an untyped value may change its kind', { port: 80 }, { port: 'web' }, { port: 'web' }],
    [
      'undeclared content merges deep, its lists are replaced',
      { free: { l: [1], m: { a: 1 } } },
      { free: { l: [9], m: { b: 2 } } },
      { free: { l: [9], m: { a: 1, b: 2 } } },
    ],
    [
      'keys may be called like members of every object',
      { limits: {} },
      { limits: JSON.parse('{"__proto__":{"min":1},"constructor":{"min":2}}') },
      { limits: JSON.parse('{"__proto__":{"min":1},"constructor":{"min":2}}') },
    ],
  ])('%s', (_, live, patch, expected) => {
    const before = JSON.stringify([live, patch]);
    expect(applySpec(live, patch)).toEqual(expected);
    expect(JSON.stringify([live, patch])).toBe(before);
  });

  test('shares what the patch leaves alone, and is the live object where nothing changes', () => {
    const live = { ...WIDGET, spec: { size: 1, rules: [item('a', 1), item('b', 1)] } };
    const changed = applyConfiguration(schema, WIDGET, live, { spec: { size: 2 } });
    expect('object' in changed && (changed.object['spec'] as typeof live.spec).rules).toBe(live.spec.rules);
    const same = applyConfiguration(schema, WIDGET, live, { spec: { rules: [item('b', 1)] } });
    expect('object' in same && same.object).toBe(live);
  });

  test('the patch cannot say another kind', () => {
    const outcome = applyConfiguration(schema, WIDGET, WIDGET, { apiVersion: 'v9', kind: 'Nope' });
    expect(outcome).toEqual({ object: WIDGET });
  });

  test('an empty list literal is a list while it is merged and null in JSON', () => {
    const patch: PlainMap = { spec: { set: EMPTY_LITERAL, free: { deep: EMPTY_LITERAL } } };
    expect(applyConfiguration(schema, WIDGET, WIDGET, patch)).toEqual({
      object: { ...WIDGET, spec: { set: null, free: { deep: null } } },
    });
    const kept = applyConfiguration(schema, WIDGET, WIDGET, patch, { literals: 'keep' });
    expect(kept).toEqual({ object: { ...WIDGET, spec: { set: [], free: { deep: [] } } } });
    expect('object' in kept && settleEmptyLiterals(kept.object)).toEqual({
      ...WIDGET,
      spec: { set: null, free: { deep: null } },
    });
    expect(applySpec({ set: ['a'] }, { set: EMPTY_LITERAL })).toEqual({ set: ['a'] });
  });
});

class Boxed {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

test('a boxed double is a number, and equals the integer as a key', () => {
  const unbox = (value: object): number | undefined => (value instanceof Boxed ? value.value : undefined);
  const live = { ...WIDGET, spec: { ports: [{ port: 80, protocol: 'TCP', name: 'a' }] } };
  const patch = { spec: { size: new Boxed(1), ports: [{ port: new Boxed(80), name: 'b' }] } };
  expect(applyConfiguration(schema, WIDGET, live, patch, { unbox })).toMatchObject({
    object: { spec: { ports: [{ name: 'b', protocol: 'TCP' }] } },
  });
  expect(applyConfiguration(schema, WIDGET, live, patch)).toMatchObject({ error: expect.stringContaining('errors:') });
});

describe('a refusal', () => {
  test.each<[string, object, object, string]>([
    ['an undeclared field', {}, { nope: 1 }, `${PATCH}.spec.nope: field not declared in schema`],
    ['a string for a number', {}, { size: 'a' }, `${PATCH}.spec.size: expected numeric (int or float), got string`],
    [
      'a number for a string',
      {},
      { mode: 5 },
      `${PATCH}.spec.mode: expected string, got &value.valueUnstructured{Value:5}`,
    ],
    ['a number for a boolean', {}, { flag: 1 }, `${PATCH}.spec.flag: expected boolean, got &{1}`],
    ['a list for a map', {}, { limits: [1] }, `${PATCH}.spec.limits: expected map, got &{[1]}`],
    ['a map for a list', {}, { set: { a: 1 } }, `${PATCH}.spec.set: expected list, got &{map[a:1]}`],
    [
      'a foreign value in a free place',
      {},
      { free: { a: Symbol('x') } },
      `${PATCH}.spec.free.a: expected map, got &{{{undefined}}}`,
    ],
    [
      'an item twice in the patch',
      {},
      { rules: [item('a'), item('a')] },
      `${PATCH}.spec.rules: duplicate entries for key [name="a"]`,
    ],
    ['a set item twice', {}, { set: ['x', 'x'] }, `${PATCH}.spec.set: duplicate entries for key [="x"]`],
    [
      'an item without its only key',
      {},
      { rules: [{ level: 1 }] },
      `${PATCH}.spec.rules: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
    ],
    [
      'an item that is no map',
      {},
      { rules: ['a'] },
      `${PATCH}.spec.rules: element 0: associative list with keys may not have non-map elements`,
    ],
    [
      'an item that is null',
      {},
      { rules: [null] },
      `${PATCH}.spec.rules: element 0: associative list with keys may not have a null element`,
    ],
    [
      'a list in a set',
      {},
      { set: [['a']] },
      `${PATCH}.spec.set: element 0: not supported: associative list with lists as elements`,
    ],
    [
      'several faults',
      {},
      { size: 'a', rules: [{ name: 'x', level: 'y' }] },
      `${PATCH}errors:\n  .spec.size: expected numeric (int or float), got string\n  .spec.rules[name="x"].level: expected numeric (int or float), got string`,
    ],
    ['an atomic list, though empty', {}, { plain: [] }, `${ATOMIC}.spec.plain`],
    ['an atomic struct', {}, { color: { red: 1 } }, `${ATOMIC}.spec.color`],
    ['an atomic list in an item', {}, { rules: [{ name: 'a', args: [] }] }, `${ATOMIC}.spec.rules[0].args`],
    [
      'a list where a scalar or anything may stand',
      {},
      { port: [1], anything: [2] },
      `${ATOMIC}.spec.port, .spec.anything`,
    ],
    [
      'owners, whose struct is atomic',
      {},
      { template: { metadata: { ownerReferences: [{ uid: 'u' }] } } },
      `${ATOMIC}.spec.template.metadata.ownerReferences[0]`,
    ],
    [
      'a live object of a wrong type',
      { size: '1' },
      { mode: 'a' },
      `${LIVE}.spec.size: expected numeric (int or float), got string`,
    ],
    [
      'the patch is looked at before the live object',
      { size: '1' },
      { nope: 1 },
      `${PATCH}.spec.nope: field not declared in schema`,
    ],
  ])('%s', (_, live, patch, error) => {
    expect(applySpec(live, patch)).toBe(error);
  });

  test('a kind that its document lacks', () => {
    const outcome = applyConfiguration(builtin, { apiVersion: 'policy/v1', kind: 'Eviction' }, {}, {});
    expect(outcome).toEqual({ error: `${PATCH}no corresponding type for policy/v1, Kind=Eviction` });
    expect(applyConfiguration(builtin, { apiVersion: 'v1', kind: 'PodExecOptions' }, {}, {})).toEqual({
      error: `${PATCH}no corresponding type for /v1, Kind=PodExecOptions`,
    });
  });
});

describe('kinds that the client-go schema lacks', () => {
  test.each<[string, string, object, object]>([
    ['v1', 'Binding', { target: { name: 'n' } }, { error: `${ATOMIC}.target` }],
    ['v1', 'ComponentStatus', { conditions: [{ type: 'Healthy', status: 'True' }] }, { object: expect.anything() }],
    [
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      { spec: { scope: 'Cluster' } },
      { object: expect.anything() },
    ],
    [
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      { spec: { versions: [] } },
      { error: `${ATOMIC}.spec.versions` },
    ],
    ['apiregistration.k8s.io/v1', 'APIService', { spec: { versionPriority: 1 } }, { object: expect.anything() }],
  ])('%s %s %j', (apiVersion, kind, patch, expected) => {
    expect(applyConfiguration(builtin, { apiVersion, kind }, { apiVersion, kind }, { ...patch })).toMatchObject(
      expected,
    );
  });
});
