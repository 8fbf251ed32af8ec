/**
 * Applies JSON Patch operations by the API server's rules, which are not quite RFC 6902.
 *
 * API server: json-patch v4.13 patch.go as policy/mutating/patch/json_patch.go calls it. What differs from the RFC:
 * `replace` adds missing keys, negative indexes count from the end, text before the first slash is ignored, a copied
 * missing key is null, a failing `test` skips the whole patch.
 */
import { existingIndex, insertionIndex } from './array-index.ts';
import { type Container, child, type Document, openDocument, STORED_NULL, setOwn } from './document.ts';
import { jsonSize } from './json-size.ts';
import { isList, isPlainMap, type Operation, type Unbox } from './operation.ts';
import { pointerTokens } from './pointer.ts';
import { isDecodable, undecodable } from './quoted-text.ts';
import { nodeEquals, UpstreamPanic } from './test-equality.ts';

/** How a patch ended. Texts are the API server's from behind `JSON Patch: `. */
export type PatchResult =
  | { readonly kind: 'patched'; readonly document: unknown }
  /** A `test` did not hold: nothing is changed and there is no error. */
  | { readonly kind: 'test-failed' }
  | { readonly kind: 'error'; readonly error: string }
  /** The API server's code would panic, which its client sees as a 500. */
  | { readonly kind: 'panic' };

/** The API server's limit on what all `copy` operations of a patch may add, in bytes of JSON. */
const COPY_LIMIT = 3 * 1024 * 1024;

const MISSING = 'missing value';

/** One operation's failure. */
type Failure = { readonly error: string } | 'test-failed' | undefined;

interface Patching {
  readonly document: Document;
  readonly unbox: Unbox;
  copiedBytes: number;
}

/** Applies all operations or none. The document is not changed; the result shares with it what was not touched. */
export function applyPatch(
  document: unknown,
  operations: readonly Operation[],
  unbox: Unbox = () => undefined,
): PatchResult {
  const patching: Patching = { document: openDocument(document), unbox, copiedBytes: 0 };
  try {
    for (const operation of operations) {
      const failure = applyOperation(patching, operation);
      if (failure === 'test-failed') return { kind: 'test-failed' };
      if (failure !== undefined) return { kind: 'error', error: failure.error };
    }
  } catch (panic) {
    if (panic instanceof UpstreamPanic) return { kind: 'panic' };
    throw panic;
  }
  return { kind: 'patched', document: patching.document.close(operations.some(storesNull)) };
}

function applyOperation(patching: Patching, operation: Operation): Failure {
  const op = isDecodable(operation.op) ? operation.op : 'unknown';
  switch (op) {
    case 'add':
    case 'remove':
    case 'replace':
    case 'test':
      if (!isDecodable(operation.path)) return { error: `${op} operation failed to decode path: ${MISSING}` };
      return DIRECT[op](patching, operation);
    case 'move':
    case 'copy':
      return transfer(patching, operation, op);
    default:
      return { error: `Unexpected kind: ${op}` };
  }
}

const DIRECT = { add, remove, replace, test: testValue };

function add({ document }: Patching, operation: Operation): Failure {
  const { path } = operation;
  const tokens = pointerTokens(path);
  const container = tokens === undefined ? undefined : document.container(tokens);
  if (tokens === undefined || container === undefined) {
    return { error: `add operation does not apply: doc is missing path: "${path}": ${MISSING}` };
  }
  const error = insert(document, tokens, container, givenNode(operation));
  return error === undefined ? undefined : { error: `error in add for path: '${path}': ${error}` };
}

function remove({ document }: Patching, { path }: Operation): Failure {
  const tokens = pointerTokens(path);
  const container = tokens === undefined ? undefined : document.container(tokens);
  if (tokens === undefined || container === undefined) {
    return { error: `remove operation does not apply: doc is missing path: "${path}": ${MISSING}` };
  }
  const error = drop(document, tokens, container);
  return error === undefined ? undefined : { error: `error in remove for path: '${path}': ${error}` };
}

function replace({ document }: Patching, operation: Operation): Failure {
  const { path } = operation;
  if (path === '') return replaceAll(document, operation);
  const tokens = pointerTokens(path);
  const container = tokens === undefined ? undefined : document.container(tokens);
  if (tokens === undefined || container === undefined) {
    return { error: `replace operation does not apply: doc is missing path: ${path}: ${MISSING}` };
  }
  if (!isList(container)) {
    insert(document, tokens, container, givenNode(operation));
    return undefined;
  }
  const found = existingIndex(lastOf(tokens), container.length);
  if ('error' in found) return { error: `replace operation does not apply: doc is missing key: ${path}: ${MISSING}` };
  const list = document.writable(tokens);
  if (Array.isArray(list)) list[found.index] = givenNode(operation);
  return undefined;
}

function replaceAll(document: Document, operation: Operation): Failure {
  const node = givenNode(operation);
  if (!Object.hasOwn(operation, 'value')) throw new UpstreamPanic('replace of all without a value');
  if (!isList(node) && !isPlainMap(node) && node !== STORED_NULL) {
    return { error: 'replace operation value must be object or array: %!w(<nil>)' }; // k8s: a formatted nil error
  }
  document.reset(node);
  return undefined;
}

function testValue({ document, unbox }: Patching, operation: Operation): Failure {
  const { path } = operation;
  const given = Object.hasOwn(operation, 'value');
  if (path === '') {
    if (!given) throw new UpstreamPanic('test of all without a value');
    return nodeEquals(document.root, operation.value, unbox) ? undefined : 'test-failed';
  }
  const tokens = pointerTokens(path);
  const container = tokens === undefined ? undefined : document.container(tokens);
  if (tokens === undefined || container === undefined) {
    return { error: `test operation does not apply: is missing path: ${path}: ${MISSING}` };
  }
  const bad = badIndex(container, lastOf(tokens));
  if (bad !== undefined) return { error: `error in test for path: '${path}': ${bad}` };
  const node = child(container, lastOf(tokens));
  if (node === undefined || !given) return node === undefined && !given ? undefined : 'test-failed';
  return nodeEquals(node, operation.value, unbox) ? undefined : 'test-failed';
}

function transfer(patching: Patching, operation: Operation, op: 'move' | 'copy'): Failure {
  const { document } = patching;
  const { path } = operation;
  const from = operation.from ?? '';
  if (from === '') {
    return { error: `${op} operation failed to decode from: operation, missing from field: ${MISSING}` };
  }
  if (!isDecodable(from)) return { error: `${op} operation failed to decode from: ${undecodable(from)}` };
  const source = pointerTokens(from);
  const container = source === undefined ? undefined : document.container(source);
  if (source === undefined || container === undefined) {
    return { error: `${op} operation does not apply: doc is missing from path: ${from}: ${MISSING}` };
  }
  const key = lastOf(source);
  const bad = badIndex(container, key);
  const node = child(container, key) ?? null;
  if (op === 'move') {
    const error = bad ?? drop(document, source, container);
    if (error !== undefined) return { error: `error in move for path: '${key}': ${error}` };
  } else if (bad !== undefined) {
    return { error: `error in copy for from: '${from}': ${bad}` };
  }
  if (!isDecodable(path)) return { error: `${op} operation failed to decode path: ${MISSING}` };
  const tokens = pointerTokens(path);
  const target = tokens === undefined ? undefined : document.container(tokens);
  if (tokens === undefined || target === undefined) {
    return { error: `${op} operation does not apply: doc is missing destination path: ${path}: ${MISSING}` };
  }
  if (op === 'copy') {
    const excess = countCopy(patching, node);
    if (excess !== undefined) return excess;
    document.shared();
  }
  const error = insert(document, tokens, target, node);
  if (error === undefined) return undefined;
  return { error: op === 'move' ? `error in move for path: '${path}': ${error}` : `${COPY_ADD}: ${error}` };
}

const COPY_ADD = 'error while adding value during copy';

function countCopy(patching: Patching, node: unknown): Failure {
  if (node === null) return undefined;
  patching.copiedBytes += jsonSize(node, COPY_LIMIT, patching.unbox);
  if (patching.copiedBytes <= COPY_LIMIT) return undefined;
  const size = `${patching.copiedBytes}, exceeding the limit ${COPY_LIMIT}`;
  return { error: `Unable to complete the copy, the accumulated size increase of copy is ${size}` };
}

function storesNull(operation: Operation): boolean {
  return Object.hasOwn(operation, 'value') && operation.value === null;
}

/** The node of an operation's value: null when there is none, a stored null when it is null. */
function givenNode(operation: Operation): unknown {
  if (!Object.hasOwn(operation, 'value')) return null;
  return operation.value === null ? STORED_NULL : operation.value;
}

function lastOf(tokens: readonly string[]): string {
  return tokens[tokens.length - 1] ?? '';
}

/** Why a token finds nothing in a list; maps have every key, if only as nothing. */
function badIndex(container: Container, token: string): string | undefined {
  if (!isList(container)) return undefined;
  const found = existingIndex(token, container.length);
  return 'error' in found ? found.error : undefined;
}

function insert(
  document: Document,
  tokens: readonly string[],
  container: Container,
  node: unknown,
): string | undefined {
  if (container === STORED_NULL) throw new UpstreamPanic('key set in a stored null');
  const token = lastOf(tokens);
  if (isList(container)) {
    const found = insertionIndex(token, container.length);
    if ('error' in found) return found.error;
    const list = document.writable(tokens);
    if (Array.isArray(list)) list.splice(found.index, 0, node);
    return undefined;
  }
  const map = document.writable(tokens);
  if (!Array.isArray(map)) setOwn(map, token, node);
  return undefined;
}

function drop(document: Document, tokens: readonly string[], container: Container): string | undefined {
  const token = lastOf(tokens);
  if (isList(container)) {
    const found = existingIndex(token, container.length);
    if ('error' in found) return found.error;
    const list = document.writable(tokens);
    if (Array.isArray(list)) list.splice(found.index, 1);
    return undefined;
  }
  if (container === STORED_NULL || !Object.hasOwn(container, token)) {
    return `Unable to remove nonexistent key: ${token}: ${MISSING}`;
  }
  const map = document.writable(tokens);
  if (!Array.isArray(map)) delete map[token];
  return undefined;
}
