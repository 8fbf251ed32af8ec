/**
 * `variables`: each is evaluated when it is first read, once in a scope, its error kept as well (API server:
 * plugin/cel/composition.go). What they cost is not the reader's: the scope hands it to the budget.
 */
import { CelError, Opaque, type Result, type Value } from '#cel/runtime';
import { goQuote } from '#kubernetes';
import { PER_CALL_LIMIT } from './budget.ts';
import { CannotDecide } from './needs.ts';
import type { Expression } from './program.ts';
import type { Trace } from './trace.ts';

export class Variables extends Opaque {
  override readonly typeName = 'kubernetes.variables';
  readonly #definitions: ReadonlyMap<string, Expression>;
  readonly #results = new Map<string, Result | undefined>();
  readonly #slots: readonly (Value | undefined)[];
  readonly #trace: Trace;
  #cost = 0;

  /** `slots` is what the scope's expressions see; the variables see the same. */
  constructor(definitions: ReadonlyMap<string, Expression>, slots: readonly (Value | undefined)[], trace: Trace) {
    super();
    this.#definitions = definitions;
    this.#slots = slots;
    this.#trace = trace;
  }

  override get(name: string): Result | undefined {
    const definition = this.#definitions.get(name);
    if (!definition) return undefined;
    if (this.#results.has(name)) {
      const known = this.#results.get(name);
      // a second definition of a name may read the first one's: the API server would never come back
      if (known === undefined) throw new CannotDecide(`variable ${goQuote(name)} reads itself`);
      return known;
    }
    this.#results.set(name, undefined);
    let result: Result | undefined;
    try {
      result = this.#evaluate(name, definition);
    } finally {
      // a fact may be lacking: then nothing is known of the variable
      if (result === undefined) this.#results.delete(name);
      else this.#results.set(name, result);
    }
    return result;
  }

  override has(name: string): boolean | CelError {
    const value = this.get(name);
    return value instanceof CelError ? value : value !== undefined;
  }

  /** What variables have cost since the last call. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(name: string, definition: Expression): Result {
    if (definition.error !== undefined) {
      return new CelError(`composited variable ${goQuote(name)} fails to compile: ${definition.error}`);
    }
    const { value, cost } = definition.program().evaluate(this.#slots, PER_CALL_LIMIT);
    this.#cost += cost;
    this.#trace.expression(definition.field, cost, value);
    if (!(value instanceof CelError)) return value;
    return new CelError(`composited variable ${goQuote(name)} fails to evaluate: ${value.message}`);
  }
}
