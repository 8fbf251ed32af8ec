import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BundleStore } from '#bundle';
import { s3Store } from '#store/s3';
import { type Fault, type S3Double, startS3Double } from '../s3-double.ts';
import { storeContract } from '../stores.ts';

process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
let double: S3Double;
let count = 0;
beforeAll(async () => {
  double = await startS3Double();
});
afterAll(() => double.close());
afterEach(() => {
  double.faults.length = 0;
});

const open = (changes: { timeoutMs?: number; secretAccessKey?: string; bucket?: string } = {}): BundleStore =>
  s3Store({
    bucket: changes.bucket ?? double.bucket,
    prefix: `p${++count}`,
    timeoutMs: changes.timeoutMs ?? 3000,
    client: {
      endpoint: double.endpoint,
      region: double.region,
      forcePathStyle: true,
      credentials: {
        ...double.credentials,
        ...(changes.secretAccessKey ? { secretAccessKey: changes.secretAccessKey } : {}),
      },
    },
  });

storeContract('S3', open);

describe('S3 with faults', () => {
  const bytes = new TextEncoder().encode('content');
  const withObject = async (timeoutMs = 3000): Promise<BundleStore> => {
    const store = open({ timeoutMs });
    await store.putIfAbsent('a', bytes);
    return store;
  };

  const healed: readonly (readonly [string, readonly Fault[]])[] = [
    ['503 SlowDown', ['slow-down']],
    ['a connection reset', ['reset']],
    ['an answer cut short', ['truncate']],
  ];
  it.each(healed)('%s is read again', async (_, faults) => {
    const store = await withObject();
    double.faults.push(...faults);
    expect(await store.get('a')).toMatchObject({ kind: 'object', bytes });
  });

  it.each<readonly [string, Fault]>([
    ['a server that never answers', 'hang'],
    ['a body that never ends', 'slow-body'],
  ])('%s is unavailable after the time-out', async (_, fault) => {
    const store = await withObject(300);
    double.faults.push(fault, fault, fault, fault, fault, fault);
    const started = performance.now();
    await expect(store.get('a')).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('the caller’s signal ends a read', async () => {
    const store = await withObject(10_000);
    double.faults.push('hang', 'hang', 'hang');
    await expect(store.get('a', { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('a write whose answer was lost is found to be our own', async () => {
    const store = open();
    double.faults.push('lost');
    expect((await store.putIfAbsent('a', bytes)).kind).toBe('stored');
  });

  it('409 during a conditional write is tried again', async () => {
    const store = open();
    double.faults.push('conflict');
    expect((await store.putIfAbsent('a', bytes)).kind).toBe('stored');
  });

  it.each<readonly [string, () => BundleStore]>([['a wrong secret', () => open({ secretAccessKey: 'other' })]])(
    '%s is denied',
    async (_, denied) => {
      await expect(denied().get('a')).rejects.toMatchObject({ name: 'StoreError', code: 'denied' });
      await expect(denied().putIfAbsent('a', bytes)).rejects.toMatchObject({ code: 'denied' });
    },
  );

  it('a missing bucket is a failure, not a missing key', async () => {
    await expect(open({ bucket: 'other' }).get('a')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(open({ bucket: 'other' }).putIfMatch('a', bytes, '"x"')).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
