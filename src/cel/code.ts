/**
 * The stored form of a checked expression: nested JSON arrays that start with an operation. It is data from a bundle,
 * so the planner takes nothing on trust: unknown versions, operations, functions and shapes are refused.
 */
export type Code = null | boolean | number | string | readonly Code[];

/** `[version, node]`. */
export type EncodedExpression = readonly [version: number, node: Code];

/** The version this code reads and writes. */
export const AST_VERSION = 1;

/** First element of each node, and what follows it. */
export const OP = {
  /** value, or a tagged pair: `i` int, `u` uint, `d` double as text, `b` bytes as numbers */
  const: 0,
  /** name */
  ident: 1,
  /** operand, field */
  select: 2,
  /** operand, field */
  has: 3,
  /** function, overload id or 0, arguments… */
  call: 4,
  /** function, overload id or 0, target, arguments… */
  method: 5,
  /** elements[, indexes of optional ones] */
  list: 6,
  /** [key, value, …][, indexes of optional entries] */
  map: 7,
  /** type name, [field, value, …][, indexes of optional fields] */
  struct: 8,
  /** range, variable, second variable or 0, accumulator, init, condition, step, result */
  fold: 9,
  /** type name used as a value */
  type: 10,
} as const;
