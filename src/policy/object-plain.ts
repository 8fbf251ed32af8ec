/**
 * An `Object` value as the data that the API server's patch code makes of it (API server: pkg/cel/mutation/dynamic/objects.go
 * convertField): a field's list or map literal is opened one level; a literal inside it, and every value that is no JSON,
 * stays a `ForeignValue`, which no schema takes. Values copied from the request's data stay what they are.
 */
import { CelMap, Double, isJsonMap, Opaque, Optional, TypeValue, Uint, type Value } from '#cel/runtime';
import { goQuote } from '#kubernetes';
import { EMPTY_LITERAL } from '#merge';
import { ForeignValue } from './foreign.ts';
import { goType } from './go-type.ts';
import type { NativeLists } from './native-lists.ts';
import { ObjectValue } from './object-values.ts';

export interface PlainObject {
  readonly [key: string]: unknown;
}

/** The data of an Object, or the error that stands in its place. */
export type Plain = { readonly object: PlainObject; readonly error?: undefined } | { readonly error: string };

export function plainObject(value: ObjectValue, native: NativeLists): Plain {
  const fields: [string, unknown][] = [];
  for (const [name, field] of value.fields) {
    const plain = fieldValue(unwrap(field), native);
    if (plain instanceof BadKey) return { error: `fail to convert field ${goQuote(name)}: ${plain.text}` };
    fields.push([name, plain]);
  }
  return { object: Object.fromEntries(fields) };
}

class BadKey {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A list or map literal that is a field's own value is opened. */
function fieldValue(value: Value | undefined, native: NativeLists): unknown {
  if (Array.isArray(value) && isBuilt(value) && !native.has(value)) {
    return value.length === 0 ? EMPTY_LITERAL : value.map((item) => rawValue(item, native));
  }
  if (!(value instanceof CelMap)) return rawValue(value, native);
  const entries: [string, unknown][] = [];
  for (const [key, item] of value.entries.values()) {
    if (typeof key !== 'string') return new BadKey(keyText(key));
    entries.push([key, rawValue(item, native)]);
  }
  return Object.fromEntries(entries);
}

/** What cel-go's `Value()` gives. */
function rawValue(wrapped: Value | undefined, native: NativeLists): unknown {
  const value = unwrap(wrapped);
  if (value === undefined) return null;
  if (value === null) return new ForeignValue(goType(value), value);
  if (value instanceof ObjectValue) {
    const plain = plainObject(value, native);
    return plain.error === undefined ? plain.object : new ForeignValue('*types.Err', value, plain.error);
  }
  if (Array.isArray(value)) {
    if (!isBuilt(value)) return new ForeignValue('[]string', value);
    return native.has(value) ? value : new ForeignValue(goType(value), value);
  }
  if (value instanceof TypeValue) return value.name;
  if (typeof value !== 'object' || value instanceof Double) return value;
  return !(value instanceof Opaque) && isJsonMap(value) ? value : new ForeignValue(goType(value), value);
}

/** Lists that functions make of Go string slices are of a class of their own. */
function isBuilt(list: readonly Value[]): boolean {
  return Object.getPrototypeOf(list) === Array.prototype;
}

/** The value inside optionals; `undefined` for an empty one. */
function unwrap(value: Value | undefined): Value | undefined {
  let inner = value;
  while (inner instanceof Optional) inner = inner.value;
  return inner;
}

// k8s: %q of a key prints a number as a character, and what it cannot print as a fault of the format
function keyText(key: Value): string {
  const [type, shown] = goKey(key);
  return `map key ${shown} is of type ${type}, not string`;
}

function goKey(key: Value): readonly [type: string, shown: string] {
  if (key === null) return ['types.Null', characterText(0)];
  if (typeof key === 'boolean') return ['types.Bool', `%!q(types.Bool=${key})`];
  if (typeof key === 'bigint' || (typeof key === 'number' && Number.isInteger(key))) {
    return ['types.Int', characterText(Number(key))];
  }
  if (key instanceof Uint) return ['types.Uint', characterText(Number(key.value))];
  const number = key instanceof Double ? key.value : key;
  return ['types.Double', `%!q(types.Double=${String(number)})`];
}

function characterText(code: number): string {
  const valid = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
  const character = String.fromCodePoint(valid ? code : 0xfffd);
  return character === "'" ? "'\\''" : `'${goQuote(character).slice(1, -1).replace('\\"', '"')}'`;
}
