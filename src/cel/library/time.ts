/** The getters of timestamps and durations: one row of `PARTS` gives a function with and without a time zone. */
import { type CivilTime, nanosOfSecond } from '../time.ts';
import { civilTime, type TimeZone, timeZone } from '../time-zone.ts';
import { CelError, type Duration, normalizeInt, type Timestamp, type Value } from '../values.ts';
import type { Library, Overload } from './library.ts';

interface Part {
  readonly name: string;
  readonly id: string;
  /** Suffix of the id of the form with a zone, where it is not `_with_tz`. */
  readonly suffix?: string;
  readonly of: (civil: CivilTime, timestamp: Timestamp) => number;
}

const PARTS: readonly Part[] = [
  { name: 'getFullYear', id: 'timestamp_to_year', of: (civil) => civil.year },
  { name: 'getMonth', id: 'timestamp_to_month', of: (civil) => civil.month - 1 },
  { name: 'getDayOfYear', id: 'timestamp_to_day_of_year', of: (civil) => civil.yearDay },
  { name: 'getDayOfMonth', id: 'timestamp_to_day_of_month', of: (civil) => civil.day - 1 },
  { name: 'getDate', id: 'timestamp_to_day_of_month_1_based', of: (civil) => civil.day },
  { name: 'getDayOfWeek', id: 'timestamp_to_day_of_week', of: (civil) => civil.weekday },
  { name: 'getHours', id: 'timestamp_to_hours', of: (civil) => civil.hour },
  { name: 'getMinutes', id: 'timestamp_to_minutes', of: (civil) => civil.minute },
  { name: 'getSeconds', id: 'timestamp_to_seconds', suffix: '_tz', of: (civil) => civil.second },
  {
    name: 'getMilliseconds',
    id: 'timestamp_to_milliseconds',
    of: (_civil, timestamp) => Number(nanosOfSecond(timestamp) / 1_000_000n),
  },
];

const UTC: TimeZone = () => 0;

/** The getter of a zone that is known beforehand. */
function zoned(of: Part['of'], zone: TimeZone | CelError): (timestamp: Timestamp) => Value | CelError {
  return (timestamp) => (zone instanceof CelError ? zone : of(civilTime(timestamp, zone), timestamp));
}

const timestampGetters: readonly Overload[] = PARTS.flatMap(({ name, id, suffix = '_with_tz', of }) => [
  { name, id, signature: 'timestamp.() -> int', run: zoned(of, UTC) },
  {
    name,
    id: `${id}${suffix}`,
    signature: 'timestamp.(string) -> int',
    run: (timestamp: Timestamp, zone: string) => zoned(of, timeZone(zone))(timestamp),
    specialize: ([, zone]) => (typeof zone === 'string' ? zoned(of, timeZone(zone)) : undefined),
  },
]);

const DURATION_UNITS: readonly (readonly [name: string, id: string, nanos: bigint])[] = [
  ['getHours', 'duration_to_hours', 3_600_000_000_000n],
  ['getMinutes', 'duration_to_minutes', 60_000_000_000n],
  ['getSeconds', 'duration_to_seconds', 1_000_000_000n],
  ['getMilliseconds', 'duration_to_milliseconds', 1_000_000n],
];

const durationGetters: readonly Overload[] = DURATION_UNITS.map(([name, id, nanos]) => ({
  name,
  id,
  signature: 'duration.() -> int',
  run: (duration: Duration) => normalizeInt(duration.nanos / nanos),
}));

/** cel-go's accessors of timestamps and durations. */
export const time: Library = { name: 'cel.lib.std.time', overloads: [...timestampGetters, ...durationGetters] };
