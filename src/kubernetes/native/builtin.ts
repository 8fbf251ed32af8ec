/**
 * The Go types of the built-in kinds of Kubernetes 1.36 as their JSON shows them. Author time only: a bundle carries
 * its pruned part.
 *
 * Observed from k8s.io/api 0.36.4: for every field, what the API server's decoder answers to a value of a wrong type,
 * and what it writes for an absent, a null and a zero one.
 */

import { withApiService } from './api-service.ts';
import facts from './builtin-1.36.json' with { type: 'json' };
import type { StoredNative } from './schema.ts';

/** The built-in kinds that a mutation can meet. */
export function builtinNative(): StoredNative {
  const known = facts as unknown as StoredNative;
  return withApiService(known, { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' });
}
