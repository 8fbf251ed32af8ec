/** The pushed snapshot of a cluster's facts, kept as long as it is unchanged in the store. */
import { type BundleStore, type Cluster, gunzip } from '#bundle';
import { parseJson } from '#cel/runtime';
import { answerFrom, atHandIn, FactError, type FactSource, factsKey, readSnapshot, type Snapshot } from '#facts';
import type { Json } from '#kubernetes';
import { NO_FACTS } from '#policy';

/** A snapshot, or why there is none: a cluster whose facts cannot be read still decides what needs none. */
export type FactsState = HeldSnapshot | { readonly kind: 'failed'; readonly error: FactError };

interface HeldSnapshot {
  readonly kind: 'snapshot';
  readonly snapshot: Snapshot;
  readonly etag: string;
  /** Why the last read gave no newer one. */
  readonly failure?: string;
}

const MAX_PACKED_BYTES = 16 * 1024 * 1024;
const MAX_FACTS_BYTES = 64 * 1024 * 1024;

/** The facts that a cluster's document asks for; `undefined` when it asks for none. Never rejects. */
export async function readFacts(
  store: BundleStore,
  name: string,
  cluster: Cluster,
  before: FactsState | undefined,
  signal: AbortSignal,
): Promise<FactsState | undefined> {
  if (!cluster.facts) return undefined;
  const snapshot = before?.kind === 'snapshot' ? before : undefined;
  const condition = snapshot ? { ifNoneMatch: snapshot.etag } : {};
  try {
    const got = await store.get(factsKey(name), { ...condition, maxBytes: MAX_PACKED_BYTES, signal });
    if (got.kind === 'unchanged' && snapshot) return held(snapshot);
    if (got.kind !== 'object') return failed(snapshot, "there is no snapshot of the cluster's facts");
    const text = new TextDecoder().decode(await gunzip(got.bytes, MAX_FACTS_BYTES));
    return { kind: 'snapshot', snapshot: readSnapshot(parseJson(text) as Json), etag: got.etag };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : '';
    return failed(snapshot, `the cluster's facts cannot be read: ${why}`, cause);
  }
}

function held({ snapshot, etag }: HeldSnapshot): HeldSnapshot {
  return { kind: 'snapshot', snapshot, etag };
}

/** The last good snapshot stays in use, with the failure beside it. */
function failed(last: HeldSnapshot | undefined, message: string, cause?: unknown): FactsState {
  return last
    ? { ...held(last), failure: message }
    : { kind: 'failed', error: new FactError('unavailable', message, cause) };
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
