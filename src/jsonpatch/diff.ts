/**
 * The patch that turns one JSON value into another: only `add`, `remove` and `replace`, each of which applies in any
 * RFC 6902 implementation. Lists are aligned, so that one item put in front is one `add`.
 */
import { align, type Step } from './align.ts';
import { type DiffOperation, isList, isPlainMap, numberOf, type PlainMap, type Unbox } from './operation.ts';
import { escapeToken } from './pointer.ts';

/** The operations from `before` to `after`, in the order in which they apply; none when both are equal. */
export function diff(before: unknown, after: unknown, unbox: Unbox = () => undefined): readonly DiffOperation[] {
  const operations: DiffOperation[] = [];
  compare(before, after, '', { operations, unbox });
  return operations;
}

interface Comparison {
  readonly operations: DiffOperation[];
  readonly unbox: Unbox;
}

function compare(before: unknown, after: unknown, path: string, comparison: Comparison): void {
  if (Object.is(before, after)) return;
  if (isList(before) && isList(after)) compareLists(before, after, path, comparison);
  else if (isPlainMap(before) && isPlainMap(after)) compareMaps(before, after, path, comparison);
  else if (!jsonEquals(before, after, comparison.unbox)) {
    comparison.operations.push({ op: 'replace', path, value: after });
  }
}

function compareMaps(before: PlainMap, after: PlainMap, path: string, comparison: Comparison): void {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) comparison.operations.push({ op: 'remove', path: `${path}/${escapeToken(key)}` });
  }
  for (const key of Object.keys(after)) {
    const place = `${path}/${escapeToken(key)}`;
    if (Object.hasOwn(before, key)) compare(before[key], after[key], place, comparison);
    else comparison.operations.push({ op: 'add', path: place, value: after[key] });
  }
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  comparison: Comparison,
): void {
  const equals = (a: unknown, b: unknown): boolean => jsonEquals(a, b, comparison.unbox);
  let place = 0;
  for (const step of align(before, after, equals)) {
    apply(step, `${path}/${place}`, comparison);
    if (step.kind !== 'remove') place += 1;
  }
}

function apply(step: Step, path: string, comparison: Comparison): void {
  switch (step.kind) {
    case 'keep':
      return;
    case 'change':
      compare(step.before, step.after, path, comparison);
      return;
    case 'replace':
      comparison.operations.push({ op: 'replace', path, value: step.after });
      return;
    case 'add':
      comparison.operations.push({ op: 'add', path, value: step.after });
      return;
    case 'remove':
      comparison.operations.push({ op: 'remove', path });
  }
}

/** Whether two JSON values are equal: numbers by value, however they are kept; maps without order. */
export function jsonEquals(a: unknown, b: unknown, unbox: Unbox): boolean {
  if (Object.is(a, b)) return true;
  if (isList(a)) {
    return isList(b) && a.length === b.length && a.every((item, index) => jsonEquals(item, b[index], unbox));
  }
  if (isPlainMap(a)) {
    if (!isPlainMap(b)) return false;
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && jsonEquals(a[key], b[key], unbox))
    );
  }
  const left = numberOf(a, unbox);
  // Loose on purpose: `==` compares number and bigint by exact value.
  return left !== undefined && looseEquals(left, numberOf(b, unbox));
}

function looseEquals(a: number | bigint, b: number | bigint | undefined): boolean {
  if (b === undefined) return false;
  return typeof a === typeof b ? a === b : !(a < b) && !(a > b);
}
