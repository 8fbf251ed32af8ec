/** Policies ready to be evaluated: selectors parsed, rules indexed, expressions to be planned at their first use. */
import { boundRoundTrip, type JsonObject, linkNative } from '#kubernetes';
import { link } from '#merge';
import type {
  CompiledBinding,
  CompiledMutatingPolicy,
  CompiledPolicies,
  CompiledValidatingBinding,
  CompiledValidatingPolicy,
  CompiledVariable,
} from './compiled.ts';
import { type Equivalents, equivalents, type ServedResource } from './equivalents.ts';
import { type KindKnowledge, kindKnowledge, unbox } from './kinds.ts';
import { type Matcher, matcherOf } from './match.ts';
import { CannotDecide } from './needs.ts';
import { type Expression, loadExpression, type Planner } from './program.ts';
import { type RuleIndex, ruleIndex } from './rule-index.ts';

export interface LoadedBinding<Binding extends CompiledBinding = CompiledBinding> {
  readonly binding: Binding;
  /** Absent: everything that the policy matches. */
  readonly matcher: Matcher | undefined;
}

interface LoadedPolicyBase<Policy, Binding extends CompiledBinding> {
  readonly policy: Policy;
  /** Absent: an error of the policy. */
  readonly matcher: Matcher | undefined;
  readonly bindings: readonly LoadedBinding<Binding>[];
  readonly conditions: readonly Expression[];
  readonly variables: ReadonlyMap<string, Expression>;
  /** Some expression names `namespaceObject`. */
  readonly readsNamespace: boolean;
}

export interface LoadedValidatingPolicy extends LoadedPolicyBase<CompiledValidatingPolicy, CompiledValidatingBinding> {
  readonly validations: readonly Expression[];
  readonly messages: readonly (Expression | undefined)[];
  readonly auditAnnotations: readonly Expression[];
}

export interface LoadedMutatingPolicy extends LoadedPolicyBase<CompiledMutatingPolicy, CompiledBinding> {
  /** `undefined` where a mutation lacks the block of its patch type. */
  readonly mutations: readonly (Expression | undefined)[];
}

export interface PolicySet {
  readonly compiled: CompiledPolicies;
  readonly validating: RuleIndex<LoadedValidatingPolicy>;
  readonly mutating: RuleIndex<LoadedMutatingPolicy>;
  readonly equivalents: Equivalents;
  /** What is known of the kinds that are mutated; linked when it is first asked for. */
  readonly kinds: () => KindKnowledge;
  /** Param objects that travel with the policies, by `apiVersion/kind`. */
  readonly params: ReadonlyMap<string, readonly JsonObject[]>;
}

export interface SetOptions {
  readonly plan: Planner;
  /** Resources that are served under several names, besides what the definitions of custom resources say. */
  readonly equivalents?: readonly (readonly ServedResource[])[];
}

/** A policy set of data that is known to be sound (`decodePolicies`). Policies without bindings are left out: they do nothing. */
export function policySet(compiled: CompiledPolicies, options: SetOptions): PolicySet {
  const validating = compiled.validating.filter(isBound).map((policy) => loadValidating(policy, options.plan));
  const mutating = compiled.mutating.filter(isBound).map((policy) => loadMutating(policy, options.plan));
  const params = new Map<string, JsonObject[]>();
  for (const param of compiled.params) {
    const key = `${String(param['apiVersion'])}/${String(param['kind'])}`;
    params.set(key, [...(params.get(key) ?? []), param]);
  }
  return {
    compiled,
    validating: ruleIndex(validating, (loaded) => loaded.policy.matchConstraints),
    mutating: ruleIndex(mutating, (loaded) => loaded.policy.matchConstraints),
    equivalents: equivalents(options.equivalents ?? [], compiled.customResources),
    kinds: lazily(() => loadKinds(compiled)),
    params,
  };
}

function loadKinds({ mergeSchema, nativeTypes, customResources }: CompiledPolicies): KindKnowledge {
  try {
    return kindKnowledge(link(mergeSchema), customResources, boundRoundTrip(linkNative(nativeTypes), unbox));
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new CannotDecide(thrown.message);
    throw thrown;
  }
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function isBound(policy: { readonly bindings: readonly unknown[] }): boolean {
  return policy.bindings.length > 0;
}

function loadValidating(policy: CompiledValidatingPolicy, plan: Planner): LoadedValidatingPolicy {
  const messages = policy.validations.map(
    ({ messageExpression }, index) =>
      messageExpression && loadExpression(messageExpression, `spec.validations[${index}].messageExpression`, plan),
  );
  const validations = policy.validations.map(({ expression }, index) =>
    loadExpression(expression, `spec.validations[${index}].expression`, plan),
  );
  const auditAnnotations = policy.auditAnnotations.map(({ valueExpression }, index) =>
    loadExpression(valueExpression, `spec.auditAnnotations[${index}].valueExpression`, plan),
  );
  return {
    ...loadBase(policy, plan, [...validations, ...messages, ...auditAnnotations]),
    validations,
    messages,
    auditAnnotations,
  };
}

function loadMutating(policy: CompiledMutatingPolicy, plan: Planner): LoadedMutatingPolicy {
  const mutations = policy.mutations.map(({ patchType, expression }, index) => {
    const block = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
    return expression && loadExpression(expression, `spec.mutations[${index}].${block}.expression`, plan);
  });
  return { ...loadBase(policy, plan, mutations), mutations };
}

function loadBase<Policy extends CompiledValidatingPolicy | CompiledMutatingPolicy>(
  policy: Policy,
  plan: Planner,
  expressions: readonly (Expression | undefined)[],
): LoadedPolicyBase<Policy, Policy['bindings'][number]> {
  const variables = loadVariables(policy.variables, plan);
  const readers = [...expressions, ...variables.values()];
  return {
    policy,
    matcher: policy.matchConstraints && matcherOf(policy.matchConstraints),
    bindings: policy.bindings.map((binding) => ({
      binding,
      matcher: binding.matchResources && matcherOf(binding.matchResources),
    })),
    conditions: policy.matchConditions.map(({ expression }, index) =>
      loadExpression(expression, `spec.matchConditions[${index}].expression`, plan),
    ),
    variables,
    readsNamespace: readers.some((expression) => expression?.source.includes('namespaceObject') ?? false),
  };
}

/** By name; of variables with one name the last wins everywhere. */
function loadVariables(variables: readonly CompiledVariable[], plan: Planner): ReadonlyMap<string, Expression> {
  return new Map(
    variables.map(({ name, expression }, index) => [
      name,
      loadExpression(expression, `spec.variables[${index}].expression`, plan),
    ]),
  );
}
