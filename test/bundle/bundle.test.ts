import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BundleError, bundleKey, canonicalJson, decodeBundle, digestOf, encodeBundle } from '#bundle';
import type { CompiledPolicies } from '#policy';

const compiled = {
  version: 1,
  kubernetes: '1.36',
  validating: [],
  mutating: [],
  customResources: [],
  params: [{ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'ä€😀' } }],
} as unknown as CompiledPolicies;

const packed = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(text));

describe('encodeBundle', () => {
  it('the same policies are the same bytes, in whatever order their members were written', async () => {
    const { params, ...rest } = compiled as unknown as Record<string, unknown>;
    const shuffled = Object.fromEntries([
      ['params', params],
      ...Object.entries(rest).reverse(),
    ]) as unknown as CompiledPolicies;
    const first = await encodeBundle({ compiled });
    expect(await encodeBundle({ compiled: shuffled })).toEqual(first);
  });

  it('these policies are these bytes on every machine', async () => {
    expect((await encodeBundle({ compiled })).digest).toMatchInlineSnapshot(
      `"sha256-a9d0344813180ed465bbd42c4a1b070c289db9688c5e82f43cc6c85d93d3988e"`,
    );
  });

  it('the text begins with the format', async () => {
    const { bytes } = await encodeBundle({ compiled, source: 'sha256-x' });
    expect(gunzipSync(bytes).toString('utf8')).toMatch(/^\{"bundle":1,"compiled":\{/);
  });

  it('the gzip header holds no time and no system', async () => {
    const { bytes } = await encodeBundle({ compiled });
    expect([...bytes.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
  });

  it('the digest is of the stored bytes and names the object', async () => {
    const { bytes, digest } = await encodeBundle({ compiled });
    expect(digest).toBe(await digestOf(bytes));
    expect(bundleKey(digest)).toMatch(/^bundles\/sha256-[0-9a-f]{64}\.json\.gz$/);
  });
});

describe('decodeBundle', () => {
  it('gives back what was encoded', async () => {
    const { bytes, digest } = await encodeBundle({ compiled, source: 'sha256-x' });
    expect(await decodeBundle(bytes, digest)).toEqual({ compiled, source: 'sha256-x' });
  });

  const cases: readonly (readonly [
    string,
    () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>,
    string,
    RegExp,
  ])[] = [
    ['no gzip', () => new TextEncoder().encode('{"bundle":1}'), 'corrupt', /not whole gzip/],
    ['no bytes', () => new Uint8Array(), 'corrupt', /./],
    ['gzip cut short', async () => (await encodeBundle({ compiled })).bytes.slice(0, -9), 'corrupt', /not whole gzip/],
    [
      'bytes after the gzip data',
      () => new Uint8Array([...packed('{"bundle":1,"compiled":{}}'), 1, 2, 3]),
      'corrupt',
      /not whole gzip/,
    ],
    ['not UTF-8', () => new Uint8Array(gzipSync(Buffer.from([0x7b, 0xff]))), 'corrupt', /UTF-8/],
    ['not JSON', () => packed('{"bundle":1,'), 'corrupt', /not JSON/],
    ['JSON of something else', () => packed('{"apiVersion":"v1"}'), 'corrupt', /does not begin with its format/],
    ['the format not first', () => packed('{"compiled":{},"bundle":1}'), 'corrupt', /does not begin with its format/],
    ['no policies', () => packed('{"bundle":1}'), 'corrupt', /`compiled`/],
    ['policies that are no object', () => packed('{"bundle":1,"compiled":[]}'), 'corrupt', /`compiled`/],
    ['a newer format', () => packed('{"bundle":2,"whatever":'), 'newer-format', /bundle format 2 is newer than 1/],
    [
      'more bytes than allowed',
      () => packed(`{"bundle":1,"compiled":{"a":"${'x'.repeat(20_000)}"}}`),
      'too-large',
      /10000/,
    ],
  ];
  it.each(cases)('%s is refused', async (_, bytes, code, message) => {
    const refusal = decodeBundle(await bytes(), undefined, 10_000);
    await expect(refusal).rejects.toBeInstanceOf(BundleError);
    await expect(refusal).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('other bytes than the digest promises are refused before anything is unpacked', async () => {
    const { digest } = await encodeBundle({ compiled });
    await expect(decodeBundle(new TextEncoder().encode('no gzip at all'), digest)).rejects.toMatchObject({
      code: 'digest-mismatch',
    });
  });

  it('a bomb is not unpacked beyond the limit', async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    await expect(decodeBundle(bomb, undefined, 1024)).rejects.toMatchObject({ code: 'too-large' });
  });
});

describe('canonicalJson', () => {
  it.each([
    ['members by code unit, at every depth', { b: { z: 1, A: 2 }, a: [] }, '{"a":[],"b":{"A":2,"z":1}}'],
    ['names that look like numbers too', { '10': 1, '9': 2 }, '{"10":1,"9":2}'],
    ['lists keep their order', [3, 1, null, true], '[3,1,null,true]'],
    ['members that are undefined are left out', { a: undefined, b: 1 }, '{"b":1}'],
    ['integers beyond 2^53', { a: 9007199254740993n }, '{"a":9007199254740993}'],
  ])('%s', (_, value, text) => {
    expect(canonicalJson(value as never)).toBe(text);
  });
});
