/** An app on a port of this machine, over TLS or plain HTTP, that stops without cutting anybody off. */
import { createServer, type ServerResponse } from 'node:http';
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
  /** Stops accepting, lets what is under way end within the given time, cuts off the rest, and resolves. */
  stop(graceMs?: number): Promise<void>;
}

/** The API server keeps idle connections for 90 s and does not retry on one that closes under it. */
const KEEP_ALIVE_MS = 100_000;
/** No webhook of the API server has more than 30 s for a whole call; a request that takes longer to arrive is nobody's. */
const REQUEST_MS = 35_000;
/** Less than the 30 s that Kubernetes gives a Pod to end. */
const GRACE_MS = 25_000;
const TLS = { minVersion: 'TLSv1.2' } as const;

/** Serves an app. Rejects when the address cannot be had. */
export async function listen(app: Pick<App, 'fetch'>, { host, port, tls }: ListenOptions): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    ...(tls ? { createServer: createTlsServer, serverOptions: { ...tls, ...TLS } } : { createServer }),
  });
  if ('keepAliveTimeout' in server) {
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.requestTimeout = REQUEST_MS;
  }
  // A response that is not the last on its connection keeps a stopping server open, and the client would go on asking it.
  const underWay = new Set<ServerResponse>();
  let stopping = false;
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    if (stopping) response.shouldKeepAlive = false;
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
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
      if ('setSecureContext' in server) server.setSecureContext({ ...next, ...TLS });
    },
    stop: (graceMs = GRACE_MS) =>
      new Promise((resolve) => {
        stopping = true;
        for (const response of underWay) response.shouldKeepAlive = false;
        const cutOff = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(cutOff);
          resolve();
        });
        if ('closeIdleConnections' in server) server.closeIdleConnections();
      }),
  };
}
