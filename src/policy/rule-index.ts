/**
 * Finds the policies whose rules can cover a request without looking at the others. Buckets are keyed by operation,
 * group and resource, wildcards in their own; what a bucket holds is still to be matched in full.
 */
import type { GroupVersionResource, MatchResources } from '#kubernetes';

export interface RuleIndex<Policy> {
  /** Policies that may match, in their order. `resources` are the request's resource and its equivalents. */
  candidates(operation: string, resources: readonly GroupVersionResource[]): readonly Policy[];
}

export function ruleIndex<Policy>(
  policies: readonly Policy[],
  constraintsOf: (policy: Policy) => MatchResources | undefined,
): RuleIndex<Policy> {
  const always: number[] = [];
  const index: Buckets = new Map();
  policies.forEach((policy, position) => {
    const rules = constraintsOf(policy)?.resourceRules ?? [];
    // without rules there is an error to report, or everything matches
    if (rules.length === 0) always.push(position);
    for (const rule of rules) {
      for (const operation of rule.operations ?? []) {
        for (const group of rule.apiGroups ?? []) {
          for (const entry of rule.resources ?? []) add(index, operation, group, beforeSlash(entry), position);
        }
      }
    }
  });
  return {
    candidates: (operation, resources) => {
      const hits: (readonly number[])[] = always.length > 0 ? [always] : [];
      for (const groups of [index.get(operation), index.get('*')]) {
        if (!groups) continue;
        for (const { group, resource } of resources) {
          for (const names of [groups.get(group), groups.get('*')]) {
            const named = names?.get(resource);
            const any = names?.get('*');
            if (named) hits.push(named);
            if (any) hits.push(any);
          }
        }
      }
      return inOrder(hits).flatMap((position) => policies[position] ?? []);
    },
  };
}

/** Operation → group → resource → positions, ascending. */
type Buckets = Map<string, Map<string, Map<string, number[]>>>;

function inOrder(hits: readonly (readonly number[])[]): readonly number[] {
  const [only] = hits;
  if (hits.length <= 1) return only ?? [];
  return [...new Set(hits.flat())].sort((a, b) => a - b);
}

function beforeSlash(entry: string): string {
  const slash = entry.indexOf('/');
  return slash < 0 ? entry : entry.slice(0, slash);
}

function add(index: Buckets, operation: string, group: string, resource: string, position: number): void {
  const groups = orNew(index, operation, () => new Map<string, Map<string, number[]>>());
  const names = orNew(groups, group, () => new Map<string, number[]>());
  const positions = orNew(names, resource, () => []);
  if (positions.at(-1) !== position) positions.push(position);
}

function orNew<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
