export {
  type Applied,
  type ApplyOptions,
  applyConfiguration,
  type EmptyLiterals,
  type ObjectKind,
  settleEmptyLiterals,
} from './apply.ts';
export { EMPTY_LITERAL, Foreign, type PlainMap, type Unbox } from './data.ts';
export {
  type Lookup,
  link,
  lookup,
  type MergeNode,
  type MergeSchema,
  type StoredNode,
  type StoredSchema,
  type StoredShape,
} from './schema.ts';
