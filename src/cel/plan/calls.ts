import type { CallCost, Library, Overload } from '../library/library.ts';
import { typeName } from '../type-name.ts';
import { CelError, type Result, type Value } from '../values.ts';
import { unsupported } from './arithmetic.ts';
import { charge, PlanError, type Step } from './frame.ts';
import { type Guard, signatureGuard } from './guard.ts';

/** The functions that programs may call, by name, and the rules for their cost. */
export interface FunctionTable {
  /** All rows of a name; their guards are made when the name is first asked for. */
  callables(name: string): readonly Callable[];
  readonly costs: ReadonlyMap<string, CallCost>;
  /** Names of types that are values. */
  readonly typeNames: ReadonlySet<string>;
}

/** A row of a library, ready to be called. */
export interface Callable {
  readonly overload: Overload;
  readonly arity: number;
  readonly fits: Guard;
  /** Its own cost goes before the rules by name. */
  readonly costFirst: boolean;
}

/** The language's own types that are values by their names. */
const TYPE_NAMES =
  'int uint double bool string bytes list map null_type type optional_type google.protobuf.Timestamp google.protobuf.Duration'.split(
    ' ',
  );

interface Row {
  readonly overload: Overload;
  readonly costFirst: boolean;
}

/** Collects the rows of libraries. */
export function functionTable(libraries: readonly Library[]): FunctionTable {
  const rows = new Map<string, Row[]>();
  const costs = new Map<string, CallCost>();
  for (const { overloads, overloadCostsFirst: costFirst = false, costs: byName = {} } of libraries) {
    for (const overload of overloads) {
      const named = rows.get(overload.name);
      if (named) named.push({ overload, costFirst });
      else rows.set(overload.name, [{ overload, costFirst }]);
    }
    for (const [name, cost] of Object.entries(byName)) costs.set(name, cost);
  }
  const ready = new Map<string, readonly Callable[]>();
  const callables = (name: string): readonly Callable[] => {
    const known = ready.get(name) ?? (rows.get(name) ?? []).map((row) => ({ ...row, ...overloadGuard(row.overload) }));
    ready.set(name, known);
    return known;
  };
  const typeNames = new Set([...TYPE_NAMES, ...libraries.flatMap((library) => library.typeNames ?? [])]);
  return { callables, costs, typeNames };
}

/** The callables that a call may take: the resolved one, or all of that name and number of arguments. */
export function candidates(
  table: FunctionTable,
  name: string,
  id: string | undefined,
  arity: number,
): readonly Callable[] {
  return table.callables(name).filter((row) => row.arity === arity && (id === undefined || row.overload.id === id));
}

/** What a call costs: by the resolved overload where that goes first, by name, by overload, else 1. */
export function callCost(
  table: FunctionTable,
  name: string,
  id: string | undefined,
  rows: readonly Callable[],
): CallCost {
  const byName = table.costs.get(name);
  const [row] = id === undefined ? [] : rows;
  const own = row?.overload.cost;
  return (args, result) => {
    if (own && row?.costFirst) return own(args, result, id) ?? 1;
    return byName?.(args, result, id) ?? own?.(args, result, id) ?? 1;
  };
}

function overloadGuard(overload: Overload): { readonly arity: number; readonly fits: Guard } {
  const { arity, fits } = signatureGuard(overload.signature);
  if (overload.guard === 'none') return { arity, fits: () => true };
  return { arity, fits: overload.guard === 'list' ? ([target]) => Array.isArray(target) : fits };
}

/** A strict call: the rows are tried in order, and arguments that fit none are named in the error. */
export function dispatch(name: string, rows: readonly Callable[], args: readonly Value[]): Result {
  for (const row of rows) if (row.fits(args)) return row.overload.run(...args);
  if (rows[0]?.overload.guard === 'list') return unsupported(name, args[0] as Value);
  return new CelError(`no such overload: ${name}(${args.map(typeName).join(', ')})`);
}

/**
 * The rows with what their constant arguments allow to be done beforehand, a pattern's compilation above all: now when
 * `verify`, which throws what keeps the program from being built, otherwise at the first call.
 */
export function specialized(
  rows: readonly Callable[],
  constants: readonly (Value | undefined)[],
  verify: boolean,
): { readonly rows: readonly Callable[]; readonly precompiled: boolean } {
  let precompiled = false;
  const prepared = rows.map((row) => {
    const { specialize, replacedByPattern } = row.overload;
    if (!specialize) return row;
    const replaced = replacedByPattern === true && typeof constants[1] === 'string';
    precompiled ||= replaced;
    const run = verify ? verified(specialize(constants)) : lazily(() => specialize(constants), row.overload.run);
    if (!run) return row;
    return { ...row, overload: { ...row.overload, run }, fits: replaced ? () => true : row.fits };
  });
  return { rows: prepared, precompiled };
}

type Run = Overload['run'];

function verified(run: Run | CelError | undefined): Run | undefined {
  if (run instanceof CelError) throw new PlanError(run.message);
  return run;
}

function lazily(prepare: () => Run | CelError | undefined, general: Run): Run {
  let run: Run | undefined;
  return (...args) => {
    if (!run) {
      const prepared = prepare();
      if (prepared instanceof CelError) return prepared;
      run = prepared ?? general;
    }
    return run(...args);
  };
}

/**
 * Plans a strict call. One and two arguments of a resolved overload, or of a function with one implementation for all of
 * them, are all evaluated and charged for, even when one is an error; other calls, and those whose pattern was compiled beforehand, end at the first error, uncharged unless it was
 * the last argument.
 */
export function callStep(
  name: string,
  rows: readonly Callable[],
  args: readonly Step[],
  cost: CallCost,
  resolved: boolean,
  precompiled: boolean,
): Step {
  const shared = !resolved && rows.every((row) => row.overload.guard === undefined);
  const stopEarly = args.length > 2 || shared || precompiled || rows.some((row) => row.overload.variadic);
  const last = args.length - 1;
  return (frame) => {
    const values: Result[] = [];
    let failed: CelError | undefined;
    for (let index = 0; index <= last; index++) {
      const value = (args[index] as Step)(frame);
      values.push(value);
      if (!(value instanceof CelError)) continue;
      if (stopEarly && index < last) return value;
      failed ??= value;
    }
    const result = failed ?? dispatch(name, rows, values as Value[]);
    charge(frame, cost(values as readonly Value[], result, undefined) ?? 1);
    return result;
  };
}
