/** The shape of `CompiledPolicies`, field by field. */
import type { CompiledPolicies } from './compiled.ts';
import {
  type Check,
  either,
  fields,
  isAnything,
  isBoolean,
  isOneOf,
  isPlainObject,
  isString,
  listOf,
  mapOf,
} from './shape.ts';

const strings = listOf(isString);

const expression: Check = either(
  fields({ source: isString, code: isAnything, type: isString }),
  fields({ source: isString, error: isString }),
);

const labelSelector = fields({
  'matchLabels?': mapOf(isString),
  'matchExpressions?': listOf(fields({ key: isString, operator: isString, 'values?': strings })),
});

const rule = fields({
  'operations?': strings,
  'apiGroups?': strings,
  'apiVersions?': strings,
  'resources?': strings,
  'resourceNames?': strings,
  'scope?': isString,
});

const matchResources = fields({
  'matchPolicy?': isString,
  'namespaceSelector?': labelSelector,
  'objectSelector?': labelSelector,
  'resourceRules?': listOf(rule),
  'excludeResourceRules?': listOf(rule),
});

const paramRef = fields({
  'name?': isString,
  'namespace?': isString,
  'selector?': labelSelector,
  'parameterNotFoundAction?': isString,
});

const binding = { name: isString, 'paramRef?': paramRef, 'matchResources?': matchResources };
const named = listOf(fields({ name: isString, expression }));

const policy = {
  name: isString,
  failurePolicy: isString,
  'paramKind?': fields({
    apiVersion: isString,
    kind: isString,
    'resource?': fields({ name: isString, namespaced: isBoolean, native: isBoolean }),
  }),
  'matchConstraints?': matchResources,
  matchConditions: named,
  variables: named,
};

const validating = fields({
  ...policy,
  bindings: listOf(fields({ ...binding, validationActions: strings })),
  validations: listOf(
    fields({ expression, 'message?': isString, 'reason?': isString, 'messageExpression?': expression }),
  ),
  auditAnnotations: listOf(fields({ key: isString, valueExpression: expression })),
});

const mutating = fields({
  ...policy,
  bindings: listOf(fields(binding)),
  'reinvocationPolicy?': isString,
  mutations: listOf(fields({ patchType: isString, 'expression?': expression })),
});

const customResource = fields({
  group: isString,
  kind: isString,
  resource: isString,
  namespaced: isBoolean,
  convertible: isBoolean,
  versions: listOf(fields({ name: isString, 'defaults?': isPlainObject, subresources: strings })),
});

const compiledPolicies = fields({
  version: isOneOf(1),
  kubernetes: isOneOf('1.36'),
  validating: listOf(validating),
  mutating: listOf(mutating),
  customResources: listOf(customResource),
  mergeSchema: fields({ types: listOf(isAnything), kinds: mapOf(mapOf(isAnything)) }),
  nativeTypes: fields({ types: listOf(isAnything), kinds: mapOf(mapOf(isAnything)) }),
  params: listOf(isPlainObject),
});

/** The data as compiled policies, or why it is none. */
export function decodePolicies(data: unknown): CompiledPolicies | { readonly error: string } {
  const fault = compiledPolicies(data, 'policies');
  return fault === undefined ? (data as CompiledPolicies) : { error: fault };
}
