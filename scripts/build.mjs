/** Builds everything that is shipped into `dist/`, each as one file, with esbuild's account of what is inside beside it. */
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minifySync } from 'rolldown/experimental';
import { root } from './bundle-module.mjs';
import { slimHono } from './slim-hono.mjs';
import { slimRe2js } from './slim-re2js.mjs';

const node = {
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  banner: {
    js: "import { createRequire as posternRequire } from 'node:module';\nconst require = posternRequire(import.meta.url);",
  },
};
const worker = {
  platform: 'neutral',
  target: 'es2022',
  mainFields: ['module', 'main'],
  conditions: ['workerd', 'worker', 'import'],
  minify: true,
  plugins: [slimRe2js, slimHono],
};

const products = [
  { entry: 'functions/worker.ts', file: 'worker/index.mjs', ...worker },
  { entry: 'functions/lambda.ts', file: 'lambda/index.mjs', ...node, minify: true },
  { entry: 'functions/node.ts', file: 'node/index.mjs', ...node },
  { entry: 'src/cli/main.ts', file: 'postern.mjs', ...node, banner: { js: `#!/usr/bin/env node\n${node.banner.js}` } },
];

const dist = join(root, 'dist');
await rm(dist, { recursive: true, force: true });
await mkdir(join(dist, 'meta'), { recursive: true });
for (const { entry, file, ...options } of products) {
  const outfile = join(dist, file);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    metafile: true,
    plugins: [slimRe2js],
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
  });
  await writeFile(join(dist, 'meta', `${file.split('/')[0].replace('.mjs', '')}.json`), JSON.stringify(metafile));
  if (options.minify) await minifyAgain(outfile);
  const bytes = await readFile(outfile);
  console.log(
    `dist/${file}  ${kilobytes(bytes.length)} kB, ${kilobytes(gzipSync(bytes, { level: 9 }).length)} kB gzip`,
  );
}

/** A second minifier finds what the first one leaves: two or three per cent. */
async function minifyAgain(file) {
  const { code, errors } = minifySync(file, await readFile(file, 'utf8'), { module: true });
  if (errors.length > 0) throw new Error(errors[0].message);
  await writeFile(file, code);
}

await chmod(join(dist, 'postern.mjs'), 0o755);

function kilobytes(size) {
  return (size / 1000).toFixed(1);
}
