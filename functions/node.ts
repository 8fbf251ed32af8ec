/** A Node server: bundles out of the folder `POSTERN_STORE`, or of a bucket when that is `s3://<bucket>[/<prefix>]`. */
import { readFileSync } from 'node:fs';
import { createApp, loadEngine } from '#serve';
import { listen, type Tls } from '#serve/node';
import { readPort, readSettings } from './settings.ts';
import { openStore } from './stores.ts';

const { POSTERN_STORE = '', POSTERN_HOST = '::', POSTERN_TLS_CERT = '', POSTERN_TLS_KEY = '' } = process.env;

/** The certificate as its files are now: they may be replaced while the server runs, and are read again on SIGHUP. */
function readTls(): Tls | undefined {
  if (POSTERN_TLS_CERT === '' && POSTERN_TLS_KEY === '') return undefined;
  if (POSTERN_TLS_CERT === '' || POSTERN_TLS_KEY === '')
    throw new Error('POSTERN_TLS_CERT and POSTERN_TLS_KEY belong together');
  return { cert: readFileSync(POSTERN_TLS_CERT, 'utf8'), key: readFileSync(POSTERN_TLS_KEY, 'utf8') };
}

const settings = readSettings(process.env);
const app = createApp({
  store: await openStore(POSTERN_STORE),
  load: loadEngine,
  background: () => undefined,
  shareReads: true,
  ...settings,
});
const tls = readTls();
await app.warm();
const server = await listen(app, { host: POSTERN_HOST, port: readPort(process.env), ...(tls ? { tls } : {}) });
console.log(JSON.stringify({ event: 'listening', url: server.url }));

process.on('SIGHUP', () => {
  try {
    const next = readTls();
    if (next) server.renew(next);
  } catch (error) {
    settings.log({ event: 'error', message: `the certificate stays as it is: ${String(error)}` });
  }
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.stop());
