import { type Code, OP } from '../code.ts';

/**
 * The loops of the macros, recognised by the form of their expansion, so that they can run without building their
 * accumulator anew at each turn. `undefined`: a fold of another form, which runs by the letter.
 */
export type FoldShape =
  /** A name bound for the result. */
  | { readonly kind: 'binding' }
  /** `all` absorbs `false`, `exists` absorbs `true`. */
  | { readonly kind: 'quantifier'; readonly absorbing: boolean; readonly predicate: Code }
  | { readonly kind: 'counter'; readonly predicate: Code }
  /** `map`, `filter` and `transformList`. */
  | { readonly kind: 'append'; readonly filter: Code | undefined; readonly element: Code }
  /** `transformMap`; without a value the key is an entry, as in `transformMapEntry`. */
  | {
      readonly kind: 'insert';
      readonly filter: Code | undefined;
      readonly key: Code;
      readonly value: Code | undefined;
    };

/** The shape of a fold's stored code. */
export function foldShape(code: readonly Code[]): FoldShape | undefined {
  const [, range, , , accumulator, init, condition, step, result] = code;
  if (isEmpty(OP.list, range) && isConstant(condition, false)) return { kind: 'binding' };
  const accumulates = (node: Code | undefined): boolean =>
    Array.isArray(node) && node[0] === OP.ident && node[1] === accumulator;
  const call = callOf(step);
  if (!call) return undefined;
  if (isConstant(condition, true)) return collection(call, init, result, accumulates);
  const absorbing = call.name === '_&&_' ? false : call.name === '_||_' ? true : undefined;
  const [folded, predicate] = call.args;
  const looks = callOf(condition)?.name === '@not_strictly_false';
  if (absorbing === undefined || predicate === undefined || call.args.length !== 2 || !looks) return undefined;
  if (!isConstant(init, !absorbing) || !accumulates(folded) || !accumulates(result)) return undefined;
  return { kind: 'quantifier', absorbing, predicate };
}

interface CallCode {
  readonly name: string;
  readonly args: readonly Code[];
}

/** Folds that go through their whole range: `step` collects, or `filter ? collects : accumulator`. */
function collection(
  call: CallCode,
  init: Code | undefined,
  result: Code | undefined,
  accumulates: (node: Code | undefined) => boolean,
): FoldShape | undefined {
  const filtered = call.name === '_?_:_' && accumulates(call.args[2]);
  const filter = filtered ? call.args[0] : undefined;
  const collects = filtered ? callOf(call.args[1]) : call;
  const [folded, first, second] = collects?.args ?? [];
  if (!collects || first === undefined || !accumulates(folded)) return undefined;
  if (collects.name === '_+_' && filter !== undefined && isConstant(init, 0) && isConstant(first, 1)) {
    const counts = callOf(result);
    const one = counts?.name === '_==_' && accumulates(counts.args[0]) && isConstant(counts.args[1], 1);
    return one ? { kind: 'counter', predicate: filter } : undefined;
  }
  if (!accumulates(result)) return undefined;
  if (collects.name === '_+_' && isEmpty(OP.list, init)) {
    const element = onlyElement(first);
    return element === undefined ? undefined : { kind: 'append', filter, element };
  }
  if (collects.name !== 'cel.@mapInsert' || !isEmpty(OP.map, init)) return undefined;
  return { kind: 'insert', filter, key: first, value: second };
}

/** `e` of the list literal `[e]`. */
function onlyElement(code: Code): Code | undefined {
  if (!Array.isArray(code) || code[0] !== OP.list || code.length !== 2) return undefined;
  const [, elements] = code as readonly Code[];
  return Array.isArray(elements) && elements.length === 1 ? (elements[0] as Code) : undefined;
}

function callOf(code: Code | undefined): CallCode | undefined {
  if (!Array.isArray(code) || code[0] !== OP.call || typeof code[1] !== 'string') return undefined;
  return { name: code[1], args: code.slice(3) };
}

function isConstant(code: Code | undefined, value: boolean | number): boolean {
  return Array.isArray(code) && code[0] === OP.const && code[1] === value;
}

function isEmpty(op: number, code: Code | undefined): boolean {
  return Array.isArray(code) && code[0] === op && Array.isArray(code[1]) && code[1].length === 0;
}
