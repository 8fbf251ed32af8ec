import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { loadCases, runCase } from './cel.ts';

function cases(path: URL): ReturnType<typeof loadCases> {
  const bytes = readFileSync(path);
  return loadCases((bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8'));
}

describe('vectors of the project', () => {
  test.each(cases(new URL('../vectors/cel/own.jsonl', import.meta.url)))('$id $expr', (one) => {
    expect(runCase(one)).toEqual([]);
  });
});

/** Other people's expressions lie beside the project, and are not part of it. */
describe.each(['policies.jsonl.gz', 'spec.jsonl.gz'])('%s', (name) => {
  const path = new URL(`../../../shared/vectors/cel/${name}`, import.meta.url);
  test.skipIf(!existsSync(path))('every outcome is the API server’s (skipped where the file is missing)', () => {
    const failing = cases(path).flatMap((one) => runCase(one).map((difference) => ({ id: one.id, ...difference })));
    expect(failing).toEqual([]);
  });
});
