import { parseType, types } from '#cel';
import {
  CelError,
  CelMap,
  Double,
  Duration,
  functionTable,
  isDouble,
  isInt,
  isJsonMap,
  type JsonMap,
  mapEntries,
  Opaque,
  Optional,
  parseJson,
  planProgram,
  type Result,
  standardLibraries,
  Timestamp,
  TypeValue,
  Uint,
  Unconverted,
  type Value,
} from '#cel/runtime';
import { formatDouble } from '../../src/cel/go-numbers.ts';
import { formatGoDuration } from '../../src/cel/go-value.ts';
import { formatTimestamp } from '../../src/cel/time.ts';
import { compileIn, type ExpressionUse, environment } from '../../src/policy/compile/expression.ts';
import { SLOTS } from '../../src/policy/environment.ts';
import { patchOperations } from '../../src/policy/json-patch-value.ts';
import { AuthorizerValue, jsonPatch, kubernetesLibraries } from '../../src/policy/library/index.ts';
import { nativeLists } from '../../src/policy/native-lists.ts';
import { plainObject } from '../../src/policy/object-plain.ts';
import { JsonPatchValue, ObjectValue, patchStructs, typeNameFaults } from '../../src/policy/object-values.ts';
import { hostText } from './host-text.ts';

/** One expression with what the API server's code made of it. */
export interface CelCase {
  readonly id: string;
  readonly expr: string;
  readonly kind: string;
  readonly vars: JsonMap;
  readonly decls: Readonly<Record<string, string>>;
  readonly params: boolean;
  readonly expect: Expectation;
}

interface Expectation {
  readonly stage: string;
  readonly error?: string;
  readonly type?: string;
  readonly value?: unknown;
  readonly cost?: number;
}

export interface Difference {
  readonly field: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Reads a file of JSON lines. */
export function loadCases(text: string): CelCase[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const record = JSON.parse(line);
      const exact = parseJson(line) as JsonMap;
      return {
        id: record.id,
        expr: record.expr,
        kind: record.kind ?? 'any',
        vars: (exact.vars ?? {}) as JsonMap,
        decls: record.decls ?? {},
        params: record.params !== false,
        expect: record.expect,
      };
    });
}

/** The use whose declared names a kind has, and whether it also fixes the result's type. */
const KINDS: Readonly<Record<string, readonly [ExpressionUse, boolean]>> = {
  any: ['variable', false],
  vap: ['validation', true],
  matchcondition: ['matchCondition', true],
  message: ['message', true],
  audit: ['auditAnnotation', true],
  'map-apply': ['applyConfiguration', true],
  'map-jsonpatch': ['jsonPatch', true],
  'map-any': ['applyConfiguration', false],
};

const RESULTS: Readonly<Record<string, readonly ReturnType<typeof parseType>[]>> = {
  validation: [types.BOOL],
  matchCondition: [types.BOOL],
  message: [types.STRING],
  auditAnnotation: [types.STRING, types.NULL],
  applyConfiguration: [types.structType('Object')],
  jsonPatch: [types.listType(types.structType('JSONPatch'))],
};

const FUNCTIONS = functionTable([...standardLibraries, ...kubernetesLibraries, jsonPatch]);
const LIMIT = 1_000_000;

/** Runs a case; the fields that differ. */
export function runCase(one: CelCase): Difference[] {
  const actual = evaluate(one);
  const differences: Difference[] = [];
  for (const field of ['stage', 'error', 'type', 'value', 'cost'] as const) {
    const expected = one.expect[field];
    if (field === 'cost' && one.expect.stage !== 'eval') continue;
    if (JSON.stringify(canonical(expected)) !== JSON.stringify(canonical(actual[field]))) {
      differences.push({ field, expected, actual: actual[field] });
    }
  }
  return differences;
}

function evaluate(one: CelCase): Expectation {
  const [use, typed] = KINDS[one.kind] ?? ['variable', false];
  const base = environment(use, { params: one.params, variables: [] });
  const declared = Object.entries(one.decls).map(([name, type]) => [name, parseType(type)] as const);
  const env = { ...base, variables: new Map([...base.variables, ...declared]) };
  const slots = [...SLOTS, ...declared.map(([name]) => name)];
  const compiled = compileIn(env, one.expr, typed ? (RESULTS[use] ?? []) : [], slots);
  if (!compiled.ok) {
    const stage = compiled.stage === 'type' ? 'check' : compiled.stage;
    return { stage, error: compiled.error, ...(compiled.typeText === undefined ? {} : { type: compiled.typeText }) };
  }
  const program = planProgram(compiled.code, { slots, functions: FUNCTIONS, structs: patchStructs });
  if ('error' in program) return { stage: 'program', error: program.error };
  const values = slots.map((name) => (Object.hasOwn(one.vars, name) ? one.vars[name] : ABSENT[name]));
  const { value, cost } = program.evaluate(values, LIMIT);
  const type = compiled.typeText;
  if (value instanceof CelError) return { stage: 'eval', error: value.message, type, cost };
  return { stage: 'eval', type, cost, value: tagged(value, values) };
}

/** What names without a value have: objects are null, and the authorizer has no opinion. */
const ABSENT: Readonly<Record<string, Value | undefined>> = {
  object: null,
  oldObject: null,
  request: null,
  params: null,
  namespaceObject: null,
  authorizer: new AuthorizerValue({ check: () => ({ decision: 'NoOpinion' }) }, {}),
};

function tagged(value: Result, roots: readonly (Value | undefined)[]): unknown {
  if (value instanceof CelError) return { error: value.message };
  if (value === null) return { null: null };
  if (typeof value === 'boolean') return { bool: value };
  if (typeof value === 'string') return { string: value };
  if (isInt(value)) return { int: String(BigInt(value)) };
  if (isDouble(value)) return { double: doubleForm(value instanceof Double ? value.value : value) };
  if (value instanceof Uint) return { uint: String(value.value) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (value instanceof Timestamp) return { timestamp: formatTimestamp(new Timestamp(value.nanos)) };
  if (value instanceof Duration) return { duration: formatGoDuration(value.nanos) };
  if (value instanceof TypeValue) return { type: value.name };
  if (value instanceof Optional) return { optional: value.value === undefined ? null : tagged(value.value, roots) };
  if (Array.isArray(value)) return { list: value.map((item) => tagged(item, roots)) };
  if (value instanceof CelMap || (!(value instanceof Opaque) && isJsonMap(value))) {
    return { map: mapEntries(value).map(([key, item]) => [tagged(key, roots), tagged(item, roots)]) };
  }
  if (value instanceof Unconverted) return { error: value.error.message };
  if (value instanceof ObjectValue) return { object: objectForm(value, roots) };
  if (value instanceof JsonPatchValue) return { jsonpatch: patchForm(value, roots) };
  return { opaque: { type: (value as Opaque).typeName, text: hostText(value as Opaque) } };
}

function objectForm(value: ObjectValue, roots: readonly (Value | undefined)[]): unknown {
  const plain = plainObject(value, nativeLists(roots));
  const faults = typeNameFaults(value, value.typeName);
  return {
    type: value.typeName,
    ...(plain.error === undefined ? { value: plain.object } : { error: plain.error }),
    ...(faults.length > 0 ? { typeMismatch: faults.join('\n') } : {}),
  };
}

function patchForm(patch: JsonPatchValue, roots: readonly (Value | undefined)[]): unknown {
  const { op, path, from, value } = patch;
  const operations = value === undefined ? undefined : patchOperations([patch], nativeLists(roots));
  return {
    op,
    path,
    ...(from === '' ? {} : { from }),
    ...(value === undefined ? {} : { value: tagged(value, roots) }),
    ...(operations && 'operations' in operations ? { json: operations.operations?.[0]?.value } : {}),
  };
}

function doubleForm(value: number): unknown {
  return Number.isFinite(value) ? value : formatDouble(value);
}

/** Objects with their keys in order, map pairs sorted, and Go's -0 as 0: a form in which equal values have equal text. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Double) return value.value;
  // Go prints a format with an address in memory.
  if ((value as { type?: unknown }).type === 'kubernetes.NamedFormat') return { type: 'kubernetes.NamedFormat' };
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.map(([key, item]) => [key, key === 'map' && Array.isArray(item) ? sortedPairs(item) : canonical(item)]),
  );
}

function sortedPairs(pairs: readonly unknown[]): unknown {
  return pairs.map(canonical).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
