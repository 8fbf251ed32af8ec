/**
 * The compiled form of policies: plain JSON data, all that a bundle holds. Every expression stands with its checked code
 * or with the error that the API server's own compiler gives; defaults are filled in.
 */

import type {
  JsonObject,
  MatchResources,
  ParamKind,
  ParamRef,
  PatchType,
  ReinvocationPolicy,
  StoredNative,
  ValidationAction,
} from '#kubernetes';
import type { StoredSchema } from '#merge';

/** One expression: its code, or the API server's text of why it did not compile. */
export type CompiledExpression =
  | { readonly source: string; readonly code: unknown; readonly type: string }
  | { readonly source: string; readonly error: string };

export interface CompiledPolicies {
  /** Version of this form. */
  readonly version: 1;
  /** The Kubernetes minor whose API server is emulated. */
  readonly kubernetes: '1.36';
  readonly validating: readonly CompiledValidatingPolicy[];
  readonly mutating: readonly CompiledMutatingPolicy[];
  /** Definitions of custom resources that policies match or take params from. */
  readonly customResources: readonly CompiledCustomResource[];
  /** Merge schema of the kinds that ApplyConfiguration may meet, in the form of `#merge`. */
  readonly mergeSchema: StoredSchema;
  /** Facts about the Go types of the built-in kinds that mutations may meet, in the form of `#kubernetes`. */
  readonly nativeTypes: StoredNative;
  /** Param objects that travel with the policies. */
  readonly params: readonly JsonObject[];
}

export interface CompiledVariable {
  readonly name: string;
  readonly expression: CompiledExpression;
}

export interface CompiledCondition {
  readonly name: string;
  readonly expression: CompiledExpression;
}

interface CompiledPolicyBase<Binding> {
  readonly name: string;
  /** Taken as it stands; `Fail` when the manifest has none. */
  readonly failurePolicy: string;
  readonly paramKind?: CompiledParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions: readonly CompiledCondition[];
  readonly variables: readonly CompiledVariable[];
  readonly bindings: readonly Binding[];
}

/** A param kind and what it resolves to; unresolved kinds are a configuration error of the policy. */
export interface CompiledParamKind extends ParamKind {
  readonly resource?: { readonly name: string; readonly namespaced: boolean; readonly native: boolean };
}

export interface CompiledBinding {
  readonly name: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
}

export interface CompiledValidatingBinding extends CompiledBinding {
  readonly validationActions: readonly ValidationAction[];
}

export interface CompiledValidation {
  readonly expression: CompiledExpression;
  readonly message?: string;
  readonly reason?: string;
  readonly messageExpression?: CompiledExpression;
}

export interface CompiledValidatingPolicy extends CompiledPolicyBase<CompiledValidatingBinding> {
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly { readonly key: string; readonly valueExpression: CompiledExpression }[];
}

export interface CompiledMutation {
  readonly patchType: PatchType;
  /** Absent when the block that belongs to `patchType` is missing. */
  readonly expression?: CompiledExpression;
}

export interface CompiledMutatingPolicy extends CompiledPolicyBase<CompiledBinding> {
  readonly reinvocationPolicy?: ReinvocationPolicy;
  readonly mutations: readonly CompiledMutation[];
}

export interface CompiledCustomResource {
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  /** Whether versions differ in nothing but `apiVersion` (conversion strategy None). */
  readonly convertible: boolean;
  readonly versions: readonly {
    readonly name: string;
    /** Structural schema, only the parts that carry defaults; absent when there are none. */
    readonly defaults?: JsonObject;
    /** Subresources that the version serves: `status`, `scale`. */
    readonly subresources: readonly string[];
  }[];
}
