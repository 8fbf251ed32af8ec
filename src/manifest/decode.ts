/**
 * Decodes policies and bindings strictly: fields that do not exist and values of another type are faults, as with
 * `kubectl apply --validate=strict`; what is faulty is left out, so that one fault does not hide another.
 */
import type { Diagnostic } from '#diagnostics';
import { type FieldPath, fieldText, isJsonObject, type Json, type JsonObject, nearest } from '#kubernetes';
import type { FieldType } from './fields.ts';
import type { Places } from './manifest.ts';

export interface Decoded {
  readonly object: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
}

/** The object with what its kind knows of it. Nulls are absent fields. */
export function decode(object: JsonObject, type: FieldType, places: Places, root: FieldPath): Decoded {
  const diagnostics: Diagnostic[] = [];
  const value = decodeValue(object, type, [], { places, root, diagnostics });
  return { object: isJsonObject(value) ? value : {}, diagnostics };
}

interface Context {
  readonly places: Places;
  readonly root: FieldPath;
  readonly diagnostics: Diagnostic[];
}

function decodeValue(value: Json, type: FieldType, path: FieldPath, context: Context): Json | undefined {
  if (value === null) return undefined;
  if (type === 'any') return value;
  if (typeof type === 'string') return decodeScalar(value, type, path, context);
  if ('list' in type) {
    if (!Array.isArray(value)) return mistyped('a list', value, path, context);
    return value.flatMap((item, index) => decodeValue(item, type.list, [...path, index], context) ?? []);
  }
  if (!isJsonObject(value)) return mistyped('an object', value, path, context);
  const kept: [string, Json][] = [];
  for (const [name, item] of Object.entries(value)) {
    const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    if (field === undefined) {
      unknownField(name, Object.keys(type.fields), path, context);
      continue;
    }
    const decoded = decodeValue(item, field, [...path, name], context);
    if (decoded !== undefined) kept.push([name, decoded]);
  }
  return Object.fromEntries(kept);
}

function decodeScalar(
  value: Json,
  type: 'string' | 'boolean' | 'integer' | 'strings-by-name',
  path: FieldPath,
  context: Context,
): Json | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : mistyped('a string', value, path, context);
    case 'boolean':
      return typeof value === 'boolean' ? value : mistyped('a boolean', value, path, context);
    case 'integer':
      return typeof value === 'number' || typeof value === 'bigint'
        ? value
        : mistyped('an integer', value, path, context);
    case 'strings-by-name': {
      if (!isJsonObject(value)) return mistyped('an object', value, path, context);
      const entries = Object.entries(value).flatMap(([name, item]): [string, Json][] => {
        const text = decodeScalar(item, 'string', [...path, name], context);
        return text === undefined ? [] : [[name, text]];
      });
      return Object.fromEntries(entries);
    }
  }
}

function mistyped(wanted: string, value: Json, path: FieldPath, { places, root, diagnostics }: Context): undefined {
  diagnostics.push({
    severity: 'error',
    code: 'wrong-type',
    message: `${wanted} is wanted, not ${describe(value)}`,
    field: fieldText(path),
    span: places.span([...root, ...path]),
    ...(wanted === 'a string' && typeof value !== 'object' ? { help: `put it in quotes: "${String(value)}"` } : {}),
  });
}

function unknownField(
  name: string,
  known: readonly string[],
  path: FieldPath,
  { places, root, diagnostics }: Context,
): void {
  const near = nearest(name, known);
  const field = fieldText([...path, name]);
  diagnostics.push({
    severity: 'error',
    code: 'unknown-field',
    message: `there is no field \`${name}\``,
    upstream: `strict decoding error: unknown field ${JSON.stringify(field)}`,
    field,
    span: places.keySpan([...root, ...path, name]),
    help: near === undefined ? `known here: ${known.join(', ')}` : `did you mean \`${near}\`?`,
  });
}

function describe(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  if (typeof value === 'string') return 'a string';
  return typeof value === 'boolean' ? 'a boolean' : 'a number';
}
