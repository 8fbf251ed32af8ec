import {
  CelError,
  CelMap,
  Double,
  Duration,
  isMap,
  Opaque,
  Optional,
  type Result,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts';

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

/** The name of cel-go's own type for a value. */
export function celGoType(value: Result): string {
  switch (typeof value) {
    case 'string':
      return 'types.String';
    case 'boolean':
      return 'types.Bool';
    case 'bigint':
      return 'types.Int';
    case 'number':
      return Number.isInteger(value) ? 'types.Int' : 'types.Double';
    default:
      if (value instanceof Opaque && value.goType !== undefined) return value.goType;
      return GO_TYPES.find(([test]) => test(value))?.[1] ?? '*types.Optional';
  }
}

const GO_TYPES: readonly (readonly [(value: Result) => boolean, string])[] = [
  [(value) => value instanceof CelError, '*types.Err'],
  [(value) => value === null, 'types.Null'],
  [(value) => value instanceof Uint, 'types.Uint'],
  [(value) => value instanceof Double, 'types.Double'],
  [(value) => value instanceof Uint8Array, 'types.Bytes'],
  [(value) => value instanceof Timestamp, 'types.Timestamp'],
  [(value) => value instanceof Duration, 'types.Duration'],
  [(value) => value instanceof TypeValue, '*types.Type'],
  [(value) => Array.isArray(value), '*types.baseList'],
  [(value) => !(value instanceof CelError) && isMap(value), '*types.baseMap'],
];
