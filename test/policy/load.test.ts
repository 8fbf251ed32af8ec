import { describe, expect, test } from 'vitest';
import { loadPolicies, requirements } from '#policy';
import { decide, POD, policies, request, validating } from './fixtures.ts';

const { compiled } = policies(validating({ spec: 'validations: [{expression: "true"}]' }));
const [policy] = compiled.validating;

describe('what is no bundle’s data is refused with its place', () => {
  test.each<[string, unknown, string]>([
    ['not an object', null, 'policies is not an object'],
    ['another version', { ...compiled, version: 2 }, 'policies.version is not one of 1'],
    ['a missing field', { ...compiled, params: undefined }, 'policies.params is missing'],
    ['an unknown field', { ...compiled, extra: 1 }, 'policies has an unknown field extra'],
    [
      'a wrong type deep inside',
      { ...compiled, validating: [{ ...policy, bindings: [{ name: 1, validationActions: [] }] }] },
      'policies.validating[0].bindings[0].name is not a string',
    ],
    [
      'a schema that refers to nothing',
      { ...compiled, mergeSchema: { types: [], kinds: { v1: { Pod: 7 } } } },
      'merge schema has no node 7',
    ],
  ])('%s', (_name, data, error) => {
    const set = loadPolicies(data);
    // schemas are linked when they are first needed
    expect('error' in set ? set.error : linkError(set)).toBe(error);
  });
});

function linkError(set: ReturnType<typeof policies>): string {
  try {
    set.kinds();
    return '';
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : '';
  }
}

test('code that cannot be run denies, whatever the failure policy', () => {
  const data = {
    ...compiled,
    validating: compiled.validating.map((one) => ({
      ...one,
      failurePolicy: 'Ignore',
      validations: [{ expression: { source: 'true', code: [1, [99]], type: 'bool' } }],
    })),
  };
  const set = loadPolicies(data);
  if ('error' in set) throw new Error(set.error);
  expect(decide(set, 'validate', request(POD)).verdict).toMatchObject({ allowed: false, status: { code: 500 } });
});

test('requirements tell what a cluster has to offer', () => {
  const set = policies(
    [
      validating({ name: 'a', spec: 'validations: [{expression: "namespaceObject != null"}]' }),
      validating({
        name: 'b',
        spec: 'paramKind: {apiVersion: v1, kind: ConfigMap}\nvalidations: [{expression: "true"}]',
        binding: 'validationActions: [Deny]\nparamRef: {name: x, parameterNotFoundAction: Deny}',
      }),
      validating({ name: 'c', spec: `validations: [{expression: "authorizer.path('/').check('get').allowed()"}]` }),
    ].join('---\n'),
  );
  expect(requirements(set)).toEqual({
    namespaces: true,
    paramKinds: [{ apiVersion: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true }],
    access: ['c'],
  });
});
