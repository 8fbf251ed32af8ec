export { applyPatch, type PatchResult } from './apply.ts';
export { diff } from './diff.ts';
export type { DiffOperation, Operation, Unbox } from './operation.ts';
export { escapeToken } from './pointer.ts';
