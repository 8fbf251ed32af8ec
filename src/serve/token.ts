/** Tokens: a cluster is who knows the secret segment of its URL. Only digests of tokens are configured. */
import { digestOf, toBytes } from '#bundle';

/** Whether a token's digest is among those accepted. The time taken does not depend on where they differ. */
export async function tokenAccepted(token: string, digests: readonly string[]): Promise<boolean> {
  const digest = await digestOf(toBytes(token));
  let accepted = false;
  for (const candidate of digests) accepted = equalText(digest, candidate) || accepted;
  return accepted;
}

/** Equality of two texts in a time that depends on their lengths alone. */
export function equalText(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}
