/** The limits of the API server on what expressions may cost and how long their results may be. */

/** One expression, or one variable. */
export const PER_CALL_LIMIT = 1_000_000;
/** The validations of one evaluation with their messages; its audit annotations; one mutation. */
export const EVALUATION_BUDGET = 10_000_000;
/** All matchConditions of one evaluation. */
export const MATCH_CONDITIONS_BUDGET = 2_500_000;
/** Bytes of a messageExpression's result. */
export const MESSAGE_BYTES = 5_120;
/** Bytes of an audit annotation's value. */
export const AUDIT_VALUE_BYTES = 10_240;

export const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';
