import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { selfSigned } from '../../src/cli/certificate.ts';

describe('selfSigned', () => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  const { cert, key } = selfSigned(['localhost', 'postern.example.com', '127.0.0.1', '::1', 'fd00::12:ab'], now, 30);

  it('is a certificate that its own key signed', () => {
    const parsed = new X509Certificate(cert);
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(parsed.ca).toBe(true);
  });

  it('names the hosts, and is valid from a day before for the days asked for', () => {
    const parsed = new X509Certificate(cert);
    expect(parsed.subjectAltName).toBe(
      'DNS:localhost, DNS:postern.example.com, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:FD00:0:0:0:0:0:12:AB',
    );
    expect(Date.parse(parsed.validFrom)).toBe(Date.parse('2026-11-29T12:00:00Z'));
    expect(Date.parse(parsed.validTo)).toBe(Date.parse('2026-12-30T12:00:00Z'));
  });

  it('a client that trusts it connects, and sees it verified', async () => {
    const made = selfSigned(['127.0.0.1'], Date.now());
    const server = createServer(made, (_, response) => response.end('ok'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const status = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, ca: made.cert }, (response) => resolve(response.statusCode))
        .on('error', reject)
        .end();
    });
    server.close();
    expect(status).toBe(200);
  });

  it('is valid beyond 2049 too', () => {
    expect(new Date(new X509Certificate(selfSigned(['a'], now, 36_500).cert).validTo).getUTCFullYear()).toBe(2126);
  });
});
