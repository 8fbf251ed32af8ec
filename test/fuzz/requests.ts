import type { AdmissionRequest, JsonObject } from '#kubernetes';
import type { Random } from './random.ts';

/** Random requests over real objects, in the form in which the API server sends them. */
interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly cluster?: boolean;
  readonly object: (random: Random) => JsonObject;
}

function metadata({ chance, pick }: Random): JsonObject {
  return {
    name: 'web',
    ...(chance(0.6) ? { labels: { app: pick(['web', 'other']), ...(chance(0.3) ? { tier: 'prod' } : {}) } } : {}),
    ...(chance(0.3) ? { annotations: { note: 'é' } } : {}),
    ...(chance(0.1) ? { finalizers: ['example.com/f'] } : {}),
  };
}

function podSpec({ chance, pick }: Random): JsonObject {
  return {
    containers: [
      { name: 'app', image: pick(['app:1', 'app']), resources: {} },
      ...(chance(0.4) ? [{ name: 'log', image: 'log:1', resources: { limits: { cpu: '500m', memory: '1Gi' } } }] : []),
    ],
    ...(chance(0.3) ? { hostname: 'h' } : {}),
    ...(chance(0.2) ? { securityContext: { runAsUser: 5 } } : {}),
  };
}

const KINDS: readonly Kind[] = [
  {
    group: '',
    version: 'v1',
    kind: 'Pod',
    resource: 'pods',
    object: (random) => ({ metadata: metadata(random), spec: podSpec(random), status: {} }),
  },
  {
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    resource: 'deployments',
    object: (random) => ({
      metadata: metadata(random),
      spec: {
        ...(random.chance(0.7) ? { replicas: random.int(6) } : {}),
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: podSpec(random) },
        strategy: {},
      },
      status: {},
    }),
  },
  {
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    resource: 'configmaps',
    object: (random) => ({
      metadata: metadata(random),
      ...(random.chance(0.6) ? { data: { key: 'value', max: '3' } } : {}),
    }),
  },
  {
    group: '',
    version: 'v1',
    kind: 'Namespace',
    resource: 'namespaces',
    cluster: true,
    object: (random) => ({ metadata: metadata(random), spec: {}, status: {} }),
  },
  {
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    resource: 'widgets',
    object: (random) => ({
      metadata: metadata(random),
      spec: {
        size: random.pick([1, 2]),
        ...(random.chance(0.5) ? { tags: ['a', 'b'] } : {}),
        ...(random.chance(0.3) ? { free: { any: [1, null, { deep: true }] } } : {}),
      },
    }),
  },
];

export function randomRequest(random: Random): AdmissionRequest {
  const { pick, chance } = random;
  const { group, version, kind, resource, cluster, object } = pick(KINDS);
  const operation = pick(['CREATE', 'CREATE', 'UPDATE', 'UPDATE', 'DELETE']);
  const gvk = { group, version, kind };
  const gvr = { group, version, resource };
  const namespace = cluster ? 'web' : pick(['default', 'default', 'kube-system', 'absent']);
  const full = (): JsonObject => {
    const made = object(random);
    const meta = made.metadata as JsonObject;
    return {
      kind,
      apiVersion: group === '' ? version : `${group}/${version}`,
      ...made,
      metadata: cluster ? meta : { ...meta, namespace },
    };
  };
  return {
    uid: '00000000-0000-4000-8000-000000000000',
    kind: gvk,
    resource: gvr,
    requestKind: gvk,
    requestResource: gvr,
    name: 'web',
    namespace,
    operation,
    userInfo: {
      username: pick(['jane', 'root']),
      groups: ['system:authenticated', ...(chance(0.2) ? ['system:masters'] : [])],
    },
    object: operation === 'DELETE' ? null : full(),
    oldObject: operation === 'CREATE' ? null : full(),
    dryRun: chance(0.1),
    options: { kind: `${operation[0]}${operation.slice(1).toLowerCase()}Options`, apiVersion: 'meta.k8s.io/v1' },
  } as AdmissionRequest;
}

/** The cluster that the requests come from. */
export const CLUSTER = {
  namespaces: [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'default', labels: { 'kubernetes.io/metadata.name': 'default', env: 'prod' } },
    },
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'kube-system', labels: { 'kubernetes.io/metadata.name': 'kube-system' } },
    },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web', labels: { env: 'test' } } },
  ],
  params: [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'limits', namespace: 'default', labels: { use: 'params' } },
      data: { max: '3' },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'more', namespace: 'default', labels: { use: 'params' } },
      data: { max: '5' },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'limits', namespace: 'kube-system' } },
  ],
  crds: [
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    properties: {
                      size: { type: 'integer', default: 1 },
                      tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                    },
                  },
                },
              },
            },
          },
        ],
      },
    },
  ],
  authorizer: {
    default: 'NoOpinion',
    rules: [{ verb: 'create', resource: 'pods', decision: 'Allow', reason: 'because' }],
  },
};
