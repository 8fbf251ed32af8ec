import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadCases, runCase } from '../conformance/admission.ts';

const cases = ['traps.jsonl', 'text-lists.jsonl'].flatMap((name) =>
  loadCases(readFileSync(new URL(`../vectors/admission/${name}`, import.meta.url), 'utf8')),
);

test.each(cases.map((one) => [one.id, one] as const))('as the API server decided: %s', (_id, one) => {
  expect(runCase(one)).toEqual([]);
});
