/** The built-in resources of Kubernetes 1.36 in their stable versions: what discovery would tell. */
import type { GroupVersionKind, GroupVersionResource } from './admission.ts';

export interface BuiltinResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Whether the API server holds it as a Go type with an informer; params of other kinds are read unstructured. */
  readonly informer: boolean;
}

/** group/version; then `Kind` (namespaced) or `Kind*` (cluster-scoped), `!` for kinds without an informer; `=plural` where not regular. */
const TABLE: readonly string[] = [
  'v1 Binding! ComponentStatus* ConfigMap Endpoints=endpoints Event LimitRange Namespace* Node* PersistentVolume* PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount',
  'admissionregistration.k8s.io/v1 MutatingAdmissionPolicy* MutatingAdmissionPolicyBinding* MutatingWebhookConfiguration* ValidatingAdmissionPolicy* ValidatingAdmissionPolicyBinding* ValidatingWebhookConfiguration*',
  'apiextensions.k8s.io/v1 CustomResourceDefinition*!',
  'apiregistration.k8s.io/v1 APIService*!',
  'apps/v1 ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet',
  'authentication.k8s.io/v1 SelfSubjectReview*! TokenReview*!',
  'authorization.k8s.io/v1 LocalSubjectAccessReview! SelfSubjectAccessReview*! SelfSubjectRulesReview*! SubjectAccessReview*!',
  'autoscaling/v1 HorizontalPodAutoscaler',
  'autoscaling/v2 HorizontalPodAutoscaler',
  'batch/v1 CronJob Job',
  'certificates.k8s.io/v1 CertificateSigningRequest*',
  'coordination.k8s.io/v1 Lease',
  'discovery.k8s.io/v1 EndpointSlice',
  'events.k8s.io/v1 Event',
  'flowcontrol.apiserver.k8s.io/v1 FlowSchema* PriorityLevelConfiguration*',
  'networking.k8s.io/v1 IPAddress*=ipaddresses Ingress IngressClass* NetworkPolicy ServiceCIDR*',
  'node.k8s.io/v1 RuntimeClass*',
  'policy/v1 PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1 ClusterRole* ClusterRoleBinding* Role RoleBinding',
  'resource.k8s.io/v1 DeviceClass* ResourceClaim ResourceClaimTemplate ResourceSlice*',
  'scheduling.k8s.io/v1 PriorityClass*',
  'storage.k8s.io/v1 CSIDriver* CSINode* CSIStorageCapacity=csistoragecapacities StorageClass* VolumeAttachment* VolumeAttributesClass*',
];

/** All of them, in no particular order. */
export const BUILTIN_RESOURCES: readonly BuiltinResource[] = TABLE.flatMap(parseRow);

export function builtinResource(kind: GroupVersionKind): BuiltinResource | undefined {
  return BUILTIN_RESOURCES.find(
    (row) => row.kind === kind.kind && row.group === kind.group && row.version === kind.version,
  );
}

/** The kinds of objects that have no metadata: options of CONNECT requests. Selectors never match them. */
const WITHOUT_METADATA: ReadonlySet<string> = new Set([
  'NodeProxyOptions',
  'PodAttachOptions',
  'PodExecOptions',
  'PodPortForwardOptions',
  'PodProxyOptions',
  'ServiceProxyOptions',
]);

/** Whether objects of a kind have metadata. */
export function hasMetadata(kind: GroupVersionKind): boolean {
  return !(kind.group === '' && WITHOUT_METADATA.has(kind.kind));
}

/** `group/version`, or `version` alone for the core group. */
export function apiVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** Group and version of an apiVersion; `undefined` for a text with two slashes or more. */
export function parseApiVersion(text: string): { readonly group: string; readonly version: string } | undefined {
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) return undefined;
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}

/** `<group>/<version>, Kind=<kind>`, as Go prints it. */
export function kindText(kind: GroupVersionKind): string {
  return `${kind.group}/${kind.version}, Kind=${kind.kind}`;
}

/** `<group>/<version>, Resource=<resource>`, as Go prints it. */
export function resourceText(resource: GroupVersionResource): string {
  return `${resource.group}/${resource.version}, Resource=${resource.resource}`;
}

export function sameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group;
}

export function sameResource(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return a.resource === b.resource && a.version === b.version && a.group === b.group;
}

/** Resources that no policy ever sees, in any version and subresource. */
const EXCLUDED: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]);

/** Whether policies are never evaluated for a resource (API server: plugin/policy/generic Dispatch, kubeapiserver exclusion list). */
export function excludedFromPolicies(group: string, resource: string): boolean {
  return EXCLUDED.has(`${group}/${resource}`);
}

function parseRow(row: string): readonly BuiltinResource[] {
  const [apiVersion = '', ...entries] = row.split(' ');
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
  return entries.map((entry) => {
    const [head = '', plural] = entry.split('=');
    const kind = head.replace(/[*!]/g, '');
    return {
      group,
      version,
      kind,
      resource: plural ?? pluralOf(kind.toLowerCase()),
      namespaced: !head.includes('*'),
      informer: !head.includes('!'),
    };
  });
}

function pluralOf(singular: string): string {
  if (singular.endsWith('y')) return `${singular.slice(0, -1)}ies`;
  if (singular.endsWith('s')) return `${singular}es`;
  return `${singular}s`;
}
