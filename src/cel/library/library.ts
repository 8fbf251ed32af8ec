import type { CelError, Value } from '../values.ts';

/**
 * One overload of one function: a row of a library's table.
 *
 * `signature` is written in the notation of the specification: `string.(int) -> string` for a member function,
 * `(string, int) -> list<string>` for a global one. Types: `int uint double bool string bytes null timestamp duration
 * dyn list<T> map<K, V> optional<T> type<T>`, single capitals as type parameters, and dotted names for host types.
 * The checker resolves calls by it; the planner guards the call by it, so `run` gets values of the declared types
 * (a `list<T>` is any array; only its first element is guarded, as in cel-go). Strict functions never see an error argument.
 */
export interface Overload {
  /** Function name; dotted names (`strings.quote`) are qualified global functions. */
  readonly name: string;
  /** cel-go's overload id. */
  readonly id: string;
  readonly signature: string;
  /**
   * What the planner checks before `run`, when it is not the signature: `list`, that the target is a list of anything
   * (else `no such overload: <name>`); `none`, nothing, since `run` answers itself whatever the arguments are.
   */
  readonly guard?: 'list' | 'none';
  // biome-ignore lint/suspicious/noExplicitAny: rows have as many argument types as there are functions; `signature` guards them
  readonly run: (...args: any[]) => Value | CelError;
  /**
   * A faster `run` for a call some of whose arguments are constants: these are given, the others are `undefined`. An error
   * is one of the program, which cannot be built then. The planner may do without it.
   */
  readonly specialize?: (constants: readonly (Value | undefined)[]) => Overload['run'] | CelError | undefined;
  /**
   * cel-go itself replaces a call of this function whose pattern (the second argument) is a constant: such a call is not
   * guarded by the signature (the specialized `run` gets anything), and an argument's error ends it without a charge.
   */
  readonly replacedByPattern?: boolean;
  /** Bound by a function of any number of arguments: a call ends at the first error, before the others are evaluated. */
  readonly variadic?: boolean;
  /** Runtime cost of the call node when the checker left exactly this overload; see `Library.costs` for the order of rules. */
  readonly cost?: CallCost;
}

/** Cost of a call by its arguments (target first) and result; a whole number. `undefined`: this rule does not apply. */
export type CallCost = (
  args: readonly Value[],
  result: Value | CelError,
  overload: string | undefined,
) => number | undefined;

/** A named set of functions that one version of Kubernetes brought. */
export interface Library {
  readonly name: string;
  /** First Kubernetes minor that has it, as `1.30`; always there when absent. */
  readonly since?: string;
  readonly overloads: readonly Overload[];
  /**
   * Kubernetes' cost rules, keyed by function *name*: they apply even when the overload is unresolved.
   * Order: rows of `overloadCosts` libraries first, then these, then `Overload.cost`, then 1.
   */
  readonly costs?: Readonly<Record<string, CallCost>>;
  /** True for the libraries whose `Overload.cost` goes before the rules by name (ext.Sets, ext.Lists). */
  readonly overloadCostsFirst?: boolean;
  /** Names of types that can be used as values (`net.IP`). */
  readonly typeNames?: readonly string[];
}
