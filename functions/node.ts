/** A Node server: bundles out of the folder `POSTERN_STORE`, or of a bucket when that is `s3://<bucket>[/<prefix>]`. */
import { readFileSync } from 'node:fs';
import { createApp, loadEngine } from '#serve';
import { listen, type Tls } from '#serve/node';
import { readSettings } from './settings.ts';
import { openStore } from './stores.ts';

const {
  POSTERN_STORE = '',
  POSTERN_HOST = '::',
  POSTERN_PORT = '8443',
  POSTERN_TLS_CERT,
  POSTERN_TLS_KEY,
} = process.env;

/** The certificate as its files are now: they may be replaced while the server runs, and read again on SIGHUP. */
function readTls(): Tls | undefined {
  if (!POSTERN_TLS_CERT || !POSTERN_TLS_KEY) return undefined;
  return { cert: readFileSync(POSTERN_TLS_CERT, 'utf8'), key: readFileSync(POSTERN_TLS_KEY, 'utf8') };
}

const app = createApp({
  store: await openStore(POSTERN_STORE),
  load: loadEngine,
  background: () => undefined,
  ...readSettings(process.env),
});
await app.warm();
const tls = readTls();
const server = await listen(app, { host: POSTERN_HOST, port: Number(POSTERN_PORT), ...(tls ? { tls } : {}) });
console.log(JSON.stringify({ event: 'listening', url: server.url }));

process.on('SIGHUP', () => {
  const next = readTls();
  if (next) server.renew(next);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.stop());
