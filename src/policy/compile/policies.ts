/** Manifests to compiled policies: validated by the API's rules, defaulted, expressions checked, bindings joined. */
import type { Diagnostic } from '#diagnostics';
import { builtinResource, type JsonObject, nearest, type ParamKind, POLICY_GROUP, parseApiVersion } from '#kubernetes';
import { builtinNative, nativeClosure } from '#kubernetes/native-facts';
import { builtinSchema, closure, crdSchema } from '#merge/schemas';
import type {
  CompiledBinding,
  CompiledCustomResource,
  CompiledMutatingPolicy,
  CompiledParamKind,
  CompiledPolicies,
  CompiledValidatingBinding,
  CompiledValidatingPolicy,
} from '../compiled.ts';
import { withDefaults } from '../custom-defaults.ts';
import { customResource, isDefinition } from './custom-resources.ts';
import { DEFAULT_FAILURE_POLICY, withMatchDefaults } from './defaults.ts';
import type { PolicyDocument } from './document.ts';
import { expressionCompiler } from './expressions.ts';
import { moreSchemas } from './more-schemas.ts';
import { mutatedKinds, renamedKinds } from './mutated-kinds.ts';
import { type Spec, specOf } from './spec.ts';
import { validateDocument } from './validation/index.ts';

export interface CompileOptions {
  /**
   * `false`: what the API would refuse is compiled all the same, as the API server runs objects that are stored already;
   * then expressions that do not compile are no errors but part of the result.
   */
  readonly validate?: boolean;
  /** Policies and bindings stay in the order of the documents; else they are sorted by name. */
  readonly keepOrder?: boolean;
}

export interface Compilation {
  /** Absent when a diagnostic is an error. */
  readonly compiled?: CompiledPolicies;
  readonly diagnostics: readonly Diagnostic[];
}

export function compilePolicies(documents: readonly PolicyDocument[], options: CompileOptions = {}): Compilation {
  const { validate = true, keepOrder = false } = options;
  const diagnostics: Diagnostic[] = [];
  const definitions = documents.filter(isDefinition);
  const customResources = definitions.flatMap((definition) => customResource(definition) ?? []);
  const inOrder = keepOrder
    ? documents
    : [...documents].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const ofKind = (kind: string): readonly PolicyDocument[] =>
    inOrder.filter((document) => document.kind === kind && document.apiVersion === `${POLICY_GROUP}/v1`);

  if (validate) for (const document of documents) diagnostics.push(...validateDocument(document));
  const context: Context = { validate, diagnostics, customResources };
  const validating = ofKind('ValidatingAdmissionPolicy').map((policy) =>
    compileValidating(policy, ofKind('ValidatingAdmissionPolicyBinding'), context),
  );
  const mutating = ofKind('MutatingAdmissionPolicy').map((policy) =>
    compileMutating(policy, ofKind('MutatingAdmissionPolicyBinding'), context),
  );
  if (validate) diagnostics.push(...unbound(ofKind, validating, mutating), ...repeated(documents));
  if (diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics };

  const builtin = builtinSchema();
  const custom = definitions.map((definition) => {
    const imported = crdSchema(definition.object, builtin);
    if ('schema' in imported) return imported.schema;
    for (const message of imported.errors) {
      diagnostics.push({ severity: 'warning', code: 'crd-schema', message, span: definition.span(['spec']) });
    }
    return undefined;
  });
  const schemas = [...custom.filter((schema) => schema !== undefined), builtin, ...moreSchemas(builtin)];
  const kinds = mutatedKinds(mutating, customResources);
  const compiled: CompiledPolicies = {
    version: 1,
    kubernetes: '1.36',
    validating,
    mutating,
    customResources,
    mergeSchema: closure(schemas, kinds),
    nativeTypes: nativeClosure(builtinNative(), [...kinds, ...renamedKinds(mutating)]),
    params: paramObjects(documents, [...validating, ...mutating], customResources),
  };
  return { compiled, diagnostics };
}

interface Context {
  readonly validate: boolean;
  readonly diagnostics: Diagnostic[];
  readonly customResources: readonly CompiledCustomResource[];
}

function compileValidating(
  document: PolicyDocument,
  bindings: readonly PolicyDocument[],
  context: Context,
): CompiledValidatingPolicy {
  const spec = specOf<'ValidatingAdmissionPolicy'>(document);
  const compiler = expressionCompiler(document, spec.paramKind !== undefined, context.validate);
  const base = compileBase(document, spec, compiler, context);
  const compiled: CompiledValidatingPolicy = {
    ...base,
    bindings: bindingsOf(document, spec, bindings).map(compileValidatingBinding),
    validations: (spec.validations ?? []).map(({ expression, message, messageExpression, reason }, index) => ({
      expression: compiler.compile(expression ?? '', 'validation', ['spec', 'validations', index, 'expression']),
      ...(message === undefined ? {} : { message }),
      ...(reason === undefined ? {} : { reason }),
      ...(messageExpression === undefined || messageExpression === ''
        ? {}
        : {
            messageExpression: compiler.compile(messageExpression, 'message', [
              'spec',
              'validations',
              index,
              'messageExpression',
            ]),
          }),
    })),
    auditAnnotations: (spec.auditAnnotations ?? []).map(({ key, valueExpression }, index) => ({
      key: key ?? '',
      valueExpression: compiler.compile(valueExpression ?? '', 'auditAnnotation', [
        'spec',
        'auditAnnotations',
        index,
        'valueExpression',
      ]),
    })),
  };
  if (context.validate) context.diagnostics.push(...compiler.diagnostics);
  return compiled;
}

function compileMutating(
  document: PolicyDocument,
  bindings: readonly PolicyDocument[],
  context: Context,
): CompiledMutatingPolicy {
  const spec = specOf<'MutatingAdmissionPolicy'>(document);
  const compiler = expressionCompiler(document, spec.paramKind !== undefined, context.validate);
  const base = compileBase(document, spec, compiler, context);
  const compiled: CompiledMutatingPolicy = {
    ...base,
    ...(spec.reinvocationPolicy === undefined ? {} : { reinvocationPolicy: spec.reinvocationPolicy }),
    bindings: bindingsOf(document, spec, bindings).map(compileBinding),
    mutations: (spec.mutations ?? []).map(({ patchType, applyConfiguration, jsonPatch }, index) => {
      const path = ['spec', 'mutations', index];
      if (patchType === 'JSONPatch' && jsonPatch) {
        return {
          patchType,
          expression: compiler.compile(jsonPatch.expression ?? '', 'jsonPatch', [...path, 'jsonPatch', 'expression']),
        };
      }
      if (patchType === 'ApplyConfiguration' && applyConfiguration) {
        const at = [...path, 'applyConfiguration', 'expression'];
        return {
          patchType,
          expression: compiler.compile(applyConfiguration.expression ?? '', 'applyConfiguration', at),
        };
      }
      return { patchType: patchType ?? '' };
    }),
  };
  if (context.validate) context.diagnostics.push(...compiler.diagnostics);
  return compiled;
}

type PolicySpec = Spec<'ValidatingAdmissionPolicy'> | Spec<'MutatingAdmissionPolicy'>;

function compileBase(
  document: PolicyDocument,
  spec: PolicySpec,
  compiler: ReturnType<typeof expressionCompiler>,
  { customResources, validate, diagnostics }: Context,
): Omit<CompiledValidatingPolicy, 'bindings' | 'validations' | 'auditAnnotations'> {
  const variables = compiler.variables(
    (spec.variables ?? []).map(({ name, expression }) => ({ name: name ?? '', expression: expression ?? '' })),
  );
  const paramKind = spec.paramKind && resolveParamKind(spec.paramKind, customResources);
  if (validate && paramKind && !paramKind.resource) {
    diagnostics.push({
      severity: 'warning',
      code: 'unknown-param-kind',
      message: `nothing is known of the paramKind \`${paramKind.kind}\` of \`${paramKind.apiVersion}\`: every request that the policy matches fails by its failurePolicy`,
      field: 'spec.paramKind',
      span: document.span(['spec', 'paramKind']),
      help: 'compile its CustomResourceDefinition along',
    });
  }
  return {
    name: document.name,
    failurePolicy: spec.failurePolicy ?? DEFAULT_FAILURE_POLICY,
    ...(paramKind ? { paramKind } : {}),
    ...(spec.matchConstraints ? { matchConstraints: withMatchDefaults(spec.matchConstraints) } : {}),
    variables,
    matchConditions: (spec.matchConditions ?? []).map(({ name, expression }, index) => ({
      name: name ?? '',
      expression: compiler.compile(expression ?? '', 'matchCondition', [
        'spec',
        'matchConditions',
        index,
        'expression',
      ]),
    })),
  };
}

function compileValidatingBinding(document: PolicyDocument): CompiledValidatingBinding {
  const spec = specOf<'ValidatingAdmissionPolicyBinding'>(document);
  return { ...compileBinding(document), validationActions: spec.validationActions ?? [] };
}

function compileBinding(document: PolicyDocument): CompiledBinding {
  const spec = specOf<'MutatingAdmissionPolicyBinding'>(document);
  return {
    name: document.name,
    ...(spec.paramRef ? { paramRef: spec.paramRef } : {}),
    ...(spec.matchResources ? { matchResources: withMatchDefaults(spec.matchResources) } : {}),
  };
}

function policyNameOf(binding: PolicyDocument): string {
  return specOf<'MutatingAdmissionPolicyBinding'>(binding).policyName ?? '';
}

/** The bindings of a policy. Where the group of the paramKind cannot be read the API server leaves the policy out. */
function bindingsOf(
  policy: PolicyDocument,
  { paramKind }: PolicySpec,
  bindings: readonly PolicyDocument[],
): readonly PolicyDocument[] {
  if (paramKind && !parseApiVersion(paramKind.apiVersion ?? '')) return [];
  return bindings.filter((binding) => policyNameOf(binding) === policy.name);
}

function resolveParamKind(paramKind: ParamKind, customResources: readonly CompiledCustomResource[]): CompiledParamKind {
  const { apiVersion = '', kind = '' } = paramKind;
  const groupVersion = parseApiVersion(apiVersion);
  if (!groupVersion) return { apiVersion, kind };
  const custom = customResources.find(
    (row) =>
      row.group === groupVersion.group &&
      row.kind === kind &&
      row.versions.some(({ name }) => name === groupVersion.version),
  );
  if (custom)
    return { apiVersion, kind, resource: { name: custom.resource, namespaced: custom.namespaced, native: false } };
  const builtin = builtinResource({ ...groupVersion, kind });
  if (!builtin) return { apiVersion, kind };
  return {
    apiVersion,
    kind,
    resource: { name: builtin.resource, namespaced: builtin.namespaced, native: builtin.informer },
  };
}

/** Documents that some policy takes as params, with the defaults that the cluster would have stored. */
function paramObjects(
  documents: readonly PolicyDocument[],
  policies: readonly { readonly paramKind?: ParamKind }[],
  customResources: readonly CompiledCustomResource[],
): readonly JsonObject[] {
  return documents
    .filter(({ apiVersion, kind }) =>
      policies.some(({ paramKind }) => paramKind?.apiVersion === apiVersion && paramKind.kind === kind),
    )
    .map(({ apiVersion, kind, object }) => {
      const groupVersion = parseApiVersion(apiVersion);
      const custom = customResources.find((row) => row.kind === kind && row.group === groupVersion?.group);
      const defaults = custom?.versions.find(({ name }) => name === groupVersion?.version)?.defaults;
      return defaults ? withDefaults(object, defaults) : object;
    });
}

/** Policies that nothing binds, and bindings of policies that are not there: both do nothing, silently. */
function unbound(
  ofKind: (kind: string) => readonly PolicyDocument[],
  validating: readonly CompiledValidatingPolicy[],
  mutating: readonly CompiledMutatingPolicy[],
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const groups = [
    { kind: 'ValidatingAdmissionPolicy', compiled: validating },
    { kind: 'MutatingAdmissionPolicy', compiled: mutating },
  ] as const;
  for (const { kind, compiled } of groups) {
    const names = ofKind(kind).map(({ name }) => name);
    for (const policy of ofKind(kind)) {
      if (compiled.some(({ name, bindings }) => name === policy.name && bindings.length > 0)) continue;
      diagnostics.push({
        severity: 'warning',
        code: 'no-binding',
        message: `policy \`${policy.name}\` has no binding: it is never evaluated`,
        span: policy.span(['metadata', 'name']),
        help: `add a ${kind}Binding with policyName \`${policy.name}\``,
      });
    }
    for (const binding of ofKind(`${kind}Binding`)) {
      const wanted = policyNameOf(binding);
      if (names.includes(wanted)) continue;
      const near = nearest(wanted, names);
      diagnostics.push({
        severity: 'warning',
        code: 'no-policy',
        message: `binding \`${binding.name}\` names the policy \`${wanted}\`, which is not here`,
        field: 'spec.policyName',
        span: binding.span(['spec', 'policyName']),
        ...(near === undefined ? {} : { help: `did you mean \`${near}\`?` }),
      });
    }
  }
  return diagnostics;
}

/** Two objects of one kind and name: a cluster holds only one of them. */
function repeated(documents: readonly PolicyDocument[]): readonly Diagnostic[] {
  const seen = new Map<string, PolicyDocument>();
  return documents.flatMap((document): readonly Diagnostic[] => {
    const key = [document.apiVersion, document.kind, document.namespace, document.name].join(' ');
    const first = seen.get(key);
    if (!first) {
      seen.set(key, document);
      return [];
    }
    return [
      {
        severity: 'error',
        code: 'duplicate-object',
        message: `${document.kind} \`${document.name}\` stands here twice`,
        span: document.span(['metadata', 'name']),
      },
    ];
  });
}
