/**
 * A channel: a small object that points at one bundle, moved only by compare-and-swap, its revision only rising.
 *
 * `{"channel":1,"pointer":"<JSON text>","signatures":[…]}`: the pointer is carried as text, so that a signature covers
 * exactly the bytes that stand there. Signatures are empty in this version.
 */
import { isJsonObject, type JsonObject, own } from '#kubernetes';
import { bundleKey, type EncodedBundle } from './bundle.ts';
import { isDigest } from './digest.ts';
import { parseDocument, toBytes } from './document.ts';
import { BundleError } from './errors.ts';
import type { BundleStore } from './store.ts';

export interface Channel {
  /** From 1; a store that goes back to a lower one is not believed. */
  readonly revision: number;
  /** The bundle that the channel's clusters run. */
  readonly digest: string;
  /** The bundle before this one. */
  readonly previous?: string;
  /** RFC 3339, for people. */
  readonly createdAt: string;
}

/** No channel or cluster document is read that has more bytes than this. */
export const MAX_DOCUMENT_BYTES = 64 * 1024;

/** The object that holds a channel. */
export function channelKey(name: string): string {
  return `channels/${name}.json`;
}

/** The stored bytes of a channel. */
export function encodeChannel(channel: Channel): Uint8Array<ArrayBuffer> {
  return toBytes(`${JSON.stringify({ channel: 1, pointer: JSON.stringify(channel), signatures: [] })}\n`);
}

/** The channel in stored bytes. Throws `BundleError`. */
export function decodeChannel(bytes: Uint8Array): Channel {
  const envelope = parseDocument(bytes, 'channel', 1, ['pointer', 'signatures']);
  const text = own(envelope, 'pointer');
  const pointer = typeof text === 'string' ? parsePointer(text) : undefined;
  if (!pointer) throw new BundleError('corrupt', 'the channel has no readable `pointer`');
  const { revision, digest, previous, createdAt } = pointer;
  if (typeof revision !== 'number' || !Number.isSafeInteger(revision) || revision < 1) {
    throw new BundleError('corrupt', 'the revision of the channel is not a positive integer');
  }
  if (!isDigest(digest)) throw new BundleError('corrupt', 'the channel does not point at a digest');
  return {
    revision,
    digest,
    ...(isDigest(previous) ? { previous } : {}),
    createdAt: typeof createdAt === 'string' ? createdAt : '',
  };
}

function parsePointer(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores a bundle and points a channel at it; `now` is RFC 3339. The same bundle again changes nothing. Whoever else
 * moves the channel in between wins, and the answer is `conflict`. Rejects with `StoreError` or `BundleError`.
 */
export async function publish(
  store: BundleStore,
  name: string,
  bundle: EncodedBundle,
  now: string,
): Promise<{ readonly kind: 'published' | 'unchanged'; readonly channel: Channel } | { readonly kind: 'conflict' }> {
  await store.putIfAbsent(bundleKey(bundle.digest), bundle.bytes);
  const stored = await store.get(channelKey(name), { maxBytes: MAX_DOCUMENT_BYTES });
  if (stored.kind !== 'object') {
    const channel = { revision: 1, digest: bundle.digest, createdAt: now };
    const put = await store.putIfAbsent(channelKey(name), encodeChannel(channel));
    return put.kind === 'stored' ? { kind: 'published', channel } : { kind: 'conflict' };
  }
  const current = decodeChannel(stored.bytes);
  if (current.digest === bundle.digest) return { kind: 'unchanged', channel: current };
  const channel = { revision: current.revision + 1, digest: bundle.digest, previous: current.digest, createdAt: now };
  const put = await store.putIfMatch(channelKey(name), encodeChannel(channel), stored.etag);
  return put.kind === 'stored' ? { kind: 'published', channel } : { kind: 'conflict' };
}
