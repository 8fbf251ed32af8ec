/**
 * A store in an S3 bucket, through the AWS SDK: its credential chain and its retries, with what it lacks added.
 *
 * The SDK throws 304 and 412 like any failure; its request time-out only logs unless told to throw, and covers no body;
 * an answer cut short is not retried. A missing key reads as `denied` unless the role may list the bucket.
 */
import {
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { abortable, type BundleStore, checkedKey, checkSize, type PutResult, StoreError } from '#bundle';

export interface S3Options {
  readonly bucket: string;
  /** Key prefix inside the bucket, without slash at its end. */
  readonly prefix?: string;
  /** Milliseconds for one attempt, body included. */
  readonly timeoutMs?: number;
  /** What the SDK's client is made with beyond our defaults: region, endpoint, credentials. */
  readonly client?: S3ClientConfig;
}

/** The store in a bucket. */
export function s3Store(options: S3Options): BundleStore {
  const timeoutMs = options.timeoutMs ?? 3000;
  const client = new S3Client({
    maxAttempts: 3,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
    ...options.client,
  });
  const place = (key: string) => ({
    Bucket: options.bucket,
    Key: options.prefix ? `${options.prefix}/${checkedKey(key)}` : checkedKey(key),
  });

  const get: BundleStore['get'] = async (key, { ifNoneMatch, maxBytes, signal } = {}) => {
    const input = { ...place(key), ...(ifNoneMatch === undefined ? {} : { IfNoneMatch: ifNoneMatch }) };
    for (let attempt = 1; ; attempt++) {
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        const abortSignal = signal ? AbortSignal.any([signal, limit]) : limit;
        const answer = await client.send(new GetObjectCommand(input), { abortSignal });
        const { Body: body, ContentLength: length = 0, ETag: etag = '' } = answer;
        if (!body || etag === '') throw new StoreError('invalid', `get \`${key}\`: an answer without body or etag`);
        if (maxBytes !== undefined && length > maxBytes && 'destroy' in body) body.destroy();
        checkSize(key, length, maxBytes);
        const bytes = await abortable(body.transformToByteArray(), abortSignal);
        checkSize(key, bytes.byteLength, maxBytes);
        if (bytes.byteLength !== length) throw new Error('the answer was cut short');
        return { kind: 'object', bytes: new Uint8Array(bytes), etag };
      } catch (error) {
        if (error instanceof StoreError) throw error;
        const status = statusOf(error);
        if (status === 304) return { kind: 'unchanged' };
        if (status === 404 && nameOf(error) !== 'NoSuchBucket') return { kind: 'missing' };
        const again = status === undefined && attempt < 2 && !signal?.aborted;
        if (!again) throw failure('get', key, error);
      }
    }
  };

  const put = async (key: string, bytes: Uint8Array, condition: object): Promise<PutResult> => {
    const input = { ...place(key), Body: bytes, ContentType: 'application/octet-stream', ...condition };
    for (let attempt = 1; ; attempt++) {
      try {
        const abortSignal = AbortSignal.timeout(timeoutMs);
        const { ETag: etag = '' } = await client.send(new PutObjectCommand(input), { abortSignal });
        return { kind: 'stored', etag };
      } catch (error) {
        const status = statusOf(error);
        if (status === 412 || (status === 404 && nameOf(error) !== 'NoSuchBucket')) {
          return attempt > 1 || wasRepeated(error) ? ownWrite(key, bytes) : { kind: 'conflict' };
        }
        // 409: another conditional write of the same key was under way; its outcome is not known yet.
        if (status !== 409 || attempt >= 3) throw failure('put', key, error);
      }
    }
  };

  /** A repeated write can meet what its own first attempt stored before the answer was lost. */
  const ownWrite = async (key: string, bytes: Uint8Array): Promise<PutResult> => {
    const stored = await get(key);
    const same = stored.kind === 'object' && equalBytes(stored.bytes, bytes);
    return same ? { kind: 'stored', etag: stored.etag } : { kind: 'conflict' };
  };

  return {
    get,
    putIfAbsent: (key, bytes) => put(key, bytes, { IfNoneMatch: '*' }),
    putIfMatch: (key, bytes, etag) => put(key, bytes, { IfMatch: etag }),
  };
}

function failure(operation: string, key: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const status = statusOf(error);
  const denied = status === 401 || status === 403;
  return new StoreError(
    denied ? 'denied' : 'unavailable',
    `${operation} \`${key}\`: S3 ${status ?? nameOf(error)}`,
    error,
  );
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

function wasRepeated(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.$metadata.attempts ?? 1) > 1;
}

function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.byteLength === right.byteLength && left.every((byte, index) => byte === right[index]);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'failed';
}
