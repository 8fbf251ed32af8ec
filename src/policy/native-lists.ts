/**
 * Tells lists that came with the request's data from lists that an expression built. CEL sees no difference, the API
 * server's patch code does: it unwraps one level of built lists and maps, and takes data as it is.
 */
import { CelMap, isJsonMap, type Value } from '#cel/runtime';

export interface NativeLists {
  /** Whether the list is part of the data. */
  has(list: readonly Value[]): boolean;
}

/** `roots` are the values that expressions see; they are searched when the question is first asked. */
export function nativeLists(roots: readonly (Value | undefined)[]): NativeLists {
  let found: Set<Value> | undefined;
  return {
    has: (list) => {
      if (!found) {
        found = new Set();
        for (const root of roots) if (root !== undefined) collect(root, found);
      }
      return found.has(list);
    },
  };
}

function collect(value: Value, into: Set<Value>): void {
  if (Array.isArray(value)) {
    into.add(value);
    for (const item of value) collect(item, into);
  } else if (!(value instanceof CelMap) && isJsonMap(value)) {
    for (const item of Object.values(value)) collect(item, into);
  }
}
