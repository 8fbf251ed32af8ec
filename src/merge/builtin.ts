/**
 * The merge facts of the built-in kinds of Kubernetes 1.36. Author time only: a bundle carries its pruned part.
 *
 * Facts derived from the client-go 0.36.4 schema (Apache-2.0); the form is ours (`StoredSchema`).
 */
import facts from './builtin-1.36.json' with { type: 'json' };
import { closure } from './closure.ts';
import { otherKinds } from './other-kinds.ts';
import type { StoredSchema } from './schema.ts';

/** All built-in kinds that a mutation can merge into. */
export function builtinSchema(): StoredSchema {
  const known = facts as unknown as StoredSchema;
  return closure([known, otherKinds(known)]);
}
