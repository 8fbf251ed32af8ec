/** A store in a Cloudflare R2 bucket, through the Worker's binding. */
import { abortable, type BundleStore, checkedKey, checkSize, StoreError } from '#bundle';

/** The little of an R2 bucket that postern uses; Cloudflare's own type fits. */
export interface R2BucketLike {
  get(key: string, options?: { onlyIf?: R2Condition }): Promise<R2ObjectLike | null>;
  put(key: string, value: Uint8Array, options?: { onlyIf?: R2Condition }): Promise<{ readonly etag: string } | null>;
}

interface R2Condition {
  etagMatches?: string;
  etagDoesNotMatch?: string;
}

/** Without a body it says that the condition did not hold. */
interface R2ObjectLike {
  readonly etag: string;
  readonly size: number;
  arrayBuffer?(): Promise<ArrayBuffer>;
}

/** The store in a bucket. R2 is strongly consistent, so a write is seen by the next read. */
export function r2Store(bucket: R2BucketLike): BundleStore {
  const put = (key: string, bytes: Uint8Array<ArrayBuffer>, onlyIf: R2Condition) =>
    guarded('put', key, async () => {
      const object = await bucket.put(checkedKey(key), bytes, { onlyIf });
      return object ? { kind: 'stored' as const, etag: object.etag } : { kind: 'conflict' as const };
    });

  return {
    get: (key, options = {}) =>
      guarded('get', key, async () => {
        const condition =
          options.ifNoneMatch === undefined ? {} : { onlyIf: { etagDoesNotMatch: options.ifNoneMatch } };
        const object = await abortable(bucket.get(checkedKey(key), condition), options.signal);
        if (!object) return { kind: 'missing' };
        if (!object.arrayBuffer) return { kind: 'unchanged' };
        checkSize(key, object.size, options.maxBytes);
        return {
          kind: 'object',
          bytes: new Uint8Array(await abortable(object.arrayBuffer(), options.signal)),
          etag: object.etag,
        };
      }),
    putIfAbsent: (key, bytes) => put(key, bytes, { etagDoesNotMatch: '*' }),
    putIfMatch: (key, bytes, etag) => put(key, bytes, { etagMatches: etag }),
  };
}

async function guarded<T>(operation: string, key: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('unavailable', `${operation} \`${key}\`: R2 did not answer`, cause);
  }
}
