import { describe, expect, test } from 'vitest';
import { type Diagnostic, position } from '#diagnostics';
import { loadManifests } from '#manifest';
import { compilePolicies } from '#policy/compile';

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: p
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  validations:
  - expression: "true"
`;
const BINDING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: p
  validationActions: [Deny]
`;
const MUTATING = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: m
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: "[JSONPatch{op: 'remove', path: '/x'}]"}
`;

function diagnose(...texts: string[]): readonly Diagnostic[] {
  const { documents, diagnostics } = loadManifests([{ name: 'a.yaml', text: texts.join('---\n') }]);
  return [...diagnostics, ...compilePolicies(documents).diagnostics];
}

function upstream(...texts: string[]): readonly (string | undefined)[] {
  return diagnose(...texts)
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => diagnostic.upstream);
}

test('a good policy and its binding compile without a word', () => {
  expect(diagnose(POLICY, BINDING)).toEqual([]);
  const { documents } = loadManifests([{ name: 'a.yaml', text: `${POLICY}---\n${BINDING}` }]);
  const { compiled } = compilePolicies(documents);
  expect(compiled?.validating).toMatchObject([
    {
      name: 'p',
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ scope: '*' }],
      },
      bindings: [{ name: 'b', validationActions: ['Deny'] }],
      validations: [{ expression: { source: 'true', type: 'bool' } }],
    },
  ]);
});

test('the same documents in any order give the same bytes', () => {
  const compile = (...texts: string[]): string => {
    const { documents } = loadManifests([{ name: 'a.yaml', text: texts.join('---\n') }]);
    return JSON.stringify(compilePolicies(documents).compiled);
  };
  expect(compile(BINDING, MUTATING, POLICY)).toBe(compile(POLICY, BINDING, MUTATING));
});

describe('what the API refuses, in its words', () => {
  test.each<[string, string, string, string]>([
    [
      'failurePolicy',
      'spec:',
      'spec:\n  failurePolicy: Maybe',
      'spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
    ],
    [
      'no rules',
      /resourceRules:\n.*\n/.exec(POLICY)?.[0] ?? '',
      'matchPolicy: Exact\n',
      'spec.matchConstraints.resourceRules: Required value',
    ],
    [
      'an unknown operation',
      '[CREATE]',
      '[READ]',
      'spec.matchConstraints.resourceRules[0].operations[0]: Unsupported value: "READ": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
    ],
    [
      '* beside another operation',
      '[CREATE]',
      '["*", CREATE]',
      `spec.matchConstraints.resourceRules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`,
    ],
    [
      'a rule without operations',
      'operations: [CREATE], ',
      '',
      'spec.matchConstraints.resourceRules[0].operations: Required value',
    ],
    [
      'pods/* beside pods/status',
      '[pods]',
      '["pods/*", "pods/status"]',
      `spec.matchConstraints.resourceRules[0].resources[1]: Invalid value: "pods/status": if 'pods/*' is present, must not specify pods/status`,
    ],
    [
      '*/* beside others',
      '[pods]',
      '["*/*", pods]',
      `spec.matchConstraints.resourceRules[0].resources: Invalid value: ["*/*","pods"]: if '*/*' is present, must not specify other resources`,
    ],
    [
      'a scope that is none',
      'resources: [pods]',
      'resources: [pods], scope: Pod',
      'spec.matchConstraints.resourceRules[0].scope: Unsupported value: "Pod": supported values: "*", "Cluster", "Namespaced"',
    ],
    [
      'a name twice',
      'resources: [pods]',
      'resources: [pods], resourceNames: [a, a]',
      'spec.matchConstraints.resourceRules[0].resourceNames[1]: Duplicate value: "a"',
    ],
    [
      'a selector operator',
      'matchConstraints:',
      'matchConstraints:\n    objectSelector: {matchExpressions: [{key: a, operator: Is}]}',
      'spec.matchConstraints.objectSelector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    ],
    [
      'a paramKind without version',
      'spec:',
      'spec:\n  paramKind: {apiVersion: rules.io/, kind: Limit}',
      'spec.paramKind.apiVersion: Invalid value: "rules.io/": version must be specified',
    ],
    [
      'a variable called as a keyword',
      'spec:',
      'spec:\n  variables: [{name: for, expression: "1"}]',
      'spec.variables[0].name: Invalid value: "for": must be a valid CEL identifier',
    ],
    [
      'conditions of one name',
      'spec:',
      'spec:\n  matchConditions: [{name: a, expression: "true"}, {name: a, expression: "true"}]',
      'spec.matchConditions[1].name: Duplicate value: "a"',
    ],
    [
      'variables in conditions',
      'spec:',
      'spec:\n  variables: [{name: v, expression: "1"}]\n  matchConditions: [{name: a, expression: "variables.v == 1"}]',
      `spec.matchConditions[0].expression: Invalid value: "variables.v == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.v == 1\n | ^`,
    ],
    [
      'a reason that is not allowed',
      'expression: "true"',
      'expression: "true"\n    reason: Unauthorized',
      'spec.validations[0].reason: Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
    ],
    [
      'a blank message',
      'expression: "true"',
      'expression: "true"\n    message: " "',
      'spec.validations[0].message: Invalid value: " ": must be non-empty if specified',
    ],
    [
      'a message of two lines',
      'expression: "true"',
      'expression: "true"\n    message: "a\\nb"',
      'spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
    ],
    [
      'a blank expression',
      'expression: "true"',
      'expression: " "',
      'spec.validations[0].expression: Required value: expression is not specified',
    ],
    [
      'an expression that is not bool',
      'expression: "true"',
      'expression: object.spec.x',
      'spec.validations[0].expression: Invalid value: "object.spec.x": must evaluate to bool but got dyn',
    ],
    [
      'an audit key with a slash',
      'validations:',
      'auditAnnotations: [{key: a/b, valueExpression: "\'x\'"}]\n  validations:',
      'spec.auditAnnotations[0].key: Invalid value: "p/a/b": a qualified name must consist of',
    ],
    [
      'a name in upper case',
      'name: p',
      'name: P',
      'metadata.name: Invalid value: "P": a lowercase RFC 1123 subdomain must consist of',
    ],
  ])('%s', (_name, from, to, text) => {
    const [first] = upstream(POLICY.replace(from, to));
    expect(first?.slice(0, text.length)).toBe(text);
  });

  test('nothing to validate', () => {
    expect(upstream(POLICY.replace(/ {2}validations:[\s\S]*/, ''))).toEqual([
      'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
      'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
    ]);
  });

  test.each<[string, string, string, string]>([
    [
      'no actions',
      'validationActions: [Deny]',
      '',
      'spec.validationActions: Required value: at least one validation action is required',
    ],
    ['an action twice', '[Deny]', '[Audit, Audit]', 'spec.validationActions[1]: Duplicate value: "Audit"'],
    [
      'Deny with Warn',
      '[Deny]',
      '[Deny, Warn]',
      'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating',
    ],
    ['no policy', 'policyName: p', 'matchResources: {}', 'spec.policyName: Required value'],
    [
      'a param by name and selector',
      'policyName: p',
      'policyName: p\n  paramRef: {name: a, selector: {}, parameterNotFoundAction: Deny}',
      'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
    ],
    [
      'a param by neither',
      'policyName: p',
      'policyName: p\n  paramRef: {parameterNotFoundAction: Deny}',
      'spec.paramRef: Required value: one of name or selector must be specified',
    ],
    [
      'no word for missing params',
      'policyName: p',
      'policyName: p\n  paramRef: {name: a}',
      'spec.paramRef.parameterNotFoundAction: Required value',
    ],
  ])('a binding with %s', (_name, from, to, text) => {
    const [first] = upstream(POLICY, BINDING.replace(from, to));
    expect(first?.slice(0, text.length)).toBe(text);
  });

  test.each<[string, string, string, string]>([
    [
      'DELETE',
      '[CREATE]',
      '[DELETE]',
      'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
    ],
    ['no reinvocationPolicy', '  reinvocationPolicy: Never\n', '', 'spec.reinvocationPolicy: Required value'],
    [
      'the other block',
      'patchType: JSONPatch',
      'patchType: ApplyConfiguration',
      'spec.mutations[0].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration',
    ],
    [
      'another patch type',
      'patchType: JSONPatch',
      'patchType: Merge',
      'spec.mutations[0].patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"',
    ],
    [
      'an expression of another type',
      `"[JSONPatch{op: 'remove', path: '/x'}]"`,
      '"[]"',
      'spec.mutations[0].jsonPatch.expression: Invalid value: "[]": must evaluate to list(JSONPatch) but got list(dyn)',
    ],
  ])('a mutating policy with %s', (_name, from, to, text) => {
    const [first] = upstream(MUTATING.replace(from, to));
    expect(first?.slice(0, text.length)).toBe(text);
  });
});

describe('what the API takes and does nothing with', () => {
  test.each([
    ['a policy without a binding', [POLICY], 'no-binding'],
    ['a binding without its policy', [BINDING], 'no-policy'],
    [
      'a paramKind that nobody knows',
      [POLICY.replace('spec:', 'spec:\n  paramKind: {apiVersion: rules.io/v1, kind: Limit}'), BINDING],
      'unknown-param-kind',
    ],
  ])('%s is a warning', (_name, texts, code) => {
    expect(diagnose(...texts).map((one) => [one.severity, one.code])).toEqual([['warning', code]]);
  });

  test('two objects of one name are an error', () => {
    expect(diagnose(POLICY, BINDING, BINDING).map(({ code }) => code)).toEqual(['duplicate-object']);
  });
});

test('an error in a block scalar has its place in the file', () => {
  const text = POLICY.replace(
    'expression: "true"',
    'expression: |\n      object.metadata.name\n        .startsWith(nope)',
  );
  const [{ span } = {}] = diagnose(text, BINDING);
  if (!span) throw new Error('a place is wanted');
  expect(position(span.source, span.start)).toEqual({ line: 12, column: 21, text: '        .startsWith(nope)' });
});

test('v1alpha1: parameterNotFoundAction is Deny when it is not given', () => {
  const old = [
    POLICY.replace('spec:', 'spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}'),
    BINDING.replace('spec:', 'spec:\n  paramRef: {name: a}'),
  ].map((text) => text.replace('/v1\n', '/v1alpha1\n'));
  const { documents, diagnostics } = loadManifests([{ name: 'a.yaml', text: old.join('---\n') }]);
  expect(diagnostics).toEqual([]);
  expect(compilePolicies(documents).compiled?.validating[0]?.bindings[0]?.paramRef).toEqual({
    name: 'a',
    parameterNotFoundAction: 'Deny',
  });
});
