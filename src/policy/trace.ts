/** The record of an evaluation as it goes: which expression ran at what cost, what was decided. */
import { CelError, type Result } from '#cel/runtime';
import type { DecisionRecord } from './outcome.ts';

export interface TraceContext {
  readonly policy: string;
  readonly binding?: string;
  readonly param?: string;
  readonly pass?: number;
}

export interface Trace {
  /** An expression was evaluated. */
  expression(field: string, cost: number, result: Result): void;
  /** Something was decided. */
  decide(kind: Exclude<DecisionRecord['kind'], 'expression'>, message?: string, field?: string): void;
}

/** A trace that appends to a list. */
export function traceTo(records: DecisionRecord[], context: TraceContext): Trace {
  return {
    expression: (field, cost, result) => {
      const record: DecisionRecord = { ...context, kind: 'expression', field, cost };
      records.push(result instanceof CelError ? { ...record, message: result.message } : record);
    },
    decide: (kind, message, field) => {
      records.push({
        ...context,
        kind,
        ...(message === undefined ? {} : { message }),
        ...(field === undefined ? {} : { field }),
      });
    },
  };
}
