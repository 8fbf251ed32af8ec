/**
 * The merge facts of the 90 built-in kinds of Kubernetes 1.36. Author time only: a bundle carries its pruned part.
 *
 * Facts derived from the client-go 0.36.4 schema (Apache-2.0); the form is ours (`StoredSchema`).
 */
import facts from './builtin-1.36.json' with { type: 'json' };
import type { StoredSchema } from './schema.ts';

/** The built-in kinds. */
export function builtinSchema(): StoredSchema {
  return facts as unknown as StoredSchema;
}
