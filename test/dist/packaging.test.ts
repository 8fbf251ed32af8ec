import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-package-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Without proxies or credentials, and at home in a folder of its own: nothing may depend on the network or the user. */
const env = () => ({ PATH: process.env['PATH'], HOME: folder, CI: '1', WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' });

describe('packaging, offline', () => {
  it('wrangler deploy --dry-run takes the repository’s own wrangler.toml', async () => {
    const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
    const { stdout } = await run(
      process.execPath,
      [wrangler, 'deploy', '--dry-run', '--outdir', join(folder, 'worker')],
      { cwd: root, env: env() },
    );
    expect(stdout).toMatch(/env\.BUNDLES/);
    expect(stdout).toMatch(/--dry-run: exiting now/);
    expect(await readFile(join(folder, 'worker/index.mjs'), 'utf8')).toContain('AdmissionReview');
  }, 60_000);

  it('osls package takes the repository’s own serverless.yml, and grants no more than reading', async () => {
    const osls = join(root, 'node_modules/osls/bin/serverless.js');
    await run(process.execPath, [osls, 'package', '--package', join(folder, 'lambda')], { cwd: root, env: env() });
    const template = JSON.parse(
      await readFile(join(folder, 'lambda/cloudformation-template-update-stack.json'), 'utf8'),
    ) as {
      Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
    };
    const ofType = (type: string) => Object.values(template.Resources).filter((resource) => resource.Type === type);
    expect(ofType('AWS::Lambda::Function')).toHaveLength(1);
    expect(ofType('AWS::Lambda::Function')[0]?.Properties).toMatchObject({
      Handler: 'dist/lambda/index.handler',
      Architectures: ['arm64'],
    });
    expect(ofType('AWS::Lambda::Url')).toHaveLength(1);
    const actions = JSON.stringify(ofType('AWS::IAM::Role')).match(/s3:\w+/g);
    expect(new Set(actions)).toEqual(new Set(['s3:GetObject', 's3:ListBucket']));
  }, 120_000);
});
