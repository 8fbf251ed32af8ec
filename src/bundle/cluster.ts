/** A cluster's document: who may ask in its name, which channel it runs, where its facts come from. */
import { isJsonObject, own } from '#kubernetes';
import { isDigest } from './digest.ts';
import { parseDocument } from './document.ts';
import { BundleError } from './errors.ts';

export interface Cluster {
  readonly channel: string;
  /** Digests (`sha256-<hex>`) of the tokens that are accepted: one, or two while a token is being changed. */
  readonly tokens: readonly string[];
  /** Absent: the cluster has no facts, and what needs one cannot be decided. */
  readonly facts?: { readonly source: 'snapshot'; readonly maxAgeSeconds?: number };
}

const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/;

/** Whether a text is a name of a cluster or channel: lower-case letters, digits, dots and dashes, at most 63. */
export function isName(text: unknown): text is string {
  return typeof text === 'string' && NAME.test(text);
}

/** The object that holds a cluster's document. The name must be one (`isName`). */
export function clusterKey(name: string): string {
  return `clusters/${name}.json`;
}

/** The cluster in stored bytes. Throws `BundleError`. */
export function decodeCluster(bytes: Uint8Array): Cluster {
  const document = parseDocument(bytes, 'cluster', 1, ['channel', 'tokens', 'facts']);
  const channel = own(document, 'channel');
  if (!isName(channel)) throw new BundleError('corrupt', 'the cluster document has no valid `channel`');
  const tokens = own(document, 'tokens');
  if (!Array.isArray(tokens) || tokens.length === 0 || !tokens.every(isDigest)) {
    throw new BundleError('corrupt', 'the cluster document needs `tokens`, a list of `sha256-<hex>` digests');
  }
  const facts = decodeFacts(own(document, 'facts'));
  return { channel, tokens, ...(facts ? { facts } : {}) };
}

function decodeFacts(value: unknown): Cluster['facts'] {
  if (value === undefined) return undefined;
  const known = isJsonObject(value) && Object.keys(value).every((key) => key === 'source' || key === 'maxAgeSeconds');
  if (!known || own(value, 'source') !== 'snapshot') {
    throw new BundleError('corrupt', 'the `facts` of the cluster document must be `{"source": "snapshot"}`');
  }
  const maxAgeSeconds = own(value, 'maxAgeSeconds');
  if (maxAgeSeconds === undefined) return { source: 'snapshot' };
  if (typeof maxAgeSeconds !== 'number' || !(maxAgeSeconds > 0)) {
    throw new BundleError('corrupt', '`facts.maxAgeSeconds` of the cluster document is not a positive number');
  }
  return { source: 'snapshot', maxAgeSeconds };
}
