/** What the cold start benchmark serves: the shipped policies, one review, and a bucket that is part of the script. */
import { readFile } from 'node:fs/promises';
import { bundleKey, channelKey, clusterKey, digestOf, encodeBundle, encodeChannel, gzip, toBytes } from '#bundle';
import { stringifyJson, type Value } from '#cel/runtime';
import { factsKey } from '#facts';
import { compileSources } from '../../src/cli/compile-sources.ts';
import { buildRequest } from '../../src/cli/test-request.ts';

const NAMES = [
  'default-resource-requests',
  'host-namespaces',
  'image-registries',
  'inject-sidecar',
  'latest-tag',
  'privileged-containers',
  'required-labels',
  'security-context-defaults',
];

export interface Fixture {
  readonly path: string;
  readonly review: string;
  /** The objects of the bucket, in base64. */
  readonly objects: Readonly<Record<string, string>>;
}

/** The policies compiled, and a pod's creation to validate. */
export async function fixture(): Promise<Fixture> {
  const files = NAMES.flatMap((name) => [`policies/${name}/policy.yaml`, `policies/${name}/binding.yaml`]);
  const paths = [...files, 'policies/image-registries/params.yaml'];
  const sources = await Promise.all(paths.map(async (name) => ({ name, text: await readFile(name, 'utf8') })));
  const { compiled } = await compileSources(sources);
  if (!compiled) throw new Error('the policies do not compile');
  const bundle = await encodeBundle({ compiled });
  const token = 'benchmark';
  const cluster = {
    cluster: 1,
    channel: 'stable',
    tokens: [await digestOf(toBytes(token))],
    facts: { source: 'snapshot' },
  };
  const namespaces = [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'default', labels: { 'kubernetes.io/metadata.name': 'default' } },
    },
  ];
  const objects: readonly (readonly [string, Uint8Array])[] = [
    [bundleKey(bundle.digest), bundle.bytes],
    [channelKey('stable'), encodeChannel({ revision: 1, digest: bundle.digest, createdAt: '' })],
    [clusterKey('prod'), toBytes(JSON.stringify(cluster))],
    [factsKey('prod'), gzip(toBytes(JSON.stringify({ facts: 1, namespaces })))],
  ];
  const container = { name: 'app', image: 'registry.example.com/app:1', resources: {} };
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [container] },
    status: {},
  };
  const request = buildRequest({ object }, () => undefined) as unknown as Value;
  return {
    path: `/v1/clusters/prod/${token}/validate`,
    review: stringifyJson({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request }),
    objects: Object.fromEntries(objects.map(([key, bytes]) => [key, Buffer.from(bytes).toString('base64')])),
  };
}

/** The worker's source with a bucket in it: loaded isolates have no bindings of their own. */
export function withBucket(source: string, objects: Fixture['objects']): string {
  const exported = /export\s*\{\s*(\w+) as default\s*\};?\s*$/.exec(source);
  if (!exported) throw new Error('the worker has no default export where it was expected');
  const bucket = `
const objects = ${JSON.stringify(objects)};
const BUNDLES = { async get(key) {
  if (!Object.hasOwn(objects, key)) return null;
  const bytes = Uint8Array.from(atob(objects[key]), (char) => char.charCodeAt(0));
  return { etag: key, size: bytes.length, arrayBuffer: async () => bytes.buffer };
} };
export default { fetch: (request, env, context) => ${exported[1]}.fetch(request, { BUNDLES }, context) };`;
  return source.slice(0, exported.index) + bucket;
}
