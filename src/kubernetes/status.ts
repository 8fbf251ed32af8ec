/** The Status objects that the API server answers refusals with (API server: apimachinery pkg/api/errors, pkg/admission/errors.go). */
import type { Status } from './admission.ts';
import { goQuote } from './go-text.ts';

interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** `<resource>[.<group>]`. */
export function groupResourceText({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** 404 `<resource> "<name>" not found`. */
export function notFound(resource: GroupResource, name: string): Status {
  return {
    metadata: {},
    status: 'Failure',
    message: `${groupResourceText(resource)} ${goQuote(name)} not found`,
    reason: 'NotFound',
    details: { name, ...(resource.group === '' ? {} : { group: resource.group }), kind: resource.resource },
    code: 404,
  };
}

/** 500 `Internal error occurred: <text>`. */
export function internalError(text: string): Status {
  return {
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${text}`,
    reason: 'InternalError',
    details: { causes: [{ message: text }] },
    code: 500,
  };
}

/** 503 with a text of its own. */
export function serviceUnavailable(message: string): Status {
  return { metadata: {}, status: 'Failure', message, reason: 'ServiceUnavailable', code: 503 };
}

/** 403 `<resource> "<name>" is forbidden: <text>`. */
export function forbidden(resource: GroupResource, name: string, text: string): Status {
  const subject = name === '' ? groupResourceText(resource) : `${groupResourceText(resource)} ${goQuote(name)}`;
  return {
    metadata: {},
    status: 'Failure',
    message: `${subject} is forbidden: ${text}`,
    reason: 'Forbidden',
    details: {
      ...(name === '' ? {} : { name }),
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.resource,
    },
    code: 403,
  };
}
