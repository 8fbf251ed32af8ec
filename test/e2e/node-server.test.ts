/** The Node server as something that is started, given a new certificate and stopped while requests are under way. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { listen } from '#serve/node';
import { selfSigned } from '../../src/cli/certificate.ts';

const answering = (milliseconds: number) => ({
  fetch: async () => {
    await sleep(milliseconds);
    return new Response('done');
  },
});

const get = (url: string, agent?: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    const sending = (url.startsWith('https') ? request : httpRequest)(url, agent ? { agent } : {}, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    sending.on('error', reject);
    sending.end();
  });

describe('the Node server', () => {
  it('lets what is under way end when it stops, on connections that are kept alive too', async () => {
    const tls = selfSigned(['127.0.0.1'], Date.now());
    const server = await listen(answering(300), { host: '127.0.0.1', port: 0, tls });
    const agent = new Agent({ keepAlive: true, ca: tls.cert });
    const answer = get(server.url, agent);
    await sleep(100);
    const started = performance.now();
    await server.stop();
    expect(await answer).toBe('done');
    expect(performance.now() - started).toBeLessThan(3000);
    await expect(get(server.url, agent)).rejects.toThrow();
    agent.destroy();
  });

  it('cuts off what takes longer than it is given', async () => {
    const server = await listen(answering(60_000), { host: '127.0.0.1', port: 0 });
    const answer = get(server.url).catch(() => 'cut off');
    await sleep(100);
    await server.stop(100);
    expect(await answer).toBe('cut off');
  });

  it('takes a new certificate for new connections, and keeps the old one when it is told nonsense', async () => {
    const [first, second] = [selfSigned(['127.0.0.1'], Date.now()), selfSigned(['127.0.0.1'], Date.now())];
    const server = await listen(answering(0), { host: '127.0.0.1', port: 0, tls: first });
    const trusting = (ca: string): Agent => new Agent({ ca, maxCachedSessions: 0 });
    expect(await get(server.url, trusting(first.cert))).toBe('done');
    server.renew(second);
    expect(await get(server.url, trusting(second.cert))).toBe('done');
    await expect(get(server.url, trusting(first.cert))).rejects.toThrow();
    expect(() => server.renew({ cert: 'nonsense', key: 'nonsense' })).toThrow();
    expect(await get(server.url, trusting(second.cert))).toBe('done');
    await server.stop();
  });

  it('an address that is taken rejects', async () => {
    const server = await listen(answering(0), { host: '127.0.0.1', port: 0 });
    await expect(listen(answering(0), { host: '127.0.0.1', port: server.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await server.stop();
  });

  it('a client that opens a connection and says nothing does not keep it from stopping', async () => {
    const server = await listen(answering(0), { host: '127.0.0.1', port: 0 });
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    const started = performance.now();
    await server.stop(500);
    expect(performance.now() - started).toBeLessThan(3000);
    socket.destroy();
  });
});
