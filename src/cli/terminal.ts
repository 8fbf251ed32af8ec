/** The world as a process has it: its standard streams, its environment, its signals. */
import type { Io } from './io.ts';

const CLEAR_LINE = '\r\u001b[K';
const PROGRESS_MS = 100;

/** The streams of this process. Colours and progress only where somebody sees them. */
export function terminal(): Io {
  const { stdin, stdout, stderr, env } = process;
  const coloured = (stream: { readonly isTTY?: boolean }): boolean => stream.isTTY === true && !env['NO_COLOR'];
  let shown = false;
  let shownAt = 0;
  const clear = (): void => {
    if (shown) stderr.write(CLEAR_LINE);
    shown = false;
  };
  // Whoever reads has seen enough: `postern inspect … | head`.
  stdout.on('error', (error: Error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(process.exitCode);
    throw error;
  });
  return {
    async stdin() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
    out(text) {
      clear();
      stdout.write(text);
    },
    err(text) {
      clear();
      stderr.write(text);
    },
    progress(text) {
      if (!stderr.isTTY || performance.now() - shownAt < PROGRESS_MS) return;
      shownAt = performance.now();
      shown = true;
      stderr.write(`${CLEAR_LINE}${text.slice(0, (stderr.columns ?? 80) - 1)}`);
    },
    colours: coloured(stdout),
    errorColours: coloured(stderr),
    env,
    // Only who asks for it takes the signals away from their usual effect.
    get interrupted() {
      return new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
      });
    },
    now: Date.now,
  };
}
