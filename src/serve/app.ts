/** The HTTP application: one for all platforms, over the store, clock and log that it is given. */
import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { type BundleStore, isName } from '#bundle';
import type { Phase } from '#policy';
import { type Answered, answerReview } from './answer.ts';
import { type ClusterState, createCurrent } from './current.ts';
import { budgetMs, withDeadline } from './deadline.ts';
import type { LoadPolicies } from './engine.ts';
import type { LogRecord } from './log.ts';
import { createMetrics, type Result } from './metrics.ts';
import { jsonResponse, NOT_FOUND, type Rejection, reject, rejectionResponse } from './rejection.ts';
import { gaugesOf, statusOf } from './status.ts';
import { tokenAccepted } from './token.ts';

export interface AppOptions {
  readonly store: BundleStore;
  /** Makes an engine of compiled policies: `loadEngine`, but for tests. */
  readonly load: LoadPolicies;
  readonly log: (record: LogRecord) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Takes work that may go on after the response. Absent: the platform's `waitUntil`. */
  readonly background?: (work: Promise<unknown>) => void;
  /** Requests may wait for what another one reads. Never on Workers, where that hangs once the other one has ended. */
  readonly shareReads?: boolean;
  /** Clusters that must have a bundle for `/readyz` to say yes. */
  readonly clusters?: readonly string[];
  /** Digests of the tokens that may read `/status` and `/metrics`; none may without. */
  readonly statusTokens?: readonly string[];
  /** Seconds after which a cluster is checked for news; 15 by default. */
  readonly refreshSeconds?: number;
  /** Seconds after which a bundle that could not be checked is no longer used; never by default. */
  readonly maxStaleSeconds?: number;
  /** Bytes of a request body; 8 MiB by default, which holds an object of 3 MiB twice. */
  readonly maxBodyBytes?: number;
}

export interface App {
  readonly hono: Hono;
  readonly fetch: Hono['fetch'];
  /** Reads what the clusters run, so that the first review need not wait. Never rejects. */
  warm(): Promise<void>;
}

const DEFAULT_BODY_BYTES = 8 * 1024 * 1024;
const REFRESH_TIMEOUT_MS = 10_000;
const UNKNOWN_CLUSTER_TOKENS = [`sha256-${'0'.repeat(64)}`];

/** The application. It keeps its state in itself: one app, one set of clusters. */
export function createApp(options: AppOptions): App {
  const { store, load, log, now = Date.now, clusters = [], statusTokens = [], maxStaleSeconds } = options;
  const maxBodyBytes = options.maxBodyBytes ?? DEFAULT_BODY_BYTES;
  const startedAt = now();
  const metrics = createMetrics();
  const current = createCurrent({
    store,
    load,
    now,
    refreshSeconds: options.refreshSeconds ?? 15,
    shareReads: options.shareReads ?? false,
    onRefresh: ({ known, ...event }) => {
      if (known) metrics.refreshed(event.cluster, event.result);
      if (event.result !== 'unchanged') log({ event: 'refresh', ...event });
    },
  });

  const after = (c: Context, work: Promise<unknown>): void => {
    if (options.background) options.background(work);
    else c.executionCtx.waitUntil(work);
  };

  const isStale = ({ checkedAt = 0 }: ClusterState): boolean =>
    maxStaleSeconds !== undefined && now() - checkedAt > maxStaleSeconds * 1000;

  /** The state to answer from: read now when there is none to be used, else read again after the response. */
  const stateOf = async (c: Context, cluster: string, signal: () => AbortSignal): Promise<ClusterState> => {
    const state = current.peek(cluster);
    const settled = state && (state.checkedAt !== undefined || state.failure !== undefined);
    const due = current.due(cluster);
    if (state && settled && (!due || (state.engine && !isStale(state)))) {
      if (due) after(c, current.refresh(cluster, AbortSignal.timeout(REFRESH_TIMEOUT_MS)));
      return state;
    }
    const deadline = signal();
    const reading = options.shareReads ? AbortSignal.timeout(REFRESH_TIMEOUT_MS) : deadline;
    return withDeadline(current.refresh(cluster, reading), deadline);
  };

  const authorized = async (token: string, state: ClusterState): Promise<Rejection | undefined> => {
    if (!state.cluster && state.failure) return reject(503, 'the store of clusters does not answer');
    const accepted = await tokenAccepted(token, state.cluster?.value.tokens ?? UNKNOWN_CLUSTER_TOKENS);
    if (!accepted || !state.cluster) return NOT_FOUND;
    if (!state.engine)
      return reject(503, `the cluster has no bundle yet: ${state.failure?.message ?? 'none was read'}`);
    return isStale(state)
      ? reject(503, `the bundle was last found current more than ${maxStaleSeconds} seconds ago`)
      : undefined;
  };

  const review = async (c: Context): Promise<Response> => {
    const started = now();
    const { cluster = '', token = '', phase = '' } = c.req.param();
    if (!isName(cluster)) return rejectionResponse(NOT_FOUND);
    const budget = budgetMs(/[?&]timeout=([^&#]*)/.exec(c.req.raw.url)?.[1]);
    const signal = (): AbortSignal => AbortSignal.timeout(Math.max(1, budget - (now() - started)));

    let known = clusters.includes(cluster);
    const answered: Answered = await (async () => {
      const state = await stateOf(c, cluster, signal);
      const refusal = await authorized(token, state);
      known = refusal !== NOT_FOUND && (known || state.cluster !== undefined);
      if (refusal) return { rejection: refusal };
      return answerReview({ state, phase: phase as Phase, request: c.req.raw, maxBodyBytes, now, signal });
    })().catch((error: unknown) => ({ rejection: failureOf(error), error }));

    const { rejection, error, ...details } = answered;
    if (known) {
      const seconds = (now() - started) / 1000;
      const result = resultOf(answered);
      metrics.answered(cluster, phase, result, seconds);
      log({
        event: 'review',
        cluster,
        phase,
        ...(c.req.param('entry') ? { entry: c.req.param('entry') } : {}),
        result,
        ...(rejection ? { code: rejection.code, message: rejection.message } : {}),
        ...details.record,
        seconds,
      });
    }
    if (error !== undefined && rejection?.code === 500) log({ event: 'error', message: stackOf(error) });
    if (rejection) return rejectionResponse(rejection);
    return new Response(answered.body, {
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    });
  };

  const guarded = async (c: Context, answer: () => Response): Promise<Response> => {
    const token = /^Bearer (.+)$/.exec(c.req.raw.headers.get('authorization') ?? '')?.[1] ?? '';
    const accepted = await tokenAccepted(token, statusTokens.length > 0 ? statusTokens : UNKNOWN_CLUSTER_TOKENS);
    return accepted && statusTokens.length > 0 ? answer() : rejectionResponse(NOT_FOUND);
  };

  const snapshot = (): readonly (readonly [string, ClusterState])[] =>
    current.names().flatMap((name) => {
      const state = current.peek(name);
      return state?.cluster || state?.failure ? [[name, state] as const] : [];
    });

  const warm = async (): Promise<void> => {
    await Promise.all(
      clusters.filter(current.due).map((name) => current.refresh(name, AbortSignal.timeout(REFRESH_TIMEOUT_MS))),
    );
  };

  const hono = new Hono();
  const path = '/v1/clusters/:cluster/:token/:phase{validate|mutate}';
  hono.post(path, review);
  hono.post(`${path}/:entry{[a-z0-9.-]+}`, review);
  hono.get('/healthz', () => new Response('ok\n'));
  hono.get('/readyz', async () => {
    await warm();
    const missing = clusters.filter((name) => !current.peek(name)?.engine);
    return missing.length === 0
      ? new Response('ok\n')
      : new Response(`${missing.length} of ${clusters.length} clusters have no bundle\n`, { status: 503 });
  });
  hono.get('/status', (c) => guarded(c, () => jsonResponse(statusOf(snapshot(), startedAt, now()))));
  hono.get('/metrics', (c) =>
    guarded(
      c,
      () =>
        new Response(metrics.text(gaugesOf(snapshot(), now())), {
          headers: { 'content-type': 'text/plain; version=0.0.4' },
        }),
    ),
  );
  hono.notFound(() => rejectionResponse(NOT_FOUND));
  hono.onError((error) => {
    log({ event: 'error', message: stackOf(error) });
    return rejectionResponse(reject(500, 'internal error'));
  });
  return { hono, fetch: hono.fetch, warm };
}

function failureOf(error: unknown): Rejection {
  const name = error instanceof Error ? error.name : '';
  const message = error instanceof Error ? error.message : '';
  if (name === 'FactError') return reject(500, message);
  if (name === 'DeadlineError' || name === 'TimeoutError') return reject(504, 'the deadline of the request has passed');
  return reject(500, 'internal error');
}

function resultOf({ rejection, record }: Answered): Result {
  if (rejection) return rejection.code < 500 ? 'invalid' : 'unavailable';
  return record?.allowed ? 'allowed' : 'denied';
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
