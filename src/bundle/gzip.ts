/**
 * Gzip, the same bytes on every machine in one direction, and bounded in the other.
 *
 * Compression is done by a JavaScript implementation, because the output of zlib differs between its builds
 * (docs/adr/0001). Only author time compresses; decompression is the platform's own.
 */
import { gzipSync } from 'fflate';
import { BundleError } from './errors.ts';

/** Compresses with a header that says nothing about when or where. */
export function gzip(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(gzipSync(bytes, { level: 9, mtime: 0 }));
  packed[9] = 255; // operating system: unknown
  return packed;
}

/** Unpacks gzip, reading no further than `maxBytes` of output. Rejects with `BundleError`. */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new BundleError('corrupt', 'the bytes are not whole gzip data', cause);
    });
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      reader.cancel().catch(() => undefined);
      throw new BundleError('too-large', `more than ${maxBytes} bytes once unpacked`);
    }
    chunks.push(value);
  }
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return joined;
}
