import { CelError, CelMap, Optional, type Result, type Value } from '../values.ts';
import { createWellKnown } from '../well-known-values.ts';
import { charge, type Step } from './frame.ts';

/** What struct literals build. */
export interface Structs {
  /** The value of a literal, or why there is none. `undefined`: no such type. */
  create(type: string, fields: ReadonlyMap<string, Value>): Result | undefined;
}

/** `[a, ?b]` */
export function listLiteral(elements: readonly Step[], optional: ReadonlySet<number>): Step {
  return constructed(10, (frame) => {
    const items: Value[] = [];
    for (let index = 0; index < elements.length; index++) {
      const value = (elements[index] as Step)(frame);
      if (value instanceof CelError) return value;
      if (!optional.has(index)) items.push(value);
      else if (!(value instanceof Optional)) return notOptional(value);
      else if (value.value !== undefined) items.push(value.value);
    }
    return items;
  });
}

/** `{a: b, ?c: d}` */
export function mapLiteral(entries: readonly (readonly [Step, Step])[], optional: ReadonlySet<number>): Step {
  return constructed(30, (frame) => {
    const map = new CelMap();
    for (let index = 0; index < entries.length; index++) {
      const [keyStep, valueStep] = entries[index] as readonly [Step, Step];
      const key = keyStep(frame);
      if (key instanceof CelError) return key;
      const value = valueStep(frame);
      if (value instanceof CelError) return value;
      if (!optional.has(index)) map.set(key, value);
      else if (!(value instanceof Optional)) return notOptional(value, key);
      else if (value.value !== undefined) map.set(key, value.value);
    }
    return map;
  });
}

/** `T{a: b, ?c: d}` */
export function structLiteral(
  type: string,
  fields: readonly (readonly [string, Step])[],
  optional: ReadonlySet<number>,
  structs: Structs,
): Step {
  return constructed(40, (frame) => {
    const values = new Map<string, Value>();
    for (let index = 0; index < fields.length; index++) {
      const [name, step] = fields[index] as readonly [string, Step];
      const value = step(frame);
      if (value instanceof CelError) return value;
      if (!optional.has(index)) values.set(name, value);
      else if (!(value instanceof Optional)) return notOptional(value, name);
      else if (value.value !== undefined) values.set(name, value.value);
    }
    const known = createWellKnown(type, values);
    if (known !== undefined) return known;
    return structs.create(type, values) ?? new CelError(`unknown type '${type}'`);
  });
}

/** A list, map or struct literal: charged for when its parts have been evaluated, or the first of them failed. */
function constructed(cost: number, build: Step): Step {
  return (frame) => {
    const value = build(frame);
    charge(frame, cost);
    return value;
  };
}

function notOptional(value: Value, key?: Value): CelError {
  const entry = key === undefined ? String(value) : String(key);
  return new CelError(`cannot initialize optional entry '${entry}' from non-optional value ${String(value)}`);
}
