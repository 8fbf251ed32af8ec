/** Types to declare names with. */
export {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  NULL,
  opaqueType,
  optionalType,
  runtimeTypeText,
  STRING,
  structType,
  TIMESTAMP,
  UINT,
} from './types.ts';
export { wellKnown } from './well-known.ts';
