import { formatValue } from '../go-value.ts';
import { celGoType, typeName } from '../type-name.ts';
import {
  CelError,
  CelMap,
  Double,
  isJsonMap,
  isMap,
  Opaque,
  ownProperty,
  type Result,
  Uint,
  Unconverted,
  type Value,
} from '../values.ts';

/**
 * One step into a value: a field or an index. `undefined` means that there is nothing under that key; `missing` says so
 * in words.
 */
export function qualify(value: Value, key: Value): Result | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return element(value, key);
  if (value instanceof CelMap) return value.get(key);
  if (value instanceof Unconverted) return value.error;
  if (value instanceof Opaque) return typeof key === 'string' ? value.get?.(key) : undefined;
  return typeof key === 'string' && isJsonMap(value) ? ownProperty(value, key) : undefined;
}

function element(list: readonly Value[], key: Value): Result | undefined {
  if (typeof key === 'number' && Number.isInteger(key)) return list[key];
  if (typeof key === 'bigint') return undefined;
  if (key instanceof Uint) return list[Number(key.value)];
  if (key instanceof Double) return list[key.value];
  if (typeof key === 'number') return new CelError(`unsupported index value ${formatValue(key)} in list`);
  return new CelError(`unsupported index type '${typeName(key)}' in list`);
}

/** The error of a key that is not there. */
export function missing(value: Value, key: Value): CelError {
  if (Array.isArray(value)) return new CelError(`index out of bounds: ${formatValue(key)}`);
  return new CelError(`no such key: ${formatValue(key)}`);
}

/** What `has()` answers for the last step: key presence, whatever the value. */
export function present(value: Value, key: Value): boolean | CelError {
  if (value instanceof Opaque && value.has && typeof key === 'string') return value.has(key);
  const inner = qualify(value, key);
  if (inner instanceof CelError) return inner;
  return inner !== undefined;
}

/** Whether a value can be a step at all. */
export function isKey(value: Value): boolean {
  switch (typeof value) {
    case 'object':
      return value instanceof Uint || value instanceof Double;
    default:
      return true;
  }
}

/** The error of a key that can be none; lists and maps that were read have other Go types than those that were made. */
export function invalidKey(key: Value, built = false): CelError {
  return new CelError(`invalid qualifier type: ${goTypeOf(key, built)}`);
}

function goTypeOf(value: Value, built: boolean): string {
  if (value === null) return built ? celGoType(value) : '<nil>';
  if (Array.isArray(value)) return built ? '*types.baseList' : '[]interface {}';
  if (value instanceof Opaque) return value.goType ?? celGoType(value);
  return !(value instanceof CelMap) && isMap(value) ? 'map[string]interface {}' : celGoType(value);
}
