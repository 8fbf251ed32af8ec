/**
 * Structured merge against what the API server's code gave: examples (kind, live, expression, apply), random objects of
 * built-in kinds, and random schemas in structured-merge-diff's own form.
 *
 * An example is run twice: its expression through the whole engine, and its `apply` through the merge alone. The latter
 * only where `apply` can show what the expression yields: values that are no data are refused before any merge.
 *
 * Error texts are compared up to `, got`, since the rest is a Go dump; several errors come in any order.
 */
import type { JsonObject } from '#kubernetes';
import { applyConfiguration, EMPTY_LITERAL, link, type MergeSchema, type PlainMap } from '#merge';
import { builtinSchema } from '#merge/schemas';
import { merge } from '../../src/merge/merge.ts';
import { lookup } from '../../src/merge/schema.ts';
import { validate } from '../../src/merge/validate.ts';
import { mutateByExpression } from './merge-engine.ts';
import { type SmdType, storedFromSmd } from './smd-schema.ts';

interface Case {
  readonly id: string;
  readonly run: () => Difference[];
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
  readonly typedResult?: unknown;
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
  return one.run();
}

function compare(field: string, expected: Outcome, actual: Outcome): Difference[] {
  const wanted = comparable(expected);
  const found = comparable(actual);
  return canonical(wanted) === canonical(found) ? [] : [{ field, expected: wanted, actual: found }];
}

function comparable(outcome: Outcome): unknown {
  return 'error' in outcome ? { error: errorSet(outcome.error) } : outcome.result;
}

function exampleCase(row: Row, schema: MergeSchema): Case {
  const slash = row.kind.lastIndexOf('/');
  const kind = { apiVersion: row.kind.slice(0, slash), kind: row.kind.slice(slash + 1) };
  const { expression, error } = row;
  const expected: Outcome = error === undefined ? { result: row.result } : { error };
  return { id: row.id, run: () => [...byMerge(), ...byEngine()] };

  function byMerge(): Difference[] {
    if (row.apply === undefined || (expression !== undefined && isRefusedBefore(error))) return [];
    const apply = expression === undefined ? row.apply : literals(row.apply);
    const outcome = applyConfiguration(schema, kind, row.live, apply);
    if ('object' in outcome) return compare('merge', expected, { result: outcome.object });
    const prefix = expression === undefined ? '' : 'error applying patch: ';
    return compare('merge', expected, { error: `${prefix}${outcome.error}` });
  }

  function byEngine(): Difference[] {
    if (expression === undefined) return [];
    const outcome = mutateByExpression(kind.apiVersion, kind.kind, row.live as JsonObject, expression);
    if ('error' in expected) return compare('engine', expected, outcome);
    const typed = { result: withoutEmpty(row.typedResult ?? row.result) };
    return compare('engine', typed, 'error' in outcome ? outcome : { result: withoutEmpty(outcome.result) });
  }
}

/** Whether values or types that `apply` cannot show may be the reason of an error. */
function isRefusedBefore(error: string | undefined): boolean {
  return error !== undefined && /^(error applying patch: failed to convert patch object|type mismatch)/.test(error);
}

/** A built-in object without what its Go type may or may not write. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)));
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** An expression's empty list literals, as the conversion from CEL marks them. */
function literals(map: PlainMap): PlainMap {
  return Object.fromEntries(Object.entries(map).map(([key, item]) => [key, literal(item)]));
}

function literal(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? EMPTY_LITERAL : value.map(literal);
  return typeof value === 'object' && value !== null ? literals({ ...value }) : value;
}

function randomCases(file: RandomFile): Case[] {
  const schemas = file.schemas.map((types) => link(storedFromSmd(types)));
  return file.cases.map((row) => {
    const expected: Outcome = row.error === undefined ? { result: row.result } : { error: row.error };
    return { id: row.id, run: () => compare('merge', expected, runRandom(schemas[row.t], row)) };
  });
}

function runRandom(schema: MergeSchema | undefined, row: RandomRow): Outcome {
  const found = schema === undefined ? undefined : lookup(schema, 'smd', row.type);
  if (found?.kind !== 'found') return { error: `no type ${row.type}` };
  const faults =
    validate(found.node, row.rhs, { unbox, duplicates: false }) ??
    validate(found.node, row.lhs, { unbox, duplicates: true });
  return faults === undefined ? { result: merge(found.node, row.lhs, row.rhs, unbox) } : { error: faults };
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
