/** An app on a port of this machine, over TLS or plain HTTP, that stops without cutting anybody off. */
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { App } from './app.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** PEM; absent for plain HTTP, which the API server does not speak: for use behind something that ends TLS. */
  readonly tls?: Tls;
}

export interface Tls {
  readonly cert: string;
  readonly key: string;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Takes a new certificate into use for new connections. */
  renew(tls: Tls): void;
  /** Stops accepting, lets what is under way end, and resolves. */
  stop(): Promise<void>;
}

/** The API server keeps idle connections for 90 s and does not retry on one that closes under it. */
const KEEP_ALIVE_MS = 100_000;

/** Serves an app. Rejects when the address cannot be had. */
export async function listen(app: Pick<App, 'fetch'>, { host, port, tls }: ListenOptions): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    ...(tls ? { createServer: createTlsServer, serverOptions: { ...tls, minVersion: 'TLSv1.2' } } : { createServer }),
  });
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `${tls ? 'https' : 'http'}://${shown}:${address.port}`,
    port: address.port,
    renew: (next) => {
      if ('setSecureContext' in server) server.setSecureContext({ ...next });
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeIdleConnections' in server) server.closeIdleConnections();
      }),
  };
}
