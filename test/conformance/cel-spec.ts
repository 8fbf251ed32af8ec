import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { createEnv, parseType, sameType, types } from '#cel';
import {
  CelError,
  CelMap,
  type Duration,
  double,
  equal,
  functionTable,
  planProgram,
  type Result,
  standardLibraries,
  TypeValue,
  typeName,
  Uint,
  type Value,
} from '#cel/runtime';
import { parseDuration, parseTimestamp } from '../../src/cel/time.ts';
import { normalizeInt } from '../../src/cel/values.ts';
import { kubernetesStructs } from '../../src/policy/compile/declared-types.ts';
import { compileIn } from '../../src/policy/compile/expression.ts';
import { kubernetesLibraries } from '../../src/policy/library/index.ts';
import { patchStructs } from '../../src/policy/object-values.ts';

/** One test of the language's own suite, in the JSON form of `cel.expr.conformance.test.SimpleTest`. */
export interface SpecTest {
  /** `file/section/test`. */
  readonly path: string;
  readonly expr: string;
  readonly value?: Json;
  readonly evalError?: Json;
  readonly typeEnv?: readonly Json[];
  readonly bindings?: Readonly<Record<string, { readonly value?: Json }>>;
  readonly typedResult?: { readonly result?: Json; readonly deducedType?: Json };
  readonly anyEvalErrors?: Json;
}

// biome-ignore lint/suspicious/noExplicitAny: the suite's JSON, whose shape the readers below give
type Json = any;

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: Omit<SpecTest, 'path'> & { readonly name?: string } }[];
}

/** All tests of the suite; a name that stands twice in its section gets a number. */
export function specTests(): SpecTest[] {
  const found: SpecTest[] = [];
  const seen = new Map<string, number>();
  const collect = (suite: Suite, prefix: string): void => {
    for (const inner of suite.suites ?? []) collect(inner, prefix === '' ? inner.name : `${prefix}/${inner.name}`);
    for (const { original } of suite.tests ?? []) {
      const path = `${prefix}/${original.name ?? original.expr}`;
      const count = (seen.get(path) ?? 0) + 1;
      seen.set(path, count);
      found.push({ ...original, path: count === 1 ? path : `${path}#${count}` });
    }
  };
  collect(conformance as Suite, '');
  return found;
}

const LIBRARIES = [...standardLibraries, ...kubernetesLibraries];
const FUNCTIONS = functionTable(LIBRARIES);
const LIMIT = 1_000_000;

/** What differs from the suite's expectation; `undefined` when nothing does. */
export function specFault(test: SpecTest): string | undefined {
  const declared = (test.typeEnv ?? []).filter((entry) => entry.ident);
  const names = declared.map((entry) => String(entry.name));
  let variables: ReadonlyMap<string, ReturnType<typeof parseType>>;
  try {
    variables = new Map(declared.map((entry) => [String(entry.name), declaredType(entry.ident.type)]));
  } catch (error) {
    return `type environment: ${String(error)}`;
  }
  const env = createEnv({ variables, libraries: LIBRARIES, structs: kubernetesStructs(new Map(), false) });
  const compiled = compileIn(env, test.expr, [], names);
  const expectsError = test.evalError !== undefined || test.anyEvalErrors !== undefined;
  if (!compiled.ok) return expectsError ? undefined : compiled.error;
  const deduced = test.typedResult?.deducedType;
  if (deduced && !sameType(declaredType(deduced), compiled.type)) return `type ${compiled.typeText}`;
  const result = test.value ?? test.typedResult?.result ?? (deduced || expectsError ? undefined : { boolValue: true });
  if (result === undefined && !expectsError) return undefined;
  const program = planProgram(compiled.code, { slots: names, functions: FUNCTIONS, structs: patchStructs });
  if ('error' in program) return expectsError ? undefined : program.error;
  const slots = names.map((name) => {
    const binding = test.bindings?.[name]?.value;
    return binding === undefined ? undefined : fromJson(binding);
  });
  const { value } = program.evaluate(slots, LIMIT);
  if (expectsError) return value instanceof CelError ? undefined : 'a value where an error is due';
  if (value instanceof CelError) return value.message;
  const expected = fromJson(result);
  return same(value, expected) ? undefined : `${describe(value)}, expected ${describe(expected)}`;
}

function describe(value: Value): string {
  return `${typeName(value)} ${JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item))}`;
}

/** Same type and equal; NaN is itself here, and zeros keep their sign. */
function same(actual: Result, expected: Value): boolean {
  if (actual instanceof CelError || typeName(actual) !== typeName(expected)) return false;
  if (typeof actual === 'number' && Number.isNaN(actual)) return Number.isNaN(expected as number);
  return equal(actual, expected) === true;
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  BOOL: 'bool',
  INT64: 'int',
  UINT64: 'uint',
  DOUBLE: 'double',
  STRING: 'string',
  BYTES: 'bytes',
};

function declaredType(type: Json): ReturnType<typeof parseType> {
  if (type.primitive) return parseType(PRIMITIVES[type.primitive] as string);
  if (type.wellKnown) return parseType(type.wellKnown.toLowerCase());
  if (type.listType) return types.listType(declaredType(type.listType.elemType));
  if (type.mapType) return types.mapType(declaredType(type.mapType.keyType), declaredType(type.mapType.valueType));
  if (type.dyn) return types.DYN;
  const message = type.messageType && types.wellKnown(type.messageType);
  if (message) return message.type;
  if (type.abstractType?.name === 'optional_type')
    return types.optionalType(declaredType(type.abstractType.parameterTypes[0]));
  if (type.null !== undefined) return types.NULL;
  throw new Error(`no counterpart of ${JSON.stringify(type)}`);
}

function fromJson(json: Json): Value {
  const [kind, body] = Object.entries(json)[0] as [string, Json];
  switch (kind) {
    case 'int64Value':
    case 'enumValue':
      return normalizeInt(BigInt(kind === 'enumValue' ? (body.value ?? 0) : body));
    case 'uint64Value':
      return new Uint(BigInt(body));
    case 'doubleValue':
      return double(Number(body));
    case 'stringValue':
    case 'boolValue':
      return body;
    case 'bytesValue':
      return new Uint8Array(Buffer.from(body, 'base64'));
    case 'nullValue':
      return null;
    case 'listValue':
      return (body.values ?? []).map(fromJson);
    case 'mapValue':
      return new CelMap((body.entries ?? []).map((entry: Json) => [fromJson(entry.key), fromJson(entry.value)]));
    case 'typeValue':
      return new TypeValue(body);
    case 'objectValue':
      return wellKnownValue(body);
    default:
      throw new Error(`no counterpart of ${kind}`);
  }
}

function wellKnownValue(body: Json): Value {
  const type = String(body['@type']).replace('type.googleapis.com/google.protobuf.', '');
  if (type === 'Duration') return parseDuration(body.value) as Duration;
  if (type === 'Timestamp') return parseTimestamp(body.value) as Value;
  return new TypeValue(`message ${type}`);
}
