/** Audit annotations as a request collects them (API server: pkg/admission/attributes.go AddAnnotation, plugin/policy/validating). */
import { goJsonString, qualifiedName } from '#kubernetes';
import { AUDIT_VALUE_BYTES } from './budget.ts';
import { cutBytes } from './utf8.ts';

export const VALIDATION_FAILURE = 'validation.policy.admission.k8s.io/validation_failure';

/** The annotations of a request. The first value of a key stays; keys must be `<prefix>/<name>`, others are dropped. */
export interface Annotations {
  add(key: string, value: string): void;
  all(): Readonly<Record<string, string>>;
}

export function annotations(): Annotations {
  const values = new Map<string, string>();
  return {
    add: (key, value) => {
      if (values.has(key) || key.split('/').length !== 2 || qualifiedName(key).length > 0) return;
      values.set(key, value);
    },
    all: () => Object.fromEntries(values),
  };
}

/** The annotations of one policy over all its bindings and params: distinct values of a key are joined. */
export interface PolicyAnnotations {
  add(key: string, value: string): void;
  publish(policy: string, into: Annotations): void;
}

export function policyAnnotations(): PolicyAnnotations {
  const values = new Map<string, Set<string>>();
  return {
    add: (key, value) => {
      const distinct = values.get(key) ?? new Set();
      values.set(key, distinct.add(cutBytes(value, AUDIT_VALUE_BYTES)));
    },
    publish: (policy, into) => {
      for (const [key, distinct] of values) into.add(`${policy}/${key}`, [...distinct].join(', '));
    },
  };
}

/** The value of the validation_failure annotation for one failure, as Go's JSON encoder writes it. */
export function failureAnnotation(failure: {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}): string {
  const actions = failure.validationActions.map(goJsonString).join(',');
  return (
    `[{"message":${goJsonString(failure.message)},"policy":${goJsonString(failure.policy)},` +
    `"binding":${goJsonString(failure.binding)},"expressionIndex":${failure.expressionIndex},` +
    `"validationActions":[${actions}]}]`
  );
}
