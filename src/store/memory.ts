/** A store in memory: for tests, and for serving one bundle from a file. */
import { type BundleStore, checkedKey, checkSize, type PutResult } from '#bundle';

interface Entry {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** An empty store; what goes in and comes out are copies. */
export function memoryStore(): BundleStore {
  const entries = new Map<string, Entry>();
  let version = 0;

  const put = (key: string, bytes: Uint8Array<ArrayBuffer>): PutResult => {
    version++;
    const etag = `"${version}"`;
    entries.set(key, { bytes: bytes.slice(), etag });
    return { kind: 'stored', etag };
  };

  return {
    async get(key, options = {}) {
      const entry = entries.get(checkedKey(key));
      if (!entry) return { kind: 'missing' };
      if (entry.etag === options.ifNoneMatch) return { kind: 'unchanged' };
      checkSize(key, entry.bytes.byteLength, options.maxBytes);
      return { kind: 'object', bytes: entry.bytes.slice(), etag: entry.etag };
    },
    async putIfAbsent(key, bytes) {
      return entries.has(checkedKey(key)) ? { kind: 'conflict' } : put(key, bytes);
    },
    async putIfMatch(key, bytes, etag) {
      return entries.get(checkedKey(key))?.etag === etag ? put(key, bytes) : { kind: 'conflict' };
    },
  };
}
