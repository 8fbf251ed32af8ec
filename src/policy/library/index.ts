import { type Library, listExtensions, sets, strings } from '#cel/runtime';
import { authorization, authorizationSelectors } from './authorizer.ts';
import { cidrs } from './cidr.ts';
import { kubernetesCosts } from './costs.ts';
import { formats } from './formats.ts';
import { ips } from './ip.ts';
import { lists } from './lists.ts';
import { quantities } from './quantity.ts';
import { regex } from './regex.ts';
import { semvers } from './semver.ts';
import { urls } from './url.ts';

export { type AccessAttributes, type AuthorizerHost, AuthorizerValue, ResourceCheckValue } from './authorizer.ts';
export { jsonPatch } from './json-patch.ts';

/** Kubernetes' cost rules, which all its versions of strict cost have. */
const costs: Library = { name: 'kubernetes.costs', overloads: [], costs: kubernetesCosts };

/**
 * The libraries that Kubernetes adds to the language's own, its own and cel-go's, in the order in which the API server adds
 * them: where several overloads fit, the first decides. `jsonPatch` is for mutations only.
 */
export const kubernetesLibraries: readonly Library[] = [
  costs,
  urls,
  regex,
  lists,
  authorization,
  quantities,
  strings,
  sets,
  ips,
  cidrs,
  formats,
  authorizationSelectors,
  semvers,
  listExtensions,
];
