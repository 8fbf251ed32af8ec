/** `authorizer` and its request's check, answered from the facts. */
import type { Opaque } from '#cel/runtime';
import type { Attributes } from './attributes.ts';
import type { Facts } from './facts.ts';

/** The values of the two names; absent names are errors at run time. */
export interface AccessValues {
  readonly authorizer?: Opaque;
  readonly requestResource?: Opaque;
}

export function accessValues(_attributes: Attributes, _facts: Facts): AccessValues {
  return {};
}
