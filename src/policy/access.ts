/** `authorizer` and the check of the request itself, answered from the facts. */
import type { Opaque } from '#cel/runtime';
import type { Attributes } from './attributes.ts';
import type { AccessAnswer, AccessNeed, Facts } from './facts.ts';
import { type AccessAttributes, type AuthorizerHost, AuthorizerValue, ResourceCheckValue } from './library/index.ts';
import { NeedsFact } from './needs.ts';

/** The values of the two names. */
export interface AccessValues {
  readonly authorizer: Opaque;
  readonly requestResource: Opaque;
}

/** The check of the request is about what the client asked for, not what a policy matched it as. */
export function accessValues(
  { resource, subresource, namespace, name, userInfo }: Attributes,
  facts: Facts,
): AccessValues {
  const host: AuthorizerHost = {
    check: (attributes) => {
      const key = accessKey(attributes);
      const fact = facts.access.get(key);
      if (!fact) throw new NeedsFact({ kind: 'access', need: { key, ...attributes } });
      if (fact.kind === 'found') return fact.value;
      const noOpinion: AccessAnswer = { decision: 'NoOpinion' };
      return fact.kind === 'absent' ? noOpinion : { ...noOpinion, error: fact.message };
    },
  };
  const authorizer = new AuthorizerValue(host, userInfo);
  const { group, resource: plural } = resource;
  const requestResource = new ResourceCheckValue(authorizer, { group, resource: plural, subresource, namespace, name });
  return { authorizer, requestResource };
}

/** The key of an access need: what a source of facts stores its answer under. */
export function accessKey({ user, verb, path, resource }: AccessAttributes | AccessNeed): string {
  const extra = Object.entries(user.extra ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const who = [user.username ?? '', user.uid ?? '', user.groups ?? [], extra];
  const what = resource
    ? [
        resource.group,
        resource.version,
        resource.resource,
        resource.subresource,
        resource.namespace,
        resource.name,
        resource.fieldSelector ?? null,
        resource.labelSelector ?? null,
      ]
    : null;
  return JSON.stringify([who, verb, path ?? null, what]);
}
