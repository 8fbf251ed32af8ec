import type { Comprehension, Expr, MapExpr, Struct } from './ast.ts';
import type { CheckedExpr } from './checker.ts';
import { AST_VERSION, type Code, type EncodedExpression, OP } from './code.ts';
import { Double, Uint, type Value } from './values.ts';

/** A checked expression as compact JSON data: names resolved, overloads named where exactly one is left. */
export function encode(checked: CheckedExpr): EncodedExpression {
  const node = (expr: Expr): Code => {
    switch (expr.kind) {
      case 'const':
        return [OP.const, constant(expr.value)];
      case 'ident':
        // cel-go takes every name of a type's type for the name of a type, a fold's variable too.
        return [checked.types.get(expr.id)?.kind === 'type' ? OP.type : OP.ident, expr.name];
      case 'select':
        return [expr.test ? OP.has : OP.select, node(expr.operand), expr.field];
      case 'call': {
        const overloads = checked.overloads.get(expr.id) ?? [];
        const overload = overloads.length === 1 ? (overloads[0] as string) : 0;
        const args = expr.args.map(node);
        return expr.target
          ? [OP.method, expr.name, overload, node(expr.target), ...args]
          : [OP.call, expr.name, overload, ...args];
      }
      case 'list':
        return expr.optional.length > 0
          ? [OP.list, expr.elements.map(node), [...expr.optional]]
          : [OP.list, expr.elements.map(node)];
      case 'map':
        return map(expr);
      case 'struct':
        return struct(expr);
      case 'comprehension':
        return comprehension(expr);
    }
  };
  const map = (expr: MapExpr): Code => {
    const entries = expr.entries.flatMap((entry) => [node(entry.key), node(entry.value)]);
    const optional = indexes(expr.entries);
    return optional.length > 0 ? [OP.map, entries, optional] : [OP.map, entries];
  };
  const struct = (expr: Struct): Code => {
    const fields = expr.fields.flatMap((field): Code[] => [field.name, node(field.value)]);
    const optional = indexes(expr.fields);
    return optional.length > 0 ? [OP.struct, expr.type, fields, optional] : [OP.struct, expr.type, fields];
  };
  const comprehension = (expr: Comprehension): Code => {
    const range = node(expr.range);
    const init = node(expr.init);
    const condition = node(expr.condition);
    const step = node(expr.step);
    const result = node(expr.result);
    return [OP.fold, range, expr.variable, expr.variable2 ?? 0, expr.accumulator, init, condition, step, result];
  };
  return [AST_VERSION, node(checked.expr)];
}

function indexes(parts: readonly { readonly optional: boolean }[]): number[] {
  return parts.flatMap((part, index) => (part.optional ? [index] : []));
}

/** Numbers that plain JSON would not keep, and bytes, are tagged pairs. */
function constant(value: Value): Code {
  if (typeof value === 'bigint') return ['i', value.toString()];
  if (value instanceof Uint) return ['u', value.value.toString()];
  if (value instanceof Double) return ['d', Object.is(value.value, -0) ? '-0' : String(value.value)];
  if (value instanceof Uint8Array) return ['b', [...value]];
  return value as Code;
}
