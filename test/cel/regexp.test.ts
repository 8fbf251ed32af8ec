import { describe, expect, it } from 'vitest';
import { cachingRegexpCompiler, compileRegexp, type Regexp } from '../../src/cel/regexp.ts';

function compiled(pattern: string): Regexp {
  const regexp = compileRegexp(pattern);
  if ('error' in regexp) throw new Error(regexp.error);
  return regexp;
}

describe('what matches', () => {
  it.each<readonly [string, string, string, boolean]>([
    ['anywhere', 'b', 'abc', true],
    ['the end is the end of the text', 'a$', 'a\n', false],
    ['\\w is ASCII', '^\\w$', 'é', false],
    ['\\s has no vertical tab', '\\s', '\v', false],
    ['. is one code point', '^.$', '😀', true],
    ['. is no line break', '.', '\n', false],
    ['a negated class may be a line break', '[^a]', '\n', true],
    ['case folds to the Kelvin sign', '(?i)^k$', '\u212a', true],
    ['no number before the comma is text', 'a{,2}', 'a{,2}', true],
    ['a group by name', '(?P<a>x)(?<b>y)', 'xy', true],
    ['two groups of one name', '(?P<a>x)(?P<a>y)', 'xy', true],
    ['a name that starts with a digit', '(?P<1>a)', 'a', true],
    ['a name out of the prototype', '(?P<constructor>a)', 'a', true],
    ['quoted text', '\\Qa.b\\E', 'axb', false],
    ['Unicode classes by long names', '^\\p{Uppercase_Letter}$', 'A', true],
    ['Unicode classes in other cases', '^[\\p{ASCII}\\pl]$', 'A', true],
  ])('%s', (_rule, pattern, text, matches) => {
    expect(compiled(pattern).test(text)).toBe(matches);
  });

  it('the leftmost match, by the first alternative', () => {
    expect(compiled('a|ab').find('xab')).toBe('a');
    expect(compiled('z').find('xab')).toBe('');
  });

  it.each<readonly [string, string, number, readonly string[]]>([
    ['[0-9]*', 'abc 123', -1, ['', '', '', '', '123']],
    ['a|', 'baa', -1, ['', 'a', 'a']],
    ['', 'é😀', -1, ['', '', '']],
    ['a', 'aaa', 2, ['a', 'a']],
    ['a', 'aaa', 0, []],
    ['z', 'aaa', -1, []],
  ])('all of /%s/ in `%s`, %d at most', (pattern, text, limit, matches) => {
    expect(compiled(pattern).findAll(text, limit)).toEqual(matches);
  });
});

describe('faults', () => {
  it.each<readonly [string, string]>([
    ['(', 'missing closing ): `(`'],
    ['(?P<n>a(?P<n>b', 'missing closing ): `(?P<n>a(?P<n>b`'],
    ['a)', 'unexpected ): `a)`'],
    ['x[a', 'missing closing ]: `[a`'],
    ['*', 'missing argument to repetition operator: `*`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['(a{100}){100}', 'invalid repeat count: `{100}`'],
    ['[b-a]', 'invalid character class range: `b-a`'],
    ['\\p{Foo}', 'invalid character class range: `\\p{Foo}`'],
    ['[[:foo:]]', 'invalid character class range: `[:foo:]`'],
    ['\\8', 'invalid escape sequence: `\\8`'],
    ['\\u0041', 'invalid escape sequence: `\\u`'],
    ['a\\', 'trailing backslash at end of expression: ``'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<=a)', 'invalid named capture: `(?<=a)`'],
    ['(?P<', 'invalid or unsupported Perl syntax: `(?P`'],
    ['(?P<a', 'invalid named capture: `(?P<a`'],
    ['(?P<a b>c)', 'invalid named capture: `(?P<a b>`'],
  ])('%s', (pattern, message) => {
    expect(compileRegexp(pattern)).toEqual({ error: `error parsing regexp: ${message}` });
  });

  it('more than a thousand levels', () => {
    const pattern = `${'('.repeat(1001)}${')'.repeat(1001)}`;
    const error = `error parsing regexp: expression nests too deeply: \`${pattern}\``;
    expect(compileRegexp(pattern)).toEqual({ error });
  });
});

it('a pattern that is asked for again is compiled once, up to a number of patterns', () => {
  const compile = cachingRegexpCompiler(2);
  const first = compile('a');
  expect(compile('a')).toBe(first);
  compile('b');
  compile('c');
  expect(compile('a')).not.toBe(first);
});
