/** What authoring needs: expressions to checked trees and stored code. */
export type { Expr, ParsedExpr } from './ast.ts';
export * as types from './author-types.ts';
export { type CheckedExpr, type CheckResult, check } from './checker.ts';
export { encode } from './encode.ts';
export { createEnv, type Env, type EnvOptions, extendEnv, type StructTypes } from './env.ts';
export { displayIssues, type Issue } from './issues.ts';
export { type ParseResult, parse } from './parser.ts';
export { type CelType, parseType, sameType, typeText } from './types.ts';
export { unparse } from './unparse.ts';
export { validate } from './validators.ts';
