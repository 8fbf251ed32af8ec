import { describe, expect, it } from 'vitest';
import {
  type BundleStore,
  bundleKey,
  channelKey,
  clusterKey,
  encodeChannel,
  publish,
  StoreError,
  toBytes,
} from '#bundle';
import { factsKey } from '#facts';
import type { Needs } from '#policy';
import { memoryStore } from '#store/memory';
import {
  bundleOf,
  MUTATE,
  outcome,
  putCluster,
  putDocument,
  putFacts,
  review,
  STATUS_TOKEN,
  storeWithCluster,
  TOKEN,
  testApp,
  VALIDATE,
} from './fixtures.ts';

const namespaceNeeded: Needs = { kind: 'needs', namespaces: ['default'], params: [], access: [] };
/** A store whose reads are told. */
const watched = (store: BundleStore, onGet: (key: string) => void): BundleStore => ({
  ...store,
  get: (key, options) => {
    onGet(key);
    return store.get(key, options);
  },
});

const bearer = { authorization: `Bearer ${STATUS_TOKEN}` };

describe('a review', () => {
  it.each([
    ['validate', VALIDATE],
    ['mutate', MUTATE],
  ])('is decided in the phase of its path: %s', async (phase, path) => {
    const phases: string[] = [];
    const { post } = await testApp({
      admit: (asked) => {
        phases.push(asked);
        return outcome();
      },
    });
    const response = await post(`${path}?timeout=10s`, review());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({
      response: { uid: '705ab4f5-6393-11e8-b7cc-42010a800002', allowed: true },
    });
    expect(phases).toEqual([phase]);
  });

  it('a denial is a 200', async () => {
    const { post } = await testApp({ admit: () => outcome({ allowed: false, status: { message: 'no', code: 403 } }) });
    const response = await post(VALIDATE, review());
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ response: { allowed: false, status: { message: 'no', code: 403 } } });
  });

  it('the name of a webhook entry may stand at the end of the path', async () => {
    const { post, logs } = await testApp();
    expect((await post(`${VALIDATE}/pods.example.com`, review())).status).toBe(200);
    expect(logs.at(-1)).toMatchObject({ event: 'review', entry: 'pods.example.com' });
  });
});

describe('who may ask', () => {
  const notFound = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'postern: not found',
    reason: 'NotFound',
    code: 404,
  };

  it.each([
    ['an unknown cluster', `/v1/clusters/other/${TOKEN}/validate`],
    ['a wrong token', '/v1/clusters/prod/c2VjcmV0LXRva2VuLW9mLTEyOC1iaXRz0/validate'],
    [
      'a digest for a token',
      '/v1/clusters/prod/sha256-0000000000000000000000000000000000000000000000000000000000000000/validate',
    ],
    ['a name that is none', `/v1/clusters/..%2Fprod/${TOKEN}/validate`],
    ['an unknown phase', `/v1/clusters/prod/${TOKEN}/convert`],
    ['another path', '/'],
    ['a segment too many', `${VALIDATE}/a/b`],
  ])('%s is not found, in the same words', async (_, path) => {
    const { post } = await testApp();
    const response = await post(path, review());
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual(notFound);
  });

  it('GET is not found', async () => {
    const { get } = await testApp();
    expect((await get(VALIDATE)).status).toBe(404);
  });

  it('two tokens are accepted while one is being changed, and the old one ends with the next check', async () => {
    const { post, store, tick, settle } = await testApp();
    const next = `/v1/clusters/prod/next-token/validate`;
    await putCluster(store, 'prod', [TOKEN, 'next-token']);
    expect((await post(next, review())).status).toBe(200);
    expect((await post(VALIDATE, review())).status).toBe(200);
    await putCluster(store, 'prod', ['next-token']);
    tick(16);
    await post(next, review());
    await settle();
    expect((await post(VALIDATE, review())).status).toBe(404);
    expect((await post(next, review())).status).toBe(200);
  });

  it('a cluster whose document is gone is not found any more', async () => {
    const inner = await storeWithCluster();
    let gone = false;
    const store: BundleStore = {
      ...inner,
      get: (key, options) =>
        gone && key === clusterKey('prod') ? Promise.resolve({ kind: 'missing' }) : inner.get(key, options),
    };
    const { post, tick, settle } = await testApp({ store });
    expect((await post(VALIDATE, review())).status).toBe(200);
    gone = true;
    tick(16);
    await post(VALIDATE, review());
    await settle();
    expect((await post(VALIDATE, review())).status).toBe(404);
  });

  it('neither token nor path is logged', async () => {
    const { post, logs } = await testApp({
      admit: () => {
        throw new Error('bug');
      },
    });
    await post(VALIDATE, review());
    await post(`/v1/clusters/prod/wrong${TOKEN}/validate`, review());
    expect(JSON.stringify(logs)).not.toContain(TOKEN);
  });
});

describe('a bad request', () => {
  it.each<readonly [string, number, string, Record<string, string>]>([
    ['no content type', 415, review(), {}],
    ['another content type', 415, review(), { 'content-type': 'application/yaml' }],
    ['a content type that only begins like JSON', 415, review(), { 'content-type': 'application/json-patch+json' }],
    ['no JSON', 400, '{', { 'content-type': 'application/json' }],
    ['an empty body', 400, '', { 'content-type': 'application/json' }],
    ['another kind', 400, '{"kind":"Pod","apiVersion":"v1"}', { 'content-type': 'application/json; charset=utf-8' }],
    ['a body too large', 413, `{"a":"${'x'.repeat(2000)}"}`, { 'content-type': 'application/json' }],
    ['a length too large', 413, '{}', { 'content-type': 'application/json', 'content-length': '1001' }],
  ])('%s: %s', async (_, status, body, headers) => {
    const { post, logs } = await testApp({ maxBodyBytes: 1000 });
    const response = await post(VALIDATE, new TextEncoder().encode(body), headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
    expect(logs.at(-1)).toMatchObject({ event: 'review', result: 'invalid', code: status });
  });

  it('a stream without length is cut off at the limit', async () => {
    const { post } = await testApp({ maxBodyBytes: 1000 });
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(600).fill(32));
      },
    });
    expect((await post(VALIDATE, endless)).status).toBe(413);
    expect(pulled).toBeLessThan(6);
  });
});

describe('not being able to decide', () => {
  it.each<readonly [string, number, RegExp, () => Promise<BundleStore>]>([
    [
      'no channel',
      503,
      /no channel `stable`/,
      async () => {
        const store = memoryStore();
        await putCluster(store, 'prod', [TOKEN]);
        return store;
      },
    ],
    [
      'a channel that points at nothing',
      503,
      /no bundle sha256-a/,
      async () => {
        const store = memoryStore();
        await putCluster(store, 'prod', [TOKEN]);
        await putDocument(
          store,
          channelKey('stable'),
          encodeChannel({ revision: 1, digest: `sha256-${'a'.repeat(64)}`, createdAt: '' }),
        );
        return store;
      },
    ],
    [
      'a broken bundle',
      503,
      /expected sha256-/,
      async () => {
        const store = memoryStore();
        await putCluster(store, 'prod', [TOKEN]);
        const { digest } = await bundleOf('one');
        await store.putIfAbsent(bundleKey(digest), toBytes('something else'));
        await putDocument(store, channelKey('stable'), encodeChannel({ revision: 1, digest, createdAt: '' }));
        return store;
      },
    ],
    [
      'a store that does not answer',
      503,
      /store of clusters does not answer/,
      async () => ({
        ...memoryStore(),
        get: () => Promise.reject(new StoreError('unavailable', 'get: no answer')),
      }),
    ],
    [
      'a broken cluster document',
      503,
      /store of clusters does not answer/,
      async () => {
        const store = memoryStore();
        await putDocument(store, clusterKey('prod'), toBytes('{"cluster":1}'));
        return store;
      },
    ],
  ])('%s: %s', async (_, status, message, open) => {
    const { post } = await testApp({ store: await open() });
    const response = await post(VALIDATE, review());
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ kind: 'Status', message: expect.stringMatching(message) });
    expect((await post(VALIDATE, review())).status).toBe(status);
  });

  it('a store that never answers: 504 within the time of the URL', async () => {
    const store: BundleStore = { ...memoryStore(), get: () => new Promise(() => undefined) };
    const { post } = await testApp({ store });
    const started = performance.now();
    expect((await post(`${VALIDATE}?timeout=1s`, review())).status).toBe(504);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('a bug is a 500 that says nothing, and its stack is logged', async () => {
    const { post, logs } = await testApp({
      admit: () => {
        throw new Error('the engine stumbled');
      },
    });
    const response = await post(VALIDATE, review());
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('stumbled');
    expect(logs.at(-1)).toMatchObject({ event: 'error', message: expect.stringContaining('the engine stumbled') });
  });
});

describe('facts', () => {
  const facts = { facts: { source: 'snapshot', maxAgeSeconds: 60 } };
  const namespaces = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }];
  const needsNamespace: Parameters<typeof testApp>[0] = {
    admit: (_phase, _request, held) => {
      const fact = held.namespaces.get('default');
      return fact ? outcome({ allowed: fact.kind === 'found' }) : namespaceNeeded;
    },
  };

  it.each<readonly [string, number, RegExp, object, object | undefined]>([
    [
      'what is needed comes out of the snapshot',
      200,
      /"allowed":true/,
      facts,
      { time: '2026-01-01T00:00:00Z', namespaces },
    ],
    [
      'what the snapshot does not hold does not exist',
      200,
      /"allowed":false/,
      facts,
      { time: '2026-01-01T00:00:00Z', namespaces: [] },
    ],
    ['a snapshot without that section cannot tell', 500, /hold no namespaces/, facts, { time: '2026-01-01T00:00:00Z' }],
    [
      'a snapshot that is too old cannot tell',
      500,
      /older than the 60 seconds/,
      facts,
      { time: '2025-12-31T23:58:59Z', namespaces },
    ],
    ['a snapshot without its time is too old', 500, /older than the 60 seconds/, facts, { namespaces }],
    ['a missing snapshot cannot tell', 500, /no snapshot/, facts, undefined],
    ['a broken snapshot cannot tell', 500, /cannot be read/, facts, { namespaces: 'all' }],
    [
      'a cluster without facts cannot tell',
      500,
      /need namespace `default`, and the cluster has no facts/,
      {},
      { namespaces },
    ],
  ])('%s', async (_, status, text, more, snapshot) => {
    const store = await storeWithCluster(more);
    if (snapshot) await putFacts(store, 'prod', snapshot);
    const { post } = await testApp({ store, ...needsNamespace });
    const response = await post(VALIDATE, review());
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(text);
  });

  it('a new snapshot is taken into use with the next check', async () => {
    const store = await storeWithCluster(facts);
    await putFacts(store, 'prod', { time: '2026-01-01T00:00:00Z', namespaces: [] });
    const { post, tick, settle } = await testApp({ store, ...needsNamespace });
    expect(await (await post(VALIDATE, review())).json()).toMatchObject({ response: { allowed: false } });
    await putFacts(store, 'prod', { time: '2026-01-01T00:00:10Z', namespaces });
    tick(16);
    await post(VALIDATE, review());
    await settle();
    expect(await (await post(VALIDATE, review())).json()).toMatchObject({ response: { allowed: true } });
  });

  it('a snapshot that cannot be read any more leaves the last good one in use, and says so', async () => {
    const store = await storeWithCluster({ facts: { source: 'snapshot' } });
    await putFacts(store, 'prod', { namespaces: [{ metadata: { name: 'default' } }] });
    const { post, get, tick, settle } = await testApp({
      store,
      admit: (_phase, _request, { namespaces }) => (namespaces.has('default') ? outcome() : namespaceNeeded),
    });
    expect((await post(VALIDATE, review())).status).toBe(200);
    await putDocument(store, factsKey('prod'), toBytes('no gzip'));
    tick(16);
    await post(VALIDATE, review());
    await settle();
    expect((await post(VALIDATE, review())).status).toBe(200);
    expect(await (await get('/status', bearer)).json()).toMatchObject({
      clusters: { prod: { facts: { failure: expect.stringContaining('cannot be read') } } },
    });
  });

  it('an engine that is never satisfied ends', async () => {
    const store = await storeWithCluster(facts);
    await putFacts(store, 'prod', { time: '2026-01-01T00:00:00Z', namespaces });
    const { post } = await testApp({ store, admit: () => namespaceNeeded });
    const response = await post(VALIDATE, review());
    expect(response.status).toBe(500);
    expect(await response.text()).toMatch(/still need namespace/);
  });
});

describe('the current bundle', () => {
  const labels: string[] = [];
  const labelled: Parameters<typeof testApp>[0] = {
    admit: (_phase, _request, _facts, label) => {
      labels.push(label);
      return outcome();
    },
  };
  const served = async (post: Awaited<ReturnType<typeof testApp>>['post']): Promise<string | undefined> => {
    expect((await post(VALIDATE, review())).status).toBe(200);
    return labels.at(-1);
  };

  it('is checked again after the response, and a new one serves the next request', async () => {
    const { post, store, tick, settle } = await testApp(labelled);
    expect(await served(post)).toBe('one');
    await publish(store, 'stable', await bundleOf('two'), 'now');
    expect(await served(post)).toBe('one');
    tick(16);
    expect(await served(post)).toBe('one');
    await settle();
    expect(await served(post)).toBe('two');
  });

  it('many requests at once start one check', async () => {
    const inner = await storeWithCluster();
    let reads = 0;
    const { post, tick, settle } = await testApp({
      ...labelled,
      store: watched(inner, () => {
        reads++;
      }),
    });
    await served(post);
    tick(16);
    reads = 0;
    await Promise.all(Array.from({ length: 20 }, () => served(post)));
    await settle();
    expect(reads).toBe(2);
  });

  it.each<readonly [string, (store: BundleStore) => Promise<void>, RegExp]>([
    ['a channel that is no JSON', (store) => putDocument(store, channelKey('stable'), toBytes('{')), /not JSON/],
    [
      'a channel that went back',
      (store) =>
        putDocument(
          store,
          channelKey('stable'),
          encodeChannel({ revision: 1, digest: `sha256-${'a'.repeat(64)}`, createdAt: '' }),
        ),
      /went back to revision 1/,
    ],
    [
      'a bundle that is not there',
      (store) =>
        putDocument(
          store,
          channelKey('stable'),
          encodeChannel({ revision: 9, digest: `sha256-${'a'.repeat(64)}`, createdAt: '' }),
        ),
      /no bundle/,
    ],
    [
      'a cluster document with a fault',
      (store) => putDocument(store, clusterKey('prod'), toBytes('{"cluster":1,"channel":"stable"}')),
      /tokens/,
    ],
  ])('%s leaves the last good one in use, and says so', async (_, spoil, message) => {
    const store = await storeWithCluster();
    await publish(store, 'stable', await bundleOf('two'), 'now');
    const { post, get, tick, settle } = await testApp({ ...labelled, store });
    expect(await served(post)).toBe('two');
    await spoil(store);
    tick(16);
    await served(post);
    await settle();
    expect(await served(post)).toBe('two');
    const status = (await (await get('/status', bearer)).json()) as {
      clusters: { prod: { lastFailure: { message: string }; revision: number } };
    };
    expect(status.clusters.prod.lastFailure.message).toMatch(message);
    expect(status.clusters.prod.revision).toBe(2);
  });

  it('that could not be checked for too long is not used any more, where so configured', async () => {
    const inner = await storeWithCluster();
    let broken = false;
    const store: BundleStore = {
      ...inner,
      get: (key, options) =>
        broken ? Promise.reject(new StoreError('unavailable', 'no answer')) : inner.get(key, options),
    };
    const { post, tick, settle } = await testApp({ ...labelled, store, maxStaleSeconds: 60 });
    await served(post);
    broken = true;
    tick(61);
    const response = await post(VALIDATE, review());
    expect(response.status).toBe(503);
    expect(await response.text()).toMatch(/more than 60 seconds/);
    await settle();
    broken = false;
    tick(2);
    await post(VALIDATE, review());
    await settle();
    expect(await served(post)).toBe('one');
  });

  it('of a cluster that nobody asked for in a long time is checked before it is used, where it may not be old', async () => {
    const { post, store, tick } = await testApp({ ...labelled, maxStaleSeconds: 60 });
    await served(post);
    await publish(store, 'stable', await bundleOf('two'), 'now');
    tick(3600);
    expect(await served(post)).toBe('two');
  });

  it.each([
    [true, 1],
    [false, 5],
  ])('is read once by requests that come at once where they may share: %s', async (shareReads, bundles) => {
    const keys: string[] = [];
    const store = watched(await storeWithCluster(), (key) => keys.push(key));
    const { post } = await testApp({ ...labelled, store, shareReads });
    await Promise.all(Array.from({ length: 5 }, () => served(post)));
    expect(keys.filter((key) => key.startsWith('bundles/'))).toHaveLength(bundles);
  });

  it('is shared by clusters on the same channel, and loaded once', async () => {
    const inner = await storeWithCluster();
    await putCluster(inner, 'stage', ['stage-token']);
    const keys: string[] = [];
    const { post } = await testApp({
      ...labelled,
      store: watched(inner, (key) => keys.push(key)),
    });
    await served(post);
    expect((await post('/v1/clusters/stage/stage-token/validate', review())).status).toBe(200);
    expect(keys.filter((key) => key.startsWith('bundles/'))).toHaveLength(1);
  });
});

describe('operators', () => {
  it('/healthz says that the process runs', async () => {
    const { get } = await testApp({
      store: { ...memoryStore(), get: () => Promise.reject(new StoreError('unavailable', 'no')) },
    });
    expect((await get('/healthz')).status).toBe(200);
  });

  it('/readyz says yes once every configured cluster has a bundle', async () => {
    const store = await storeWithCluster();
    const { get, tick } = await testApp({ store, clusters: ['prod', 'stage'] });
    expect((await get('/readyz')).status).toBe(503);
    await putCluster(store, 'stage', ['t']);
    tick(16);
    expect((await get('/readyz')).status).toBe(200);
  });

  it.each(['/status', '/metrics'])('%s is for those with the token', async (path) => {
    const { get } = await testApp();
    expect((await get(path)).status).toBe(404);
    expect((await get(path, { authorization: 'Bearer wrong' })).status).toBe(404);
    expect((await get(path, bearer)).status).toBe(200);
    const closed = await testApp({ statusTokens: [] });
    expect((await closed.get(path, bearer)).status).toBe(404);
  });

  it('/metrics counts answers by cluster, phase and result, and of known clusters alone', async () => {
    const { get, post } = await testApp();
    await post(VALIDATE, review());
    await post(VALIDATE, '{');
    await post(`/v1/clusters/nobody/${TOKEN}/validate`, review());
    const text = await (await get('/metrics', bearer)).text();
    expect(text).toContain('postern_reviews_total{cluster="prod",phase="validate",result="allowed"} 1\n');
    expect(text).toContain('postern_reviews_total{cluster="prod",phase="validate",result="invalid"} 1\n');
    expect(text).toContain('postern_review_duration_seconds_count{cluster="prod",phase="validate"} 2\n');
    expect(text).toContain('postern_bundle_ready{cluster="prod"} 1\n');
    expect(text).not.toContain('nobody');
  });

  it('a decision is one record, without the object', async () => {
    const { post, logs } = await testApp({
      admit: () => outcome({ warnings: ['w'] }, { patch: [{ op: 'remove', path: '/spec' }] }),
    });
    await post(MUTATE, review());
    expect(logs.at(-1)).toEqual({
      event: 'review',
      cluster: 'prod',
      phase: 'mutate',
      result: 'allowed',
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      operation: 'CREATE',
      resource: 'pods',
      namespace: 'default',
      name: 'web',
      digest: (await bundleOf('one')).digest,
      allowed: true,
      operations: 1,
      warnings: 1,
      rounds: 0,
      seconds: 0,
    });
  });
});
