/** What can be told of an ApplyConfiguration before it is ever run. */
import { expect, test } from 'vitest';
import { position } from '#diagnostics';
import { loadManifests } from '#manifest';
import { compilePolicies } from '#policy/compile';
import { apply, mutating } from './fixtures.ts';

const PODS = '{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}';
const WORKLOADS =
  '{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments, statefulsets]}';
const SCALE = '{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments/scale]}';

function warnings(expression: string, rule: string): readonly (readonly unknown[])[] {
  const text = mutating({ rule, spec: `reinvocationPolicy: Never\nmutations:\n${apply(expression)}` });
  const { documents } = loadManifests([{ name: 'a.yaml', text }]);
  const { compiled, diagnostics } = compilePolicies(documents);
  expect(compiled).toBeDefined();
  expect(diagnostics.every(({ severity }) => severity === 'warning')).toBe(true);
  return diagnostics.map(({ code, message, help, span }) => {
    if (!span) throw new Error('a place is wanted');
    const { text: line, column } = position(span.source, span.start);
    return [code, message, help, line.slice(column - 1, column + 7)];
  });
}

const JSON_PATCH = 'use a mutation of patchType JSONPatch for it';

type Row = readonly [name: string, rule: string, expression: string, ...warnings: (readonly unknown[])[]];

const ROWS: readonly Row[] = [
  [
    'args of a sidecar',
    PODS,
    'Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: "a", args: ["b"]}]}}',
    ['atomic-part', '`.spec.initContainers.args` is an atomic list: ApplyConfiguration may not set it', JSON_PATCH],
  ],
  [
    'a nodeSelector, in a branch',
    PODS,
    'has(object.spec.nodeSelector) ? Object{} : Object{spec: Object.spec{nodeSelector: {"a": "b"}}}',
    ['atomic-part', '`.spec.nodeSelector` is an atomic map: ApplyConfiguration may not set it', JSON_PATCH],
  ],
  [
    'a selector of both kinds that the rules reach',
    WORKLOADS,
    'Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"a": "b"}}}}',
    ['atomic-part', '`.spec.selector` is an atomic structure: ApplyConfiguration may not set it', JSON_PATCH],
  ],
  ['what one of two kinds takes', WORKLOADS, 'Object{spec: Object.spec{serviceName: "a"}}'],
  [
    'a field that is not declared',
    PODS,
    'Object{spec: Object.spec{hostnam: "a"}}',
    ['undeclared-field', '`.spec.hostnam` is not declared in the schema', 'did you mean `hostname`?'],
  ],
  [
    'a type name that is not the path',
    PODS,
    'Object{spec: Object.sepc{hostname: "a"}}',
    ['type-mismatch', 'type name "Object.sepc" where the path is "Object.spec"', undefined],
  ],
  [
    'map literals as containers',
    PODS,
    'Object{spec: Object.spec{containers: [{"name": "a"}]}}',
    ['literal-item', '`.spec.containers` takes no map literals as items', 'write Object.spec.containers{…}'],
  ],
  ['clearing an atomic part', PODS, 'Object{spec: Object.spec{tolerations: optional.none()}}'],
  [
    'labels and env',
    PODS,
    'Object{metadata: Object.metadata{labels: {"a": "b"}}, spec: Object.spec{containers: [Object.spec.containers{name: "a", env: [Object.spec.containers.env{name: "A", value: "1"}]}]}}',
  ],
  ['objects of a subresource of another kind', SCALE, 'Object{spec: Object.spec{nope: 1}}'],
  [
    'what an optional holds',
    PODS,
    'Object{spec: Object.spec{?hostname: optional.none(), ?args: optional.none()}}',
    ['undeclared-field', '`.spec.args` is not declared in the schema', undefined],
  ],
];

test.each(ROWS.map(([name, rule, expression, ...expected]) => ({ name, rule, expression, expected })))(
  '$name',
  ({ rule, expression, expected }) => {
    expect(warnings(expression, rule).map((found) => found.slice(0, 3))).toEqual(expected);
  },
);

test('the place is that of the literal', () => {
  const found = warnings('Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: "a"}]}}', PODS);
  expect(found.map((one) => one[3])).toEqual(['[Object.']);
});
