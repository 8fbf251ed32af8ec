/**
 * What the engine may need to know of the cluster besides the request, as data: stored namespaces, param objects and
 * access decisions. The engine never fetches; it says what it lacked (`Needs`) and is called again with more.
 */
import type { JsonObject, LabelSelector, UserInfo } from '#kubernetes';

/** An answer: what was found, that there is no such thing, or why it could not be told. */
export type Fact<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'error'; readonly message: string };

export interface Facts {
  /** Stored namespaces by name. */
  readonly namespaces: ReadonlyMap<string, Fact<JsonObject>>;
  /** Param objects by the key of a `ParamNeed`: one object for a name, any number for a selector. */
  readonly params: ReadonlyMap<string, Fact<readonly JsonObject[]>>;
  /** Access decisions by the key of an `AccessNeed`; `absent` is no opinion. */
  readonly access: ReadonlyMap<string, Fact<AccessAnswer>>;
}

/** Facts of a cluster that nothing is known about. */
export const NO_FACTS: Facts = { namespaces: new Map(), params: new Map(), access: new Map() };

export interface AccessAnswer {
  readonly decision: 'Allow' | 'Deny' | 'NoOpinion';
  readonly reason?: string;
  /** The text of the authorizer's error, beside its decision. */
  readonly error?: string;
}

/** What evaluation met and lacked. Each list is free of duplicates; at least one is not empty. */
export interface Needs {
  readonly kind: 'needs';
  /** Names of namespaces. */
  readonly namespaces: readonly string[];
  readonly params: readonly ParamNeed[];
  readonly access: readonly AccessNeed[];
}

/** A param object by name, or all that a selector matches; within one namespace unless the kind is cluster-scoped. */
export interface ParamNeed {
  /** What to store the answer under. */
  readonly key: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural name of the resource. */
  readonly resource: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  /** Either a name or a selector. */
  readonly name?: string;
  readonly selector?: LabelSelector;
}

/** A SubjectAccessReview to make. */
export interface AccessNeed {
  /** What to store the answer under. */
  readonly key: string;
  readonly user: UserInfo;
  readonly verb: string;
  /** A URL path (non-resource access); else `resource` is set. */
  readonly path?: string;
  readonly resource?: AccessResource;
}

export interface AccessResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The selectors as the expression gave them. */
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** What facts a policy set can ever ask for. */
export interface Requirements {
  /** Some policy selects by namespace labels or reads `namespaceObject`; every namespaced request that it matches looks its namespace up. */
  readonly namespaces: boolean;
  readonly paramKinds: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly resource: string;
    readonly namespaced: boolean;
  }[];
  /** Policies whose expressions use `authorizer`. */
  readonly access: readonly string[];
}
