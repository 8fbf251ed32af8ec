/** A store with one cluster, an engine that answers as a test tells it, and reviews to send. */
import {
  type BundleStore,
  clusterKey,
  digestOf,
  type EncodedBundle,
  encodeBundle,
  gzip,
  publish,
  toBytes,
} from '#bundle';
import { factsKey } from '#facts';
import type { AdmissionRequest } from '#kubernetes';
import type { Answer, CompiledPolicies, Facts, Outcome, Phase, Verdict } from '#policy';
import { type AppOptions, createApp, type Engine, type LogRecord } from '#serve';
import { memoryStore } from '#store/memory';

export const TOKEN = 'c2VjcmV0LXRva2VuLW9mLTEyOC1iaXRz';
export const STATUS_TOKEN = 'status-token';

/** Compiled policies that only tests' engines understand. */
export function bundleOf(label: string): Promise<EncodedBundle> {
  return encodeBundle({ compiled: { label } as unknown as CompiledPolicies });
}

export async function putDocument(store: BundleStore, key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const got = await store.get(key);
  if (got.kind === 'object') await store.putIfMatch(key, bytes, got.etag);
  else await store.putIfAbsent(key, bytes);
}

export async function putCluster(
  store: BundleStore,
  name: string,
  tokens: readonly string[],
  more: object = {},
): Promise<void> {
  const digests = await Promise.all(tokens.map((token) => digestOf(toBytes(token))));
  const document = { cluster: 1, channel: 'stable', tokens: digests, ...more };
  await putDocument(store, clusterKey(name), toBytes(JSON.stringify(document)));
}

export async function putFacts(store: BundleStore, name: string, facts: object): Promise<void> {
  await putDocument(store, factsKey(name), gzip(toBytes(JSON.stringify({ facts: 1, ...facts }))));
}

/** A store in which cluster `prod` runs the bundle `one`. */
export async function storeWithCluster(more: object = {}): Promise<BundleStore> {
  const store = memoryStore();
  await publish(store, 'stable', await bundleOf('one'), '2026-01-01T00:00:00Z');
  await putCluster(store, 'prod', [TOKEN], more);
  return store;
}

export function outcome(verdict: Partial<Verdict> = {}, rest: Partial<Outcome> = {}): Outcome {
  return {
    kind: 'outcome',
    verdict: { allowed: true, warnings: [], rawWarnings: [], auditAnnotations: {}, ...verdict },
    patch: [],
    passes: 0,
    records: [],
    ...rest,
  };
}

export type Admit = (phase: Phase, request: AdmissionRequest, facts: Facts, label: string) => Answer;

/** An app over a store whose engine is a function; time stands still but for `tick`. */
export async function testApp(options: Partial<AppOptions> & { admit?: Admit } = {}) {
  const { admit = () => outcome(), ...rest } = options;
  const store = options.store ?? (await storeWithCluster());
  const logs: LogRecord[] = [];
  const background: Promise<unknown>[] = [];
  let time = Date.parse('2026-01-01T00:00:00Z');
  const load = (compiled: unknown): Engine => {
    const { label } = compiled as { readonly label: string };
    return { admit: (phase, request, facts) => admit(phase, request, facts, label) };
  };
  const app = createApp({
    load,
    log: (record) => logs.push(record),
    now: () => time,
    background: (work) => background.push(work),
    statusTokens: [await digestOf(toBytes(STATUS_TOKEN))],
    ...rest,
    store,
  });
  return {
    store,
    logs,
    app,
    tick: (seconds: number) => {
      time += seconds * 1000;
    },
    /** Waits for what was put off until after the responses. */
    settle: async () => {
      await Promise.all(background.splice(0));
    },
    get: async (path: string, headers: Record<string, string> = {}) =>
      await app.fetch(new Request(`https://postern.test${path}`, { headers })),
    post: async (
      path: string,
      body: BodyInit,
      headers: Record<string, string> = { 'content-type': 'application/json' },
    ) =>
      await app.fetch(
        new Request(`https://postern.test${path}`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit),
      ),
  };
}

export const VALIDATE = `/v1/clusters/prod/${TOKEN}/validate`;
export const MUTATE = `/v1/clusters/prod/${TOKEN}/mutate`;

/** A review of a Pod's creation as the API server sends it. */
export function review(changes: object = {}, apiVersion = 'admission.k8s.io/v1'): string {
  const pods = { group: '', version: 'v1', resource: 'pods' };
  const pod = { group: '', version: 'v1', kind: 'Pod' };
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion,
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      kind: pod,
      resource: pods,
      requestKind: pod,
      requestResource: pods,
      name: 'web',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'jane', groups: ['system:authenticated'] },
      object: {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { name: 'web', namespace: 'default' },
        spec: { containers: [] },
      },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      ...changes,
    },
  });
}
