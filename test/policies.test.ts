import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { postern } from '../src/cli/postern.ts';
import type { TestResult } from '../src/cli/test.ts';
import { testIo } from './cli/fake-io.ts';

const root = fileURLToPath(new URL('../policies', import.meta.url));

/** What a folder of a policy that ships must hold. */
const FILES = ['README.md', 'binding.yaml', 'policy.yaml', 'tests.yaml'];

describe.each(readdirSync(root))('policies/%s', (name) => {
  it('has its policy, binding, tests and words', () => {
    expect(readdirSync(`${root}/${name}`)).toEqual(expect.arrayContaining(FILES));
  });

  it('compiles without a warning', async () => {
    const io = testIo();
    expect(await postern(['compile', `${root}/${name}`], io)).toBe(0);
    expect(io.errors()).toBe('');
  });

  it('passes its own tests, at least four', async () => {
    const io = testIo();
    await postern(['test', `${root}/${name}`, '--output', 'json'], io);
    const { results } = JSON.parse(io.output()) as { readonly results: readonly TestResult[] };
    expect(results.filter(({ differences }) => differences.length > 0)).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(4);
  });
});
