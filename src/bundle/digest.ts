/** Names for bytes: SHA-256, written `sha256-<hex>` so that it can stand in an object's key. */

const DIGEST = /^sha256-[0-9a-f]{64}$/;

/** The digest of some bytes. */
export async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return `sha256-${hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`;
}

/** Whether a value from outside is a digest as we write them. */
export function isDigest(value: unknown): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}

/** Lower-case hexadecimal. */
export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
