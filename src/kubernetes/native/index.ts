export { jsonNumbers } from './numbers.ts';
export {
  type BoundRoundTrip,
  boundRoundTrip,
  type NativeKind,
  type RoundTrip,
  type RoundTripMode,
  roundTrip,
} from './round-trip.ts';
export { linkNative, type NativeSchema, nativeStruct, type StoredNative } from './schema.ts';
