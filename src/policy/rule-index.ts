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
  const buckets = new Map<string, number[]>();
  policies.forEach((policy, index) => {
    const rules = constraintsOf(policy)?.resourceRules ?? [];
    // without rules there is an error to report, or everything matches
    if (rules.length === 0) always.push(index);
    for (const rule of rules) {
      for (const operation of rule.operations ?? []) {
        for (const group of rule.apiGroups ?? []) {
          for (const entry of rule.resources ?? []) add(buckets, key(operation, group, beforeSlash(entry)), index);
        }
      }
    }
  });
  return {
    candidates: (operation, resources) => {
      const found = new Set(always);
      for (const anyOperation of [operation, '*']) {
        for (const { group, resource } of resources) {
          for (const anyGroup of [group, '*']) {
            for (const anyResource of [resource, '*']) {
              for (const index of buckets.get(key(anyOperation, anyGroup, anyResource)) ?? []) found.add(index);
            }
          }
        }
      }
      return [...found].sort((a, b) => a - b).flatMap((index) => policies[index] ?? []);
    },
  };
}

function beforeSlash(entry: string): string {
  const slash = entry.indexOf('/');
  return slash < 0 ? entry : entry.slice(0, slash);
}

function key(operation: string, group: string, resource: string): string {
  return `${operation} ${group} ${resource}`;
}

function add(buckets: Map<string, number[]>, name: string, index: number): void {
  const bucket = buckets.get(name);
  if (bucket) bucket.push(index);
  else buckets.set(name, [index]);
}
