import { describe, expect, it } from 'vitest';
import { type CelMap, equal } from '#cel/runtime';
import { type UrlValue, urls } from '../../../src/policy/library/url.ts';
import { entries, error, rows } from '../../rows.ts';

const run = rows(urls);
const url = (text: string) => run('string_to_url', text);
const refused = (reason: string) => error(`URL parse error during conversion from string: ${reason}`);

describe('url', () => {
  it.each<readonly [string, string]>([
    ['https://example.com', 'https://example.com'],
    ['HTTPS://Example.com:80/Path', 'https://Example.com:80/Path'],
    ['http://u:p@@a/', 'http://u:p%40@a/'],
    ['/path with spaces/', '/path%20with%20spaces/'],
    ['/a%2Fb', '/a%2Fb'],
    ['mailto:a@b.c', 'mailto:a@b.c'],
    ['http://h/?', 'http://h/?'],
    ['http://h/a#b c', 'http://h/a#b%20c'],
    ['//a', '//a'],
    ['file:/a', 'file:/a'],
    ['http://[fe80::1%25en0]/', 'http://[fe80::1%25en0]/'],
  ])('%s prints as %s', (text, printed) => {
    expect(String(url(text))).toBe(printed);
  });

  it.each<readonly [string, string]>([
    ['', 'parse "": empty url'],
    ['x', 'parse "x": invalid URI for request'],
    ['1a:b', 'parse "1a:b": invalid URI for request'],
    [':a', 'parse ":a": missing protocol scheme'],
    ['/a\u0001', 'parse "/a\\x01": net/url: invalid control character in URL'],
    ['http://a:b:c/', 'parse "http://a:b:c/": invalid port ":c" after host'],
    ['http://[::1]a', 'parse "http://[::1]a": invalid port "a" after host'],
    ['http://[::1', 'parse "http://[::1": missing \']\' in host'],
    ['http://[1.2.3.4]/', 'parse "http://[1.2.3.4]/": invalid IP-literal'],
    ['http://a b/', 'parse "http://a b/": invalid character " " in host name'],
    ['/%zz', 'parse "/%zz": invalid URL escape "%zz"'],
    ['/%aé', 'parse "/%aé": invalid URL escape "%a\\xc3"'],
    ['http://u<@h/', 'parse "http://u<@h/": net/url: invalid userinfo'],
  ])('not `%s`', (text, reason) => {
    expect(url(text)).toEqual(refused(reason));
  });

  it.each<readonly [string, boolean]>([
    ['foo:bar', true],
    ['/abs', true],
    ['http://', true],
    ['example.com', false],
    ['../x', false],
  ])('isURL(%s)', (text, is) => expect(run('is_url_string', text)).toBe(is));

  it('equality is by text', () => {
    expect(equal(url('https://a') as UrlValue, url('https://a/') as UrlValue)).toBe(false);
    expect(equal(url('HTTPS://a') as UrlValue, url('https://a') as UrlValue)).toBe(true);
  });
});

describe('getters', () => {
  it.each<readonly [string, string, string]>([
    ['url_get_scheme', 'HTTPS://a', 'https'],
    ['url_get_scheme', '/a', ''],
    ['url_get_host', 'http://[::1]:80/', '[::1]:80'],
    ['url_get_hostname', 'http://[::1]:80/', '::1'],
    ['url_get_port', 'http://a/', ''],
    ['url_get_port', 'http://a:80/', '80'],
    ['url_get_escaped_path', '/a%2Fb', '/a%2Fb'],
    ['url_get_escaped_path', '/a%2Fb c', '/a/b%20c'],
    ['url_get_escaped_path', 'http://a', ''],
  ])('%s of %s', (id, text, value) => {
    expect(run(id, url(text))).toBe(value);
  });

  it.each<readonly [string, unknown]>([
    [
      '/?a=1&b=2&a=3',
      [
        ['a', ['1', '3']],
        ['b', ['2']],
      ],
    ],
    ['/?a+b=c%20d', [['a b', ['c d']]]],
    ['/?key', [['key', ['']]]],
    ['/?a;b&c=%zz&d=e', [['d', ['e']]]],
    ['/?', []],
    ['/?__proto__=x', [['__proto__', ['x']]]],
  ])('the query of %s', (text, pairs) => {
    expect(entries(run('url_get_query', url(text)) as CelMap)).toEqual(pairs);
  });
});
