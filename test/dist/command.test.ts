/** The built command as a shell has it: pipes, signals, files. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const command = fileURLToPath(new URL('../../dist/postern.mjs', import.meta.url));
const run = promisify(execFile);
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-command-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('postern in a shell', () => {
  it('an interrupt ends a verb that waits for standard input', async () => {
    const child = spawn(process.execPath, [command, 'compile', '-'], { stdio: ['pipe', 'ignore', 'pipe'] });
    setTimeout(() => child.kill('SIGINT'), 1000);
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGINT');
  });

  it('a reader that has seen enough is no error', async () => {
    const script = `"$0" "$1" compile policies --out - 2>"$2/errors" | head -c 1 >/dev/null; exit "\${PIPESTATUS[0]}"`;
    await run('bash', ['-c', script, process.execPath, command, folder]);
    expect(await readFile(join(folder, 'errors'), 'utf8')).toBe('');
  });

  it('a bundle is written whole, or what was there stays', async () => {
    const out = join(folder, 'bundle.json.gz');
    await writeFile(out, 'the one before');
    const broken = join(folder, 'broken.yaml');
    await writeFile(broken, 'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n');
    await expect(run(process.execPath, [command, 'compile', broken, '--out', out])).rejects.toMatchObject({ code: 1 });
    expect(await readFile(out, 'utf8')).toBe('the one before');
    await run(process.execPath, [command, 'compile', 'policies', '--out', out]);
    expect((await readFile(out)).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('colours and progress are for terminals', async () => {
    const { stdout, stderr } = await run(process.execPath, [command, 'test', 'policies', '-v']);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(stdout).toMatch(/\n\d+ passed, 0 failed\n$/);
  });
});
