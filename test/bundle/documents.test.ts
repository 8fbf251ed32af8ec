import { describe, expect, it } from 'vitest';
import {
  bundleKey,
  channelKey,
  decodeChannel,
  decodeCluster,
  encodeBundle,
  encodeChannel,
  isName,
  publish,
  toBytes,
} from '#bundle';
import type { CompiledPolicies } from '#policy';
import { memoryStore } from '#store/memory';

const digest = `sha256-${'a'.repeat(64)}`;
const other = `sha256-${'b'.repeat(64)}`;

describe('decodeCluster', () => {
  it('one or two tokens, a channel, and perhaps facts', () => {
    expect(decodeCluster(toBytes(JSON.stringify({ cluster: 1, channel: 'stable', tokens: [digest, other] })))).toEqual({
      channel: 'stable',
      tokens: [digest, other],
    });
    const facts = { source: 'snapshot', maxAgeSeconds: 60 };
    expect(decodeCluster(toBytes(JSON.stringify({ cluster: 1, channel: 'a', tokens: [digest], facts })))).toMatchObject(
      { facts },
    );
  });

  it.each<readonly [string, unknown]>([
    ['no JSON', undefined],
    ['a list', []],
    ['no version', { channel: 'a', tokens: [digest] }],
    ['a newer version', { cluster: 2, channel: 'a', tokens: [digest] }],
    ['a member that we do not know', { cluster: 1, channel: 'a', tokens: [digest], allowedAddresses: ['10.0.0.0/8'] }],
    ['no channel', { cluster: 1, tokens: [digest] }],
    ['a channel that is no name', { cluster: 1, channel: '../x', tokens: [digest] }],
    ['no tokens', { cluster: 1, channel: 'a' }],
    ['an empty list of tokens', { cluster: 1, channel: 'a', tokens: [] }],
    ['a token in plain text', { cluster: 1, channel: 'a', tokens: ['secret'] }],
    ['facts from elsewhere', { cluster: 1, channel: 'a', tokens: [digest], facts: { source: 'live' } }],
    [
      'facts of a negative age',
      { cluster: 1, channel: 'a', tokens: [digest], facts: { source: 'snapshot', maxAgeSeconds: -1 } },
    ],
  ])('%s is refused', (_, document) => {
    expect(() => decodeCluster(toBytes(JSON.stringify(document) ?? 'no'))).toThrowError(
      expect.objectContaining({ name: 'BundleError' }),
    );
  });

  it.each([
    ['prod', true],
    ['eu-west-1.prod', true],
    ['a'.repeat(63), true],
    ['a'.repeat(64), false],
    ['', false],
    ['Prod', false],
    ['-a', false],
    ['a/b', false],
    ['..', false],
    [7, false],
  ])('%j as a name: %s', (text, expected) => {
    expect(isName(text)).toBe(expected);
  });
});

describe('decodeChannel', () => {
  it('gives back what was encoded', () => {
    const channel = { revision: 7, digest, previous: other, createdAt: '2026-01-02T03:04:05Z' };
    expect(decodeChannel(encodeChannel(channel))).toEqual(channel);
  });

  it.each<readonly [string, unknown]>([
    ['no pointer', { channel: 1, signatures: [] }],
    ['a pointer that is not text', { channel: 1, pointer: { revision: 1, digest } }],
    ['a pointer that is not JSON', { channel: 1, pointer: '{' }],
    ['revision 0', { channel: 1, pointer: JSON.stringify({ revision: 0, digest }) }],
    ['a path for a digest', { channel: 1, pointer: JSON.stringify({ revision: 1, digest: '../../x' }) }],
    ['a newer version', { channel: 9, pointer: JSON.stringify({ revision: 1, digest }) }],
  ])('%s is refused', (_, document) => {
    expect(() => decodeChannel(toBytes(JSON.stringify(document)))).toThrowError(
      expect.objectContaining({ name: 'BundleError' }),
    );
  });
});

describe('publish', () => {
  const bundle = (kubernetes: string) => encodeBundle({ compiled: { kubernetes } as unknown as CompiledPolicies });

  it('stores the bundle, then moves the channel, whose revision rises and which remembers the bundle before', async () => {
    const store = memoryStore();
    const [one, two] = [await bundle('one'), await bundle('two')];
    expect(await publish(store, 'stable', one, 't1')).toEqual({
      kind: 'published',
      channel: { revision: 1, digest: one.digest, createdAt: 't1' },
    });
    expect(await publish(store, 'stable', two, 't2')).toEqual({
      kind: 'published',
      channel: { revision: 2, digest: two.digest, previous: one.digest, createdAt: 't2' },
    });
    expect((await store.get(bundleKey(one.digest))).kind).toBe('object');
    expect((await store.get(bundleKey(two.digest))).kind).toBe('object');
  });

  it('the same bundle again changes nothing', async () => {
    const store = memoryStore();
    await publish(store, 'stable', await bundle('one'), 't1');
    const before = await store.get(channelKey('stable'));
    expect((await publish(store, 'stable', await bundle('one'), 't2')).kind).toBe('unchanged');
    expect(await store.get(channelKey('stable'))).toEqual(before);
  });

  it('of two who move a channel at once one wins and the other is told', async () => {
    const store = memoryStore();
    await publish(store, 'stable', await bundle('one'), 't1');
    const [two, three] = [await bundle('two'), await bundle('three')];
    const kinds = await Promise.all([publish(store, 'stable', two, 't2'), publish(store, 'stable', three, 't3')]);
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(['conflict', 'published']);
  });
});
