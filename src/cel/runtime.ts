/**
 * What evaluation needs at the edge: stored code to programs, programs to results. The parser and the checker are never
 * reached from here.
 */
export { AST_VERSION, type Code, type EncodedExpression } from './code.ts';
export { codePoints, sizeOf, traversal, utf8Length } from './cost.ts';
export { compare, compareText, equal, mapEntries, mapGet, mapKeys, mapSize } from './equality.ts';
export { atoi, formatDouble, formatFixed } from './go-numbers.ts';
export { quoteGo, trimSpace } from './go-text.ts';
export { formatValue } from './go-value.ts';
export { JsonError, parseJson, stringifyJson } from './json.ts';
export { listExtensions, sets, standardLibraries, strings } from './library/index.ts';
export type { CallCost, Library, Overload } from './library/library.ts';
export { isComparable } from './library/lists.ts';
export { add as addValues } from './plan/arithmetic.ts';
export { type FunctionTable, functionTable } from './plan/calls.ts';
export type { Structs } from './plan/literals.ts';
export { type Evaluation, type Program, type ProgramOptions, planProgram } from './program.ts';
export { cachingRegexpCompiler, compileRegexp, type Regexp } from './regexp.ts';
export { formatDuration, formatTimestamp, isCalendarDate } from './time.ts';
export { typeName } from './type-name.ts';
export { decodeUtf8, decodeUtf8Lossy, encodeUtf8 } from './utf8.ts';
export {
  CelError,
  CelMap,
  Double,
  Duration,
  double,
  type Int,
  isDouble,
  isInt,
  isJsonMap,
  isMap,
  type JsonMap,
  normalizeInt,
  Opaque,
  Optional,
  ownProperty,
  type Result,
  TextList,
  Timestamp,
  TypeValue,
  Uint,
  Unconverted,
  type Value,
} from './values.ts';
