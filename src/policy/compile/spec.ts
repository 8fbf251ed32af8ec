/** The spec of a policy or binding document: its fields have the types of the kind since it was decoded; any may be absent. */
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '#kubernetes';
import type { PolicyDocument } from './document.ts';

interface Kinds {
  readonly ValidatingAdmissionPolicy: ValidatingAdmissionPolicy;
  readonly ValidatingAdmissionPolicyBinding: ValidatingAdmissionPolicyBinding;
  readonly MutatingAdmissionPolicy: MutatingAdmissionPolicy;
  readonly MutatingAdmissionPolicyBinding: MutatingAdmissionPolicyBinding;
}

export type Spec<Kind extends keyof Kinds> = Partial<Kinds[Kind]['spec']>;

export function specOf<Kind extends keyof Kinds>(document: PolicyDocument): Spec<Kind> {
  const object: unknown = document.object;
  const { spec } = object as { readonly spec?: Spec<Kind> };
  return spec ?? {};
}
