import type { Value } from './values.ts';

/**
 * The tree of an expression. `id` names a node in side tables: source offsets, types, resolved overloads.
 * Operators are calls by cel-go's names (`_+_`, `_&&_`, `_?_:_`, `_[_]`, `@in`, `_?._`, `_[?_]`, `!_`, `-_`).
 */
export type Expr = Const | Ident | Select | Call | List | MapExpr | Struct | Comprehension;

export interface Const {
  readonly kind: 'const';
  readonly id: number;
  /** null, bool, int, uint, double, string or bytes. */
  readonly value: Value;
}

export interface Ident {
  readonly kind: 'ident';
  readonly id: number;
  readonly name: string;
}

export interface Select {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  /** The presence test that `has(operand.field)` expands to. */
  readonly test: boolean;
}

export interface Call {
  readonly kind: 'call';
  readonly id: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface List {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expr[];
  /** Indexes of the elements written `?e`. */
  readonly optional: readonly number[];
}

export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}

export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface Struct {
  readonly kind: 'struct';
  readonly id: number;
  readonly type: string;
  readonly fields: readonly StructField[];
}

/** A fold: what the macros expand to. */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly range: Expr;
  readonly variable: string;
  /** The second variable of the two-variable macros. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** Name of the accumulator in macro expansions; no source text can spell it. */
export const ACCUMULATOR = '@result';

/** The iteration variable of a fold that only binds a name. */
export const UNUSED_VARIABLE = '#unused';

/** A parsed expression with what is needed to speak about it. */
export interface ParsedExpr {
  readonly source: string;
  readonly expr: Expr;
  /** UTF-16 offset of a node in the source, by id. */
  readonly offsets: ReadonlyMap<number, number>;
  /** The call as written, for each node that a macro replaced. */
  readonly macros: ReadonlyMap<number, Expr>;
}

/** A direct child list, in evaluation order of the source. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'const':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target ? [expr.target, ...expr.args] : expr.args;
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expr.fields.map((field) => field.value);
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}
