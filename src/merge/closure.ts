/**
 * The part of some schemas that certain kinds reach: what a bundle carries.
 */
import type { ObjectKind } from './apply.ts';
import { nodePool, sortedEntries } from './pool.ts';
import type { StoredSchema } from './schema.ts';

/**
 * One canonical schema with the wanted kinds, or with every kind when `wanted` is absent. Of schemas that know the same
 * kind the first one counts. A wanted kind that none knows leaves its apiVersion as a known document if one knows that
 * (`no-type`), and nothing otherwise (`no-document`). Same input in any order of kinds, same bytes.
 */
export function closure(schemas: readonly StoredSchema[], wanted?: readonly ObjectKind[]): StoredSchema {
  const pool = nodePool();
  const kinds: Record<string, Record<string, number>> = {};
  for (const { apiVersion, kind } of sorted(wanted ?? allKinds(schemas))) {
    if (!schemas.some((schema) => Object.hasOwn(schema.kinds, apiVersion))) continue;
    kinds[apiVersion] ??= {};
    for (const schema of schemas) {
      const index = indexOf(schema, apiVersion, kind);
      if (index === undefined) continue;
      kinds[apiVersion][kind] = pool.copy(schema, index);
      break;
    }
  }
  return { types: pool.types, kinds };
}

/** The node of a kind in a stored schema. */
export function indexOf(schema: StoredSchema, apiVersion: string, kind: string): number | undefined {
  if (!Object.hasOwn(schema.kinds, apiVersion)) return undefined;
  const document = schema.kinds[apiVersion] ?? {};
  return Object.hasOwn(document, kind) ? document[kind] : undefined;
}

function allKinds(schemas: readonly StoredSchema[]): ObjectKind[] {
  return schemas.flatMap((schema) =>
    sortedEntries(schema.kinds).flatMap(([apiVersion, document]) =>
      Object.keys(document).map((kind) => ({ apiVersion, kind })),
    ),
  );
}

function sorted(kinds: readonly ObjectKind[]): ObjectKind[] {
  return [...kinds].sort((a, b) => order(a.apiVersion, b.apiVersion) || order(a.kind, b.kind));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
