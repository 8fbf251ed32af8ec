/** A whole admission as the API server has it: the mutating phase, then the validating one on what it made. */
import type { FactSource } from '#facts';
import type { AdmissionRequest, JsonObject } from '#kubernetes';
import type { Outcome, Phase } from '#policy';
import { decide, type Engine } from '#serve';

export interface Admission {
  readonly allowed: boolean;
  /** The outcome that decides: of the phase that denied, else of the last one. */
  readonly outcome: Outcome;
  readonly mutated: Outcome | undefined;
  /** The object in the end; absent when the request has none or is denied. */
  readonly object: JsonObject | undefined;
}

/** Decides a request through the phases asked for. Rejects with `FactError` when a fact cannot be told. */
export async function admission(
  engine: Engine,
  request: AdmissionRequest,
  source: FactSource | undefined,
  phases: readonly Phase[] = ['mutate', 'validate'],
): Promise<Admission> {
  const ask = async (phase: Phase, object: AdmissionRequest['object']): Promise<Outcome> => {
    const question = {
      engine,
      phase,
      request: { ...request, object: object ?? null },
      signal: () => AbortSignal.timeout(30_000),
    };
    return (await decide({ ...question, ...(source ? { source } : {}) })).outcome;
  };
  const mutated = phases.includes('mutate') ? await ask('mutate', request.object) : undefined;
  if (mutated && (!mutated.verdict.allowed || !phases.includes('validate')))
    return result(mutated, mutated, mutated.object);
  const object = mutated?.object ?? request.object ?? undefined;
  return result(await ask('validate', object), mutated, object);
}

function result(outcome: Outcome, mutated: Outcome | undefined, object: JsonObject | undefined): Admission {
  const { allowed } = outcome.verdict;
  return { allowed, outcome, mutated, object: allowed ? object : undefined };
}

/** Both phases as one outcome: the patch of the first, the verdict of the second, the warnings of both. */
export function combined({ outcome, mutated }: Admission): Outcome {
  if (!mutated || mutated === outcome) return outcome;
  const { verdict } = outcome;
  return {
    ...mutated,
    verdict: {
      ...verdict,
      warnings: [...mutated.verdict.warnings, ...verdict.warnings],
      rawWarnings: [...mutated.verdict.rawWarnings, ...verdict.rawWarnings],
      auditAnnotations: { ...mutated.verdict.auditAnnotations, ...verdict.auditAnnotations },
    },
    records: [...mutated.records, ...outcome.records],
  };
}
