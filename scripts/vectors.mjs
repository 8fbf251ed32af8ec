/**
 * Runs a file of vectors: `npm run vectors -- <suite> <file> [--out failures.jsonl] [--filter <id or regex>] [--limit N]`.
 *
 * A suite is a module `test/conformance/<suite>.ts` with `loadCases(text)` → cases with an `id`, and `runCase(case)` →
 * the fields that differ, each `{field, expected, actual}`; no field means that the case passed.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { importSource, root } from './bundle-module.mjs';

const folder = join(root, 'test', 'conformance');

function usage(message) {
  process.stderr.write(
    `${message}\nusage: npm run vectors -- <suite> <file> [--out failures.jsonl] [--filter <id or regex>] [--limit N]\n`,
  );
  process.exit(2);
}

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { out: { type: 'string' }, filter: { type: 'string' }, limit: { type: 'string' } },
    });
  } catch (error) {
    return usage(error.message);
  }
}

const { values, positionals } = options();
const [suite, file] = positionals;
if (!suite || !file || positionals.length > 2) usage('a suite and a file are needed');
const suites = (await readdir(folder).catch(() => []))
  .filter((name) => /^[a-z]+\.ts$/.test(name))
  .map((name) => name.slice(0, -3));
if (!suites.includes(suite)) usage(`no suite \`${suite}\`; there are: ${suites.join(', ') || 'none'}`);

const { loadCases, runCase } = await importSource(`test/conformance/${suite}.ts`);
const bytes = await readFile(file).catch((error) => usage(`cannot read \`${file}\`: ${error.message}`));
const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');

const cases = loadCases(text);
const wanted = values.filter === undefined ? cases : selected(cases, values.filter);
const limit = values.limit === undefined ? wanted.length : Number(values.limit);

/** The case with exactly that id, otherwise all whose id the expression finds. */
function selected(all, filter) {
  const exact = all.filter((one) => String(one.id) === filter);
  if (exact.length > 0) return exact;
  const pattern = new RegExp(filter);
  return all.filter((one) => pattern.test(String(one.id)));
}

const failures = [];
let passed = 0;
let failed = 0;
for (const one of wanted.slice(0, limit)) {
  const differences = differencesOf(one);
  if (differences.length === 0) passed++;
  else failed++;
  for (const difference of differences) failures.push({ id: one.id, ...difference });
}

function differencesOf(one) {
  try {
    return runCase(one);
  } catch (error) {
    return [{ field: 'exception', expected: 'none', actual: String(error?.stack ?? error) }];
  }
}

const printable = (_, value) => (typeof value === 'bigint' ? `${value}n` : value);
if (values.out)
  await writeFile(values.out, failures.map((failure) => `${JSON.stringify(failure, printable)}\n`).join(''));
process.stdout.write(`${passed} passed, ${failed} failed\n`, () => process.exit(failed > 0 ? 1 : 0));
