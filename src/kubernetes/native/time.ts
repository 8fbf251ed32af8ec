/**
 * RFC 3339 times as the API server's types read and write them: UTC, whole seconds or exactly six decimals.
 *
 * API server: apimachinery metav1.Time and MicroTime over Go's time.Parse, whose texts are kept.
 */
import { goQuote } from '../go-text.ts';

/** The text that is written again, `null` for the zero time, or the parser's text. */
export type TimeResult = { readonly text: string | null } | { readonly error: string };

const SECONDS = '2006-01-02T15:04:05Z07:00';
const MICROS = '2006-01-02T15:04:05.000000Z07:00';

interface Reading {
  readonly source: string;
  readonly layout: string;
  rest: string;
}

/** A fault of the text, already worded. */
class TimeFault extends Error {}

/** Reads a time; `micro` takes exactly six decimals, otherwise any decimals are read and dropped. */
export function canonicalTime(source: string, micro: boolean): TimeResult {
  const reading: Reading = { source, layout: micro ? MICROS : SECONDS, rest: source };
  try {
    return { text: readTime(reading, micro) };
  } catch (fault) {
    if (fault instanceof TimeFault) return { error: fault.message };
    throw fault;
  }
}

function readTime(reading: Reading, micro: boolean): string | null {
  const year = digits(reading, '2006', 4, 4);
  literal(reading, '-');
  const month = inRange(reading, digits(reading, '01', 2, 2), 1, 12, 'month');
  literal(reading, '-');
  const day = digits(reading, '02', 2, 2);
  literal(reading, 'T');
  const hour = inRange(reading, digits(reading, '15', 1, 2), 0, 23, 'hour');
  literal(reading, ':');
  const minute = inRange(reading, digits(reading, '04', 2, 2), 0, 59, 'minute');
  literal(reading, ':');
  const second = inRange(reading, digits(reading, '05', 2, 2), 0, 59, 'second');
  const fraction = micro ? microseconds(reading) : decimals(reading);
  const offset = zone(reading);
  if (reading.rest !== '') throw new TimeFault(`${start(reading)}: extra text: ${goQuote(reading.rest)}`);
  if (day < 1 || day > daysIn(year, month)) throw new TimeFault(`${start(reading)}: day out of range`);
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  utc.setUTCHours(hour, minute - offset, second);
  return written(utc, fraction, micro);
}

/** Between `least` and `most` digits, as many as there are. */
function digits(reading: Reading, element: string, least: number, most: number): number {
  let count = 0;
  while (count < most && isDigit(reading.rest[count])) count += 1;
  if (count < least) fail(reading, element);
  const number = Number(reading.rest.slice(0, count));
  reading.rest = reading.rest.slice(count);
  return number;
}

function inRange(reading: Reading, number: number, low: number, high: number, what: string): number {
  if (number < low || number > high) throw new TimeFault(`${start(reading)}: ${what} out of range`);
  return number;
}

function literal(reading: Reading, text: string): void {
  if (reading.rest[0] !== text) fail(reading, text);
  reading.rest = reading.rest.slice(1);
}

/** Decimals that the layout does not name, of any number. */
function decimals(reading: Reading): string {
  if (!isPoint(reading.rest[0]) || !isDigit(reading.rest[1])) return '';
  let count = 1;
  while (isDigit(reading.rest[count])) count += 1;
  const fraction = reading.rest.slice(1, count);
  reading.rest = reading.rest.slice(count);
  return fraction;
}

function microseconds(reading: Reading): string {
  const fraction = reading.rest.slice(1, 7);
  if (!isPoint(reading.rest[0]) || !/^[0-9]{6}$/.test(fraction)) fail(reading, '.000000');
  reading.rest = reading.rest.slice(7);
  return fraction;
}

/** The offset in minutes. */
function zone(reading: Reading): number {
  const { rest } = reading;
  if (rest[0] === 'Z') {
    reading.rest = rest.slice(1);
    return 0;
  }
  const parts = /^([+-])([0-9]{2}):([0-9]{2})/.exec(rest);
  if (parts === null) return fail(reading, 'Z07:00');
  reading.rest = rest.slice(6);
  const hours = inRange(reading, Number(parts[2]), 0, 24, 'time zone offset hour'); // k8s: Go takes 24:60
  const minutes = inRange(reading, Number(parts[3]), 0, 60, 'time zone offset minute');
  return (parts[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

function fail(reading: Reading, element: string): never {
  const as = `as ${goQuote(reading.layout)}: cannot parse ${goQuote(reading.rest)} as ${goQuote(element)}`;
  throw new TimeFault(`${start(reading)} ${as}`);
}

function start(reading: Reading): string {
  return `parsing time ${goQuote(reading.source)}`;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function isPoint(character: string | undefined): boolean {
  return character === '.' || character === ',';
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function written(utc: Date, fraction: string, micro: boolean): string | null {
  const year = String(utc.getUTCFullYear()).padStart(4, '0');
  const [month, day, hour, minute, second] = [
    utc.getUTCMonth() + 1,
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  ].map((part) => String(part).padStart(2, '0'));
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  if (text === '0001-01-01T00:00:00' && /^0*$/.test(fraction)) return null;
  return micro ? `${text}.${fraction}Z` : `${text}Z`;
}
