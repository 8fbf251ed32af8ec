/** A store by its address, for what runs on Node. */
import type { BundleStore } from '#bundle';
import { fileStore } from '#store/fs';

/** The store at `s3://<bucket>[/<prefix>]`, or in the folder of that path. The S3 client is loaded only for a bucket. */
export async function openStore(address: string): Promise<BundleStore> {
  if (address === '') throw new Error('no store is given: a folder, or s3://<bucket>[/<prefix>]');
  const [, bucket, prefix] = /^s3:\/\/([^/]+)(?:\/(.+?))?\/?$/.exec(address) ?? [];
  if (bucket === undefined) return fileStore(address);
  const { s3Store } = await import('#store/s3');
  const client = { forcePathStyle: process.env['POSTERN_S3_PATH_STYLE'] === 'true' };
  return s3Store({ bucket, ...(prefix === undefined ? {} : { prefix }), client });
}
