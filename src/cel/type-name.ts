import { CelMap, Double, Duration, Opaque, Optional, Timestamp, TypeValue, Uint, type Value } from './values.ts';

/** The run-time type name of a value, as `type(x)` and `no such overload: f(…)` print it. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'double';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: Exclude<Value, string | boolean | bigint | number>): string {
  if (value === null) return 'null_type';
  if (Array.isArray(value)) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof Double) return 'double';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof Opaque) return value.typeName;
  return 'map';
}
