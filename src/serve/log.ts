/** What is logged: flat records, one line each, without objects of the cluster and without secrets. */

export type LogRecord = ReviewRecord | RefreshRecord | { readonly event: 'error'; readonly message: string };

/** What a review was about, as far as it could be read. */
export interface Subject {
  readonly uid: string;
  readonly operation: string;
  /** `pods`, `deployments.apps/scale`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly dryRun?: true;
  readonly digest: string;
  readonly allowed?: boolean;
  readonly status?: number;
  readonly reason?: string;
  readonly operations?: number;
  readonly warnings?: number;
  readonly rounds?: number;
}

interface ReviewRecord extends Partial<Omit<Subject, 'reason'>> {
  readonly event: 'review';
  readonly cluster: string;
  readonly phase: string;
  readonly entry?: string | undefined;
  readonly result: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly seconds: number;
}

interface RefreshRecord {
  readonly event: 'refresh';
  readonly cluster: string;
  readonly result: string;
  readonly message?: string;
}

/** A record as one line of JSON, with its time first. */
export function logLine(record: LogRecord, now: number): string {
  return JSON.stringify({ time: new Date(now).toISOString(), ...record });
}
