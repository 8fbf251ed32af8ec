import { describe, expect, test } from 'vitest';
import { Duration, Timestamp } from '#cel/runtime';
import { base64, durationText, timestampText } from '../../src/policy/protobuf-json.ts';
import { cutBytes, utf8Bytes } from '../../src/policy/utf8.ts';
import { filterWarnings } from '../../src/policy/warnings.ts';

describe('warnings that reach the client', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['empty ones and repeated ones are dropped', ['a', '', 'b', 'a'], ['a', 'b']],
    ['so are those with control characters', ['a\nb', 'a\tb', 'a\u0085b', 'c'], ['c']],
    ['4096 runes fit', ['x'.repeat(4000), 'y'.repeat(96)], ['x'.repeat(4000), 'y'.repeat(96)]],
    ['one more, and all are cut to 256', ['x'.repeat(4000), 'y'.repeat(97)], ['x'.repeat(256), 'y'.repeat(97)]],
    ['a single one that is too long is cut', ['x'.repeat(5000)], ['x'.repeat(256)]],
  ])('%s', (_name, raw, sent) => {
    expect(filterWarnings(raw)).toEqual(sent);
  });

  test('once cut, they are taken until 4096 runes are written', () => {
    const raw = Array.from({ length: 40 }, (_unused, index) => `${index} `.padEnd(300, 'x'));
    expect(filterWarnings(raw)).toHaveLength(16);
  });
});

test('bytes are counted and cut as UTF-8; a character that is cut through leaves a mark for each byte', () => {
  expect(utf8Bytes('aé€\u{1f600}')).toBe(10);
  expect(cutBytes('abc', 3)).toBe('abc');
  expect(cutBytes('ab€', 3)).toBe('ab\ufffd');
  expect(cutBytes('ab€', 4)).toBe('ab\ufffd\ufffd');
  expect(cutBytes('a\u{1f600}b', 5)).toBe('a\u{1f600}');
});

describe('values that JSON lacks', () => {
  test.each([
    [[], ''],
    [[97], 'YQ=='],
    [[97, 98], 'YWI='],
    [[251, 255, 254], '+//+'],
  ])('bytes %j', (bytes, text) => {
    expect(base64(Uint8Array.from(bytes))).toBe(text);
  });

  test.each([
    [5_400_000_000_000n, '5400s'],
    [-1_000_001_000n, '-1.000001s'],
    [1n, '0.000000001s'],
    [0n, '0s'],
  ])('a duration of %s ns', (nanos, text) => {
    expect(durationText(new Duration(nanos))).toBe(text);
  });

  test.each([
    [1_672_531_200_500_000_000n, 0, '2023-01-01T00:00:00.5Z'],
    [1_672_527_600_123_456_789n, 7200, '2023-01-01T01:00:00.123456789+02:00'],
    [-1n, -5400, '1969-12-31T22:29:59.999999999-01:30'],
    [-62_135_596_800_000_000_000n, 0, '0001-01-01T00:00:00Z'],
  ])('the time %s with offset %s', (nanos, offset, text) => {
    expect(timestampText(new Timestamp(nanos, offset))).toBe(text);
  });
});
