/** What an operator asks of a running server: which bundle each cluster runs, how old it is, what last went wrong. */
import type { ClusterState } from './current.ts';
import type { Gauge } from './metrics.ts';

type Named = readonly (readonly [string, ClusterState])[];

/** The document of `/status`. The last success and the last failure stand side by side. */
export function statusOf(states: Named, startedAt: number, now: number): object {
  return {
    startedAt: iso(startedAt),
    clusters: Object.fromEntries(
      states.map(([name, { channel, digest, loadedAt, checkedAt, failure, facts }]) => [
        name,
        {
          channel: channel?.name ?? null,
          revision: channel?.value.revision ?? null,
          digest: digest ?? null,
          loadedAt: iso(loadedAt),
          checkedAt: iso(checkedAt),
          checkedSecondsAgo: checkedAt === undefined ? null : (now - checkedAt) / 1000,
          lastFailure: failure ? { at: iso(failure.at), message: failure.message } : null,
          facts: facts
            ? facts.kind === 'failed'
              ? { failure: facts.error.message }
              : { time: iso(facts.snapshot.time), ...(facts.failure ? { failure: facts.failure } : {}) }
            : null,
        },
      ]),
    ),
  };
}

/** The gauges of `/metrics`. */
export function gaugesOf(states: Named, now: number): readonly Gauge[] {
  const each = (value: (state: ClusterState) => number | undefined): Gauge['values'] =>
    states.flatMap(([cluster, state]) => {
      const found = value(state);
      return found === undefined ? [] : [{ labels: { cluster }, value: found }];
    });
  return [
    {
      name: 'postern_bundle_check_age_seconds',
      help: 'Time since the bundle was last found current.',
      values: each(({ checkedAt }) => (checkedAt === undefined ? undefined : (now - checkedAt) / 1000)),
    },
    {
      name: 'postern_bundle_ready',
      help: 'Whether the cluster has a bundle.',
      values: each(({ engine }) => (engine ? 1 : 0)),
    },
    {
      name: 'postern_channel_revision',
      help: 'Revision of the channel that the cluster runs.',
      values: each(({ channel }) => channel?.value.revision),
    },
  ];
}

function iso(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
