/** The API's defaults for policies and bindings of v1 (API server: pkg/apis/admissionregistration/v1/defaults.go). */
import type { MatchResources, NamedRule } from '#kubernetes';

/** `Equivalent`, empty selectors, scope `*`. */
export function withMatchDefaults(match: MatchResources): MatchResources {
  return {
    ...match,
    matchPolicy: match.matchPolicy ?? 'Equivalent',
    namespaceSelector: match.namespaceSelector ?? {},
    objectSelector: match.objectSelector ?? {},
    ...(match.resourceRules ? { resourceRules: match.resourceRules.map(withScope) } : {}),
    ...(match.excludeResourceRules ? { excludeResourceRules: match.excludeResourceRules.map(withScope) } : {}),
  };
}

/** What `failurePolicy` is when it is not given. */
export const DEFAULT_FAILURE_POLICY = 'Fail';

function withScope(rule: NamedRule): NamedRule {
  return { ...rule, scope: rule.scope ?? '*' };
}
