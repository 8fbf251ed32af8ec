/**
 * One mutation on one object (API server: plugin/policy/mutating/dispatcher.go dispatchOne, plugin/policy/mutating/patch).
 */
import type { Value } from '#cel/runtime';
import {
  type GroupVersionKind,
  internalError,
  type JsonObject,
  kindText,
  type Status,
  serviceUnavailable,
} from '#kubernetes';
import { EVALUATION_BUDGET } from './budget.ts';
import { type Bindings, openScope } from './environment.ts';
import { evaluateAll } from './evaluate.ts';
import { patchOperations } from './json-patch-value.ts';
import type { KindKnowledge, Known } from './kinds.ts';
import { nativeLists } from './native-lists.ts';
import { plainObject } from './object-plain.ts';
import { ObjectValue, typeNameFaults } from './object-values.ts';
import type { LoadedMutatingPolicy } from './policy-set.ts';
import type { Expression } from './program.ts';
import type { Trace } from './trace.ts';

/** The new object, an error that obeys the failure policy, or a status that ends the request whatever that policy says. */
export type Mutated =
  | { readonly object: JsonObject; readonly error?: undefined; readonly status?: undefined }
  | { readonly error: string; readonly status?: undefined }
  | { readonly status: Status; readonly error?: undefined };

export interface MutationInput {
  readonly loaded: LoadedMutatingPolicy;
  readonly expression: Expression;
  readonly patchType: string;
  /** What the expression sees; `object` is the object to change. */
  readonly bindings: Bindings;
  readonly object: JsonObject;
  /** The kind that the policy matched; its schema is used. */
  readonly kind: GroupVersionKind;
  readonly kinds: KindKnowledge;
  /** Of the object in that kind; brought up to date here. */
  readonly known: Known;
  readonly trace: Trace;
}

export function mutate(input: MutationInput): Mutated {
  const { loaded, expression, kind, kinds, bindings, trace } = input;
  if (!kinds.served(kind)) {
    return {
      status: serviceUnavailable(
        `Resource kind ${kindText(kind)} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`,
      ),
    };
  }
  if (expression.error !== undefined) return { error: expression.error };
  const scope = openScope(bindings, loaded.variables, trace);
  const evaluated = evaluateAll([expression], scope, EVALUATION_BUDGET, trace);
  if (evaluated.aborted !== undefined) return { error: evaluated.aborted };
  const [result] = evaluated.results;
  if (!result || result.error !== undefined) return { error: result?.error ?? '' };
  const native = nativeLists(scope.slots.slice(0, 5));
  return input.patchType === 'JSONPatch'
    ? applyJsonPatch(result.value, input, native)
    : applyObject(result.value, input, native);
}

type Native = ReturnType<typeof nativeLists>;

function applyObject(value: Value, { object: live, kind, kinds, known }: MutationInput, native: Native): Mutated {
  if (!(value instanceof ObjectValue)) return { error: 'unsupported return type from ApplyConfiguration expression' };
  const faults = typeNameFaults(value, 'Object');
  if (faults.length > 0) return { error: `type mismatch: ${faults.join('\n')}` };
  const plain = plainObject(value, native);
  if (plain.error !== undefined) return { error: 'invalid return type: *dynamic.ObjectVal' };
  const merged = kinds.merge(kind, live, plain.object, known);
  if ('error' in merged) return { error: `error applying patch: ${merged.error}` };
  return kinds.settle(kind, merged.object, known);
}

function applyJsonPatch(value: Value, { object: live, kind, kinds, known }: MutationInput, native: Native): Mutated {
  const operations = patchOperations(value, native);
  if (operations.status) return { status: operations.status };
  if (operations.error !== undefined) return { error: operations.error };
  const patched = kinds.patch(kind, live, operations.operations);
  switch (patched.kind) {
    case 'error':
      return { error: `JSON Patch: ${patched.error}` };
    case 'panic':
      return { status: internalError(patched.error) };
    case 'test-failed':
      return { object: live };
    case 'patched':
      return kinds.decode(kind, patched.value, known);
  }
}
