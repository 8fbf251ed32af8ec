/**
 * One ApplyConfiguration patch on one live object: typed, refused where it touches atomic parts, merged.
 *
 * API server: policy/mutating/patch/smd.go. The order of the steps decides which error is seen.
 */
import { atomicPaths } from './atomics.ts';
import { EMPTY_LITERAL, isList, isPlainMap, type PlainMap, setOwn, type Unbox } from './data.ts';
import { merge } from './merge.ts';
import { lookup, type MergeSchema } from './schema.ts';
import { validate } from './validate.ts';

/** The kind of both objects, as the API server knows it (`apps/v1`, `Deployment`). */
export interface ObjectKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The merged object, or the API server's text from behind `error applying patch: `. */
export type Applied = { readonly object: PlainMap } | { readonly error: string };

export interface ApplyOptions {
  readonly unbox?: Unbox;
  readonly literals?: EmptyLiterals;
  /** An object of the kind that fits its schema, such as a result of this function: what `live` shares with it is not validated again. */
  readonly known?: PlainMap | undefined;
}

/** What becomes of the patch's empty list literals: null at once, or kept for `settleEmptyLiterals`. */
export type EmptyLiterals = 'settle' | 'keep';

/**
 * Merges `patch` into `live`. The result is new but shares what did not change; where nothing changed it is `live`.
 * The patch's apiVersion and kind are the object's, whatever it says. A kind whose document is not known (`lookup`
 * says `no-document`) is the caller's to refuse first: that is a 503 there, and a missing type here.
 */
export function applyConfiguration(
  schema: MergeSchema,
  kind: ObjectKind,
  live: PlainMap,
  patch: PlainMap,
  { unbox = never, literals = 'settle', known }: ApplyOptions = {},
): Applied {
  const found = lookup(schema, kind.apiVersion, kind.kind);
  if (found.kind !== 'found') {
    return { error: `failed to convert patch object to typed object: no corresponding type for ${kindText(kind)}` };
  }
  const { node } = found;
  const wanted = { ...patch, apiVersion: kind.apiVersion, kind: kind.kind };
  const patchFaults = validate(node, wanted, { unbox, duplicates: false });
  if (patchFaults !== undefined) return { error: `failed to convert patch object to typed object: ${patchFaults}` };
  const atomics = atomicPaths(node, wanted);
  if (atomics.length > 0) {
    return {
      error: `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`,
    };
  }
  const liveFaults = validate(node, live, { unbox, duplicates: true, known });
  if (liveFaults !== undefined) return { error: `failed to convert original object to typed object: ${liveFaults}` };
  const merged = merge(node, live, wanted, unbox);
  const object = literals === 'settle' && holdsEmptyLiteral(wanted) ? settle(merged, live) : merged;
  return { object: isPlainMap(object) ? object : live };
}

/**
 * A merged object as JSON has it: its empty list literals are null. Upstream, a custom resource holds them as lists
 * until it is next written as JSON (for a JSON Patch, for the answer), so that expressions in between see a list.
 */
export function settleEmptyLiterals(object: PlainMap): PlainMap {
  const settled = settle(object, undefined);
  return isPlainMap(settled) ? settled : object;
}

function never(): undefined {
  return undefined;
}

/** `<group>/<version>, Kind=<kind>`, with an empty group for the core kinds. */
function kindText({ apiVersion, kind }: ObjectKind): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

function holdsEmptyLiteral(value: unknown): boolean {
  if (isList(value)) return value === EMPTY_LITERAL || value.some(holdsEmptyLiteral);
  return isPlainMap(value) && Object.values(value).some(holdsEmptyLiteral);
}

/** The merged value with the patch's empty literals as null; what still is the live object's is not looked at. */
function settle(value: unknown, live: unknown): unknown {
  if (value === EMPTY_LITERAL) return null;
  if (Object.is(value, live)) return value;
  if (isList(value)) {
    const settled = value.map((item) => settle(item, undefined));
    return settled.some((item, index) => !Object.is(item, value[index])) ? settled : value;
  }
  if (!isPlainMap(value)) return value;
  const old = isPlainMap(live) ? live : {};
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const item = settle(value[key], Object.hasOwn(old, key) ? old[key] : undefined);
    if (Object.is(item, value[key])) continue;
    changed ??= { ...value };
    setOwn(changed, key, item);
  }
  return changed ?? value;
}
