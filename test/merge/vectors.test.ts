import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { loadCases, runCase } from '../conformance/merge.ts';

function read(name: string): string {
  const bytes = readFileSync(new URL(`../vectors/merge/${name}`, import.meta.url));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

describe('structured merge gives what the API server gave', () => {
  test.each(['examples.jsonl', 'kinds.jsonl.gz', 'random.json.gz'])('%s', (name) => {
    const failures = loadCases(read(name)).flatMap((one) =>
      runCase(one).map((difference) => ({ id: one.id, difference })),
    );
    expect(failures).toEqual([]);
  });
});
