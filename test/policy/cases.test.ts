/** What people who do this job have met: each row is a rule that somebody relied on. */
import { describe, expect, test } from 'vitest';
import { type AdmissionRequest, type Json, type JsonObject, objectAt, own } from '#kubernetes';
import { type Facts, NO_FACTS } from '#policy';
import {
  apply,
  DEPLOYMENT,
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

function pod(spec: JsonObject): JsonObject {
  return { ...POD, spec: { containers: [{ name: 'app', image: 'app:1', resources: {} }], ...spec } };
}

function never(...mutations: string[]): string {
  return `reinvocationPolicy: Never\nmutations:\n${mutations.join('\n')}`;
}

const SIDECAR =
  'Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: "mesh-proxy", image: "mesh/proxy:v1", restartPolicy: "Always"}]}}';
const SIDECAR_WITH_ARGS =
  'Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: "mesh-proxy", args: ["proxy", "sidecar"]}]}}';

interface Mutation {
  readonly name: string;
  readonly spec: string;
  readonly object: JsonObject;
  /** What the message of the denial holds, or the operations of the patch. */
  readonly denied?: string;
  readonly patch?: readonly Json[];
}

describe('mutating', () => {
  test.each<Mutation>([
    {
      name: 'A1: the documented sidecar is refused, its args are an atomic list',
      spec: never(apply(SIDECAR_WITH_ARGS)),
      object: POD,
      denied:
        'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.initContainers[0].args',
    },
    {
      name: 'A1: under Ignore the object is left alone',
      spec: `failurePolicy: Ignore\n${never(apply(SIDECAR_WITH_ARGS))}`,
      object: POD,
      patch: [],
    },
    {
      name: 'A2: without args it merges behind what is there',
      spec: never(apply(SIDECAR)),
      object: pod({ initContainers: [{ name: 'init-db', image: 'x', resources: {} }] }),
      patch: [
        {
          op: 'add',
          path: '/spec/initContainers/1',
          value: { name: 'mesh-proxy', image: 'mesh/proxy:v1', resources: {}, restartPolicy: 'Always' },
        },
      ],
    },
    {
      name: 'A3: a container of that name is merged by key',
      spec: never(apply(SIDECAR)),
      object: pod({
        initContainers: [{ name: 'mesh-proxy', image: 'own:1', env: [{ name: 'A', value: '1' }], resources: {} }],
      }),
      patch: [
        { op: 'replace', path: '/spec/initContainers/0/image', value: 'mesh/proxy:v1' },
        { op: 'add', path: '/spec/initContainers/0/restartPolicy', value: 'Always' },
      ],
    },
    {
      name: 'A4: a guard that errors denies',
      spec: `matchConditions: [{name: no-sidecar, expression: "!object.spec.initContainers.exists(c, c.name == 'mesh-proxy')"}]\n${never(apply(SIDECAR))}`,
      object: POD,
      denied: 'resulted in error: no such key: initContainers',
    },
    {
      name: 'A4: but one that is false wins over it',
      spec: `matchConditions: [{name: a, expression: "object.spec.nope == 1"}, {name: b, expression: "false"}]\n${never(apply(SIDECAR))}`,
      object: POD,
      patch: [],
    },
    {
      name: 'A7: filter() deletes nothing',
      spec: never(
        apply(
          'Object{spec: Object.spec{containers: object.spec.containers.filter(c, c.name != "debug").map(c, Object.spec.containers{name: c.name})}}',
        ),
      ),
      object: pod({
        containers: [
          { name: 'app', image: 'a', resources: {} },
          { name: 'debug', image: 'd', resources: {} },
        ],
      }),
      patch: [],
    },
    {
      name: 'A8: type names must be the field’s path',
      spec: never(apply('Object{spec: Object.sepc{replicas: 1}}')),
      object: DEPLOYMENT,
      denied:
        'type mismatch: unexpected type name "Object.sepc", expected "Object.spec", which matches field name path from root Object type',
    },
    {
      name: 'A9: undeclared fields are refused',
      spec: never(apply('Object{spec: Object.spec{replicsa: 1}}')),
      object: DEPLOYMENT,
      denied:
        'error applying patch: failed to convert patch object to typed object: .spec.replicsa: field not declared in schema',
    },
    {
      name: 'A10: nodeSelector is atomic',
      spec: never(apply('Object{spec: Object.spec{nodeSelector: {"disk": "ssd"}}}')),
      object: POD,
      denied: '.spec.nodeSelector',
    },
    {
      name: 'B1: a failing test is no error and no patch',
      spec: never(
        jsonPatch(
          '[JSONPatch{op: "test", path: "/spec/replicas", value: 7}, JSONPatch{op: "replace", path: "/spec/replicas", value: 4}]',
        ),
      ),
      object: DEPLOYMENT,
      patch: [],
    },
    {
      name: 'B2: replace adds an absent member',
      spec: never(jsonPatch('[JSONPatch{op: "replace", path: "/spec/nodeSelector", value: {"disk": "ssd"}}]')),
      object: POD,
      patch: [{ op: 'add', path: '/spec/nodeSelector', value: { disk: 'ssd' } }],
    },
    {
      name: 'B3: add below a missing parent fails',
      spec: never(jsonPatch('[JSONPatch{op: "add", path: "/metadata/annotations/team", value: "x"}]')),
      object: POD,
      denied:
        'JSON Patch: add operation does not apply: doc is missing path: "/metadata/annotations/team": missing value',
    },
    {
      name: 'B4: replace at the end of a list fails',
      spec: never(
        jsonPatch('[JSONPatch{op: "replace", path: "/spec/containers/-", value: Object.spec.containers{name: "x"}}]'),
      ),
      object: POD,
      denied: 'JSON Patch: replace operation does not apply: doc is missing key: /spec/containers/-: missing value',
    },
    {
      name: 'B10: an unknown field by JSON Patch ends the request, whatever the failure policy',
      spec: `failurePolicy: Ignore\n${never(
        jsonPatch(
          '[JSONPatch{op: "add", path: "/spec/template/spec/containers/0/ports", value: [{"containerPrt": 8080}]}]',
        ),
      )}`,
      object: DEPLOYMENT,
      denied:
        'Internal error occurred: strict decoding error: unknown field "spec.template.spec.containers[0].ports[0].containerPrt"',
    },
    {
      name: 'D15: variables and match conditions go together',
      spec: `variables: [{name: maxReplicas, expression: "int(5)"}]\nmatchConditions: [{name: all, expression: "true"}]\n${never(apply('Object{spec: Object.spec{replicas: variables.maxReplicas}}'))}`,
      object: DEPLOYMENT,
      patch: [{ op: 'replace', path: '/spec/replicas', value: 5 }],
    },
  ])('$name', ({ spec, object, denied, patch }) => {
    const outcome = decide(policies(mutating({ spec })), 'mutate', request(object));
    if (denied !== undefined) expect(outcome.verdict.status?.message).toContain(denied);
    else expect(outcome.verdict.status).toBeUndefined();
    expect(outcome.patch).toEqual(patch ?? []);
  });

  test('A5: duplicate names in the live object stay', () => {
    const env = [
      { name: 'MODE', value: 'a' },
      { name: 'MODE', value: 'b' },
    ];
    const set = policies(mutating({ spec: never(apply('Object{metadata: Object.metadata{labels: {"x": "y"}}}')) }));
    const { object } = decide(set, 'mutate', request(pod({ containers: [{ name: 'app', image: 'a', env }] })));
    expect(object).toMatchObject({ spec: { containers: [{ env }] } });
  });

  test('B6: a map literal of mixed types does not compile', () => {
    const set = policies(
      mutating({ spec: never(jsonPatch('[JSONPatch{op: "add", path: "/spec/x", value: {"a": 65534, "b": true}}]')) }),
    );
    expect(verdict(set, 'mutate', request(POD))).toContain("expected type 'int' but found 'bool'");
  });

  test('C1: two reinvoked counters and one that is not make five', () => {
    const counter = (name: string, reinvocationPolicy: string): string =>
      mutating({
        name,
        spec: `reinvocationPolicy: ${reinvocationPolicy}\nmutations:\n${apply('Object{metadata: Object.metadata{annotations: {"foo": string(int(object.metadata.annotations["foo"]) + 1)}}}')}`,
      });
    const set = policies([counter('p1', 'IfNeeded'), counter('p2', 'IfNeeded'), counter('p3', 'Never')].join('---\n'));
    const outcome = decide(
      set,
      'mutate',
      request({ ...POD, metadata: { name: 'web', namespace: 'shop', annotations: { foo: '0' } } }),
    );
    expect(outcome.passes).toBe(2);
    expect(outcome.patch).toEqual([{ op: 'replace', path: '/metadata/annotations/foo', value: '5' }]);
  });

  test('C2: a container that came later is mutated alone', () => {
    const set = policies(
      mutating({
        spec: `reinvocationPolicy: IfNeeded\nmutations:\n${apply('Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, securityContext: Object.spec.containers.securityContext{allowPrivilegeEscalation: false}})}}')}`,
      }),
    );
    const first = decide(set, 'mutate', request(POD));
    const containers = own(objectAt(first.object, 'spec') ?? {}, 'containers');
    if (!Array.isArray(containers)) throw new Error('containers are wanted');
    const again = decide(
      set,
      'mutate',
      request(pod({ containers: [...containers, { name: 'late', image: 'l', resources: {} }] })),
    );
    expect(again.patch).toEqual([
      { op: 'add', path: '/spec/containers/1/securityContext', value: { allowPrivilegeEscalation: false } },
    ]);
  });

  test('C5: DELETE is never mutated', () => {
    const set = policies(mutating({ spec: never(apply('Object{}')) }));
    const outcome = decide(set, 'mutate', request(null, { operation: 'DELETE', oldObject: POD }));
    expect(outcome).toMatchObject({ verdict: { allowed: true }, patch: [], passes: 0 });
    expect(outcome.object).toBeUndefined();
  });
});

interface Validation {
  readonly name: string;
  readonly spec: string;
  readonly binding?: string;
  readonly rule?: string;
  readonly match?: string;
  readonly request?: AdmissionRequest;
  readonly facts?: Facts;
  /** `allowed`, or what the denial's code and message hold. */
  readonly verdict: string;
}

const CLUSTER_ROLE_BINDING: JsonObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'x' },
};

function validation(expression: string, more = ''): string {
  return `validations:\n- expression: ${JSON.stringify(expression)}${more}`;
}

describe('validating', () => {
  test.each<Validation>([
    {
      name: 'D1: object is null on DELETE',
      spec: validation('object.spec.hostNetwork == false'),
      request: request(null, { operation: 'DELETE', oldObject: POD }),
      verdict: 'no such key: spec',
    },
    {
      name: 'D2: a messageExpression that fails falls back to message',
      spec: validation('false', '\n  messageExpression: "\'in \' + object.metadata.nope"\n  message: managed'),
      verdict: "422 pods \"web\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: managed",
    },
    {
      name: 'D2: and without a message to the expression',
      spec: validation('false', '\n  messageExpression: "\'in \' + object.metadata.nope"'),
      verdict: 'denied request: failed expression: false',
    },
    {
      name: 'D3: an expression in message is a text',
      spec: validation('false', '\n  message: "object.kind + 1"'),
      verdict: 'denied request: object.kind + 1',
    },
    {
      name: 'D6: an error under Warn only warns',
      spec: validation('object.spec.nope == 1'),
      binding: 'validationActions: [Warn]',
      verdict: 'allowed',
    },
    {
      name: 'D7: missing params deny even under Audit',
      spec: `paramKind: {apiVersion: v1, kind: ConfigMap}\n${validation('true')}`,
      binding: 'validationActions: [Audit]\nparamRef: {name: nope, namespace: cfg, parameterNotFoundAction: Deny}',
      facts: { ...NO_FACTS, params: new Map([['["v1","ConfigMap","cfg","nope",null]', { kind: 'absent' }]]) },
      verdict: 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    },
    {
      name: 'D7: with Allow nothing is evaluated',
      spec: `paramKind: {apiVersion: v1, kind: ConfigMap}\n${validation('false')}`,
      binding: 'validationActions: [Deny]\nparamRef: {name: nope, namespace: cfg, parameterNotFoundAction: Allow}',
      facts: { ...NO_FACTS, params: new Map([['["v1","ConfigMap","cfg","nope",null]', { kind: 'absent' }]]) },
      verdict: 'allowed',
    },
    {
      name: 'D11: has() on an index does not compile',
      spec: validation('has(object.metadata.labels["helm.sh/chart"])'),
      verdict: 'invalid argument to has() macro',
    },
    {
      name: 'D11: an absent key is an error',
      spec: validation('object.metadata.labels["helm.sh/chart"] != "x"'),
      verdict: 'no such key: helm.sh/chart',
    },
    {
      name: 'D11: optional access is not',
      spec: validation('object.metadata.?labels["helm.sh/chart"].orValue("") != "x"'),
      verdict: 'allowed',
    },
    {
      name: 'D12: an absent list is an error',
      spec: validation('object.subjects.all(s, s.name != "system:masters")'),
      request: request(CLUSTER_ROLE_BINDING, { namespace: '' }),
      verdict: 'no such key: subjects',
    },
    {
      name: 'D21: patterns are RE2: no backtracking',
      spec: validation('!object.metadata.name.matches("^(a+)+$")'),
      request: request({ ...POD, metadata: { name: `${'a'.repeat(250)}!`, namespace: 'shop' } }),
      verdict: 'allowed',
    },
    {
      name: 'D21: look-aheads do not compile',
      spec: validation('object.metadata.name.matches("a(?=b)")'),
      verdict: 'invalid matches argument',
    },
    {
      name: 'E1: namespaceSelector never exempts cluster-scoped objects',
      spec: validation('false'),
      match: 'namespaceSelector: {matchLabels: {env: prod}}',
      request: request(CLUSTER_ROLE_BINDING, { namespace: '' }),
      verdict: 'failed expression: false',
    },
    {
      name: 'E4: resourceNames in the validating phase see the generated name',
      spec: validation('false'),
      rule: '{apiGroups: [""], apiVersions: ["v1"], operations: [CREATE], resources: ["pods"], resourceNames: [web]}',
      request: request(POD, { name: '' }),
      verdict: 'failed expression: false',
    },
    {
      name: 'E8: a rule without operations covers nothing',
      spec: validation('false'),
      rule: '{apiGroups: [""], apiVersions: ["v1"], resources: ["pods"]}',
      verdict: 'allowed',
    },
  ])('$name', ({ spec, binding, rule, match, request: asked = request(POD), facts, verdict: expected }) => {
    const parts = { spec, ...(binding ? { binding } : {}), ...(rule ? { rule } : {}), ...(match ? { match } : {}) };
    expect(verdict(policies(validating(parts)), 'validate', asked, facts)).toContain(expected);
  });

  test('D6: the warning says which policy and binding', () => {
    const set = policies(
      validating({ spec: validation('object.spec.nope == 1'), binding: 'validationActions: [Warn]' }),
    );
    expect(decide(set, 'validate', request(POD)).verdict.warnings).toEqual([
      "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': expression 'object.spec.nope == 1' resulted in error: no such key: nope",
    ]);
  });

  test('D14: a policy without a binding does nothing', () => {
    const [policy = ''] = validating({ spec: validation('false') }).split('---');
    expect(verdict(policies(policy), 'validate', request(POD))).toBe('allowed');
  });

  test('D16: a runaway expression stops at its limit', () => {
    const containers = Array.from({ length: 200 }, (_unused, index) => ({ name: `c${index}`, image: 'a' }));
    const expression =
      'object.spec.containers.all(a, object.spec.containers.all(b, object.spec.containers.all(c, a.image.matches("(a+)+$") || true)))';
    const set = policies(validating({ spec: validation(expression) }));
    expect(verdict(set, 'validate', request(pod({ containers })))).toContain(
      'resulted in error: operation cancelled: actual cost limit exceeded',
    );
  });

  test('D19: a selector of params evaluates once for each', () => {
    const param = (name: string, max: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'shop', labels: { use: 'limits' } },
      data: { max },
    });
    const spec = `paramKind: {apiVersion: v1, kind: ConfigMap}\n${validation('size(object.metadata.name) <= int(params.data.max)', '\n  messageExpression: "\'over \' + params.metadata.name"')}`;
    const binding =
      'validationActions: [Deny]\nparamRef: {selector: {matchLabels: {use: limits}}, parameterNotFoundAction: Deny}';
    const facts: Facts = {
      ...NO_FACTS,
      params: new Map([
        [
          '["v1","ConfigMap","shop",null,[[["use","limits"]],[]]]',
          { kind: 'found', value: [param('b', '1'), param('a', '9')] },
        ],
      ]),
    };
    const outcome = decide(policies(validating({ spec, binding })), 'validate', request(POD), facts);
    expect(outcome.verdict.status?.message).toContain('denied request: over b');
    expect(outcome.records.filter(({ kind }) => kind === 'expression').map(({ param }) => param)).toEqual([
      'shop/a',
      'shop/a',
      'shop/b',
      'shop/b',
    ]);
  });

  test('E2: mirror-image policies by namespace', () => {
    const policy = (name: string): string =>
      validating({
        name,
        spec: validation(`object.spec.ingressClassName == '${name}'`),
        match: `namespaceSelector: {matchLabels: {env: ${name}}}`,
      });
    const set = policies([policy('dev'), policy('prod')].join('---\n'));
    const ingress = request(
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { ingressClassName: 'dev' },
      },
      { resource: { group: 'networking.k8s.io', version: 'v1', resource: 'ingresses' } },
    );
    expect(verdict(set, 'validate', ingress, namespaces({ shop: { env: 'dev' } }))).toBe('allowed');
    expect(verdict(set, 'validate', ingress, namespaces({ shop: { env: 'prod' } }))).toContain(
      "'prod' with binding 'b' denied",
    );
  });

  test('E6: Equivalent matches what the API server converted, Exact does not', () => {
    const rule = '{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}';
    const yaml = validating({ spec: validation('request.requestKind.version == "v1"'), rule });
    const asked = request(DEPLOYMENT, {
      requestKind: { group: 'apps', version: 'v1beta1', kind: 'Deployment' },
      requestResource: { group: 'apps', version: 'v1beta1', resource: 'deployments' },
    });
    expect(verdict(policies(yaml), 'validate', asked)).toContain('failed expression');
    expect(verdict(policies(yaml.replace('Equivalent', 'Exact')), 'validate', asked)).toBe('allowed');
  });
});
