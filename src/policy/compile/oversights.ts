/** What the API takes but an author hardly means. */
import type { Diagnostic } from '#diagnostics';
import { nearest } from '#kubernetes';
import type { CompiledMutatingPolicy, CompiledValidatingPolicy } from '../compiled.ts';
import type { PolicyDocument } from './document.ts';
import { specOf } from './spec.ts';

/** Policies that nothing binds, and bindings of policies that are not there: both do nothing, silently. */
export function unbound(
  ofKind: (kind: string) => readonly PolicyDocument[],
  validating: readonly CompiledValidatingPolicy[],
  mutating: readonly CompiledMutatingPolicy[],
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const groups = [
    { kind: 'ValidatingAdmissionPolicy', compiled: validating },
    { kind: 'MutatingAdmissionPolicy', compiled: mutating },
  ] as const;
  for (const { kind, compiled } of groups) {
    const names = new Set(ofKind(kind).map(({ name }) => name));
    const bound = new Set(compiled.flatMap(({ name, bindings }) => (bindings.length > 0 ? [name] : [])));
    for (const policy of ofKind(kind)) {
      if (bound.has(policy.name)) continue;
      diagnostics.push({
        severity: 'warning',
        code: 'no-binding',
        message: `policy \`${policy.name}\` has no binding: it is never evaluated`,
        span: policy.span(['metadata', 'name']),
        help: `add a ${kind}Binding with policyName \`${policy.name}\``,
      });
    }
    for (const binding of ofKind(`${kind}Binding`)) {
      const wanted = policyNameOf(binding);
      if (names.has(wanted)) continue;
      const near = nearest(wanted, [...names]);
      diagnostics.push({
        severity: 'warning',
        code: 'no-policy',
        message: `binding \`${binding.name}\` names the policy \`${wanted}\`, which is not here`,
        field: 'spec.policyName',
        span: binding.span(['spec', 'policyName']),
        ...(near === undefined ? {} : { help: `did you mean \`${near}\`?` }),
      });
    }
  }
  return diagnostics;
}

/** Two objects of one kind and name: a cluster holds only one of them. */
export function repeated(documents: readonly PolicyDocument[]): readonly Diagnostic[] {
  const seen = new Map<string, PolicyDocument>();
  return documents.flatMap((document): readonly Diagnostic[] => {
    const key = [document.apiVersion, document.kind, document.namespace, document.name].join(' ');
    const first = seen.get(key);
    if (!first) {
      seen.set(key, document);
      return [];
    }
    return [
      {
        severity: 'error',
        code: 'duplicate-object',
        message: `${document.kind} \`${document.name}\` stands here twice`,
        span: document.span(['metadata', 'name']),
      },
    ];
  });
}

/** The policy that a binding names. */
export function policyNameOf(binding: PolicyDocument): string {
  return specOf<'MutatingAdmissionPolicyBinding'>(binding).policyName ?? '';
}
