/** What the engine's tests are written with: policies in YAML, requests by what matters, facts by what is known. */
import type { AdmissionRequest, JsonObject } from '#kubernetes';
import { loadManifests } from '#manifest';
import {
  admit,
  type Facts,
  loadPolicies,
  NO_FACTS,
  type Outcome,
  type Phase,
  type PolicySet,
  type ServedResource,
} from '#policy';
import { compilePolicies } from '#policy/compile';

/** A policy set of YAML documents; not validated, so that what the API refuses can be run as well. */
export function policies(yaml: string, equivalents: readonly (readonly ServedResource[])[] = []): PolicySet {
  const { documents, diagnostics } = loadManifests([{ name: 'policies.yaml', text: yaml }]);
  const { compiled } = compilePolicies(documents, { validate: false });
  if (!compiled) throw new Error(JSON.stringify(diagnostics));
  const set = loadPolicies(JSON.parse(JSON.stringify(compiled)), { equivalents });
  if ('error' in set) throw new Error(set.error);
  return set;
}

interface PolicyParts {
  readonly name?: string;
  /** Lines of the spec, indented by two. */
  readonly spec: string;
  readonly rule?: string;
  /** A field of matchConstraints besides its rules. */
  readonly match?: string;
  /** Lines of the binding's spec besides policyName. */
  readonly binding?: string;
}

const ANY_RULE = '{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"]}';

/** A validating policy with one binding. */
export function validating({
  name = 'p',
  spec,
  rule = ANY_RULE,
  match = 'matchPolicy: Equivalent',
  binding = 'validationActions: [Deny]',
}: PolicyParts): string {
  return `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints: {${match}, resourceRules: [${rule}]}
${indent(spec)}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec:
  policyName: ${name}
${indent(binding)}
`;
}

/** A mutating policy with one binding. */
export function mutating({
  name = 'p',
  spec,
  rule = ANY_RULE,
  match = 'matchPolicy: Equivalent',
  binding = '',
}: PolicyParts): string {
  return `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints: {${match}, resourceRules: [${rule}]}
${indent(spec)}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: b}
spec:
  policyName: ${name}
${indent(binding)}
`;
}

/** A mutation that applies an expression. */
export function apply(expression: string): string {
  return `- {patchType: ApplyConfiguration, applyConfiguration: {expression: ${JSON.stringify(expression)}}}`;
}

/** A mutation by a JSON Patch expression. */
export function jsonPatch(expression: string): string {
  return `- {patchType: JSONPatch, jsonPatch: {expression: ${JSON.stringify(expression)}}}`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

export const POD: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
  spec: { containers: [{ name: 'app', image: 'app:1', resources: {} }] },
  status: {},
};

export const DEPLOYMENT: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'app', image: 'app:1', resources: {} }] },
    },
    strategy: {},
  },
  status: {},
};

/** A request to create an object in `shop`; its kind and plural come from the object. */
export function request(object: JsonObject | null, changes: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const [version = '', group = ''] = String(object?.['apiVersion'] ?? 'v1')
    .split('/')
    .reverse();
  const kind = String(object?.['kind'] ?? 'Pod');
  return {
    uid: 'u',
    kind: { group, version, kind },
    resource: { group, version, resource: `${kind.toLowerCase()}s` },
    name: 'web',
    namespace: 'shop',
    operation: 'CREATE',
    userInfo: { username: 'jane', groups: ['devs'] },
    object,
    ...changes,
  };
}

/** Stored namespaces by name. */
export function namespaces(labels: Readonly<Record<string, Readonly<Record<string, string>>>>): Facts {
  return {
    ...NO_FACTS,
    namespaces: new Map(
      Object.entries(labels).map(([name, own]) => [
        name,
        { kind: 'found', value: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: own } } },
      ]),
    ),
  };
}

/** The outcome; throws when facts were lacking. */
export function decide(set: PolicySet, phase: Phase, asked: AdmissionRequest, facts: Facts = NO_FACTS): Outcome {
  const answer = admit(set, phase, asked, facts);
  if (answer.kind !== 'outcome') throw new Error(`lacks ${JSON.stringify(answer)}`);
  return answer;
}

/** `allowed`, or the message of the denial. */
export function verdict(set: PolicySet, phase: Phase, asked: AdmissionRequest, facts: Facts = NO_FACTS): string {
  const { allowed, status } = decide(set, phase, asked, facts).verdict;
  return allowed ? 'allowed' : `${status?.code} ${status?.message}`;
}
