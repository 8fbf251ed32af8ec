/** The pushed snapshot of a cluster's facts, kept as long as it is unchanged in the store. */
import { type BundleStore, type Cluster, gunzip } from '#bundle';
import { parseJson } from '#cel/runtime';
import { answerFrom, atHandIn, FactError, type FactSource, factsKey, readSnapshot, type Snapshot } from '#facts';
import type { Json } from '#kubernetes';
import { NO_FACTS } from '#policy';

/** A snapshot, or why there is none: a cluster whose facts cannot be read still decides what needs none. */
export type FactsState =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly etag: string }
  | { readonly kind: 'failed'; readonly error: FactError };

const MAX_PACKED_BYTES = 16 * 1024 * 1024;
const MAX_FACTS_BYTES = 64 * 1024 * 1024;

/** The facts that a cluster's document asks for; `undefined` when it asks for none. Never rejects. */
export async function readFacts(
  store: BundleStore,
  name: string,
  cluster: Cluster,
  held: FactsState | undefined,
  signal: AbortSignal,
): Promise<FactsState | undefined> {
  if (!cluster.facts) return undefined;
  const snapshot = held?.kind === 'snapshot' ? held : undefined;
  const condition = snapshot ? { ifNoneMatch: snapshot.etag } : {};
  try {
    const got = await store.get(factsKey(name), { ...condition, maxBytes: MAX_PACKED_BYTES, signal });
    if (got.kind === 'unchanged' && snapshot) return snapshot;
    if (got.kind !== 'object') return snapshot ?? failed('there is no snapshot of the cluster’s facts');
    const text = new TextDecoder().decode(await gunzip(got.bytes, MAX_FACTS_BYTES));
    return { kind: 'snapshot', snapshot: readSnapshot(parseJson(text) as Json), etag: got.etag };
  } catch (cause) {
    return (
      snapshot ?? failed(`the cluster's facts cannot be read: ${cause instanceof Error ? cause.message : ''}`, cause)
    );
  }
}

function failed(message: string, cause?: unknown): FactsState {
  return { kind: 'failed', error: new FactError('unavailable', message, cause) };
}

/** The source that answers from what is held; `undefined` for a cluster without facts. */
export function factSourceOf(
  cluster: Cluster,
  state: FactsState | undefined,
  now: () => number,
): FactSource | undefined {
  if (!cluster.facts || !state) return undefined;
  const { maxAgeSeconds } = cluster.facts;
  const fresh = (snapshot: Snapshot): boolean => {
    const age = snapshot.time === undefined ? Number.POSITIVE_INFINITY : (now() - snapshot.time) / 1000;
    return maxAgeSeconds === undefined || age <= maxAgeSeconds;
  };
  return {
    atHand: (namespace) =>
      state.kind === 'snapshot' && fresh(state.snapshot) ? atHandIn(state.snapshot, namespace) : NO_FACTS,
    async answer(needs) {
      if (state.kind === 'failed') throw state.error;
      if (fresh(state.snapshot)) return answerFrom(state.snapshot, needs);
      throw new FactError('stale', `the cluster's facts are older than the ${maxAgeSeconds} seconds allowed`);
    },
  };
}
