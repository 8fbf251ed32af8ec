/**
 * Answers that are no verdict: the caller's fault (4xx) or not being able to decide (5xx), with a `Status` body.
 *
 * The API server shows the message of such a body to its user for 500; for 503 and 504 it has words of its own.
 */

export interface Rejection {
  readonly kind: 'rejection';
  readonly code: 400 | 404 | 413 | 415 | 500 | 503 | 504;
  readonly message: string;
}

const REASONS: Readonly<Record<Rejection['code'], string>> = {
  400: 'BadRequest',
  404: 'NotFound',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** A rejection; the message is for the people who run the cluster, and holds nothing secret. */
export function reject(code: Rejection['code'], message: string): Rejection {
  return { kind: 'rejection', code, message };
}

/** Every unknown path, cluster and token gets this very answer. */
export const NOT_FOUND = reject(404, 'not found');

/** The HTTP response of a rejection. */
export function rejectionResponse({ code, message }: Rejection): Response {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `postern: ${message}`,
    reason: REASONS[code],
    code,
  };
  return jsonResponse(status, code);
}

/** A JSON response that no cache may keep. */
export function jsonResponse(body: unknown, code = 200): Response {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(JSON.stringify(body), { status: code, headers });
}
