import { type CelType, type StructTypes, types } from '#cel';

/**
 * The types that Kubernetes declares for the names in expressions (API server: plugin/cel/compile.go), and those of patch
 * expressions. `metadata.UID` and the timestamps of a Namespace are declared other than the values are: that is upstream's.
 */
const { BOOL, DYN, INT, STRING, TIMESTAMP } = types;
const struct = types.structType;
const list = types.listType;
const map = types.mapType;

type Fields = Readonly<Record<string, CelType>>;

const STRUCTS: Readonly<Record<string, Fields>> = {
  'kubernetes.GroupVersionKind': { group: STRING, version: STRING, kind: STRING },
  'kubernetes.GroupVersionResource': { group: STRING, version: STRING, resource: STRING },
  'kubernetes.UserInfo': {
    username: STRING,
    uid: STRING,
    groups: list(STRING),
    extra: map(STRING, list(STRING)),
  },
  'kubernetes.AdmissionRequest': {
    kind: struct('kubernetes.GroupVersionKind'),
    resource: struct('kubernetes.GroupVersionResource'),
    subResource: STRING,
    requestKind: struct('kubernetes.GroupVersionKind'),
    requestResource: struct('kubernetes.GroupVersionResource'),
    requestSubResource: STRING,
    name: STRING,
    namespace: STRING,
    operation: STRING,
    userInfo: struct('kubernetes.UserInfo'),
    dryRun: BOOL,
    options: DYN,
  },
  'kubernetes.NamespaceMetadata': {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: map(STRING, STRING),
    annotations: map(STRING, STRING),
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: list(STRING),
  },
  'kubernetes.NamespaceSpec': { finalizers: list(STRING) },
  'kubernetes.NamespaceCondition': {
    status: STRING,
    type: STRING,
    lastTransitionTime: TIMESTAMP,
    message: STRING,
    reason: STRING,
  },
  'kubernetes.NamespaceStatus': { conditions: list(struct('kubernetes.NamespaceCondition')), phase: STRING },
  'kubernetes.Namespace': {
    metadata: struct('kubernetes.NamespaceMetadata'),
    spec: struct('kubernetes.NamespaceSpec'),
    status: struct('kubernetes.NamespaceStatus'),
  },
};

/** Every field that a declared type has, for suggestions. */
export const DECLARED_FIELDS: readonly string[] = [...new Set(Object.values(STRUCTS).flatMap(Object.keys))];

const JSON_PATCH: Fields = { op: STRING, path: STRING, from: STRING, value: DYN };

export const REQUEST = struct('kubernetes.AdmissionRequest');
export const NAMESPACE = struct('kubernetes.Namespace');
export const VARIABLES = struct('kubernetes.variables');
export const AUTHORIZER = types.opaqueType('kubernetes.authorization.Authorizer');
export const RESOURCE_CHECK = types.opaqueType('kubernetes.authorization.ResourceCheck');
export const OBJECT = struct('Object');
export const JSON_PATCHES = list(struct('JSONPatch'));

/** The struct types of an environment: those above, the composition's variables, and `Object…`/`JSONPatch` in patches. */
export function kubernetesStructs(variables: ReadonlyMap<string, CelType>, patches: boolean): StructTypes {
  return {
    find: (name) => {
      if (patches && (name === 'JSONPatch' || isObjectType(name))) return struct(name);
      if (Object.hasOwn(STRUCTS, name)) return struct(name);
      return types.wellKnown(name)?.type;
    },
    field: (type, field) => {
      if (type === VARIABLES.name) return variables.get(field);
      if (patches && type === 'JSONPatch') return own(JSON_PATCH, field) ?? null;
      if (patches && isObjectType(type)) return DYN;
      const fields = own(STRUCTS, type) ?? types.wellKnown(type)?.fields;
      return fields && own(fields, field);
    },
  };
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function isObjectType(name: string): boolean {
  return name === 'Object' || name.startsWith('Object.');
}

/** The type under which a variable is declared to later expressions: structured host types are not carried over. */
export function variableType(type: CelType): CelType {
  switch (type.kind) {
    case 'list':
    case 'map':
      return { ...type, params: type.params.map(variableType) };
    case 'opaque':
    case 'struct':
    case 'type':
    case 'wrapper':
    case 'error':
      return DYN;
    default:
      return type;
  }
}
