import { AST_VERSION, type Code, OP } from '../code.ts';
import { compileRegexp } from '../regexp.ts';
import { celGoType } from '../type-name.ts';
import { CelError, CelMap, heldBy, Optional, type Result, TypeValue, type Value } from '../values.ts';
import { negate, not } from './arithmetic.ts';
import { type Attribute, attributeStep, type Qualifier, qualified } from './attribute.ts';
import { callCost, callStep, candidates, dispatch, type FunctionTable, specialized } from './calls.ts';
import { collector, counter, entryInserter, type FoldSlots, fold, inserter, quantifier } from './comprehension.ts';
import { constant, indexes, malformed, many, overloadId, pairs, text } from './decode.ts';
import { PlanError, type Step, units } from './frame.ts';
import { listLiteral, mapLiteral, type Structs, structLiteral } from './literals.ts';
import {
  BINARY,
  binaryStep,
  concatenation,
  constantEquality,
  constantKeyStep,
  constantMatch,
  constantTextTest,
  equalityStep,
  intComparison,
  logicalStep,
  matchesOperator,
  membershipStep,
  UNARY,
  unaryStep,
} from './operators.ts';
import { isKey } from './qualify.ts';
import { type FoldShape, foldShape } from './shapes.ts';

export interface PlanOptions {
  /** Names of the variables, in the order in which evaluation gets their values. */
  readonly slots: readonly string[];
  readonly functions: FunctionTable;
  readonly structs: Structs;
  /** Whether constant patterns are compiled now; otherwise when first used, taking them to be sound. */
  readonly verify?: boolean;
}

type Planned =
  | Attribute
  | { readonly kind: 'const'; readonly value: Value }
  | { readonly kind: 'step'; readonly run: Step };

/** Deepest nesting of stored code that is planned. */
const MAX_DEPTH = 1_000;

/** Plans stored code into a step. Throws `PlanError`. */
export function planCode(code: unknown, options: PlanOptions): { readonly run: Step; readonly locals: number } {
  if (!Array.isArray(code) || code.length !== 2)
    throw new PlanError('expression code is not a pair of version and tree');
  const [version, root]: readonly Code[] = code as readonly Code[];
  if (version !== AST_VERSION)
    throw new PlanError(`expression code has version \`${String(version)}\`, not ${AST_VERSION}`);
  const planner = new Planner(options);
  const run = planner.step(planner.node(root));
  return { run, locals: planner.locals };
}

/** A name that a fold binds. */
interface Local {
  readonly name: string;
  readonly index: number;
  /** For a binding: what it stands for, evaluated when first read. */
  readonly init?: Step;
}

/** The index of an accumulator that a loop keeps to itself; no code of a macro reads it. */
const UNREADABLE = -1;

/** Conversions whose constant arguments are folded when a program is built. */
const FOLDED: ReadonlySet<string> = new Set('int uint double bool string bytes timestamp duration dyn type'.split(' '));

class Planner {
  locals = 0;
  readonly #options: PlanOptions;
  readonly #scope: Local[] = [];
  #depth = 0;

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  step(planned: Planned): Step {
    switch (planned.kind) {
      case 'const': {
        const { value } = planned;
        return () => value;
      }
      case 'attribute':
        return attributeStep(planned, true);
      case 'step':
        return planned.run;
    }
  }

  #child(code: Code | undefined): Step {
    return this.step(this.node(code));
  }

  node(code: Code | undefined): Planned {
    if (!Array.isArray(code)) throw malformed(code);
    if (++this.#depth > MAX_DEPTH) throw new PlanError('expression code nests too deeply');
    try {
      return this.#node(code as readonly Code[]);
    } finally {
      this.#depth--;
    }
  }

  #node(code: readonly Code[]): Planned {
    switch (code[0]) {
      case OP.const:
        return { kind: 'const', value: constant(code[1]) };
      case OP.ident:
        return this.#ident(text(code[1]));
      case OP.type:
        return { kind: 'const', value: this.#type(text(code[1])) };
      case OP.select:
        return this.#qualify(this.node(code[1]), { key: text(code[2]), optional: false, test: false });
      case OP.has:
        return this.#qualify(this.node(code[1]), { key: text(code[2]), optional: false, test: true });
      case OP.call:
        return this.#call(text(code[1]), overloadId(code[2]), code.slice(3), false);
      case OP.method:
        return this.#call(text(code[1]), overloadId(code[2]), code.slice(3), true);
      case OP.list:
        return this.#list(many(code[1]), indexes(code[2]));
      case OP.map:
        return this.#map(many(code[1]), indexes(code[2]));
      case OP.struct:
        return this.#struct(text(code[1]), many(code[2]), indexes(code[3]));
      case OP.fold:
        return this.#fold(code);
      default:
        throw malformed(code);
    }
  }

  #ident(name: string): Planned {
    for (let index = this.#scope.length - 1; index >= 0; index--) {
      const local = this.#scope[index] as Local;
      if (local.name !== name) continue;
      if (local.index === UNREADABLE)
        throw new PlanError(`expression code reads the accumulator \`${name}\` of a loop`);
      return { kind: 'attribute', base: { kind: 'local', index: local.index, init: local.init }, qualifiers: [] };
    }
    const slot = this.#options.slots.indexOf(name);
    if (slot < 0) throw new PlanError(`expression names \`${name}\`, which is not there`);
    return { kind: 'attribute', base: { kind: 'variable', slot, name }, qualifiers: [] };
  }

  #type(name: string): TypeValue {
    if (!this.#options.functions.typeNames.has(name)) throw new PlanError(`reference to undefined type: ${name}`);
    return new TypeValue(name);
  }

  #qualify(operand: Planned, qualifier: Qualifier): Planned {
    if (operand.kind === 'attribute' && operand.qualifiers.at(-1)?.test !== true) return qualified(operand, qualifier);
    return { kind: 'attribute', base: { kind: 'relative', run: this.step(operand) }, qualifiers: [qualifier] };
  }

  #call(name: string, id: string | undefined, codes: readonly Code[], method: boolean): Planned {
    if (name === '_&&_' || name === '_||_') return this.#logical(name, codes);
    if (name === '_+_' && id === 'add_string' && codes.length === 2) return this.#concatenation(codes);
    const args = codes.map((code) => this.node(code));
    switch (name) {
      case '_?_:_':
        return this.#ternary(args);
      case '_[_]':
      case '_[?_]':
      case '_?._':
        return this.#index(args, name !== '_[_]');
      case 'or':
      case 'orValue':
        if (method && args.length === 2) return run(orElse(this.#at(args, 0), this.#at(args, 1), name === 'or'));
        break;
      case 'optional.none':
        if (args.length === 0) return run(costing(Optional.none));
        break;
    }
    return this.#folded(name, args) ?? this.#known(name, id, args, method) ?? this.#libraryCall(name, id, args);
  }

  #at(args: readonly Planned[], index: number): Step {
    const arg = args[index];
    if (!arg) throw new PlanError('expression code has a call with too few arguments');
    return this.step(arg);
  }

  /** A conversion of a constant: its value now, its failure the program's. */
  #folded(name: string, args: readonly Planned[]): Planned | undefined {
    const [arg] = args;
    if (args.length !== 1 || arg?.kind !== 'const' || !FOLDED.has(name)) return undefined;
    const known = UNARY.get(name);
    const value = known ? known(arg.value) : this.#runLibrary(name, arg.value);
    if (value instanceof CelError) throw new PlanError(value.message);
    return { kind: 'const', value };
  }

  #runLibrary(name: string, arg: Value): Result {
    return dispatch(name, candidates(this.#options.functions, name, undefined, 1), [arg]);
  }

  /** Operators and functions that are planned without a library. */
  #known(name: string, id: string | undefined, args: readonly Planned[], method: boolean): Planned | undefined {
    if (args.length === 1) {
      if (name === '!_') return run(unaryStep(not, this.#at(args, 0)));
      if (name === '-_') return run(unaryStep(negate, this.#at(args, 0)));
      if (name === '@not_strictly_false') return run(notStrictlyFalse(this.#at(args, 0)));
      const unary = UNARY.get(name);
      return unary && run(unaryStep(unary, this.#at(args, 0)));
    }
    const [left, right] = args;
    if (args.length !== 2 || !left || !right) return undefined;
    if (name === '_==_' || name === '_!=_') return run(this.#equality(left, right, name === '_!=_'));
    const operator = name === 'matches' ? matchesOperator() : BINARY.get(name);
    if (!operator) return undefined;
    if (left.kind === 'const' && typeof left.value === 'string' && name === '@in' && id !== 'in_list') {
      const lookup = constantKeyStep(left.value, this.step(right));
      if (lookup) return run(lookup);
    }
    if (right.kind === 'const') {
      const special = this.#constantRight(name, id, left, right.value, method);
      if (special) return special;
    }
    return run(binaryStep(operator, id, this.step(left), this.step(right)));
  }

  #equality(left: Planned, right: Planned, negated: boolean): Step {
    if (right.kind === 'const') {
      const { value } = right;
      const scalar = value === null || typeof value === 'string' || typeof value === 'boolean';
      if (scalar || (typeof value === 'number' && Number.isInteger(value))) {
        return constantEquality(this.step(left), value, negated);
      }
    }
    return equalityStep(this.step(left), this.step(right), negated);
  }

  #constantRight(
    name: string,
    id: string | undefined,
    left: Planned,
    value: Value,
    method: boolean,
  ): Planned | undefined {
    if (name === 'matches' && typeof value === 'string') {
      if (this.#options.verify) {
        const regexp = compileRegexp(value);
        if ('error' in regexp) throw new PlanError(regexp.error);
      }
      return run(constantMatch(this.step(left), value, method));
    }
    if ((name === 'startsWith' || name === 'endsWith') && typeof value === 'string') {
      return run(constantTextTest(name, this.step(left), value));
    }
    if (name === '@in' && id === 'in_list' && Array.isArray(value)) {
      if (value.length === 0) return { kind: 'const', value: false };
      const member = membershipStep(this.step(left), value);
      return member && run(member);
    }
    if (typeof value === 'number' && Number.isInteger(value)) {
      const comparison = intComparison(name, this.step(left), value);
      return comparison && run(comparison);
    }
    return undefined;
  }

  #libraryCall(name: string, id: string | undefined, args: readonly Planned[]): Planned {
    const table = this.#options.functions;
    if (name === 'cel.@mapInsert') throw new PlanError('expression code inserts into a map outside of a fold');
    const found = candidates(table, name, id, args.length);
    if (found.length === 0) throw new PlanError(`expression calls \`${name}\`, which is not there`);
    const constants = args.map((arg) => (arg.kind === 'const' ? arg.value : undefined));
    const { rows, precompiled } = specialized(found, constants, this.#options.verify === true);
    const cost = callCost(table, name, id, rows);
    const steps = args.map((arg) => this.step(arg));
    return run(callStep(name, rows, steps, cost, id !== undefined, precompiled));
  }

  #logical(name: string, codes: readonly Code[]): Planned {
    const terms: Step[] = [];
    const collect = (code: Code): void => {
      if (Array.isArray(code) && code[0] === OP.call && code[1] === name)
        for (const inner of code.slice(3)) collect(inner);
      else terms.push(this.#child(code));
    };
    for (const code of codes) collect(code);
    return run(logicalStep(terms, name === '_||_'));
  }

  /** `a + b + c` of strings, which nests to the left. */
  #concatenation(codes: readonly Code[]): Planned {
    const parts: Planned[] = [];
    const collect = (code: Code | undefined): void => {
      if (
        Array.isArray(code) &&
        code[0] === OP.call &&
        code[1] === '_+_' &&
        code[2] === 'add_string' &&
        code.length === 5
      ) {
        collect(code[3]);
        parts.push(this.node(code[4]));
      } else parts.push(this.node(code));
    };
    collect(codes[0]);
    parts.push(this.node(codes[1]));
    const constants = parts.map((part) =>
      part.kind === 'const' && typeof part.value === 'string' ? part.value : undefined,
    );
    return run(
      concatenation(
        parts.map((part) => this.step(part)),
        constants,
      ),
    );
  }

  #ternary(args: readonly Planned[]): Planned {
    const [, yes, no] = args;
    if (!yes || !no) throw new PlanError('expression code has a ternary without its branches');
    const branch = (planned: Planned): Step =>
      planned.kind === 'attribute' ? attributeStep(planned, false) : this.step(planned);
    const base = { kind: 'ternary', condition: this.#at(args, 0), yes: branch(yes), no: branch(no) } as const;
    return { kind: 'attribute', base, qualifiers: [] };
  }

  #index(args: readonly Planned[], optional: boolean): Planned {
    const [operand, key] = args;
    if (!operand || !key) throw new PlanError('expression code has an index without its key');
    if (key.kind === 'const' && !isKey(key.value)) {
      throw new PlanError(`invalid qualifier type: ${celGoType(key.value)}`);
    }
    return this.#qualify(operand, { key: this.#key(key), optional, test: false, built: key.kind === 'step' });
  }

  /** A key that is an attribute itself is charged for its steps only. */
  #key(key: Planned): Value | Step {
    if (key.kind === 'const') return key.value;
    return key.kind === 'attribute' ? attributeStep(key, false) : this.step(key);
  }

  #list(codes: readonly Code[], optional: ReadonlySet<number>): Planned {
    const elements = codes.map((code) => this.node(code));
    if (optional.size === 0 && elements.every((element) => element.kind === 'const')) {
      return { kind: 'const', value: elements.map((element) => element.value) };
    }
    return run(
      listLiteral(
        elements.map((element) => this.step(element)),
        optional,
      ),
    );
  }

  #map(codes: readonly Code[], optional: ReadonlySet<number>): Planned {
    const parts = codes.map((code) => this.node(code));
    if (optional.size === 0 && parts.every((part) => part.kind === 'const')) {
      return { kind: 'const', value: new CelMap(pairs(parts.map((part) => part.value))) };
    }
    return run(mapLiteral(pairs(parts.map((part) => this.step(part))), optional));
  }

  #struct(type: string, codes: readonly Code[], optional: ReadonlySet<number>): Planned {
    const fields = pairs(codes).map(([name, code]) => [text(name), this.#child(code)] as const);
    return run(structLiteral(type, fields, optional, this.#options.structs));
  }

  #fold(code: readonly Code[]): Planned {
    const [, range, variable, second, accumulator, init, condition, step, result] = code;
    const name = text(accumulator);
    const shape = foldShape(code);
    if (shape?.kind === 'binding') return this.#binding(name, init, result);
    const slots: FoldSlots = {
      variable: this.locals++,
      variable2: second === 0 ? undefined : this.locals++,
      accumulator: this.locals++,
    };
    const over = this.#child(range);
    const variables: Local[] = [{ name: text(variable), index: slots.variable }];
    if (slots.variable2 !== undefined) variables.push({ name: text(second), index: slots.variable2 });
    if (shape)
      return run(this.#within([{ name, index: UNREADABLE }, ...variables], () => this.#loop(shape, over, slots)));
    const folded = { name, index: slots.accumulator };
    const initial = this.#child(init);
    const [goesOn, next] = this.#within(
      [folded, ...variables],
      () => [this.#child(condition), this.#child(step)] as const,
    );
    return run(
      fold(
        over,
        slots,
        initial,
        goesOn,
        next,
        this.#within([folded], () => this.#child(result)),
      ),
    );
  }

  #within<T>(locals: readonly Local[], plan: () => T): T {
    this.#scope.push(...locals);
    const planned = plan();
    this.#scope.splice(-locals.length);
    return planned;
  }

  /** The value of a name that is only bound; evaluated when the body first reads it. */
  #binding(name: string, init: Code | undefined, body: Code | undefined): Planned {
    const index = this.locals++;
    const value = this.#child(init);
    const inner = this.#within([{ name, index, init: value }], () => this.#child(body));
    return run((frame) => {
      frame.locals[index] = undefined;
      return inner(frame);
    });
  }

  #loop(shape: Exclude<FoldShape, { kind: 'binding' }>, over: Step, slots: FoldSlots): Step {
    switch (shape.kind) {
      case 'quantifier':
        return quantifier(over, slots, this.#child(shape.predicate), shape.absorbing);
      case 'counter':
        return counter(over, slots, this.#child(shape.predicate));
      case 'append': {
        const filter = this.#optional(shape.filter);
        const element = this.node(shape.element);
        return collector(over, slots, filter, this.step(element), element.kind === 'const');
      }
      case 'insert': {
        const filter = this.#optional(shape.filter);
        const key = this.#child(shape.key);
        if (shape.value === undefined) return entryInserter(over, slots, filter, key);
        return inserter(over, slots, filter, key, this.#child(shape.value));
      }
    }
  }

  #optional(code: Code | undefined): Step | undefined {
    return code === undefined ? undefined : this.#child(code);
  }
}

function run(step: Step): Planned {
  return { kind: 'step', run: step };
}

function costing(value: Value): Step {
  return (frame) => {
    units(frame, 1);
    return value;
  };
}

/** `@not_strictly_false`: errors pass as true. */
function notStrictlyFalse(operand: Step): Step {
  return (frame) => {
    const value = operand(frame);
    units(frame, 1);
    return value !== false;
  };
}

/** `or` and `orValue`: the right side is only evaluated for want of a value; what is no optional stands for itself. */
function orElse(left: Step, right: Step, wrapped: boolean): Step {
  return (frame) => {
    const value = left(frame);
    if (value instanceof CelError) return value;
    if (!(value instanceof Optional)) return value;
    const held = heldBy(value);
    if (held === undefined) return right(frame);
    return wrapped ? value : held;
  };
}
