import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { DemoRow } from '../../src/cli/demo.ts';

const run = promisify(execFile);

describe('npm run demo', () => {
  it('ends well, and for machines is one document of what came over TLS', async () => {
    const { stdout } = await run(process.execPath, ['scripts/demo.mjs', '--output', 'json']);
    const { digest, rows } = JSON.parse(stdout) as { readonly digest: string; readonly rows: readonly DemoRow[] };
    expect(digest).toMatch(/^sha256-[0-9a-f]{64}$/);
    expect(rows.filter(({ allowed }) => allowed).length).toBeGreaterThanOrEqual(5);
    expect(rows.filter(({ message }) => message?.includes('denied request: ')).length).toBeGreaterThanOrEqual(4);
    expect(rows.some(({ patch }) => patch.some(({ path }) => path === '/spec/initContainers'))).toBe(true);
    expect(rows.some(({ warnings }) => warnings.length > 0)).toBe(true);
  });

  it('knows no other output', async () => {
    await expect(run(process.execPath, ['scripts/demo.mjs', '--output', 'xml'])).rejects.toMatchObject({ code: 2 });
  });
});
