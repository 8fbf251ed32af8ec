/**
 * A store in a folder. Objects are written to a hidden file beside their place and moved there in one step; an etag is
 * the hash of the bytes.
 *
 * Compare-and-swap without locks: the writer links its new content to a claim named after the etag it replaces. Only
 * one link can succeed; moving the claim onto the object publishes it and gives the claim up in the same step, so a
 * claim that is gone was published. One that a crash left behind is moved on by the first writer that meets it after a
 * minute. Needs a file system with hard links.
 */
import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BundleStore, checkedKey, checkSize, StoreError } from '#bundle';

/** A store in `folder`, which is made with the first write. */
export function fileStore(folder: string): BundleStore {
  const pathOf = (key: string): string => join(folder, ...checkedKey(key).split('/'));

  const read = async (path: string, signal?: AbortSignal) => {
    const bytes = await unlessMissing(readFile(path, signal ? { signal } : {}));
    return bytes && { bytes: new Uint8Array(bytes), etag: etagOf(bytes) };
  };

  return {
    get: (key, options = {}) =>
      guarded('get', key, async () => {
        const path = pathOf(key);
        if (options.maxBytes !== undefined) {
          const found = await unlessMissing(stat(path));
          if (found) checkSize(key, found.size, options.maxBytes);
        }
        const object = await read(path, options.signal);
        if (!object) return { kind: 'missing' };
        if (object.etag === options.ifNoneMatch) return { kind: 'unchanged' };
        checkSize(key, object.bytes.byteLength, options.maxBytes);
        return { kind: 'object', ...object };
      }),
    putIfAbsent: (key, bytes) =>
      guarded('put', key, async () => {
        const path = pathOf(key);
        const draft = await writeDraft(path, bytes);
        try {
          await link(draft, path);
          return { kind: 'stored', etag: etagOf(bytes) };
        } catch (error) {
          if (codeOf(error) === 'EEXIST') return { kind: 'conflict' };
          throw error;
        } finally {
          await unlink(draft);
        }
      }),
    putIfMatch: (key, bytes, etag) =>
      guarded('put', key, async () => {
        const path = pathOf(key);
        if (!/^[0-9a-f]{64}$/.test(etag) || (await read(path))?.etag !== etag) return { kind: 'conflict' };
        const claim = join(dirname(path), `.claim-${path.slice(dirname(path).length + 1)}-${etag}`);
        const draft = await writeDraft(path, bytes);
        try {
          await link(draft, claim);
        } catch (error) {
          if (codeOf(error) !== 'EEXIST') throw error;
          if ((await isAbandoned(claim)) && (await read(path))?.etag === etag) await took(rename(claim, path));
          return { kind: 'conflict' };
        } finally {
          await unlink(draft);
        }
        // The object moved on before the claim was made: unless somebody has published the claim, it is withdrawn.
        if ((await read(path))?.etag !== etag && (await took(unlink(claim)))) return { kind: 'conflict' };
        await took(rename(claim, path));
        return { kind: 'stored', etag: etagOf(bytes) };
      }),
  };
}

async function writeDraft(path: string, bytes: Uint8Array): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const draft = join(dirname(path), `.draft-${randomBytes(12).toString('hex')}`);
  const file = await open(draft, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

/** How old a claim must be for its writer to be taken for crashed. */
const ABANDONED_MS = 60_000;

async function isAbandoned(claim: string): Promise<boolean> {
  const found = await unlessMissing(stat(claim));
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS;
}

/** Whether the step found its file. */
async function took(step: Promise<void>): Promise<boolean> {
  return (await unlessMissing(step.then(() => true))) === true;
}

function etagOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function guarded<T>(operation: string, key: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    const code = codeOf(cause);
    const denied = code === 'EACCES' || code === 'EPERM';
    throw new StoreError(denied ? 'denied' : 'unavailable', `${operation} \`${key}\`: ${code || 'failed'}`, cause);
  }
}

async function unlessMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
