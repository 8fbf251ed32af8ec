/** matchConditions: whether an evaluation takes place at all (API server: plugin/webhook/matchconditions/matcher.go Match). */
import type { EvaluatedAll } from './evaluate.ts';

export type ConditionsResult = 'matched' | 'skipped' | { readonly error: string };

/** All conditions have been evaluated: a false one wins over errors, and errors obey the failure policy. */
export function conditionsResult(evaluated: EvaluatedAll, failurePolicy: string): ConditionsResult {
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
