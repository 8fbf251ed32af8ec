/** The port that facts come through, and how a source says that it cannot tell. */
import type { Facts, Needs } from '#policy';

/** Where the facts of one cluster come from. */
export interface FactSource {
  /** Facts at hand that a request in this namespace will probably need; sparing a round, never changing an outcome. */
  atHand?(namespace: string | undefined): Facts;
  /** An answer to everything that is asked for. Rejects with `FactError` when one cannot be told. */
  answer(needs: Needs, signal: AbortSignal): Promise<Facts>;
}

/**
 * - `none`: the cluster has no source of facts.
 * - `not-covered`: the source does not hold facts of that sort.
 * - `stale`: the facts are older than the cluster allows.
 * - `unavailable`: the source did not answer, or not with facts.
 * - `unsettled`: evaluation still asked for more after the last round.
 */
export type FactErrorCode = 'none' | 'not-covered' | 'stale' | 'unavailable' | 'unsettled';

/** Why a request cannot be decided for want of a fact. */
export class FactError extends Error {
  override readonly name = 'FactError';
  readonly code: FactErrorCode;
  constructor(code: FactErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** What is needed, in a few words for people. */
export function describeNeeds(needs: Needs): string {
  const words = [
    ...needs.namespaces.map((name) => `namespace \`${name}\``),
    ...needs.params.map(({ kind, name, namespace }) => {
      const what = name === undefined ? `the ${kind} objects of a selector` : `${kind} \`${name}\``;
      return namespace === undefined ? what : `${what} in namespace \`${namespace}\``;
    }),
    ...needs.access.map(({ verb, path, resource }) => `access to ${verb} \`${path ?? resource?.resource ?? ''}\``),
  ];
  const shown = words.slice(0, 3).join(', ');
  return words.length > 3 ? `${shown} and ${words.length - 3} more` : shown;
}

/** Both sets of facts; the later one wins. */
export function mergeFacts(first: Facts, second: Facts): Facts {
  return {
    namespaces: new Map([...first.namespaces, ...second.namespaces]),
    params: new Map([...first.params, ...second.params]),
    access: new Map([...first.access, ...second.access]),
  };
}
