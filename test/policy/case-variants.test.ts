/** The other halves of the cases: what works instead, and the same rule from its other side. */
import { describe, expect, test } from 'vitest';
import type { AdmissionRequest, Json, JsonObject } from '#kubernetes';
import { type Facts, NO_FACTS } from '#policy';
import {
  apply,
  decide,
  jsonPatch,
  mutating,
  namespaces,
  POD,
  policies,
  request,
  validating,
  verdict,
} from './fixtures.ts';

function never(...mutations: string[]): string {
  return `reinvocationPolicy: Never\nmutations:\n${mutations.join('\n')}`;
}

function container(fields: string): string {
  return apply(`Object{spec: Object.spec{containers: [Object.spec.containers{name: "app", ${fields}}]}}`);
}

describe('A10: atomic parts are refused by their path', () => {
  const drop =
    'securityContext: Object.spec.containers.securityContext{capabilities: Object.spec.containers.securityContext.capabilities{drop: ["ALL"]}}';
  test.each([
    ['.spec.tolerations', apply('Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: "a"}]}}')],
    ['.spec.containers[0].securityContext.capabilities.drop', container(drop)],
    ['.spec.containers[0].envFrom', container('envFrom: [Object.spec.containers.envFrom{prefix: "a"}]')],
  ])('%s', (path, mutation) => {
    expect(verdict(policies(mutating({ spec: never(mutation) })), 'mutate', request(POD))).toContain(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${path}`,
    );
  });

  test('a JSON Patch sets them', () => {
    const spec = never(
      jsonPatch(
        '[JSONPatch{op: "add", path: "/spec/tolerations", value: [Object.spec.tolerations{key: "a"}].map(t, {"key": t.key})}]',
      ),
    );
    expect(decide(policies(mutating({ spec })), 'mutate', request(POD)).patch).toEqual([
      { op: 'add', path: '/spec/tolerations', value: [{ key: 'a' }] },
    ]);
  });
});

const SECURITY = { runAsUser: 65534, runAsNonRoot: true, capabilities: { drop: ['ALL'] } };

describe('what works instead', () => {
  test.each<readonly [name: string, mutation: string, object: JsonObject, patch: Json]>([
    [
      'B3: labels are made where there are none',
      jsonPatch(
        'has(object.metadata.labels) ? [JSONPatch{op: "add", path: "/metadata/labels/team", value: "x"}] : [JSONPatch{op: "add", path: "/metadata/labels", value: {"team": "x"}}]',
      ),
      { ...POD, metadata: { name: 'web', namespace: 'shop' } },
      [{ op: 'add', path: '/metadata/labels', value: { team: 'x' } }],
    ],
    [
      'B6: mixed types as an Object',
      jsonPatch(
        '[JSONPatch{op: "add", path: "/spec/containers/0/securityContext", value: Object.spec.containers.securityContext{runAsUser: 65534, runAsNonRoot: true, capabilities: Object.spec.containers.securityContext.capabilities{drop: ["ALL"]}}}]',
      ),
      POD,
      [{ op: 'add', path: '/spec/containers/0/securityContext', value: SECURITY }],
    ],
    [
      'B6: mixed types by dyn()',
      jsonPatch(
        '[JSONPatch{op: "add", path: "/spec/containers/0/securityContext", value: {"runAsUser": dyn(65534), "runAsNonRoot": dyn(true), "capabilities": dyn({"drop": ["ALL"]})}}]',
      ),
      POD,
      [{ op: 'add', path: '/spec/containers/0/securityContext', value: SECURITY }],
    ],
  ])('%s', (_name, mutation, object, patch) => {
    const outcome = decide(policies(mutating({ spec: never(mutation) })), 'mutate', request(object));
    expect(outcome.verdict.status?.message).toBeUndefined();
    expect(outcome.patch).toEqual(patch);
  });
});

const NAMESPACE: JsonObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'web', labels: { env: 'prod' } },
  spec: {},
  status: {},
};
const STORED: JsonObject = { ...NAMESPACE, metadata: { name: 'web', labels: { env: 'dev' } } };

interface Variant {
  readonly name: string;
  readonly expression: string;
  readonly spec?: string;
  readonly binding?: string;
  readonly match?: string;
  readonly request?: AdmissionRequest;
  readonly facts?: Facts;
  readonly verdict: string;
}

const PROD = 'namespaceSelector: {matchLabels: {env: prod}}';
const OF_NAMESPACE = { namespace: 'web' };

test.each<Variant>([
  {
    name: 'D2: a messageExpression of two lines falls back',
    expression: 'false',
    spec: '\n  message: managed\n  messageExpression: \'"a\\nb"\'',
    verdict: 'denied request: managed',
  },
  {
    name: 'D2: an empty one too',
    expression: 'false',
    spec: '\n  message: managed\n  messageExpression: \'""\'',
    verdict: 'denied request: managed',
  },
  {
    name: 'D7: missing params are let through under Ignore',
    expression: 'true',
    spec: '\nfailurePolicy: Ignore\nparamKind: {apiVersion: v1, kind: ConfigMap}',
    binding: 'validationActions: [Audit]\nparamRef: {name: nope, parameterNotFoundAction: Deny}',
    facts: { ...NO_FACTS, params: new Map([['["v1","ConfigMap","shop","nope",null]', { kind: 'absent' }]]) },
    verdict: 'allowed',
  },
  {
    name: 'D11: in on labels that are not there is an error',
    expression: '!("helm.sh/chart" in object.metadata.labels)',
    request: request({ ...POD, metadata: { name: 'web', namespace: 'shop' } }),
    verdict: 'no such key: labels',
  },
  {
    name: 'D11: label keys are not escaped',
    expression: 'has(object.metadata.labels.app__dot__io)',
    request: request({ ...POD, metadata: { name: 'web', namespace: 'shop', labels: { 'app.io': 'x' } } }),
    verdict: 'failed expression',
  },
  {
    name: 'D19: params is one object, not a list',
    expression: 'params.items.size() == 1',
    spec: '\nparamKind: {apiVersion: v1, kind: ConfigMap}',
    binding: 'validationActions: [Deny]\nparamRef: {name: a, parameterNotFoundAction: Deny}',
    facts: {
      ...NO_FACTS,
      params: new Map([
        [
          '["v1","ConfigMap","shop","a",null]',
          { kind: 'found', value: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }] },
        ],
      ]),
    },
    verdict: 'no such key: items',
  },
  { name: 'D21: flags', expression: 'object.metadata.name.matches("(?i)^WEB$")', verdict: 'allowed' },
  { name: 'D21: the end of the text', expression: "object.metadata.name.matches('web\\\\z')", verdict: 'allowed' },
  { name: 'D21: Unicode classes', expression: "object.metadata.name.matches('^\\\\pL+$')", verdict: 'allowed' },
  {
    name: 'E1: a Namespace is matched by the labels that it comes with',
    expression: 'false',
    match: PROD,
    request: request(NAMESPACE, OF_NAMESPACE),
    verdict: 'failed expression',
  },
  {
    name: 'E1: on DELETE by the labels that it has',
    expression: 'false',
    match: PROD,
    request: request(null, {
      ...OF_NAMESPACE,
      kind: { group: '', version: 'v1', kind: 'Namespace' },
      resource: { group: '', version: 'v1', resource: 'namespaces' },
      operation: 'DELETE',
      oldObject: NAMESPACE,
    }),
    facts: namespaces({ web: { env: 'dev' } }),
    verdict: 'allowed',
  },
  {
    name: 'E1: namespaceObject is null for it',
    expression: 'namespaceObject == null',
    request: request(STORED, OF_NAMESPACE),
    verdict: 'allowed',
  },
])('$name', ({ expression, spec = '', binding, match, request: asked = request(POD), facts, verdict: expected }) => {
  const yaml = validating({
    spec: `validations:\n- expression: ${JSON.stringify(expression)}${spec}`,
    ...(binding ? { binding } : {}),
    ...(match ? { match } : {}),
  });
  expect(verdict(policies(yaml), 'validate', asked, facts)).toContain(expected);
});

test('E4: in the mutating phase a generated name is not known yet', () => {
  const rule =
    '{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods], resourceNames: [web-abc]}';
  const set = policies(mutating({ rule, spec: never(apply('Object{metadata: Object.metadata{labels: {"a": "b"}}}')) }));
  const generated = request({ ...POD, metadata: { generateName: 'web-', namespace: 'shop' } }, { name: '' });
  expect(decide(set, 'mutate', generated).patch).toEqual([]);
});

test('D19: a mutation is applied for each param in turn', () => {
  const param = (name: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop' },
    data: { team: name },
  });
  const set = policies(
    mutating({
      spec: `paramKind: {apiVersion: v1, kind: ConfigMap}\n${never(apply('Object{metadata: Object.metadata{labels: {"team": object.metadata.?labels["team"].orValue("") + params.data.team}}}'))}`,
      binding: 'paramRef: {selector: {}, parameterNotFoundAction: Deny}',
    }),
  );
  const facts: Facts = {
    ...NO_FACTS,
    params: new Map([['["v1","ConfigMap","shop",null,[[],[]]]', { kind: 'found', value: [param('b'), param('a')] }]]),
  };
  expect(decide(set, 'mutate', request(POD), facts).patch).toEqual([
    { op: 'add', path: '/metadata/labels/team', value: 'ab' },
  ]);
});
