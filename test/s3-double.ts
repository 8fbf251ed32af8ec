/**
 * An S3 endpoint in process: signatures checked, ETags and conditions as S3 has them, faults on demand.
 *
 * It knows GET, HEAD and PUT of objects in one bucket by path style, which is all that postern asks of S3.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the next request meets instead of an ordinary answer. `lost` does the work and then drops the connection. */
export type Fault = 'hang' | 'reset' | 'lost' | 'slow-down' | 'truncate' | 'slow-body' | 'conflict' | 'skew';

export interface S3Double {
  readonly endpoint: string;
  readonly bucket: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly region: string;
  /** Faults for the next requests, one each, in order. */
  readonly faults: Fault[];
  /** `METHOD key status` of every request answered. */
  readonly log: string[];
  close(): Promise<void>;
}

interface Stored {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Starts the double on a free port of the loopback interface. */
export async function startS3Double(): Promise<S3Double> {
  const bucket = 'policies';
  const region = 'eu-test-1';
  const credentials = { accessKeyId: 'AKIDTEST', secretAccessKey: 'test/secret+key' };
  const objects = new Map<string, Stored>();
  const faults: Fault[] = [];
  const log: string[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readAll(request);
    const url = new URL(request.url ?? '/', 'http://double');
    const key = decodeURIComponent(url.pathname.slice(bucket.length + 2));
    const fault = faults.shift();
    const end = (status: number, code: string, headers: Record<string, string> = {}): void => {
      log.push(`${request.method} ${key} ${status}`);
      response.writeHead(status, { 'content-type': 'application/xml', ...headers });
      const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
      response.end(code === '' || request.method === 'HEAD' || status === 304 ? undefined : xml);
    };

    if (fault === 'hang') return;
    if (fault === 'reset') return void request.socket.destroy();
    if (fault === 'slow-down') return end(503, 'SlowDown');
    if (fault === 'skew') return end(403, 'RequestTimeTooSkewed');
    const refusal = checkSignature(request, url, body, credentials, region);
    if (refusal) return end(403, refusal);
    if (!url.pathname.startsWith(`/${bucket}/`)) return end(404, 'NoSuchBucket');

    const stored = objects.get(key);
    const ifMatch = request.headers['if-match'];
    const ifNoneMatch = request.headers['if-none-match'];
    if (request.method === 'PUT') {
      if (fault === 'conflict') return end(409, 'ConditionalRequestConflict');
      if (ifMatch !== undefined && !stored) return end(404, 'NoSuchKey');
      if (ifMatch !== undefined && stored?.etag !== ifMatch) return end(412, 'PreconditionFailed');
      if (ifNoneMatch === '*' && stored) return end(412, 'PreconditionFailed');
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      objects.set(key, { bytes: body, etag });
      if (fault === 'lost') return void request.socket.destroy();
      return end(200, '', { etag });
    }
    if (!stored) return end(404, 'NoSuchKey');
    if (ifMatch !== undefined && stored.etag !== ifMatch) return end(412, 'PreconditionFailed');
    if (ifNoneMatch !== undefined && stored.etag === ifNoneMatch) return end(304, '', { etag: stored.etag });
    log.push(`${request.method} ${key} 200`);
    response.writeHead(200, { etag: stored.etag, 'content-length': stored.bytes.byteLength });
    if (request.method === 'HEAD') return void response.end();
    if (fault === 'truncate' || fault === 'slow-body') {
      response.write(stored.bytes.subarray(0, 1));
      if (fault === 'truncate') setTimeout(() => request.socket.destroy(), 20);
      return;
    }
    response.end(stored.bytes);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await listening(server);
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region,
    credentials,
    faults,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The S3 error code of why a Signature V4 is not accepted; nothing when it is. */
function checkSignature(
  request: IncomingMessage,
  url: URL,
  body: Buffer,
  credentials: S3Double['credentials'],
  region: string,
): string | undefined {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, keyId, day = '', scopeRegion, names = '', signature] =
    pattern.exec(request.headers.authorization ?? '') ?? [];
  if (keyId === undefined) return 'AccessDenied';
  if (keyId !== credentials.accessKeyId) return 'InvalidAccessKeyId';
  if (scopeRegion !== region) return 'AuthorizationHeaderMalformed';
  const payload = String(request.headers['x-amz-content-sha256'] ?? '');
  if (/^[0-9a-f]{64}$/.test(payload) && payload !== createHash('sha256').update(body).digest('hex')) {
    return 'XAmzContentSHA256Mismatch';
  }
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const headers = names
    .split(';')
    .map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
    .join('');
  const canonical = [request.method, url.pathname, query, headers, names, payload].join('\n');
  const date = String(request.headers['x-amz-date'] ?? '');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const sign = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    sign,
    `AWS4${credentials.secretAccessKey}`,
  );
  return sign(signingKey, toSign).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
