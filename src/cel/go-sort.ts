/**
 * The order that Go's `sort.Slice` leaves elements in. It is not stable beyond twelve elements, so that the place of equal
 * ones shows the algorithm: pattern-defeating quicksort with fixed thresholds and a generator seeded by the length.
 */

/** Whether the element that is now at one place goes before the one at another. */
type Less = (left: number, right: number) => boolean;

interface Sorter {
  readonly less: Less;
  readonly swap: (left: number, right: number) => void;
}

const INSERTION_LENGTH = 12;
const NINTHER_LENGTH = 50;
const SHIFTING_LENGTH = 50;
const SHIFTING_STEPS = 5;
const ALL_SWAPPED = 12;

/** The permutation of `length` elements: at each place the index of the element that comes there. */
export function sortedIndices(length: number, before: (left: number, right: number) => boolean): readonly number[] {
  const order = Array.from({ length }, (_, index) => index);
  const at = (place: number): number => order[place] ?? 0;
  const sorter: Sorter = {
    less: (left, right) => before(at(left), at(right)),
    swap: (left, right) => {
      const kept = at(left);
      order[left] = at(right);
      order[right] = kept;
    },
  };
  quicksort(sorter, 0, length, bitLength(length));
  return order;
}

function bitLength(value: number): number {
  return value === 0 ? 0 : 32 - Math.clz32(value);
}

function quicksort(sorter: Sorter, from: number, to: number, badChoices: number): void {
  let start = from;
  let end = to;
  let left = badChoices;
  let balanced = true;
  let partitioned = true;
  while (end - start > INSERTION_LENGTH) {
    if (left === 0) {
      heapsort(sorter, start, end);
      return;
    }
    if (!balanced) {
      scatter(sorter, start, end);
      left--;
    }
    let { pivot, hint } = choosePivot(sorter, start, end);
    if (hint === 'decreasing') {
      for (let i = start, j = end - 1; i < j; i++, j--) sorter.swap(i, j);
      pivot = end - 1 - (pivot - start);
      hint = 'increasing';
    }
    if (balanced && partitioned && hint === 'increasing' && insertFew(sorter, start, end)) return;
    if (start > 0 && !sorter.less(start - 1, pivot)) {
      start = partitionEqual(sorter, start, end, pivot);
      continue;
    }
    const split = partition(sorter, start, end, pivot);
    partitioned = split.already;
    const before = split.middle - start;
    const after = end - split.middle;
    const least = Math.floor((end - start) / 8);
    balanced = Math.min(before, after) >= least;
    if (before < after) {
      quicksort(sorter, start, split.middle, left);
      start = split.middle + 1;
    } else {
      quicksort(sorter, split.middle + 1, end, left);
      end = split.middle;
    }
  }
  for (let i = start + 1; i < end; i++) sinkLeft(sorter, i, start);
}

/** Moves an element left past those that it goes before. */
function sinkLeft({ less, swap }: Sorter, from: number, stop: number): void {
  for (let place = from; place > stop && less(place, place - 1); place--) swap(place, place - 1);
}

type Hint = 'increasing' | 'decreasing' | 'none';

function choosePivot({ less }: Sorter, start: number, end: number): { pivot: number; hint: Hint } {
  const quarter = Math.floor((end - start) / 4);
  let swaps = 0;
  const ordered = (a: number, b: number): [number, number] => {
    if (!less(b, a)) return [a, b];
    swaps++;
    return [b, a];
  };
  const median = (a: number, b: number, c: number): number => {
    const [low, high] = ordered(a, b);
    const [middle] = ordered(high, c);
    return ordered(low, middle)[1];
  };
  let places: [number, number, number] = [start + quarter, start + quarter * 2, start + quarter * 3];
  if (end - start >= NINTHER_LENGTH) {
    const around = (place: number): number => median(place - 1, place, place + 1);
    places = [around(places[0]), around(places[1]), around(places[2])];
  }
  const pivot = median(...places);
  return { pivot, hint: swaps === 0 ? 'increasing' : swaps === ALL_SWAPPED ? 'decreasing' : 'none' };
}

/** Swaps three elements about the middle with others, where the last split was lopsided. */
function scatter({ swap }: Sorter, start: number, end: number): void {
  const length = end - start;
  const mask = (1n << BigInt(bitLength(length))) - 1n;
  const first = start + Math.floor(length / 4) * 2 - 1;
  let random = BigInt(length);
  for (let index = 0; index < 3; index++) {
    random ^= BigInt.asUintN(64, random << 13n);
    random ^= random >> 7n;
    random ^= BigInt.asUintN(64, random << 17n);
    const other = Number(random & mask);
    swap(first + index, start + (other >= length ? other - length : other));
  }
}

/** Mends a few neighbours that are out of order; whether all is in order then. */
function insertFew(sorter: Sorter, start: number, end: number): boolean {
  const { less, swap } = sorter;
  let place = start + 1;
  for (let step = 0; step < SHIFTING_STEPS; step++) {
    while (place < end && !less(place, place - 1)) place++;
    if (place === end) return true;
    if (end - start < SHIFTING_LENGTH) return false;
    swap(place, place - 1);
    if (place - start >= 2) sinkLeft(sorter, place - 1, 0);
    if (end - place >= 2) {
      for (let next = place + 1; next < end && less(next, next - 1); next++) swap(next, next - 1);
    }
  }
  return false;
}

function partition(
  { less, swap }: Sorter,
  start: number,
  end: number,
  pivot: number,
): { middle: number; already: boolean } {
  swap(start, pivot);
  let low = start + 1;
  let high = end - 1;
  for (let already = true; ; already = false) {
    while (low <= high && less(low, start)) low++;
    while (low <= high && !less(high, start)) high--;
    if (low > high) {
      swap(high, start);
      return { middle: high, already };
    }
    swap(low++, high--);
  }
}

/** Gathers the elements equal to the pivot at the start; the place after them. */
function partitionEqual({ less, swap }: Sorter, start: number, end: number, pivot: number): number {
  swap(start, pivot);
  let low = start + 1;
  let high = end - 1;
  for (;;) {
    while (low <= high && !less(start, low)) low++;
    while (low <= high && less(start, high)) high--;
    if (low > high) return low;
    swap(low++, high--);
  }
}

function heapsort({ less, swap }: Sorter, start: number, end: number): void {
  const sift = (from: number, size: number): void => {
    let root = from;
    for (;;) {
      let child = 2 * root + 1;
      if (child >= size) return;
      if (child + 1 < size && less(start + child, start + child + 1)) child++;
      if (!less(start + root, start + child)) return;
      swap(start + root, start + child);
      root = child;
    }
  };
  const size = end - start;
  for (let root = Math.floor((size - 1) / 2); root >= 0; root--) sift(root, size);
  for (let last = size - 1; last >= 0; last--) {
    swap(start, start + last);
    sift(0, last);
  }
}
