/**
 * Facts that evaluation meets and lacks. A missing fact ends the evaluation that needs it (by an exception, since it may
 * happen deep inside an expression); the others go on, so that one answer lists as much as possible.
 */
import type { AccessNeed, Needs, ParamNeed } from './facts.ts';

/** Thrown when an evaluation cannot go on without facts. */
export class NeedsFact extends Error {
  readonly needs: readonly Need[];
  constructor(...needs: readonly Need[]) {
    super(`facts are missing: ${needs.map(({ kind }) => kind).join(', ')}`);
    this.needs = needs;
  }
}

export type Need =
  | { readonly kind: 'namespace'; readonly name: string }
  | { readonly kind: 'params'; readonly need: ParamNeed }
  | { readonly kind: 'access'; readonly need: AccessNeed };

/** Thrown when the engine lacks a knowledge that only the cluster has; the request must not be admitted on a guess. */
export class CannotDecide extends Error {}

export interface NeedsCollector {
  /** Runs a part of the evaluation; `undefined` when it lacked a fact, which is then remembered. */
  attempt<T>(part: () => T): T | undefined;
  /** All facts that were lacking; `undefined` when none was. */
  needs(): Needs | undefined;
}

export function needsCollector(): NeedsCollector {
  const namespaces = new Set<string>();
  const params = new Map<string, ParamNeed>();
  const access = new Map<string, AccessNeed>();
  return {
    attempt: (part) => {
      try {
        return part();
      } catch (thrown) {
        if (!(thrown instanceof NeedsFact)) throw thrown;
        for (const need of thrown.needs) {
          if (need.kind === 'namespace') namespaces.add(need.name);
          else if (need.kind === 'params') params.set(need.need.key, need.need);
          else access.set(need.need.key, need.need);
        }
        return undefined;
      }
    },
    needs: () => {
      if (namespaces.size + params.size + access.size === 0) return undefined;
      return {
        kind: 'needs',
        namespaces: [...namespaces],
        params: [...params.values()],
        access: [...access.values()],
      };
    },
  };
}
