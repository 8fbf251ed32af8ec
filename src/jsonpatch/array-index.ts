/**
 * Array indexes as Go's strconv.Atoi reads them, and what each operation makes of them.
 *
 * API server: json-patch v4 partialArray. Negative indexes count from the end.
 */

/** The index, or the API server's text. */
export type IndexResult = { readonly index: number } | { readonly error: string };

/** The index of an element that must exist. */
export function existingIndex(token: string, length: number): IndexResult {
  return within(token, length, length - 1);
}

/** The index to insert at, up to the length; negative ones count on the length after insertion. */
export function insertionIndex(token: string, length: number): IndexResult {
  if (token === '-') return { index: length };
  const found = within(token, length + 1, length);
  return 'error' in found && found.error.startsWith('strconv')
    ? { error: `value was not a proper array index: '${token}': ${found.error}` }
    : found;
}

const INTEGER = /^[+-]?[0-9]+$/;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

function within(token: string, length: number, last: number): IndexResult {
  if (!INTEGER.test(token)) return { error: `strconv.Atoi: parsing ${quote(token)}: invalid syntax` };
  const number = BigInt(token.startsWith('+') ? token.slice(1) : token);
  if (number > MAX_INT64 || number < MIN_INT64) {
    return { error: `strconv.Atoi: parsing ${quote(token)}: value out of range` };
  }
  if (number > last || number < -length) {
    return { error: `Unable to access invalid index: ${number}: invalid index referenced` };
  }
  const index = Number(number);
  return { index: index < 0 ? index + length : index };
}

function quote(token: string): string {
  return JSON.stringify(token);
}
