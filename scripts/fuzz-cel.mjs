/** `npm run fuzz:cel -- --seed N --count M [--oracle <binary>] [--show K]`: random expressions, see test/fuzz/cel.ts. */
import { parseArgs } from 'node:util';
import { importSource } from './bundle-module.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '10000' },
    oracle: { type: 'string' },
    show: { type: 'string', default: '20' },
  },
});
const { fuzzCel } = await importSource('test/fuzz/cel.ts');
const count = Number(values.count);
const findings = await fuzzCel(Number(values.seed), count, values.oracle, (done) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${count}`);
});
if (process.stderr.isTTY) process.stderr.write('\n');
for (const { expression, what } of findings.slice(0, Number(values.show))) console.log(`${expression}\n  ${what}`);
console.log(`${count - findings.length} passed, ${findings.length} failed`);
process.exit(findings.length === 0 ? 0 : 1);
