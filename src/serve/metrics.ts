/** Counters and one histogram, printed in the text format that Prometheus reads. */

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** `unavailable` is any 5xx, `invalid` any 4xx of a known cluster. */
export type Result = 'allowed' | 'denied' | 'unavailable' | 'invalid';

export interface Metrics {
  /** One answer to a review. */
  answered(cluster: string, phase: string, result: Result, seconds: number): void;
  refreshed(cluster: string, result: string): void;
  /** The text; gauges are given by the caller, who knows the state. */
  text(gauges: readonly Gauge[]): string;
}

export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly values: readonly { readonly labels: Labels; readonly value: number }[];
}

type Labels = Readonly<Record<string, string>>;

/** Metrics of one process or isolate, from zero. */
export function createMetrics(): Metrics {
  const answers = new Map<string, number>();
  const refreshes = new Map<string, number>();
  const durations = new Map<string, { counts: number[]; sum: number; total: number }>();

  return {
    answered(cluster, phase, result, seconds) {
      add(answers, labelText({ cluster, phase, result }));
      const key = labelText({ cluster, phase });
      const entry = durations.get(key) ?? { counts: BUCKETS.map(() => 0), sum: 0, total: 0 };
      BUCKETS.forEach((bound, index) => {
        if (seconds <= bound) entry.counts[index] = (entry.counts[index] ?? 0) + 1;
      });
      entry.sum += seconds;
      entry.total++;
      durations.set(key, entry);
    },
    refreshed(cluster, result) {
      add(refreshes, labelText({ cluster, result }));
    },
    text(gauges) {
      const lines = [
        ...counter('postern_reviews_total', 'Answers to admission reviews.', answers),
        ...counter('postern_refreshes_total', 'Reads of what a cluster runs.', refreshes),
        '# HELP postern_review_duration_seconds Time from a request to its answer.',
        '# TYPE postern_review_duration_seconds histogram',
      ];
      for (const [labels, { counts, sum, total }] of durations) {
        BUCKETS.forEach((bound, index) => {
          lines.push(`postern_review_duration_seconds_bucket{${labels},le="${bound}"} ${counts[index]}`);
        });
        lines.push(`postern_review_duration_seconds_bucket{${labels},le="+Inf"} ${total}`);
        lines.push(`postern_review_duration_seconds_sum{${labels}} ${sum}`);
        lines.push(`postern_review_duration_seconds_count{${labels}} ${total}`);
      }
      for (const { name, help, values } of gauges) {
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`);
        for (const { labels, value } of values) lines.push(`${name}{${labelText(labels)}} ${value}`);
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function counter(name: string, help: string, counts: ReadonlyMap<string, number>): string[] {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} counter`];
  for (const [labels, count] of counts) lines.push(`${name}{${labels}} ${count}`);
  return lines;
}

function labelText(labels: Labels): string {
  const escaped = (value: string): string => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');
}
