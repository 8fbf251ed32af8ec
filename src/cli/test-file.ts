/**
 * Files of tests (docs/testing.md): read into requests, what the cluster holds, and what is expected. Everything that
 * is not known is refused, so that a misspelt expectation cannot pass.
 */
import { readSnapshot, type Snapshot } from '#facts';
import { type AdmissionRequest, isJsonObject, type Json, type JsonObject, own, stringAt } from '#kubernetes';
import { InputError } from './io.ts';
import { buildRequest, type ResourceLookup } from './test-request.ts';

export interface TestFile {
  readonly path: string;
  /** Files or folders of manifests, relative to the file; empty: the folder that the file is in. */
  readonly policies: readonly string[];
  readonly tests: readonly JsonObject[];
  /** What all tests of the file share. */
  readonly shared: JsonObject;
}

export interface TestCase {
  readonly name: string;
  readonly request: AdmissionRequest;
  readonly cluster: Snapshot;
  readonly expect: Expectation;
}

export interface Expectation {
  readonly allowed?: boolean;
  /** Part of the message, or all that a `/regular expression/` must find in it. */
  readonly message?: string;
  readonly code?: number;
  readonly reason?: string;
  /** All warnings, in order; each a part of the text or a `/regular expression/`. */
  readonly warnings?: readonly string[];
  /** These annotations, among any others. */
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** Members that the object must have in the end; lists as long as they are here. */
  readonly patched?: JsonObject;
  /** The whole object in the end. */
  readonly object?: JsonObject;
  /** The object is left as it came. */
  readonly unchanged?: true;
  /** That it cannot be decided, and part of why. */
  readonly error?: string;
}

const CLUSTER = ['namespaces', 'params', 'access'];
const FILE = ['policies', 'tests', ...CLUSTER];
const CASE = [
  'name',
  'request',
  'operation',
  'object',
  'oldObject',
  'resource',
  'subResource',
  'namespace',
  'user',
  'dryRun',
  'options',
  'expect',
];
const EXPECT = [
  'allowed',
  'message',
  'code',
  'reason',
  'warnings',
  'auditAnnotations',
  'patched',
  'object',
  'unchanged',
  'error',
];

/** The file of tests in a document. Throws `InputError`. */
export function readTestFile(path: string, document: Json): TestFile {
  const file = Array.isArray(document) ? { tests: document } : document;
  if (!isJsonObject(file)) throw new InputError(`\`${path}\` is neither a list of tests nor an object with \`tests\``);
  checkMembers(path, '', file, FILE);
  const tests = own(file, 'tests');
  if (!Array.isArray(tests) || !tests.every(isJsonObject))
    throw new InputError(`\`${path}\`: \`tests\` must be a list of tests`);
  const policies = own(file, 'policies') ?? [];
  if (!isTexts(policies)) throw new InputError(`\`${path}\`: \`policies\` must be a list of paths`);
  const shared = Object.fromEntries(
    CLUSTER.flatMap((key) => (own(file, key) === undefined ? [] : [[key, own(file, key) ?? null]])),
  );
  return { path, policies, tests, shared };
}

/** One test. Throws `InputError`. */
export function readTestCase(file: TestFile, index: number, resources: ResourceLookup): TestCase {
  const test = file.tests[index] ?? {};
  const name = stringAt(test, 'name');
  const place = name === '' ? `tests[${index}]` : `test \`${name}\``;
  const fail = (why: string): never => {
    throw new InputError(`\`${file.path}\`, ${place}: ${why}`);
  };
  if (name === '') fail('it has no `name`');
  checkMembers(file.path, place, test, [...CASE, ...CLUSTER]);
  const expect = own(test, 'expect');
  if (!isJsonObject(expect) || Object.keys(expect).length === 0) return fail('it has no `expect`');
  checkMembers(file.path, `${place}, expect`, expect, EXPECT);
  try {
    const request = buildRequest(test, resources);
    return { name, request, cluster: clusterOf(file.shared, test), expect: readExpectation(expect) };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** Params may be given as a list of objects; namespaces, params and access of a test replace the file's. */
function clusterOf(shared: JsonObject, test: JsonObject): Snapshot {
  const section = (key: string): Json | undefined => own(test, key) ?? own(shared, key);
  const params = section('params');
  const access = section('access');
  return readSnapshot({
    facts: 1,
    namespaces: section('namespaces') ?? [],
    params: Array.isArray(params) ? byKind(params) : (params ?? {}),
    ...(access === undefined ? {} : { access }),
  });
}

function byKind(objects: readonly Json[]): JsonObject {
  const kinds = new Map<string, Json[]>();
  for (const object of objects) {
    const kind = `${stringAt(object, 'apiVersion')}/${stringAt(object, 'kind')}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), object]);
  }
  return Object.fromEntries(kinds);
}

function readExpectation(expect: JsonObject): Expectation {
  const typed = <T>(
    key: string,
    accepts: (value: Json) => value is T & Json,
    what: string,
  ): { readonly [key: string]: T } => {
    const value = own(expect, key);
    if (value === undefined) return {};
    if (!accepts(value)) throw new InputError(`\`expect.${key}\` must be ${what}`);
    return { [key]: value };
  };
  const isText = (value: Json): value is string => typeof value === 'string';
  const isFlag = (value: Json): value is boolean => typeof value === 'boolean';
  const isTrue = (value: Json): value is true => value === true;
  const isNumber = (value: Json): value is number => typeof value === 'number';
  return {
    ...typed('allowed', isFlag, 'true or false'),
    ...typed('message', isText, 'a text'),
    ...typed('code', isNumber, 'a number'),
    ...typed('reason', isText, 'a text'),
    ...typed('warnings', isTexts, 'a list of texts'),
    ...typed('auditAnnotations', isTextMap, 'an object of texts'),
    ...typed('patched', isJsonObject, 'an object'),
    ...typed('object', isJsonObject, 'an object'),
    ...typed('unchanged', isTrue, 'true'),
    ...typed('error', isText, 'a text'),
  };
}

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isTextMap(value: Json): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string');
}

function checkMembers(path: string, place: string, value: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new InputError(
    `\`${path}\`${place ? `, ${place}` : ''}: unknown member \`${unknown}\`; there are ${known.join(', ')}`,
  );
}
