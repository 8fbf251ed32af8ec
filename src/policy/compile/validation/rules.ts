/** The API's rules for `matchConstraints` and `matchResources`. */
import {
  type FieldPath,
  type LabelSelector,
  labelValue,
  type MatchResources,
  type NamedRule,
  pathSegmentName,
  qualifiedName,
} from '#kubernetes';
import type { Faults } from './faults.ts';

const MATCH_POLICIES = ['Equivalent', 'Exact'];
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

/** Rules and selectors; `match` has been defaulted. */
export function checkMatchResources(match: MatchResources, path: FieldPath, faults: Faults): void {
  const {
    matchPolicy = '',
    namespaceSelector = {},
    objectSelector = {},
    resourceRules = [],
    excludeResourceRules = [],
  } = match;
  if (!MATCH_POLICIES.includes(matchPolicy)) faults.unsupported([...path, 'matchPolicy'], matchPolicy, MATCH_POLICIES);
  checkSelector(namespaceSelector, [...path, 'namespaceSelector'], faults);
  checkSelector(objectSelector, [...path, 'objectSelector'], faults);
  for (const [index, rule] of resourceRules.entries()) checkRule(rule, [...path, 'resourceRules', index], faults);
  for (const [index, rule] of excludeResourceRules.entries())
    checkRule(rule, [...path, 'excludeResourceRules', index], faults);
}

/** Mutating policies may not name DELETE. */
export function checkMutatingOperations(match: MatchResources, path: FieldPath, faults: Faults): void {
  for (const { operations = [] } of match.resourceRules ?? []) {
    for (const operation of operations) {
      // k8s: the path has no index
      if (!MUTATING_OPERATIONS.includes(operation)) {
        faults.unsupported([...path, 'resourceRules', 'operations'], operation, MUTATING_OPERATIONS);
      }
    }
  }
}

/** A label selector, with the values that it compares with. */
export function checkSelector(selector: LabelSelector, path: FieldPath, faults: Faults): void {
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    for (const text of qualifiedName(key)) faults.invalid([...path, 'matchLabels'], key, text);
    for (const text of labelValue(value)) faults.invalid([...path, 'matchLabels'], value, text);
  }
  for (const [index, requirement] of (selector.matchExpressions ?? []).entries()) {
    const { key = '', operator = '', values = [] } = requirement;
    const here = [...path, 'matchExpressions', index];
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) {
        faults.required([...here, 'values'], "must be specified when `operator` is 'In' or 'NotIn'");
      }
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        faults.forbidden([...here, 'values'], "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
    } else faults.invalid([...here, 'operator'], operator, 'not a valid selector operator');
    for (const text of qualifiedName(key)) faults.invalid([...here, 'key'], key, text);
    for (const [place, value] of values.entries()) {
      for (const text of labelValue(value)) faults.invalid([...here, 'values', place], value, text);
    }
  }
}

function checkRule(rule: NamedRule, path: FieldPath, faults: Faults): void {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], resourceNames = [], scope = '*' } = rule;
  for (const [index, name] of resourceNames.entries()) {
    for (const text of pathSegmentName(name)) faults.invalid([...path, 'resourceNames', index], name, text);
    if (resourceNames.indexOf(name) < index) faults.duplicate([...path, 'resourceNames', index], name);
  }
  checkWildcard(operations, [...path, 'operations'], 'operations', faults);
  for (const [index, operation] of operations.entries()) {
    if (!OPERATIONS.includes(operation)) faults.unsupported([...path, 'operations', index], operation, OPERATIONS);
  }
  checkWildcard(apiGroups, [...path, 'apiGroups'], 'API groups', faults);
  checkWildcard(apiVersions, [...path, 'apiVersions'], 'API versions', faults);
  for (const [index, version] of apiVersions.entries())
    if (version === '') faults.required([...path, 'apiVersions', index]);
  checkResources(resources, [...path, 'resources'], faults);
  if (!SCOPES.includes(scope)) faults.unsupported([...path, 'scope'], scope, SCOPES);
}

/** At least one entry, and `*` only alone. */
function checkWildcard(list: readonly string[], path: FieldPath, what: string, faults: Faults): void {
  if (list.length === 0) faults.required(path);
  if (list.length > 1 && list.includes('*')) {
    faults.invalid(path, list, `if '*' is present, must not specify other ${what}`);
  }
}

function checkResources(resources: readonly string[], path: FieldPath, faults: Faults): void {
  if (resources.length === 0) faults.required(path);
  const anySubresourceOf = new Set<string>();
  const anyResourceWith = new Set<string>();
  let plain = false;
  for (const [index, entry] of resources.entries()) {
    const here = [...path, index];
    if (entry === '') {
      faults.required(here);
      continue;
    }
    const slash = entry.indexOf('/');
    if (slash < 0) {
      // k8s: validation.go validateResources keeps what the last such entry was
      plain = entry !== '*';
      continue;
    }
    const resource = entry.slice(0, slash);
    const subresource = entry.slice(slash + 1);
    if (anySubresourceOf.has(resource))
      faults.invalid(here, entry, `if '${resource}/*' is present, must not specify ${entry}`);
    if (anyResourceWith.has(subresource))
      faults.invalid(here, entry, `if '*/${subresource}' is present, must not specify ${entry}`);
    if (subresource === '*') anySubresourceOf.add(resource);
    if (resource === '*') anyResourceWith.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    faults.invalid(path, resources, "if '*/*' is present, must not specify other resources");
  }
  if (resources.includes('*') && plain) {
    faults.invalid(path, resources, "if '*' is present, must not specify other resources without subresources");
  }
}
