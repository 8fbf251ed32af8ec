/**
 * A bundle: compiled policies as canonical JSON, gzipped, named by the SHA-256 of exactly the bytes that are stored.
 *
 * The text begins with `{"bundle":<format>`, so that a reader knows the format before it reads on. A bundle carries no
 * signature and no date: the same policies are the same bytes, and what is signed is the channel that names the digest.
 */
import { parseJson } from '#cel/runtime';
import { isJsonObject, type Json, type JsonObject, own } from '#kubernetes';
import type { CompiledPolicies } from '#policy';
import { canonicalJson } from './canonical.ts';
import { digestOf } from './digest.ts';
import { BundleError } from './errors.ts';
import { gunzip, gzip } from './gzip.ts';

/** The format that this postern writes, and the newest that it reads. */
export const BUNDLE_FORMAT = 1;

/** No bundle is read that unpacks to more bytes than this. 9,000 policies have about 3 MB. */
export const MAX_BUNDLE_BYTES = 64 * 1024 * 1024;

/** The object that holds a bundle. */
export function bundleKey(digest: string): string {
  return `bundles/${digest}.json.gz`;
}

export interface Bundle {
  readonly compiled: CompiledPolicies;
  /** Digest of the documents that were compiled, when the compiler told it. */
  readonly source?: string;
}

export interface EncodedBundle {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** `sha256-<hex>` of `bytes`. */
  readonly digest: string;
}

/** The bytes of a bundle, the same for the same policies on any machine. */
export async function encodeBundle(bundle: Bundle): Promise<EncodedBundle> {
  const document: JsonObject = {
    bundle: BUNDLE_FORMAT,
    compiled: bundle.compiled as unknown as Json,
    ...(bundle.source === undefined ? {} : { source: bundle.source }),
  };
  const bytes = gzip(new TextEncoder().encode(canonicalJson(document)));
  return { bytes, digest: await digestOf(bytes) };
}

/**
 * The bundle in some bytes, once their digest is the expected one. Without an expected digest (a file that the user
 * names) only the format is checked. What `compiled` holds is judged by the engine's loader. Rejects with `BundleError`.
 */
export async function decodeBundle(
  bytes: Uint8Array<ArrayBuffer>,
  expectedDigest: string | undefined,
  maxBytes: number = MAX_BUNDLE_BYTES,
): Promise<Bundle> {
  if (expectedDigest !== undefined) {
    const digest = await digestOf(bytes);
    if (digest !== expectedDigest)
      throw new BundleError('digest-mismatch', `expected ${expectedDigest}, got ${digest}`);
  }
  const text = decodeUtf8(await gunzip(bytes, maxBytes));
  checkFormat(text);
  const document = parse(text);
  const compiled = own(document, 'compiled');
  if (!isJsonObject(compiled)) throw new BundleError('corrupt', 'the bundle has no `compiled` object');
  const source = own(document, 'source');
  return { compiled: compiled as unknown as CompiledPolicies, ...(typeof source === 'string' ? { source } : {}) };
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new BundleError('corrupt', 'the bundle is not UTF-8', cause);
  }
}

function checkFormat(text: string): void {
  const format = /^\{"bundle":([1-9]\d{0,8})[,}]/.exec(text)?.[1];
  if (format === undefined)
    throw new BundleError('corrupt', 'this is no postern bundle: it does not begin with its format');
  if (Number(format) > BUNDLE_FORMAT) {
    throw new BundleError(
      'newer-format',
      `bundle format ${format} is newer than ${BUNDLE_FORMAT}, the newest this postern reads`,
    );
  }
}

function parse(text: string): JsonObject {
  try {
    const document = parseJson(text);
    if (isJsonObject(document)) return document;
  } catch (cause) {
    throw new BundleError('corrupt', 'the bundle is not JSON', cause);
  }
  throw new BundleError('corrupt', 'the bundle is not a JSON object');
}
