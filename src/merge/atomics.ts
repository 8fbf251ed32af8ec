/**
 * The atomic lists, maps and structs that a patch touches: ApplyConfiguration refuses every one.
 *
 * API server: policy/mutating/patch/smd.go findAtomics. Empty lists and maps count, null does not. The walk follows
 * declared fields and list items only: what lies below the values of a map is never reported.
 */
import { isList, isPlainMap } from './data.ts';
import type { MergeNode } from './schema.ts';

/** The paths (`.spec.containers[0].args`) in the order of the patch; items are numbered, not named. */
export function atomicPaths(node: MergeNode, patch: unknown): readonly string[] {
  const found: string[] = [];
  collect(node, patch, '', found);
  return found;
}

function collect(node: MergeNode, value: unknown, path: string, found: string[]): void {
  if (node.map !== undefined && isPlainMap(value)) {
    if (node.map.atomic) found.push(path);
    for (const key of Object.keys(value)) {
      const field = node.map.fields.get(key);
      if (field !== undefined) collect(field, value[key], `${path}.${key}`, found);
    }
  } else if (node.list !== undefined && isList(value)) {
    if (node.list.keys === 'atomic') found.push(path);
    for (const [index, item] of value.entries()) collect(node.list.item, item, `${path}[${index}]`, found);
  }
}
