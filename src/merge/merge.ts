/**
 * The merge of a patch into a live value, both valid for the node. Neither is changed; the result shares every subtree
 * that the patch leaves alone.
 *
 * API server: structured-merge-diff typed/merge.go mergingWalker with the rule "keep the right-hand side".
 */
import { isList, isPlainMap, type PlainMap, setOwn, shapeOf, type Unbox } from './data.ts';
import { itemKey } from './item-key.ts';
import type { ListShape, MapShape, MergeNode } from './schema.ts';
import { handler } from './validate.ts';

/** The merged value. No key is ever removed; atomic parts and scalars are the patch's. */
export function merge(node: MergeNode, live: unknown, patch: unknown, unbox: Unbox): unknown {
  switch (handler(node, shapeOf(patch, unbox))) {
    case 'map':
      return node.map === undefined ? patch : mergeMaps(node.map, live, patch, unbox);
    case 'list':
      return node.list === undefined ? patch : mergeLists(node.list, live, patch, unbox);
    case 'scalar':
      return patch;
  }
}

function mergeMaps(shape: MapShape, live: unknown, patch: unknown, unbox: Unbox): unknown {
  // k8s: where both sides are empty or null the patch's form of emptiness stays.
  if (shape.atomic || !isPlainMap(live) || isEmpty(live)) return patch;
  if (!isPlainMap(patch)) return live;
  let merged: Record<string, unknown> | undefined;
  for (const key of Object.keys(patch)) {
    const node = shape.fields.get(key) ?? shape.other;
    const present = Object.hasOwn(live, key);
    const value = present && node !== undefined ? merge(node, live[key], patch[key], unbox) : patch[key];
    if (present && Object.is(value, live[key])) continue;
    merged ??= { ...live };
    setOwn(merged, key, value);
  }
  return merged ?? live;
}

function isEmpty(map: PlainMap): boolean {
  for (const key in map) if (Object.hasOwn(map, key)) return false;
  return true;
}

function mergeLists(shape: ListShape, live: unknown, patch: unknown, unbox: Unbox): unknown {
  const liveItems = isList(live) ? live : [];
  const patchItems = isList(patch) ? patch : [];
  if (shape.keys === 'atomic' || liveItems.length === 0) return patch;
  if (patchItems.length === 0) return live;
  const items = interleave(shape, liveItems, patchItems, unbox);
  const same = items.length === liveItems.length && items.every((item, index) => Object.is(item, liveItems[index]));
  return same ? live : items;
}

/**
 * Both lists in one order: the patch's items in the patch's order, the others in the live order, and those first
 * wherever both could come next.
 */
function interleave(
  shape: ListShape,
  live: readonly unknown[],
  patch: readonly unknown[],
  unbox: Unbox,
): readonly unknown[] {
  const left = index(shape, live, unbox);
  const right = index(shape, patch, unbox);
  const shared = right.keys.filter((key) => left.items.has(key));
  const emitted = new Set<string>();
  const out: unknown[] = [];
  let nextShared = 0;
  const emit = (key: string): void => {
    emitted.add(key);
    const value = right.items.get(key);
    out.push(left.items.has(key) ? merge(shape.item, left.items.get(key), value, unbox) : value);
  };
  let l = 0;
  let r = 0;
  while (l < left.keys.length || r < right.keys.length) {
    const leftKey = left.keys[l];
    const rightKey = right.keys[r];
    if (leftKey !== undefined && rightKey !== undefined) {
      if (leftKey === rightKey) {
        emit(rightKey);
        l += 1;
        r += 1;
        nextShared += 1;
        continue;
      }
      const awaited = shared[nextShared];
      if (right.items.has(leftKey) && awaited !== undefined && awaited !== leftKey) {
        l += 1; // it comes later, at the patch's place
        continue;
      }
    }
    if (leftKey !== undefined) {
      if (!right.items.has(leftKey)) {
        out.push(live[l]);
        l += 1;
        continue;
      }
      if (emitted.has(leftKey)) l += 1;
    }
    if (rightKey !== undefined) {
      emit(rightKey);
      r += 1;
      if (shared[nextShared] === rightKey) nextShared += 1;
    }
  }
  return out;
}

interface Index {
  readonly keys: readonly string[];
  /** One value a key; null for a key that repeats, so that a repeated item is replaced instead of merged. */
  readonly items: ReadonlyMap<string, unknown>;
}

function index(shape: ListShape, list: readonly unknown[], unbox: Unbox): Index {
  const items = new Map<string, unknown>();
  const keys = list.map((item) => {
    const key = itemKey(shape, item, unbox);
    const text = typeof key === 'string' ? key : ''; // INVARIANT: validated lists have a key for every item
    items.set(text, items.has(text) ? null : item);
    return text;
  });
  return { keys, items };
}
