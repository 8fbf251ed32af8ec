/**
 * Merge schemas of the mutable kinds that the client-go schema lacks: CustomResourceDefinition, APIService, v1 Binding
 * and ComponentStatus. The API server publishes documents for them all the same.
 *
 * Facts from the published OpenAPI documents of Kubernetes (Apache-2.0), reduced to what merging looks at.
 */
import { indexOf } from './closure.ts';
import { modelConverter } from './openapi.ts';
import { nodePool } from './pool.ts';
import type { StoredSchema } from './schema.ts';

type Model = Readonly<Record<string, unknown>>;

const text: Model = { type: 'string' };
const number: Model = { type: 'integer' };
const flag: Model = { type: 'boolean' };
const time: Model = { type: 'string', format: 'date-time' };
const anything: Model = {};

function object(properties: Readonly<Record<string, Model>>): Model {
  return { type: 'object', properties };
}

function mapOf(additionalProperties: Model): Model {
  return { type: 'object', additionalProperties };
}

function atomicList(items: Model): Model {
  return { type: 'array', items };
}

/** A list keyed by one field, whose own default is the empty string. */
function keyedList(key: string, fields: Readonly<Record<string, Model>>): Model {
  return {
    type: 'array',
    items: object({ ...fields, [key]: { type: 'string', default: '' } }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [key],
  };
}

function named(name: string): Model {
  return { $ref: `#/${name}` };
}

const schemaProps: Model = object({
  $ref: text,
  $schema: text,
  additionalItems: anything,
  additionalProperties: anything,
  allOf: atomicList(named('JSONSchemaProps')),
  anyOf: atomicList(named('JSONSchemaProps')),
  default: anything,
  definitions: mapOf(named('JSONSchemaProps')),
  dependencies: mapOf(anything),
  description: text,
  enum: atomicList(anything),
  example: anything,
  exclusiveMaximum: flag,
  exclusiveMinimum: flag,
  externalDocs: object({ description: text, url: text }),
  format: text,
  id: text,
  items: anything,
  maxItems: number,
  maxLength: number,
  maxProperties: number,
  maximum: number,
  minItems: number,
  minLength: number,
  minProperties: number,
  minimum: number,
  multipleOf: number,
  not: named('JSONSchemaProps'),
  nullable: flag,
  oneOf: atomicList(named('JSONSchemaProps')),
  pattern: text,
  patternProperties: mapOf(named('JSONSchemaProps')),
  properties: mapOf(named('JSONSchemaProps')),
  required: atomicList(text),
  title: text,
  type: text,
  uniqueItems: flag,
  'x-kubernetes-embedded-resource': flag,
  'x-kubernetes-int-or-string': flag,
  'x-kubernetes-list-map-keys': atomicList(text),
  'x-kubernetes-list-type': text,
  'x-kubernetes-map-type': text,
  'x-kubernetes-preserve-unknown-fields': flag,
  'x-kubernetes-validations': keyedList('rule', {
    fieldPath: text,
    message: text,
    messageExpression: text,
    optionalOldSelf: flag,
    reason: text,
  }),
});

const crdNames: Model = object({
  categories: atomicList(text),
  kind: text,
  listKind: text,
  plural: text,
  shortNames: atomicList(text),
  singular: text,
});

const crdVersion: Model = object({
  additionalPrinterColumns: atomicList(
    object({ description: text, format: text, jsonPath: text, name: text, priority: number, type: text }),
  ),
  deprecated: flag,
  deprecationWarning: text,
  name: text,
  schema: object({ openAPIV3Schema: named('JSONSchemaProps') }),
  selectableFields: atomicList(object({ jsonPath: text })),
  served: flag,
  storage: flag,
  subresources: object({
    scale: object({ labelSelectorPath: text, specReplicasPath: text, statusReplicasPath: text }),
    status: { type: 'object' },
  }),
});

const webhookClient: Model = object({
  caBundle: text,
  service: object({ name: text, namespace: text, path: text, port: number }),
  url: text,
});

const conditions: Model = keyedList('type', {
  lastTransitionTime: time,
  message: text,
  observedGeneration: number,
  reason: text,
  status: text,
});

const apiServiceConditions: Model = keyedList('type', {
  lastTransitionTime: time,
  message: text,
  reason: text,
  status: text,
});

const crdSpec: Model = object({
  conversion: object({
    strategy: text,
    webhook: object({ clientConfig: webhookClient, conversionReviewVersions: atomicList(text) }),
  }),
  group: text,
  names: crdNames,
  preserveUnknownFields: flag,
  scope: text,
  versions: atomicList(crdVersion),
});

const crdStatus: Model = object({
  acceptedNames: crdNames,
  conditions,
  observedGeneration: number,
  storedVersions: atomicList(text),
});

const apiServiceSpec: Model = object({
  caBundle: text,
  group: text,
  groupPriorityMinimum: number,
  insecureSkipTLSVerify: flag,
  service: object({ name: text, namespace: text, port: number }),
  version: text,
  versionPriority: number,
});

/** Kind → what it has besides apiVersion, kind and metadata. */
const KINDS: readonly (readonly [apiVersion: string, kind: string, fields: Readonly<Record<string, Model>>])[] = [
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', { spec: crdSpec, status: crdStatus }],
  [
    'apiregistration.k8s.io/v1',
    'APIService',
    { spec: apiServiceSpec, status: object({ conditions: apiServiceConditions }) },
  ],
  ['v1', 'Binding', { target: named('ObjectReference') }],
  ['v1', 'ComponentStatus', { conditions: keyedList('type', { error: text, message: text, status: text }) }],
];

/** These kinds; `builtin` lends ObjectMeta and ObjectReference. */
export function otherKinds(builtin: StoredSchema): StoredSchema {
  const pool = nodePool();
  const lent = new Map([
    ['ObjectMeta', fieldNode(builtin, 'v1', 'ConfigMap', 'metadata')],
    ['ObjectReference', fieldNode(builtin, 'v1', 'Event', 'involvedObject')],
  ]);
  const props = pool.reserve();
  const find = (name: string): number | undefined => {
    if (name === 'JSONSchemaProps') return props;
    const index = lent.get(name);
    return index === undefined ? undefined : pool.copy(builtin, index);
  };
  const converter = modelConverter(pool, find, []);
  pool.fill(props, converter.node(schemaProps, false));
  const kinds: Record<string, Record<string, number>> = {};
  for (const [apiVersion, kind, fields] of KINDS) {
    const model = object({ apiVersion: text, kind: text, metadata: named('ObjectMeta'), ...fields });
    kinds[apiVersion] = { ...kinds[apiVersion], [kind]: pool.add(converter.node(model, false)) };
  }
  converter.finish();
  return { types: pool.types, kinds };
}

function fieldNode(schema: StoredSchema, apiVersion: string, kind: string, field: string): number | undefined {
  const index = indexOf(schema, apiVersion, kind);
  const node = index === undefined ? undefined : schema.types[index];
  return typeof node === 'object' ? node.m?.[field] : undefined;
}
