/**
 * How one list becomes another: the ends that are equal stay, the middle is aligned by the items' identity (`name` and
 * the like) or by equality, along a longest common subsequence.
 */
import { isPlainMap } from './operation.ts';

/** One step from the old list to the new one, in order. */
export type Step =
  | { readonly kind: 'keep' }
  /** The same item, changed inside. */
  | { readonly kind: 'change'; readonly before: unknown; readonly after: unknown }
  /** Another item at its place. */
  | { readonly kind: 'replace'; readonly after: unknown }
  | { readonly kind: 'add'; readonly after: unknown }
  | { readonly kind: 'remove' };

/** Fields that tell items apart, the first that all items have. */
const IDENTITIES: readonly string[] = [
  'name',
  'uid',
  'key',
  'type',
  'mountPath',
  'devicePath',
  'ip',
  'containerPort',
  'port',
];

/** The largest table of the alignment; larger middles are paired by place. */
const MAX_CELLS = 250_000;

/** The steps. */
export function align(
  before: readonly unknown[],
  after: readonly unknown[],
  equals: (a: unknown, b: unknown) => boolean,
): readonly Step[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && equals(before[head], after[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && equals(before[before.length - 1 - tail], after[after.length - 1 - tail])) tail += 1;
  const left = before.slice(head, before.length - tail);
  const right = after.slice(head, after.length - tail);
  const keep = (count: number): Step[] => Array.from({ length: count }, () => ({ kind: 'keep' }));
  return [...keep(head), ...middle(left, right, equals), ...keep(tail)];
}

function middle(
  left: readonly unknown[],
  right: readonly unknown[],
  equals: (a: unknown, b: unknown) => boolean,
): Step[] {
  const identity = IDENTITIES.find((field) => [...left, ...right].every((item) => hasIdentity(item, field)));
  if (left.length * right.length > MAX_CELLS) return gap(left, right, identity);
  const same =
    identity === undefined
      ? equals
      : (a: unknown, b: unknown): boolean => identityOf(a, identity) === identityOf(b, identity);
  const steps: Step[] = [];
  let l = 0;
  let r = 0;
  for (const [nextL, nextR] of commonSubsequence(left, right, same)) {
    steps.push(...gap(left.slice(l, nextL), right.slice(r, nextR), identity));
    steps.push({ kind: 'change', before: left[nextL], after: right[nextR] });
    l = nextL + 1;
    r = nextR + 1;
  }
  return [...steps, ...gap(left.slice(l), right.slice(r), identity)];
}

function hasIdentity(item: unknown, field: string): boolean {
  if (!isPlainMap(item) || !Object.hasOwn(item, field)) return false;
  return typeof item[field] === 'string' || typeof item[field] === 'number';
}

function identityOf(item: unknown, field: string): unknown {
  return isPlainMap(item) ? item[field] : undefined;
}

/** What has no counterpart: in pairs as far as both sides go, the rest added or removed. */
function gap(left: readonly unknown[], right: readonly unknown[], identity: string | undefined): Step[] {
  const steps: Step[] = [];
  const pairs = Math.min(left.length, right.length);
  for (let index = 0; index < pairs; index += 1) {
    const before = left[index];
    const after = right[index];
    const other = identity !== undefined && identityOf(before, identity) !== identityOf(after, identity);
    steps.push(other ? { kind: 'replace', after } : { kind: 'change', before, after });
  }
  for (const after of right.slice(pairs)) steps.push({ kind: 'add', after });
  for (let index = pairs; index < left.length; index += 1) steps.push({ kind: 'remove' });
  return steps;
}

/** The index pairs of a longest common subsequence. */
function commonSubsequence(
  left: readonly unknown[],
  right: readonly unknown[],
  same: (a: unknown, b: unknown) => boolean,
): [number, number][] {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const matches = new Uint8Array(left.length * right.length);
  for (let l = left.length - 1; l >= 0; l -= 1) {
    for (let r = right.length - 1; r >= 0; r -= 1) {
      const match = same(left[l], right[r]);
      matches[l * right.length + r] = match ? 1 : 0;
      lengths[l * width + r] = match
        ? 1 + (lengths[(l + 1) * width + r + 1] ?? 0)
        : Math.max(lengths[(l + 1) * width + r] ?? 0, lengths[l * width + r + 1] ?? 0);
    }
  }
  const pairs: [number, number][] = [];
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    if (matches[l * right.length + r] === 1) {
      pairs.push([l, r]);
      l += 1;
      r += 1;
    } else if ((lengths[(l + 1) * width + r] ?? 0) >= (lengths[l * width + r + 1] ?? 0)) l += 1;
    else r += 1;
  }
  return pairs;
}
