/**
 * The validating phase: all policies that match, each binding, each param, in order; denials do not stop it (API server:
 * plugin/policy/validating/dispatcher.go Dispatch).
 */
import type { JsonObject, Status } from '#kubernetes';
import { type Annotations, annotations, failureAnnotation, policyAnnotations, VALIDATION_FAILURE } from './audit.ts';
import { type Param, paramName } from './bind.ts';
import type { CompiledValidatingBinding } from './compiled.ts';
import { type Dispatch, namespaceFor, versionedObjects } from './dispatch.ts';
import type { LoadedValidatingPolicy } from './policy-set.ts';
import { type AuditDecision, type Decision, type Validated, type ValidationEnvironment, validate } from './validate.ts';
import type { Denial } from './verdict.ts';
import { type Matched, walkPolicy } from './walk.ts';

export interface ValidatingResult {
  readonly denials: readonly Denial[];
  readonly rawWarnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** A refusal that no failure policy touches. */
  readonly status?: Status;
}

/** Thrown to leave the dispatch at once. */
class HardReturn extends Error {
  readonly status: Status;
  constructor(status: Status) {
    super('hard return');
    this.status = status;
  }
}

interface State {
  readonly denials: Denial[];
  readonly rawWarnings: string[];
  readonly annotations: Annotations;
}

export function dispatchValidating(dispatch: Dispatch): ValidatingResult {
  const { set, attributes } = dispatch;
  const state: State = { denials: [], rawWarnings: [], annotations: annotations() };
  const result = (status?: Status): ValidatingResult => ({
    denials: state.denials,
    rawWarnings: state.rawWarnings,
    auditAnnotations: state.annotations.all(),
    ...(status ? { status } : {}),
  });
  const candidates = set.validating.candidates(attributes.operation, [
    attributes.resource,
    ...set.equivalents.others(attributes),
  ]);
  try {
    for (const loaded of candidates) dispatch.collector.attempt(() => dispatchPolicy(dispatch, loaded, state));
  } catch (thrown) {
    if (thrown instanceof HardReturn) return result(thrown.status);
    throw thrown;
  }
  return result();
}

function dispatchPolicy(dispatch: Dispatch, loaded: LoadedValidatingPolicy, state: State): void {
  const { policy } = loaded;
  const collected = policyAnnotations();
  walkPolicy(dispatch, loaded, {
    configError: (message, binding) => {
      dispatch.trace({ policy: policy.name, binding }).decide('error', message);
      if (policy.failurePolicy === 'Ignore') return;
      const text =
        policy.failurePolicy === 'Fail'
          ? `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${message}`
          : `unrecognized failure policy: '${policy.failurePolicy}'`;
      state.denials.push({ policy: policy.name, binding, message: text });
    },
    bound: (binding, match, params) => dispatchBinding(dispatch, loaded, binding, match, params, state, collected),
  });
  collected.publish(policy.name, state.annotations);
}

function dispatchBinding(
  dispatch: Dispatch,
  loaded: LoadedValidatingPolicy,
  binding: CompiledValidatingBinding,
  match: Matched,
  params: readonly Param[],
  state: State,
  collected: ReturnType<typeof policyAnnotations>,
): void {
  const { policy } = loaded;
  const objects = versionedObjects(dispatch, match.as);
  const namespace = namespaceFor(dispatch, loaded.readsNamespace);
  if (namespace.status) throw new HardReturn(namespace.status);
  const evaluated = params.map((param) =>
    dispatch.collector.attempt(() => {
      const trace = dispatch.trace({ policy: policy.name, binding: binding.name, param: paramName(param) });
      const environment = environmentOf(
        dispatch,
        match,
        objects,
        namespace.value,
        loaded.readsNamespace,
        exposedParam(loaded, param),
      );
      return validate(loaded, environment, trace);
    }),
  );
  for (const validated of evaluated) if (validated) apply(policy.name, binding, validated, state, collected);
}

function apply(
  policy: string,
  binding: CompiledValidatingBinding,
  { decisions, auditAnnotations }: Validated,
  state: State,
  collected: ReturnType<typeof policyAnnotations>,
): void {
  decisions.forEach((decision, index) => {
    if (decision.kind === 'deny') applyDenial(policy, binding, decision, index, state);
  });
  for (const annotation of auditAnnotations) applyAnnotation(policy, binding, annotation, state, collected);
}

function applyDenial(
  policy: string,
  binding: CompiledValidatingBinding,
  { message, reason }: Decision,
  expressionIndex: number,
  state: State,
): void {
  for (const action of binding.validationActions) {
    if (action === 'Deny') state.denials.push({ policy, binding: binding.name, message, reason });
    else if (action === 'Warn') {
      state.rawWarnings.push(
        `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding.name}': ${message}`,
      );
    } else if (action === 'Audit') {
      const { name, validationActions } = binding;
      state.annotations.add(
        VALIDATION_FAILURE,
        failureAnnotation({ message, policy, binding: name, expressionIndex, validationActions }),
      );
    }
  }
}

function applyAnnotation(
  policy: string,
  binding: CompiledValidatingBinding,
  annotation: AuditDecision,
  state: State,
  collected: ReturnType<typeof policyAnnotations>,
): void {
  if (annotation.kind === 'publish') collected.add(annotation.key, annotation.value);
  else state.denials.push({ policy, binding: binding.name, message: annotation.message });
}

/** Params of built-in kinds come without apiVersion and kind; here they are the policy's (API server: wrappedParam). */
function exposedParam({ policy }: LoadedValidatingPolicy, param: Param): Param {
  const { paramKind } = policy;
  if (!param || !paramKind) return param;
  const { apiVersion, kind } = paramKind;
  return paramKind.resource?.native ? { ...param, apiVersion, kind } : { apiVersion, kind, ...param };
}

function environmentOf(
  dispatch: Dispatch,
  match: Matched,
  objects: { readonly object: JsonObject | null; readonly oldObject: JsonObject | null },
  namespace: JsonObject | null,
  reads: boolean,
  params: Param,
): ValidationEnvironment {
  const { attributes, access } = dispatch;
  const { object, oldObject } = objects;
  // the two forms are built for those who read them only
  const views = reads ? dispatch.namespaceViews : undefined;
  return (part) => {
    const conditions = part === 'conditions';
    const authorized = conditions || part === 'validations';
    return {
      object,
      oldObject,
      // k8s: the matcher is given the original resource, and no namespace
      request: dispatch.request(conditions ? attributes.resource : match.resource, match.as),
      params,
      namespaceObject: conditions
        ? null
        : ((part === 'auditAnnotations' ? views?.stored(namespace) : views?.visible(namespace)) ?? null),
      authorizer: authorized ? access.authorizer : undefined,
      requestResource: authorized ? access.requestResource : undefined,
    };
  };
}
