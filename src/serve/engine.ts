/** The engine as the server sees it: a set of policies that answers, or says what it lacks. */
import { BundleError } from '#bundle';
import type { AdmissionRequest } from '#kubernetes';
import { type Answer, admit, type CompiledPolicies, type Facts, loadPolicies, type Phase } from '#policy';

export interface Engine {
  admit(phase: Phase, request: AdmissionRequest, facts: Facts): Answer;
}

/** Makes the engine of a bundle's policies. Throws `BundleError` when they are refused. */
export type LoadPolicies = (compiled: CompiledPolicies) => Engine;

/** The real engine. */
export function loadEngine(compiled: CompiledPolicies): Engine {
  const set = loadPolicies(compiled);
  if ('error' in set) throw new BundleError('refused', `the engine refuses the bundle: ${set.error}`);
  return { admit: (phase, request, facts) => admit(set, phase, request, facts) };
}
