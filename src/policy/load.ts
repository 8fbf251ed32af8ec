/** From a bundle's data to a policy set: nothing is taken on trust. */
import { functionTable, planProgram, standardLibraries } from '#cel/runtime';
import { decodePolicies } from './compiled-shape.ts';
import { SLOTS } from './environment.ts';
import type { ServedResource } from './equivalents.ts';
import { jsonPatch, kubernetesLibraries } from './library/index.ts';
import { patchStructs } from './object-values.ts';
import { type PolicySet, policySet } from './policy-set.ts';
import type { Planner } from './program.ts';

export interface LoadOptions {
  /** Resources that the cluster serves under several names, beyond what the bundle says. */
  readonly equivalents?: readonly (readonly ServedResource[])[];
  /** Makes programs of stored code; for tests. */
  readonly plan?: Planner;
}

/** A policy set of compiled policies, or the reason why the data is refused. Expressions are planned when first used. */
export function loadPolicies(data: unknown, options: LoadOptions = {}): PolicySet | { readonly error: string } {
  const compiled = decodePolicies(data);
  if ('error' in compiled) return compiled;
  return policySet(compiled, { plan: options.plan ?? celPlanner(), equivalents: options.equivalents ?? [] });
}

function celPlanner(): Planner {
  const functions = functionTable([...standardLibraries, ...kubernetesLibraries, jsonPatch]);
  return (code) => planProgram(code, { slots: SLOTS, functions, structs: patchStructs });
}
