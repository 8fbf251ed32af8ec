import { ACCUMULATOR, type Call, type Comprehension, type Const, type Expr, UNUSED_VARIABLE } from './ast.ts';
import type { Value } from './values.ts';

/**
 * The macros: calls recognised by name, receiver and number of arguments, replaced by their expansion when parsed.
 * A wrong number of arguments is an ordinary call.
 */
interface Macro {
  readonly name: string;
  readonly receiver: boolean;
  readonly args: number;
  readonly expand: (build: Builder, call: Call) => Expr;
}

/** A macro whose arguments are not of its form; `expr` is the argument at fault. */
export class MacroError extends Error {
  readonly reason: string;
  readonly expr: Expr;
  constructor(reason: string, expr: Expr) {
    super(reason);
    this.reason = reason;
    this.expr = expr;
  }
}

/** The expansion of a call, or `undefined` when it is no macro. */
export function expandMacro(call: Call, newId: () => number): Expr | undefined {
  const receiver = call.target !== undefined;
  const macro = MACROS.find(
    (row) => row.name === call.name && row.receiver === receiver && row.args === call.args.length,
  );
  return macro?.expand(new Builder(newId), call);
}

/** Builds nodes that all stand at the place of the macro's call. */
class Builder {
  readonly #newId: () => number;
  constructor(newId: () => number) {
    this.#newId = newId;
  }
  constant(value: Value): Const {
    return { kind: 'const', id: this.#newId(), value };
  }
  ident(name: string): Expr {
    return { kind: 'ident', id: this.#newId(), name };
  }
  accumulator(): Expr {
    return this.ident(ACCUMULATOR);
  }
  call(name: string, ...args: readonly Expr[]): Expr {
    return { kind: 'call', id: this.#newId(), name, target: undefined, args };
  }
  method(target: Expr, name: string, ...args: readonly Expr[]): Expr {
    return { kind: 'call', id: this.#newId(), name, target, args };
  }
  list(...elements: readonly Expr[]): Expr {
    return { kind: 'list', id: this.#newId(), elements, optional: [] };
  }
  presence(operand: Expr, field: string): Expr {
    return { kind: 'select', id: this.#newId(), operand, field, test: true };
  }
  emptyMap(): Expr {
    return { kind: 'map', id: this.#newId(), entries: [] };
  }
  fold(parts: Omit<Comprehension, 'kind' | 'id' | 'accumulator'> & { accumulator?: string }): Expr {
    return { kind: 'comprehension', id: this.#newId(), accumulator: ACCUMULATOR, ...parts };
  }
  /** Binds a name to a value for an expression; the value is evaluated when the name is first read. */
  bind(name: string, value: Expr, body: Expr): Expr {
    return this.fold({
      range: this.list(),
      variable: UNUSED_VARIABLE,
      variable2: undefined,
      accumulator: name,
      init: value,
      condition: this.constant(false),
      step: this.ident(name),
      result: body,
    });
  }
}

/** How a fold goes on: the four parts that differ from macro to macro. */
type Shape = (build: Builder, args: readonly Expr[]) => Pick<Comprehension, 'init' | 'condition' | 'step' | 'result'>;

const allShape: Shape = (build, [predicate]) => ({
  init: build.constant(true),
  condition: build.call('@not_strictly_false', build.accumulator()),
  step: build.call('_&&_', build.accumulator(), predicate as Expr),
  result: build.accumulator(),
});

const existsShape: Shape = (build, [predicate]) => ({
  init: build.constant(false),
  condition: build.call('@not_strictly_false', build.call('!_', build.accumulator())),
  step: build.call('_||_', build.accumulator(), predicate as Expr),
  result: build.accumulator(),
});

const existsOneShape: Shape = (build, [predicate]) => ({
  init: build.constant(0),
  condition: build.constant(true),
  step: build.call(
    '_?_:_',
    predicate as Expr,
    build.call('_+_', build.accumulator(), build.constant(1)),
    build.accumulator(),
  ),
  result: build.call('_==_', build.accumulator(), build.constant(1)),
});

/** `[filter,] transform`: appends to a list. */
const appendShape: Shape = (build, args) => {
  const appended = build.call('_+_', build.accumulator(), build.list(args[args.length - 1] as Expr));
  return collecting(build, build.list(), args, appended);
};

/** `[filter,] value`: inserts under the first variable's key. */
const insertShape =
  (key: string): Shape =>
  (build, args) => {
    const inserted = build.call('cel.@mapInsert', build.accumulator(), build.ident(key), args[args.length - 1] as Expr);
    return collecting(build, build.emptyMap(), args, inserted);
  };

/** `[filter,] entry`: inserts the entries of a map. */
const insertEntryShape: Shape = (build, args) => {
  const inserted = build.call('cel.@mapInsert', build.accumulator(), args[args.length - 1] as Expr);
  return collecting(build, build.emptyMap(), args, inserted);
};

function collecting(build: Builder, init: Expr, args: readonly Expr[], collected: Expr): ReturnType<Shape> {
  const [filter] = args;
  const step = args.length > 1 ? build.call('_?_:_', filter as Expr, collected, build.accumulator()) : collected;
  return { init, condition: build.constant(true), step, result: build.accumulator() };
}

const SIMPLE_NAME = 'argument must be a simple name';
const IDENTIFIER = 'argument is not an identifier';

function oneVariable(name: string, args: number, shape: Shape, complaint: string): Macro {
  return {
    name,
    receiver: true,
    args,
    expand: (build, call) => {
      const variable = variableName(call.args[0] as Expr, complaint);
      return build.fold({
        range: call.target as Expr,
        variable,
        variable2: undefined,
        ...shape(build, call.args.slice(1)),
      });
    },
  };
}

function twoVariables(name: string, args: number, shape: (key: string) => Shape): Macro {
  return {
    name,
    receiver: true,
    args,
    expand: (build, call) => {
      const variable = variableName(call.args[0] as Expr, SIMPLE_NAME);
      const variable2 = variableName(call.args[1] as Expr, SIMPLE_NAME);
      if (variable === variable2) throw new MacroError(`duplicate variable name: ${variable2}`, call.args[1] as Expr);
      return build.fold({
        range: call.target as Expr,
        variable,
        variable2,
        ...shape(variable)(build, call.args.slice(2)),
      });
    },
  };
}

function variableName(expr: Expr, complaint: string): string {
  if (expr.kind !== 'ident') throw new MacroError(complaint, expr);
  if (expr.name === ACCUMULATOR || expr.name === '__result__') {
    throw new MacroError('iteration variable overwrites accumulator variable', expr);
  }
  return expr.name.replace(/^\./, '');
}

/** `target.optMap(v, e)`: the target is written, and so evaluated, twice. */
function optionalMap(name: string, wrap: boolean): Macro {
  return {
    name,
    receiver: true,
    args: 2,
    expand: (build, call) => {
      const target = call.target as Expr;
      const [name_, body] = call.args as readonly [Expr, Expr];
      const variable = name_.kind === 'ident' ? name_.name : undefined;
      if (variable === undefined) throw new MacroError(`${name}() variable name must be a simple identifier`, name_);
      const bound = build.bind(variable, build.method(target, 'value'), body);
      return build.call(
        '_?_:_',
        build.method(target, 'hasValue'),
        wrap ? build.call('optional.of', bound) : bound,
        build.call('optional.none'),
      );
    },
  };
}

const has: Macro = {
  name: 'has',
  receiver: false,
  args: 1,
  expand: (build, call) => {
    const [argument] = call.args as readonly [Expr];
    if (argument.kind !== 'select' || argument.test) {
      throw new MacroError('invalid argument to has() macro', argument);
    }
    return build.presence(argument.operand, argument.field);
  },
};

/** `target.sortBy(x, key)`: binds the target, maps it to its keys, and sorts by them. */
const sortBy: Macro = {
  name: 'sortBy',
  receiver: true,
  args: 2,
  expand: (build, call) => {
    const target = call.target as Expr;
    const simple =
      target.kind === 'ident' ||
      target.kind === 'select' ||
      target.kind === 'list' ||
      target.kind === 'comprehension' ||
      target.kind === 'call';
    if (!simple)
      throw new MacroError(
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
        target,
      );
    const variable = variableName(call.args[0] as Expr, IDENTIFIER);
    const bound = '@__sortBy_input__';
    const keys = build.fold({
      range: build.ident(bound),
      variable,
      variable2: undefined,
      ...appendShape(build, [call.args[1] as Expr]),
    });
    const sorted = build.method(build.ident(bound), '@sortByAssociatedKeys', keys);
    return build.bind(bound, target, sorted);
  },
};

/** `target.filter(x, p)`: keeps the elements themselves. */
const filter: Macro = {
  name: 'filter',
  receiver: true,
  args: 2,
  expand: (build, call) => {
    const variable = variableName(call.args[0] as Expr, IDENTIFIER);
    const kept = [call.args[1] as Expr, build.ident(variable)];
    return build.fold({ range: call.target as Expr, variable, variable2: undefined, ...appendShape(build, kept) });
  },
};

const MACROS: readonly Macro[] = [
  has,
  oneVariable('all', 2, allShape, SIMPLE_NAME),
  oneVariable('exists', 2, existsShape, SIMPLE_NAME),
  oneVariable('exists_one', 2, existsOneShape, SIMPLE_NAME),
  oneVariable('map', 2, appendShape, IDENTIFIER),
  oneVariable('map', 3, appendShape, IDENTIFIER),
  filter,
  twoVariables('all', 3, () => allShape),
  twoVariables('exists', 3, () => existsShape),
  twoVariables('existsOne', 3, () => existsOneShape),
  twoVariables('exists_one', 3, () => existsOneShape),
  twoVariables('transformList', 3, () => appendShape),
  twoVariables('transformList', 4, () => appendShape),
  twoVariables('transformMap', 3, insertShape),
  twoVariables('transformMap', 4, insertShape),
  twoVariables('transformMapEntry', 3, () => insertEntryShape),
  twoVariables('transformMapEntry', 4, () => insertEntryShape),
  optionalMap('optMap', true),
  optionalMap('optFlatMap', false),
  sortBy,
];
