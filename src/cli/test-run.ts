/** Runs a test and compares: what differs, in words. */
import { stringifyJson, type Value } from '#cel/runtime';
import { answerFrom, FactError, type FactSource, type Snapshot } from '#facts';
import { isJsonObject, type Json, type JsonObject, own } from '#kubernetes';
import type { Outcome } from '#policy';
import type { Engine } from '#serve';
import { type Admission, admission, combined } from './admission.ts';
import { InputError } from './io.ts';
import type { Expectation, TestCase } from './test-file.ts';

/** What differs from the expectation; empty when the test passes. */
export async function runTest(engine: Engine, { request, cluster, expect }: TestCase): Promise<readonly string[]> {
  const result = await admission(engine, request, sourceOf(cluster)).catch((error: unknown) => {
    if (error instanceof FactError) return error;
    throw error;
  });
  if (result instanceof FactError) {
    if (expect.error === undefined) return [`could not decide: ${result.message}`];
    return contains(result.message, expect.error) ? [] : [`error: expected ${expect.error}, got ${result.message}`];
  }
  if (expect.error !== undefined)
    return [`expected that it cannot be decided, but it was ${result.allowed ? 'allowed' : 'denied'}`];
  return [...compareVerdict(combined(result), expect), ...compareObject(result, request.object ?? undefined, expect)];
}

/** A cluster that holds what the test says and nothing else, but for the namespaces that requests are in. */
function sourceOf(cluster: Snapshot): FactSource {
  return {
    answer: async (needs) => {
      const namespaces = new Map(needs.namespaces.map((name) => [name, namespaceOf(name)]));
      for (const [name, object] of cluster.namespaces ?? []) namespaces.set(name, object);
      const params = new Map(
        needs.params.map(({ apiVersion, kind }) => [`${apiVersion}/${kind}`, [] as readonly JsonObject[]]),
      );
      for (const [kind, objects] of cluster.params) params.set(kind, objects);
      return answerFrom({ ...cluster, namespaces, params }, needs);
    },
  };
}

function namespaceOf(name: string): JsonObject {
  const labels = { 'kubernetes.io/metadata.name': name };
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}

function compareVerdict({ verdict }: Outcome, expect: Expectation): readonly string[] {
  const { allowed, status, warnings, auditAnnotations } = verdict;
  const differences: string[] = [];
  const message = status?.message ?? '';
  if (expect.allowed !== undefined && expect.allowed !== allowed) {
    differences.push(
      allowed ? 'expected a denial, but it is allowed' : `expected to be allowed, but it is denied: ${message}`,
    );
  }
  if (expect.message !== undefined && !contains(message, expect.message)) {
    differences.push(`message: expected ${expect.message}, got ${message === '' ? 'none' : message}`);
  }
  if (expect.code !== undefined && expect.code !== status?.code)
    differences.push(`code: expected ${expect.code}, got ${status?.code ?? 'none'}`);
  if (expect.reason !== undefined && expect.reason !== (status?.reason ?? '')) {
    differences.push(`reason: expected ${expect.reason}, got ${status?.reason ?? 'none'}`);
  }
  const expected = expect.warnings;
  if (
    expected &&
    !(expected.length === warnings.length && warnings.every((text, index) => contains(text, expected[index] ?? '')))
  ) {
    differences.push(`warnings: expected ${JSON.stringify(expected)}, got ${JSON.stringify(warnings)}`);
  }
  for (const [key, value] of Object.entries(expect.auditAnnotations ?? {})) {
    const found = Object.hasOwn(auditAnnotations, key) ? auditAnnotations[key] : undefined;
    if (found !== value)
      differences.push(
        `audit annotation ${key}: expected ${JSON.stringify(value)}, got ${JSON.stringify(found) ?? 'none'}`,
      );
  }
  return differences;
}

function compareObject(
  { object, outcome, mutated }: Admission,
  original: JsonObject | undefined,
  expect: Expectation,
): readonly string[] {
  const differences: string[] = [];
  if (expect.patched) differences.push(...missing(expect.patched, object, ''));
  if (expect.object && !same(expect.object, object))
    differences.push(`object: expected ${show(expect.object)}, got ${show(object)}`);
  const patch = (mutated ?? outcome).patch;
  if (expect.unchanged && (patch.length > 0 || !same(original ?? null, object))) {
    differences.push(
      `expected the object as it came, but it is changed: ${patch.map(({ op, path }) => `${op} ${path}`).join(', ')}`,
    );
  }
  return differences;
}

/** Where `actual` lacks what `expected` has. */
function missing(expected: Json, actual: Json | undefined, path: string): readonly string[] {
  if (isJsonObject(expected) && isJsonObject(actual)) {
    return Object.keys(expected).flatMap((key) =>
      missing(own(expected, key) ?? null, own(actual, key), `${path}.${key}`),
    );
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item: Json, index) => missing(item, actual[index] as Json, `${path}[${index}]`));
  }
  return same(expected, actual) ? [] : [`object at ${path || '.'}: expected ${show(expected)}, got ${show(actual)}`];
}

function same(left: Json, right: Json | undefined): boolean {
  if (isJsonObject(left) && isJsonObject(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length && keys.every((key) => same(own(left, key) ?? null, own(right, key)))
    );
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item: Json, index) => same(item, right[index] as Json));
  }
  return right !== undefined && stringifyJson(left as Value) === stringifyJson(right as Value);
}

function show(value: Json | undefined): string {
  return value === undefined ? 'nothing' : stringifyJson(value as Value);
}

/** Whether a text has a part, or is found by a `/regular expression/`. */
function contains(text: string, part: string): boolean {
  const [, pattern] = /^\/(.+)\/$/s.exec(part) ?? [];
  return pattern === undefined ? text.includes(part) : regExp(pattern).test(text);
}

/** Throws `InputError` for what is no regular expression. */
export function regExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    throw new InputError(error instanceof Error ? error.message : String(error));
  }
}
