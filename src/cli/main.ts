/** The command `postern`. */
import { postern } from './postern.ts';

async function stdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

process.exitCode = await postern(process.argv.slice(2), {
  stdin,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  colours: process.stdout.isTTY === true && !process.env['NO_COLOR'],
  env: process.env,
  interrupted: new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  }),
  now: Date.now,
});
