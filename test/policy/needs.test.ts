import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#kubernetes';
import { accessKey, admit, type Facts, NO_FACTS } from '#policy';
import { apply, decide, mutating, namespaces, POD, policies, request, validating, verdict } from './fixtures.ts';

const NOTHING = { kind: 'needs', namespaces: [], params: [], access: [] };

describe('a namespace is asked for', () => {
  test.each([
    ['not when nobody reads it', validating({ spec: 'validations: [{expression: "true"}]' }), false],
    [
      'when a selector tests its labels',
      validating({ spec: 'validations: [{expression: "true"}]', match: 'namespaceSelector: {matchLabels: {a: b}}' }),
      true,
    ],
    [
      'not when the rules do not cover the request',
      validating({
        spec: 'validations: [{expression: "true"}]',
        match: 'namespaceSelector: {matchLabels: {a: b}}',
        rule: '{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}',
      }),
      false,
    ],
    [
      'not when the objectSelector does not match',
      validating({
        spec: 'validations: [{expression: "true"}]',
        match: 'namespaceSelector: {matchLabels: {a: b}}, objectSelector: {matchLabels: {app: other}}',
      }),
      false,
    ],
    [
      'when an expression reads it',
      validating({ spec: 'validations: [{expression: "namespaceObject != null"}]' }),
      true,
    ],
    [
      'when a mutation reads it',
      mutating({
        spec: `reinvocationPolicy: Never\nmutations:\n${apply('Object{metadata: Object.metadata{labels: {"n": namespaceObject.metadata.name}}}')}`,
      }),
      true,
    ],
  ])('%s', (_name, yaml, asked) => {
    const phase = yaml.includes('Mutating') ? 'mutate' : 'validate';
    const answer = admit(policies(yaml), phase, request(POD), NO_FACTS);
    expect(answer.kind === 'needs' ? answer : 'outcome').toEqual(
      asked ? { ...NOTHING, namespaces: ['shop'] } : 'outcome',
    );
  });

  test('a namespace that is known to be missing ends the request, even under Ignore', () => {
    const set = policies(validating({ spec: 'failurePolicy: Ignore\nvalidations: [{expression: "true"}]' }));
    const facts: Facts = { ...NO_FACTS, namespaces: new Map([['shop', { kind: 'absent' }]]) };
    expect(verdict(set, 'validate', request(POD), facts)).toBe('404 namespaces "shop" not found');
  });

  test('one that could not be read is no permission', () => {
    const set = policies(validating({ spec: 'failurePolicy: Ignore\nvalidations: [{expression: "true"}]' }));
    const facts: Facts = { ...NO_FACTS, namespaces: new Map([['shop', { kind: 'error', message: 'timed out' }]]) };
    expect(verdict(set, 'validate', request(POD), facts)).toBe('500 Internal error occurred: timed out');
  });
});

describe('params', () => {
  const spec = 'paramKind: {apiVersion: v1, kind: ConfigMap}\nvalidations: [{expression: "params.data.a == \'b\'"}]';
  const binding = 'validationActions: [Deny]\nparamRef: {name: limits, parameterNotFoundAction: Deny}';

  test('are asked for by name, in the namespace of the request', () => {
    expect(admit(policies(validating({ spec, binding })), 'validate', request(POD), NO_FACTS)).toEqual({
      ...NOTHING,
      params: [
        {
          key: '["v1","ConfigMap","shop","limits",null]',
          apiVersion: 'v1',
          kind: 'ConfigMap',
          resource: 'configmaps',
          namespace: 'shop',
          name: 'limits',
        },
      ],
    });
  });

  test('that travel with the policies are not asked for', () => {
    const param = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: limits, namespace: shop}
data: {a: b}
`;
    expect(verdict(policies(validating({ spec, binding }) + param), 'validate', request(POD))).toBe('allowed');
  });
});

describe('access decisions', () => {
  const check = (name: string): string =>
    `authorizer.group('').resource('pods').name('${name}').check('get').allowed()`;
  const set = policies(
    validating({
      spec: `validations:\n- expression: "${check('a')}"\n- expression: "${check('b')}"\n- expression: "${check('a')}"`,
    }),
  );

  test('are asked for together, each once', () => {
    const answer = admit(set, 'validate', request(POD), NO_FACTS);
    expect(
      answer.kind === 'needs' ? answer.access.map(({ verb, resource }) => [verb, resource?.name]) : answer,
    ).toEqual([
      ['get', 'a'],
      ['get', 'b'],
    ]);
  });

  test('decide by what is known', () => {
    const answer = admit(set, 'validate', request(POD), NO_FACTS);
    if (answer.kind !== 'needs') throw new Error('needs are wanted');
    const access = new Map(
      answer.access.map((need) => [accessKey(need), { kind: 'found', value: { decision: 'Allow' } } as const]),
    );
    expect(verdict(set, 'validate', request(POD), { ...NO_FACTS, access })).toBe('allowed');
    const none = new Map(answer.access.map((need) => [need.key, { kind: 'absent' } as const]));
    expect(decide(set, 'validate', request(POD), { ...NO_FACTS, access: none }).verdict.allowed).toBe(false);
  });
});

test('needs of all policies come in one answer', () => {
  const set = policies(
    [
      validating({ name: 'a', spec: 'validations: [{expression: "namespaceObject != null"}]' }),
      validating({
        name: 'b',
        spec: 'paramKind: {apiVersion: v1, kind: ConfigMap}\nvalidations: [{expression: "true"}]',
        binding: 'validationActions: [Deny]\nparamRef: {selector: {}, parameterNotFoundAction: Deny}',
      }),
      validating({ name: 'c', spec: `validations: [{expression: "authorizer.path('/').check('get').allowed()"}]` }),
    ].join('---\n'),
  );
  const answer = admit(set, 'validate', request(POD), NO_FACTS);
  expect(
    answer.kind === 'needs' ? [answer.namespaces.length, answer.params.length, answer.access.length] : answer,
  ).toEqual([1, 1, 1]);
});

test('a namespace object has no managed fields in validations, and all in audit annotations', () => {
  const set = policies(
    validating({
      spec: 'validations: [{expression: "!has(dyn(namespaceObject).metadata.managedFields)"}]\nauditAnnotations: [{key: k, valueExpression: "string(has(dyn(namespaceObject).metadata.managedFields))"}]',
    }),
  );
  const value = { metadata: { name: 'shop', managedFields: [{ manager: 'x' }] } };
  const facts: Facts = { ...namespaces({}), namespaces: new Map([['shop', { kind: 'found', value }]]) };
  expect(decide(set, 'validate', request(POD), facts).verdict).toMatchObject({
    allowed: true,
    auditAnnotations: { 'p/k': 'true' },
  });
});

test('an object that nests too deeply to be walked is denied', () => {
  const deep = (): JsonObject => {
    let object: JsonObject = {};
    for (let depth = 0; depth < 100_000; depth++) object = { a: object };
    return object;
  };
  const set = policies(
    validating({ spec: 'failurePolicy: Ignore\nvalidations: [{expression: "object.spec == oldObject.spec"}]' }),
  );
  const asked = request({ ...POD, spec: deep() }, { operation: 'UPDATE', oldObject: { ...POD, spec: deep() } });
  expect(decide(set, 'validate', asked).verdict).toMatchObject({ allowed: false, status: { code: 500 } });
});
