/** Requests as AWS hands them to a function: recorded shapes, filled in. */
import type { Sent } from './platforms.ts';

/** API Gateway, HTTP API, payload version 2.0, stage `$default`. */
export function httpApiEvent(sent: Sent): object {
  return event(sent, 'abc123.execute-api.eu-central-1.amazonaws.com', 'ANY /{proxy+}', false);
}

/** A function URL: the same payload, the body in base64 whenever AWS does not take it for text. */
export function functionUrlEvent(sent: Sent): object {
  return event(sent, 'abc123.lambda-url.eu-central-1.on.aws', '$default', true);
}

function event({ method, path, headers, body }: Sent, domainName: string, routeKey: string, base64: boolean): object {
  const [rawPath = '/', rawQueryString = ''] = path.split('?');
  const query = Object.fromEntries(new URLSearchParams(rawQueryString));
  return {
    version: '2.0',
    routeKey,
    rawPath: decodeURI(rawPath),
    rawQueryString,
    headers: {
      'accept-encoding': 'gzip',
      'user-agent': 'kube-apiserver-admission',
      host: domainName,
      'x-amzn-trace-id': 'Root=1-65f2a5c1-0123456789abcdef01234567',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
      ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
    ...(rawQueryString === '' ? {} : { queryStringParameters: query }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'abc123',
      domainName,
      domainPrefix: 'abc123',
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: '203.0.113.7',
        userAgent: 'kube-apiserver-admission',
      },
      requestId: 'JKJaXmPLvHcESHA=',
      routeKey,
      stage: '$default',
      time: '14/Mar/2026:07:24:17 +0000',
      timeEpoch: 1773473057000,
    },
    ...(body === '' ? {} : { body: base64 ? Buffer.from(body).toString('base64') : body }),
    isBase64Encoded: base64 && body !== '',
  };
}
