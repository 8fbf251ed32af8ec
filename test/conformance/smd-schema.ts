/** Schemas in structured-merge-diff's own form, as stored schemas of apiVersion `smd`. */
import type { StoredNode, StoredSchema, StoredShape } from '#merge';

interface SmdAtom {
  readonly scalar?: 'string' | 'numeric' | 'boolean' | 'untyped';
  readonly list?: { elementType: SmdRef; elementRelationship?: string; keys?: string[] };
  readonly map?: {
    fields?: { name: string; type: SmdRef; default?: string | number | boolean }[];
    elementType?: SmdRef;
    elementRelationship?: string;
  };
}

interface SmdRef extends SmdAtom {
  readonly namedType?: string;
  readonly elementRelationship?: string;
}

export interface SmdType extends SmdAtom {
  readonly name: string;
}

const LETTERS = { string: 's', numeric: 'n', boolean: 'b', untyped: 'u' } as const;

export function storedFromSmd(named: readonly SmdType[]): StoredSchema {
  const types: StoredNode[] = named.map(() => ({}));
  const names = new Map(named.map((type, index) => [type.name, index]));
  for (const [index, type] of named.entries()) types[index] = shape(type, type.map?.elementRelationship);
  return { types, kinds: { smd: Object.fromEntries(names) } };

  function reference(ref: SmdRef): number {
    const { namedType } = ref;
    const target = named.find((type) => type.name === namedType);
    if (target !== undefined && ref.elementRelationship === undefined) return names.get(target.name) ?? -1;
    types.push({});
    const index = types.length - 1;
    types[index] =
      target === undefined ? shape(ref, ref.map?.elementRelationship) : shape(target, ref.elementRelationship);
    return index;
  }

  function shape(atom: SmdAtom, relationship: string | undefined): StoredShape {
    const fields = atom.map?.fields ?? [];
    const defaults = fields.filter((field) => field.default !== undefined);
    return {
      ...(atom.scalar === undefined ? {} : { u: LETTERS[atom.scalar] }),
      ...(atom.list === undefined ? {} : { l: reference(atom.list.elementType), ...keys(atom.list) }),
      ...(atom.map === undefined
        ? {}
        : {
            m: Object.fromEntries(fields.map((field) => [field.name, reference(field.type)])),
            ...(atom.map.elementType === undefined ? {} : { e: reference(atom.map.elementType) }),
            ...(relationship === 'atomic' ? { a: 1 as const } : {}),
            d: Object.fromEntries(defaults.map((field) => [field.name, field.default ?? ''])),
          }),
    };
  }

  function keys(list: { elementRelationship?: string; keys?: string[] }): { k?: readonly string[] | 0 } {
    if (list.elementRelationship !== 'associative') return {};
    return { k: list.keys === undefined || list.keys.length === 0 ? 0 : list.keys };
  }
}
