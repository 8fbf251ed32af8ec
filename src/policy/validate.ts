/**
 * One evaluation of a ValidatingAdmissionPolicy: a binding with one param (API server: plugin/policy/validating/validator.go
 * Validate).
 */
import { typeName, type Value } from '#cel/runtime';
import { goTrim } from '#kubernetes';
import { EVALUATION_BUDGET, MATCH_CONDITIONS_BUDGET, MESSAGE_BYTES } from './budget.ts';
import type { CompiledValidation } from './compiled.ts';
import { conditionsResult } from './conditions.ts';
import { type Bindings, openScope } from './environment.ts';
import { type Evaluated, type EvaluatedAll, evaluateAll } from './evaluate.ts';
import type { LoadedValidatingPolicy } from './policy-set.ts';
import type { Expression } from './program.ts';
import type { Trace } from './trace.ts';
import { utf8Bytes } from './utf8.ts';

export interface Decision {
  readonly kind: 'admit' | 'deny';
  readonly message: string;
  /** Absent for errors. */
  readonly reason?: string;
}

export type AuditDecision =
  | { readonly kind: 'publish'; readonly key: string; readonly value: string }
  | { readonly kind: 'deny'; readonly message: string };

export interface Validated {
  /** One for each validation, or a single one for what ended the evaluation; empty when conditions did not match. */
  readonly decisions: readonly Decision[];
  readonly auditAnnotations: readonly AuditDecision[];
}

/** The parts of a policy, each with an environment and a scope of its own. */
export type Part = 'conditions' | 'validations' | 'messages' | 'auditAnnotations';

/** What the expressions of a part see. */
export type ValidationEnvironment = (part: Part) => Bindings;

export function validate(loaded: LoadedValidatingPolicy, environment: ValidationEnvironment, trace: Trace): Validated {
  const { policy, variables } = loaded;
  const { failurePolicy } = policy;
  const failed = (message: string): Decision => ({ kind: failurePolicy === 'Ignore' ? 'admit' : 'deny', message });
  const only = (message: string): Validated => ({ decisions: [failed(message)], auditAnnotations: [] });
  const run = (part: Part, expressions: readonly (Expression | undefined)[], budget: number): EvaluatedAll =>
    hasExpressions(expressions)
      ? evaluateAll(expressions, openScope(environment(part), variables, trace), budget, trace)
      : { results: [], remaining: budget };

  const matched = conditionsResult(run('conditions', loaded.conditions, MATCH_CONDITIONS_BUDGET), failurePolicy);
  if (matched === 'skipped') return { decisions: [], auditAnnotations: [] };
  if (matched !== 'matched') return only(matched.error);

  const validations = run('validations', loaded.validations, EVALUATION_BUDGET);
  if (validations.aborted !== undefined) return only(validations.aborted);
  const messages = run('messages', loaded.messages, validations.remaining);
  const decisions = validations.results.map((result, index): Decision => {
    if (!result || result.error !== undefined) return failed(result?.error ?? '');
    if (messages.aborted !== undefined) return failed(`failed messageExpression: ${messages.aborted}`);
    if (result.value === true) return { kind: 'admit', message: '' };
    const validation = policy.validations[index];
    const message = messageOf(validation, messages.results[index]);
    return { kind: 'deny', message, reason: validation?.reason ?? 'Invalid' };
  });

  const audits = run('auditAnnotations', loaded.auditAnnotations, EVALUATION_BUDGET);
  // k8s: validating/validator.go gives up all decisions here
  if (audits.aborted !== undefined) return only(audits.aborted);
  const auditAnnotations = audits.results.flatMap((result, index): readonly AuditDecision[] => {
    const annotation = policy.auditAnnotations[index];
    if (!result || !annotation) return [];
    return auditDecision(annotation.key, annotation.valueExpression.source, result, failurePolicy);
  });
  return { decisions, auditAnnotations };
}

function hasExpressions(expressions: readonly unknown[]): boolean {
  return expressions.some((expression) => expression !== undefined);
}

/** The failure message: of the messageExpression if it gave a usable one, else `message`, else the expression. */
function messageOf(validation: CompiledValidation | undefined, evaluated: Evaluated | undefined): string {
  const dynamic = evaluated?.error === undefined ? evaluated?.value : undefined;
  if (typeof dynamic === 'string') {
    const trimmed = goTrim(dynamic);
    if (trimmed !== '' && utf8Bytes(trimmed) <= MESSAGE_BYTES && !trimmed.includes('\n')) return trimmed;
  }
  return goTrim(validation?.message ?? '') || `failed expression: ${goTrim(validation?.expression.source ?? '')}`;
}

function auditDecision(
  key: string,
  source: string,
  result: Evaluated,
  failurePolicy: string,
): readonly AuditDecision[] {
  if (result.error !== undefined) return failurePolicy === 'Ignore' ? [] : [{ kind: 'deny', message: result.error }];
  const value: Value = result.value;
  if (value === null) return [];
  if (typeof value === 'string') {
    const trimmed = goTrim(value);
    return trimmed === '' ? [] : [{ kind: 'publish', key, value: trimmed }];
  }
  const message = `valueExpression '${source}' resulted in unsupported return type: ${typeName(value)}. Return type must be either string or null.`;
  return [{ kind: 'deny', message }];
}
