import type { Library } from '#cel/runtime';

/** Kubernetes' own libraries. */
export const kubernetesLibraries: readonly Library[] = [];
