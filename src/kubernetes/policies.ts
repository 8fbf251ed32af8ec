/** The wire types of `admissionregistration.k8s.io/v1` policies and bindings, with Kubernetes' own field names. */

/** The API group of policies and bindings. */
export const POLICY_GROUP = 'admissionregistration.k8s.io';

export type FailurePolicy = 'Fail' | 'Ignore';
export type MatchPolicy = 'Exact' | 'Equivalent';
export type ParameterNotFoundAction = 'Allow' | 'Deny';
export type ValidationAction = 'Deny' | 'Warn' | 'Audit';
export type ReinvocationPolicy = 'Never' | 'IfNeeded';
export type PatchType = 'ApplyConfiguration' | 'JSONPatch';

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface NamedRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly scope?: string;
}

export interface MatchResources {
  readonly matchPolicy?: MatchPolicy;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly resourceRules?: readonly NamedRule[];
  readonly excludeResourceRules?: readonly NamedRule[];
}

export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  readonly parameterNotFoundAction?: ParameterNotFoundAction;
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export interface Variable {
  readonly name: string;
  readonly expression: string;
}

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

export interface Mutation {
  readonly patchType: PatchType;
  readonly applyConfiguration?: { readonly expression: string };
  readonly jsonPatch?: { readonly expression: string };
}

export interface ObjectName {
  readonly name: string;
}

export interface ValidatingAdmissionPolicy {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'ValidatingAdmissionPolicy';
  readonly metadata: ObjectName;
  readonly spec: {
    readonly failurePolicy?: FailurePolicy;
    readonly paramKind?: ParamKind;
    readonly matchConstraints?: MatchResources;
    readonly matchConditions?: readonly MatchCondition[];
    readonly variables?: readonly Variable[];
    readonly validations?: readonly Validation[];
    readonly auditAnnotations?: readonly AuditAnnotation[];
  };
}

export interface ValidatingAdmissionPolicyBinding {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'ValidatingAdmissionPolicyBinding';
  readonly metadata: ObjectName;
  readonly spec: {
    readonly policyName: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchResources;
    readonly validationActions?: readonly ValidationAction[];
  };
}

export interface MutatingAdmissionPolicy {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'MutatingAdmissionPolicy';
  readonly metadata: ObjectName;
  readonly spec: {
    readonly failurePolicy?: FailurePolicy;
    readonly reinvocationPolicy?: ReinvocationPolicy;
    readonly paramKind?: ParamKind;
    readonly matchConstraints?: MatchResources;
    readonly matchConditions?: readonly MatchCondition[];
    readonly variables?: readonly Variable[];
    readonly mutations?: readonly Mutation[];
  };
}

export interface MutatingAdmissionPolicyBinding {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'MutatingAdmissionPolicyBinding';
  readonly metadata: ObjectName;
  readonly spec: {
    readonly policyName: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchResources;
  };
}
