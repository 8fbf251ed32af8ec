import type { AdmissionRequest, JsonObject } from '#kubernetes';
import { manifestOf } from '#manifest';
import { admit, type Facts, loadPolicies, type Phase, type PolicySet } from '#policy';
import { compilePolicies } from '#policy/compile';

/**
 * The admission benchmark: what a review costs as policies are added that it does not touch, for both phases, and 16 Pod
 * Security policies on a Pod, beside `JSON.parse` of the same review.
 */
export interface Row {
  readonly name: string;
  readonly phase: Phase;
  /** ns per review, and ns of `JSON.parse` of it. */
  readonly admit: number;
  readonly parse: number;
}

const API = 'admissionregistration.k8s.io/v1';
const MATCHING = 10;
export const SIZES = [10, 100, 1_000, 10_000] as const;

const FACTS: Facts = {
  namespaces: new Map([
    ['default', { kind: 'found', value: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } } }],
  ]),
  params: new Map(),
  access: new Map(),
};

const REVIEW = JSON.stringify({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: '00000000-0000-4000-8000-000000000000',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    requestKind: { group: '', version: 'v1', kind: 'Pod' },
    requestResource: { group: '', version: 'v1', resource: 'pods' },
    name: 'web',
    namespace: 'default',
    operation: 'CREATE',
    userInfo: { username: 'jane', groups: ['system:authenticated'] },
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'default', labels: { app: 'web', team: 'blue' }, annotations: { note: 'n' } },
      spec: {
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        volumes: [{ name: 'data', emptyDir: {} }],
        containers: ['app', 'log', 'proxy'].map((name) => ({
          name,
          image: `registry.example.com/team/${name}:1.2.3`,
          env: [{ name: 'A', value: '1' }],
          ports: [{ containerPort: 8080, protocol: 'TCP' }],
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
          resources: { limits: { cpu: '500m', memory: '128Mi' }, requests: { cpu: '100m', memory: '64Mi' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        })),
      },
      status: {},
    },
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  },
});

function rule(group: string, resource: string): JsonObject {
  return {
    resourceRules: [{ apiGroups: [group], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] }],
  };
}

function validating(name: string, matchConstraints: JsonObject, expression: string): JsonObject[] {
  return [
    {
      apiVersion: API,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: { failurePolicy: 'Fail', matchConstraints, validations: [{ expression }] },
    },
    {
      apiVersion: API,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}

function mutating(name: string, matchConstraints: JsonObject): JsonObject[] {
  const expression = `Object{metadata: Object.metadata{labels: {"${name}": "yes"}}}`;
  return [
    {
      apiVersion: API,
      kind: 'MutatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        reinvocationPolicy: 'Never',
        matchConstraints,
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
      },
    },
    { apiVersion: API, kind: 'MutatingAdmissionPolicyBinding', metadata: { name }, spec: { policyName: name } },
  ];
}

/** Policies of which `MATCHING` are about pods, and each other one about a resource of its own. */
function policySet(count: number, phase: Phase): PolicySet {
  return loaded(
    Array.from({ length: count }, (_, index) => {
      const match = index < MATCHING ? rule('', 'pods') : rule(`g${index}.example.com`, 'widgets');
      return phase === 'mutate'
        ? mutating(`p${index}`, match)
        : validating(`p${index}`, match, 'object.spec.containers.all(c, c.image.startsWith("registry.example.com/"))');
    }).flat(),
  );
}

function loaded(objects: readonly JsonObject[]): PolicySet {
  const { compiled, diagnostics } = compilePolicies(objects.flatMap((object) => manifestOf(object).documents));
  if (!compiled) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const set = loadPolicies(JSON.parse(JSON.stringify(compiled)));
  if ('error' in set) throw new Error(set.error);
  return set;
}

const CONTAINERS =
  'object.spec.containers + object.spec.?initContainers.orValue([]) + object.spec.?ephemeralContainers.orValue([])';
const each = (body: string): string => `(${CONTAINERS}).all(c, ${body})`;

/** The controls of the Pod Security Standards, one policy each. */
const POD_SECURITY: Readonly<Record<string, string>> = {
  'host-network': '!has(object.spec.hostNetwork) || object.spec.hostNetwork == false',
  'host-pid': '!has(object.spec.hostPID) || object.spec.hostPID == false',
  'host-ipc': '!has(object.spec.hostIPC) || object.spec.hostIPC == false',
  'host-ports': each('c.?ports.orValue([]).all(p, !has(p.hostPort) || p.hostPort == 0)'),
  'host-path': 'object.spec.?volumes.orValue([]).all(v, !has(v.hostPath))',
  privileged: each(
    '!has(c.securityContext) || !has(c.securityContext.privileged) || c.securityContext.privileged == false',
  ),
  escalation: each(
    'has(c.securityContext) && has(c.securityContext.allowPrivilegeEscalation) && c.securityContext.allowPrivilegeEscalation == false',
  ),
  'drop-all': each('c.?securityContext.?capabilities.?drop.orValue([]).exists(d, d == "ALL")'),
  'add-capabilities': each('c.?securityContext.?capabilities.?add.orValue([]).all(a, a in ["NET_BIND_SERVICE"])'),
  'non-root': 'object.spec.?securityContext.?runAsNonRoot.orValue(false) == true',
  'run-as-user': 'object.spec.?securityContext.?runAsUser.orValue(1) != 0',
  seccomp: 'object.spec.?securityContext.?seccompProfile.?type.orValue("") in ["RuntimeDefault", "Localhost"]',
  'proc-mount': each('c.?securityContext.?procMount.orValue("Default") == "Default"'),
  selinux:
    'object.spec.?securityContext.?seLinuxOptions.?type.orValue("") in ["", "container_t", "container_init_t", "container_kvm_t"]',
  sysctls:
    'object.spec.?securityContext.?sysctls.orValue([]).all(s, s.name in ["kernel.shm_rmid_forced", "net.ipv4.tcp_syncookies"])',
  volumes:
    'object.spec.?volumes.orValue([]).all(v, has(v.configMap) || has(v.emptyDir) || has(v.projected) || has(v.secret) || has(v.downwardAPI) || has(v.persistentVolumeClaim) || has(v.ephemeral) || has(v.csi))',
};

const ROUNDS = 7;
const WARM_MS = 300;

/** A row to measure: the sets of all rows live side by side, warm, and take turns, so that no row pays for another's start. */
interface Subject {
  readonly name: string;
  readonly phase: Phase;
  readonly run: () => unknown;
  readonly times: number[];
}

function subject(name: string, phase: Phase, set: PolicySet): Subject {
  const request = JSON.parse(REVIEW).request as AdmissionRequest;
  const first = admit(set, phase, request, FACTS);
  if (first.kind !== 'outcome' || !first.verdict.allowed) throw new Error(`${name}: ${JSON.stringify(first)}`);
  return { name, phase, run: () => admit(set, phase, request, FACTS), times: [] };
}

/** Nanoseconds a call, over `ms` milliseconds. */
function batch(run: () => unknown, ms: number): number {
  const start = process.hrtime.bigint();
  const end = start + BigInt(Math.round(ms * 1e6));
  let count = 0;
  let now = start;
  for (; now < end; now = process.hrtime.bigint()) {
    for (let index = 0; index < 8; index++) run();
    count += 8;
  }
  return Number(now - start) / count;
}

function best(times: readonly number[]): number {
  return Math.min(...times);
}

/** The rows in order, each the best of some rounds of `batchMs`. */
export function runRows(batchMs: number): Row[] {
  const security = Object.entries(POD_SECURITY).flatMap(([name, expression]) =>
    validating(name, rule('', 'pods'), expression),
  );
  const grown = (phase: Phase): Subject[] =>
    SIZES.map((size) => subject(`${MATCHING} of ${size.toLocaleString('en')}`, phase, policySet(size, phase)));
  const subjects = [...grown('validate'), ...grown('mutate'), subject('16 Pod Security', 'validate', loaded(security))];
  const parse = (): unknown => JSON.parse(REVIEW);
  const parseTimes: number[] = [];
  for (const { run } of subjects) batch(run, WARM_MS);
  for (let round = 0; round < ROUNDS; round++) {
    parseTimes.push(batch(parse, batchMs));
    for (const { run, times } of subjects) times.push(batch(run, batchMs));
  }
  return subjects.map(({ name, phase, times }) => ({ name, phase, admit: best(times), parse: best(parseTimes) }));
}
