/**
 * YAML (and JSON) files as JSON objects with places. Plain scalars are read as kubectl reads them: by YAML 1.1, as far as
 * its readers go (`yes` and `on` are booleans, `010` is octal).
 */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  type Scalar,
  type YAMLError,
} from 'yaml';
import { at, type Diagnostic, type Source, type Span } from '#diagnostics';
import type { FieldPath, Json, JsonObject } from '#kubernetes';
import type { Places } from './manifest.ts';
import { scalarOffsets } from './scalar-offsets.ts';

export interface YamlDocument {
  readonly value: Json;
  readonly places: Places;
}

/** All documents of a file that are not empty; faults of the YAML itself are diagnostics, and then there are none. */
export function readYaml(source: Source): {
  readonly documents: readonly YamlDocument[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const parsed = parseAllDocuments(source.text, {
    version: '1.2',
    intAsBigInt: true,
    merge: true,
    uniqueKeys: true,
    prettyErrors: false,
    keepSourceTokens: true,
    lineCounter: new LineCounter(),
  });
  const diagnostics: Diagnostic[] = [];
  const documents: YamlDocument[] = [];
  for (const document of parsed) {
    const errors = document.errors.map((error) => yamlDiagnostic(error, source, 'error'));
    diagnostics.push(...errors, ...document.warnings.map((warning) => yamlDiagnostic(warning, source, 'warning')));
    const root = document.contents;
    if (errors.length > 0 || root === null || (isScalar(root) && root.value === null)) continue;
    const reader = new Reader(document, source);
    try {
      const value = reader.json(root, 0);
      diagnostics.push(...reader.diagnostics);
      documents.push({ value, places: places(document, root, source) });
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      const message = thrown.message;
      diagnostics.push({ severity: 'error', code: 'yaml-syntax', message, span: spanOf(root, source) });
    }
  }
  return { documents, diagnostics };
}

function yamlDiagnostic(error: YAMLError, source: Source, severity: Diagnostic['severity']): Diagnostic {
  const duplicate = error.code === 'DUPLICATE_KEY';
  const message = duplicate
    ? 'a key stands twice in one map'
    : (error.message.split('\n')[0] ?? '').replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  const [start, end] = error.pos;
  return { severity, code: duplicate ? 'duplicate-key' : 'yaml-syntax', message, span: at(source, start, end) };
}

const MAX_DEPTH = 200;
const TRUE_WORDS = /^(?:y|Y|yes|Yes|YES|on|On|ON)$/;
const FALSE_WORDS = /^(?:n|N|no|No|NO|off|Off|OFF)$/;

class Reader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #document: Document;
  readonly #source: Source;
  #nodes = 0;

  constructor(document: Document, source: Source) {
    this.#document = document;
    this.#source = source;
  }

  json(node: unknown, depth: number): Json {
    if (depth > MAX_DEPTH) throw new RangeError(`values nest deeper than ${MAX_DEPTH} levels`);
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) throw new RangeError('aliases make the document too large');
    if (isAlias(node)) return this.json(this.#resolve(node), depth + 1);
    if (isSeq(node)) return node.items.map((item) => this.json(item, depth + 1));
    if (isMap(node)) {
      const entries = new Map<string, Json>();
      for (const pair of node.items) this.#entry(pair, entries, depth);
      return Object.fromEntries(entries);
    }
    return isScalar(node) ? this.#scalar(node) : null;
  }

  #entry(pair: Pair, entries: Map<string, Json>, depth: number): void {
    const { key, value } = pair;
    if (isScalar(key) && key.type === 'PLAIN' && key.source === '<<') {
      const merged = isAlias(value) ? this.#resolve(value) : value;
      for (const source of isSeq(merged) ? merged.items : [merged]) {
        const object = this.json(source, depth + 1);
        if (typeof object !== 'object' || object === null || Array.isArray(object)) continue;
        for (const [name, item] of Object.entries(object as JsonObject))
          if (!entries.has(name)) entries.set(name, item);
      }
      return;
    }
    const name = this.json(key, depth + 1);
    entries.set(typeof name === 'object' ? JSON.stringify(name) : String(name), this.json(value, depth + 1));
  }

  #resolve(alias: Alias): unknown {
    return alias.resolve(this.#document);
  }

  #scalar(node: Scalar): Json {
    const { value, source } = node;
    if (node.type === 'PLAIN' && typeof source === 'string' && node.tag === undefined) {
      const word = TRUE_WORDS.test(source) ? true : FALSE_WORDS.test(source) ? false : undefined;
      if (word !== undefined) {
        this.diagnostics.push({
          severity: 'warning',
          code: 'yaml-boolean',
          message: `\`${source}\` is read as ${word}, as kubectl does`,
          span: spanOf(node, this.#source),
          help: 'put it in quotes if it is a text',
        });
        return word;
      }
      if (/^[-+]?0[0-7]+$/.test(source)) return Number.parseInt(source, 8);
    }
    if (typeof value === 'bigint') return value >= MIN_SAFE && value <= MAX_SAFE ? Number(value) : value;
    if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value;
    return null;
  }
}

const MAX_NODES = 1_000_000;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const MIN_SAFE = -MAX_SAFE;

function places(document: Document, root: unknown, source: Source): Places {
  const resolve = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  const find = (path: FieldPath): { readonly node: unknown; readonly key: unknown; readonly whole: boolean } => {
    let node: unknown = root;
    let key: unknown;
    for (const step of path) {
      const here = resolve(node);
      const pair: Pair | undefined = isMap(here)
        ? here.items.find(({ key: name }) => isScalar(name) && String(name.value) === String(step))
        : undefined;
      const next = isSeq(here) && typeof step === 'number' ? here.items[step] : pair?.value;
      if (pair) key = pair.key;
      if (next === undefined || (next === null && !pair)) return { node, key, whole: false };
      if (next === null) return { node: pair?.key, key, whole: false };
      node = next;
    }
    return { node, key, whole: true };
  };
  return {
    span: (path) => spanOf(find(path).node, source),
    keySpan: (path) => {
      const { key, node } = find(path);
      return spanOf(key ?? node, source);
    },
    text: (path) => {
      const { node, whole } = find(path);
      const scalar = resolve(node);
      if (!whole || !isScalar(scalar) || typeof scalar.value !== 'string' || !scalar.range) return undefined;
      const [start, end] = scalar.range;
      const offset = scalarOffsets(scalar.value, source.text.slice(start, end), start);
      return { name: source.name, text: scalar.value, parent: { source, offset } };
    },
  };
}

function spanOf(node: unknown, source: Source): Span {
  const range = isNode(node) ? node.range : undefined;
  if (!range) return at(source, 0);
  const [start, end] = range;
  return at(source, start, isScalar(node) ? end : start);
}

function isNode(node: unknown): node is Node {
  return isAlias(node) || isScalar(node) || isMap(node) || isSeq(node);
}
