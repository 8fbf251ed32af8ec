/**
 * The demonstration: policies to a bundle, the bundle into a store, a server over TLS, real reviews, and what came back.
 *
 * Everything is real but the API server, whose part a client plays that sends what the API server would.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterKey, digestOf, encodeBundle, gzip, publish, toBytes } from '#bundle';
import { parseJson, stringifyJson, type Value } from '#cel/runtime';
import { factsKey } from '#facts';
import { applyPatch } from '#jsonpatch';
import { type AdmissionRequest, isJsonObject, type Json, type JsonObject, own, stringAt } from '#kubernetes';
import type { PatchOperation } from '#policy';
import { createApp, loadEngine } from '#serve';
import { listen } from '#serve/node';
import { fileStore } from '#store/fs';
import { selfSigned } from './certificate.ts';
import { compileSources, printDiagnostics } from './compile-sources.ts';
import { readDocument } from './document.ts';
import { readManifests, readText } from './input.ts';
import { type ExitCode, InputError, type Io, paint } from './io.ts';
import { COLUMNS, wrap } from './layout.ts';
import { patchLines } from './patch-text.ts';
import { terminal } from './terminal.ts';
import { buildRequest } from './test-request.ts';

export interface DemoOptions {
  /** Folder of policies. */
  readonly policies: string;
  /** File with the objects to send, in the form of tests without expectations. */
  readonly objects: string;
  readonly output: 'text' | 'json';
}

export interface DemoRow {
  readonly what: string;
  readonly operation: string;
  readonly object: string;
  readonly allowed: boolean;
  readonly code?: number;
  readonly message?: string;
  readonly warnings: readonly string[];
  readonly patch: readonly PatchOperation[];
  /** Milliseconds of both calls together. */
  readonly milliseconds: number;
}

/** Runs the demonstration and prints it. Nothing of it is left afterwards. */
export async function demo(options: DemoOptions, io: Io = terminal()): Promise<ExitCode> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-demo-'));
  try {
    return await inFolder(folder, options, io);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function inFolder(folder: string, options: DemoOptions, io: Io): Promise<ExitCode> {
  const say = (text: string): void => {
    if (options.output === 'text') io.out(`${text}\n`);
  };
  const { compiled, diagnostics, source } = await compileSources(await readManifests([options.policies], io));
  printDiagnostics(diagnostics, io);
  if (!compiled) return 1;
  const bundle = await encodeBundle({ compiled, source });
  say(
    `compiled ${options.policies}: ${compiled.mutating.length} mutating and ${compiled.validating.length} validating policies, ${bundle.bytes.byteLength} bytes`,
  );

  const store = fileStore(folder);
  await publish(store, 'stable', bundle, new Date(io.now()).toISOString());
  const token = 'demonstration-only';
  const cluster = {
    cluster: 1,
    channel: 'stable',
    tokens: [await digestOf(toBytes(token))],
    facts: { source: 'snapshot' },
  };
  await store.putIfAbsent(clusterKey('demo'), toBytes(JSON.stringify(cluster)));
  await store.putIfAbsent(
    factsKey('demo'),
    gzip(toBytes(JSON.stringify({ facts: 1, namespaces: ['shop', 'kube-system'].map(namespaceOf) }))),
  );
  say(`published in ${folder} as\n  ${bundle.digest}`);

  const tls = selfSigned(['127.0.0.1'], io.now());
  const app = createApp({
    store,
    load: loadEngine,
    log: () => undefined,
    background: () => undefined,
    clusters: ['demo'],
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0, tls });
  const agent = new Agent({ keepAlive: true, ca: tls.cert });
  say(`serving ${server.url}/v1/clusters/demo/<token>/{mutate,validate}\n`);
  try {
    const rows: DemoRow[] = [];
    for (const test of await readObjects(options.objects, io)) {
      const call = (phase: string, asked: AdmissionRequest): Promise<JsonObject> =>
        review(`${server.url}/v1/clusters/demo/${token}/${phase}?timeout=10s`, asked, agent);
      rows.push(
        await admit(
          stringAt(test, 'name'),
          buildRequest(test, () => undefined),
          call,
        ),
      );
    }
    if (options.output === 'json')
      io.out(`${stringifyJson({ digest: bundle.digest, rows: rows as unknown as Value })}\n`);
    else print(rows, io);
    return 0;
  } finally {
    agent.destroy();
    await server.stop();
  }
}

function namespaceOf(name: string): object {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { 'kubernetes.io/metadata.name': name } } };
}

async function readObjects(path: string, io: Io): Promise<readonly JsonObject[]> {
  const document = readDocument(path, await readText(path, io));
  if (Array.isArray(document) && document.every(isJsonObject)) return document;
  throw new InputError(`\`${path}\` is not a list of objects`);
}

/** As the API server does: the mutating webhook, its patch applied, then the validating one. */
async function admit(
  what: string,
  asked: AdmissionRequest,
  call: (phase: string, asked: AdmissionRequest) => Promise<JsonObject>,
): Promise<DemoRow> {
  const started = performance.now();
  const mutated = await call('mutate', asked);
  const patch = decodePatch(own(mutated, 'patch'));
  const denied = own(mutated, 'allowed') !== true;
  const object = asked.object ? patched(asked.object, patch) : asked.object;
  const last = denied ? mutated : await call('validate', { ...asked, object: object ?? null });
  const milliseconds = performance.now() - started;
  const subject = asked.object ?? asked.oldObject ?? {};
  const code = isJsonObject(own(last, 'status')) ? own(own(last, 'status') as JsonObject, 'code') : undefined;
  return {
    what,
    operation: asked.operation,
    object: `${stringAt(subject, 'kind')} ${asked.namespace ? `${asked.namespace}/` : ''}${asked.name ?? ''}`,
    allowed: own(last, 'allowed') === true,
    ...(typeof code === 'number' ? { code } : {}),
    ...(stringAt(last, 'status', 'message') === '' ? {} : { message: stringAt(last, 'status', 'message') }),
    warnings: [...warningsOf(mutated), ...(denied ? [] : warningsOf(last))],
    patch: own(last, 'allowed') === true ? patch : [],
    milliseconds,
  };
}

function decodePatch(patch: Json | undefined): readonly PatchOperation[] {
  if (typeof patch !== 'string') return [];
  return parseJson(Buffer.from(patch, 'base64').toString('utf8')) as unknown as readonly PatchOperation[];
}

/** The object with a patch applied, by the API server's own rules. */
function patched(object: JsonObject, patch: readonly PatchOperation[]): JsonObject {
  const result = applyPatch(object, patch);
  if (result.kind === 'patched' && isJsonObject(result.document)) return result.document;
  throw new Error(`the patch cannot be applied: ${JSON.stringify(patch)}`);
}

function warningsOf(response: JsonObject): readonly string[] {
  const warnings = own(response, 'warnings');
  return Array.isArray(warnings) ? warnings.map(String) : [];
}

function review(url: string, asked: AdmissionRequest, agent: Agent): Promise<JsonObject> {
  const body = stringifyJson({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: asked as unknown as Value,
  });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'kube-apiserver-admission',
  };
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const answer = parseJson(text) as Json;
        const inner = isJsonObject(answer) ? own(answer, 'response') : undefined;
        if (response.statusCode === 200 && isJsonObject(inner)) resolve(inner);
        else reject(new Error(`the server answered ${response.statusCode}: ${text}`));
      });
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

function print(rows: readonly DemoRow[], io: Io): void {
  const widths = { operation: width(rows, 'operation'), object: width(rows, 'object') };
  const indent = ' '.repeat(9 + widths.operation + 2);
  for (const row of rows) {
    const verdict = row.allowed ? paint(io, 'green', 'allowed') : paint(io, 'red', 'denied ');
    io.out(
      `${verdict}  ${row.operation.padEnd(widths.operation)}  ${paint(io, 'bold', row.object.padEnd(widths.object))}  ${paint(io, 'dim', row.what)}\n`,
    );
    const wrapped = (text: string): string => wrap(text, COLUMNS - indent.length).join(`\n${indent}`);
    if (row.message !== undefined) io.out(`${indent}${wrapped(`${row.code ?? ''} ${row.message}`)}\n`);
    for (const warning of row.warnings)
      io.out(`${indent}${wrapped(`warning: ${warning}`).replace('warning:', (word) => paint(io, 'yellow', word))}\n`);
    for (const line of patchLines(row.patch, io, COLUMNS - indent.length)) io.out(`${indent}${line}\n`);
  }
  const allowed = rows.filter((row) => row.allowed).length;
  const times = rows.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  io.out(
    `\n${rows.length} requests: ${allowed} allowed, ${rows.length - allowed} denied; median ${median.toFixed(1)} ms for both phases over TLS\n`,
  );
}

function width(rows: readonly DemoRow[], key: 'operation' | 'object'): number {
  return Math.max(...rows.map((row) => row[key].length));
}
