import { Interrupt } from './interrupt.ts';
import type { FunctionTable } from './plan/calls.ts';
import { type Frame, PlanError } from './plan/frame.ts';
import type { Structs } from './plan/literals.ts';
import { planCode } from './plan/planner.ts';
import { CelError, type Result, type Value } from './values.ts';

/** What an evaluation came to, and its cost as the API server counts it. */
export interface Evaluation {
  readonly value: Result;
  readonly cost: number;
}

/** A planned expression; it keeps no state between evaluations. */
export interface Program {
  /**
   * Evaluates with the variables' values in slot order; `undefined` is a variable without a value. A `limit` that is
   * exceeded ends the evaluation with the API server's error and the cost at that point.
   */
  evaluate(slots: readonly (Value | undefined)[], limit: number): Evaluation;
}

export interface ProgramOptions {
  /** Names of the variables. */
  readonly slots: readonly string[];
  readonly functions: FunctionTable;
  readonly structs: Structs;
  /** Also do now what is otherwise left to first use and can keep a program from being built: compiling patterns. */
  readonly verify?: boolean;
}

/** Plans stored code. What is not of its form, or names what is not there, is refused with a reason. */
export function planProgram(code: unknown, options: ProgramOptions): Program | { readonly error: string } {
  try {
    const { run, locals } = planCode(code, options);
    return { evaluate: (slots, limit) => evaluate(run, locals, slots, limit) };
  } catch (error) {
    if (error instanceof PlanError) return { error: error.message };
    throw error;
  }
}

const NO_LOCALS: Result[] = [];

function evaluate(
  run: (frame: Frame) => Result,
  locals: number,
  vars: readonly (Value | undefined)[],
  limit: number,
): Evaluation {
  const frame: Frame = {
    vars,
    locals: locals === 0 ? NO_LOCALS : new Array<Result | undefined>(locals),
    cost: 0,
    limit,
    iterations: 0,
    text: '',
    textSize: 0,
  };
  try {
    const value = run(frame);
    return { value, cost: frame.cost };
  } catch (error) {
    if (error instanceof Interrupt) return { value: new CelError(error.message), cost: frame.cost };
    throw error;
  }
}
