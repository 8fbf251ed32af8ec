/** Evaluates expressions one after the other under one budget (API server: plugin/cel/condition.go ForInput). */
import { CelError, type Value } from '#cel/runtime';
import { OUT_OF_BUDGET, PER_CALL_LIMIT } from './budget.ts';
import type { Scope } from './environment.ts';
import { type Need, NeedsFact } from './needs.ts';
import type { Expression } from './program.ts';
import type { Trace } from './trace.ts';

/** What one expression came to; the error has the API server's whole text. */
export type Evaluated = { readonly value: Value; readonly error?: undefined } | { readonly error: string };

export type EvaluatedAll =
  | { readonly results: readonly (Evaluated | undefined)[]; readonly remaining: number; readonly aborted?: undefined }
  /** The budget ran out: all results are lost. */
  | { readonly aborted: string };

/** Evaluates each expression; `undefined` ones are slots without an expression. */
export function evaluateAll(
  expressions: readonly (Expression | undefined)[],
  scope: Scope,
  budget: number,
  trace: Trace,
): EvaluatedAll {
  let remaining = budget;
  const results: (Evaluated | undefined)[] = [];
  const needs: Need[] = [];
  for (const expression of expressions) {
    if (!expression || expression.error !== undefined) {
      results.push(expression && { error: `compilation error: ${expression.error}` });
      continue;
    }
    const evaluation = needing(needs, () => expression.program().evaluate(scope.slots, PER_CALL_LIMIT));
    if (!evaluation) continue;
    const { value, cost } = evaluation;
    trace.expression(expression.field, cost, value);
    for (const charge of [scope.takeVariableCost(), cost]) {
      if (charge > remaining) {
        if (needs.length > 0) throw new NeedsFact(...needs);
        return { aborted: OUT_OF_BUDGET };
      }
      remaining -= charge;
    }
    if (value instanceof CelError) {
      results.push({ error: `expression '${expression.source}' resulted in error: ${value.message}` });
    } else {
      results.push({ value });
    }
  }
  if (needs.length > 0) throw new NeedsFact(...needs);
  return { results, remaining };
}

/** What an expression came to; when it lacks a fact, that is noted and the next expression has its turn. */
function needing<T>(needs: Need[], evaluate: () => T): T | undefined {
  try {
    return evaluate();
  } catch (thrown) {
    if (!(thrown instanceof NeedsFact)) throw thrown;
    needs.push(...thrown.needs);
    return undefined;
  }
}
