/** An expression of a loaded policy: planned when it is first evaluated, once in the life of its policy set. */
import type { CelError, Value } from '#cel/runtime';
import type { CompiledExpression } from './compiled.ts';
import { CannotDecide } from './needs.ts';

/** What `planProgram` of `#cel/runtime` makes. */
export interface Program {
  evaluate(
    slots: readonly (Value | undefined)[],
    limit: number,
  ): { readonly value: Value | CelError; readonly cost: number };
}

export type Planner = (code: unknown) => Program | { readonly error: string };

export interface Expression {
  readonly source: string;
  /** Field path, for records. */
  readonly field: string;
  /** Why it did not compile, in the API server's words; then there is no program. */
  readonly error: string | undefined;
  /** Throws `CannotDecide` when the code is not sound: then the bundle is not what the compiler made. */
  program(): Program;
}

export function loadExpression(compiled: CompiledExpression, field: string, plan: Planner): Expression {
  if ('error' in compiled) {
    const { source, error } = compiled;
    return { source, field, error, program: () => refuse(field, error) };
  }
  let planned: Program | undefined;
  return {
    source: compiled.source,
    field,
    error: undefined,
    program: () => {
      if (planned) return planned;
      const result = plan(compiled.code);
      if ('error' in result) return refuse(field, result.error);
      planned = result;
      return planned;
    },
  };
}

function refuse(field: string, error: string): never {
  throw new CannotDecide(`the compiled code of ${field} cannot be run: ${error}`);
}
