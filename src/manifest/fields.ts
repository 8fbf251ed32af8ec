/** The fields of the kinds that are compiled: what may stand in a manifest, and of which type it is. */

export type FieldType =
  | 'string'
  | 'boolean'
  | 'integer'
  /** Not looked into. */
  | 'any'
  /** A map of strings. */
  | 'strings-by-name'
  | { readonly list: FieldType }
  | { readonly fields: Readonly<Record<string, FieldType>> };

const strings: FieldType = { list: 'string' };
const object = (fields: Readonly<Record<string, FieldType>>): FieldType => ({ fields });
const listOf = (list: FieldType): FieldType => ({ list });

const metadata = object({
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  uid: 'string',
  resourceVersion: 'string',
  generation: 'integer',
  creationTimestamp: 'any',
  deletionTimestamp: 'any',
  deletionGracePeriodSeconds: 'integer',
  labels: 'strings-by-name',
  annotations: 'strings-by-name',
  ownerReferences: 'any',
  finalizers: strings,
  managedFields: 'any',
  selfLink: 'string',
});

const labelSelector = object({
  matchLabels: 'strings-by-name',
  matchExpressions: listOf(object({ key: 'string', operator: 'string', values: strings })),
});

const rules = listOf(
  object({
    operations: strings,
    apiGroups: strings,
    apiVersions: strings,
    resources: strings,
    resourceNames: strings,
    scope: 'string',
  }),
);

const matchResources = object({
  matchPolicy: 'string',
  namespaceSelector: labelSelector,
  objectSelector: labelSelector,
  resourceRules: rules,
  excludeResourceRules: rules,
});

const named = listOf(object({ name: 'string', expression: 'string' }));
const expression = object({ expression: 'string' });

const policy: Readonly<Record<string, FieldType>> = {
  failurePolicy: 'string',
  paramKind: object({ apiVersion: 'string', kind: 'string' }),
  matchConstraints: matchResources,
  matchConditions: named,
  variables: named,
};

const binding: Readonly<Record<string, FieldType>> = {
  policyName: 'string',
  paramRef: object({
    name: 'string',
    namespace: 'string',
    selector: labelSelector,
    parameterNotFoundAction: 'string',
  }),
  matchResources,
};

function kind(spec: Readonly<Record<string, FieldType>>): FieldType {
  return object({ apiVersion: 'string', kind: 'string', metadata, spec: object(spec), status: 'any' });
}

/** Fields of the kinds of `admissionregistration.k8s.io` that are compiled. */
export const POLICY_KINDS: Readonly<Record<string, FieldType>> = {
  ValidatingAdmissionPolicy: kind({
    ...policy,
    validations: listOf(
      object({ expression: 'string', message: 'string', messageExpression: 'string', reason: 'string' }),
    ),
    auditAnnotations: listOf(object({ key: 'string', valueExpression: 'string' })),
  }),
  ValidatingAdmissionPolicyBinding: kind({ ...binding, validationActions: strings }),
  MutatingAdmissionPolicy: kind({
    ...policy,
    reinvocationPolicy: 'string',
    mutations: listOf(object({ patchType: 'string', applyConfiguration: expression, jsonPatch: expression })),
  }),
  MutatingAdmissionPolicyBinding: kind(binding),
};

export const POLICY_VERSIONS: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'];
