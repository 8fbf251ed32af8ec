/**
 * How structured merge treats every field of a kind: the form that is stored, and the linked form that is walked.
 *
 * Stored, a schema is a list of nodes that refer to each other by index, so that it can be pruned, joined and written
 * canonically; linked, the indexes are pointers. A node may admit several shapes at once (a scalar, a list, a map).
 */

/** What a scalar must be; `untyped` is any string, number or boolean. */
export type ScalarClass = 'string' | 'numeric' | 'boolean' | 'untyped';

/** A scalar as the default of a list key. */
export type KeyDefault = string | number | boolean;

/** A stored node: a scalar class by its letter (string, numeric, boolean, untyped), or an object. */
export type StoredNode = ScalarLetter | StoredShape;
export type ScalarLetter = 's' | 'n' | 'b' | 'u';

/** The shapes a node admits; references are indexes into `StoredSchema.types`. */
export interface StoredShape {
  /** Scalar class that is admitted besides. */
  readonly u?: ScalarLetter;
  /** Declared fields of a map; present whenever maps are admitted. */
  readonly m?: Readonly<Record<string, number>>;
  /** Values of undeclared keys; without it an undeclared key is an error. */
  readonly e?: number;
  /** 1: the map is atomic. */
  readonly a?: 1;
  /** Items of a list. */
  readonly l?: number;
  /** Keys of a keyed list, 0 for a set; without it the list is atomic. */
  readonly k?: readonly string[] | 0;
  /** Defaults of fields that serve as list keys. */
  readonly d?: Readonly<Record<string, KeyDefault>>;
}

/** Nodes, and which node each kind is: apiVersion → kind → index. An apiVersion without kinds is a known document. */
export interface StoredSchema {
  readonly types: readonly StoredNode[];
  readonly kinds: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A linked node. Several shapes at once mean that the value decides. */
export interface MergeNode {
  readonly scalar: ScalarClass | undefined;
  readonly list: ListShape | undefined;
  readonly map: MapShape | undefined;
}

/** A list: whole, a set of scalars, or items found by keys (in the order of the schema). */
export interface ListShape {
  readonly item: MergeNode;
  readonly keys: 'atomic' | 'set' | readonly string[];
}

/** A map or struct. */
export interface MapShape {
  readonly fields: ReadonlyMap<string, MergeNode>;
  readonly other: MergeNode | undefined;
  readonly atomic: boolean;
  readonly keyDefaults: ReadonlyMap<string, KeyDefault>;
}

/** A linked schema. */
export interface MergeSchema {
  readonly kinds: ReadonlyMap<string, ReadonlyMap<string, MergeNode>>;
}

/** What a schema knows of a kind. */
export type Lookup =
  | { readonly kind: 'found'; readonly node: MergeNode }
  /** The group and version are served, but the kind has no model in their document. */
  | { readonly kind: 'no-type' }
  /** Nothing is known of the group and version: the API server answers 503 before it looks at any patch. */
  | { readonly kind: 'no-document' };

/** The node of a kind, or what is missing. API server: managedfields TypeConverter, one document a group and version. */
export function lookup(schema: MergeSchema, apiVersion: string, kind: string): Lookup {
  const document = schema.kinds.get(apiVersion);
  if (document === undefined) return { kind: 'no-document' };
  const node = document.get(kind);
  return node === undefined ? { kind: 'no-type' } : { kind: 'found', node };
}

const SCALARS: Readonly<Record<ScalarLetter, ScalarClass>> = {
  s: 'string',
  n: 'numeric',
  b: 'boolean',
  u: 'untyped',
};

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** The linked form of a stored schema. Throws a `RangeError` when a reference leads nowhere. */
export function link(stored: StoredSchema): MergeSchema {
  const nodes = stored.types.map((): Mutable<MergeNode> => ({ scalar: undefined, list: undefined, map: undefined }));
  const at = (index: number): MergeNode => {
    const node = nodes[index];
    if (node === undefined) throw new RangeError(`merge schema has no node ${index}`);
    return node;
  };
  for (const [index, source] of stored.types.entries()) fill(nodes[index], source, at);
  const kinds = new Map<string, ReadonlyMap<string, MergeNode>>();
  for (const [apiVersion, document] of Object.entries(stored.kinds)) {
    kinds.set(apiVersion, new Map(Object.entries(document).map(([kind, index]) => [kind, at(index)])));
  }
  return { kinds };
}

function fill(node: Mutable<MergeNode> | undefined, source: StoredNode, at: (index: number) => MergeNode): void {
  if (node === undefined) return;
  if (typeof source === 'string') {
    node.scalar = SCALARS[source];
    return;
  }
  if (source.u !== undefined) node.scalar = SCALARS[source.u];
  if (source.l !== undefined) {
    node.list = { item: at(source.l), keys: source.k === 0 ? 'set' : (source.k ?? 'atomic') };
  }
  if (source.m !== undefined) {
    node.map = {
      fields: new Map(Object.entries(source.m).map(([name, index]) => [name, at(index)])),
      other: source.e === undefined ? undefined : at(source.e),
      atomic: source.a === 1,
      keyDefaults: new Map(Object.entries(source.d ?? {})),
    };
  }
}
