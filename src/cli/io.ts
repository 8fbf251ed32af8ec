/** What a verb may touch of the world around it, so that tests can stand in for it; and the ways that it can end. */

export interface Io {
  /** All of standard input. */
  stdin(): Promise<string>;
  out(text: string | Uint8Array): void;
  err(text: string): void;
  /** Says how far work that takes a while has come; the next output takes its place. */
  progress(text: string): void;
  /** Whether `out` goes to a terminal that shows colours. */
  readonly colours: boolean;
  /** The same of `err`. */
  readonly errorColours: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Resolves when the user asks for the end of what runs on and on. */
  readonly interrupted: Promise<void>;
  now(): number;
}

/** 0 ok, 1 policy or test failures, 2 usage or bad input, 3 could not decide, 70 a bug. */
export type ExitCode = 0 | 1 | 2 | 3 | 70;

/** The user's mistake: a wrong flag, a file that cannot be read or is not what it should be. Ends with code 2. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';
const CODES: Readonly<Record<Colour, readonly [number, number]>> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22],
};

/** The text in a colour, or as it is where there are none. */
export function paint(io: Pick<Io, 'colours'>, colour: Colour, text: string): string {
  const [on, off] = CODES[colour];
  return io.colours ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}
