/** `npm run bench:admit [-- --ms 200]`: a review against growing policy sets, see test/bench/admit.ts. */
import { parseArgs } from 'node:util';
import { importSource } from './bundle-module.mjs';

const { values } = parseArgs({ options: { ms: { type: 'string', default: '200' } } });
const { runRows } = await importSource('test/bench/admit.ts');
const rows = runRows(Number(values.ms));

console.log(`ns per review (Node ${process.version}); JSON.parse of the review: ${rows[0].parse.toFixed(0)} ns`);
console.log(`${'policies'.padEnd(18)}${'phase'.padEnd(10)}${'admit'.padStart(10)}${'/ parse'.padStart(10)}`);
for (const { name, phase, admit, parse } of rows) {
  const ratio = `${(admit / parse).toFixed(2)}x`;
  console.log(`${name.padEnd(18)}${phase.padEnd(10)}${admit.toFixed(0).padStart(10)}${ratio.padStart(10)}`);
}
for (const phase of ['validate', 'mutate']) {
  const grown = rows.filter((row) => row.phase === phase && row.name.includes(' of ')).map((row) => row.admit);
  const spread = (Math.max(...grown) / Math.min(...grown) - 1) * 100;
  console.log(`${phase}: from 10 to 10,000 policies the slowest is ${spread.toFixed(0)} % above the fastest`);
}
