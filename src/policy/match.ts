/**
 * Whether a policy's matchConstraints or a binding's matchResources take a request, and as which resource and kind
 * (API server: plugin/policy/matching/matching.go, plugin/webhook/predicates).
 *
 * The API server tests selectors first and keeps their errors for the end; here rules go first, so that no namespace is
 * asked for in vain. The answers are the same: a selector that does not match wins over everything, then come errors of
 * the rules, then rules that do not match, then errors of the namespace selector, then of the object selector.
 */
import {
  type GroupVersionKind,
  type GroupVersionResource,
  hasMetadata,
  internalError,
  type JsonObject,
  labelsOf,
  type MatchResources,
  type NamedRule,
  parseSelector,
  type RuleSubject,
  resourceText,
  ruleCovers,
  ruleNames,
  type Selector,
  sameResource,
  selectorMatches,
} from '#kubernetes';
import type { Attributes } from './attributes.ts';
import type { Equivalents } from './equivalents.ts';
import type { ApiError, FactsReader } from './facts-reader.ts';

/** A match and what it was matched as, no match, or an error of the policy or binding. */
export type Match =
  | { readonly kind: 'match'; readonly resource: GroupVersionResource; readonly as: GroupVersionKind }
  | { readonly kind: 'none' }
  | { readonly kind: 'error'; readonly error: ApiError };

/** `MatchResources` with its selectors parsed, once a policy set. */
export interface Matcher {
  readonly resources: MatchResources;
  readonly namespaceSelector: Selector | { readonly error: string };
  readonly objectSelector: Selector | { readonly error: string };
}

export function matcherOf(resources: MatchResources): Matcher {
  return {
    resources,
    namespaceSelector: parseOrNil(resources.namespaceSelector, 'namespace'),
    objectSelector: parseOrNil(resources.objectSelector, 'object'),
  };
}

const NONE: Match = { kind: 'none' };

export function matchRequest(
  matcher: Matcher,
  attributes: Attributes,
  equivalents: Equivalents,
  facts: FactsReader,
): Match {
  const byRules = matchRules(matcher.resources, attributes, equivalents);
  if (byRules.kind === 'none') return NONE;
  const object = matchObjectSelector(matcher.objectSelector, attributes);
  if (object === false) return NONE;
  const namespace = matchNamespaceSelector(matcher.namespaceSelector, attributes, facts);
  if (namespace === false) return NONE;
  if (byRules.kind === 'error') return byRules;
  if (namespace !== true) return { kind: 'error', error: namespace };
  if (object !== true) return { kind: 'error', error: object };
  return byRules;
}

function matchRules(resources: MatchResources, attributes: Attributes, equivalents: Equivalents): Match {
  const fuzzy = resources.matchPolicy !== undefined && resources.matchPolicy !== 'Exact';
  const excluded = firstRule(resources.excludeResourceRules ?? [], fuzzy, attributes, equivalents);
  if (excluded.kind === 'match') return NONE;
  if (excluded.kind === 'error') return excluded;
  const rules = resources.resourceRules ?? [];
  if (rules.length === 0) return { kind: 'match', resource: attributes.resource, as: attributes.kind };
  return firstRule(rules, fuzzy, attributes, equivalents);
}

function firstRule(
  rules: readonly NamedRule[],
  fuzzy: boolean,
  attributes: Attributes,
  equivalents: Equivalents,
): Match {
  if (rules.length === 0) return NONE;
  const subject = subjectOf(attributes, attributes.resource);
  if (rules.some((rule) => ruleCovers(rule, subject) && ruleNames(rule, attributes.name))) {
    return { kind: 'match', resource: attributes.resource, as: attributes.kind };
  }
  if (!fuzzy) return NONE;
  const others = equivalents.others(attributes).filter((other) => !sameResource(other, attributes.resource));
  for (const rule of rules) {
    for (const resource of others) {
      if (!ruleCovers(rule, subjectOf(attributes, resource))) continue;
      const as = equivalents.kindFor(attributes, resource);
      if (!as)
        return { kind: 'error', error: { message: `unable to convert to ${resourceText(resource)}: unknown kind` } };
      if (ruleNames(rule, attributes.name)) return { kind: 'match', resource, as };
    }
  }
  return NONE;
}

function subjectOf(attributes: Attributes, { group, version, resource }: GroupVersionResource): RuleSubject {
  const { operation, subresource, namespace, name } = attributes;
  return { operation, group, version, resource, subresource, namespace, name };
}

function matchNamespaceSelector(
  selector: Matcher['namespaceSelector'],
  attributes: Attributes,
  facts: FactsReader,
): boolean | ApiError {
  const { namespace, resource, subresource, operation, object } = attributes;
  if (namespace === '' && resource.resource !== 'namespaces') return true;
  if ('error' in selector) return asInternal(selector.error);
  if (selector.requirements.length === 0) return true;
  // k8s: predicates/namespace GetNamespaceLabels looks at the resource's name only, whatever its group
  if (resource.resource === 'namespaces' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) {
    return selectorMatches(selector, labelsOf(object ?? undefined));
  }
  const stored = facts.namespace(namespace);
  if (stored.error) return stored.error.status ? stored.error : asInternal(stored.error.message);
  return selectorMatches(selector, labelsOf(stored.value));
}

function matchObjectSelector(selector: Matcher['objectSelector'], attributes: Attributes): boolean | ApiError {
  if ('error' in selector) return asInternal(selector.error);
  if (selector.requirements.length === 0) return true;
  if (!hasMetadata(attributes.objectKind)) return false;
  const matches = (object: JsonObject | null): boolean =>
    object !== null && selectorMatches(selector, labelsOf(object));
  return matches(attributes.object) || matches(attributes.oldObject);
}

function parseOrNil(
  selector: MatchResources['namespaceSelector'],
  which: 'namespace' | 'object',
): Selector | { readonly error: string } {
  if (selector) return parseSelector(selector);
  return { error: `a nil ${which} selector was passed, please ensure selectors are initialized properly` };
}

function asInternal(message: string): ApiError {
  const status = internalError(message);
  return { message: status.message ?? '', status };
}
