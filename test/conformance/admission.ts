/**
 * Admission cases against what kube-apiserver's own code decided: policies, bindings, params and a request in, verdicts of
 * both phases, compile results and costs out.
 */
import { parseJson } from '#cel/runtime';
import {
  type AdmissionRequest,
  isJsonObject,
  type Json,
  type JsonObject,
  labelsOf,
  objectAt,
  own,
  parseSelector,
  selectorMatches,
  stringAt,
} from '#kubernetes';
import { manifestOf } from '#manifest';
import {
  type AccessAnswer,
  type AccessNeed,
  admit,
  type CompiledExpression,
  type CompiledPolicies,
  type DecisionRecord,
  type Facts,
  loadPolicies,
  type Outcome,
  type ParamNeed,
  type PolicySet,
  type ServedResource,
} from '#policy';
import { compilePolicies } from '#policy/compile';
import { compare as compareQuantities, parseQuantity } from '../../src/kubernetes/quantity.ts';
import { withDefaults } from '../../src/policy/custom-defaults.ts';

export interface Case {
  readonly id: string;
  readonly policies: readonly JsonObject[];
  readonly bindings: readonly JsonObject[];
  readonly params?: readonly JsonObject[];
  readonly crds?: readonly JsonObject[];
  readonly namespaces: readonly JsonObject[];
  readonly authorizer?: Authorizer;
  readonly equivalents?: readonly (readonly ServedResource[])[];
  readonly generatedName?: string;
  readonly keepOrder?: boolean;
  readonly request: AdmissionRequest;
  readonly expect: {
    readonly mutate: Expected | null;
    readonly validate: Expected | null;
    readonly compile?: readonly CompileNote[];
    readonly costs?: readonly CostNote[];
    readonly unstable?: readonly string[];
  };
}

interface Expected {
  readonly allowed: boolean;
  readonly status?: JsonObject;
  readonly object?: JsonObject;
  readonly warnings: readonly string[];
  readonly rawWarnings?: readonly string[];
  readonly auditAnnotations: JsonObject;
  readonly passes?: number;
  readonly panic?: string;
}

interface CompileNote {
  readonly policy: string;
  readonly field: string;
  readonly ok: boolean;
  readonly type?: string;
  readonly errors?: readonly string[];
}

interface CostNote {
  readonly policy: string;
  readonly field: string;
  readonly cost: number;
  readonly error?: string;
}

interface Authorizer {
  readonly default?: string;
  readonly reason?: string;
  readonly rules?: readonly (Readonly<Record<string, string>> & { readonly groups?: readonly string[] })[];
}

export interface Difference {
  readonly field: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The cases of a file of JSON lines. */
export function loadCases(text: string): Case[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value: unknown = parseJson(line);
      return value as Case;
    });
}

/** Sees each phase's request and outcome as it passes. */
export type Watch = (phase: 'mutate' | 'validate', request: AdmissionRequest, outcome: Outcome) => void;

/** The fields of the outcome that differ. */
export function runCase(one: Case, watch: Watch = () => {}): readonly Difference[] {
  const differences: Difference[] = [];
  const compare = (field: string, expected: unknown, actual: unknown): void => {
    if (text(expected) !== text(actual)) differences.push({ field, expected, actual });
  };
  const documents = [...one.policies, ...one.bindings, ...(one.crds ?? [])].flatMap(
    (object) => manifestOf(object).documents,
  );
  const { compiled, diagnostics } = compilePolicies(documents, { validate: false, keepOrder: one.keepOrder ?? false });
  if (!compiled) return [{ field: 'compile', expected: 'compiled policies', actual: diagnostics }];
  compare('compile', (one.expect.compile ?? []).map(compileNote).sort(), compileNotes(compiled).sort());
  const set = loadPolicies(JSON.parse(JSON.stringify(compiled)), { equivalents: one.equivalents ?? [] });
  if ('error' in set) return [{ field: 'load', expected: 'a policy set', actual: set.error }];

  const records: DecisionRecord[] = [];
  let request = one.request;
  const { mutate, validate, unstable = [] } = one.expect;
  if (mutate) {
    const outcome = decide(set, 'mutate', request, one, compiled);
    watch('mutate', request, outcome);
    records.push(...outcome.records);
    comparePhase('mutate', mutate, outcome, unstable.includes('mutate'), differences, compare);
    compare('mutate.passes', mutate.passes, outcome.passes);
    if (mutate.allowed && outcome.object) request = { ...request, object: outcome.object };
  }
  if (validate) {
    const outcome = decide(set, 'validate', named(request, one.generatedName), one, compiled);
    watch('validate', request, outcome);
    records.push(...outcome.records);
    comparePhase('validate', validate, outcome, unstable.includes('validate'), differences, compare);
  }
  if (!unstable.includes('costs') && !mutate?.panic) {
    const actual = records
      .filter(({ kind }) => kind === 'expression')
      .map(({ policy, field, cost, message }) =>
        costNote({ policy, field: field ?? '', cost: cost ?? 0, ...(message === undefined ? {} : { error: message }) }),
      );
    compare('costs', (one.expect.costs ?? []).map(costNote), actual);
  }
  return differences;
}

function comparePhase(
  phase: string,
  expected: Expected,
  outcome: Outcome,
  unstable: boolean,
  differences: Difference[],
  compare: (field: string, expected: unknown, actual: unknown) => void,
): void {
  const { verdict } = outcome;
  compare(`${phase}.allowed`, expected.allowed, verdict.allowed);
  if (expected.panic !== undefined) return;
  compare(`${phase}.status`, statusText(expected.status, unstable), statusText(verdict.status, unstable));
  compare(`${phase}.warnings`, expected.warnings, verdict.warnings);
  compare(`${phase}.rawWarnings`, expected.rawWarnings ?? expected.warnings, verdict.rawWarnings);
  compare(`${phase}.auditAnnotations`, expected.auditAnnotations, verdict.auditAnnotations);
  if (!expected.object) return;
  const native = isNative(stringAt(expected.object, 'apiVersion'));
  const difference = differs(
    native ? withoutEmpty(expected.object) : expected.object,
    native ? withoutEmpty(outcome.object ?? null) : (outcome.object ?? null),
    native,
    `${phase}.object`,
  );
  if (difference) differences.push(difference);
}

/** Dumps of Go values are not compared; where errors of several causes come in random order, only the set of lines counts. */
function statusText(status: unknown, unstable: boolean): unknown {
  if (!status) return status;
  const comparable = text(status)
    .replace(/(expected [a-z ()]+), got (?:\\"|[^"\\]|\\[^n"])*/g, '$1, got')
    .replace(/in scheme (?:\\\\\\"|[^,}])*/g, 'in scheme');
  return unstable ? comparable.split(/\\n|type mismatch: |"/).sort() : comparable;
}

function decide(
  set: PolicySet,
  phase: 'mutate' | 'validate',
  request: AdmissionRequest,
  one: Case,
  compiled: CompiledPolicies,
): Outcome {
  const namespaces = new Map(
    one.namespaces.map((namespace) => [
      stringAt(namespace, 'metadata', 'name'),
      { kind: 'found' as const, value: namespace },
    ]),
  );
  const facts = {
    namespaces: new Map<string, Facts['namespaces'] extends ReadonlyMap<string, infer F> ? F : never>(namespaces),
    params: new Map<string, Facts['params'] extends ReadonlyMap<string, infer F> ? F : never>(),
    access: new Map<string, Facts['access'] extends ReadonlyMap<string, infer F> ? F : never>(),
  };
  const namespace = request.namespace ?? '';
  if (namespace !== '' && !facts.namespaces.has(namespace)) facts.namespaces.set(namespace, { kind: 'absent' });
  for (let round = 0; round < 10; round++) {
    const answer = admit(set, phase, request, facts);
    if (answer.kind === 'outcome') return answer;
    for (const name of answer.namespaces) facts.namespaces.set(name, { kind: 'absent' });
    for (const need of answer.params) {
      facts.params.set(need.key, { kind: 'found', value: paramsFor(need, one.params ?? [], compiled) });
    }
    for (const need of answer.access)
      facts.access.set(need.key, { kind: 'found', value: accessFor(need, one.authorizer) });
  }
  throw new Error('needs did not end');
}

function named(request: AdmissionRequest, generatedName: string | undefined): AdmissionRequest {
  const { object } = request;
  if (!generatedName || !object || request.operation !== 'CREATE' || request.name) return request;
  if (stringAt(object, 'metadata', 'name') !== '' || stringAt(object, 'metadata', 'generateName') === '')
    return request;
  return { ...request, object: { ...object, metadata: { ...objectAt(object, 'metadata'), name: generatedName } } };
}

function paramsFor(need: ParamNeed, params: readonly JsonObject[], compiled: CompiledPolicies): readonly JsonObject[] {
  const group = need.apiVersion.includes('/') ? need.apiVersion.split('/')[0] : '';
  const custom = compiled.customResources.find((row) => row.group === group && row.kind === need.kind);
  const selector = need.selector && parseSelector(need.selector);
  return params.flatMap((param) => {
    const apiVersion = stringAt(param, 'apiVersion');
    const sameGroup = (apiVersion.includes('/') ? apiVersion.split('/')[0] : '') === group;
    if (!sameGroup || stringAt(param, 'kind') !== need.kind) return [];
    if (need.namespace !== undefined && stringAt(param, 'metadata', 'namespace') !== need.namespace) return [];
    if (need.name !== undefined && stringAt(param, 'metadata', 'name') !== need.name) return [];
    if (selector && 'requirements' in selector && !selectorMatches(selector, labelsOf(param))) return [];
    const version = custom?.versions.find(({ name }) => name === need.apiVersion.split('/')[1]);
    const seen = custom ? { ...param, apiVersion: need.apiVersion } : param;
    return [version?.defaults ? withDefaults(seen, version.defaults) : seen];
  });
}

function accessFor(need: AccessNeed, authorizer: Authorizer | undefined): AccessAnswer {
  const rule = authorizer?.rules?.find((candidate) => fits(candidate, need));
  const chosen = rule ?? { decision: authorizer?.default, reason: authorizer?.reason, error: undefined };
  const decision = chosen['decision']?.toLowerCase();
  return {
    decision: decision === 'allow' ? 'Allow' : decision === 'deny' ? 'Deny' : 'NoOpinion',
    reason: chosen['reason'] ?? '',
    ...(chosen['error'] ? { error: chosen['error'] } : {}),
  };
}

function fits(rule: NonNullable<Authorizer['rules']>[number], { user, verb, path, resource }: AccessNeed): boolean {
  const is = (name: string, value: string | undefined): boolean => !Object.hasOwn(rule, name) || rule[name] === value;
  if (!is('user', user.username ?? '') || !is('verb', verb)) return false;
  if (!(rule.groups ?? []).every((group) => user.groups?.includes(group))) return false;
  const resourceFields = [
    'apiGroup',
    'apiVersion',
    'resource',
    'subresource',
    'namespace',
    'name',
    'fieldSelector',
    'labelSelector',
  ];
  if (!resource) return is('path', path) && !resourceFields.some((name) => Object.hasOwn(rule, name));
  if (Object.hasOwn(rule, 'path')) return false;
  const selects = (name: string, value: string | undefined): boolean =>
    !Object.hasOwn(rule, name) || sortedSelector(rule[name] ?? '') === sortedSelector(value ?? '');
  return (
    is('apiGroup', resource.group) &&
    is('apiVersion', resource.version) &&
    is('resource', resource.resource) &&
    is('subresource', resource.subresource) &&
    is('namespace', resource.namespace) &&
    is('name', resource.name) &&
    selects('fieldSelector', resource.fieldSelector) &&
    selects('labelSelector', resource.labelSelector)
  );
}

function sortedSelector(selector: string): string {
  return selector
    .split(',')
    .map((part) => part.trim().replace(/\s*==?\s*/, '='))
    .sort()
    .join(',');
}

function compileNotes(compiled: CompiledPolicies): string[] {
  const notes: string[] = [];
  const note = (policy: string, field: string, expression: CompiledExpression | undefined): void => {
    if (!expression) return;
    notes.push(
      'error' in expression
        ? compileNote({ policy, field, ok: false, errors: [expression.error] })
        : compileNote({ policy, field, ok: true, type: expression.type }),
    );
  };
  for (const policy of [...compiled.validating, ...compiled.mutating]) {
    const { name } = policy;
    const noteAll = (field: string, expressions: readonly (CompiledExpression | undefined)[]): void => {
      for (const [index, expression] of expressions.entries())
        note(name, field.replace('#', String(index)), expression);
    };
    const named = (list: readonly { readonly expression: CompiledExpression }[]): readonly CompiledExpression[] =>
      list.map(({ expression }) => expression);
    noteAll('spec.variables[#].expression', named(policy.variables));
    noteAll('spec.matchConditions[#].expression', named(policy.matchConditions));
    if ('mutations' in policy) {
      for (const [index, { patchType, expression }] of policy.mutations.entries()) {
        const block = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
        note(name, `spec.mutations[${index}].${block}.expression`, expression);
      }
    } else {
      const { validations, auditAnnotations } = policy;
      noteAll('spec.validations[#].expression', named(validations));
      noteAll(
        'spec.validations[#].messageExpression',
        validations.map(({ messageExpression }) => messageExpression),
      );
      noteAll(
        'spec.auditAnnotations[#].valueExpression',
        auditAnnotations.map(({ valueExpression }) => valueExpression),
      );
    }
  }
  return notes;
}

function compileNote({ policy, field, ok, type, errors }: CompileNote): string {
  return `${policy} ${field} ${ok} ${ok ? type : (errors ?? []).join('; ')}`;
}

function costNote({ policy, field, cost, error }: CostNote): string {
  return `${policy} ${field} ${cost} ${error ?? ''}`;
}

/** Groups whose names have no dot or end in `.k8s.io` are Kubernetes' own here. */
function isNative(apiVersion: string): boolean {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  return !group.includes('.') || group.endsWith('.k8s.io');
}

function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutEmpty(item));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value)
    .map(([key, item]): [string, Json] => [key, withoutEmpty(item)])
    .filter(
      ([, item]) =>
        item !== null &&
        !(Array.isArray(item) && item.length === 0) &&
        !(isJsonObject(item) && Object.keys(item).length === 0),
    );
  return Object.fromEntries(kept);
}

/** The first place where two values differ. */
function differs(
  expected: Json | undefined,
  actual: Json | undefined,
  native: boolean,
  field: string,
): Difference | undefined {
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const difference = differs(own(expected, key), own(actual, key), native, `${field}.${key}`);
      if (difference) return difference;
    }
    return undefined;
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, item] of expected.entries()) {
      const difference = differs(item, actual[index], native, `${field}[${index}]`);
      if (difference) return difference;
    }
    return undefined;
  }
  if (text(expected) === text(actual) || (native && sameQuantity(expected, actual))) return undefined;
  return { field, expected, actual };
}

function sameQuantity(expected: Json | undefined, actual: Json | undefined): boolean {
  if (typeof expected !== 'string' || (typeof actual !== 'string' && typeof actual !== 'number')) return false;
  const a = parseQuantity(expected);
  const b = parseQuantity(String(actual));
  return !('error' in a) && !('error' in b) && compareQuantities(a, b) === 0;
}

/** Canonical text of a value: sorted keys, no absent ones. */
function text(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return `${item}n`;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(
      Object.entries(item)
        .filter(([, field]) => field !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  });
}
