/** What expressions see: the slots of the root names, and the values that go into them. */
import type { Opaque, Value } from '#cel/runtime';
import {
  apiVersionOf,
  type GroupVersionKind,
  type GroupVersionResource,
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  sameKind,
  sameResource,
} from '#kubernetes';
import type { Attributes } from './attributes.ts';
import type { Expression } from './program.ts';
import type { Trace } from './trace.ts';
import { Variables } from './variables.ts';

/** The root names in the order of their slots. */
export const SLOTS = [
  'object',
  'oldObject',
  'request',
  'params',
  'namespaceObject',
  'authorizer',
  'authorizer.requestResource',
  'variables',
] as const;

const VARIABLES_SLOT = SLOTS.indexOf('variables');

/** The values of one scope. `undefined` is a name that is declared but not supplied: using it is an error. */
export interface Bindings {
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly request: JsonObject;
  /** `null` when the binding has no paramRef; `undefined` when the policy has no paramKind. */
  readonly params: JsonObject | null | undefined;
  readonly namespaceObject: JsonObject | null;
  readonly authorizer?: Opaque | undefined;
  readonly requestResource?: Opaque | undefined;
}

/** One activation: its variables are evaluated at most once. */
export interface Scope {
  readonly slots: readonly (Value | undefined)[];
  /** What variables have cost since the last call. */
  takeVariableCost(): number;
}

export function openScope(values: Bindings, definitions: ReadonlyMap<string, Expression>, trace: Trace): Scope {
  const slots: (Value | undefined)[] = [
    values.object,
    values.oldObject,
    values.request,
    values.params,
    values.namespaceObject,
    values.authorizer,
    values.requestResource,
  ];
  const variables = new Variables(definitions, slots, trace);
  slots[VARIABLES_SLOT] = variables;
  return { slots, takeVariableCost: () => variables.takeCost() };
}

/** `requestValue` of one request, made once for each resource and kind that policies match it as. */
export function requestValues(
  attributes: Attributes,
): (resource: GroupVersionResource, kind: GroupVersionKind) => JsonObject {
  const made: { resource: GroupVersionResource; kind: GroupVersionKind; value: JsonObject }[] = [];
  return (resource, kind) => {
    const known = made.find((one) => sameResource(one.resource, resource) && sameKind(one.kind, kind));
    if (known) return known.value;
    const value = requestValue(attributes, resource, kind);
    made.push({ resource, kind, value });
    return value;
  };
}

/**
 * The value of `request`, with the presence that the JSON tags of AdmissionRequest give (API server: plugin/cel
 * CreateAdmissionRequest): empty names are missing keys, the objects are not in it.
 */
function requestValue(attributes: Attributes, resource: GroupVersionResource, kind: GroupVersionKind): JsonObject {
  const { subresource, name, namespace, operation, userInfo } = attributes;
  return {
    uid: '',
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    resource: { group: resource.group, version: resource.version, resource: resource.resource },
    ...present('subResource', subresource),
    requestKind: { group: attributes.kind.group, version: attributes.kind.version, kind: attributes.kind.kind },
    requestResource: {
      group: attributes.resource.group,
      version: attributes.resource.version,
      resource: attributes.resource.resource,
    },
    ...present('requestSubResource', subresource),
    ...present('name', name),
    ...present('namespace', namespace),
    operation,
    userInfo: {
      ...present('username', userInfo.username ?? ''),
      ...present('uid', userInfo.uid ?? ''),
      ...(userInfo.groups && userInfo.groups.length > 0 ? { groups: userInfo.groups } : {}),
      ...(userInfo.extra && Object.keys(userInfo.extra).length > 0 ? { extra: userInfo.extra } : {}),
    },
    object: null,
    oldObject: null,
    dryRun: attributes.dryRun,
    options: attributes.options ?? defaultOptions(operation),
  };
}

function present(key: string, value: string): JsonObject {
  return value === '' ? {} : { [key]: value };
}

function defaultOptions(operation: Attributes['operation']): JsonObject | null {
  if (operation === 'CONNECT') return null;
  const kind = `${operation.charAt(0)}${operation.slice(1).toLowerCase()}Options`;
  return { kind, apiVersion: apiVersionOf({ group: 'meta.k8s.io', version: 'v1' }) };
}

/** The two forms in which expressions see the namespace of a request, each made at its first use. */
export interface NamespaceViews {
  stored(namespace: JsonObject | null): JsonObject | null;
  visible(namespace: JsonObject | null): JsonObject | null;
}

export function namespaceViews(): NamespaceViews {
  return { stored: lastOf(storedNamespace), visible: lastOf(visibleNamespace) };
}

/** A function that remembers its last argument: there is one namespace to a request. */
function lastOf(make: (namespace: JsonObject) => JsonObject): (namespace: JsonObject | null) => JsonObject | null {
  let last: { readonly namespace: JsonObject; readonly made: JsonObject } | undefined;
  return (namespace) => {
    if (!namespace) return null;
    if (last?.namespace !== namespace) last = { namespace, made: make(namespace) };
    return last.made;
  };
}

/** The stored namespace as the API server's own cache holds it: a Go type without kind and apiVersion. */
function storedNamespace(namespace: JsonObject): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = namespace;
  return {
    ...rest,
    metadata: objectOrEmpty(rest, 'metadata'),
    spec: objectOrEmpty(rest, 'spec'),
    status: objectOrEmpty(rest, 'status'),
  };
}

const NAMESPACE_METADATA: readonly string[] = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
];

/** The part of a namespace that validations see as `namespaceObject` (API server: plugin/cel CreateNamespaceObject). */
function visibleNamespace(namespace: JsonObject): JsonObject {
  const stored = storedNamespace(namespace);
  const metadata = objectOrEmpty(stored, 'metadata');
  const visible: [string, Json][] = [];
  for (const key of NAMESPACE_METADATA) {
    const value = own(metadata, key);
    if (value !== undefined && !isEmpty(value)) visible.push([key, value]);
  }
  return {
    metadata: Object.fromEntries(visible),
    spec: objectOrEmpty(stored, 'spec'),
    status: objectOrEmpty(stored, 'status'),
  };
}

function objectOrEmpty(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isJsonObject(value) ? value : {};
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '' || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
