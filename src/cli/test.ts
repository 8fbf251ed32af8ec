/** `postern test`: runs the tests that stand beside policies. */
import { dirname, join } from 'node:path';
import type { CompiledPolicies } from '#policy';
import { type Engine, loadEngine } from '#serve';
import { compileSources, printDiagnostics } from './compile-sources.ts';
import { readDocument } from './document.ts';
import { findTests, readManifests, readText } from './input.ts';
import { type ExitCode, InputError, type Io, paint } from './io.ts';
import type { Verb } from './postern.ts';
import { readTestCase, readTestFile, type TestFile } from './test-file.ts';
import type { ResourceLookup } from './test-request.ts';
import { regExp, runTest } from './test-run.ts';

export const test: Verb = {
  name: 'test',
  summary: 'run the tests of policies',
  usage: '[flags] <tests.yaml|folder>...',
  description: [
    'Runs every tests.yaml at the paths given against the manifests of its folder. A test says what is done to which',
    'object, and what should come of it: verdict, message, warnings, audit annotations, the patched object. The format',
    'is described in docs/testing.md. Exit code 1: a test failed, or policies do not compile.',
  ].join(' '),
  flags: {
    run: { value: 'regexp', help: 'only tests whose name it finds' },
    output: { short: 'o', value: 'format', choices: ['text', 'json'], help: 'form of the report' },
    verbose: { short: 'v', help: 'name the tests that pass too' },
  },
  examples: [
    ['postern test policies/', 'all tests below a folder'],
    ["postern test policies/latest-tag --run 'digest' -v", 'some tests of one policy'],
  ],
  async run(args, io): Promise<ExitCode> {
    if (args.paths.length === 0) throw new InputError('no file or folder is given');
    const filter = regExp(args.text('run') ?? '');
    const results: TestResult[] = [];
    let broken = false;
    for (const path of await findTests(args.paths)) {
      io.progress(path);
      const file = readTestFile(path, readDocument(path, await readText(path, io)));
      const loaded = await load(file, io);
      if (loaded) results.push(...(await runFile(file, loaded, filter)));
      else broken = true;
    }
    const failed = results.filter(({ differences }) => differences.length > 0).length;
    if (args.text('output') === 'json')
      io.out(`${JSON.stringify({ passed: results.length - failed, failed, results }, null, 2)}\n`);
    else print(results, args.given('verbose'), io);
    return failed > 0 || broken ? 1 : 0;
  },
};

export interface TestResult {
  readonly file: string;
  readonly name: string;
  readonly differences: readonly string[];
}

interface Loaded {
  readonly engine: Engine;
  readonly resources: ResourceLookup;
}

async function load(file: TestFile, io: Io): Promise<Loaded | undefined> {
  const folder = dirname(file.path);
  const paths = file.policies.length === 0 ? [folder] : file.policies.map((path) => join(folder, path));
  const { compiled, diagnostics } = await compileSources(await readManifests(paths, io));
  printDiagnostics(diagnostics, io);
  return compiled && { engine: loadEngine(compiled), resources: lookup(compiled) };
}

function lookup({ customResources }: CompiledPolicies): ResourceLookup {
  return (group, kind) => customResources.find((candidate) => candidate.group === group && candidate.kind === kind);
}

async function runFile(file: TestFile, { engine, resources }: Loaded, filter: RegExp): Promise<readonly TestResult[]> {
  const results: TestResult[] = [];
  for (const index of file.tests.keys()) {
    const test = readTestCase(file, index, resources);
    if (!filter.test(test.name)) continue;
    results.push({ file: file.path, name: test.name, differences: await runTest(engine, test) });
  }
  return results;
}

function print(results: readonly TestResult[], verbose: boolean, io: Io): void {
  for (const { file, name, differences } of results) {
    if (differences.length === 0) {
      if (verbose) io.out(`${paint(io, 'green', 'pass')}  ${file}: ${name}\n`);
      continue;
    }
    io.out(`${paint(io, 'red', 'FAIL')}  ${file}: ${name}\n`);
    for (const difference of differences) io.out(`      ${difference}\n`);
  }
  const failed = results.filter(({ differences }) => differences.length > 0).length;
  io.out(`${results.length - failed} passed, ${failed} failed\n`);
}
