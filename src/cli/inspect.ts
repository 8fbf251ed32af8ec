/** `postern inspect`: what a bundle holds, and what it needs to know of a cluster. */
import { BUNDLE_FORMAT } from '#bundle';
import { type CompiledPolicies, loadPolicies, type Requirements, requirements } from '#policy';
import { type OpenBundle, openBundleFile, openChannel } from './bundle-file.ts';
import { plural } from './compile-sources.ts';
import { type ExitCode, InputError, type Io, paint } from './io.ts';
import type { Verb } from './postern.ts';

export const inspect: Verb = {
  name: 'inspect',
  summary: 'tell what a bundle holds and which facts it needs',
  usage: '[flags] <bundle> | --store <store>',
  description: 'Prints the policies of a bundle with their bindings, and what its policies may ask of a cluster.',
  flags: {
    store: { value: 'store', help: 'look at the bundle that a channel of this store points at' },
    channel: { value: 'name', help: 'which channel; `stable` when left out' },
    output: { short: 'o', value: 'format', choices: ['text', 'json'], help: 'form of the answer' },
  },
  examples: [
    ['postern inspect policies.json.gz', 'a bundle in a file'],
    ['postern inspect --store s3://postern-bundles --channel stable -o json', 'what a channel points at'],
  ],
  async run(args, io): Promise<ExitCode> {
    const [path, ...more] = args.paths;
    const store = args.text('store');
    if (more.length > 0 || (path === undefined) === (store === undefined))
      throw new InputError('one bundle, or --store, is needed');
    const opened =
      store === undefined
        ? await openBundleFile(path ?? '')
        : await openChannel(store, args.text('channel') ?? 'stable');
    const set = loadPolicies(opened.bundle.compiled);
    if ('error' in set) throw new InputError(`the engine refuses the bundle: ${set.error}`);
    const described = describe(opened, requirements(set));
    if (args.text('output') === 'json') io.out(`${JSON.stringify(described, null, 2)}\n`);
    else print(described, io);
    return 0;
  },
};

interface Described {
  readonly digest: string;
  readonly bytes: number;
  readonly format: number;
  readonly kubernetes: string;
  readonly source?: string;
  readonly policies: readonly DescribedPolicy[];
  readonly params: readonly string[];
  readonly facts: Requirements;
}

interface DescribedPolicy {
  readonly kind: 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy';
  readonly name: string;
  readonly failurePolicy: string;
  readonly expressions: number;
  readonly bindings: readonly { readonly name: string; readonly validationActions?: readonly string[] }[];
}

function describe({ bundle, digest, size }: OpenBundle, facts: Requirements): Described {
  const { compiled, source } = bundle;
  return {
    digest,
    bytes: size,
    format: BUNDLE_FORMAT,
    kubernetes: compiled.kubernetes,
    ...(source === undefined ? {} : { source }),
    policies: policiesOf(compiled),
    params: compiled.params.map(nameOf),
    facts,
  };
}

function policiesOf({ validating, mutating }: CompiledPolicies): readonly DescribedPolicy[] {
  return [
    ...mutating.map((policy) => ({
      kind: 'MutatingAdmissionPolicy' as const,
      name: policy.name,
      failurePolicy: policy.failurePolicy,
      expressions: policy.mutations.length + policy.variables.length + policy.matchConditions.length,
      bindings: policy.bindings.map(({ name }) => ({ name })),
    })),
    ...validating.map((policy) => ({
      kind: 'ValidatingAdmissionPolicy' as const,
      name: policy.name,
      failurePolicy: policy.failurePolicy,
      expressions:
        policy.validations.length +
        policy.validations.filter(({ messageExpression }) => messageExpression).length +
        policy.auditAnnotations.length +
        policy.variables.length +
        policy.matchConditions.length,
      bindings: policy.bindings.map(({ name, validationActions }) => ({ name, validationActions })),
    })),
  ];
}

function nameOf(param: CompiledPolicies['params'][number]): string {
  const metadata = param['metadata'] as { readonly namespace?: string; readonly name?: string } | undefined;
  const { namespace, name = '' } = metadata ?? {};
  return `${String(param['kind'])} ${namespace ? `${namespace}/` : ''}${name}`;
}

function print(described: Described, io: Io): void {
  const { digest, bytes, format, kubernetes, source, policies, params, facts } = described;
  io.out(
    `${digest}\n${bytes} bytes, format ${format}, as Kubernetes ${kubernetes} decides${source ? `\nsource ${source}` : ''}\n\n`,
  );
  for (const { kind, name, failurePolicy, expressions, bindings } of policies) {
    io.out(
      `${paint(io, 'bold', name)}  ${kind}, failurePolicy ${failurePolicy}, ${plural(expressions, 'expression')}\n`,
    );
    for (const { name: binding, validationActions } of bindings) {
      io.out(`  ${binding}${validationActions ? `  ${validationActions.join(', ')}` : ''}\n`);
    }
    if (bindings.length === 0) io.out(`  ${paint(io, 'yellow', 'no binding: does nothing')}\n`);
  }
  const list = (title: string, items: readonly string[]): void =>
    io.out(items.length === 0 ? `\n${title}: none\n` : `\n${title}:\n${items.map((item) => `  ${item}\n`).join('')}`);
  if (params.length > 0) list('params inside', params);
  const needed = [
    ...(facts.namespaces ? ['the namespaces of requests'] : []),
    ...facts.paramKinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind} objects`),
    ...facts.access.map((policy) => `access reviews, for ${policy}`),
  ];
  list('facts that it may ask for', needed);
}
