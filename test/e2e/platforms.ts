/** The three platforms as a client sees them: somewhere to send requests, and the store behind it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Miniflare } from 'miniflare';
import type { BundleStore } from '#bundle';
import { fileStore } from '#store/fs';
import { type R2BucketLike, r2Store } from '#store/r2';
import { s3Store } from '#store/s3';
import { selfSigned } from '../../src/cli/certificate.ts';
import { startS3Double } from '../s3-double.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sent {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Platform {
  readonly store: BundleStore;
  send(sent: Sent): Promise<Answer>;
  /** Resolves when everything has ended; the exit code where there is a process. */
  stop(): Promise<number | undefined>;
}

/** Variables of the environment that all platforms are given. */
export type Settings = Readonly<Record<string, string>>;

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** The built worker in workerd, over TLS. */
export async function startWorker(settings: Settings): Promise<Platform> {
  const { cert, key } = selfSigned(['127.0.0.1'], Date.now());
  const miniflare = new Miniflare({
    modules: true,
    scriptPath: join(dist, 'worker/index.mjs'),
    compatibilityDate: '2026-04-01',
    r2Buckets: ['BUNDLES'],
    bindings: { ...settings },
    httpsKey: key,
    httpsCert: cert,
    host: '127.0.0.1',
    port: 0,
    cf: false,
    handleRuntimeStdio: (stdout, stderr) => {
      stdout.resume();
      stderr.resume();
    },
  });
  const url = await miniflare.ready;
  return {
    store: r2Store((await miniflare.getR2Bucket('BUNDLES')) as unknown as R2BucketLike),
    send: (sent) => sendOverTls(Number(url.port), cert, sent),
    stop: async () => {
      await miniflare.dispose();
      return undefined;
    },
  };
}

/** The built Node server as a process of its own, over TLS. */
export async function startNode(settings: Settings): Promise<Platform> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-node-'));
  const { cert, key } = selfSigned(['127.0.0.1'], Date.now());
  await writeFile(join(folder, 'tls.crt'), cert);
  await writeFile(join(folder, 'tls.key'), key);
  const child = spawn(process.execPath, [join(dist, 'node/index.mjs')], {
    env: {
      PATH: process.env['PATH'],
      ...settings,
      POSTERN_STORE: join(folder, 'store'),
      POSTERN_HOST: '127.0.0.1',
      POSTERN_PORT: '0',
      POSTERN_TLS_CERT: join(folder, 'tls.crt'),
      POSTERN_TLS_KEY: join(folder, 'tls.key'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
  const port = await listeningPort(child);
  return {
    store: fileStore(join(folder, 'store')),
    send: (sent) => sendOverTls(port, cert, sent),
    stop: async () => {
      child.kill('SIGTERM');
      const code = await ended;
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** The built Lambda handler in this process, given the events that AWS makes of requests. */
export async function startLambda(settings: Settings, eventOf: (sent: Sent) => object): Promise<Platform> {
  const double = await startS3Double();
  Object.assign(process.env, settings, {
    POSTERN_BUCKET: double.bucket,
    POSTERN_S3_PATH_STYLE: 'true',
    AWS_ENDPOINT_URL_S3: double.endpoint,
    AWS_REGION: double.region,
    AWS_ACCESS_KEY_ID: double.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: double.credentials.secretAccessKey,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  });
  const log = console.log;
  console.log = () => undefined;
  // A query makes each import a process of its own: Lambda keeps its state in the module.
  const module = (await import(`${pathToFileURL(join(dist, 'lambda/index.mjs')).href}?${double.endpoint}`)) as {
    handler(
      event: object,
    ): Promise<{ statusCode: number; headers: Record<string, string>; body: string; isBase64Encoded: boolean }>;
  };
  const store = s3Store({
    bucket: double.bucket,
    client: { endpoint: double.endpoint, region: double.region, forcePathStyle: true, credentials: double.credentials },
  });
  return {
    store,
    send: async (sent) => {
      const { statusCode, headers, body, isBase64Encoded } = await module.handler(eventOf(sent));
      return {
        status: statusCode,
        headers,
        body: isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
      };
    },
    stop: async () => {
      console.log = log;
      await double.close();
      return undefined;
    },
  };
}

async function listeningPort(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('the process has no standard output');
  for await (const line of createInterface(child.stdout)) {
    const record = JSON.parse(line) as { event: string; url?: string };
    if (record.event !== 'listening') continue;
    child.stdout.resume();
    return Number(new URL(record.url ?? '').port);
  }
  throw new Error('the server ended before it listened');
}

function sendOverTls(port: number, ca: string, { method, path, headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port, ca, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const all = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(all),
          body: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    sending.on('error', reject);
    sending.end(body);
  });
}
