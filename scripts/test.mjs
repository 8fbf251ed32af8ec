/** `npm test`: every check there is, one after the other, all of them even when one fails; the counts come last. */
import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './bundle-module.mjs';

const report = join(root, 'node_modules', '.postern-test-report.json');
const bin = (name) => join(root, 'node_modules', '.bin', name);

const steps = [
  ['format, lint and import rules', bin('biome'), ['check', '.']],
  ['types: core', bin('tsc'), ['-p', 'tsconfig.core.json']],
  ['types: edge', bin('tsc'), ['-p', 'tsconfig.edge.json']],
  ['types: all', bin('tsc'), ['-p', 'tsconfig.json']],
  ['build', process.execPath, ['scripts/build.mjs']],
  ['tests', bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]],
  ['dead code', bin('knip'), []],
];

await rm(report, { force: true });
const broken = [];
for (const [name, command, args] of steps) {
  const started = performance.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}, ${seconds} s`);
  if (status !== 0) broken.push(name);
}

const counts = await readFile(report, 'utf8').then(
  (text) => JSON.parse(text),
  () => ({ numPassedTests: 0, numFailedTests: 0 }),
);
// A check that is not a test, and a test file that could not be run, count as one failure each.
const others =
  broken.filter((name) => name !== 'tests').length + (broken.includes('tests') && counts.numFailedTests === 0 ? 1 : 0);
if (broken.length > 0) console.log(`failed: ${broken.join(', ')}`);
console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests + others} failed`);
process.exitCode = broken.length > 0 ? 1 : 0;
