/** Mutations of custom resources, which the API server holds as plain data between one mutation and the next. */
import { expect, test } from 'vitest';
import { type Json, objectAt } from '#kubernetes';
import { apply, decide, jsonPatch, mutating, policies, request } from './fixtures.ts';

const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              more: {type: array, x-kubernetes-list-type: set, items: {type: string}, default: [d]}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              ratio: {type: number}
              note: {type: string}
---
`;

const EMPTY = apply('Object{spec: Object.spec{tags: []}}');
const TOUCH = jsonPatch('[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}]');
const FAILING_TEST = jsonPatch('[JSONPatch{op: "test", path: "/kind", value: "Gadget"}]');
const NO_OPERATIONS = jsonPatch('true ? [] : [JSONPatch{op: "remove", path: "/spec"}]');
const WHOLE = apply('Object{spec: Object.spec{ratio: 1.0}}');

function note(expression: string): string {
  return apply(`Object{spec: Object.spec{note: ${expression}}}`);
}

const FORM = note('object.spec.tags == null ? "null" : string(object.spec.tags.size())');
const NUMBER = note('type(object.spec.ratio) == double ? "double" : "int"');

test.each<{ readonly name: string; readonly mutations: readonly string[]; readonly spec: Json }>([
  { name: 'an empty list literal ends as null', mutations: [EMPTY], spec: { more: ['d'], tags: null } },
  {
    name: 'until then expressions see a list',
    mutations: [EMPTY, FORM],
    spec: { more: ['d'], tags: null, note: '0' },
  },
  {
    name: 'also what copies of it see',
    mutations: [
      EMPTY,
      apply('Object{spec: Object.spec{free: Object.spec.free{l: object.spec.tags}}}'),
      note('string(object.spec.free.l.size())'),
    ],
    spec: { more: ['d'], tags: null, free: { l: null }, note: '0' },
  },
  {
    name: 'a JSON Patch makes it null for what follows',
    mutations: [EMPTY, TOUCH, FORM],
    spec: { more: ['d'], tags: null, note: 'null' },
  },
  {
    name: 'so does one without operations',
    mutations: [EMPTY, NO_OPERATIONS, FORM],
    spec: { more: ['d'], tags: null, note: 'null' },
  },
  {
    name: 'but not one whose test fails',
    mutations: [EMPTY, FAILING_TEST, FORM],
    spec: { more: ['d'], tags: null, note: '0' },
  },
  {
    name: 'a field with a default is never left empty so',
    mutations: [apply('Object{spec: Object.spec{more: []}}'), note('string(object.spec.more.size())')],
    spec: { more: ['d'], note: '1' },
  },
  {
    name: 'items merge into it',
    mutations: [EMPTY, apply('Object{spec: Object.spec{tags: ["a"]}}')],
    spec: { more: ['d'], tags: ['a'] },
  },
  {
    name: 'a whole double stays a double',
    mutations: [WHOLE, NUMBER],
    spec: { more: ['d'], ratio: 1, note: 'double' },
  },
  {
    name: 'after a JSON Patch it is an integer',
    mutations: [WHOLE, TOUCH, NUMBER],
    spec: { more: ['d'], ratio: 1, note: 'int' },
  },
  {
    name: 'a whole double in a JSON Patch is an integer',
    mutations: [jsonPatch('[JSONPatch{op: "add", path: "/spec/ratio", value: 2.0}]'), NUMBER],
    spec: { more: ['d'], ratio: 2, note: 'int' },
  },
])('$name', ({ mutations, spec }) => {
  const rule = '{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [widgets]}';
  const set = policies(
    DEFINITION + mutating({ rule, spec: `reinvocationPolicy: Never\nmutations:\n${mutations.join('\n')}` }),
  );
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'web' }, spec: { more: ['d'] } };
  const { verdict, object } = decide(set, 'mutate', request(widget));
  expect(verdict.status?.message).toBeUndefined();
  expect(objectAt(object, 'spec')).toEqual(spec);
});
