/**
 * Structured merge against what the API server's code gave: examples (kind, live, apply), random objects of built-in
 * kinds, and random schemas in structured-merge-diff's own form.
 *
 * Error texts are compared up to `, got`, since the rest is a Go dump; several errors come in any order.
 */
import { applyConfiguration, EMPTY_LITERAL, link, type MergeSchema, type PlainMap } from '#merge';
import { builtinSchema } from '#merge/schemas';
import { merge } from '../../src/merge/merge.ts';
import { lookup } from '../../src/merge/schema.ts';
import { validate } from '../../src/merge/validate.ts';
import { type SmdType, storedFromSmd } from './smd-schema.ts';

interface Case {
  readonly id: string;
  readonly expected: Outcome;
  readonly run: () => Outcome;
  /** Why the row cannot be run from data alone. */
  readonly skip?: string;
}

type Outcome = { readonly result: unknown } | { readonly error: string };

interface Difference {
  readonly field: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly live: PlainMap;
  readonly expression?: string;
  readonly apply?: PlainMap;
  readonly result?: unknown;
  readonly error?: string;
}

interface RandomFile {
  readonly schemas: readonly (readonly SmdType[])[];
  readonly cases: readonly RandomRow[];
}

interface RandomRow {
  readonly id: string;
  readonly t: number;
  readonly type: string;
  readonly lhs: unknown;
  readonly rhs: unknown;
  readonly result?: unknown;
  readonly error?: string;
}

const unbox = (): undefined => undefined;

/** The cases of one file, whichever of the three forms it has. */
export function loadCases(text: string): Case[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const first: unknown = JSON.parse(lines.length === 1 ? text : (lines[0] ?? 'null'));
  if (isRandomFile(first)) return randomCases(first);
  const schema = link(builtinSchema());
  return lines.map((line) => exampleCase(JSON.parse(line) as Row, schema));
}

function isRandomFile(value: unknown): value is RandomFile {
  return typeof value === 'object' && value !== null && 'schemas' in value && 'cases' in value;
}

/** The fields in which a case differs; none when it passes. */
export function runCase(one: Case): Difference[] {
  if (one.skip !== undefined) return [];
  const actual = one.run();
  const expected = one.expected;
  if ('error' in expected) {
    const texts = { expected: errorSet(expected.error), actual: 'error' in actual ? errorSet(actual.error) : actual };
    return canonical(texts.expected) === canonical(texts.actual) ? [] : [{ field: 'error', ...texts }];
  }
  const value = 'error' in actual ? actual : actual.result;
  return canonical(value) === canonical(expected.result)
    ? []
    : [{ field: 'result', expected: expected.result, actual: value }];
}

function exampleCase(row: Row, schema: MergeSchema): Case {
  const slash = row.kind.lastIndexOf('/');
  const kind = { apiVersion: row.kind.slice(0, slash), kind: row.kind.slice(slash + 1) };
  const literal = row.expression !== undefined;
  const one = {
    id: row.id,
    expected: row.error === undefined ? { result: row.result } : { error: row.error },
    run: (): Outcome => {
      const apply = literal ? literals(row.apply) : row.apply;
      const outcome = applyConfiguration(schema, kind, row.live, apply as PlainMap);
      return 'error' in outcome ? { error: errorText(outcome.error) } : { result: outcome.object };
    },
  };
  const skip = row.apply === undefined ? 'no `apply`: the value comes from CEL' : SKIPPED.get(row.id);
  return skip === undefined ? one : { ...one, skip };

  function errorText(text: string): string {
    return literal ? `error applying patch: ${text}` : text;
  }
}

/** Rows whose `apply` does not show what the expression yields. */
const SKIPPED: ReadonlyMap<string, string> = new Map([
  ['E08', 'a map literal in a list literal is no data; `apply` shows it as a map'],
  ['E72', 'a map literal in a map literal is no data; `apply` shows it as a map'],
  ['E87', 'the type names of an Object are checked before any merge'],
]);

/** An expression's empty list literals, as the conversion from CEL marks them. */
function literals(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? EMPTY_LITERAL : value.map(literals);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literals(item)]));
}

function randomCases(file: RandomFile): Case[] {
  const schemas = file.schemas.map((types) => link(storedFromSmd(types)));
  return file.cases.map((row) => ({
    id: row.id,
    expected: row.error === undefined ? { result: row.result } : { error: row.error },
    run: (): Outcome => {
      const schema = schemas[row.t];
      const found = schema === undefined ? undefined : lookup(schema, 'smd', row.type);
      if (found?.kind !== 'found') return { error: `no type ${row.type}` };
      const faults =
        validate(found.node, row.rhs, { unbox, duplicates: false }) ??
        validate(found.node, row.lhs, { unbox, duplicates: true });
      return faults === undefined ? { result: merge(found.node, row.lhs, row.rhs, unbox) } : { error: faults };
    },
  }));
}

function errorSet(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !line.endsWith('errors:'))
    .map((line) => line.trim().replace(/, got .*$/s, ', got …'))
    .map((line) => line.split(', ').sort().join(', '))
    .sort();
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
