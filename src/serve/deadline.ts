/** How long an answer may take: what the API server says in its URL, less what the way back needs. */
import { abortable } from '#bundle';

const DEFAULT_SECONDS = 10;
const MAX_SECONDS = 30;
const MARGIN_MS = 500;

/** Milliseconds for everything, from the `timeout` parameter (`10s`) of the URL. */
export function budgetMs(timeout: string | undefined): number {
  const seconds = /^([1-9]\d{0,4})s$/.exec(timeout ?? '')?.[1];
  return Math.min(seconds === undefined ? DEFAULT_SECONDS : Number(seconds), MAX_SECONDS) * 1000 - MARGIN_MS;
}

/** Says that a deadline passed. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** The promise, or a `DeadlineError` when the signal comes first. What the promise does is not stopped by that. */
export async function withDeadline<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await abortable(promise, signal);
  } catch (error) {
    throw error === signal.reason ? new DeadlineError('the deadline of the request has passed') : error;
  }
}
