/**
 * The part of a native table that certain kinds reach: what a bundle carries.
 */
import type { NativeKind } from './round-trip.ts';
import type { StoredNative, StoredStruct, StoredType } from './schema.ts';

/** One canonical table with those of the wanted kinds that there are. Same kinds in any order, same bytes. */
export function nativeClosure(stored: StoredNative, wanted: readonly NativeKind[]): StoredNative {
  const types: StoredType[] = [];
  const copies = new Map<number, number>();
  const copy = (index: number): number => {
    const known = copies.get(index);
    if (known !== undefined) return known;
    const source = stored.types[index];
    if (source === undefined) throw new RangeError(`native schema has no type ${index}`);
    const type = copyType(source, copy);
    const target = types.push(type) - 1;
    copies.set(index, target);
    return target;
  };
  const kinds: Record<string, Record<string, number>> = {};
  for (const { apiVersion, kind } of sorted(wanted)) {
    const document = Object.hasOwn(stored.kinds, apiVersion) ? stored.kinds[apiVersion] : undefined;
    const index = document !== undefined && Object.hasOwn(document, kind) ? document[kind] : undefined;
    if (index === undefined) continue;
    kinds[apiVersion] ??= {};
    kinds[apiVersion][kind] = copy(index);
  }
  return { types, kinds };
}

function copyType(source: StoredType, copy: (index: number) => number): StoredType {
  if (typeof source === 'string') return source;
  if ('l' in source) return { ...source, l: copy(source.l) };
  if ('m' in source) return { ...source, m: copy(source.m) };
  const groups: Partial<Record<'o' | 'p' | 'r' | 'n', Record<string, number>>> = {};
  for (const group of ['o', 'p', 'r', 'n'] as const) {
    const fields = source[group];
    if (fields === undefined) continue;
    groups[group] = Object.fromEntries(Object.entries(fields).map(([name, index]) => [name, copy(index)]));
  }
  const struct: StoredStruct = { ...source, ...groups };
  return struct;
}

function sorted(kinds: readonly NativeKind[]): NativeKind[] {
  const text = ({ apiVersion, kind }: NativeKind): string => `${apiVersion} ${kind}`;
  return [...kinds].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}
