/**
 * Timestamps and durations by Go's rules: RFC 3339 and `ParseDuration` texts, the proleptic Gregorian calendar, and
 * arithmetic that is checked where cel-go checks it. All in bigint nanoseconds.
 */
import { formatShortestFixed } from './go-numbers.ts';
import { CelError, Duration, MAX_INT64, MIN_INT64, Timestamp } from './values.ts';

export const NANOS_PER_SECOND = 1_000_000_000n;
const SECONDS_PER_DAY = 86_400;

/** Unix seconds of 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, the bounds of a timestamp (both inside). */
const MIN_UNIX_SECONDS = -62_135_596_800n;
const MAX_UNIX_SECONDS = 253_402_300_799n;

/** The calendar fields of an instant in some zone; `month` and `day` count from 1, `weekday` 0 is Sunday, `yearDay` from 0. */
export interface CivilTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly yearDay: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Days since 1970-01-01 of a date. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The calendar fields of local seconds since 1970-01-01T00:00:00. */
export function civilFromSeconds(seconds: number): CivilTime {
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const time = seconds - days * SECONDS_PER_DAY;
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return {
    year,
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysFromCivil(year, 1, 1),
    hour: Math.floor(time / 3600),
    minute: Math.floor((time % 3600) / 60),
    second: time % 60,
  };
}

/** Whether year, month and day name a day that exists. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

/** Unix seconds, rounded down. */
export function unixSeconds(timestamp: Timestamp): bigint {
  return floorDivide(timestamp.nanos, NANOS_PER_SECOND);
}

/** Nanoseconds past the whole second, 0 to 999 999 999. */
export function nanosOfSecond(timestamp: Timestamp): bigint {
  return timestamp.nanos - unixSeconds(timestamp) * NANOS_PER_SECOND;
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** `time.Parse(time.RFC3339, text)`, then the range check of cel-go (`timestamp overflow`). */
export function parseTimestamp(text: string): Timestamp | CelError {
  const match = RFC3339.exec(text);
  if (!match) return unreadable('Timestamp');
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (!isCalendarDate(year, month, day) || hour > 23 || minute > 59 || second > 59) return unreadable('Timestamp');
  const zoneHours = Number(match[9] ?? 0);
  const zoneMinutes = Number(match[10] ?? 0);
  if (zoneHours > 24 || zoneMinutes > 60) return unreadable('Timestamp');
  const offset = (zoneHours * 3600 + zoneMinutes * 60) * (match[8] === '-' ? -1 : 1);
  const seconds = daysFromCivil(year, month, day) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second - offset;
  const fraction = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return timestampInRange(BigInt(seconds) * NANOS_PER_SECOND + fraction, offset);
}

/** The timestamp of some nanoseconds, unless it is out of the years 1 to 9999 in UTC. */
function timestampInRange(nanos: bigint, offset: number): Timestamp | CelError {
  const seconds = floorDivide(nanos, NANOS_PER_SECOND);
  const inRange = seconds >= MIN_UNIX_SECONDS && seconds <= MAX_UNIX_SECONDS;
  return inRange ? new Timestamp(nanos, offset) : new CelError('timestamp overflow');
}

function unreadable(type: string): CelError {
  return new CelError(`type conversion error from 'string' to 'google.protobuf.${type}'`);
}

/** The timestamp of Unix seconds, or `timestamp overflow`. */
export function timestampFromSeconds(seconds: bigint): Timestamp | CelError {
  return timestampInRange(seconds * NANOS_PER_SECOND, 0);
}

/** RFC 3339 with as many fraction digits as needed, in the timestamp's own offset. */
export function formatTimestamp(timestamp: Timestamp): string {
  const civil = civilFromSeconds(Number(unixSeconds(timestamp)) + timestamp.offset);
  const fraction = nanosOfSecond(timestamp).toString().padStart(9, '0').replace(/0+$/, '');
  const date = `${String(civil.year).padStart(4, '0')}-${two(civil.month)}-${two(civil.day)}`;
  const time = `${two(civil.hour)}:${two(civil.minute)}:${two(civil.second)}${fraction ? `.${fraction}` : ''}`;
  return `${date}T${time}${formatOffset(timestamp.offset)}`;
}

function formatOffset(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.trunc(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

const UNIT_NANOS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', NANOS_PER_SECOND],
  ['m', 60n * NANOS_PER_SECOND],
  ['h', 3600n * NANOS_PER_SECOND],
]);

const DURATION = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)[^\d.]+)+|0)$/;
const DURATION_PART = /(\d*)(?:\.(\d*))?([^\d.]+)/g;

/** The digits of a fraction beyond which Go reads no further: 2^63 has 19. */
const FRACTION_LIMIT = (1n << 63n) / 10n;

/** `time.ParseDuration`; any fault is the same conversion error. */
export function parseDuration(text: string): Duration | CelError {
  const match = DURATION.exec(text);
  if (!match) return unreadable('Duration');
  const negative = match[1] === '-';
  let total = 0n;
  if (match[2] !== '0') {
    for (const [, whole = '', fraction = '', unit = ''] of (match[2] ?? '').matchAll(DURATION_PART)) {
      const scale = UNIT_NANOS.get(unit);
      if (scale === undefined) return unreadable('Duration');
      total += BigInt(whole || '0') * scale + fractionNanos(fraction, scale);
      if (total > 1n << 63n) return unreadable('Duration');
    }
  }
  const nanos = negative ? -total : total;
  return nanos > MAX_INT64 ? unreadable('Duration') : new Duration(nanos);
}

function fractionNanos(fraction: string, unit: bigint): bigint {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction) {
    if (digits > FRACTION_LIMIT) break;
    const next = digits * 10n + BigInt(digit);
    if (next > 1n << 63n) break;
    digits = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(digits) * (Number(unit) / scale)));
}

/** Seconds as a double in fixed notation and `s`: `5400s`, `0.000000001s`. */
export function formatDuration(duration: Duration): string {
  return `${formatShortestFixed(durationSeconds(duration))}s`;
}

/** `Duration.Seconds()`: whole seconds plus the fraction, each as a double. */
export function durationSeconds(duration: Duration): number {
  return Number(duration.nanos / NANOS_PER_SECOND) + Number(duration.nanos % NANOS_PER_SECOND) / 1e9;
}

function durationOf(nanos: bigint): Duration | CelError {
  return nanos < MIN_INT64 || nanos > MAX_INT64 ? new CelError('integer overflow') : new Duration(nanos);
}

/** `duration + duration`. */
export function addDurations(left: Duration, right: Duration): Duration | CelError {
  return durationOf(left.nanos + right.nanos);
}

/** `duration - duration`. */
export function subtractDurations(left: Duration, right: Duration): Duration | CelError {
  return durationOf(left.nanos - right.nanos);
}

/** `timestamp + duration`, in the timestamp's offset. */
export function addToTimestamp(timestamp: Timestamp, duration: Duration): Timestamp | CelError {
  return timestampInRange(timestamp.nanos + duration.nanos, timestamp.offset);
}

/** `timestamp - duration`, in the timestamp's offset. cel-go negates the duration first, which the least one overflows. */
export function subtractFromTimestamp(timestamp: Timestamp, duration: Duration): Timestamp | CelError {
  if (duration.nanos === MIN_INT64) return new CelError('integer overflow');
  return timestampInRange(timestamp.nanos - duration.nanos, timestamp.offset);
}

/** `timestamp - timestamp`. cel-go checks the whole seconds before it adds the rest. */
export function subtractTimestamps(left: Timestamp, right: Timestamp): Duration | CelError {
  const seconds = (unixSeconds(left) - unixSeconds(right)) * NANOS_PER_SECOND;
  const whole = durationOf(seconds);
  return whole instanceof CelError ? whole : durationOf(left.nanos - right.nanos);
}
