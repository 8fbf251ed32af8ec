/** What can go wrong between a store and a decoded bundle, as two errors with a closed set of codes. */

/**
 * - `unavailable`: the store did not answer, or answered that it cannot; worth trying again.
 * - `denied`: the store refused our credentials.
 * - `too-large`: the object is larger than the caller allows.
 * - `invalid`: the store's answer makes no sense, or the key is none.
 */
export type StoreErrorCode = 'unavailable' | 'denied' | 'too-large' | 'invalid';

/** A failure of an object store. The message names the store's operation and the key, never a credential. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * - `digest-mismatch`: the bytes are not the ones that the name promises.
 * - `corrupt`: not gzip, cut short, or not the JSON that a bundle is.
 * - `too-large`: more bytes than the limit once unpacked.
 * - `newer-format`: written by a newer postern, in a format that this one does not know.
 * - `missing`: a pointer names an object that the store does not have.
 * - `refused`: the bundle's data was refused by the engine.
 */
export type BundleErrorCode = 'digest-mismatch' | 'corrupt' | 'too-large' | 'newer-format' | 'missing' | 'refused';

/** A bundle, channel or cluster document that cannot be used. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
  readonly code: BundleErrorCode;
  constructor(code: BundleErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
