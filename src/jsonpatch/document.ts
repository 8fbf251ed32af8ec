/**
 * A document under patch: nothing of the original is changed, and what no operation touches is shared with it.
 *
 * Containers are copied the first time they are written to, and then belong to this document.
 */
import { existingIndex } from './array-index.ts';
import { isList, isPlainMap, type PlainMap } from './operation.ts';

/**
 * A null that an operation stored as its whole value. Upstream it is a node that holds `null`, where a null of the
 * document is no node at all; the two differ in `test` and in paths that go through them.
 */
export const STORED_NULL: unique symbol = Symbol('null stored by an operation');

/** Where a path's last token applies. */
export type Container = readonly unknown[] | PlainMap | typeof STORED_NULL;

/** See `openDocument`. */
export interface Document {
  readonly root: unknown;
  /** Replaces all of it. */
  reset(root: unknown): void;
  /** The container of a path's last token; `undefined` when there is none. */
  container(tokens: readonly string[]): Container | undefined;
  /** The same container, writable. Only where `container` has found a list or a map. */
  writable(tokens: readonly string[]): unknown[] | Record<string, unknown>;
  /** Says that a value now stands in two places, so that no container may be written to in place. */
  shared(): void;
  /** The result. `storedNulls` says whether any may have been stored, and so have to become nulls. */
  close(storedNulls: boolean): unknown;
}

/** Opens a document for patching. */
export function openDocument(original: unknown): Document {
  let root = original;
  let owned = new Set<object>();

  function container(tokens: readonly string[]): Container | undefined {
    let here: unknown = root;
    for (let depth = 0; depth < tokens.length - 1; depth += 1) {
      here = child(here, tokens[depth] ?? '');
      if (here === undefined) return undefined;
    }
    return isList(here) || isPlainMap(here) || here === STORED_NULL ? here : undefined;
  }

  function writable(tokens: readonly string[]): unknown[] | Record<string, unknown> {
    let here = claim(root);
    root = here;
    for (let depth = 0; depth < tokens.length - 1; depth += 1) {
      const token = tokens[depth] ?? '';
      const next = claim(child(here, token));
      if (Array.isArray(here)) {
        const found = existingIndex(token, here.length);
        if ('index' in found) here[found.index] = next;
      } else {
        setOwn(here, token, next);
      }
      here = next;
    }
    return here;
  }

  function claim(value: unknown): unknown[] | Record<string, unknown> {
    const copy: unknown[] | Record<string, unknown> | undefined = isList(value)
      ? owned.has(value)
        ? (value as unknown[])
        : [...value]
      : isPlainMap(value)
        ? owned.has(value)
          ? (value as Record<string, unknown>)
          : { ...value }
        : undefined;
    if (copy === undefined) throw new TypeError('a path was followed that leads through a scalar');
    owned.add(copy);
    return copy;
  }

  return {
    get root(): unknown {
      return root;
    },
    reset(value): void {
      root = value;
    },
    container,
    writable,
    shared(): void {
      owned = new Set();
    },
    close(storedNulls): unknown {
      return storedNulls ? withoutStoredNulls(root) : root;
    },
  };
}

/** The value below a token; a document's null is as good as absent. */
export function child(container: unknown, token: string): unknown {
  if (isList(container)) {
    const found = existingIndex(token, container.length);
    return 'index' in found ? (container[found.index] ?? undefined) : undefined;
  }
  if (!isPlainMap(container) || !Object.hasOwn(container, token)) return undefined;
  return container[token] ?? undefined;
}

/** Sets an own property, also one called `__proto__`. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

function withoutStoredNulls(value: unknown): unknown {
  if (value === STORED_NULL) return null;
  if (isList(value)) {
    const items = value.map(withoutStoredNulls);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isPlainMap(value)) return value;
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const item = withoutStoredNulls(value[key]);
    if (item === value[key]) continue;
    changed ??= { ...value };
    setOwn(changed, key, item);
  }
  return changed ?? value;
}
