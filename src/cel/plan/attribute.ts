import { Boxed, CelError, Opaque, Optional, type Result, TypeValue, type Value } from '../values.ts';
import { type Frame, NO_OVERLOAD, type Step, units } from './frame.ts';
import { invalidKey, isKey, missing, present, qualify } from './qualify.ts';

/**
 * An attribute: a base and the steps into it, evaluated together. The API server charges 1 for the attribute and 1 for
 * each step that is taken, a failing one included, an absent optional one not.
 */
export interface Attribute {
  readonly kind: 'attribute';
  readonly base: Base;
  readonly qualifiers: readonly Qualifier[];
}

export type Base =
  | { readonly kind: 'variable'; readonly slot: number; readonly name: string }
  | { readonly kind: 'local'; readonly index: number; readonly init: Step | undefined }
  | { readonly kind: 'relative'; readonly run: Step }
  /** Branches are steps without the charge for the attribute that they may be. */
  | { readonly kind: 'ternary'; readonly condition: Step; readonly yes: Step; readonly no: Step };

export interface Qualifier {
  /** A constant key, or a step that computes it. */
  readonly key: Value | Step;
  readonly optional: boolean;
  /** The last step of `has()`. */
  readonly test: boolean;
  /** Whether the key is made by the expression rather than read. */
  readonly built?: boolean;
}

export function qualified(attribute: Attribute, qualifier: Qualifier): Attribute {
  return { ...attribute, qualifiers: [...attribute.qualifiers, qualifier] };
}

/** The step that evaluates an attribute; `own` is whether it charges for itself besides its qualifiers. */
export function attributeStep(attribute: Attribute, own: boolean): Step {
  const { base, qualifiers } = attribute;
  const test = qualifiers.at(-1)?.test === true;
  const self = own && !test && base.kind !== 'ternary' ? 1 : 0;
  const fields = plainFields(qualifiers);
  if (fields && !test && base.kind === 'variable')
    return variableChain(base.slot, fields, self, slowStep(attribute, self));
  if (fields && !test && base.kind === 'local' && !base.init)
    return localChain(base.index, fields, self, slowStep(attribute, self));
  if (fields && test && base.kind === 'variable') return presenceChain(base, fields, slowStep(attribute, self));
  if (fields && test && base.kind === 'local' && !base.init)
    return presenceChain(base, fields, slowStep(attribute, self));
  return slowStep(attribute, self);
}

/** Names that arrays, bytes and plain objects answer to without having them as data. */
const INHERITED: ReadonlySet<string> = new Set(
  [Object.prototype, Array.prototype, Uint8Array.prototype, Object.getPrototypeOf(Uint8Array.prototype)].flatMap(
    (prototype) => Object.getOwnPropertyNames(prototype),
  ),
);

/** Whether a field of that name is safe to read without asking whose it is. */
export function isSafeName(name: string): boolean {
  return !INHERITED.has(name) && !/^\d/.test(name);
}

/** The names of a chain of plain field selections; `undefined` when it has any other step. */
function plainFields(qualifiers: readonly Qualifier[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const { key, optional } of qualifiers) {
    if (optional || typeof key !== 'string' || !isSafeName(key)) return undefined;
    names.push(key);
  }
  return names;
}

export type Fields = Readonly<Record<string, Value | undefined>>;

/** A JSON object, or an array or bytes, which have no field of a safe name. */
export function hasFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !(value instanceof Boxed);
}

/**
 * The common path: JSON objects all the way, each with the field. Whatever else there is goes to `slow`, which starts
 * again from the base; nothing has been charged by then.
 * INVARIANT: every name is safe, so what is read under it is an entry of a JSON object.
 */
function variableChain(slot: number, fields: readonly string[], self: number, slow: Step): Step {
  const total = fields.length + self;
  const [first = '', second = '', third = ''] = fields;
  switch (fields.length) {
    case 0:
      return (frame) => {
        const value = frame.vars[slot];
        if (value === undefined) return slow(frame);
        units(frame, total);
        return value;
      };
    case 2:
      return (frame) => {
        const value = frame.vars[slot];
        if (!hasFields(value)) return slow(frame);
        const inner = value[first];
        if (!hasFields(inner)) return slow(frame);
        const field = inner[second];
        if (field === undefined) return slow(frame);
        units(frame, total);
        return field;
      };
    case 3:
      return (frame) => {
        const value = frame.vars[slot];
        if (!hasFields(value)) return slow(frame);
        const inner = value[first];
        if (!hasFields(inner)) return slow(frame);
        const innermost = inner[second];
        if (!hasFields(innermost)) return slow(frame);
        const field = innermost[third];
        if (field === undefined) return slow(frame);
        units(frame, total);
        return field;
      };
    default:
      return (frame) => {
        const value = follow(frame.vars[slot], fields, fields.length);
        if (value === undefined) return slow(frame);
        units(frame, total);
        return value;
      };
  }
}

/** As `variableChain`, over locals; apart from it so that the base is read by a plain array access. */
function localChain(index: number, fields: readonly string[], self: number, slow: Step): Step {
  const total = fields.length + self;
  const [first = '', second = ''] = fields;
  switch (fields.length) {
    case 0:
      return (frame) => {
        const value = frame.locals[index];
        if (value === undefined) return slow(frame);
        units(frame, total);
        return value;
      };
    case 1:
      return (frame) => {
        const value = frame.locals[index];
        if (!hasFields(value)) return slow(frame);
        const field = value[first];
        if (field === undefined) return slow(frame);
        units(frame, total);
        return field;
      };
    case 2:
      return (frame) => {
        const value = frame.locals[index];
        if (!hasFields(value)) return slow(frame);
        const inner = value[first];
        if (!hasFields(inner)) return slow(frame);
        const field = inner[second];
        if (field === undefined) return slow(frame);
        units(frame, total);
        return field;
      };
    default:
      return (frame) => {
        const value = follow(frame.locals[index], fields, fields.length);
        if (value === undefined) return slow(frame);
        units(frame, total);
        return value;
      };
  }
}

/** `has(base.a.b)` over plain objects: every step is charged, the attribute itself is not. */
function presenceChain(base: Base & { kind: 'variable' | 'local' }, fields: readonly string[], slow: Step): Step {
  const last = fields.length - 1;
  const name = fields[last] as string;
  const cost = fields.length;
  if (base.kind === 'local') {
    const { index } = base;
    const [first = ''] = fields;
    if (last === 0) {
      return (frame) => {
        const value = frame.locals[index];
        if (!isJsonObject(value)) return slow(frame);
        units(frame, 1);
        return value[name] !== undefined;
      };
    }
    if (last === 1) {
      return (frame) => {
        const value = frame.locals[index];
        if (!hasFields(value)) return slow(frame);
        const inner = value[first];
        if (!isJsonObject(inner)) return slow(frame);
        units(frame, 2);
        return inner[name] !== undefined;
      };
    }
    return (frame) => {
      const value = follow(frame.locals[index], fields, last);
      if (!isJsonObject(value)) return slow(frame);
      units(frame, cost);
      return value[name] !== undefined;
    };
  }
  const { slot } = base;
  return (frame) => {
    const value = follow(frame.vars[slot], fields, last);
    if (!isJsonObject(value)) return slow(frame);
    units(frame, cost);
    return value[name] !== undefined;
  };
}

/** An array has no fields, but asking it for one is an error. */
function isJsonObject(value: unknown): value is Fields {
  return hasFields(value) && !Array.isArray(value) && !(value instanceof Uint8Array);
}

function follow(base: Result | undefined, fields: readonly string[], length: number): Value | undefined {
  let value: unknown = base;
  for (let index = 0; index < length; index++) {
    if (!hasFields(value)) return undefined;
    value = value[fields[index] as string];
  }
  return value as Value | undefined;
}

/** Any base, any steps. */
function slowStep(attribute: Attribute, self: number): Step {
  const base = baseStep(attribute.base);
  const { qualifiers } = attribute;
  return (frame) => {
    const value = base(frame);
    const result = value instanceof CelError ? value : applyAll(frame, value, qualifiers);
    units(frame, self);
    return result;
  };
}

function baseStep(base: Base): Step {
  switch (base.kind) {
    case 'variable': {
      const { slot } = base;
      const unknown = new CelError(`no such attribute(s): ${base.name}`);
      return (frame) => {
        const value = frame.vars[slot];
        return value === undefined ? unknown : value;
      };
    }
    case 'local': {
      const { index, init } = base;
      if (!init) return (frame) => frame.locals[index] as Result;
      return (frame) => {
        const bound = frame.locals[index];
        if (bound !== undefined) return bound;
        const value = init(frame);
        frame.locals[index] = value;
        return value;
      };
    }
    case 'relative':
      return base.run;
    case 'ternary': {
      const { condition, yes, no } = base;
      return (frame) => {
        const chosen = condition(frame);
        if (chosen === true) return yes(frame);
        if (chosen === false) return no(frame);
        return chosen instanceof CelError ? chosen : NO_OVERLOAD;
      };
    }
  }
}

/** Follows the steps; from the first optional one on, what is absent is `optional.none()` and the result is optional. */
function applyAll(frame: Frame, start: Value, qualifiers: readonly Qualifier[]): Result {
  let optional = false;
  let value = start;
  if (value instanceof Optional) {
    optional = true;
    if (value.value === undefined) return ended(qualifiers);
    // An optional in an optional is one: cel-go takes the innermost native value, which for none is null.
    let inner: Value = value.value;
    while (inner instanceof Optional) inner = inner.value ?? null;
    value = native(inner);
    if (qualifiers.length === 0) return new Optional(value);
  }
  for (const { key, optional: marked, test, built } of qualifiers) {
    const resolved = typeof key === 'function' ? key(frame) : key;
    optional ||= marked;
    if (resolved instanceof CelError) {
      if (!optional) units(frame, 1);
      return resolved;
    }
    if (test) {
      const there = present(value, resolved);
      if (there !== false || !optional) units(frame, 1);
      return there;
    }
    const next = isKey(resolved) ? qualify(value, resolved) : invalidKey(resolved, built);
    if (next === undefined) {
      if (optional) return ended(qualifiers);
      units(frame, 1);
      return missing(value, resolved);
    }
    if (next instanceof CelError) {
      if (!optional) units(frame, 1);
      return next;
    }
    units(frame, 1);
    value = next;
  }
  return optional ? new Optional(value) : value;
}

/** A value out of CEL and back: types are their names outside, and what has no counterpart cannot come back. */
function native(value: Value): Value {
  if (value instanceof TypeValue) return value.name;
  return value instanceof Opaque && value.native ? value.native() : value;
}

function ended(qualifiers: readonly Qualifier[]): Value {
  return qualifiers.at(-1)?.test ? false : Optional.none;
}
