/** Folds what was decided into the status that the API server answers (API server: plugin/policy/*\/dispatcher.go). */
import { forbidden, type Status } from '#kubernetes';
import { type Attributes, displayName } from './attributes.ts';

const CODES: ReadonlyMap<string, number> = new Map([
  ['Forbidden', 403],
  ['Unauthorized', 401],
  ['RequestEntityTooLarge', 413],
]);

/** One denial of a validating policy. */
export interface Denial {
  readonly policy: string;
  readonly binding?: string | undefined;
  readonly message: string;
  readonly reason?: string | undefined;
}

/** The status of a request that validating policies denied: that of the first denial. */
export function denialStatus(attributes: Attributes, denial: Denial): Status {
  const binding = denial.binding === undefined ? '' : ` with binding '${denial.binding}'`;
  const text = `ValidatingAdmissionPolicy '${denial.policy}'${binding} denied request: ${denial.message}`;
  const reason = denial.reason || 'Invalid';
  const status = forbidden(attributes.resource, displayName(attributes), text);
  return {
    ...status,
    reason,
    details: { ...status.details, causes: [{ message: text }] },
    code: CODES.get(reason) ?? 422,
  };
}

/** One error of a mutating policy. */
export interface PolicyError {
  readonly policy: string;
  readonly binding?: string | undefined;
  readonly message: string;
  /** Evaluation errors are `Invalid`, configuration errors have no reason. */
  readonly reason?: 'Invalid' | undefined;
}

/** The status of a request that errors of mutating policies denied: the first one's text, all as causes, always 403. */
export function mutationStatus(attributes: Attributes, errors: readonly [PolicyError, ...PolicyError[]]): Status {
  const texts = errors.map(policyErrorText);
  const status = forbidden(attributes.resource, displayName(attributes), '');
  return {
    ...status,
    message: texts[0] ?? '',
    reason: errors[0].reason ?? 'Forbidden',
    details: { ...status.details, causes: texts.map((message) => ({ message })) },
  };
}

export function policyErrorText({ policy, binding, message }: PolicyError): string {
  return binding === undefined
    ? `policy "${policy}" denied request: ${message}`
    : `policy '${policy}' with binding '${binding}' denied request: ${message}`;
}
