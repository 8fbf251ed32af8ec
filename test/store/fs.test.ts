import { link, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileStore } from '#store/fs';
import { storeContract } from '../stores.ts';

let folder = '';
let count = 0;
const fresh = (): string => join(folder, String(++count));
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-store-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

storeContract('fs', () => fileStore(fresh()));

describe('fs', () => {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

  it('no draft or claim is left behind', async () => {
    const path = fresh();
    const store = fileStore(path);
    const put = await store.putIfAbsent('channels/a.json', bytes('one'));
    if (put.kind === 'stored') await store.putIfMatch('channels/a.json', bytes('two'), put.etag);
    await store.putIfAbsent('channels/a.json', bytes('three'));
    expect(await readdir(join(path, 'channels'))).toEqual(['a.json']);
  });

  it('a claim is left to its writer for a minute', async () => {
    const path = fresh();
    const store = fileStore(path);
    const put = await store.putIfAbsent('channels/a.json', bytes('one'));
    const etag = put.kind === 'stored' ? put.etag : '';
    await writeFile(join(path, 'channels', `.claim-a.json-${etag}`), 'by another, at this moment');
    expect(await store.putIfMatch('channels/a.json', bytes('two'), etag)).toEqual({ kind: 'conflict' });
    expect(await store.get('channels/a.json')).toMatchObject({ bytes: bytes('one') });
  });

  it('a claim that a crash left behind is carried out by the next writer', async () => {
    const path = fresh();
    const store = fileStore(path);
    const put = await store.putIfAbsent('channels/a.json', bytes('one'));
    const etag = put.kind === 'stored' ? put.etag : '';
    await writeFile(join(path, 'draft'), 'by the one that crashed');
    await utimes(join(path, 'draft'), 0, 0);
    await link(join(path, 'draft'), join(path, 'channels', `.claim-a.json-${etag}`));
    expect(await store.putIfMatch('channels/a.json', bytes('two'), etag)).toEqual({ kind: 'conflict' });
    const got = await store.get('channels/a.json');
    expect(got.kind === 'object' && new TextDecoder().decode(got.bytes)).toBe('by the one that crashed');
    expect(got.kind === 'object' && (await store.putIfMatch('channels/a.json', bytes('three'), got.etag)).kind).toBe(
      'stored',
    );
  });

  it('a folder in the place of an object is the store’s failure, not a missing key', async () => {
    const path = fresh();
    await fileStore(path).putIfAbsent('bundles/a.json', bytes('one'));
    await expect(fileStore(path).get('bundles')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
