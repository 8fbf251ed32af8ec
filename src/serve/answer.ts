/** From the body of an authorized request to the body of its answer. */
import type { AdmissionRequest } from '#kubernetes';
import type { Outcome, Phase } from '#policy';
import { readBody } from './body.ts';
import type { ClusterState } from './current.ts';
import { withDeadline } from './deadline.ts';
import { decide } from './decide.ts';
import { factSourceOf } from './facts-state.ts';
import type { Subject } from './log.ts';
import { type Rejection, reject } from './rejection.ts';
import { decodeReview, encodeReview } from './review.ts';

export interface Asked {
  readonly state: ClusterState;
  readonly phase: Phase;
  readonly request: Request;
  readonly maxBodyBytes: number;
  readonly now: () => number;
  readonly signal: () => AbortSignal;
}

/** Either `rejection` or `body` is set. */
export interface Answered {
  readonly body?: string;
  readonly rejection?: Rejection;
  /** What made the rejection. */
  readonly error?: unknown;
  readonly record?: Subject;
}

/** The answer to a review. What cannot be decided rejects. */
export async function answerReview({ state, phase, request, maxBodyBytes, now, signal }: Asked): Promise<Answered> {
  const { engine, cluster, facts, digest = '' } = state;
  if (!engine || !cluster) return { rejection: reject(503, 'the cluster has no bundle yet') };
  const text = await readBody(request, maxBodyBytes);
  if (typeof text !== 'string') return { rejection: text };
  const review = decodeReview(text);
  if (review.kind === 'rejection') return { rejection: review };
  const source = factSourceOf(cluster.value, facts, now);
  const decided = decide({ engine, phase, request: review.request, ...(source ? { source } : {}), signal });
  const { outcome, rounds } = decided instanceof Promise ? await withDeadline(decided, signal()) : decided;
  return {
    body: encodeReview(review, outcome),
    record: { ...subjectOf(review.request, digest), ...resultOf(outcome), rounds },
  };
}

function subjectOf(request: AdmissionRequest, digest: string): Subject {
  const { uid, operation, resource, subResource, namespace, name, dryRun } = request;
  const group = resource.group === '' ? '' : `.${resource.group}`;
  return {
    uid,
    operation,
    resource: `${resource.resource}${group}${subResource ? `/${subResource}` : ''}`,
    ...(namespace ? { namespace } : {}),
    ...(name ? { name } : {}),
    ...(dryRun ? { dryRun } : {}),
    digest,
  };
}

function resultOf({ verdict, patch }: Outcome): Partial<Subject> {
  const { allowed, status, warnings } = verdict;
  return {
    allowed,
    ...(status?.code === undefined ? {} : { status: status.code }),
    ...(status?.reason ? { reason: status.reason } : {}),
    ...(patch.length > 0 ? { operations: patch.length } : {}),
    ...(warnings.length > 0 ? { warnings: warnings.length } : {}),
  };
}
