import {
  type CelType,
  check,
  createEnv,
  displayIssues,
  type Env,
  encode,
  type Issue,
  parse,
  sameType,
  types,
  validate,
} from '#cel';
import { type EncodedExpression, functionTable, planProgram, standardLibraries } from '#cel/runtime';
import { SLOTS } from '../environment.ts';
import { jsonPatch, kubernetesLibraries } from '../library/index.ts';
import { patchStructs } from '../object-values.ts';
import {
  AUTHORIZER,
  JSON_PATCHES,
  kubernetesStructs,
  NAMESPACE,
  OBJECT,
  REQUEST,
  RESOURCE_CHECK,
  VARIABLES,
  variableType,
} from './declared-types.ts';

/** What an expression is for: it decides which names are declared and which result types are accepted. */
export type ExpressionUse =
  | 'validation'
  | 'matchCondition'
  | 'variable'
  | 'message'
  | 'auditAnnotation'
  | 'applyConfiguration'
  | 'jsonPatch'
  | 'webhookMatchCondition';

interface Use {
  readonly authorizer: boolean;
  readonly policy: boolean;
  readonly patches: boolean;
  /** Exact static types; any when empty. */
  readonly results: readonly CelType[];
}

const { BOOL, DYN, NULL, STRING } = types;

const USES: Readonly<Record<ExpressionUse, Use>> = {
  validation: { authorizer: true, policy: true, patches: false, results: [BOOL] },
  matchCondition: { authorizer: true, policy: true, patches: false, results: [BOOL] },
  variable: { authorizer: true, policy: true, patches: false, results: [] },
  message: { authorizer: false, policy: true, patches: false, results: [STRING] },
  auditAnnotation: { authorizer: true, policy: true, patches: false, results: [STRING, NULL] },
  applyConfiguration: { authorizer: true, policy: true, patches: true, results: [OBJECT] },
  jsonPatch: { authorizer: true, policy: true, patches: true, results: [JSON_PATCHES] },
  webhookMatchCondition: { authorizer: true, policy: false, patches: false, results: [BOOL] },
};

/** A variable that earlier expressions of the policy defined; its type when it compiled. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type?: CelType;
}

export interface ExpressionScope {
  /** Whether the policy has a paramKind. */
  readonly params: boolean;
  readonly variables: readonly VariableDeclaration[];
}

export type CompiledExpressionResult =
  | {
      readonly ok: true;
      readonly source: string;
      readonly code: EncodedExpression;
      readonly type: CelType;
      readonly typeText: string;
    }
  | {
      readonly ok: false;
      readonly source: string;
      /** The API server's text. */
      readonly error: string;
      /** Where compiling ended. */
      readonly stage: 'parse' | 'check' | 'type' | 'program';
      /** Its static type, where checking got that far. */
      readonly typeText?: string;
      /** The single faults, with their places. */
      readonly issues: readonly Issue[];
    };

const LIBRARIES = [...standardLibraries, ...kubernetesLibraries];
const PATCH_LIBRARIES = [...LIBRARIES, jsonPatch];
const BASE: Env = createEnv({ variables: {}, libraries: LIBRARIES });
const PATCH_BASE: Env = createEnv({ variables: {}, libraries: PATCH_LIBRARIES });
const FUNCTIONS = functionTable(PATCH_LIBRARIES);

/** Compiles an expression as the API server does for that use (API server: plugin/cel/compile.go CompileCELExpression). */
export function compileExpression(
  source: string,
  use: ExpressionUse,
  scope: ExpressionScope,
): CompiledExpressionResult {
  return compileIn(environment(use, scope), source, USES[use].results, SLOTS);
}

/** The names that an expression of that use may say. */
export function environment(use: ExpressionUse, scope: ExpressionScope): Env {
  const { authorizer, policy, patches } = USES[use];
  const variables = new Map<string, CelType>([
    ['object', DYN],
    ['oldObject', DYN],
    ['request', REQUEST],
    ['namespaceObject', NAMESPACE],
  ]);
  if (authorizer) variables.set('authorizer', AUTHORIZER).set('authorizer.requestResource', RESOURCE_CHECK);
  if (policy && scope.params) variables.set('params', DYN);
  if (policy) variables.set('variables', VARIABLES);
  const declared = new Map(scope.variables.map(({ name, type }) => [name, type ? variableType(type) : DYN] as const));
  return { ...(patches ? PATCH_BASE : BASE), variables, structs: kubernetesStructs(declared, patches) };
}

/** Compiles in a given environment; `results` are the exact types accepted, any when empty. */
export function compileIn(
  env: Env,
  source: string,
  results: readonly CelType[],
  slots: readonly string[],
): CompiledExpressionResult {
  const refused = (stage: 'parse' | 'check', issues: readonly Issue[]): CompiledExpressionResult => ({
    ok: false,
    source,
    stage,
    issues,
    error: `compilation failed: ${displayIssues(source, issues)}`,
  });
  const parsed = parse(source);
  if ('issues' in parsed) return refused('parse', parsed.issues);
  const result = check(parsed.parsed, env);
  if ('issues' in result) return refused('check', result.issues);
  const { checked } = result;
  if (checked.untyped) {
    const error = 'unexpected compilation error: missing type conversion to proto: ';
    return { ok: false, source, stage: 'check', issues: [{ offset: undefined, message: error }], error };
  }
  const issues = validate(checked);
  if (issues.length > 0) return refused('check', issues);
  const typeText = types.runtimeTypeText(checked.type);
  if (results.length > 0 && !results.some((type) => sameType(type, checked.type))) {
    const error = wrongType(results, typeText);
    return { ok: false, source, stage: 'type', typeText, issues: [{ offset: undefined, message: error }], error };
  }
  const code = encode(checked);
  const program = planProgram(code, { slots, functions: FUNCTIONS, structs: patchStructs, verify: true });
  if ('error' in program) {
    const issue = { offset: undefined, message: program.error };
    return {
      ok: false,
      source,
      stage: 'program',
      typeText,
      issues: [issue],
      error: `program instantiation failed: ${program.error}`,
    };
  }
  return { ok: true, source, code, type: checked.type, typeText };
}

function wrongType(results: readonly CelType[], found: string): string {
  const names = results.map(types.runtimeTypeText);
  return names.length === 1
    ? `must evaluate to ${names[0]} but got ${found}`
    : `must evaluate to one of [${names.join(' ')}] but got ${found}`;
}
