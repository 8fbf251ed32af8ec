/** The API's rules for new policies and bindings, each with its field path and text. */
import { describe, expect, test } from 'vitest';
import { loadManifests } from '#manifest';
import { compilePolicies } from '#policy/compile';

const API = 'admissionregistration.k8s.io/v1';
const RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const CONSTRAINTS = { resourceRules: [RULE] };

/** What the API says of an object of a kind with that spec; only the beginnings are compared. */
function refusals(kind: string, spec: object, metadata: object = { name: 'p' }): readonly string[] {
  const text = JSON.stringify({ apiVersion: API, kind, metadata, spec });
  const { documents, diagnostics } = loadManifests([{ name: 'a.yaml', text }]);
  return [...diagnostics, ...compilePolicies(documents).diagnostics]
    .filter(({ severity }) => severity === 'error')
    .map(({ upstream, message }) => upstream ?? message);
}

type Row = readonly [name: string, change: object, ...texts: string[]];

function table(rows: readonly Row[]): readonly { name: string; change: object; texts: readonly string[] }[] {
  return rows.map(([name, change, ...texts]) => ({ name, change, texts }));
}

function expectTexts(found: readonly string[], texts: readonly string[]): void {
  expect(found.map((text, index) => text.slice(0, texts[index]?.length ?? text.length))).toEqual(texts);
}

const LABEL = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.'";
const SUBDOMAIN = 'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters';
const QUALIFIED = 'prefix part a lowercase RFC 1123 subdomain';

function rule(change: object): object {
  return { matchConstraints: { resourceRules: [{ ...RULE, ...change }] } };
}

function selecting(objectSelector: object): object {
  return { matchConstraints: { ...CONSTRAINTS, objectSelector } };
}

const AT = 'spec.matchConstraints.resourceRules[0]';
const SELECTOR = 'spec.matchConstraints.objectSelector';
const many = (count: number, make: (index: number) => object): object[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('a validating policy', () => {
  test.each(
    table([
      ['without matchConstraints', { matchConstraints: undefined }, 'spec.matchConstraints: Required value'],
      [
        'with an empty failurePolicy',
        { failurePolicy: '' },
        'spec.failurePolicy: Unsupported value: "": supported values: "Fail", "Ignore"',
      ],
      [
        'with a paramKind of nothing',
        { paramKind: {} },
        'spec.paramKind.apiVersion: Required value',
        'spec.paramKind.kind: Required value',
      ],
      [
        'with a paramKind of two slashes',
        { paramKind: { apiVersion: 'a/b/c', kind: 'K' } },
        'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      ],
      [
        'with a paramKind of a bad group',
        { paramKind: { apiVersion: 'A_/v1', kind: 'K' } },
        `spec.paramKind.apiVersion: Invalid value: "A_": ${SUBDOMAIN}`,
      ],
      [
        'with a paramKind of a bad version',
        { paramKind: { apiVersion: 'a.io/1', kind: 'K' } },
        'spec.paramKind.apiVersion: Invalid value: "1": a DNS-1035 label must consist of',
      ],
      [
        'with a paramKind of a bad kind',
        { paramKind: { apiVersion: 'a.io/v1', kind: 'My Kind' } },
        'spec.paramKind.kind: Invalid value: "My Kind": may have mixed case, but should otherwise match: a DNS-1035 label must consist of',
      ],
      [
        'with another matchPolicy',
        { matchConstraints: { ...CONSTRAINTS, matchPolicy: 'Fuzzy' } },
        'spec.matchConstraints.matchPolicy: Unsupported value: "Fuzzy": supported values: "Equivalent", "Exact"',
      ],
      [
        'with a bad label key',
        selecting({ matchLabels: { '/a': 'b' } }),
        `${SELECTOR}.matchLabels: Invalid value: "/a": ${QUALIFIED.slice(0, 11)}`,
      ],
      [
        'with a bad label value',
        selecting({ matchLabels: { a: 'b c' } }),
        `${SELECTOR}.matchLabels: Invalid value: "b c": ${LABEL}`,
      ],
      [
        'with In and no values',
        selecting({ matchExpressions: [{ key: 'a', operator: 'In' }] }),
        `${SELECTOR}.matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      ],
      [
        'with Exists and values',
        selecting({ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }),
        `${SELECTOR}.matchExpressions[0].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
      ],
      [
        'with a bad value among values',
        selecting({ matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c d'] }] }),
        `${SELECTOR}.matchExpressions[0].values[1]: Invalid value: "c d": ${LABEL}`,
      ],
      ['without API groups', rule({ apiGroups: [] }), `${AT}.apiGroups: Required value`],
      [
        'with * beside a group',
        rule({ apiGroups: ['*', 'apps'] }),
        `${AT}.apiGroups: Invalid value: ["*","apps"]: if '*' is present, must not specify other API groups`,
      ],
      ['without API versions', rule({ apiVersions: [] }), `${AT}.apiVersions: Required value`],
      [
        'with * beside a version',
        rule({ apiVersions: ['*', 'v1'] }),
        `${AT}.apiVersions: Invalid value: ["*","v1"]: if '*' is present, must not specify other API versions`,
      ],
      ['with an empty API version', rule({ apiVersions: ['v1', ''] }), `${AT}.apiVersions[1]: Required value`],
      ['without resources', rule({ resources: [] }), `${AT}.resources: Required value`],
      ['with an empty resource', rule({ resources: ['pods', ''] }), `${AT}.resources[1]: Required value`],
      [
        'with */y beside x/y',
        rule({ resources: ['*/status', 'pods/status'] }),
        `${AT}.resources[1]: Invalid value: "pods/status": if '*/status' is present, must not specify pods/status`,
      ],
      [
        'with * beside a resource',
        rule({ resources: ['*', 'pods'] }),
        `${AT}.resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
      ],
      ['with * behind a resource, which the API overlooks', rule({ resources: ['pods', '*'] })],
      ['with * beside subresources', rule({ resources: ['*', 'pods/status'] })],
      ['with a resource twice', rule({ resources: ['pods', 'pods'] })],
      [
        'with a resource name that is no path segment',
        rule({ resourceNames: ['a/b'] }),
        `${AT}.resourceNames[0]: Invalid value: "a/b": may not contain '/'`,
      ],
      [
        'with a bad rule that excludes',
        { matchConstraints: { ...CONSTRAINTS, excludeResourceRules: [{ ...RULE, operations: ['READ'] }] } },
        'spec.matchConstraints.excludeResourceRules[0].operations[0]: Unsupported value: "READ"',
      ],
      [
        'with 65 conditions',
        { matchConditions: many(65, (index) => ({ name: `c${index}`, expression: 'true' })) },
        'spec.matchConditions: Too many: 65: must have at most 64 items',
      ],
      [
        'with a condition without name and expression',
        { matchConditions: [{ name: '', expression: ' ' }] },
        'spec.matchConditions[0].expression: Required value',
        'spec.matchConditions[0].name: Required value',
      ],
      [
        'with a condition of a bad name',
        { matchConditions: [{ name: 'a b', expression: 'true' }] },
        'spec.matchConditions[0].name: Invalid value: "a b": name part must consist of',
      ],
      [
        'with a condition that reads params without a paramKind',
        { matchConditions: [{ name: 'a', expression: 'params == null' }] },
        'spec.matchConditions[0].expression: Invalid value: "params == null": compilation failed: ERROR: <input>:1:1: undeclared reference to \'params\'',
      ],
      [
        'with a variable of nothing',
        { variables: [{ name: '', expression: ' ' }] },
        'spec.variables[0].name: Required value: name is not specified',
        'spec.variables[0].expression: Required value: expression is not specified',
      ],
      [
        'with a variable that is no identifier',
        { variables: [{ name: 'a-b', expression: '1' }] },
        'spec.variables[0].name: Invalid value: "a-b": must be a valid CEL identifier',
      ],
      [
        'with a variable twice',
        {
          variables: [
            { name: 'a', expression: '1' },
            { name: 'a', expression: '2' },
          ],
        },
      ],
      [
        'with a variable that reads a later one',
        {
          variables: [
            { name: 'a', expression: 'variables.b' },
            { name: 'b', expression: '2' },
          ],
        },
        'spec.variables[0].expression: Invalid value: "variables.b": compilation failed: ERROR: <input>:1:10: undefined field \'b\'',
      ],
      [
        'with a blank messageExpression',
        { validations: [{ expression: 'true', messageExpression: ' ' }] },
        'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
      ],
      [
        'with a messageExpression that is no string',
        { validations: [{ expression: 'true', messageExpression: '1' }] },
        'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int',
      ],
      [
        'with a messageExpression that asks the authorizer',
        { validations: [{ expression: 'true', messageExpression: "authorizer.path('/').check('get').reason()" }] },
        "spec.validations[0].messageExpression: Invalid value: \"authorizer.path('/').check('get').reason()\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'authorizer'",
      ],
      ['with an expression of two lines and no message', { validations: [{ expression: 'true &&\ntrue' }] }],
      [
        'with 21 audit annotations',
        { auditAnnotations: many(21, (index) => ({ key: `k${index}`, valueExpression: "''" })) },
        'spec.auditAnnotations: Invalid value: [',
      ],
      [
        'with an audit key twice',
        {
          auditAnnotations: [
            { key: 'k', valueExpression: "''" },
            { key: 'k', valueExpression: "''" },
          ],
        },
        'spec.auditAnnotations[1].key: Duplicate value: "k"',
      ],
      [
        'with a blank audit annotation',
        { auditAnnotations: [{ key: 'k', valueExpression: ' ' }] },
        'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
      ],
      [
        'with an audit annotation of 5121 bytes',
        { auditAnnotations: [{ key: 'k', valueExpression: `'${'a'.repeat(5119)}'` }] },
        'spec.auditAnnotations[0].valueExpression: Required value: must not exceed 5120 bytes in length',
      ],
      ['with an audit annotation that is null', { auditAnnotations: [{ key: 'k', valueExpression: 'null' }] }],
      [
        'with an audit annotation that is a number',
        { auditAnnotations: [{ key: 'k', valueExpression: '1' }] },
        'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
      ],
    ]),
  )('$name', ({ change, texts }) => {
    const spec = { matchConstraints: CONSTRAINTS, validations: [{ expression: 'true' }], ...change };
    expectTexts(refusals('ValidatingAdmissionPolicy', spec), texts);
  });

  test.each(
    table([
      ['without a name', {}, 'metadata.name: Required value: name or generateName is required'],
      ['in a namespace', { name: 'p', namespace: 'n' }, 'metadata.namespace: Forbidden: not allowed on this type'],
      ['whose name is a path', { name: 'a/b' }, `metadata.name: Invalid value: "a/b": ${SUBDOMAIN}`],
    ]),
  )('$name', ({ change: metadata, texts }) => {
    const spec = { matchConstraints: CONSTRAINTS, validations: [{ expression: 'true' }] };
    expectTexts(refusals('ValidatingAdmissionPolicy', spec, metadata), texts);
  });
});

const PATCH = { patchType: 'JSONPatch', jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/x'}]" } };

describe('a mutating policy', () => {
  test.each(
    table([
      [
        'without mutations',
        { mutations: [] },
        'spec.mutations: Required value: mutations must contain at least one item',
      ],
      [
        'with another reinvocationPolicy',
        { reinvocationPolicy: 'Always' },
        'spec.reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"',
      ],
      [
        'with a mutation of no type',
        { mutations: [{ jsonPatch: PATCH.jsonPatch }] },
        'spec.mutations[0].patchType: Required value',
      ],
      [
        'with both blocks',
        { mutations: [{ ...PATCH, applyConfiguration: { expression: 'Object{}' } }] },
        'spec.mutations[0].applyConfiguration: Invalid value: {"expression":"Object{}"}: must not be specified when patchType is JSONPatch',
      ],
      [
        'with a blank expression',
        { mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: ' ' } }] },
        'spec.mutations[0].jsonPatch.expression: Required value: expression is not specified',
      ],
      [
        'with a configuration that is no Object',
        { mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: '{"a": "b"}' } }] },
        'spec.mutations[0].applyConfiguration.expression: Invalid value: "{\\"a\\": \\"b\\"}": must evaluate to Object but got map(string, string)',
      ],
      ['with any operation', rule({ operations: ['*'] })],
      [
        'that excludes DELETE',
        { matchConstraints: { ...CONSTRAINTS, excludeResourceRules: [{ ...RULE, operations: ['DELETE'] }] } },
      ],
    ]),
  )('$name', ({ change, texts }) => {
    const spec = { matchConstraints: CONSTRAINTS, reinvocationPolicy: 'Never', mutations: [PATCH], ...change };
    expectTexts(refusals('MutatingAdmissionPolicy', spec), texts);
  });
});

describe('a binding', () => {
  test.each(
    table([
      ['of a policy whose name is none', { policyName: 'P' }, `spec.policyName: Invalid value: "P": ${SUBDOMAIN}`],
      [
        'with another action',
        { validationActions: ['Log'] },
        'spec.validationActions[0]: Unsupported value: "Log": supported values: "Audit", "Deny", "Warn"',
      ],
      [
        'with a param name that is no path segment',
        { paramRef: { name: '..', parameterNotFoundAction: 'Deny' } },
        'spec.paramRef.name: Invalid value: "..": may not be \'..\'',
      ],
      [
        'with a bad param selector',
        { paramRef: { selector: { matchLabels: { a: 'b c' } }, parameterNotFoundAction: 'Deny' } },
        `spec.paramRef.selector.matchLabels: Invalid value: "b c": ${LABEL}`,
      ],
      [
        'with another word for missing params',
        { paramRef: { name: 'a', parameterNotFoundAction: 'Skip' } },
        'spec.paramRef.parameterNotFoundAction: Unsupported value: "Skip": supported values: "Allow", "Deny"',
      ],
      ['without rules in matchResources', { matchResources: { objectSelector: {} } }],
      [
        'with a bad rule in matchResources',
        { matchResources: { resourceRules: [{ ...RULE, operations: [] }] } },
        'spec.matchResources.resourceRules[0].operations: Required value',
      ],
    ]),
  )('$name', ({ change, texts }) => {
    const spec = { policyName: 'p', validationActions: ['Deny'], ...change };
    expectTexts(refusals('ValidatingAdmissionPolicyBinding', spec), texts);
  });

  test('of a mutating policy with DELETE', () => {
    const spec = { policyName: 'p', matchResources: { resourceRules: [{ ...RULE, operations: ['DELETE'] }] } };
    expect(refusals('MutatingAdmissionPolicyBinding', spec)).toEqual([
      'spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
    ]);
  });
});
