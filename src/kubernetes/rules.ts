/** Whether a rule of `resourceRules` covers a request (API server: plugin/webhook/predicates/rules, plugin/policy/matching). */
import type { NamedRule } from './policies.ts';

/** The parts of a request that rules look at. Empty strings stand for what is absent. */
export interface RuleSubject {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** The namespace attribute: for Namespace objects their own name. */
  readonly namespace: string;
  readonly name: string;
}

/** Scope, operation, group, version and resource; names apart. */
export function ruleCovers(rule: NamedRule, subject: RuleSubject): boolean {
  return (
    scopeCovers(rule.scope, subject) &&
    anyOf(rule.operations, subject.operation) &&
    anyOf(rule.apiGroups, subject.group) &&
    anyOf(rule.apiVersions, subject.version) &&
    (rule.resources ?? []).some((entry) => resourceCovers(entry, subject.resource, subject.subresource))
  );
}

/** Whether the rule's resourceNames admit a name; an empty list admits every name, even an empty one. */
export function ruleNames(rule: NamedRule, name: string): boolean {
  return !rule.resourceNames || rule.resourceNames.length === 0 || rule.resourceNames.includes(name);
}

/** Whether an entry of `resources` covers a resource: `pods/*` covers `pods` too, `*` covers no subresource. */
export function resourceCovers(entry: string, resource: string, subresource: string): boolean {
  const slash = entry.indexOf('/');
  const wantedResource = slash < 0 ? entry : entry.slice(0, slash);
  const wantedSubresource = slash < 0 ? '' : entry.slice(slash + 1);
  return (
    (wantedResource === '*' || wantedResource === resource) &&
    (wantedSubresource === '*' || wantedSubresource === subresource)
  );
}

function anyOf(list: readonly string[] | undefined, value: string): boolean {
  return list?.some((entry) => entry === '*' || entry === value) ?? false;
}

function scopeCovers(scope: string | undefined, subject: RuleSubject): boolean {
  if (scope === undefined || scope === '' || scope === '*') return true;
  const isNamespace = subject.resource === 'namespaces' && subject.group === '' && subject.version === 'v1';
  if (scope === 'Namespaced') return !isNamespace && subject.namespace !== '';
  if (scope === 'Cluster') return isNamespace || subject.namespace === '';
  return false;
}
