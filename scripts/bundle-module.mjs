/** Bundles one TypeScript module of the project and imports it: how scripts run source that Node 20 cannot. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The namespace of a module given by its path from the project's root. Packages stay outside the bundle. */
export async function importSource(path) {
  const folder = await mkdtemp(join(root, 'node_modules', '.postern-'));
  try {
    const outfile = join(folder, 'module.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: [path],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      sourcemap: 'inline',
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
