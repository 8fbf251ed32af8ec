/** One ApplyConfiguration expression through the whole engine: as the only mutation of a policy, on the creation of an object. */
import type { AdmissionRequest, Json, JsonObject } from '#kubernetes';
import { manifestOf } from '#manifest';
import { admit, loadPolicies, NO_FACTS } from '#policy';
import { compilePolicies } from '#policy/compile';

export type Mutated = { readonly result: Json } | { readonly error: string };

const API = 'admissionregistration.k8s.io/v1';
const PREFIX = "policy 'p' with binding 'b' denied request: ";

export function mutateByExpression(apiVersion: string, kind: string, live: JsonObject, expression: string): Mutated {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const rule = {
    operations: ['CREATE'],
    apiGroups: [group ?? ''],
    apiVersions: [version ?? ''],
    resources: ['*', '*/*'],
  };
  const policy = {
    apiVersion: API,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: {
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
      matchConstraints: { resourceRules: [rule] },
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
    },
  };
  const binding = {
    apiVersion: API,
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name: 'b' },
    spec: { policyName: 'p' },
  };
  const documents = [policy, binding].flatMap((object) => manifestOf(object).documents);
  const { compiled, diagnostics } = compilePolicies(documents, { validate: false });
  if (compiled === undefined) return { error: diagnostics.map(({ message }) => message).join('; ') };
  const set = loadPolicies(JSON.parse(JSON.stringify(compiled)));
  if ('error' in set) return set;
  const outcome = admit(set, 'mutate', requestFor(group ?? '', version ?? '', kind, live), NO_FACTS);
  if (outcome.kind !== 'outcome') return { error: 'facts are asked for' };
  const { status } = outcome.verdict;
  if (status !== undefined) return { error: (status.message ?? '').replace(PREFIX, '') };
  return { result: outcome.object ?? live };
}

function requestFor(group: string, version: string, kind: string, object: JsonObject): AdmissionRequest {
  const resource = `${kind.toLowerCase()}s`;
  return {
    uid: 'u',
    kind: { group, version, kind },
    resource: { group, version, resource },
    requestKind: { group, version, kind },
    requestResource: { group, version, resource },
    name: 'x',
    operation: 'CREATE',
    userInfo: { username: 'u' },
    object,
    oldObject: null,
    dryRun: false,
    options: null,
  };
}
