import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelKey, clusterKey, digestOf, encodeBundle, encodeChannel, gzip, publish, toBytes } from '#bundle';
import { factsKey } from '#facts';
import { compileSources } from '../../src/cli/compile-sources.ts';
import { review } from '../serve/fixtures.ts';
import { functionUrlEvent, httpApiEvent } from './lambda-events.ts';
import {
  type Answer,
  type Platform,
  type Sent,
  type Settings,
  startLambda,
  startNode,
  startWorker,
} from './platforms.ts';

const TOKEN = 'a-token-of-at-least-128-bits-0123';
const STATUS_TOKEN = 'a-token-for-operators';
const PATH = `/v1/clusters/prod/${TOKEN}`;

const platforms: readonly (readonly [string, (settings: Settings) => Promise<Platform>])[] = [
  ['Cloudflare Worker with R2', startWorker],
  ['AWS Lambda behind a function URL with S3', (settings) => startLambda(settings, functionUrlEvent)],
  ['AWS Lambda behind an HTTP API with S3', (settings) => startLambda(settings, httpApiEvent)],
  ['Node server with a folder', startNode],
];

/** The policies of a few folders, compiled. */
async function bundleOf(names: readonly string[]) {
  const files = names.flatMap((name) => [`policies/${name}/policy.yaml`, `policies/${name}/binding.yaml`]);
  const sources = await Promise.all(files.map(async (name) => ({ name, text: await readFile(name, 'utf8') })));
  const { compiled, source } = await compileSources(sources);
  if (!compiled) throw new Error('the policies do not compile');
  return encodeBundle({ compiled, source });
}

const namespaces = ['default', 'kube-system'].map((name) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
}));

const pod = (container: object, name = 'web'): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1', ...container }] },
});

describe.each(platforms)('%s', (name, start) => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await start({
      POSTERN_CLUSTERS: 'prod',
      POSTERN_STATUS_TOKENS: await digestOf(toBytes(STATUS_TOKEN)),
      POSTERN_REFRESH_SECONDS: '1',
    });
    const { store } = platform;
    await publish(
      store,
      'stable',
      await bundleOf(['privileged-containers', 'latest-tag', 'security-context-defaults']),
      'now',
    );
    const cluster = {
      cluster: 1,
      channel: 'stable',
      tokens: [await digestOf(toBytes(TOKEN))],
      facts: { source: 'snapshot' },
    };
    await store.putIfAbsent(clusterKey('prod'), toBytes(JSON.stringify(cluster)));
    await store.putIfAbsent(factsKey('prod'), gzip(toBytes(JSON.stringify({ facts: 1, namespaces }))));
    await eventually(async () => (await get('/readyz')).status === 200);
  }, 60_000);

  afterAll(async () => {
    const code = await platform.stop();
    if (code !== undefined) expect(code).toBe(0);
  });

  const send = (sent: Partial<Sent>): Promise<Answer> =>
    platform.send({ method: 'GET', path: '/', headers: {}, body: '', ...sent });
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> => send({ path, headers });
  const post = (
    path: string,
    body: string,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): Promise<Answer> =>
    send({
      method: 'POST',
      path,
      body,
      headers: {
        ...headers,
        ...(name.includes('Lambda') ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
    });
  const ask = async (phase: string, changes: object, apiVersion?: string) => {
    const answer = await post(`${PATH}/${phase}?timeout=10s`, review(changes, apiVersion));
    expect(answer.status, answer.body).toBe(200);
    expect(answer.headers['content-type']).toContain('application/json');
    return JSON.parse(answer.body) as { apiVersion: string; kind: string; response: Record<string, unknown> };
  };

  it('answers /healthz and /readyz', async () => {
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
  });

  it('allows what no policy denies', async () => {
    expect(await ask('validate', { object: pod({}) })).toEqual({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      response: { uid: '705ab4f5-6393-11e8-b7cc-42010a800002', allowed: true },
    });
  });

  it('denies in the words of the API server', async () => {
    const { response } = await ask('validate', { object: pod({ securityContext: { privileged: true } }) });
    const cause =
      "ValidatingAdmissionPolicy 'privileged-containers' with binding 'privileged-containers' denied request: privileged containers are not allowed: app";
    const message = `pods "web" is forbidden: ${cause}`;
    expect(response).toEqual({
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      allowed: false,
      status: {
        metadata: {},
        status: 'Failure',
        message,
        reason: 'Forbidden',
        details: { name: 'web', kind: 'pods', causes: [{ message: cause }] },
        code: 403,
      },
    });
  });

  it('spares the namespace that the binding spares, by its labels in the snapshot', async () => {
    const object = pod({ securityContext: { privileged: true } });
    expect(await ask('validate', { namespace: 'kube-system', object })).toMatchObject({ response: { allowed: true } });
  });

  it('warns', async () => {
    const { response } = await ask('validate', { object: pod({ image: 'app:latest' }) });
    expect(response).toMatchObject({
      allowed: true,
      warnings: [expect.stringContaining('images without a fixed version: app:latest')],
    });
    expect(Object.keys(response['auditAnnotations'] as object)).toEqual(['validation_failure']);
  });

  it('mutates by a patch in base64', async () => {
    const { response } = await ask('mutate', { object: pod({}) });
    expect(response).toMatchObject({ allowed: true, patchType: 'JSONPatch' });
    const patch = JSON.parse(Buffer.from(String(response['patch']), 'base64').toString('utf8')) as unknown[];
    expect(patch).toContainEqual({
      op: 'add',
      path: '/spec/containers/0/securityContext',
      value: { allowPrivilegeEscalation: false },
    });
  });

  it('answers in v1beta1 to v1beta1', async () => {
    expect(await ask('validate', { object: pod({}) }, 'admission.k8s.io/v1beta1')).toMatchObject({
      apiVersion: 'admission.k8s.io/v1beta1',
      response: { allowed: true },
    });
  });

  it('decides a deletion, whose object is null', async () => {
    expect(await ask('validate', { operation: 'DELETE', object: null, oldObject: pod({}) })).toMatchObject({
      response: { allowed: true },
    });
  });

  it('takes the name of a webhook entry at the end of the path', async () => {
    expect((await post(`${PATH}/validate/pods.example.com`, review({ object: pod({}) }))).status).toBe(200);
  });

  it.each<readonly [string, number, Partial<Sent>]>([
    ['an unknown cluster', 404, { path: `/v1/clusters/stage/${TOKEN}/validate` }],
    ['a wrong token', 404, { path: '/v1/clusters/prod/wrong/validate' }],
    ['an unknown path', 404, { path: '/v1/other' }],
    ['GET', 404, { method: 'GET', body: '' }],
    ['another content type', 415, { headers: { 'content-type': 'text/plain' } }],
    ['a body that is no JSON', 400, { body: '{' }],
    ['another kind', 400, { body: '{"kind":"Pod","apiVersion":"v1"}' }],
    ['a review without request', 400, { body: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}' }],
    ['a body beyond 8 MiB', 413, { body: `{"a":"${'x'.repeat(8 * 1024 * 1024)}"}` }],
  ])('%s gets %i and a Status', async (_, status, sent) => {
    const whole = {
      method: 'POST',
      path: `${PATH}/validate`,
      headers: { 'content-type': 'application/json' },
      body: review(),
      ...sent,
    };
    const length = whole.body === '' ? {} : { 'content-length': String(Buffer.byteLength(whole.body)) };
    const answer = await send({ ...whole, headers: { ...whole.headers, ...length } });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code: status,
    });
  });

  it('a fact that the snapshot does not cover is a 500 that says which', async () => {
    const answer = await post(`${PATH}/validate`, review({ namespace: 'unheard-of', object: pod({}) }));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({
      response: { allowed: false, status: { code: 404, message: 'namespaces "unheard-of" not found' } },
    });
  });

  it('tells operators what runs, and nobody else', async () => {
    expect((await get('/status')).status).toBe(404);
    const answer = await get('/status', { authorization: `Bearer ${STATUS_TOKEN}` });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({
      clusters: { prod: { channel: 'stable', revision: 1, lastFailure: null } },
    });
    expect((await get('/metrics', { authorization: `Bearer ${STATUS_TOKEN}` })).body).toContain(
      'postern_reviews_total{cluster="prod"',
    );
  });

  it('takes a new bundle into use, and keeps it when the next one is broken', async () => {
    const object = pod({ securityContext: { privileged: true } });
    const allowed = async (): Promise<boolean> => (await ask('validate', { object })).response['allowed'] === true;
    expect(await allowed()).toBe(false);
    await publish(platform.store, 'stable', await bundleOf(['latest-tag']), 'now');
    await eventually(allowed);

    const pointer = await platform.store.get(channelKey('stable'));
    if (pointer.kind !== 'object') throw new Error('the channel is gone');
    const broken = encodeChannel({ revision: 3, digest: `sha256-${'0'.repeat(64)}`, createdAt: 'now' });
    await platform.store.putIfMatch(channelKey('stable'), broken, pointer.etag);
    await eventually(async () => {
      expect(await allowed()).toBe(true);
      const { body } = await get('/status', { authorization: `Bearer ${STATUS_TOKEN}` });
      return body.includes('there is no bundle sha256-0');
    });
    expect(await allowed()).toBe(true);
  });
});

/** Waits until it is so, for ten seconds at most. */
async function eventually(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await condition()) return;
    await sleep(100);
  }
  throw new Error('it did not come to be');
}
