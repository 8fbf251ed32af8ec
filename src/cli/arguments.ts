/** Flags, declared as data: one row gives parsing, help and the type of the values. */
import { parseArgs } from 'node:util';
import { InputError } from './io.ts';

export interface Flag {
  /** One letter. */
  readonly short?: string;
  /** What stands for the value in the help; absent for a switch. */
  readonly value?: string;
  readonly many?: boolean;
  /** The only values there are. */
  readonly choices?: readonly string[];
  readonly help: string;
}

export interface Arguments {
  readonly paths: readonly string[];
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  given(name: string): boolean;
}

/** Reads a command line. Throws `InputError`. */
export function readArguments(args: readonly string[], flags: Readonly<Record<string, Flag>>): Arguments {
  const { values, positionals } = parse(args, flags);
  for (const [name, { choices }] of Object.entries(flags)) {
    const value = values[name];
    if (choices && typeof value === 'string' && !choices.includes(value)) {
      throw new InputError(`--${name} must be one of ${choices.join(', ')}, not \`${value}\``);
    }
  }
  return {
    paths: positionals,
    text: (name) => {
      const value = values[name];
      return typeof value === 'string' ? value : undefined;
    },
    texts: (name) => {
      const value = values[name];
      return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
    },
    given: (name) => values[name] !== undefined,
  };
}

function parse(args: readonly string[], flags: Readonly<Record<string, Flag>>) {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { short, value, many }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        ...(short ? { short } : {}),
        multiple: many === true,
      },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new InputError(error instanceof Error ? error.message.replace(/\. To specify .*/s, '') : String(error));
  }
}
