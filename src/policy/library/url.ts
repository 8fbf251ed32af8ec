/** Kubernetes' URL library. */
import { CelError, CelMap, type Library, TextList, type Value } from '#cel/runtime';
import { bytesOf, textOf } from './byte-string.ts';
import { KubernetesValue, readOnce } from './kubernetes-value.ts';
import { escapedPart, parseRequestUri, parseUrl, queryValues, splitHost, type Url, urlText } from './url-parse.ts';

/** A URL in CEL; equal to another by its text. */
export class UrlValue extends KubernetesValue {
  readonly typeName = 'kubernetes.URL';
  readonly url: Url;

  constructor(url: Url) {
    super();
    this.url = url;
  }

  protected override equalsSame(other: Value): boolean | undefined {
    return other instanceof UrlValue ? urlText(this.url) === urlText(other.url) : undefined;
  }

  override toString(): string {
    return textOf(urlText(this.url));
  }
}

const CONVERSION = 'URL parse error during conversion from string:';

/** Held against the rules of request URIs, then parsed as any URL (API server: apiserver/pkg/cel/library/urls.go stringToUrl). */
function url(text: string): UrlValue | CelError {
  const bytes = bytesOf(text);
  const request = parseRequestUri(bytes);
  if ('error' in request) return new CelError(`${CONVERSION} ${request.error}`);
  const parsed = parseUrl(bytes);
  return 'error' in parsed ? new CelError(`${CONVERSION} ${parsed.error}`) : new UrlValue(parsed);
}

/** The fault of a text as a request URI, if it has one. */
export function requestUriFault(text: string): string | undefined {
  const parsed = parseRequestUri(bytesOf(text));
  return 'error' in parsed ? parsed.error : undefined;
}

function query({ url }: UrlValue): Value {
  return new CelMap(
    Array.from(queryValues(url.query), ([key, values]) => [textOf(key), TextList.holding(values.map(textOf))] as const),
  );
}

const GETTERS: readonly (readonly [name: string, id: string, of: (url: Url) => string])[] = [
  ['getScheme', 'url_get_scheme', ({ scheme }) => scheme],
  ['getHost', 'url_get_host', ({ host }) => host],
  ['getHostname', 'url_get_hostname', ({ host }) => splitHost(host).hostname],
  ['getPort', 'url_get_port', ({ host }) => splitHost(host).port],
  ['getEscapedPath', 'url_get_escaped_path', ({ path }) => escapedPart(path, 'path')],
];

/** API server: pkg/cel/library/urls.go. */
export const urls: Library = {
  name: 'kubernetes.urls',
  overloads: [
    {
      name: 'url',
      id: 'string_to_url',
      signature: '(string) -> kubernetes.URL',
      run: url,
      specialize: readOnce(url, (value) => value),
    },
    ...GETTERS.map(([name, id, of]) => ({
      name,
      id,
      signature: 'kubernetes.URL.() -> string',
      run: (value: UrlValue) => textOf(of(value.url)),
    })),
    { name: 'getQuery', id: 'url_get_query', signature: 'kubernetes.URL.() -> map<string, list<string>>', run: query },
    {
      name: 'isURL',
      id: 'is_url_string',
      signature: '(string) -> bool',
      run: (text: string) => requestUriFault(text) === undefined,
    },
  ],
};
