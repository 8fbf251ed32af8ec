/** The record of an evaluation as it goes: which expression ran at what cost, what was decided. */
import { CelError, type Result } from '#cel/runtime';
import type { DecisionRecord } from './outcome.ts';

export interface TraceContext {
  readonly policy: string;
  readonly binding?: string | undefined;
  readonly param?: string | undefined;
  readonly pass?: number | undefined;
}

export interface Trace {
  /** An expression was evaluated. */
  expression(field: string, cost: number, result: Result): void;
  /** Something was decided. */
  decide(kind: Exclude<DecisionRecord['kind'], 'expression'>, message?: string, field?: string): void;
}

/** A trace that appends to a list. */
export function traceTo(records: DecisionRecord[], { policy, binding, param, pass }: TraceContext): Trace {
  const add = (
    kind: DecisionRecord['kind'],
    field: string | undefined,
    cost: number | undefined,
    message: string | undefined,
  ): void => {
    records.push({ policy, binding, param, field, pass, kind, cost, message });
  };
  return {
    expression: (field, cost, result) =>
      add('expression', field, cost, result instanceof CelError ? result.message : undefined),
    decide: (kind, message, field) => add(kind, field, undefined, message),
  };
}
