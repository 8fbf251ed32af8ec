import { type CelType, createEnv, types } from '#cel';
import { CelError, functionTable, parseJson, planProgram, standardLibraries, type Value } from '#cel/runtime';
import { compileIn } from '../../src/policy/compile/expression.ts';
import { kubernetesLibraries } from '../../src/policy/library/index.ts';
import { patchStructs } from '../../src/policy/object-values.ts';

const LIBRARIES = [...standardLibraries, ...kubernetesLibraries];
const FUNCTIONS = functionTable(LIBRARIES);
const ENV = createEnv({ variables: { object: types.DYN }, libraries: LIBRARIES });

export interface Outcome {
  readonly value: Value | undefined;
  /** The message of the compiler or of the evaluation. */
  readonly error: string | undefined;
  readonly type: string | undefined;
  readonly cost: number;
}

/** Compiles an expression and evaluates it on an `object` given as JSON text. */
export function evaluate(source: string, object = 'null', limit = 1_000_000): Outcome {
  const compiled = compileIn(ENV, source, [] as readonly CelType[], ['object']);
  if (!compiled.ok) return { value: undefined, error: compiled.error, type: undefined, cost: 0 };
  const program = planProgram(compiled.code, { slots: ['object'], functions: FUNCTIONS, structs: patchStructs });
  if ('error' in program) return { value: undefined, error: program.error, type: compiled.typeText, cost: 0 };
  const { value, cost } = program.evaluate([parseJson(object)], limit);
  if (value instanceof CelError) return { value: undefined, error: value.message, type: compiled.typeText, cost };
  return { value, error: undefined, type: compiled.typeText, cost };
}

/** The stored code of an expression. */
export function codeOf(source: string): unknown {
  const compiled = compileIn(ENV, source, [] as readonly CelType[], ['object']);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.code;
}

/** Plans stored code, whatever it is. */
export function planned(code: unknown): ReturnType<typeof planProgram> {
  return planProgram(code, { slots: ['object'], functions: FUNCTIONS, structs: patchStructs });
}
