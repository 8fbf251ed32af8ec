/** Compiles the expressions of one policy in order, and reports what is wrong with them at their places. */
import { type Env, types } from '#cel';
import { at, type Diagnostic } from '#diagnostics';
import { type FieldPath, fieldText, goQuote, goTrim, type Variable } from '#kubernetes';
import type { CompiledExpression, CompiledVariable } from '../compiled.ts';
import { SLOTS } from '../environment.ts';
import type { PolicyDocument } from './document.ts';
import { explain } from './explain.ts';
import {
  type CompiledExpressionResult,
  compileExpression,
  compileIn,
  type ExpressionUse,
  environment,
  type VariableDeclaration,
} from './expression.ts';

export interface ExpressionCompiler {
  /** Compiles an expression that may read all variables so far. */
  compile(source: string, use: ExpressionUse, path: FieldPath): CompiledExpression;
  /** Compiles variables in order; later expressions may read them. */
  variables(variables: readonly Variable[]): readonly CompiledVariable[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `asNew`: as the API checks what is created; else as its plugins compile what is stored. */
export function expressionCompiler(document: PolicyDocument, params: boolean, asNew: boolean): ExpressionCompiler {
  const declared: VariableDeclaration[] = [];
  const diagnostics: Diagnostic[] = [];
  const compile = (source: string, use: ExpressionUse, path: FieldPath): CompiledExpressionResult => {
    const result =
      asNew && use === 'matchCondition'
        ? compileNewCondition(source, params)
        : compileExpression(source, use, { params, variables: declared });
    // a blank expression is a missing field
    if (!result.ok && goTrim(source) !== '') {
      const env = environment(use, { params, variables: declared });
      diagnostics.push(
        ...diagnose(
          document,
          path,
          result,
          env,
          declared.map(({ name }) => name),
        ),
      );
    }
    return result;
  };
  return {
    diagnostics,
    compile: (source, use, path) => stored(compile(source, use, path)),
    variables: (variables) =>
      variables.map(({ name, expression }, index) => {
        const result = compile(expression, 'variable', ['spec', 'variables', index, 'expression']);
        declared.push(result.ok ? { name, type: result.type } : { name });
        return { name, expression: stored(result) };
      }),
  };
}

/** New matchConditions may not read variables, though stored ones could (API server: validation.go). */
function compileNewCondition(source: string, params: boolean): CompiledExpressionResult {
  const env = environment('matchCondition', { params, variables: [] });
  const variables = new Map([...env.variables].filter(([name]) => name !== 'variables'));
  return compileIn({ ...env, variables }, source, [types.BOOL], SLOTS);
}

function stored(result: CompiledExpressionResult): CompiledExpression {
  const { source } = result;
  return result.ok ? { source, code: result.code, type: result.typeText } : { source, error: result.error };
}

function diagnose(
  document: PolicyDocument,
  path: FieldPath,
  { source, stage, error, issues }: Extract<CompiledExpressionResult, { ok: false }>,
  env: Env,
  variables: readonly string[],
): readonly Diagnostic[] {
  const field = fieldText(path);
  const text = document.text(path);
  return issues.map((issue) => {
    const { message, help, start, end } = explain(source, issue, env, variables);
    return {
      severity: 'error',
      code: `cel-${stage}`,
      message,
      upstream: `${field}: Invalid value: ${goQuote(source)}: ${error}`,
      field,
      span: text ? at(text, start, end) : document.span(path),
      ...(help === undefined ? {} : { help }),
    };
  });
}
