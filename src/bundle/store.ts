/** The object store that bundles live in: the few operations that postern needs of it, each conditional. */
import { StoreError } from './errors.ts';

export interface GetOptions {
  /** The etag of the copy at hand; the same one there gives `unchanged` and no bytes. */
  readonly ifNoneMatch?: string;
  /** More bytes than this are a `too-large` error, found before they are all read where the store allows it. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export type GetResult =
  | { readonly kind: 'object'; readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missing' };

export type PutResult =
  | { readonly kind: 'stored'; readonly etag: string }
  /** The condition did not hold: the key exists (put if absent), or is missing or has another etag (put if match). */
  | { readonly kind: 'conflict' };

/**
 * An object store. Etags are opaque, and change whenever the bytes do. Every method rejects with `StoreError` alone.
 * A write is seen whole or not at all, and of several writers with the same condition exactly one is `stored`.
 */
export interface BundleStore {
  get(key: string, options?: GetOptions): Promise<GetResult>;
  putIfAbsent(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<PutResult>;
  putIfMatch(key: string, bytes: Uint8Array<ArrayBuffer>, etag: string): Promise<PutResult>;
}

const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/;

/**
 * The key itself when it is one: lower-case segments between single slashes, none starting with a dot, at most 512
 * characters. Every store calls this first, so that no key can leave its folder or bucket prefix.
 */
export function checkedKey(key: string): string {
  if (key.length > 512 || !KEY.test(key))
    throw new StoreError('invalid', `\`${key.slice(0, 80)}\` is no key of a store`);
  return key;
}

/** Throws when a size is beyond what the caller allows. */
export function checkSize(key: string, size: number, maxBytes: number | undefined): void {
  if (maxBytes !== undefined && size > maxBytes) {
    throw new StoreError('too-large', `\`${key}\` has ${size} bytes, more than the ${maxBytes} allowed`);
  }
}

/** A promise that the signal can end, for work that does not watch the signal itself. Rejects with the signal's reason. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
