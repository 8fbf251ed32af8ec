/** URLs as Go's `net/url` takes them apart and puts them together. Texts are byte strings. */
import { parseAddress } from './address.ts';
import { quoteBytes } from './byte-string.ts';
import { escapeUrl, isValidEncoding, type UrlPart, unescapeUrl } from './url-escape.ts';

export interface Url {
  readonly scheme: string;
  /** What follows the scheme of a URL without slashes. */
  readonly opaque: string;
  /** Escaped, with its `@`; empty when there is none. */
  readonly userinfo: string;
  /** With the port; unescaped. */
  readonly host: string;
  /** No authority was written at all. */
  readonly omitHost: boolean;
  readonly path: Encoded;
  /** The query as written; a lone `?` is kept apart. */
  readonly query: string;
  readonly forceQuery: boolean;
  readonly fragment: Encoded;
}

/** A part that may be escaped in several ways: as written, and what it means. */
export interface Encoded {
  readonly written: string;
  readonly value: string;
}

/** A fault; `error` is Go's text without the URL. */
export interface UrlFault {
  readonly error: string;
}

const NOTHING: Encoded = { written: '', value: '' };

/** `url.ParseRequestURI`: absolute, or an absolute path; `#` has no meaning. */
export function parseRequestUri(bytes: string): Url | UrlFault {
  return withUrl(bytes, parse(bytes, true));
}

/** `url.Parse`. */
export function parseUrl(bytes: string): Url | UrlFault {
  const hash = bytes.indexOf('#');
  const main = hash < 0 ? bytes : bytes.slice(0, hash);
  const url = withUrl(main, parse(main, false));
  if ('error' in url || hash < 0) return url;
  const fragment = decode(bytes.slice(hash + 1), 'fragment');
  return 'error' in fragment ? withUrl(bytes, fragment) : { ...url, fragment };
}

function withUrl<T extends object>(bytes: string, result: T | UrlFault): T | UrlFault {
  return 'error' in result ? { error: `parse ${quoteBytes(bytes)}: ${(result as UrlFault).error}` } : result;
}

function decode(written: string, part: UrlPart): Encoded | UrlFault {
  const decoded = unescapeUrl(written, part);
  return 'error' in decoded ? decoded : { written, value: decoded.value };
}

function parse(bytes: string, request: boolean): Url | UrlFault {
  if (/[\0-\x1f\x7f]/.test(bytes)) return { error: 'net/url: invalid control character in URL' };
  if (bytes === '' && request) return { error: 'empty url' };
  const blank: Url = {
    scheme: '',
    opaque: '',
    userinfo: '',
    host: '',
    omitHost: false,
    path: NOTHING,
    query: '',
    forceQuery: false,
    fragment: NOTHING,
  };
  if (bytes === '*') return { ...blank, path: { written: '*', value: '*' } };
  if (bytes.startsWith(':')) return { error: 'missing protocol scheme' };
  const written = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(bytes)?.[1] ?? '';
  const scheme = written.toLowerCase();
  let rest = bytes.slice(written === '' ? 0 : written.length + 1);
  const question = rest.indexOf('?');
  const query = question < 0 ? '' : rest.slice(question + 1);
  const forceQuery = question >= 0 && query === '';
  if (question >= 0) rest = rest.slice(0, question);
  const start: Url = { ...blank, scheme, query, forceQuery };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...start, opaque: rest };
    if (request) return { error: 'invalid URI for request' };
    if (rest.split('/', 1)[0]?.includes(':')) return { error: 'first path segment in URL cannot contain colon' };
  }
  if ((scheme !== '' || (!request && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const authority = parseAuthority(rest.slice(2, slash < 0 ? undefined : slash));
    if ('error' in authority) return authority;
    const path = decode(slash < 0 ? '' : rest.slice(slash), 'path');
    return 'error' in path ? path : { ...start, ...authority, path };
  }
  const path = decode(rest, 'path');
  return 'error' in path ? path : { ...start, path, omitHost: scheme !== '' && rest.startsWith('/') };
}

const USERINFO = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;

function parseAuthority(authority: string): Pick<Url, 'userinfo' | 'host'> | UrlFault {
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1));
  if ('error' in host) return host;
  if (at < 0) return { userinfo: '', host: host.value };
  const written = authority.slice(0, at);
  if (!USERINFO.test(written)) return { error: 'net/url: invalid userinfo' };
  const colon = written.indexOf(':');
  const name = unescapeUrl(colon < 0 ? written : written.slice(0, colon), 'userinfo');
  if ('error' in name) return name;
  const password = unescapeUrl(colon < 0 ? '' : written.slice(colon + 1), 'userinfo');
  if ('error' in password) return password;
  const secret = colon < 0 ? '' : `:${escapeUrl(password.value, 'userinfo')}`;
  return { userinfo: `${escapeUrl(name.value, 'userinfo')}${secret}@`, host: host.value };
}

const OPTIONAL_PORT = /^(?::[0-9]*)?$/;

function badPort(port: string): UrlFault {
  return { error: `invalid port ${quoteBytes(port)} after host` };
}

function parseHost(host: string): { readonly value: string } | UrlFault {
  const open = host.lastIndexOf('[');
  if (open > 0) return { error: 'invalid IP-literal' };
  if (open === 0) return parseLiteral(host);
  const colon = host.lastIndexOf(':');
  if (colon >= 0 && !OPTIONAL_PORT.test(host.slice(colon))) return badPort(host.slice(colon));
  return unescapeUrl(host, 'host');
}

/** `[address%25zone]:port`. */
function parseLiteral(host: string): { readonly value: string } | UrlFault {
  const close = host.lastIndexOf(']');
  if (close < 0) return { error: "missing ']' in host" };
  const port = host.slice(close + 1);
  if (!OPTIONAL_PORT.test(port)) return badPort(port);
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const before = unescapeUrl(zone < 0 ? name : name.slice(0, zone), 'host');
  if ('error' in before) return before;
  const after = unescapeUrl(zone < 0 ? '' : name.slice(zone), 'zone');
  if ('error' in after) return after;
  const literal = before.value + after.value;
  const address = parseAddress(literal);
  if ('error' in address) return { error: `invalid host: ${address.error}` };
  return address.bytes.length === 4 ? { error: 'invalid IP-literal' } : { value: `[${literal}]${port}` };
}

/** The part as it was written if that was a valid escaping of it, else escaped anew. */
export function escapedPart(part: Encoded, kind: 'path' | 'fragment'): string {
  if (part.written !== escapeUrl(part.value, kind) && isValidEncoding(part.written, kind)) return part.written;
  return part.value === '*' && kind === 'path' ? '*' : escapeUrl(part.value, kind);
}

/** The host without port and brackets, and the port. */
export function splitHost(host: string): { readonly hostname: string; readonly port: string } {
  const colon = host.lastIndexOf(':');
  const ported = colon >= 0 && OPTIONAL_PORT.test(host.slice(colon));
  const name = ported ? host.slice(0, colon) : host;
  const bracketed = name.startsWith('[') && name.endsWith(']');
  return { hostname: bracketed ? name.slice(1, -1) : name, port: ported ? host.slice(colon + 1) : '' };
}

/** `url.URL.String()`. */
export function urlText(url: Url): string {
  const tail = `${url.forceQuery || url.query !== '' ? `?${url.query}` : ''}${fragmentText(url)}`;
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') return `${scheme}${url.opaque}${tail}`;
  const path = escapedPart(url.path, 'path');
  let text = `${scheme}${authorityText(url)}`;
  if (path !== '' && !path.startsWith('/') && url.host !== '') text += '/';
  if (text === '' && path.split('/', 1)[0]?.includes(':')) text += './';
  return `${text}${path}${tail}`;
}

function fragmentText({ fragment }: Url): string {
  return fragment.value === '' ? '' : `#${escapedPart(fragment, 'fragment')}`;
}

function authorityText(url: Url): string {
  if (url.scheme === '' && url.host === '' && url.userinfo === '') return '';
  if (url.omitHost && url.host === '' && url.userinfo === '') return '';
  const slashes = url.host !== '' || url.path.value !== '' || url.userinfo !== '' ? '//' : '';
  return `${slashes}${url.userinfo}${escapeUrl(url.host, 'host')}`;
}

/** `url.ParseQuery`: pairs with a semicolon or a bad escape are left out; values keep their order. */
export function queryValues(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = unescapeUrl(equals < 0 ? pair : pair.slice(0, equals), 'query');
    const value = unescapeUrl(equals < 0 ? '' : pair.slice(equals + 1), 'query');
    if ('error' in key || 'error' in value) continue;
    const known = values.get(key.value);
    if (known) known.push(value.value);
    else values.set(key.value, [value.value]);
  }
  return values;
}
