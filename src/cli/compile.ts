/** `postern compile`: policies, bindings, params and custom resources to a bundle. */
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BundleError, encodeBundle, isName, publish, StoreError } from '#bundle';
import { position, type Span } from '#diagnostics';
import { openStore } from '../../functions/stores.ts';
import { compileSources, plural, printDiagnostics } from './compile-sources.ts';
import { readManifests } from './input.ts';
import { type ExitCode, InputError, type Io } from './io.ts';
import type { Verb } from './postern.ts';

export const compile: Verb = {
  name: 'compile',
  summary: 'check policies and make a bundle of them',
  usage: '[flags] <file|folder|->...',
  description: [
    'Reads ValidatingAdmissionPolicies, MutatingAdmissionPolicies, their bindings, param objects and',
    'CustomResourceDefinitions. Says everything that is wrong with them, each with its place in the YAML. Without',
    'errors, writes the bundle: the same input gives the same bytes on any machine. Without --out and --publish it',
    'only checks.',
  ].join(' '),
  flags: {
    out: { value: 'file', help: 'write the bundle there; - for standard output' },
    publish: {
      value: 'store',
      help: 'put it into a store, a folder or s3://<bucket>[/<prefix>], and point a channel at it',
    },
    channel: { value: 'name', help: 'the channel to publish to; `stable` when left out' },
    output: { short: 'o', value: 'format', choices: ['text', 'json'], help: 'form of the report' },
    quiet: { short: 'q', help: 'say nothing when all is well' },
  },
  examples: [
    ['postern compile policies/ --out policies.json.gz', 'every manifest below a folder'],
    [
      'kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings -o yaml |\n  postern compile - --out live.json.gz',
      'what a cluster has',
    ],
    [
      'postern compile policies/ --publish s3://postern-bundles --channel stable',
      'into a bucket, for the clusters on a channel',
    ],
  ],
  async run(args, io): Promise<ExitCode> {
    if (args.paths.length === 0) throw new InputError('no file or folder is given; `-` reads standard input');
    const sources = await readManifests(args.paths, io);
    io.progress(`compiling ${plural(sources.length, 'file')}`);
    const { compiled, diagnostics, source } = await compileSources(sources);
    const json = args.text('output') === 'json';
    if (!json) printDiagnostics(diagnostics, io);
    if (!compiled) {
      if (json) io.out(report({ ok: false, diagnostics: diagnostics.map(plain) }));
      return 1;
    }
    const bundle = await encodeBundle({ compiled, source });
    const out = args.text('out');
    if (out === '-') io.out(bundle.bytes);
    else if (out !== undefined) await writeWhole(out, bundle.bytes).catch(cannotWrite(out));
    const store = args.text('publish');
    const published =
      store === undefined ? undefined : await publishTo(store, args.text('channel') ?? 'stable', bundle, io);

    const policies = compiled.validating.length + compiled.mutating.length;
    const bindings = [...compiled.validating, ...compiled.mutating].reduce(
      (sum, policy) => sum + policy.bindings.length,
      0,
    );
    if (out === '-') return 0;
    if (json) {
      const summary = {
        digest: bundle.digest,
        bytes: bundle.bytes.byteLength,
        policies,
        bindings,
        params: compiled.params.length,
      };
      io.out(
        report({
          ok: true,
          ...summary,
          ...(published ? { channel: published } : {}),
          diagnostics: diagnostics.map(plain),
        }),
      );
    } else if (!args.given('quiet')) {
      const counts = [
        policies === 1 ? '1 policy' : `${policies} policies`,
        plural(bindings, 'binding'),
        plural(compiled.params.length, 'param'),
      ];
      io.out(`${counts.join(', ')}; ${bundle.bytes.byteLength} bytes\n${bundle.digest}\n`);
      if (published)
        io.out(
          `channel ${published.name} is at revision ${published.revision}${published.changed ? '' : ', unchanged'}\n`,
        );
    }
    return 0;
  },
};

async function publishTo(address: string, channel: string, bundle: Awaited<ReturnType<typeof encodeBundle>>, io: Io) {
  if (!isName(channel)) throw new InputError(`\`${channel}\` is no name of a channel`);
  try {
    const result = await publish(await openStore(address), channel, bundle, new Date(io.now()).toISOString());
    if (result.kind === 'conflict')
      throw new InputError(`somebody else moved the channel \`${channel}\` at the same time; look, and try again`);
    return { name: channel, revision: result.channel.revision, changed: result.kind === 'published' };
  } catch (error) {
    if (error instanceof StoreError || error instanceof BundleError)
      throw new InputError(`cannot publish: ${error.message}`);
    throw error;
  }
}

function plain(diagnostic: Awaited<ReturnType<typeof compileSources>>['diagnostics'][number]): object {
  const { span, ...rest } = diagnostic;
  return { ...rest, ...(span ? { place: placeOf(span) } : {}) };
}

/** File, line and column of the outermost text. */
function placeOf(span: Span): object {
  let outermost = span.source;
  while (outermost.parent) outermost = outermost.parent.source;
  const { line, column } = position(span.source, span.start);
  return { file: outermost.name, line, column };
}

/** A file is there whole or as it was; what is no file, like a pipe, is written to. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there && !there.isFile()) return writeFile(path, bytes);
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}`);
  try {
    await writeFile(draft, bytes);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function cannotWrite(path: string): (error: unknown) => never {
  return (error) => {
    throw new InputError(`cannot write \`${path}\`: ${error instanceof Error ? error.message : ''}`);
  };
}

function report(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
