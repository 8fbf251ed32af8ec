import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** The modules in a product, as paths from the project's root. */
function modulesOf(product: string): readonly string[] {
  const { outputs } = JSON.parse(readFileSync(`${dist}meta/${product}.json`, 'utf8')) as {
    outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
  };
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}

/** What only authors need; none of it may reach a function. */
const AUTHOR_TIME = [
  /^src\/cel\/(lexer|parser|macros|checker|inference|env|unparse|encode)\.ts$/,
  /^src\/cel\/index\.ts$/,
  /^src\/policy\/compile\//,
  /^src\/manifest\//,
  /^src\/merge\/(schemas|.*\.json$)/,
  /^src\/cli\//,
  /^node_modules\/yaml\//,
  /^node_modules\/fflate\//,
];

describe('the worker', () => {
  it('is at most 100 kB of gzip, as wrangler counts', () => {
    expect(gzipSync(readFileSync(`${dist}worker/index.mjs`)).length).toBeLessThanOrEqual(100 * 1024);
  });

  it('imports nothing: no Node module, no package', () => {
    const { outputs } = JSON.parse(readFileSync(`${dist}meta/worker.json`, 'utf8')) as {
      outputs: Record<string, { imports: unknown[] }>;
    };
    expect(Object.values(outputs).flatMap(({ imports }) => imports)).toEqual([]);
  });

  it('never makes code out of text, which Workers refuse', () => {
    const found = /(?<![.\w])eval\(|new Function\b|(?<![.\w])Function\(/.exec(
      readFileSync(`${dist}worker/index.mjs`, 'utf8'),
    );
    expect(found?.[0]).toBeUndefined();
  });
});

describe.each(['worker', 'lambda', 'node'])('%s', (product) => {
  it('holds no parser, checker or YAML library', () => {
    const modules = modulesOf(product);
    expect(modules.some((path) => path === 'src/policy/admit.ts')).toBe(true);
    expect(modules.filter((path) => AUTHOR_TIME.some((pattern) => pattern.test(path)))).toEqual([]);
  });
});

it('the expression above knows the author-time modules: the command holds them', () => {
  const modules = modulesOf('postern');
  for (const path of [
    'src/cel/parser.ts',
    'src/cel/checker.ts',
    'src/manifest/load.ts',
    'src/policy/compile/policies.ts',
  ]) {
    expect(modules).toContain(path);
    expect(
      AUTHOR_TIME.some((pattern) => pattern.test(path)),
      path,
    ).toBe(true);
  }
});
