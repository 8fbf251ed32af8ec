/**
 * A growing list of stored nodes in which equal nodes are one node.
 *
 * Nodes come from other schemas (`copy`, with everything they reach) or are made (`add`). The numbering depends on the
 * order of the calls and on nothing else, so that the same input gives the same bytes.
 */
import { isPlainMap } from './data.ts';
import type { KeyDefault, StoredNode, StoredSchema, StoredShape } from './schema.ts';

/** See `nodePool`. */
export interface NodePool {
  readonly types: readonly StoredNode[];
  /** The index of a node with this content. */
  add(node: StoredNode): number;
  /** An index to be filled later, for nodes that reach themselves. */
  reserve(): number;
  /** Sets the content of a reserved node. */
  fill(index: number, node: StoredNode): void;
  /** The index of a node of another schema, copied with all it reaches. */
  copy(schema: StoredSchema, index: number): number;
}

/** An empty pool. */
export function nodePool(): NodePool {
  const types: StoredNode[] = [];
  const known = new Map<string, number>();
  const copied = new Map<StoredSchema, Copies>();

  function add(node: StoredNode): number {
    const text = JSON.stringify(node);
    const old = known.get(text);
    if (old !== undefined) return old;
    known.set(text, types.length);
    return types.push(node) - 1;
  }

  function reserve(): number {
    return types.push('u') - 1;
  }

  function fill(index: number, node: StoredNode): void {
    types[index] = node;
  }

  function copy(schema: StoredSchema, index: number): number {
    const copies = copied.get(schema) ?? { done: new Map(), open: new Map(), keys: listKeys(schema) };
    copied.set(schema, copies);
    return copyNode(schema, index, copies);
  }

  function copyNode(schema: StoredSchema, index: number, copies: Copies): number {
    const done = copies.done.get(index);
    if (done !== undefined) return done;
    if (copies.open.has(index)) {
      const reserved = copies.open.get(index) ?? reserve();
      copies.open.set(index, reserved);
      return reserved;
    }
    const source = schema.types[index];
    if (source === undefined) throw new RangeError(`merge schema has no node ${index}`);
    copies.open.set(index, undefined);
    const node =
      typeof source === 'string'
        ? source
        : canonicalShape(source, copies.keys.get(index), (child) => copyNode(schema, child, copies));
    const reserved = copies.open.get(index);
    copies.open.delete(index);
    if (reserved !== undefined) fill(reserved, node);
    const target = reserved ?? add(node);
    copies.done.set(index, target);
    return target;
  }

  return { types, add, reserve, fill, copy };
}

interface Copies {
  readonly done: Map<number, number>;
  /** Nodes whose copy is under way, with the index that a cycle made them take. */
  readonly open: Map<number, number | undefined>;
  readonly keys: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Which fields of which nodes serve as list keys. */
function listKeys(schema: StoredSchema): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  for (const node of schema.types) {
    if (typeof node === 'string' || node.l === undefined || !Array.isArray(node.k)) continue;
    const names = found.get(node.l) ?? new Set<string>();
    for (const name of node.k) names.add(name);
    found.set(node.l, names);
  }
  return found;
}

/** A shape with members in one order, fields by name, and only the defaults that list keys need. */
function canonicalShape(
  source: StoredShape,
  keys: ReadonlySet<string> | undefined,
  reference: (index: number) => number,
): StoredShape {
  const defaults = sortedEntries(source.d ?? {}).filter(([name]) => keys?.has(name));
  return {
    ...(source.u === undefined ? {} : { u: source.u }),
    ...(source.l === undefined ? {} : { l: reference(source.l) }),
    ...(source.k === undefined ? {} : { k: source.k }),
    ...(source.a === undefined ? {} : { a: source.a }),
    ...(source.m === undefined
      ? {}
      : { m: fromEntries(sortedEntries(source.m).map(([name, index]) => [name, reference(index)])) }),
    ...(source.e === undefined ? {} : { e: reference(source.e) }),
    ...(defaults.length === 0 ? {} : { d: fromEntries<KeyDefault>(defaults) }),
  };
}

/** The own entries of a record, by name in code unit order. */
export function sortedEntries<T>(record: Readonly<Record<string, T>>): [string, T][] {
  if (!isPlainMap(record)) return [];
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

function fromEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries);
}
