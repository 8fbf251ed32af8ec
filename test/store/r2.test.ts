import { Miniflare } from 'miniflare';
import { afterAll, describe, expect, it } from 'vitest';
import { type R2BucketLike, r2Store } from '#store/r2';
import { storeContract } from '../stores.ts';

const names = Array.from({ length: 40 }, (_, index) => `B${index}`);
const miniflare = new Miniflare({
  modules: true,
  script: 'export default {}',
  compatibilityDate: '2026-04-01',
  r2Buckets: names,
  cf: false,
});
afterAll(() => miniflare.dispose());

let used = 0;
storeContract('R2', async () => r2Store((await miniflare.getR2Bucket(names[used++] ?? '')) as unknown as R2BucketLike));

describe('R2', () => {
  it('a bucket that fails is an unavailable store', async () => {
    const broken: R2BucketLike = {
      get: () => Promise.reject(new Error('10001')),
      put: () => Promise.reject(new Error('10001')),
    };
    await expect(r2Store(broken).get('a')).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' });
    await expect(r2Store(broken).putIfAbsent('a', new Uint8Array())).rejects.toMatchObject({ code: 'unavailable' });
  });
});
