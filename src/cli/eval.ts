/** `postern eval`: one AdmissionReview, its answer. */
import { FactError, type FactSource } from '#facts';
import type { Phase } from '#policy';
import { decodeReview, encodeReview, loadEngine } from '#serve';
import { admission, combined } from './admission.ts';
import type { Arguments } from './arguments.ts';
import { engineOf, openBundleFile } from './bundle-file.ts';
import { compileSources, printDiagnostics } from './compile-sources.ts';
import { readFactsFile } from './facts-file.ts';
import { readManifests, readText } from './input.ts';
import { type ExitCode, InputError, type Io } from './io.ts';
import { patchLines } from './patch-text.ts';
import type { Verb } from './postern.ts';

export const evaluate: Verb = {
  name: 'eval',
  summary: 'decide an AdmissionReview',
  usage: '(--bundle <file> | --policies <file|folder>...) [flags] [review.json|-]',
  description: [
    'Reads an AdmissionReview request and prints the AdmissionReview that answers it. Both phases are run, as the API',
    'server does: mutating policies, then validating ones on what those made. What the policies want to know of the',
    'cluster comes out of a file of facts. Exit code 1: denied; 3: a fact is missing.',
  ].join(' '),
  flags: {
    bundle: { short: 'b', value: 'file', help: 'a bundle that `postern compile` made' },
    policies: { short: 'f', value: 'path', many: true, help: 'policies to compile on the spot' },
    facts: { value: 'file', help: 'namespaces, params and access rules, YAML or JSON (docs/facts.md)' },
    phase: { value: 'phase', choices: ['both', 'mutate', 'validate'], help: 'which policies to run' },
    output: { short: 'o', value: 'format', choices: ['json', 'text'], help: 'the review, or a summary for people' },
  },
  examples: [
    ['postern eval --bundle policies.json.gz review.json', 'the answer of a webhook'],
    ['postern eval -f policies/ --facts cluster.yaml -o text - < review.json', 'policies from source, a summary'],
  ],
  async run(args, io): Promise<ExitCode> {
    const [path = '-', ...more] = args.paths;
    if (more.length > 0) throw new InputError('more than one review is given');
    const engine = await engineFrom(args, io);
    if (!engine) return 1;
    const review = decodeReview(await readText(path, io));
    if (review.kind === 'rejection') throw new InputError(`\`${path}\` is no AdmissionReview: ${review.message}`);
    const factsPath = args.text('facts');
    const source: FactSource | undefined = factsPath === undefined ? undefined : await readFactsFile(factsPath, io);
    const phase = args.text('phase') ?? 'both';
    const phases: readonly Phase[] = phase === 'mutate' || phase === 'validate' ? [phase] : ['mutate', 'validate'];
    try {
      const decided = await admission(engine, review.request, source, phases);
      const outcome = combined(decided);
      if (args.text('output') === 'text') printSummary(outcome, io);
      else io.out(`${encodeReview(review, outcome)}\n`);
      return decided.allowed ? 0 : 1;
    } catch (error) {
      if (!(error instanceof FactError)) throw error;
      const hint = error.code === 'none' ? '; give them with --facts' : '';
      io.err(
        `postern: could not decide: ${error.message.replace('the cluster has no facts', 'there are no facts')}${hint}\n`,
      );
      return 3;
    }
  },
};

async function engineFrom(args: Arguments, io: Io) {
  const bundle = args.text('bundle');
  const policies = args.texts('policies');
  if ((bundle === undefined) === (policies.length === 0))
    throw new InputError('either --bundle or --policies is needed');
  if (bundle !== undefined) return engineOf(bundle, await openBundleFile(bundle));
  const { compiled, diagnostics } = await compileSources(await readManifests(policies, io));
  printDiagnostics(diagnostics, io);
  return compiled && loadEngine(compiled);
}

function printSummary({ verdict, patch }: ReturnType<typeof combined>, io: Io): void {
  const { allowed, status, warnings, auditAnnotations } = verdict;
  io.out(allowed ? 'allowed\n' : `denied (${status?.code ?? 400} ${status?.reason ?? ''}): ${status?.message ?? ''}\n`);
  for (const warning of warnings) io.out(`warning: ${warning}\n`);
  for (const [key, value] of Object.entries(auditAnnotations)) io.out(`audit: ${key}: ${value}\n`);
  for (const line of patchLines(allowed ? patch : [], io)) io.out(`${line}\n`);
}
