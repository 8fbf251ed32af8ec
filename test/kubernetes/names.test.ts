import { describe, expect, test } from 'vitest';
import { dns1035Label, dns1123Subdomain, goQuote, goTrim, nearest, pathSegmentName, qualifiedName } from '#kubernetes';

describe('names', () => {
  test.each([
    ['a subdomain', dns1123Subdomain, 'a-1.b', 0],
    ['a subdomain has no upper case', dns1123Subdomain, 'A', 1],
    ['a subdomain has no empty part', dns1123Subdomain, 'a..b', 1],
    ['a subdomain ends before a line break', dns1123Subdomain, 'a\n', 1],
    ['a label begins with a letter', dns1035Label, '1a', 1],
    ['a qualified name may have a prefix', qualifiedName, 'example.com/My_name', 0],
    ['but not two', qualifiedName, 'a/b/c', 1],
    ['nor an empty one', qualifiedName, '/b', 1],
    ['an empty name has two faults', qualifiedName, '', 2],
    ['a path segment has no slash', pathSegmentName, 'a/b', 1],
    ['a path segment is not ..', pathSegmentName, '..', 1],
  ])('%s', (_name, check, value, faults) => {
    expect(check(value)).toHaveLength(faults);
  });

  test('the fault says what is allowed', () => {
    expect(dns1123Subdomain('A')[0]).toBe(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    );
  });
});

test('texts are quoted as Go quotes them', () => {
  expect(goQuote('a"\\\n\u0001\u00adé\u{e0001}')).toBe('"a\\"\\\\\\n\\x01\\u00adé\\U000e0001"');
});

test('white space is Unicode’s, without the byte order mark', () => {
  expect(goTrim('\u00a0\u0085 a \u3000')).toBe('a');
  expect(goTrim('\ufeffa')).toBe('\ufeffa');
});

test.each([
  ['failurePolcy', 'failurePolicy'],
  ['validation', 'validations'],
  ['zzz', undefined],
])('%s was meant to be %s', (name, meant) => {
  expect(nearest(name, ['failurePolicy', 'validations', 'variables'])).toBe(meant);
});
