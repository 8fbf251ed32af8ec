/** `npm run fuzz:admission -- --seed N --count M [--oracle <binary>] [--show K]`: random policies, see test/fuzz/admission.ts. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { importSource } from './bundle-module.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '2000' },
    oracle: { type: 'string' },
    show: { type: 'string', default: '20' },
    out: { type: 'string' },
  },
});
const { fuzzAdmission } = await importSource('test/fuzz/admission.ts');
const count = Number(values.count);
const findings = await fuzzAdmission(Number(values.seed), count, values.oracle, (done) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${count}`);
});
if (process.stderr.isTTY) process.stderr.write('\n');
for (const { id, what } of findings.slice(0, Number(values.show))) console.log(`${id}\n  ${what}`);
if (values.out) await writeFile(values.out, findings.map(({ text }) => `${text}\n`).join(''));
console.log(`${count - findings.length} passed, ${findings.length} failed`);
process.exit(findings.length === 0 ? 0 : 1);
