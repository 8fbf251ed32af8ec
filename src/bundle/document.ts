/** The small JSON documents of a store: their kind and version stand in their first member. */
import { isJsonObject, type JsonObject, own } from '#kubernetes';
import { BundleError } from './errors.ts';

/** UTF-8 bytes. */
export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/**
 * A document `{"<kind>": <version>, …}` with no other members than those named: what a reader does not know could be a
 * restriction, so it must not be passed over. Throws `BundleError`.
 */
export function parseDocument(
  bytes: Uint8Array,
  kind: string,
  version: number,
  members: readonly string[],
): JsonObject {
  const document = parseObject(bytes, kind);
  const found = own(document, kind);
  if (typeof found !== 'number' || !Number.isSafeInteger(found) || found < 1) {
    throw new BundleError('corrupt', `the ${kind} document does not say its version in \`${kind}\``);
  }
  if (found > version) {
    throw new BundleError(
      'newer-format',
      `${kind} version ${found} is newer than ${version}, the newest this postern reads`,
    );
  }
  for (const key of Object.keys(document)) {
    if (key !== kind && !members.includes(key))
      throw new BundleError('corrupt', `the ${kind} document has an unknown member \`${key}\``);
  }
  return document;
}

function parseObject(bytes: Uint8Array, kind: string): JsonObject {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw new BundleError('corrupt', `the ${kind} document is not JSON`, cause);
  }
  throw new BundleError('corrupt', `the ${kind} document is not a JSON object`);
}
