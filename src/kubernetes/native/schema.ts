/**
 * What the API server's Go types make of the fields of a built-in object: the form that is stored, and the linked form.
 *
 * Stored, types refer to each other by index, so that a table can be pruned to the kinds that are mutated. A struct's
 * fields stand in four groups, by what is written where nothing, or nothing but a zero value, was given.
 */

/**
 * A stored type. A scalar is a letter, with the Go type's name behind a blank where that is not the usual one:
 * `s` string, `b` bool, `i` int32, `l` int64, `y` bytes in base64, `q` quantity, `t` time, `T` time with microseconds,
 * `x` int or string, `r` any JSON.
 */
export type StoredType = string | StoredList | StoredMap | StoredStruct;

export interface StoredList {
  readonly l: number;
  /** The Go type's name where it is not `[]` and the item's. */
  readonly g?: string;
}

export interface StoredMap {
  readonly m: number;
  /** The Go type's name where it is not `map[string]` and the value's. */
  readonly g?: string;
}

type Fields = Readonly<Record<string, number>>;

export interface StoredStruct {
  /** The Go type's name, `v1.PodSpec`. */
  readonly g: string;
  /** Left out when zero: empty, 0, false. */
  readonly o?: Fields;
  /** Left out when absent or null; a zero that was given stays. */
  readonly p?: Fields;
  /** Always there: a zero when absent (null for lists, maps and times, `{}` for structs). */
  readonly r?: Fields;
  /** Always there: null when absent; a zero that was given stays. */
  readonly n?: Fields;
  /** Embedded Go struct → its fields: error texts name it in the path. */
  readonly e?: Readonly<Record<string, readonly string[]>>;
}

/** Types, and which type each kind is: apiVersion → kind → index. */
export interface StoredNative {
  readonly types: readonly StoredType[];
  readonly kinds: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** When a field is written: see the groups of `StoredStruct`. */
export type Presence = 'nonzero' | 'given' | 'always' | 'nullable';

export type ScalarKind =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'bytes'
  | 'quantity'
  | 'time'
  | 'microtime'
  | 'intorstring'
  | 'raw';

/** A linked type; `go` is the name of the Go type. */
export type NativeType = ScalarType | ListType | MapType | StructType;

export interface ScalarType {
  readonly kind: ScalarKind;
  readonly go: string;
}

export interface ListType {
  readonly kind: 'list';
  readonly go: string;
  readonly item: NativeType;
}

export interface MapType {
  readonly kind: 'map';
  readonly go: string;
  readonly item: NativeType;
}

export interface StructType {
  readonly kind: 'struct';
  readonly go: string;
  readonly fields: ReadonlyMap<string, NativeField>;
  /** The fields that are written even when absent. */
  readonly required: readonly (readonly [string, NativeField])[];
}

export interface NativeField {
  readonly type: NativeType;
  readonly presence: Presence;
  /** Name in an error's path, with the embedded struct before it where there is one. */
  readonly place: string;
}

/** Linked types of some kinds. */
export interface NativeSchema {
  readonly kinds: ReadonlyMap<string, ReadonlyMap<string, StructType>>;
}

const SCALARS: Readonly<Record<string, ScalarType>> = {
  s: { kind: 'string', go: 'string' },
  b: { kind: 'bool', go: 'bool' },
  i: { kind: 'int32', go: 'int32' },
  l: { kind: 'int64', go: 'int64' },
  y: { kind: 'bytes', go: '[]uint8' },
  q: { kind: 'quantity', go: 'resource.Quantity' },
  t: { kind: 'time', go: 'v1.Time' },
  T: { kind: 'microtime', go: 'v1.MicroTime' },
  x: { kind: 'intorstring', go: 'intstr.IntOrString' },
  r: { kind: 'raw', go: 'runtime.RawExtension' },
};

const GROUPS: readonly (readonly ['o' | 'p' | 'r' | 'n', Presence])[] = [
  ['o', 'nonzero'],
  ['p', 'given'],
  ['r', 'always'],
  ['n', 'nullable'],
];

/** The linked form. Throws a `RangeError` when the table is not one. */
export function linkNative(stored: StoredNative): NativeSchema {
  const linked = new Map<number, NativeType>();
  const at = (index: number): NativeType => {
    const known = linked.get(index);
    if (known !== undefined) return known;
    const source = stored.types[index];
    if (source === undefined) throw new RangeError(`native schema has no type ${index}`);
    const type = linkType(source, at);
    linked.set(index, type);
    return type;
  };
  const kinds = new Map<string, ReadonlyMap<string, StructType>>();
  for (const [apiVersion, document] of Object.entries(stored.kinds)) {
    const structs = new Map<string, StructType>();
    for (const [kind, index] of Object.entries(document)) {
      const type = at(index);
      if (type.kind === 'struct') structs.set(kind, type);
    }
    kinds.set(apiVersion, structs);
  }
  return { kinds };
}

function linkType(source: StoredType, at: (index: number) => NativeType): NativeType {
  if (typeof source === 'string') {
    const scalar = SCALARS[source[0] ?? ''];
    if (scalar === undefined) throw new RangeError(`native schema has no scalar \`${source}\``);
    return source.length > 2 ? { ...scalar, go: source.slice(2) } : scalar;
  }
  if ('l' in source) {
    const item = at(source.l);
    return { kind: 'list', item, go: source.g ?? `[]${item.go}` };
  }
  if ('m' in source) {
    const item = at(source.m);
    return { kind: 'map', item, go: source.g ?? `map[string]${item.go}` };
  }
  return linkStruct(source, at);
}

function linkStruct(source: StoredStruct, at: (index: number) => NativeType): StructType {
  const embedding = new Map<string, string>();
  for (const [struct, names] of Object.entries(source.e ?? {})) for (const name of names) embedding.set(name, struct);
  const fields = new Map<string, NativeField>();
  for (const [group, presence] of GROUPS) {
    for (const [name, index] of Object.entries(source[group] ?? {})) {
      const struct = embedding.get(name);
      fields.set(name, { type: at(index), presence, place: struct === undefined ? name : `${struct}.${name}` });
    }
  }
  const required = [...fields].filter(([, field]) => field.presence === 'always' || field.presence === 'nullable');
  return { kind: 'struct', go: source.g, fields, required };
}

/** The struct of a kind. */
export function nativeStruct(schema: NativeSchema, apiVersion: string, kind: string): StructType | undefined {
  return schema.kinds.get(apiVersion)?.get(kind);
}
