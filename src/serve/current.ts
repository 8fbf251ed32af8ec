/**
 * What each cluster runs now, held in memory: its document, its channel, the engine over its bundle, its facts.
 *
 * Read conditionally again after some seconds, after the response where the platform can; a read that fails changes
 * nothing but the record of the failure. Only plain values are kept between requests: on Workers a promise that one
 * request owns must not be waited for by another.
 */
import {
  BundleError,
  type BundleStore,
  bundleKey,
  type Channel,
  type Cluster,
  channelKey,
  clusterKey,
  decodeBundle,
  decodeChannel,
  decodeCluster,
  MAX_BUNDLE_BYTES,
  MAX_DOCUMENT_BYTES,
} from '#bundle';
import type { Engine, LoadPolicies } from './engine.ts';
import { type FactsState, readFacts } from './facts-state.ts';

export interface ClusterState {
  readonly cluster?: Cached<Cluster>;
  readonly channel?: Cached<Channel> & { readonly name: string };
  readonly engine?: Engine;
  readonly digest?: string;
  readonly facts?: FactsState;
  /** When everything was last found to be current, in milliseconds. */
  readonly checkedAt?: number;
  /** When the engine's bundle was taken into use. */
  readonly loadedAt?: number;
  /** When a read was last begun; keeps requests from each starting one. */
  readonly attemptedAt: number;
  /** The last failure; it stays beside the last success. */
  readonly failure?: { readonly at: number; readonly message: string };
}

interface Cached<T> {
  readonly value: T;
  readonly etag: string;
}

export interface CurrentOptions {
  readonly store: BundleStore;
  readonly load: LoadPolicies;
  readonly now: () => number;
  /** Seconds after which what is held is checked again. */
  readonly refreshSeconds: number;
  /** Whether reads of one cluster that overlap are one read; its signal is then the first one's. */
  readonly shareReads: boolean;
  readonly onRefresh?: (event: RefreshEvent) => void;
}

export interface RefreshEvent {
  readonly cluster: string;
  /** Whether there is a document of that cluster; false for names that anybody may have made up. */
  readonly known: boolean;
  readonly result: 'changed' | 'unchanged' | 'failed';
  readonly message?: string;
}

export interface Current {
  /** The state that is held, or `undefined` for a cluster that was not asked for yet. */
  peek(name: string): ClusterState | undefined;
  /** Whether the state should be read, again or for the first time, and no other request has just begun to. */
  due(name: string): boolean;
  /** Reads what has changed. Never rejects. */
  refresh(name: string, signal: AbortSignal): Promise<ClusterState>;
  names(): readonly string[];
}

/** Unknown names are remembered too, but no more of them than this. */
const MAX_CLUSTERS = 10_000;
const RETRY_SECONDS = 1;

/** The clusters of a store. */
export function createCurrent(options: CurrentOptions): Current {
  const states = new Map<string, ClusterState>();

  const due = (name: string): boolean => {
    const state = states.get(name);
    if (!state) return true;
    const wait = state.failure && state.failure.at >= (state.checkedAt ?? 0) ? RETRY_SECONDS : options.refreshSeconds;
    return options.now() - state.attemptedAt >= wait * 1000;
  };

  const keep = (name: string, state: ClusterState): ClusterState => {
    if (!states.has(name) && states.size >= MAX_CLUSTERS) forgetUnknown(states);
    if (states.has(name) || states.size < MAX_CLUSTERS) states.set(name, state);
    return state;
  };

  const read = async (name: string, signal: AbortSignal): Promise<ClusterState> => {
    const before = states.get(name);
    keep(name, { ...before, attemptedAt: options.now() });
    try {
      const cluster = await readDocument(options.store, clusterKey(name), before?.cluster, decodeCluster, signal);
      // The document is gone: whoever knew a token of it knows nothing any more.
      if (!cluster) return keep(name, { attemptedAt: options.now(), checkedAt: options.now() });
      // Tokens count from now on, whatever becomes of the rest.
      keep(name, { attemptedAt: options.now(), ...states.get(name), cluster });
      const after = await readRest(options, name, cluster, before, engineOf(states), signal);
      const latest = states.get(name);
      // INVARIANT: reads of one cluster may overlap; the channel that is further on wins.
      if (latest !== undefined && overtaken(latest, after)) return latest;
      options.onRefresh?.({
        cluster: name,
        known: true,
        result: after.digest === before?.digest ? 'unchanged' : 'changed',
      });
      return keep(name, after);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const latest = states.get(name) ?? before;
      options.onRefresh?.({ cluster: name, known: latest?.cluster !== undefined, result: 'failed', message });
      return keep(name, { attemptedAt: options.now(), ...latest, failure: { at: options.now(), message } });
    }
  };

  const underWay = new Map<string, Promise<ClusterState>>();
  const refresh = (name: string, signal: AbortSignal): Promise<ClusterState> => {
    if (!options.shareReads) return read(name, signal);
    const reading = underWay.get(name) ?? read(name, signal).finally(() => underWay.delete(name));
    underWay.set(name, reading);
    return reading;
  };

  return { peek: (name) => states.get(name), due, refresh, names: () => [...states.keys()] };
}

/** The names that no document was found for, first those asked for longest ago. */
function forgetUnknown(states: Map<string, ClusterState>): void {
  for (const [name, state] of states) if (!state.cluster) states.delete(name);
}

function engineOf(states: ReadonlyMap<string, ClusterState>): (digest: string) => Engine | undefined {
  return (digest) => {
    for (const state of states.values()) if (state.digest === digest) return state.engine;
    return undefined;
  };
}

function overtaken(latest: ClusterState, after: ClusterState): boolean {
  return (
    latest.channel !== undefined &&
    after.channel !== undefined &&
    latest.channel.name === after.channel.name &&
    latest.channel.value.revision > after.channel.value.revision
  );
}

async function readRest(
  options: CurrentOptions,
  name: string,
  cluster: Cached<Cluster>,
  before: ClusterState | undefined,
  loaded: (digest: string) => Engine | undefined,
  signal: AbortSignal,
): Promise<ClusterState> {
  const attemptedAt = options.now();
  const channelName = cluster.value.channel;
  const known = before?.channel?.name === channelName ? before.channel : undefined;
  const [channel, facts] = await Promise.all([
    readDocument(options.store, channelKey(channelName), known, decodeChannel, signal),
    readFacts(options.store, name, cluster.value, before?.facts, signal),
  ]);
  if (!channel) throw new BundleError('missing', `there is no channel \`${channelName}\``);
  if (known && channel.value.revision < known.value.revision) {
    throw new BundleError('corrupt', `the channel \`${channelName}\` went back to revision ${channel.value.revision}`);
  }

  const digest = channel.value.digest;
  const held = before?.digest === digest ? before.engine : loaded(digest);
  const engine = held ?? (await readBundle(options, digest, signal));
  return {
    cluster,
    channel: { ...channel, name: channelName },
    engine,
    digest,
    ...(facts ? { facts } : {}),
    attemptedAt,
    checkedAt: options.now(),
    loadedAt: before?.digest === digest && before.loadedAt !== undefined ? before.loadedAt : options.now(),
    ...(before?.failure ? { failure: before.failure } : {}),
  };
}

async function readDocument<T>(
  store: BundleStore,
  key: string,
  held: Cached<T> | undefined,
  decode: (bytes: Uint8Array) => T,
  signal: AbortSignal,
): Promise<Cached<T> | undefined> {
  const condition = held ? { ifNoneMatch: held.etag } : {};
  const got = await store.get(key, { ...condition, maxBytes: MAX_DOCUMENT_BYTES, signal });
  if (got.kind === 'unchanged') return held;
  return got.kind === 'missing' ? undefined : { value: decode(got.bytes), etag: got.etag };
}

async function readBundle(options: CurrentOptions, digest: string, signal: AbortSignal): Promise<Engine> {
  const got = await options.store.get(bundleKey(digest), { maxBytes: MAX_BUNDLE_BYTES, signal });
  if (got.kind !== 'object') throw new BundleError('missing', `there is no bundle ${digest}`);
  return options.load((await decodeBundle(got.bytes, digest)).compiled);
}
