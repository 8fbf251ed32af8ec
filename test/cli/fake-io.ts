/** Standard streams in memory. */
import type { Io } from '../../src/cli/io.ts';

export interface TestIo extends Io {
  /** What was written to standard output, as text. */
  output(): string;
  bytes(): Uint8Array;
  /** What was written to standard error. */
  errors(): string;
  /** Ends what runs on and on. */
  interrupt(): void;
}

export function testIo(stdin = '', env: Readonly<Record<string, string>> = {}): TestIo {
  const out: Uint8Array[] = [];
  const err: string[] = [];
  let interrupt = (): void => undefined;
  const interrupted = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  const bytes = (): Uint8Array => Buffer.concat(out);
  return {
    stdin: async () => stdin,
    out: (text) => void out.push(typeof text === 'string' ? Buffer.from(text) : text),
    err: (text) => void err.push(text),
    progress: () => undefined,
    colours: false,
    errorColours: false,
    env,
    interrupted,
    now: () => Date.parse('2026-11-30T12:00:00Z'),
    output: () => Buffer.from(bytes()).toString('utf8'),
    bytes,
    errors: () => err.join(''),
    interrupt: () => interrupt(),
  };
}
