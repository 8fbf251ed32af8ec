/** Builds `dist/` when it is not there. `npm test` builds before; a single test file run by hand may not have. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export default function setup(): void {
  if (existsSync(`${root}/dist/postern.mjs`)) return;
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
}
