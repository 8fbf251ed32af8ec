/** Manifests to compiled policies: validated by the API's rules, defaulted, expressions checked, bindings joined. */
import type { Diagnostic } from '#diagnostics';
import { POLICY_GROUP, parseApiVersion } from '#kubernetes';
import { builtinNative, nativeClosure } from '#kubernetes/native-facts';
import { link } from '#merge';
import { builtinSchema, closure, crdSchema } from '#merge/schemas';
import type {
  CompiledBinding,
  CompiledCustomResource,
  CompiledMutatingPolicy,
  CompiledPolicies,
  CompiledValidatingBinding,
  CompiledValidatingPolicy,
} from '../compiled.ts';
import { configurationWarnings } from './configuration-warnings.ts';
import { customResource, isDefinition } from './custom-resources.ts';
import { DEFAULT_FAILURE_POLICY, withMatchDefaults } from './defaults.ts';
import type { PolicyDocument } from './document.ts';
import { expressionCompiler } from './expressions.ts';
import { moreSchemas } from './more-schemas.ts';
import { mutatedKinds, renamedKinds } from './mutated-kinds.ts';
import { policyNameOf, repeated, unbound } from './oversights.ts';
import { paramObjects, resolveParamKind } from './param-kinds.ts';
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
  const byKind = groupBy(
    inOrder.filter(({ apiVersion }) => apiVersion === `${POLICY_GROUP}/v1`),
    ({ kind }) => kind,
  );
  const ofKind = (kind: string): readonly PolicyDocument[] => byKind.get(kind) ?? [];
  const bindings = {
    validating: groupBy(ofKind('ValidatingAdmissionPolicyBinding'), policyNameOf),
    mutating: groupBy(ofKind('MutatingAdmissionPolicyBinding'), policyNameOf),
  };

  if (validate) for (const document of documents) diagnostics.push(...validateDocument(document));
  const context: Context = { validate, diagnostics, customResources };
  const validating = ofKind('ValidatingAdmissionPolicy').map((policy) =>
    compileValidating(policy, bindings.validating, context),
  );
  const mutating = ofKind('MutatingAdmissionPolicy').map((policy) =>
    compileMutating(policy, bindings.mutating, context),
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
  if (validate && mutating.length > 0) {
    const schema = link(compiled.mergeSchema);
    ofKind('MutatingAdmissionPolicy').forEach((document, index) => {
      const policy = mutating[index];
      if (policy) diagnostics.push(...configurationWarnings(document, policy, schema, customResources));
    });
  }
  return { compiled, diagnostics };
}

/** Bindings by the policy that they name. */
type Bindings = ReadonlyMap<string, readonly PolicyDocument[]>;

interface Context {
  readonly validate: boolean;
  readonly diagnostics: Diagnostic[];
  readonly customResources: readonly CompiledCustomResource[];
}

function compileValidating(document: PolicyDocument, bindings: Bindings, context: Context): CompiledValidatingPolicy {
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

function compileMutating(document: PolicyDocument, bindings: Bindings, context: Context): CompiledMutatingPolicy {
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

/** The bindings of a policy. Where the group of the paramKind cannot be read the API server leaves the policy out. */
function bindingsOf(policy: PolicyDocument, { paramKind }: PolicySpec, bindings: Bindings): readonly PolicyDocument[] {
  if (paramKind && !parseApiVersion(paramKind.apiVersion ?? '')) return [];
  return bindings.get(policy.name) ?? [];
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
