import type { JsonObject } from '#kubernetes';
import { Expressions } from './expressions.ts';
import type { Random } from './random.ts';

/** Random policies and bindings from a grammar: every field of the API now and then, expressions that mostly make sense. */
export interface PolicyPool {
  readonly policies: readonly JsonObject[];
  readonly bindings: readonly JsonObject[];
}

const API = 'admissionregistration.k8s.io/v1';

export class Policies {
  readonly #random: Random;
  readonly #expressions: Expressions;

  constructor(random: Random) {
    this.#random = random;
    this.#expressions = new Expressions(random, { depth: 2, illTyped: 0.02 });
  }

  /** `count` policies of both kinds, each with one or two bindings. */
  pool(count: number): PolicyPool {
    const policies: JsonObject[] = [];
    const bindings: JsonObject[] = [];
    for (let index = 0; index < count; index++) {
      const name = `p${index}`;
      const mutating = this.#random.chance(0.5);
      const params = this.#random.chance(0.25);
      policies.push(mutating ? this.#mutating(name, params) : this.#validating(name, params));
      const kind = mutating ? 'MutatingAdmissionPolicyBinding' : 'ValidatingAdmissionPolicyBinding';
      for (let binding = 0; binding < 1 + this.#random.int(2); binding++) {
        bindings.push(this.#binding(kind, `${name}-b${binding}`, name, params, mutating));
      }
    }
    return { policies, bindings };
  }

  #maybe(probability: number, entries: () => JsonObject): JsonObject {
    return this.#random.chance(probability) ? entries() : {};
  }

  #rule(): JsonObject {
    const { pick, chance } = this.#random;
    return {
      apiGroups: [pick(['*', '', 'apps', 'example.com'])],
      apiVersions: [pick(['*', 'v1', 'v1', 'v1beta1'])],
      operations: chance(0.6) ? ['*'] : [pick(['CREATE', 'UPDATE', 'DELETE', 'CONNECT'])],
      resources: [
        pick(['*', '*/*', 'pods', 'pods/*', 'deployments', 'configmaps', 'widgets', 'namespaces', 'deployments/scale']),
      ],
      ...this.#maybe(0.2, () => ({ scope: pick(['*', 'Namespaced', 'Cluster']) })),
      ...this.#maybe(0.1, () => ({ resourceNames: [pick(['web', 'other'])] })),
    };
  }

  #matchResources(required: boolean): JsonObject {
    const { chance, pick } = this.#random;
    return {
      resourceRules: required || chance(0.5) ? [this.#rule(), ...(chance(0.5) ? [this.#wide()] : [])] : [],
      ...this.#maybe(0.15, () => ({ excludeResourceRules: [this.#rule()] })),
      ...this.#maybe(0.2, () => ({ namespaceSelector: this.#selector(['env', 'kubernetes.io/metadata.name']) })),
      ...this.#maybe(0.2, () => ({ objectSelector: this.#selector(['app', 'tier']) })),
      ...this.#maybe(0.3, () => ({ matchPolicy: pick(['Exact', 'Equivalent']) })),
    };
  }

  #wide(): JsonObject {
    return { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };
  }

  #selector(keys: readonly string[]): JsonObject {
    const { chance, pick } = this.#random;
    if (chance(0.4)) return { matchLabels: { [pick(keys)]: pick(['prod', 'web', 'default']) } };
    const operator = pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
    const values = operator.endsWith('In') ? { values: [pick(['prod', 'web']), 'test'] } : {};
    return { matchExpressions: [{ key: pick(keys), operator, ...values }] };
  }

  #bool(): string {
    const { pick, chance, int } = this.#random;
    if (chance(0.15)) return `(${this.#expressions.next()}) == (${this.#expressions.next()})`;
    return pick([
      'true',
      'false',
      "has(object.metadata) && has(object.metadata.labels) && 'app' in object.metadata.labels",
      'object.metadata.name.startsWith("w")',
      'object.spec.replicas <= 3',
      'object.spec.containers.all(c, c.image.contains(":"))',
      'object.?spec.?containers.orValue([]).exists(c, c.name == "app")',
      'variables.a == 1',
      'variables.broken',
      'size(variables.list) > 0',
      'request.operation == "CREATE"',
      'request.namespace == "default"',
      'has(request.namespace)',
      'oldObject == null',
      'object == null || oldObject == null',
      'namespaceObject != null',
      'namespaceObject.metadata.name == "default"',
      'request.userInfo.username == "jane"',
      '"system:masters" in request.userInfo.groups',
      'authorizer.group("").resource("pods").namespace("default").check("create").allowed()',
      'authorizer.requestResource.check("custom").allowed()',
      'authorizer.path("/healthz").check("get").reason() == "x"',
      '1 / 0 == 1',
      'object.kind',
      'object.nope.deep == 1',
      'params == null || has(params.data)',
      'params.data.max == "3"',
      `object.metadata.name.size() < ${int(8)}`,
    ]);
  }

  #text(): string {
    const { pick } = this.#random;
    return pick([
      '"constant"',
      '"name " + object.metadata.name',
      '"  padded  "',
      '""',
      '"two\\nlines"',
      'object.nope',
      'string(variables.a)',
      'variables.broken ? "a" : "b"',
      '1',
      'request.operation + " of " + request.resource.resource',
      'authorizer.path("/x").check("get").reason()',
      '"é<>&"',
    ]);
  }

  #common(params: boolean): JsonObject {
    const { pick, chance } = this.#random;
    return {
      ...this.#maybe(0.8, () => ({ failurePolicy: pick(['Fail', 'Fail', 'Ignore']) })),
      ...(params ? { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } : {}),
      matchConstraints: this.#matchResources(true),
      ...this.#maybe(0.3, () => ({
        matchConditions: Array.from({ length: 1 + this.#random.int(2) }, (_, index) => ({
          name: `c${index}`,
          expression: this.#bool(),
        })),
      })),
      variables: [
        { name: 'a', expression: pick(['1', '1 + 0', 'object.spec.replicas', 'size(object.metadata.name)']) },
        { name: 'list', expression: pick(['[1, 2]', 'object.spec.containers', '[]']) },
        { name: 'broken', expression: chance(0.5) ? 'object.nope.deep == true' : 'nope == true' },
      ],
    };
  }

  #validating(name: string, params: boolean): JsonObject {
    const { pick, int } = this.#random;
    return {
      apiVersion: API,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        ...this.#common(params),
        validations: Array.from({ length: 1 + int(3) }, () => ({
          expression: this.#bool(),
          ...this.#maybe(0.4, () => ({ message: pick(['said so', ' padded ', 'é "quoted"']) })),
          ...this.#maybe(0.3, () => ({ messageExpression: this.#text() })),
          ...this.#maybe(0.3, () => ({
            reason: pick(['Forbidden', 'Invalid', 'Unauthorized', 'RequestEntityTooLarge']),
          })),
        })),
        ...this.#maybe(0.3, () => ({
          auditAnnotations: [
            { key: 'one', valueExpression: this.#text() },
            { key: 'two', valueExpression: this.#text() },
          ],
        })),
      },
    };
  }

  #binding(kind: string, name: string, policyName: string, params: boolean, mutating: boolean): JsonObject {
    const { pick } = this.#random;
    return {
      apiVersion: API,
      kind,
      metadata: { name },
      spec: {
        policyName,
        ...(params
          ? this.#maybe(0.85, () => ({
              paramRef: {
                ...pick<JsonObject>([
                  { name: 'limits' },
                  { name: 'missing' },
                  { selector: {} },
                  { selector: { matchLabels: { use: 'params' } } },
                ]),
                ...this.#maybe(0.6, () => ({ namespace: pick(['default', 'kube-system']) })),
                parameterNotFoundAction: pick(['Allow', 'Deny']),
              },
            }))
          : {}),
        ...this.#maybe(0.3, () => ({ matchResources: this.#matchResources(false) })),
        ...(mutating
          ? {}
          : {
              validationActions: pick([['Deny'], ['Deny'], ['Warn'], ['Audit'], ['Deny', 'Audit'], ['Warn', 'Audit']]),
            }),
      },
    };
  }

  #mutating(name: string, params: boolean): JsonObject {
    const { pick, int } = this.#random;
    return {
      apiVersion: API,
      kind: 'MutatingAdmissionPolicy',
      metadata: { name },
      spec: {
        ...this.#common(params),
        reinvocationPolicy: pick(['Never', 'IfNeeded']),
        mutations: Array.from({ length: 1 + int(3) }, () => this.#mutation()),
      },
    };
  }

  #mutation(): JsonObject {
    return this.#random.chance(0.5)
      ? { patchType: 'ApplyConfiguration', applyConfiguration: { expression: this.#apply() } }
      : { patchType: 'JSONPatch', jsonPatch: { expression: this.#patch() } };
  }

  #apply(): string {
    const { pick } = this.#random;
    return pick([
      'Object{metadata: Object.metadata{labels: {"added": "yes"}}}',
      'Object{metadata: Object.metadata{labels: object.metadata.?labels.orValue({})}}',
      'Object{metadata: Object.metadata{annotations: {"name": object.metadata.name}}}',
      'Object{spec: Object.spec{replicas: 3}}',
      'Object{spec: Object.spec{replicas: object.spec.replicas + 1}}',
      'Object{spec: Object.spec{?replicas: object.spec.?replicas}}',
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "side", image: "side:1"}]}}',
      'Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, imagePullPolicy: "Always"})}}',
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "app", env: [Object.spec.containers.env{name: "A", value: "1"}]}]}}',
      'Object{spec: Object.spec{tolerations: []}}',
      'Object{spec: Object.spec{hostname: optional.none()}}',
      'Object{spec: Object.spec{hostname: null}}',
      'Object{spec: Object.spec{securityContext: {"runAsNonRoot": true}}}',
      'Object{spec: Object.spec{wrong: 1}}',
      'Object{spec: Object.specx{}}',
      'Object{data: {"k": "v"}}',
      'Object{data: {1: "v"}}',
      'Object{spec: Object.spec{template: Object.spec.template{metadata: Object.spec.template.metadata{labels: {"t": "1"}}}}}',
      'Object{metadata: Object.metadata{finalizers: ["example.com/f"]}}',
      'Object{spec: Object.spec{size: variables.a}}',
      'Object{spec: Object.spec{tags: ["x", "y"]}}',
      'has(object.nope) ? Object{} : Object{metadata: Object.metadata{labels: {"l": string(1)}}}',
      'Object{metadata: Object.metadata{labels: {"b": variables.broken ? "1" : "2"}}}',
      'Object{}',
      'object',
    ]);
  }

  #patch(): string {
    const { pick } = this.#random;
    return pick([
      '[JSONPatch{op: "add", path: "/metadata/labels", value: {"patched": "yes"}}]',
      '[JSONPatch{op: "add", path: "/metadata/annotations", value: {}}]',
      '[JSONPatch{op: "add", path: "/metadata/annotations/x", value: "1"}]',
      '[JSONPatch{op: "test", path: "/metadata/name", value: "web"}, JSONPatch{op: "add", path: "/metadata/labels", value: {"t": "1"}}]',
      '[JSONPatch{op: "test", path: "/metadata/labels/app", value: "nope"}, JSONPatch{op: "remove", path: "/metadata/labels/app"}]',
      '[JSONPatch{op: "replace", path: "/spec/replicas", value: 5}]',
      '[JSONPatch{op: "replace", path: "/spec/replicas", value: "x"}]',
      '[JSONPatch{op: "remove", path: "/metadata/labels"}]',
      '[JSONPatch{op: "add", path: "/spec/containers/-", value: Object.spec.containers{name: "more", image: "more:1"}}]',
      '[JSONPatch{op: "add", path: "/spec/containers/0/env", value: [{"name": "E", "value": "1"}]}]',
      '[JSONPatch{op: "remove", path: "/spec/containers/-1"}]',
      '[JSONPatch{op: "copy", from: "/metadata/name", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b")}]',
      '[JSONPatch{op: "move", from: "/metadata/labels/app", path: "/metadata/labels/moved"}]',
      '[JSONPatch{op: "add", path: "/spec/unknown", value: 1}]',
      '[JSONPatch{op: "add", path: "/data/key", value: string(variables.a)}]',
      '[JSONPatch{op: "add", path: "/spec/free", value: object.metadata}]',
      '[JSONPatch{op: "add", path: "/spec/size", value: 1.0}]',
      'object.spec.containers.map(c, JSONPatch{op: "add", path: "/metadata/labels/" + c.name, value: "c"})',
      'has(object.metadata.labels) ? [JSONPatch{op: "add", path: "/metadata/labels/k", value: "v"}] : []',
      '[JSONPatch{op: "add", path: "/metadata/labels/n", value: 9007199254740993}]',
      '[JSONPatch{op: "nope", path: "/a"}]',
      '[]',
    ]);
  }
}
