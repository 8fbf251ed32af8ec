/**
 * The params of a binding: one evaluation for each (API server: plugin/policy/generic/policy_dispatcher.go CollectParams).
 */
import { type JsonObject, labelsOf, type ParamRef, parseSelector, selectorMatches, stringAt } from '#kubernetes';
import type { Attributes } from './attributes.ts';
import type { CompiledParamKind } from './compiled.ts';
import type { ParamNeed } from './facts.ts';
import type { ApiError, FactsReader } from './facts-reader.ts';

/** A param object; `null` where a policy with a paramKind is bound without a paramRef, `undefined` without paramKind. */
export type Param = JsonObject | null | undefined;

/** The evaluations that a binding asks for, or a configuration error of the binding. */
export type Params = { readonly params: readonly Param[]; readonly error?: undefined } | { readonly error: ApiError };

/** The configuration error of a policy whose paramKind names nothing that the cluster serves. */
export function paramKindError(paramKind: CompiledParamKind | undefined): ApiError | undefined {
  if (!paramKind || paramKind.resource) return undefined;
  const { apiVersion, kind } = paramKind;
  const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return { message: `failed to find resource referenced by paramKind: '${groupVersion}, Kind=${kind}'` };
}

/** `bundled` are the param objects of this kind that travel with the policies. */
export function collectParams(
  paramKind: CompiledParamKind | undefined,
  paramRef: ParamRef | undefined,
  attributes: Attributes,
  facts: FactsReader,
  bundled: readonly JsonObject[],
): Params {
  if (!paramKind) return { params: [undefined] };
  if (!paramRef) return { params: [null] };
  const { resource } = paramKind;
  if (!resource)
    return fail(`paramKind kind \`&ParamKind{APIVersion:${paramKind.apiVersion},Kind:${paramKind.kind},}\` not known`);
  const namespace = paramRef.namespace || attributes.namespace;
  if (resource.namespaced) {
    if (!namespace) {
      return fail('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
    }
  } else if (paramRef.namespace) {
    return fail('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const { name, selector } = paramRef;
  if (name && selector) return fail('paramRef.name and paramRef.selector are mutually exclusive');
  if (!name && !selector) return fail('one of name or selector must be provided');
  const parsed = selector && !name ? parseSelector(selector) : undefined;
  if (parsed && 'error' in parsed) return fail(parsed.error);

  const inNamespace = (param: JsonObject): boolean =>
    !resource.namespaced || stringAt(param, 'metadata', 'namespace') === namespace;
  const wanted = (param: JsonObject): boolean =>
    inNamespace(param) &&
    (parsed ? selectorMatches(parsed, labelsOf(param)) : stringAt(param, 'metadata', 'name') === name);
  const need = paramNeed(paramKind, resource.name, resource.namespaced ? namespace : undefined, paramRef);
  const carried = bundled.filter(wanted);
  const read = carried.length > 0 ? { value: carried, error: undefined } : facts.params(need);
  if (read.error) return { error: read.error };
  if (read.value.length > 0) return { params: [...read.value].sort(byNamespaceAndName) };
  if (paramRef.parameterNotFoundAction === 'Deny') {
    return fail('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return { params: [] };
}

/** `namespace/name` of a param, or its name; `undefined` for evaluations without one. */
export function paramName(param: Param): string | undefined {
  if (!param) return undefined;
  const namespace = stringAt(param, 'metadata', 'namespace');
  const name = stringAt(param, 'metadata', 'name');
  return namespace === '' ? name : `${namespace}/${name}`;
}

function paramNeed(kind: CompiledParamKind, resource: string, namespace: string | undefined, ref: ParamRef): ParamNeed {
  const { apiVersion, kind: kindName } = kind;
  const what = ref.name ? { name: ref.name } : { selector: ref.selector ?? {} };
  return {
    key: paramKey(apiVersion, kindName, namespace, what),
    apiVersion,
    kind: kindName,
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...what,
  };
}

/** The key of a param need: what a source of facts stores its answer under. */
export function paramKey(
  apiVersion: string,
  kind: string,
  namespace: string | undefined,
  what: { readonly name?: string; readonly selector?: ParamRef['selector'] },
): string {
  return JSON.stringify([
    apiVersion,
    kind,
    namespace ?? null,
    what.name ?? null,
    what.selector ? selectorKey(what.selector) : null,
  ]);
}

function selectorKey(selector: NonNullable<ParamRef['selector']>): unknown {
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values }) => [
    key,
    operator,
    values ?? [],
  ]);
  return [labels, expressions];
}

function byNamespaceAndName(a: JsonObject, b: JsonObject): number {
  return (
    compare(stringAt(a, 'metadata', 'namespace'), stringAt(b, 'metadata', 'namespace')) ||
    compare(stringAt(a, 'metadata', 'name'), stringAt(b, 'metadata', 'name'))
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function fail(message: string): Params {
  return { error: { message } };
}
