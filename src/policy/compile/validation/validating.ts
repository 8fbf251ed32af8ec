/** The API's rules for ValidatingAdmissionPolicy. */
import {
  type AuditAnnotation,
  type FieldPath,
  goTrim,
  qualifiedName,
  type ValidatingAdmissionPolicy,
  type Validation,
} from '#kubernetes';
import { utf8Bytes } from '../../utf8.ts';
import type { Faults } from './faults.ts';
import { checkPolicySpec } from './policies.ts';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const MOST_AUDIT_ANNOTATIONS = 20;
const VALUE_EXPRESSION_BYTES = 5120;

export function checkValidatingPolicy(
  name: string,
  spec: Partial<ValidatingAdmissionPolicy['spec']>,
  path: FieldPath,
  faults: Faults,
): void {
  checkPolicySpec(spec, path, faults);
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    faults.required([...path, 'validations'], detail);
    faults.required([...path, 'auditAnnotations'], detail);
  }
  for (const [index, validation] of validations.entries())
    checkValidation(validation, [...path, 'validations', index], faults);
  const at = [...path, 'auditAnnotations'];
  if (auditAnnotations.length > MOST_AUDIT_ANNOTATIONS) {
    faults.invalid(at, auditAnnotations, `must not have more than ${MOST_AUDIT_ANNOTATIONS} auditAnnotations`);
  }
  const keys = auditAnnotations.map(({ key }) => key);
  for (const [index, annotation] of auditAnnotations.entries()) {
    checkAuditAnnotation(name, annotation, [...at, index], faults);
    if (keys.indexOf(annotation.key) < index) faults.duplicate([...at, index, 'key'], annotation.key ?? '');
  }
}

function checkValidation(validation: Partial<Validation>, path: FieldPath, faults: Faults): void {
  const { expression = '', message = '', messageExpression = '', reason } = validation;
  if (goTrim(expression) === '') faults.required([...path, 'expression'], 'expression is not specified');
  if (messageExpression !== '' && goTrim(messageExpression) === '') {
    faults.invalid([...path, 'messageExpression'], messageExpression, 'must be non-empty if specified');
  }
  const trimmed = goTrim(message);
  if (message !== '' && trimmed === '') faults.invalid([...path, 'message'], message, 'must be non-empty if specified');
  else if (/[\n\r]/.test(trimmed)) faults.invalid([...path, 'message'], message, 'must not contain line breaks');
  if (reason !== undefined && !REASONS.includes(reason)) faults.unsupported([...path, 'reason'], reason, REASONS);
}

function checkAuditAnnotation(
  policy: string,
  annotation: Partial<AuditAnnotation>,
  path: FieldPath,
  faults: Faults,
): void {
  const { key = '', valueExpression = '' } = annotation;
  const at = [...path, 'valueExpression'];
  if (policy === '') faults.invalid([...path, 'key'], key, 'requires metadata.name be non-empty');
  else {
    const full = `${policy}/${key}`;
    for (const text of qualifiedName(full)) faults.invalid([...path, 'key'], full, text);
  }
  const trimmed = goTrim(valueExpression);
  if (trimmed === '') faults.required(at, 'valueExpression is not specified');
  else if (utf8Bytes(trimmed) > VALUE_EXPRESSION_BYTES) {
    faults.required(at, `must not exceed ${VALUE_EXPRESSION_BYTES} bytes in length`);
  }
}
