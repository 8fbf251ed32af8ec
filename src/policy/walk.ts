/**
 * Finds what a policy does with a request: the errors of its configuration, and the bindings that take the request, with
 * their params (API server: the loops of plugin/policy/validating/dispatcher.go and plugin/policy/generic).
 */

import { collectParams, type Param, paramKindError } from './bind.ts';
import type { CompiledBinding, CompiledParamKind } from './compiled.ts';
import { type Dispatch, paramsOf } from './dispatch.ts';
import { type Match, type Matcher, matchRequest } from './match.ts';
import type { LoadedBinding } from './policy-set.ts';

export type Matched = Extract<Match, { kind: 'match' }>;

interface Walked<Binding extends CompiledBinding> {
  readonly policy: { readonly name: string; readonly paramKind?: CompiledParamKind };
  readonly matcher: Matcher | undefined;
  readonly bindings: readonly LoadedBinding<Binding>[];
}

export interface Visitor<Binding> {
  /** An error of the policy, or of one of its bindings. */
  configError(message: string, binding?: string): void;
  /** A binding that takes the request; no params where there are none and that is allowed. */
  bound(binding: Binding, match: Matched, params: readonly Param[]): void;
}

export function walkPolicy<Binding extends CompiledBinding>(
  dispatch: Dispatch,
  { policy, matcher, bindings }: Walked<Binding>,
  visitor: Visitor<Binding>,
): void {
  const { set, attributes, facts, collector } = dispatch;
  const match: Match = matcher
    ? matchRequest(matcher, attributes, set.equivalents, facts)
    : { kind: 'error', error: { message: 'policy contained no match constraints, a required field' } };
  if (match.kind === 'none') return;
  const error = match.kind === 'error' ? match.error : paramKindError(policy.paramKind);
  if (match.kind === 'error' || error) {
    visitor.configError(error?.message ?? '');
    return;
  }
  for (const { binding, matcher: own } of bindings) {
    collector.attempt(() => {
      const taken: Match = own ? matchRequest(own, attributes, set.equivalents, facts) : match;
      if (taken.kind === 'none') return;
      if (taken.kind === 'error') {
        visitor.configError(taken.error.message, binding.name);
        return;
      }
      const { paramKind } = policy;
      const collected = collectParams(paramKind, binding.paramRef, attributes, facts, paramsOf(set, paramKind));
      if (collected.error) visitor.configError(collected.error.message, binding.name);
      else visitor.bound(binding, match, collected.params);
    });
  }
}
