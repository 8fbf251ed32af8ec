/** What the engine answers with. */
import type { JsonObject, Status } from '#kubernetes';
import type { Needs } from './facts.ts';

/** One operation of the patch: only `add`, `remove` and `replace` occur. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

export type Phase = 'mutate' | 'validate';

export interface Outcome {
  readonly kind: 'outcome';
  readonly verdict: Verdict;
  /** Mutating: the object after all policies; absent when the request has none or was denied. */
  readonly object?: JsonObject;
  /** Mutating: what changes the request's object into `object`; empty when nothing changed. */
  readonly patch: readonly PatchOperation[];
  /** Mutating: how often the chain ran; 0 when no policy may see the request, 2 after a reinvocation. */
  readonly passes: number;
  /** What decided what, in order. */
  readonly records: readonly DecisionRecord[];
}

export interface Verdict {
  readonly allowed: boolean;
  /** Set when denied. */
  readonly status?: Status;
  /** What the API server would send to the client: its own filter has been applied. */
  readonly warnings: readonly string[];
  /** What the policies said, before that filter. */
  readonly rawWarnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** One step of the decision: an evaluated expression, or a thing that ended an evaluation. */
export interface DecisionRecord {
  readonly policy: string;
  readonly binding?: string | undefined;
  /** `namespace/name` of the param, or its name. */
  readonly param?: string | undefined;
  /** Field path of the expression, `spec.validations[0].expression`. */
  readonly field?: string | undefined;
  /** 1, or 2 after a reinvocation. */
  readonly pass?: number | undefined;
  readonly kind: 'expression' | 'admit' | 'deny' | 'error' | 'skip' | 'mutate';
  /** Cost of the expression as the API server counts it. */
  readonly cost?: number | undefined;
  readonly message?: string | undefined;
}

export type Answer = Outcome | Needs;
