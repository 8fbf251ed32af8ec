import { describe, expect, it } from 'vitest';
import { CelError, Duration, type Timestamp } from '#cel/runtime';
import { time } from '../../../src/cel/library/time.ts';
import {
  addDurations,
  addToTimestamp,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  subtractFromTimestamp,
  subtractTimestamps,
} from '../../../src/cel/time.ts';
import { error, outcome, rows } from '../../rows.ts';

const run = rows(time);
const unreadable = (type: string) => error(`type conversion error from 'string' to 'google.protobuf.${type}'`);

function at(text: string): Timestamp {
  const timestamp = parseTimestamp(text);
  if (timestamp instanceof CelError) throw new Error(text);
  return timestamp;
}

describe('parseTimestamp', () => {
  it.each<readonly [string, string, string]>([
    ['keeps its offset', '2023-01-01T00:00:00.100+05:45', '2023-01-01T00:00:00.1+05:45'],
    ['an hour of one digit', '2023-01-01T0:00:00Z', '2023-01-01T00:00:00Z'],
    ['a comma before the fraction', '2023-01-01T00:00:00,5Z', '2023-01-01T00:00:00.5Z'],
    ['no more than nanoseconds', '2023-01-01T00:00:00.1234567899Z', '2023-01-01T00:00:00.123456789Z'],
    ['an offset of a day', '2023-01-01T00:00:00+24:00', '2023-01-01T00:00:00+24:00'],
    ['an offset of 60 minutes', '2023-01-01T00:00:00+23:60', '2023-01-01T00:00:00+24:00'],
    ['year 0 that is year 1 in UTC', '0000-12-31T23:00:00-02:00', '0000-12-31T23:00:00-02:00'],
    ['a leap day', '2000-02-29T00:00:00Z', '2000-02-29T00:00:00Z'],
  ])('%s', (_rule, text, printed) => {
    expect(formatTimestamp(at(text))).toBe(printed);
  });

  it.each([
    '2023-01-01t00:00:00Z',
    '2023-01-01T00:00:00z',
    '2023-01-01 00:00:00Z',
    '2023-01-01T00:00:00',
    '2023-01-01T00:00:00.Z',
    '2023-01-01T00:00:00+0530',
    '2023-01-01T00:00:00+25:00',
    '2023-01-01T24:00:00Z',
    '2023-01-01T23:59:60Z',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2023-1-1T00:00:00Z',
    '10000-01-01T00:00:00Z',
  ])('not `%s`', (text) => {
    expect(outcome(parseTimestamp(text))).toEqual(unreadable('Timestamp'));
  });

  it.each(['9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+01:00'])('out of range in UTC: %s', (text) => {
    expect(outcome(parseTimestamp(text))).toEqual(error('timestamp overflow'));
  });
});

describe('parseDuration', () => {
  it.each<readonly [string, bigint]>([
    ['0', 0n],
    ['-0', 0n],
    ['.5s', 500_000_000n],
    ['1.5h', 5_400_000_000_000n],
    ['1h1h', 7_200_000_000_000n],
    ['-1h30m', -5_400_000_000_000n],
    ['1\u00b5s', 1_000n],
    ['1\u03bcs', 1_000n],
    ['0.1ns', 0n],
    ['9223372036854775807ns', 9_223_372_036_854_775_807n],
    ['-9223372036854775808ns', -9_223_372_036_854_775_808n],
  ])('%s', (text, nanos) => {
    expect(parseDuration(text)).toEqual(new Duration(nanos));
  });

  it.each(['', '5', '00', '1d', '.s', '1 s', '1S', '1e3s', '--1s', '1h-1m', '9223372036854775808ns'])(
    'not `%s`',
    (text) => {
      expect(outcome(parseDuration(text))).toEqual(unreadable('Duration'));
    },
  );
});

describe('getters', () => {
  const moment = at('2024-12-31T23:30:45.999+05:00');

  it.each<readonly [string, number]>([
    ['timestamp_to_year', 2024],
    ['timestamp_to_month', 11],
    ['timestamp_to_day_of_year', 365],
    ['timestamp_to_day_of_month', 30],
    ['timestamp_to_day_of_month_1_based', 31],
    ['timestamp_to_day_of_week', 2],
    ['timestamp_to_hours', 18],
    ['timestamp_to_minutes', 30],
    ['timestamp_to_seconds', 45],
    ['timestamp_to_milliseconds', 999],
  ])('%s is in UTC, whatever the offset', (id, value) => {
    expect(run(id, moment)).toBe(value);
  });

  it.each<readonly [string, unknown]>([
    ['+01:00', 19],
    ['01:00', 19],
    ['-00:30', 18],
    ['-01:00', 17],
    ['+99:99', 23],
    ['+5:-30', 23],
    ['UTC', 18],
    ['', 18],
    ['Local', 18],
    ['Europe/Amsterdam', 19],
    ['America/Port-au-Prince', 13],
    ['Etc/GMT+5', 13],
    ['EST', 13],
    ['a:b', error('strconv.Atoi: parsing "a": invalid syntax')],
    ['01:00:00', error('strconv.Atoi: parsing "00:00": invalid syntax')],
    ['+01', error('unknown time zone +01')],
    ['utc', error('unknown time zone utc')],
    ['europe/Amsterdam', error('unknown time zone europe/Amsterdam')],
    ['Europe/amsterdam', error('unknown time zone Europe/amsterdam')],
    ['Foo/Bar', error('unknown time zone Foo/Bar')],
    ['PST', error('unknown time zone PST')],
    ['../UTC', error('time: invalid location name')],
    ['/UTC', error('time: invalid location name')],
  ])('hours in the zone `%s`', (zone, value) => {
    expect(run('timestamp_to_hours_with_tz', moment, zone)).toEqual(value);
  });

  it('local mean time has seconds', () => {
    const old = at('1880-03-01T12:00:00Z');
    expect(run('timestamp_to_seconds_tz', old, 'America/New_York')).toBe(58);
  });

  it.each<readonly [string, number]>([
    ['duration_to_hours', -1],
    ['duration_to_minutes', -90],
    ['duration_to_seconds', -5400],
    ['duration_to_milliseconds', -5_400_000],
  ])('%s truncates toward zero', (id, value) => {
    expect(run(id, new Duration(-5_400_000_000_000n))).toBe(value);
  });

  it('a constant zone is looked up once', () => {
    const row = time.overloads.find(({ id }) => id === 'timestamp_to_hours_with_tz');
    const special = row?.specialize?.([undefined, '+01:00']);
    expect(typeof special === 'function' && special(moment, '+01:00')).toBe(19);
    expect(row?.specialize?.([moment, undefined])).toBeUndefined();
  });
});

describe('arithmetic', () => {
  const last = at('9999-12-31T23:59:59.999999999Z');
  const first = at('0001-01-01T00:00:00Z');

  it('a sum keeps the offset', () => {
    const sum = addToTimestamp(at('2023-01-01T00:00:00+05:45'), new Duration(1n));
    expect(formatTimestamp(sum as Timestamp)).toBe('2023-01-01T00:00:00.000000001+05:45');
  });

  it('beyond the years 1 to 9999', () => {
    expect(outcome(addToTimestamp(last, new Duration(1n)))).toEqual(error('timestamp overflow'));
    expect(outcome(subtractFromTimestamp(first, new Duration(1n)))).toEqual(error('timestamp overflow'));
  });

  it('the least duration cannot be subtracted', () => {
    expect(outcome(subtractFromTimestamp(first, new Duration(-(2n ** 63n))))).toEqual(error('integer overflow'));
  });

  it('a difference of more than 292 years', () => {
    expect(outcome(subtractTimestamps(last, first))).toEqual(error('integer overflow'));
  });

  it('durations', () => {
    expect(outcome(addDurations(new Duration(2n ** 63n - 1n), new Duration(1n)))).toEqual(error('integer overflow'));
  });
});
