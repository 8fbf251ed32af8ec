/**
 * JSON pointers (RFC 6901): tokens and their escapes, read as leniently as the API server reads them.
 */

/** The tokens of a path, or `undefined` when it has no slash. Text before the first slash is ignored, as upstream. */
export function pointerTokens(path: string): readonly string[] | undefined {
  const parts = path.split('/');
  return parts.length < 2 ? undefined : parts.slice(1).map(unescapeToken);
}

/** `~1` is a slash, `~0` a tilde; any other tilde stays. */
export function unescapeToken(token: string): string {
  return token.includes('~') ? token.replace(/~[01]/g, (pair) => (pair === '~1' ? '/' : '~')) : token;
}

/** A token for use in a path. */
export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
