/** What a paramKind names, and the param objects that travel with the policies. */
import { builtinResource, type JsonObject, type ParamKind, parseApiVersion } from '#kubernetes';
import type { CompiledCustomResource, CompiledParamKind } from '../compiled.ts';
import { withDefaults } from '../custom-defaults.ts';
import type { PolicyDocument } from './document.ts';

/** The resource of a paramKind, by the definitions at hand and the built-in kinds; without it the policy is misconfigured. */
export function resolveParamKind(
  paramKind: ParamKind,
  customResources: readonly CompiledCustomResource[],
): CompiledParamKind {
  const { apiVersion = '', kind = '' } = paramKind;
  const groupVersion = parseApiVersion(apiVersion);
  if (!groupVersion) return { apiVersion, kind };
  const custom = customResources.find(
    (row) =>
      row.group === groupVersion.group &&
      row.kind === kind &&
      row.versions.some(({ name }) => name === groupVersion.version),
  );
  if (custom)
    return { apiVersion, kind, resource: { name: custom.resource, namespaced: custom.namespaced, native: false } };
  const builtin = builtinResource({ ...groupVersion, kind });
  if (!builtin) return { apiVersion, kind };
  return {
    apiVersion,
    kind,
    resource: { name: builtin.resource, namespaced: builtin.namespaced, native: builtin.informer },
  };
}

/** Documents that some policy takes as params, with the defaults that the cluster would have stored. */
export function paramObjects(
  documents: readonly PolicyDocument[],
  policies: readonly { readonly paramKind?: ParamKind }[],
  customResources: readonly CompiledCustomResource[],
): readonly JsonObject[] {
  const wanted = new Set(policies.flatMap(({ paramKind }) => (paramKind ? [kindKey(paramKind)] : [])));
  return documents
    .filter((document) => wanted.has(kindKey(document)))
    .map(({ apiVersion, kind, object }) => {
      const groupVersion = parseApiVersion(apiVersion);
      const custom = customResources.find((row) => row.kind === kind && row.group === groupVersion?.group);
      const defaults = custom?.versions.find(({ name }) => name === groupVersion?.version)?.defaults;
      return defaults ? withDefaults(object, defaults) : object;
    });
}

function kindKey({ apiVersion = '', kind = '' }: ParamKind): string {
  return `${apiVersion} ${kind}`;
}
