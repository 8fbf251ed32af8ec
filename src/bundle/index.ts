export {
  BUNDLE_FORMAT,
  type Bundle,
  bundleKey,
  decodeBundle,
  type EncodedBundle,
  encodeBundle,
  MAX_BUNDLE_BYTES,
} from './bundle.ts';
export { canonicalJson } from './canonical.ts';
export { type Channel, channelKey, decodeChannel, encodeChannel, MAX_DOCUMENT_BYTES, publish } from './channel.ts';
export { type Cluster, clusterKey, decodeCluster, isName } from './cluster.ts';
export { digestOf, hex, isDigest } from './digest.ts';
export { parseDocument, toBytes } from './document.ts';
export { BundleError, type BundleErrorCode, StoreError, type StoreErrorCode } from './errors.ts';
export { gunzip, gzip } from './gzip.ts';
export {
  abortable,
  type BundleStore,
  checkedKey,
  checkSize,
  type GetOptions,
  type GetResult,
  type PutResult,
} from './store.ts';
