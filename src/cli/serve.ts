/** `postern serve`: a webhook server on this machine, over one bundle or over a store. */
import { randomBytes } from 'node:crypto';
import {
  type BundleStore,
  bundleKey,
  channelKey,
  clusterKey,
  digestOf,
  encodeChannel,
  gzip,
  isName,
  toBytes,
} from '#bundle';
import { stringifyJson, type Value } from '#cel/runtime';
import { factsKey, readSnapshot } from '#facts';
import { createApp, loadEngine, logLine } from '#serve';
import { listen, type Tls } from '#serve/node';
import { memoryStore } from '#store/memory';
import { readSettings } from '../../functions/settings.ts';
import { openStore } from '../../functions/stores.ts';
import type { Arguments } from './arguments.ts';
import { engineOf, openBundleFile } from './bundle-file.ts';
import { selfSigned } from './certificate.ts';
import { readDocument } from './document.ts';
import { readBytes, readText } from './input.ts';
import { type ExitCode, InputError, type Io } from './io.ts';
import type { Verb } from './postern.ts';

export const serve: Verb = {
  name: 'serve',
  summary: 'answer AdmissionReviews over HTTPS',
  usage: '(--bundle <file> | --store <store>) [flags]',
  description: [
    'With --bundle: one cluster, whose token is taken from POSTERN_TOKEN or made up and shown. With --store: all',
    'clusters that the store has documents for, each with the bundle of its channel; news are looked for all the time.',
    'One line of JSON for each decision goes to standard output. SIGTERM lets what is under way end. The variables',
    'POSTERN_CLUSTERS, POSTERN_STATUS_TOKENS, POSTERN_REFRESH_SECONDS, POSTERN_MAX_STALE_SECONDS and',
    'POSTERN_MAX_BODY_BYTES are those of the other servers (README.md).',
  ].join(' '),
  flags: {
    bundle: { short: 'b', value: 'file', help: 'serve this bundle' },
    facts: { value: 'file', help: 'with --bundle: what the policies may ask of the cluster' },
    cluster: { value: 'name', help: 'with --bundle: the name of the cluster; `default` when left out' },
    store: { value: 'store', help: 'serve out of a folder, or s3://<bucket>[/<prefix>]' },
    host: { value: 'address', help: 'address to listen on; 127.0.0.1 when left out' },
    port: { value: 'number', help: 'port to listen on; 8443 when left out' },
    'tls-cert': { value: 'file', help: 'certificate, PEM' },
    'tls-key': { value: 'file', help: 'its key, PEM' },
    'self-signed': { value: 'host', many: true, help: 'make a certificate for these hosts, and show it' },
    http: { help: 'no TLS: for use behind something that ends it' },
  },
  examples: [
    ['postern serve --bundle policies.json.gz --self-signed localhost --self-signed 127.0.0.1', 'try a bundle'],
    ['postern serve --store /var/lib/postern --host :: --tls-cert tls.crt --tls-key tls.key', 'inside a cluster'],
  ],
  async run(args, io): Promise<ExitCode> {
    const file = args.text('bundle');
    const address = args.text('store');
    if ((file === undefined) === (address === undefined)) throw new InputError('either --bundle or --store is needed');
    const port = Number(args.text('port') ?? 8443);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InputError('--port is no port number');
    const host = args.text('host') ?? '127.0.0.1';
    const settings = settingsFrom(io);
    const tls = await readTls(args, io);
    const single = file === undefined ? undefined : await singleCluster(file, args, io);
    const store = single?.store ?? (await openStore(address ?? ''));
    const app = createApp({
      store,
      load: loadEngine,
      ...settings,
      log: (record) => io.out(`${logLine(record, io.now())}\n`),
      now: io.now,
      background: () => undefined,
      shareReads: true,
      ...(single ? { clusters: [single.cluster] } : {}),
    });
    await app.warm();
    const server = await listen(app, { host, port, ...(tls ? { tls } : {}) }).catch((error: unknown) => {
      throw new InputError(`cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : ''}`);
    });
    const path = single
      ? `/v1/clusters/${single.cluster}/${single.token ?? '<token>'}`
      : '/v1/clusters/<cluster>/<token>';
    io.err(`listening on ${server.url}${path}/{validate,mutate}\n`);
    await io.interrupted;
    await server.stop();
    return 0;
  },
};

function settingsFrom(io: Io) {
  try {
    return readSettings(io.env);
  } catch (error) {
    throw new InputError(error instanceof Error ? error.message : String(error));
  }
}

async function readTls(args: Arguments, io: Io): Promise<Tls | undefined> {
  const [cert, key, hosts, http] = [
    args.text('tls-cert'),
    args.text('tls-key'),
    args.texts('self-signed'),
    args.given('http'),
  ];
  const ways = [cert !== undefined || key !== undefined, hosts.length > 0, http].filter(Boolean).length;
  if (ways !== 1) throw new InputError('one of --tls-cert with --tls-key, --self-signed or --http is needed');
  if (http) return undefined;
  if (hosts.length > 0) {
    const made = selfSigned(hosts, io.now());
    io.err(`caBundle: ${Buffer.from(made.cert).toString('base64')}\n`);
    return made;
  }
  if (cert === undefined || key === undefined) throw new InputError('--tls-cert and --tls-key belong together');
  return { cert: (await readBytes(cert)).toString('utf8'), key: (await readBytes(key)).toString('utf8') };
}

/** A store of one cluster that runs one bundle; `token` is set when it was made up and must be shown. */
async function singleCluster(file: string, args: Arguments, io: Io) {
  const cluster = args.text('cluster') ?? 'default';
  if (!isName(cluster)) throw new InputError(`\`${cluster}\` is no name of a cluster`);
  const opened = await openBundleFile(file);
  engineOf(file, opened);
  const given = io.env['POSTERN_TOKEN'];
  const token = given || randomBytes(24).toString('base64url');
  const store = memoryStore();
  const channel = { revision: 1, digest: opened.digest, createdAt: new Date(io.now()).toISOString() };
  await store.putIfAbsent(bundleKey(opened.digest), new Uint8Array(await readBytes(file)));
  await store.putIfAbsent(channelKey('file'), encodeChannel(channel));
  const facts = args.text('facts');
  if (facts !== undefined) await putFacts(store, cluster, facts, io);
  const document = {
    cluster: 1,
    channel: 'file',
    tokens: [await digestOf(toBytes(token))],
    ...(facts === undefined ? {} : { facts: { source: 'snapshot' } }),
  };
  await store.putIfAbsent(clusterKey(cluster), toBytes(JSON.stringify(document)));
  return { store, cluster, token: given ? undefined : token };
}

async function putFacts(store: BundleStore, cluster: string, path: string, io: Io): Promise<void> {
  const document = readDocument(path, await readText(path, io));
  try {
    readSnapshot(document);
  } catch (error) {
    throw new InputError(`\`${path}\`: ${error instanceof Error ? error.message : ''}`);
  }
  await store.putIfAbsent(factsKey(cluster), gzip(toBytes(stringifyJson(document as Value))));
}
