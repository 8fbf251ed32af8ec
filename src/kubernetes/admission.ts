/** The wire types of `admission.k8s.io/v1`, with Kubernetes' own field names. */
import type { JsonObject } from './json.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What the API server asks. Empty strings and absent fields mean the same; so do absent objects and `null`. */
export interface AdmissionRequest {
  readonly uid: string;
  /** The kind that `object` is in; the one the webhook's rule matched. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  /** What the client really asked for; the same as `kind` unless the API server converted. */
  readonly requestKind?: GroupVersionKind;
  readonly requestResource?: GroupVersionResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: Operation;
  readonly userInfo: UserInfo;
  readonly object?: JsonObject | null;
  readonly oldObject?: JsonObject | null;
  readonly dryRun?: boolean;
  readonly options?: JsonObject | null;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: Status;
  /** Base64 of a JSON Patch document. */
  readonly patch?: string;
  readonly patchType?: 'JSONPatch';
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

export interface AdmissionReview {
  readonly apiVersion: 'admission.k8s.io/v1' | 'admission.k8s.io/v1beta1';
  readonly kind: 'AdmissionReview';
  readonly request?: AdmissionRequest;
  readonly response?: AdmissionResponse;
}

/** `metav1.Status` of a failure. */
export interface Status {
  readonly metadata?: Readonly<Record<string, never>>;
  readonly status?: 'Failure' | 'Success';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** For denials of policies: the plural name of the resource. */
  readonly kind?: string;
  readonly causes?: readonly StatusCause[];
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}
