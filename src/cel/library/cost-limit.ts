/**
 * Calls whose cost alone ends the expression need not be carried out: the API server would, and then throw the result
 * away. For functions of one overload only, whose cost rule always applies.
 */
import { CelError } from '../values.ts';

/** The cost that one expression may have. */
const PER_CALL_LIMIT = 1_000_000;

/** The error of an expression over its limit, when a call of that cost is. */
export function overCostLimit(cost: number): CelError | undefined {
  return cost > PER_CALL_LIMIT ? new CelError('operation cancelled: actual cost limit exceeded') : undefined;
}
