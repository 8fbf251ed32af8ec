/** `npm run bench:cel [-- --ms 40]`: postern's CEL against a hand-written floor and the npm engines, in one run. */
import { parseArgs } from 'node:util';
import { importSource } from './bundle-module.mjs';

const { values } = parseArgs({ options: { ms: { type: 'string', default: '40' } } });
const batchMs = Number(values.ms);
const { runRows, loadRows, allocations } = await importSource('test/bench/cel.ts');

const engines = ['postern', 'marcbachmann', 'bufbuild', 'celJs'];
const cell = (value, width) => (value === undefined ? '-' : value.toFixed(value < 100 ? 1 : 0)).padStart(width);
const geomean = (numbers) => Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);

console.log(`ns per evaluation, and ratio to the hand-written floor (Node ${process.version})`);
console.log(`${'expression'.padEnd(18)}${'floor'.padStart(9)}${engines.map((name) => name.padStart(20)).join('')}`);
const rows = runRows(batchMs, (row) => {
  const cells = engines.map((name) => {
    const value = row[name];
    return `${cell(value, 11)} (${value === undefined ? '-' : `${cell(value / row.floor, 5)}x`})`.padStart(20);
  });
  console.log(`${`${row.name} (${row.containers})`.padEnd(18)}${cell(row.floor, 9)}${cells.join('')}`);
});
for (const name of engines) {
  const ran = rows.filter((row) => row[name] !== undefined);
  const slower = ran.filter((row) => row[name] < row.postern).map((row) => `${row.name} (${row.containers})`);
  const note =
    name === 'postern' ? '' : `; faster than postern on ${slower.length === 0 ? 'no row' : slower.join(', ')}`;
  console.log(
    `geomean ${name}: ${geomean(ran.map((row) => row[name] / row.floor)).toFixed(2)}x the floor on ${ran.length} rows${note}`,
  );
}

console.log('\ndecode and plan of stored code, against JSON.parse of its text');
const loads = loadRows(batchMs);
for (const { name, parse, plan } of loads) {
  console.log(`${name.padEnd(18)}${cell(parse, 9)} ns ${cell(plan, 9)} ns ${(plan / parse).toFixed(2).padStart(7)}x`);
}
const total = (key) => loads.reduce((sum, row) => sum + row[key], 0);
console.log(`all ten: ${(total('plan') / total('parse')).toFixed(2)}x`);

console.log('\nbytes allocated per evaluation (1 container)');
for (const { name, bytes } of allocations()) console.log(`${name.padEnd(18)}${bytes.toFixed(0).padStart(9)}`);
