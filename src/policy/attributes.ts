/**
 * A request as the admission chain sees it: the *original* kind and resource decide what matches, while the objects
 * arrive in the kind that the API server converted them to for the webhook.
 */
import {
  type AdmissionRequest,
  type GroupVersionKind,
  type GroupVersionResource,
  hasMetadata,
  type Json,
  type JsonObject,
  type Operation,
  own,
  stringAt,
  type UserInfo,
} from '#kubernetes';

export interface Attributes {
  readonly operation: Operation;
  /** Original kind, resource and subresource of the request. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** For Namespace objects their own name. */
  readonly namespace: string;
  readonly name: string;
  readonly userInfo: UserInfo;
  readonly dryRun: boolean;
  readonly options: JsonObject | null;
  /** The kind that the objects are in, and the resource that goes with it. */
  readonly objectKind: GroupVersionKind;
  readonly objectResource: GroupVersionResource;
  readonly objectSubresource: string;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
}

/** The attributes of a request in a phase: by the validating phase the API server has filled in a generated name. */
export function attributesOf(request: AdmissionRequest, phase: 'mutate' | 'validate'): Attributes {
  const object = request.object ?? null;
  const subresource = request.subResource ?? '';
  const name = request.name ?? '';
  return {
    operation: request.operation,
    kind: request.requestKind ?? request.kind,
    resource: request.requestResource ?? request.resource,
    subresource: request.requestResource ? (request.requestSubResource ?? '') : subresource,
    namespace: request.namespace ?? '',
    name:
      name === '' && phase === 'validate' && request.operation === 'CREATE'
        ? stringAt(object, 'metadata', 'name')
        : name,
    userInfo: request.userInfo,
    dryRun: request.dryRun ?? false,
    options: request.options ?? null,
    objectKind: request.kind,
    objectResource: request.resource,
    objectSubresource: subresource,
    object,
    oldObject: request.oldObject ?? null,
  };
}

/** Whether the request is about a core/v1 Namespace, whose "namespace" is itself. */
export function isNamespaceRequest(attributes: Attributes): boolean {
  const { group, version, kind } = attributes.kind;
  return kind === 'Namespace' && version === 'v1' && group === '';
}

/** The namespace whose stored object the request's evaluations see; empty for cluster-scoped requests and for namespaces. */
export function namespaceOf(attributes: Attributes): string {
  return isNamespaceRequest(attributes) ? '' : attributes.namespace;
}

/** The name that a denial prints (API server: pkg/admission/errors.go extractResourceName). */
export function displayName(attributes: Attributes): string {
  if (attributes.name !== '') return attributes.name;
  if (attributes.object === null) return 'Unknown';
  if (!hasMetadata(attributes.objectKind)) return 'Unknown/errorGettingName';
  const metadata: Json | undefined = own(attributes.object, 'metadata');
  return stringAt(metadata, 'name') || stringAt(metadata, 'generateName') || 'Unknown';
}
