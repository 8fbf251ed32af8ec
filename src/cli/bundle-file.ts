/** Bundles and policies as command lines name them: a file, a store with a channel, or sources compiled on the spot. */
import {
  type Bundle,
  BundleError,
  bundleKey,
  channelKey,
  decodeBundle,
  decodeChannel,
  digestOf,
  MAX_BUNDLE_BYTES,
  MAX_DOCUMENT_BYTES,
  StoreError,
} from '#bundle';
import { type Engine, loadEngine } from '#serve';
import { openStore } from '../../functions/stores.ts';
import { readBytes } from './input.ts';
import { InputError } from './io.ts';

export interface OpenBundle {
  readonly bundle: Bundle;
  readonly digest: string;
  /** Bytes of the bundle as it is stored. */
  readonly size: number;
}

/** The bundle in a file. Throws `InputError` when it is none. */
export async function openBundleFile(path: string): Promise<OpenBundle> {
  return opened(path, new Uint8Array(await readBytes(path)), undefined);
}

/** The bundle that a channel of a store points at. Throws `InputError`. */
export async function openChannel(address: string, channel: string): Promise<OpenBundle> {
  try {
    const store = await openStore(address);
    const pointer = await store.get(channelKey(channel), { maxBytes: MAX_DOCUMENT_BYTES });
    if (pointer.kind !== 'object') throw new InputError(`there is no channel \`${channel}\` in \`${address}\``);
    const { digest } = decodeChannel(pointer.bytes);
    const got = await store.get(bundleKey(digest), { maxBytes: MAX_BUNDLE_BYTES });
    if (got.kind !== 'object') throw new InputError(`there is no bundle ${digest} in \`${address}\``);
    return await opened(digest, got.bytes, digest);
  } catch (error) {
    if (error instanceof StoreError || error instanceof BundleError) throw new InputError(error.message);
    throw error;
  }
}

/** The engine over a bundle. Throws `InputError` when it is refused. */
export function engineOf(name: string, { bundle }: Pick<OpenBundle, 'bundle'>): Engine {
  try {
    return loadEngine(bundle.compiled);
  } catch (error) {
    if (error instanceof BundleError) throw new InputError(`\`${name}\`: ${error.message}`);
    throw error;
  }
}

async function opened(name: string, bytes: Uint8Array<ArrayBuffer>, expected: string | undefined): Promise<OpenBundle> {
  try {
    return {
      bundle: await decodeBundle(bytes, expected),
      digest: expected ?? (await digestOf(bytes)),
      size: bytes.byteLength,
    };
  } catch (error) {
    if (error instanceof BundleError) throw new InputError(`\`${name}\`: ${error.message}`);
    throw error;
  }
}
