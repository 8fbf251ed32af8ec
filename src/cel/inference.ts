import { type CelType, DYN, paramType, sameType, typeType } from './types.ts';

/**
 * Assignability of types under a substitution of type parameters, as cel-go's checker has it: `dyn` fits everything,
 * null fits what may be null, and a parameter takes the most general of the types it met.
 */
export type Substitution = ReadonlyMap<string, CelType>;

/** The substitution extended so that each `from` fits its `to`, or `undefined` when one cannot. */
export function assignable(
  substitution: Substitution,
  from: readonly CelType[],
  to: readonly CelType[],
): Substitution | undefined {
  if (from.length !== to.length) return undefined;
  const attempt = new Map(substitution);
  return from.every((type, index) => fits(attempt, type, to[index] as CelType)) ? attempt : undefined;
}

function fits(bound: Map<string, CelType>, a: CelType, b: CelType): boolean {
  if (b.kind === 'param') {
    const outcome = bind(bound, a, b);
    if (outcome !== 'unbound') return outcome === 'fits';
  }
  if (a.kind === 'param') return bind(bound, b, a) === 'fits';
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === 'null') return mayBeNull(b);
  if (b.kind === 'null') return mayBeNull(a);
  if (a.kind === 'wrapper') return sameType(a, b) || sameType(a.params[0] as CelType, b);
  if (b.kind === 'wrapper') return sameType(b.params[0] as CelType, a);
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'type':
      return true;
    case 'list':
    case 'map':
    case 'opaque':
      return (
        a.name === b.name &&
        a.params.length === b.params.length &&
        a.params.every((param, index) => fits(bound, param, b.params[index] as CelType))
      );
    default:
      return a.name === b.name;
  }
}

/** Tries to let a parameter stand for a type. `unbound`: it could not, but the other way round may still do. */
function bind(bound: Map<string, CelType>, type: CelType, param: CelType): 'fits' | 'conflict' | 'unbound' {
  if (sameType(type, param)) return 'fits';
  const known = bound.get(param.name);
  if (known) {
    if (sameType(type, known)) return 'fits';
    if (!fits(bound, type, known)) return 'conflict';
    const general = mostGeneral(type, known);
    if (notReferencedIn(bound, param, general)) bound.set(param.name, general);
    return 'fits';
  }
  if (!notReferencedIn(bound, param, type)) return 'unbound';
  bound.set(param.name, type);
  return 'fits';
}

function notReferencedIn(bound: Substitution, param: CelType, within: CelType): boolean {
  if (sameType(param, within)) return false;
  if (within.kind === 'param') {
    const known = bound.get(within.name);
    return known === undefined || notReferencedIn(bound, param, known);
  }
  return within.params.every((inner) => notReferencedIn(bound, param, inner));
}

export function isDynOrError(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error' || type.kind === 'any';
}

function mayBeNull(type: CelType): boolean {
  switch (type.kind) {
    case 'opaque':
    case 'struct':
    case 'null':
    case 'duration':
    case 'timestamp':
    case 'wrapper':
      return true;
    default:
      return false;
  }
}

/** The less specific of two types of which one fits the other. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return lessSpecific(a, b) ? a : b;
}

function lessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'type':
      return true;
    case 'list':
    case 'map':
    case 'opaque':
      return (
        a.name === b.name &&
        a.params.length === b.params.length &&
        a.params.every((param, index) => lessSpecific(param, b.params[index] as CelType))
      );
    default:
      return sameType(a, b);
  }
}

/** The type with its parameters replaced; free ones stay, or become dyn. */
export function substitute(bound: Substitution, type: CelType, freeToDyn: boolean): CelType {
  if (type.kind === 'param') {
    const known = bound.get(type.name);
    if (known) return substitute(bound, known, freeToDyn);
    return freeToDyn ? DYN : type;
  }
  if (type.params.length === 0) return type;
  const params = type.params.map((param) => substitute(bound, param, freeToDyn));
  return type.kind === 'type' ? typeType(params[0]) : { ...type, params };
}

/** A signature's types with fresh parameters in place of its own. */
export function instantiate(types: readonly CelType[], fresh: () => string): readonly CelType[] {
  const renamed = new Map<string, CelType>();
  const rename = (type: CelType): CelType => {
    if (type.kind === 'param') {
      const known = renamed.get(type.name);
      if (known) return known;
      const param = paramType(fresh());
      renamed.set(type.name, param);
      return param;
    }
    return type.params.length === 0 ? type : { ...type, params: type.params.map(rename) };
  };
  return types.map(rename);
}
