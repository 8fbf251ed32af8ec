import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { specFault, specTests } from './cel-spec.ts';

/** Test path → why postern does otherwise. */
const skips = new Map(
  readFileSync(new URL('cel-spec-skips.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t') as [string, string]),
);

const tests = specTests();
const sections = new Map<string, typeof tests>();
for (const one of tests) {
  const section = one.path.split('/').slice(0, 2).join('/');
  sections.set(section, [...(sections.get(section) ?? []), one]);
}

describe("the language's own suite", () => {
  test('the skip list names tests that there are', () => {
    const paths = new Set(tests.map((one) => one.path));
    expect([...skips.keys()].filter((path) => !paths.has(path))).toEqual([]);
  });

  test.each([...sections])('%s', (_, group) => {
    const failing = group.flatMap((one) => {
      const fault = specFault(one);
      if (skips.has(one.path)) return fault === undefined ? [`${one.path} passes: take it off the skip list`] : [];
      return fault === undefined ? [] : [`${one.path}: ${one.expr}: ${fault}`];
    });
    expect(failing).toEqual([]);
  });
});
