import { describe, expect, it } from 'vitest';
import { fileStore } from '#store/fs';
import { readPort, readSettings } from '../../functions/settings.ts';
import { openStore } from '../../functions/stores.ts';

const digest = `sha256-${'a'.repeat(64)}`;

describe('readSettings', () => {
  it('without variables there are no clusters and no tokens', () => {
    const { log, ...settings } = readSettings({});
    expect(settings).toEqual({ clusters: [], statusTokens: [] });
    expect(log).toBeTypeOf('function');
  });

  it('reads lists and numbers, and takes no notice of what else there is', () => {
    const variables = {
      POSTERN_CLUSTERS: 'prod, stage,',
      POSTERN_STATUS_TOKENS: digest,
      POSTERN_REFRESH_SECONDS: '5',
      POSTERN_MAX_STALE_SECONDS: '0.5',
      POSTERN_MAX_BODY_BYTES: ' 1024 ',
      BUNDLES: {},
      PATH: '/bin',
    };
    expect(readSettings(variables)).toMatchObject({
      clusters: ['prod', 'stage'],
      statusTokens: [digest],
      refreshSeconds: 5,
      maxStaleSeconds: 0.5,
      maxBodyBytes: 1024,
    });
  });

  it.each<readonly [string, string]>([
    ['POSTERN_CLUSTERS', 'Prod'],
    ['POSTERN_CLUSTERS', '../x'],
    ['POSTERN_STATUS_TOKENS', 'a-token-in-plain-text'],
    ['POSTERN_REFRESH_SECONDS', 'often'],
    ['POSTERN_REFRESH_SECONDS', '-1'],
    ['POSTERN_MAX_STALE_SECONDS', '-0.25'],
    ['POSTERN_MAX_BODY_BYTES', 'NaN'],
  ])('%s=%s stops the start, and the error names the variable', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(name);
  });
});

describe('readPort', () => {
  it.each([
    [undefined, 8443],
    ['', 8443],
    ['0', 0],
    ['9000', 9000],
  ])('%s is %i', (POSTERN_PORT, port) => {
    expect(readPort({ POSTERN_PORT })).toBe(port);
  });
  it.each(['x', '-1', '65536', '80.5'])('%s stops the start', (POSTERN_PORT) => {
    expect(() => readPort({ POSTERN_PORT })).toThrow('POSTERN_PORT');
  });
});

describe('openStore', () => {
  it('a path is a folder, s3:// a bucket, nothing an error', async () => {
    expect(Object.keys(await openStore('/tmp/nowhere')).sort()).toEqual(Object.keys(fileStore('/tmp/nowhere')).sort());
    expect(Object.keys(await openStore('s3://bucket/some/prefix')).sort()).toEqual([
      'get',
      'putIfAbsent',
      'putIfMatch',
    ]);
    await expect(openStore('')).rejects.toThrow('no store is given');
  });
});
