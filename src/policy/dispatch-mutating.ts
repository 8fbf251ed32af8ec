/**
 * The mutating phase: two stages in each pass (first everything that matches is found on the object as it came in, then
 * the mutations run one after the other), and a second pass for policies that may be reinvoked (API server:
 * plugin/policy/generic/policy_dispatcher.go, plugin/policy/mutating/{dispatcher,reinvocationcontext}.go).
 */
import {
  type GroupVersionKind,
  type GroupVersionResource,
  internalError,
  type JsonObject,
  type Status,
  sameKind,
} from '#kubernetes';
import type { Attributes } from './attributes.ts';
import { type Param, paramName } from './bind.ts';
import { MATCH_CONDITIONS_BUDGET } from './budget.ts';
import type { CompiledBinding } from './compiled.ts';
import { conditionsResult } from './conditions.ts';
import { convertObject, type Dispatch, namespaceFor, namespaceNotFound, versionedObjects } from './dispatch.ts';
import { type Bindings, openScope } from './environment.ts';
import { evaluateAll } from './evaluate.ts';
import type { KindKnowledge, Known } from './kinds.ts';
import { mutate } from './mutate.ts';
import type { LoadedMutatingPolicy } from './policy-set.ts';
import type { PolicyError } from './verdict.ts';
import { walkPolicy } from './walk.ts';

export interface MutatingResult {
  /** The object after the pass; null where the request has none. */
  readonly object: JsonObject | null;
  /** Errors of policies whose failure policy is not Ignore, in order. */
  readonly errors: readonly PolicyError[];
  /** A refusal that no failure policy touches. */
  readonly status?: Status;
  /** Whether the chain has to run once more. */
  readonly again: boolean;
}

/** Which invocations may run in the second pass; kept from the first to the second. */
export interface Reinvocation {
  /** Keys of invocations with reinvocationPolicy IfNeeded that ran. */
  readonly previous: Set<string>;
  /** Keys that have to run again. */
  readonly required: Set<string>;
}

export function reinvocation(): Reinvocation {
  return { previous: new Set(), required: new Set() };
}

interface Invocation {
  readonly loaded: LoadedMutatingPolicy;
  readonly binding: CompiledBinding;
  readonly resource: GroupVersionResource;
  readonly as: GroupVersionKind;
  readonly param: Param;
}

/** The request's object as one kind, while mutations change it. */
interface Versioned {
  readonly kind: GroupVersionKind;
  readonly oldObject: JsonObject | null;
  object: JsonObject | null;
  /** The kind that `object` is in; after a mutation of a built-in kind the request's own. */
  objectKind: GroupVersionKind;
  readonly known: Known;
  dirty: boolean;
}

interface MutationError extends PolicyError {
  readonly ignored: boolean;
}

export function dispatchMutating(
  dispatch: Dispatch,
  kinds: KindKnowledge,
  state: Reinvocation,
  pass: 1 | 2,
): MutatingResult {
  const { set, attributes, collector } = dispatch;
  const errors: MutationError[] = [];
  const invocations: Invocation[] = [];
  const candidates = set.mutating.candidates(attributes.operation, [
    attributes.resource,
    ...set.equivalents.others(attributes),
  ]);
  for (const loaded of candidates) collector.attempt(() => findInvocations(dispatch, loaded, invocations, errors));
  const found = { object: attributes.object, errors: [], again: false };
  const kept = (): readonly PolicyError[] => errors.filter((error) => !error.ignored);
  if (invocations.length === 0) return { ...found, errors: kept() };
  const reads = invocations.some(({ loaded }) => loaded.readsNamespace);
  const namespace = collector.attempt(() => namespaceFor(dispatch, reads));
  if (!namespace) return found;
  if (namespace.status) {
    return { ...found, status: namespace.status.code === 404 ? namespace.status : namespaceNotFound(attributes) };
  }
  const run = runInvocations({ dispatch, kinds, state, pass, namespace: namespace.value, errors }, invocations);
  return { ...run, errors: kept() };
}

function findInvocations(
  dispatch: Dispatch,
  loaded: LoadedMutatingPolicy,
  invocations: Invocation[],
  errors: MutationError[],
): void {
  const { policy } = loaded;
  walkPolicy(dispatch, loaded, {
    configError: (message, binding) => {
      dispatch.trace({ policy: policy.name, binding }).decide('error', message);
      const text = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${message}`;
      errors.push({ policy: policy.name, binding, message: text, ignored: policy.failurePolicy === 'Ignore' });
    },
    bound: (binding, { resource, as }, params) => {
      for (const param of params)
        invocations.push({ loaded, binding, resource, as, param: exposedParam(loaded, param) });
    },
  });
}

interface Run {
  readonly dispatch: Dispatch;
  readonly kinds: KindKnowledge;
  readonly state: Reinvocation;
  readonly pass: 1 | 2;
  readonly namespace: JsonObject | null;
  readonly errors: MutationError[];
}

function runInvocations(run: Run, invocations: readonly Invocation[]): Omit<MutatingResult, 'errors'> {
  const { dispatch, state } = run;
  const { attributes, set, collector } = dispatch;
  const versions: Versioned[] = [];
  const versionOf = (kind: GroupVersionKind): Versioned => {
    const known = versions.find((version) => sameKind(version.kind, kind));
    if (known) return known;
    const version = { kind, ...versionedObjects(dispatch, kind), objectKind: kind, known: {}, dirty: false };
    versions.push(version);
    return version;
  };
  let last: Versioned | undefined;
  let again = false;
  for (const invocation of invocations) {
    const version = versionOf(invocation.as);
    const before = version.object;
    const ended = collector.attempt(() => invoke(run, invocation, version));
    if (!ended || ended === 'skipped') continue;
    if (ended !== 'done') return { object: attributes.object, status: ended, again: false };
    if (invocation.loaded.mutations.length > 0) last = version;
    if (before !== version.object) {
      requireAll(state);
      again = true;
    }
    if (invocation.loaded.policy.reinvocationPolicy === 'IfNeeded') state.previous.add(keyOf(invocation));
  }
  if (!last?.object || !last.dirty) return { object: attributes.object, again };
  requireAll(state);
  // k8s: only the version that the last mutation ran on is written back
  const object = writeBack(attributes, set, last.object, last.objectKind, run.kinds);
  return 'status' in object
    ? { object: null, status: object.status, again: false }
    : { object: object.object, again: true };
}

/** Runs one invocation's mutations on a version of the object; an ending status is returned. */
function invoke(run: Run, invocation: Invocation, version: Versioned): 'done' | 'skipped' | Status {
  const { dispatch, state, pass, errors } = run;
  const { attributes } = dispatch;
  const { loaded, binding, resource, param } = invocation;
  const { policy, mutations } = loaded;
  const trace = dispatch.trace({ policy: policy.name, binding: binding.name, param: paramName(param), pass });
  const fail = (message: string): void => {
    trace.decide('error', message);
    const ignored = policy.failurePolicy === 'Ignore';
    errors.push({ policy: policy.name, binding: binding.name, message, reason: 'Invalid', ignored });
  };
  const compiled = mutations.filter((mutation) => mutation !== undefined);
  if (compiled.length !== mutations.length) {
    return internalError(
      `expected ${mutations.length} compiled evaluators for policy ${policy.name}, got ${compiled.length}`,
    );
  }
  const bindings = (): Bindings => ({
    object: version.object,
    oldObject: version.oldObject,
    request: dispatch.request(resource, version.kind),
    params: param,
    namespaceObject: loaded.readsNamespace ? dispatch.namespaceViews.stored(run.namespace) : null,
    ...dispatch.access,
  });
  if (loaded.conditions.length > 0) {
    // k8s: the matcher is given the original resource, and no namespace
    const request = dispatch.request(attributes.resource, version.kind);
    const scope = openScope({ ...bindings(), request, namespaceObject: null }, loaded.variables, trace);
    const evaluated = evaluateAll(loaded.conditions, scope, MATCH_CONDITIONS_BUDGET, trace);
    const matched = conditionsResult(evaluated, policy.failurePolicy);
    if (matched === 'skipped') return 'skipped';
    if (matched !== 'matched') {
      fail(matched.error);
      return 'skipped';
    }
  }
  if (pass === 2 && !state.required.has(keyOf(invocation))) return 'skipped';
  for (const [index, expression] of compiled.entries()) {
    if (!version.object) continue;
    const mutated = mutate({
      loaded,
      expression,
      patchType: policy.mutations[index]?.patchType ?? '',
      bindings: bindings(),
      object: version.object,
      kind: version.kind,
      kinds: run.kinds,
      known: version.known,
      trace,
    });
    if (mutated.status) return mutated.status;
    if (mutated.error !== undefined) {
      fail(mutated.error);
      continue;
    }
    // k8s: built-in objects are converted to the request's version, whatever was matched
    const inRequestVersion = run.kinds.isBuiltin(version.kind) && !sameKind(version.objectKind, attributes.kind);
    version.object = inRequestVersion
      ? convertObject(dispatch.set, mutated.object, version.objectKind, attributes.kind)
      : mutated.object;
    if (inRequestVersion) version.objectKind = attributes.kind;
    version.dirty = true;
    trace.decide('mutate', undefined, expression.field);
  }
  return 'done';
}

/** The object in the kind that the request carries it in. */
function writeBack(
  attributes: Attributes,
  set: Dispatch['set'],
  object: JsonObject,
  from: GroupVersionKind,
  kinds: KindKnowledge,
): { readonly object: JsonObject } | { readonly status: Status } {
  const restored = kinds.restore(object, from);
  if ('error' in restored) return { status: internalError(`failed to convert object: ${restored.error}`) };
  return { object: convertObject(set, restored.object, from, attributes.objectKind) };
}

function requireAll(state: Reinvocation): void {
  for (const key of state.previous) state.required.add(key);
  state.previous.clear();
}

function keyOf({ loaded, binding, param }: Invocation): string {
  return JSON.stringify([loaded.policy.name, binding.name, paramName(param) ?? null]);
}

/** Params of built-in kinds have neither apiVersion nor kind here. */
function exposedParam({ policy }: LoadedMutatingPolicy, param: Param): Param {
  const { paramKind } = policy;
  if (!param || !paramKind) return param;
  if (!paramKind.resource?.native) return { apiVersion: paramKind.apiVersion, kind: paramKind.kind, ...param };
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = param;
  return rest;
}
