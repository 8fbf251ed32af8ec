/**
 * Audit annotation keys on their way through a webhook. The API server puts `<webhook>/` before each and drops keys that
 * have a slash of their own, or more than 63 characters after it.
 */
const IN_TREE = 'validation.policy.admission.k8s.io/';
const MAX_NAME = 63;

/**
 * The key to answer with: what the API server itself writes as `validation.policy.admission.k8s.io/<key>` becomes
 * `<key>` (a webhook of that name then gives back the very same), and `<policy>/<key>` becomes `<policy>.<key>`. A key
 * that is too long keeps its beginning and ends in a hash of the whole.
 */
export function annotationKey(key: string): string {
  const name = (key.startsWith(IN_TREE) ? key.slice(IN_TREE.length) : key).replaceAll('/', '.');
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 9)}.${hash(name)}`;
}

/** FNV-1a of 32 bits, in 8 hexadecimal digits. */
function hash(text: string): string {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  return (state >>> 0).toString(16).padStart(8, '0');
}
