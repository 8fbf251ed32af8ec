/** From a command line to an exit code: finds the verb, shows help, and turns what goes wrong into words. */
import { type Arguments, type Flag, readArguments } from './arguments.ts';
import { compile } from './compile.ts';
import { evaluate } from './eval.ts';
import { inspect } from './inspect.ts';
import { type ExitCode, InputError, type Io } from './io.ts';
import { COLUMNS, wrap } from './layout.ts';
import { serve } from './serve.ts';
import { test } from './test.ts';
import { version } from './version.ts';

export interface Verb {
  readonly name: string;
  readonly summary: string;
  /** What follows the verb. */
  readonly usage: string;
  /** A paragraph. */
  readonly description: string;
  readonly flags: Readonly<Record<string, Flag>>;
  readonly examples: readonly (readonly [command: string, what: string])[];
  run(args: Arguments, io: Io): Promise<ExitCode>;
}

const VERBS: readonly Verb[] = [compile, evaluate, serve, inspect, test];
const HELP: Flag = { short: 'h', help: 'show this help' };

/** Runs a command line. Never rejects. */
export async function postern(args: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await run(args, io);
  } catch (error) {
    if (error instanceof InputError) {
      io.err(`postern: ${error.message}\n`);
      return 2;
    }
    io.err(`postern: a bug, please report it: ${error instanceof Error ? error.stack : String(error)}\n`);
    return 70;
  }
}

async function run([name, ...rest]: readonly string[], io: Io): Promise<ExitCode> {
  if (name === undefined) {
    io.err(overview());
    return 2;
  }
  if (name === '--version' || name === '-V') {
    io.out(`${version}\n`);
    return 0;
  }
  const asked = name === 'help' ? rest[0] : undefined;
  if (name === '--help' || name === '-h' || (name === 'help' && asked === undefined)) {
    io.out(overview());
    return 0;
  }
  const verb = VERBS.find((candidate) => candidate.name === (asked ?? name));
  if (!verb) throw new InputError(`there is no \`${asked ?? name}\`; see \`postern --help\``);
  const parsed = asked === undefined ? readArguments(rest, { ...verb.flags, help: HELP }) : undefined;
  if (!parsed || parsed.given('help')) {
    io.out(helpOf(verb));
    return 0;
  }
  return verb.run(parsed, io);
}

function overview(): string {
  const verbs = VERBS.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`);
  return [
    'postern: Kubernetes admission policies, evaluated outside the API server as the API server would',
    '',
    'usage: postern <verb> [flags] [paths]',
    '',
    ...verbs,
    '',
    '`postern <verb> --help` tells more, with examples.',
    'Exit codes: 0 ok, 1 policy or test failures, 2 usage or bad input, 3 could not decide, 70 a bug.',
    '',
  ].join('\n');
}

function helpOf({ name, usage, summary, description, flags, examples }: Verb): string {
  const rows = Object.entries({ ...flags, help: HELP }).map(([flag, { short, value, choices, help }]) => {
    const left = `${short ? `-${short}, ` : '    '}--${flag}${value === undefined ? '' : ` <${value}>`}`;
    return [left, choices ? `${help} (${choices.join(', ')})` : help] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return [
    `postern ${name}: ${summary}`,
    '',
    `usage: postern ${name} ${usage}`,
    '',
    ...wrap(description),
    '',
    ...rows.flatMap(([left, help]) =>
      wrap(help, COLUMNS - width - 2).map((line, index) => `  ${(index === 0 ? left : '').padEnd(width)}${line}`),
    ),
    '',
    'examples:',
    ...examples.flatMap(([command, what]) => [`  # ${what}`, ...command.split('\n').map((line) => `  ${line}`)]),
    '',
  ].join('\n');
}
