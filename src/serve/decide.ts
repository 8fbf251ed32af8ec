/** From a request to an outcome: the engine, and rounds of facts while it lacks some. */
import { describeNeeds, FactError, type FactSource, mergeFacts } from '#facts';
import type { AdmissionRequest } from '#kubernetes';
import { type Facts, type Needs, NO_FACTS, type Outcome, type Phase } from '#policy';
import type { Engine } from './engine.ts';

/** Each round brings at least one fact more; chains of access checks are the longest. */
const MAX_ROUNDS = 64;

export interface Question {
  readonly engine: Engine;
  readonly phase: Phase;
  readonly request: AdmissionRequest;
  /** Absent for a cluster without facts. */
  readonly source?: FactSource;
  /** Called once, when facts must be fetched. */
  readonly signal: () => AbortSignal;
}

export interface Decided {
  readonly outcome: Outcome;
  /** How often facts were fetched. */
  readonly rounds: number;
}

/**
 * The outcome, or a promise of it when facts must be fetched. Throws or rejects with `FactError` when one cannot be
 * told; then nothing is decided.
 */
export function decide(question: Question): Decided | Promise<Decided> {
  const { engine, phase, request, source } = question;
  const facts = source?.atHand?.(request.namespace) ?? NO_FACTS;
  const answer = engine.admit(phase, request, facts);
  return answer.kind === 'outcome' ? { outcome: answer, rounds: 0 } : fetchFacts(question, answer, facts);
}

async function fetchFacts(
  { engine, phase, request, source, signal }: Question,
  first: Needs,
  atHand: Facts,
): Promise<Decided> {
  if (!source) throw new FactError('none', `the policies need ${describeNeeds(first)}, and the cluster has no facts`);
  const deadline = signal();
  let facts = atHand;
  let needs = first;
  for (let rounds = 1; rounds <= MAX_ROUNDS; rounds++) {
    facts = mergeFacts(facts, await source.answer(needs, deadline));
    const answer = engine.admit(phase, request, facts);
    if (answer.kind === 'outcome') return { outcome: answer, rounds };
    needs = answer;
  }
  throw new FactError('unsettled', `the policies still need ${describeNeeds(needs)} after ${MAX_ROUNDS} rounds`);
}
