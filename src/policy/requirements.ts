/** What facts a policy set can ever ask for. */
import type { CompiledExpression } from './compiled.ts';
import type { Requirements } from './facts.ts';
import type { PolicySet } from './policy-set.ts';

/** Read off the policies, so that an operator knows what a cluster has to offer. */
export function requirements({ compiled }: PolicySet): Requirements {
  const policies = [...compiled.validating, ...compiled.mutating].filter(({ bindings }) => bindings.length > 0);
  const paramKinds = new Map<string, Requirements['paramKinds'][number]>();
  const access: string[] = [];
  let namespaces = false;
  for (const policy of policies) {
    const sources = expressionsOf(policy).map(({ source }) => source);
    if (sources.some((source) => source.includes('authorizer'))) access.push(policy.name);
    const selectors = [policy.matchConstraints, ...policy.bindings.map(({ matchResources }) => matchResources)];
    namespaces ||= selectors.some((match) => match?.namespaceSelector && !isEmptySelector(match.namespaceSelector));
    namespaces ||= sources.some((source) => source.includes('namespaceObject'));
    const { paramKind } = policy;
    if (paramKind?.resource && policy.bindings.some(({ paramRef }) => paramRef)) {
      const { name: resource, namespaced } = paramKind.resource;
      const { apiVersion, kind } = paramKind;
      paramKinds.set(`${apiVersion}/${kind}`, { apiVersion, kind, resource, namespaced });
    }
  }
  return { namespaces, paramKinds: [...paramKinds.values()], access };
}

type CompiledPolicy = PolicySet['compiled']['validating'][number] | PolicySet['compiled']['mutating'][number];

function expressionsOf(policy: CompiledPolicy): readonly CompiledExpression[] {
  const named = [...policy.matchConditions, ...policy.variables].map(({ expression }) => expression);
  if ('mutations' in policy) return [...named, ...policy.mutations.flatMap(({ expression }) => expression ?? [])];
  return [
    ...named,
    ...policy.validations.flatMap(({ expression, messageExpression }) => [
      expression,
      ...(messageExpression ? [messageExpression] : []),
    ]),
    ...policy.auditAnnotations.map(({ valueExpression }) => valueExpression),
  ];
}

function isEmptySelector(selector: {
  readonly matchLabels?: object;
  readonly matchExpressions?: readonly unknown[];
}): boolean {
  return Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
}
