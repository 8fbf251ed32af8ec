/**
 * Cold start: from a new isolate or process to the first answer, for postern and for a bare handler beside it.
 *
 * `npm run bench:cold` prints medians. Workers: a new miniflare for each round would measure miniflare, so a parent
 * worker loads each candidate as a new isolate of a warm workerd. Lambda: a new process that imports the handler, as the
 * runtime does. Numbers of one machine compare with each other and with nothing else.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { Miniflare } from 'miniflare';
import { importSource, root } from './bundle-module.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const rounds = Number(values.rounds);
const run = promisify(execFile);

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const milliseconds = (number) => `${number.toFixed(1)} ms`;

const BARE = `export default { async fetch(request) {
  const { apiVersion, request: asked } = await request.json();
  return Response.json({ kind: 'AdmissionReview', apiVersion, response: { uid: asked.uid, allowed: true } });
} };`;

/** Loads the candidate as a new isolate, under a name that was never used, and passes the request on. */
const PARENT = `export default { async fetch(request, env) {
  const worker = env.LOADER.get(request.headers.get('x-name'), async () => ({
    compatibilityDate: '2026-04-01',
    mainModule: 'main.js',
    modules: { 'main.js': await env.SOURCES.get(request.headers.get('x-candidate'), 'text') },
    env: {},
  }));
  return worker.getEntrypoint().fetch(request);
} };`;

const { fixture, withBucket } = await importSource('test/bench/cold-start.ts');
const { review, path, objects } = await fixture();

async function workers() {
  const candidates = {
    bare: BARE,
    postern: withBucket(await readFile(join(root, 'dist/worker/index.mjs'), 'utf8'), objects),
  };
  const miniflare = new Miniflare({
    modules: true,
    script: PARENT,
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['experimental'],
    workerLoaders: { LOADER: {} },
    kvNamespaces: ['SOURCES'],
    cf: false,
    handleRuntimeStdio: (stdout, stderr) => {
      stdout.resume();
      stderr.resume();
    },
  });
  const url = await miniflare.ready;
  const sources = await miniflare.getKVNamespace('SOURCES');
  for (const [name, source] of Object.entries(candidates)) await sources.put(name, source);
  const ask = async (candidate, name) => {
    const started = performance.now();
    const headers = { 'content-type': 'application/json', 'x-candidate': candidate, 'x-name': name };
    const response = await fetch(new URL(path, url), { method: 'POST', body: review, headers });
    const text = await response.text();
    if (!text.includes('"allowed"')) throw new Error(`${candidate}: ${response.status} ${text}`);
    return performance.now() - started;
  };
  for (let index = 0; index < 50; index++) await ask('bare', 'warm-up');
  const times = { bare: [], postern: [] };
  for (let round = 0; round < rounds; round++)
    for (const name of Object.keys(times)) times[name].push(await ask(name, `${name}-${round}`));
  const warm = [];
  for (let index = 0; index < 200; index++) warm.push(await ask('postern', 'postern-0'));
  await miniflare.dispose();
  console.log(
    `Worker, new isolate to first answer: bare handler ${milliseconds(median(times.bare))}, postern ${milliseconds(median(times.postern))} (warm ${milliseconds(median(warm))})`,
  );
}

async function lambda() {
  const folder = await mkdtemp(join(tmpdir(), 'postern-cold-'));
  const bare = join(folder, 'bare.mjs');
  await writeFile(bare, 'export const handler = async (event) => ({ statusCode: 200, body: event.body });');
  const time = async (file) => {
    const code = `const started = performance.now(); await import(${JSON.stringify(pathToFileURL(file).href)}); console.log(performance.now() - started);`;
    const env = { ...process.env, POSTERN_BUCKET: 'bundles', AWS_REGION: 'eu-central-1' };
    return Number(
      (await run(process.execPath, ['--input-type=module', '-e', code], { env })).stdout.trim().split('\n').at(-1),
    );
  };
  const times = { bare: [], postern: [] };
  for (let round = 0; round < rounds; round++) {
    times.bare.push(await time(bare));
    times.postern.push(await time(join(root, 'dist/lambda/index.mjs')));
  }
  await rm(folder, { recursive: true });
  console.log(
    `Lambda, import of the handler: bare handler ${milliseconds(median(times.bare))}, postern ${milliseconds(median(times.postern))}`,
  );
}

await workers();
await lambda();
