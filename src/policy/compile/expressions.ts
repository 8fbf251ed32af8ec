/** Compiles the expressions of one policy in order, and reports what is wrong with them at their places. */
import { at, type Diagnostic } from '#diagnostics';
import { type FieldPath, fieldText, type Variable } from '#kubernetes';
import type { CompiledExpression, CompiledVariable } from '../compiled.ts';
import type { PolicyDocument } from './document.ts';
import { compileExpression, type ExpressionUse, type VariableDeclaration } from './expression.ts';

export interface ExpressionCompiler {
  /** Compiles an expression that may read all variables so far. */
  compile(source: string, use: ExpressionUse, path: FieldPath): CompiledExpression;
  /** Compiles variables in order; later expressions may read them. */
  variables(variables: readonly Variable[]): readonly CompiledVariable[];
  readonly diagnostics: readonly Diagnostic[];
}

export function expressionCompiler(document: PolicyDocument, params: boolean): ExpressionCompiler {
  const declared: VariableDeclaration[] = [];
  const diagnostics: Diagnostic[] = [];
  const compile = (source: string, use: ExpressionUse, path: FieldPath): ReturnType<typeof compileExpression> => {
    const result = compileExpression(source, use, { params, variables: declared });
    if (!result.ok) {
      const text = document.text(path);
      for (const { offset, message } of result.issues) {
        diagnostics.push({
          severity: 'error',
          code: `cel-${result.stage}`,
          message,
          upstream: `${fieldText(path)}: Invalid value: ${JSON.stringify(source)}: ${result.error}`,
          field: fieldText(path),
          span: text ? at(text, offset ?? 0, (offset ?? 0) + 1) : document.span(path),
        });
      }
    }
    return result;
  };
  const stored = (result: ReturnType<typeof compileExpression>): CompiledExpression =>
    result.ok
      ? { source: result.source, code: result.code, type: result.typeText }
      : { source: result.source, error: result.error };
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
