/** The API's rules for new policies and bindings (API server: pkg/apis/admissionregistration/validation). */
import type { Diagnostic } from '#diagnostics';
import { dns1123Subdomain, POLICY_GROUP, stringAt } from '#kubernetes';
import type { PolicyDocument } from '../document.ts';
import { specOf } from '../spec.ts';
import { checkMutatingBinding, checkValidatingBinding } from './bindings.ts';
import { type Faults, faultsOf } from './faults.ts';
import { checkMutatingPolicy } from './mutating.ts';
import { checkValidatingPolicy } from './validating.ts';

type Check = (document: PolicyDocument, faults: Faults) => void;

const SPEC = ['spec'];

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  [
    'ValidatingAdmissionPolicy',
    (document, faults) =>
      checkValidatingPolicy(document.name, specOf<'ValidatingAdmissionPolicy'>(document), SPEC, faults),
  ],
  [
    'ValidatingAdmissionPolicyBinding',
    (document, faults) => checkValidatingBinding(specOf<'ValidatingAdmissionPolicyBinding'>(document), SPEC, faults),
  ],
  [
    'MutatingAdmissionPolicy',
    (document, faults) => checkMutatingPolicy(specOf<'MutatingAdmissionPolicy'>(document), SPEC, faults),
  ],
  [
    'MutatingAdmissionPolicyBinding',
    (document, faults) => checkMutatingBinding(specOf<'MutatingAdmissionPolicyBinding'>(document), SPEC, faults),
  ],
]);

/** What the API would refuse about a policy or binding, apart from expressions that do not compile; nothing for other kinds. */
export function validateDocument(document: PolicyDocument): readonly Diagnostic[] {
  const check = document.apiVersion === `${POLICY_GROUP}/v1` ? CHECKS.get(document.kind) : undefined;
  if (!check) return [];
  const faults = faultsOf(document);
  checkMetadata(document, faults);
  check(document, faults);
  return faults.diagnostics;
}

function checkMetadata({ name, namespace, object }: PolicyDocument, faults: Faults): void {
  const path = ['metadata', 'name'];
  if (name === '' && stringAt(object, 'metadata', 'generateName') === '') {
    faults.required(path, 'name or generateName is required');
  }
  if (name !== '') for (const text of dns1123Subdomain(name)) faults.invalid(path, name, text);
  if (namespace !== '') faults.forbidden(['metadata', 'namespace'], 'not allowed on this type');
}
