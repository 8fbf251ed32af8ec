/**
 * Time zones as CEL names them: `+05:30` without any range check, or a name of the IANA database, read through `Intl`
 * and matched by case as Go reads files.
 */
import { atoi } from './go-numbers.ts';
import { type CivilTime, civilFromSeconds, daysFromCivil, unixSeconds } from './time.ts';
import { CelError, type Timestamp } from './values.ts';

/** Seconds east of UTC at an instant. */
export type TimeZone = (timestamp: Timestamp) => number;

/** The zone of a name or offset, or the error of an unknown one. */
export function timeZone(zone: string): TimeZone | CelError {
  const colon = zone.indexOf(':');
  if (colon >= 0) return fixedOffset(zone, colon);
  if (UTC_NAMES.has(zone)) return () => 0;
  if (/\.\.|^[/\\]/.test(zone)) return new CelError('time: invalid location name');
  const format = intlFormat(zone);
  if (!format) return new CelError(`unknown time zone ${zone}`);
  return (timestamp) => intlOffset(format, Number(unixSeconds(timestamp)));
}

/** Names of UTC that need no look-up; the API server runs in UTC. */
const UTC_NAMES: ReadonlySet<string> = new Set(['', 'UTC', 'Local', 'Factory']);

function fixedOffset(zone: string, colon: number): TimeZone | CelError {
  const hours = atoi(zone.slice(0, colon));
  if ('error' in hours) return new CelError(hours.error);
  const minutes = atoi(zone.slice(colon + 1));
  if ('error' in minutes) return new CelError(minutes.error);
  const total = zone.startsWith('-') ? hours.value * 60n - minutes.value : hours.value * 60n + minutes.value;
  const seconds = Number(BigInt.asIntN(64, total * 60_000_000_000n) / 1_000_000_000n);
  return () => seconds;
}

/** Words of zone names that are not spelt with one leading capital. */
const SPELT: ReadonlySet<string> = new Set(
  (
    'GMT UTC UCT CET EET MET WET EST MST HST EST5EDT CST6CDT MST7MDT PST8PDT GB NZ PRC ROC ROK W SU US CHAT ' +
    'GMT0 GMT+0 of es au ACT LHI NSW IN DumontDUrville McMurdo ComodRivadavia DeNoronha BajaNorte BajaSur EasterIsland'
  ).split(' '),
);

const CAPITALISED = /^(?!Of$|Es$|Au$)[A-Z][a-z]+$/;
const ETC_OFFSET = /^Etc\/GMT(?:[+-]\d{1,2}|0)?$/;
const ISO_LIKE = /^[A-Z]{3}$/;
const BARE: ReadonlySet<string> = new Set('GMT UTC UCT CET EET MET WET EST MST HST PRC ROC ROK'.split(' '));

/** A name that `Intl` still has and the database has no more. */
const WITHDRAWN = 'US/Pacific-New';

/** Whether a name is spelt as its file in the database is; `Intl` does not mind case, Go does. */
function speltAsFile(zone: string): boolean {
  if (zone === WITHDRAWN) return false;
  if (ETC_OFFSET.test(zone) || zone === 'GMT+0' || zone === 'GMT-0') return true;
  if (ISO_LIKE.test(zone)) return BARE.has(zone);
  return zone.split(/[/_-]/).every((word) => CAPITALISED.test(word) || SPELT.has(word));
}

function intlFormat(zone: string): Intl.DateTimeFormat | undefined {
  if (!speltAsFile(zone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
}

function intlOffset(format: Intl.DateTimeFormat, seconds: number): number {
  const fields = new Map(format.formatToParts(seconds * 1000).map((part) => [part.type, part.value]));
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(fields.get(type));
  const written = number('year');
  const year = fields.get('era')?.startsWith('B') ? 1 - written : written;
  const days = daysFromCivil(year, number('month'), number('day'));
  return days * 86_400 + number('hour') * 3600 + number('minute') * 60 + number('second') - seconds;
}

/** The calendar fields of a timestamp in a zone. */
export function civilTime(timestamp: Timestamp, zone: TimeZone): CivilTime {
  return civilFromSeconds(Number(unixSeconds(timestamp)) + zone(timestamp));
}
