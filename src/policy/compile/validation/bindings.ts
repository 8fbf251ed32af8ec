/** The API's rules for bindings of both kinds. */
import {
  dns1123Subdomain,
  type FieldPath,
  type MutatingAdmissionPolicyBinding,
  type ParamRef,
  pathSegmentName,
  type ValidatingAdmissionPolicyBinding,
} from '#kubernetes';
import { withMatchDefaults } from '../defaults.ts';
import type { Faults } from './faults.ts';
import { checkMatchResources, checkMutatingOperations, checkSelector } from './rules.ts';

const NOT_FOUND_ACTIONS = ['Allow', 'Deny'];
const VALIDATION_ACTIONS = ['Audit', 'Deny', 'Warn'];

export function checkValidatingBinding(
  spec: Partial<ValidatingAdmissionPolicyBinding['spec']>,
  path: FieldPath,
  faults: Faults,
): void {
  checkBinding(spec, path, faults);
  const at = [...path, 'validationActions'];
  const actions: readonly string[] = spec.validationActions ?? [];
  for (const [index, action] of actions.entries()) {
    if (!VALIDATION_ACTIONS.includes(action)) faults.unsupported([...at, index], action, VALIDATION_ACTIONS);
    if (actions.indexOf(action) < index) faults.duplicate([...at, index], action);
  }
  if (actions.includes('Deny') && actions.includes('Warn')) {
    faults.invalid(
      at,
      actions,
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    );
  }
  if (actions.length === 0) faults.required(at, 'at least one validation action is required');
}

export function checkMutatingBinding(
  spec: Partial<MutatingAdmissionPolicyBinding['spec']>,
  path: FieldPath,
  faults: Faults,
): void {
  checkBinding(spec, path, faults);
  if (spec.matchResources) checkMutatingOperations(spec.matchResources, [...path, 'matchResources'], faults);
}

function checkBinding(spec: Partial<MutatingAdmissionPolicyBinding['spec']>, path: FieldPath, faults: Faults): void {
  const { policyName = '', paramRef, matchResources } = spec;
  if (policyName === '') faults.required([...path, 'policyName']);
  for (const text of dns1123Subdomain(policyName)) faults.invalid([...path, 'policyName'], policyName, text);
  if (paramRef) checkParamRef(paramRef, [...path, 'paramRef'], faults);
  if (matchResources) checkMatchResources(withMatchDefaults(matchResources), [...path, 'matchResources'], faults);
}

function checkParamRef(
  { name = '', selector, parameterNotFoundAction }: ParamRef,
  path: FieldPath,
  faults: Faults,
): void {
  const both = 'name and selector are mutually exclusive';
  if (name !== '') {
    for (const text of pathSegmentName(name)) faults.invalid([...path, 'name'], name, text);
    if (selector) faults.forbidden([...path, 'name'], both);
  }
  if (selector) {
    checkSelector(selector, [...path, 'selector'], faults);
    if (name !== '') faults.forbidden([...path, 'selector'], both);
  }
  if (name === '' && !selector) faults.required(path, 'one of name or selector must be specified');
  const at = [...path, 'parameterNotFoundAction'];
  if (!parameterNotFoundAction) faults.required(at);
  else if (!NOT_FOUND_ACTIONS.includes(parameterNotFoundAction)) {
    faults.unsupported(at, parameterNotFoundAction, NOT_FOUND_ACTIONS);
  }
}
