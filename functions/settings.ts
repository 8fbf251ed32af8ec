/** The settings that all platforms share, out of variables of the environment. */
import { isDigest, isName } from '#bundle';
import { type AppOptions, type LogRecord, logLine } from '#serve';

type Settings = Pick<
  AppOptions,
  'clusters' | 'statusTokens' | 'refreshSeconds' | 'maxStaleSeconds' | 'maxBodyBytes' | 'log'
>;

/**
 * | variable | |
 * |---|---|
 * | `POSTERN_CLUSTERS` | names, separated by commas, that must have a bundle for `/readyz` |
 * | `POSTERN_STATUS_TOKENS` | `sha256-<hex>` digests, separated by commas, of tokens for `/status` and `/metrics` |
 * | `POSTERN_REFRESH_SECONDS`, `POSTERN_MAX_STALE_SECONDS`, `POSTERN_MAX_BODY_BYTES` | numbers |
 *
 * Throws when one cannot be read: a server must not start with half of its settings.
 */
export function readSettings(variables: object): Settings {
  const text = (name: string): string => textOf(variables, name);
  const list = (name: string, accepts: (item: string) => boolean, what: string): readonly string[] => {
    const items = text(name)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    const wrong = items.find((item) => !accepts(item));
    if (wrong !== undefined) throw new Error(`${name} must hold ${what}`);
    return items;
  };
  const number = <K extends string>(name: string, key: K): { readonly [key in K]?: number } => {
    if (text(name) === '') return {};
    const value = Number(text(name));
    if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw new Error(`${name} must be a number above 0`);
    return { [key]: value } as { readonly [key in K]?: number };
  };
  return {
    clusters: list('POSTERN_CLUSTERS', isName, 'names of clusters'),
    statusTokens: list('POSTERN_STATUS_TOKENS', isDigest, '`sha256-<hex>` digests of tokens'),
    ...number('POSTERN_REFRESH_SECONDS', 'refreshSeconds'),
    ...number('POSTERN_MAX_STALE_SECONDS', 'maxStaleSeconds'),
    ...number('POSTERN_MAX_BODY_BYTES', 'maxBodyBytes'),
    log: (record: LogRecord) => console.log(logLine(record, Date.now())),
  };
}

/** The port in `POSTERN_PORT`; 8443 by default. */
export function readPort(variables: object): number {
  const port = Number(textOf(variables, 'POSTERN_PORT') || 8443);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('POSTERN_PORT must be a port number');
  return port;
}

function textOf(variables: object, name: string): string {
  const value: unknown = Object.hasOwn(variables, name) ? Reflect.get(variables, name) : undefined;
  return typeof value === 'string' ? value.trim() : '';
}
