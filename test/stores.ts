/** The contract of `BundleStore`, run against every store. */
import { describe, expect, it } from 'vitest';
import { type BundleStore, StoreError } from '#bundle';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Declares the contract's tests; `open` gives a fresh, empty store each time it is called. */
export function storeContract(name: string, open: () => BundleStore | Promise<BundleStore>): void {
  const stored = async (store: BundleStore, key: string, text: string): Promise<string> => {
    const put = await store.putIfAbsent(key, bytes(text));
    if (put.kind !== 'stored') throw new Error('the key was there already');
    return put.etag;
  };
  const textOf = async (store: BundleStore, key: string): Promise<string | undefined> => {
    const got = await store.get(key);
    return got.kind === 'object' ? new TextDecoder().decode(got.bytes) : undefined;
  };

  describe(`${name}: the store contract`, () => {
    it('a key that was never written is missing', async () => {
      expect(await (await open()).get('bundles/none.json')).toEqual({ kind: 'missing' });
    });

    it('what was put comes back byte for byte, with the etag that the put told', async () => {
      const store = await open();
      const all = new Uint8Array(256).map((_, index) => index);
      const put = await store.putIfAbsent('bundles/all.bin', all);
      expect(await store.get('bundles/all.bin')).toEqual({
        kind: 'object',
        bytes: all,
        etag: put.kind === 'stored' && put.etag,
      });
    });

    it('an empty object is an object', async () => {
      const store = await open();
      await store.putIfAbsent('a', bytes(''));
      expect(await textOf(store, 'a')).toBe('');
    });

    it('the same etag gives unchanged, also for a missing condition of another', async () => {
      const store = await open();
      const etag = await stored(store, 'channels/stable.json', 'one');
      expect(await store.get('channels/stable.json', { ifNoneMatch: etag })).toEqual({ kind: 'unchanged' });
      const changed = await store.putIfMatch('channels/stable.json', bytes('two'), etag);
      expect(changed.kind).toBe('stored');
      const got = await store.get('channels/stable.json', { ifNoneMatch: etag });
      expect(got.kind === 'object' && new TextDecoder().decode(got.bytes)).toBe('two');
    });

    it('put if absent does not overwrite', async () => {
      const store = await open();
      await stored(store, 'bundles/a.json', 'one');
      expect(await store.putIfAbsent('bundles/a.json', bytes('two'))).toEqual({ kind: 'conflict' });
      expect(await textOf(store, 'bundles/a.json')).toBe('one');
    });

    it('put if match refuses an old etag and leaves the object as it is', async () => {
      const store = await open();
      const first = await stored(store, 'channels/a.json', 'one');
      expect((await store.putIfMatch('channels/a.json', bytes('two'), first)).kind).toBe('stored');
      expect(await store.putIfMatch('channels/a.json', bytes('three'), first)).toEqual({ kind: 'conflict' });
      expect(await textOf(store, 'channels/a.json')).toBe('two');
    });

    it('put if match of a missing key is a conflict and writes nothing', async () => {
      const store = await open();
      const etag = await stored(store, 'a', 'one');
      expect(await store.putIfMatch('b', bytes('two'), etag)).toEqual({ kind: 'conflict' });
      expect(await store.get('b')).toEqual({ kind: 'missing' });
    });

    it('of many who create a key at once one is stored, and its bytes are the ones kept', async () => {
      const store = await open();
      const writers = Array.from({ length: 8 }, (_, index) => `writer ${index}`);
      const results = await Promise.all(writers.map((text) => store.putIfAbsent('channels/race.json', bytes(text))));
      const winners = writers.filter((_, index) => results[index]?.kind === 'stored');
      expect(winners).toHaveLength(1);
      expect(await textOf(store, 'channels/race.json')).toBe(winners[0]);
    });

    it('of many who replace the same etag at once one is stored, and its bytes are the ones kept', async () => {
      const store = await open();
      const etag = await stored(store, 'channels/race.json', 'start');
      const writers = Array.from({ length: 8 }, (_, index) => `writer ${index}`);
      const results = await Promise.all(
        writers.map((text) => store.putIfMatch('channels/race.json', bytes(text), etag)),
      );
      const winners = writers.filter((_, index) => results[index]?.kind === 'stored');
      expect(winners).toHaveLength(1);
      expect(await textOf(store, 'channels/race.json')).toBe(winners[0]);
    });

    it('more bytes than the caller allows are an error', async () => {
      const store = await open();
      await stored(store, 'a', '0123456789');
      await expect(store.get('a', { maxBytes: 9 })).rejects.toMatchObject({ name: 'StoreError', code: 'too-large' });
      expect((await store.get('a', { maxBytes: 10 })).kind).toBe('object');
    });

    it.each(['', '/a', 'a/', 'a//b', '../a', 'a/../b', 'a/.b', 'A', 'a b', 'a\\b', 'a\0', `${'a'.repeat(600)}`])(
      '%j is no key',
      async (key) => {
        const store = await open();
        await expect(store.get(key)).rejects.toBeInstanceOf(StoreError);
        await expect(store.putIfAbsent(key, bytes('x'))).rejects.toMatchObject({ code: 'invalid' });
        await expect(store.putIfMatch(key, bytes('x'), 'etag')).rejects.toMatchObject({ code: 'invalid' });
      },
    );
  });
}
