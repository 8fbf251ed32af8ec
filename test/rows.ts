import { CelError, type CelMap, type Library, type Result } from '#cel/runtime';

/** Runs rows of a library by overload id; an error comes back as `{ error }`. */
export function rows(library: Library): (id: string, ...args: readonly unknown[]) => unknown {
  return (id, ...args) => {
    const row = library.overloads.find((overload) => overload.id === id);
    if (!row) throw new Error(`no row ${id}`);
    return outcome(row.run(...args));
  };
}

/** A result, with an error as `{ error }`. */
export function outcome(result: Result): unknown {
  return result instanceof CelError ? { error: result.message } : result;
}

/** What an error comes back as. */
export function error(message: string): { readonly error: string } {
  return { error: message };
}

/** The entries of a CEL map. */
export function entries(map: CelMap): readonly unknown[] {
  return [...map.entries.values()];
}
