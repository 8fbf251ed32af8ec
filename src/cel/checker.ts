import type { Call, Comprehension, Expr, List, MapExpr, ParsedExpr, Select, Struct } from './ast.ts';
import type { DeclaredOverload, Env } from './env.ts';
import { assignable, instantiate, isDynOrError, mostGeneral, type Substitution, substitute } from './inference.ts';
import type { Issue } from './issues.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  ERROR,
  INT,
  isOptional,
  listType,
  mapType,
  NULL,
  optionalType,
  paramType,
  STRING,
  sameType,
  typeText,
  typeType,
  UINT,
} from './types.ts';
import { Double, Uint, type Value } from './values.ts';

/** A checked expression: the tree rewritten to resolved names, its types, and the overloads each call may take. */
export interface CheckedExpr {
  readonly source: string;
  readonly expr: Expr;
  readonly type: CelType;
  readonly types: ReadonlyMap<number, CelType>;
  /** Overload ids by call; exactly one when the call is resolved. */
  readonly overloads: ReadonlyMap<number, readonly string[]>;
  readonly offsets: ReadonlyMap<number, number>;
  /** Whether a selected field has no type at all: cel-go then fails to store the tree. */
  readonly untyped: boolean;
}

export type CheckResult = { readonly checked: CheckedExpr } | { readonly issues: readonly Issue[] };

/** Checks a parsed expression as cel-go's checker does; all faults are collected. */
export function check(parsed: ParsedExpr, env: Env): CheckResult {
  const checker = new Checker(parsed, env);
  const expr = checker.check(parsed.expr);
  if (checker.issues.length > 0) return { issues: checker.issues };
  return { checked: checker.finish(expr) };
}

class Checker {
  readonly issues: Issue[] = [];
  readonly #parsed: ParsedExpr;
  readonly #env: Env;
  readonly #types = new Map<number, CelType>();
  readonly #overloads = new Map<number, readonly string[]>();
  readonly #scopes: Map<string, CelType>[] = [];
  #bound: Substitution = new Map();
  #lastParam = 0;
  #untyped = false;

  constructor(parsed: ParsedExpr, env: Env) {
    this.#parsed = parsed;
    this.#env = env;
  }

  finish(expr: Expr): CheckedExpr {
    const types = new Map<number, CelType>();
    for (const [id, type] of this.#types) types.set(id, substitute(this.#bound, type, true));
    const { source, offsets } = this.#parsed;
    return {
      source,
      expr,
      type: types.get(expr.id) ?? DYN,
      types,
      overloads: this.#overloads,
      offsets,
      untyped: this.#untyped,
    };
  }

  #report(id: number, message: string): void {
    this.issues.push({ offset: this.#parsed.offsets.get(id), message });
  }

  #undeclared(id: number, name: string): CelType {
    this.#report(id, `undeclared reference to '${name}' (in container '')`);
    return ERROR;
  }

  #mismatch(id: number, expected: CelType, found: CelType): void {
    this.#report(id, `expected type '${typeText(expected)}' but found '${typeText(found)}'`);
  }

  #freshParam(): string {
    return `_var${this.#lastParam++}`;
  }

  #typeOf(expr: Expr): CelType {
    return this.#types.get(expr.id) ?? ERROR;
  }

  #assign(from: CelType, to: CelType): boolean {
    const extended = assignable(this.#bound, [from], [to]);
    if (extended) this.#bound = extended;
    return extended !== undefined;
  }

  #set<E extends Expr>(expr: E, type: CelType): E {
    this.#types.set(expr.id, type);
    return expr;
  }

  #current(type: CelType): CelType {
    return substitute(this.#bound, type, false);
  }

  check(expr: Expr): Expr {
    switch (expr.kind) {
      case 'const':
        return this.#set(expr, constantType(expr.value));
      case 'ident': {
        const found = this.#lookup(expr.name);
        if (!found) return this.#set(expr, this.#undeclared(expr.id, expr.name));
        return this.#set({ ...expr, name: found.name }, found.type);
      }
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  /** Innermost scope first; a leading dot changes nothing here, in cel-go 0.26 neither. */
  #lookup(written: string): { name: string; type: CelType } | undefined {
    const name = written.startsWith('.') ? written.slice(1) : written;
    for (let depth = this.#scopes.length - 1; depth >= 0; depth--) {
      const local = this.#scopes[depth]?.get(name);
      if (local) return { name, type: local };
    }
    const variable = this.#env.variables.get(name);
    if (variable) return { name, type: variable };
    const type = this.#env.typeNames.get(name) ?? this.#env.structs.find(name);
    return type && { name, type: typeType(type) };
  }

  /** Whether a qualified name begins with a variable of a fold: then it is a selection, whatever is declared. */
  #isLocal(qualified: string): boolean {
    const [root = ''] = qualified.replace(/^\./, '').split('.', 1);
    return this.#scopes.some((scope) => scope.has(root));
  }

  #select(expr: Select): Expr {
    const qualified = qualifiedName(expr);
    const found = qualified !== undefined && !this.#isLocal(qualified) ? this.#lookup(qualified) : undefined;
    if (found) return this.#set({ kind: 'ident', id: expr.id, name: found.name }, found.type);
    const operand = this.check(expr.operand);
    const type = this.#fieldType(expr.id, operand, expr.field, false);
    return this.#set({ ...expr, operand }, expr.test ? BOOL : this.#current(type));
  }

  #fieldType(id: number, operand: Expr, field: string, optional: boolean): CelType {
    const operandType = this.#current(this.#typeOf(operand));
    const target = isOptional(operandType) ? (operandType.params[0] as CelType) : operandType;
    const type = this.#selected(id, target, field);
    return isOptional(operandType) || optional ? optionalType(type) : type;
  }

  #selected(id: number, target: CelType, field: string): CelType {
    switch (target.kind) {
      case 'map':
        return target.params[1] as CelType;
      case 'struct': {
        const type = this.#env.structs.field(target.name, field);
        if (type) return type;
        if (type === null) {
          this.#untyped = true;
          return DYN;
        }
        this.#report(id, `undefined field '${field}'`);
        return ERROR;
      }
      case 'param':
        this.#assign(DYN, target);
        return DYN;
      default:
        if (!isDynOrError(target)) this.#report(id, `type '${typeText(target)}' does not support field selection`);
        return DYN;
    }
  }

  #call(expr: Call): Expr {
    if (expr.name === '_?._') return this.#optionalSelect(expr);
    const args = expr.args.map((arg) => this.check(arg));
    if (!expr.target) {
      const name = expr.name.startsWith('.') ? expr.name.slice(1) : expr.name;
      const declared = this.#env.functions.get(name);
      if (!declared) return this.#set(expr, this.#undeclared(expr.id, expr.name));
      return this.#resolve({ ...expr, name, args }, declared);
    }
    const prefix = qualifiedName(expr.target);
    const qualified = prefix === undefined ? undefined : `${prefix.replace(/^\./, '')}.${expr.name}`;
    const namespaced = qualified === undefined ? undefined : this.#env.functions.get(qualified);
    if (qualified !== undefined && namespaced) {
      return this.#resolve({ ...expr, name: qualified, target: undefined, args }, namespaced);
    }
    const target = this.check(expr.target);
    const declared = this.#env.functions.get(expr.name);
    if (!declared) return this.#set(expr, this.#undeclared(expr.id, expr.name));
    return this.#resolve({ ...expr, target, args }, declared);
  }

  #optionalSelect(expr: Call): Expr {
    const [operand, field] = expr.args as readonly [Expr, Expr];
    const checked = this.check(operand);
    this.#set(field, STRING);
    const name = field.kind === 'const' && typeof field.value === 'string' ? field.value : '';
    const type = this.#fieldType(expr.id, checked, name, true);
    this.#overloads.set(expr.id, ['select_optional_field']);
    return this.#set({ ...expr, args: [checked, field] }, this.#current(type));
  }

  #resolve(expr: Call, declared: readonly DeclaredOverload[]): Expr {
    if (expr.name === '_&&_' || expr.name === '_||_') return this.#logical(expr);
    const operands = expr.target ? [expr.target, ...expr.args] : expr.args;
    const types = operands.map((operand) => this.#typeOf(operand));
    let result: CelType | undefined;
    const ids: string[] = [];
    for (const { id, signature } of declared) {
      if (signature.member !== (expr.target !== undefined)) continue;
      const [resultType, ...params] = instantiate([signature.result, ...signature.params], () => this.#freshParam());
      const extended = assignable(this.#bound, types, params);
      if (!extended) continue;
      this.#bound = extended;
      ids.push(id);
      const type = this.#current(resultType as CelType);
      if (!result) result = type;
      else if (result.kind !== 'dyn' && !sameType(type, result)) result = DYN;
    }
    if (!result) {
      const shown = types.map((type) => typeText(substitute(this.#bound, type, true)));
      const call = expr.target ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
      this.#report(expr.id, `found no matching overload for '${expr.name}' applied to '${call}'`);
      return this.#set(expr, ERROR);
    }
    this.#overloads.set(expr.id, ids);
    return this.#set(expr, result);
  }

  #logical(expr: Call): Expr {
    let type = BOOL;
    for (const arg of expr.args) {
      if (this.#assign(this.#typeOf(arg), BOOL)) continue;
      this.#mismatch(arg.id, BOOL, this.#typeOf(arg));
      type = ERROR;
    }
    this.#overloads.set(expr.id, [expr.name === '_&&_' ? 'logical_and' : 'logical_or']);
    return this.#set(expr, type);
  }

  /** The type inside an optional entry; a type that is plainly not optional is reported. */
  #unwrapped(value: Expr, optional: boolean): CelType {
    const type = this.#typeOf(value);
    if (!optional) return type;
    const current = this.#current(type);
    if (isOptional(current)) return current.params[0] as CelType;
    if (current.kind !== 'dyn') this.#mismatch(value.id, optionalType(current), current);
    return type;
  }

  /** The type of mixed elements is dyn; that they are mixed is for the validators to report. */
  #join(previous: CelType | undefined, type: CelType): CelType {
    if (!previous) return type;
    return this.#assign(previous, type) ? mostGeneral(previous, type) : DYN;
  }

  #list(expr: List): Expr {
    let element: CelType | undefined;
    const elements = expr.elements.map((item, index) => {
      const checked = this.check(item);
      element = this.#join(element, this.#unwrapped(checked, expr.optional.includes(index)));
      return checked;
    });
    return this.#set({ ...expr, elements }, listType(element ?? paramType(this.#freshParam())));
  }

  #map(expr: MapExpr): Expr {
    let keyType: CelType | undefined;
    let valueType: CelType | undefined;
    const entries = expr.entries.map((entry) => {
      const key = this.check(entry.key);
      keyType = this.#join(keyType, this.#typeOf(key));
      const value = this.check(entry.value);
      valueType = this.#join(valueType, this.#unwrapped(value, entry.optional));
      return { ...entry, key, value };
    });
    const type = mapType(keyType ?? paramType(this.#freshParam()), valueType ?? paramType(this.#freshParam()));
    return this.#set({ ...expr, entries }, type);
  }

  #struct(expr: Struct): Expr {
    const found = this.#lookup(expr.type);
    if (!found) return this.#set(expr, this.#undeclared(expr.id, expr.type));
    const type = this.#constructed(expr.id, found.name, found.type);
    const fields = expr.fields.map((field) => {
      const value = this.check(field.value);
      const declared = type.kind === 'error' ? ERROR : this.#declaredField(field.id, found.name, field.name);
      const valueType = this.#unwrapped(value, field.optional);
      if (declared === null || !this.#assign(declared, valueType)) {
        const expected = declared === null ? '' : typeText(declared);
        this.#report(
          field.id,
          `expected type of field '${field.name}' is '${expected}' but provided type is '${typeText(valueType)}'`,
        );
      }
      return { ...field, value };
    });
    return this.#set({ ...expr, type: found.name, fields }, type);
  }

  #constructed(id: number, name: string, type: CelType): CelType {
    if (type.kind === 'error') return ERROR;
    if (type.kind !== 'type') {
      this.#report(id, `'${typeText(type)}' is not a type`);
      return ERROR;
    }
    const [built = DYN] = type.params;
    if (built.kind === 'struct' || this.#env.structs.find(name)) return built;
    this.#report(id, `'${built.name}' is not a message type`);
    return ERROR;
  }

  #declaredField(id: number, type: string, field: string): CelType | null {
    const found = this.#env.structs.field(type, field);
    if (found !== undefined) return found;
    this.#report(id, `undefined field '${field}'`);
    return ERROR;
  }

  #comprehension(expr: Comprehension): Expr {
    const range = this.check(expr.range);
    const init = this.check(expr.init);
    const rangeType = this.#current(this.#typeOf(range));
    const accumulated = this.#typeOf(init);
    this.#scopes.push(new Map([[expr.accumulator, accumulated]]));
    const [first, second] = this.#variableTypes(range, rangeType, expr.variable2 !== undefined);
    const loop = new Map([[expr.variable, first]]);
    if (expr.variable2 !== undefined) loop.set(expr.variable2, second);
    this.#scopes.push(loop);
    const condition = this.check(expr.condition);
    this.#expect(condition, BOOL);
    const step = this.check(expr.step);
    this.#expect(step, accumulated);
    this.#scopes.pop();
    const result = this.check(expr.result);
    this.#scopes.pop();
    return this.#set({ ...expr, range, init, condition, step, result }, this.#current(this.#typeOf(result)));
  }

  #expect(expr: Expr, type: CelType): void {
    if (!this.#assign(type, this.#typeOf(expr))) this.#mismatch(expr.id, type, this.#typeOf(expr));
  }

  #variableTypes(range: Expr, type: CelType, two: boolean): readonly [CelType, CelType] {
    const [first = DYN, second = DYN] = type.params;
    switch (type.kind) {
      case 'list':
        return two ? [INT, first] : [first, DYN];
      case 'map':
        return [first, second];
      case 'dyn':
      case 'error':
      case 'any':
      case 'param':
        this.#assign(DYN, type);
        return [DYN, DYN];
      default:
        this.#report(
          range.id,
          `expression of type '${typeText(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [ERROR, ERROR];
    }
  }
}

function constantType(value: Value): CelType {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'boolean':
      return BOOL;
    case 'bigint':
      return INT;
    case 'number':
      return Number.isInteger(value) ? INT : DOUBLE;
    default:
      if (value instanceof Uint) return UINT;
      if (value instanceof Double) return DOUBLE;
      return value instanceof Uint8Array ? BYTES : NULL;
  }
}

/** `a.b.c` as one name, when it is nothing but identifiers and selections. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
