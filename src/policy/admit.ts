/**
 * The decision about one request: a pure function of policies, request and facts. Missing facts are an answer too.
 */
import { diff } from '#jsonpatch';
import { type AdmissionRequest, excludedFromPolicies, internalError, type JsonObject, type Status } from '#kubernetes';
import { accessValues } from './access.ts';
import { type Attributes, attributesOf } from './attributes.ts';
import type { Dispatch } from './dispatch.ts';
import { dispatchMutating, type MutatingResult, reinvocation } from './dispatch-mutating.ts';
import { dispatchValidating } from './dispatch-validating.ts';
import { namespaceViews, requestValues } from './environment.ts';
import type { Facts, Needs } from './facts.ts';
import { factsReader } from './facts-reader.ts';
import { unbox } from './kinds.ts';
import { CannotDecide, needsCollector } from './needs.ts';
import type { DecisionRecord, Outcome, PatchOperation, Phase, Verdict } from './outcome.ts';
import type { PolicySet } from './policy-set.ts';
import { traceTo } from './trace.ts';
import { denialStatus, mutationStatus } from './verdict.ts';
import { filterWarnings } from './warnings.ts';

/**
 * What the API server would answer to the request in a phase, or the facts that are lacking for it. The request for the
 * validating phase carries the object as mutation and name generation left it.
 */
export function admit(set: PolicySet, phase: Phase, request: AdmissionRequest, facts: Facts): Outcome | Needs {
  const attributes = attributesOf(request, phase);
  const records: DecisionRecord[] = [];
  try {
    return phase === 'mutate'
      ? admitMutating(set, attributes, facts, records)
      : admitValidating(set, attributes, facts, records);
  } catch (thrown) {
    // a RangeError is the stack's end: an object that nests too deeply must not slip through where others are judged
    const message =
      thrown instanceof CannotDecide ? thrown.message : thrown instanceof RangeError ? TOO_DEEP : undefined;
    if (message === undefined) throw thrown;
    return outcome({ status: internalError(message), records });
  }
}

const TOO_DEEP = 'the objects of the request nest too deeply to be judged';

function admitValidating(
  set: PolicySet,
  attributes: Attributes,
  facts: Facts,
  records: DecisionRecord[],
): Outcome | Needs {
  if (excludedFromPolicies(attributes.resource.group, attributes.resource.resource)) return outcome({ records });
  const dispatch = openDispatch(set, attributes, facts, records);
  const { denials, rawWarnings, auditAnnotations, status } = dispatchValidating(dispatch);
  const needs = dispatch.collector.needs();
  if (needs) return needs;
  const [first] = denials;
  return outcome({
    status: status ?? (first && denialStatus(attributes, first)),
    rawWarnings,
    auditAnnotations,
    passes: 1,
    records,
  });
}

function admitMutating(
  set: PolicySet,
  attributes: Attributes,
  facts: Facts,
  records: DecisionRecord[],
): Outcome | Needs {
  const original = attributes.object;
  const untouched =
    attributes.operation === 'DELETE' || excludedFromPolicies(attributes.resource.group, attributes.resource.resource);
  if (untouched) return outcome({ object: original, records });
  const state = reinvocation();
  let object = original;
  let passes = 0;
  for (const pass of [1, 2] as const) {
    passes = pass;
    const dispatch = openDispatch(set, { ...attributes, object }, facts, records);
    const result = dispatchMutating(dispatch, set.kinds(), state, pass);
    const needs = dispatch.collector.needs();
    if (needs) return needs;
    const status = refusal(attributes, result);
    if (status) return outcome({ status, passes, records });
    object = result.object;
    if (!result.again) break;
  }
  if (object && object !== original) object = set.kinds().written(attributes.objectKind, object);
  return outcome({ object, patch: object === original ? [] : diff(original, object, unbox), passes, records });
}

function refusal(attributes: Attributes, { status, errors }: MutatingResult): Status | undefined {
  if (status) return status;
  const [first, ...others] = errors;
  return first && mutationStatus(attributes, [first, ...others]);
}

function openDispatch(set: PolicySet, attributes: Attributes, facts: Facts, records: DecisionRecord[]): Dispatch {
  return {
    set,
    attributes,
    facts: factsReader(facts),
    collector: needsCollector(),
    access: accessValues(attributes, facts),
    trace: (context) => traceTo(records, context),
    request: requestValues(attributes),
    namespaceViews: namespaceViews(),
  };
}

interface Ending {
  readonly status?: Status | undefined;
  readonly object?: JsonObject | null;
  readonly patch?: readonly PatchOperation[];
  readonly passes?: number;
  readonly rawWarnings?: readonly string[];
  readonly auditAnnotations?: Verdict['auditAnnotations'];
  readonly records: readonly DecisionRecord[];
}

function outcome({
  status,
  object,
  patch = [],
  passes = 0,
  rawWarnings = [],
  auditAnnotations = {},
  records,
}: Ending): Outcome {
  return {
    kind: 'outcome',
    verdict: {
      allowed: status === undefined,
      ...(status ? { status } : {}),
      warnings: filterWarnings(rawWarnings),
      rawWarnings,
      auditAnnotations,
    },
    ...(object ? { object } : {}),
    patch,
    passes,
    records,
  };
}
