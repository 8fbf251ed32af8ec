/** matchConditions: whether an evaluation takes place at all (API server: plugin/webhook/matchconditions/matcher.go Match). */
import { MATCH_CONDITIONS_BUDGET } from './budget.ts';
import type { Scope } from './environment.ts';
import { evaluateAll } from './evaluate.ts';
import type { Expression } from './program.ts';
import type { Trace } from './trace.ts';

export type ConditionsResult = 'matched' | 'skipped' | { readonly error: string };

/** All conditions are evaluated; then a false one wins over errors, and errors obey the failure policy. */
export function matchConditions(
  conditions: readonly Expression[],
  scope: Scope,
  failurePolicy: string,
  trace: Trace,
): ConditionsResult {
  if (conditions.length === 0) return 'matched';
  const evaluated = evaluateAll(conditions, scope, MATCH_CONDITIONS_BUDGET, trace);
  const failed = (error: string): ConditionsResult => (failurePolicy === 'Ignore' ? 'skipped' : { error });
  if (evaluated.aborted !== undefined) return failed(evaluated.aborted);
  const errors = new Set<string>();
  for (const result of evaluated.results) {
    if (result?.error !== undefined) errors.add(result.error);
    else if (result?.value === false) return 'skipped';
  }
  if (errors.size === 0) return 'matched';
  const [first = '', ...others] = errors;
  return failed(others.length === 0 ? first : `[${[first, ...others].join(', ')}]`);
}
