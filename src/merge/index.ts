export { type Applied, applyConfiguration, type ObjectKind } from './apply.ts';
export { EMPTY_LITERAL, type PlainMap, type Unbox } from './data.ts';
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
