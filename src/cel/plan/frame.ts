import { Interrupt } from '../interrupt.ts';
import { CelError, type Result, type Value } from '../values.ts';

/** One evaluation: where variables and locals are read, and what has been spent. */
export interface Frame {
  readonly vars: readonly (Value | undefined)[];
  readonly locals: (Result | undefined)[];
  cost: number;
  readonly limit: number;
  /** Iterations of folds so far; bounds the loops that cost nothing. */
  iterations: number;
  /** The string whose size was last counted, and that size. */
  text: string;
  textSize: number;
}

/** A planned node. */
export type Step = (frame: Frame) => Result;

/** The code is not of the stored form, or cannot become a program; `message` says why. */
export class PlanError extends Error {}

const OVERRUN = new Interrupt('operation cancelled: actual cost limit exceeded');
const TOO_LONG = new Interrupt('operation interrupted');
const TOO_LARGE = new Interrupt('operation cancelled: value too large');

/** Iterations that an evaluation may take whatever they cost. */
const MAX_ITERATIONS = 5_000_000;

/** Largest list and string that an operator builds; only doubling in policies gets there. */
const MAX_LIST = 10_000_000;
const MAX_STRING = 100_000_000;

/** One charge of a node. One rule of cel-go's can be negative; below zero the sum wraps around as an unsigned one does. */
export function charge(frame: Frame, cost: number): void {
  frame.cost += cost;
  if (frame.cost < 0) frame.cost += 2 ** 64;
  if (frame.cost > frame.limit) throw OVERRUN;
}

/** `count` charges of 1 each: on overrun the cost is the one at which the API server would have stopped. */
export function units(frame: Frame, count: number): void {
  frame.cost += count;
  if (frame.cost > frame.limit) {
    frame.cost = frame.limit + 1;
    throw OVERRUN;
  }
}

/** Counts an iteration of a fold. */
export function iterate(frame: Frame): void {
  if (++frame.iterations > MAX_ITERATIONS) throw TOO_LONG;
}

export function checkListSize(length: number): void {
  if (length > MAX_LIST) throw TOO_LARGE;
}

export function checkStringSize(length: number): void {
  if (length > MAX_STRING) throw TOO_LARGE;
}

export const NO_OVERLOAD = new CelError('no such overload');

/** The error of a function that no overload fits, as cel-go names it for operands that lack the operator altogether. */
export function noOverload(name: string): CelError {
  return new CelError(`no such overload: ${name}`);
}
