/**
 * Static types, as the checker sees them. `name` is the name as it is printed and compared;
 * `params` are element, key and value types.
 */
export interface CelType {
  readonly kind: TypeKind;
  readonly name: string;
  readonly params: readonly CelType[];
}

export type TypeKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration'
  | 'dyn'
  | 'any'
  | 'error'
  | 'list'
  | 'map'
  | 'type'
  | 'param'
  /** Host types without fields, `optional_type(T)` among them. */
  | 'opaque'
  /** Types with declared fields. */
  | 'struct'
  /** A scalar that may be null. */
  | 'wrapper';

const simple = (kind: TypeKind, name: string = kind): CelType => ({ kind, name, params: [] });

export const BOOL = simple('bool');
export const INT = simple('int');
export const UINT = simple('uint');
export const DOUBLE = simple('double');
export const STRING = simple('string');
export const BYTES = simple('bytes');
export const NULL = simple('null', 'null');
export const TIMESTAMP = simple('timestamp', 'timestamp');
export const DURATION = simple('duration', 'duration');
export const DYN = simple('dyn');
export const ANY = simple('any');
export const ERROR = simple('error', '!error!');

export const listType = (element: CelType): CelType => ({ kind: 'list', name: 'list', params: [element] });
export const mapType = (key: CelType, value: CelType): CelType => ({ kind: 'map', name: 'map', params: [key, value] });
export const typeType = (of?: CelType): CelType => ({ kind: 'type', name: 'type', params: of ? [of] : [] });
export const opaqueType = (name: string, ...params: readonly CelType[]): CelType => ({ kind: 'opaque', name, params });
export const structType = (name: string): CelType => ({ kind: 'struct', name, params: [] });
export const paramType = (name: string): CelType => ({ kind: 'param', name, params: [] });
export const wrapperType = (of: CelType): CelType => ({ kind: 'wrapper', name: 'wrapper', params: [of] });
export const optionalType = (of: CelType): CelType => opaqueType('optional_type', of);

export function isOptional(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** Same type to the letter. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((param, index) => sameType(param, b.params[index] as CelType));
}

/** A type as the API server prints it. */
export function typeText(type: CelType): string {
  if (type.params.length === 0) return type.name;
  return `${type.name}(${type.params.map(typeText).join(', ')})`;
}

const SCALARS: ReadonlyMap<string, CelType> = new Map(
  [BOOL, INT, UINT, DOUBLE, STRING, BYTES, NULL, TIMESTAMP, DURATION, DYN, ANY].map((type) => [type.name, type]),
);

/** A declared function: what a signature's text says. */
export interface Signature {
  readonly member: boolean;
  /** Target first, for a member. */
  readonly params: readonly CelType[];
  readonly result: CelType;
}

/** Reads `string.(int) -> string`, `(list<T>, T) -> bool` and the like. Throws on a malformed text: a table's fault. */
export function parseSignature(text: string): Signature {
  const arrow = text.lastIndexOf('->');
  const open = text.indexOf('(', Math.max(0, text.indexOf('.(')));
  const close = text.lastIndexOf(')', arrow);
  if (arrow < 0 || open < 0 || close < open) throw new Error(`malformed signature ${text}`);
  const target = text.slice(0, open).trim();
  const args = splitTypes(text.slice(open + 1, close)).map(parseType);
  const member = target !== '';
  return {
    member,
    params: member ? [parseType(target.replace(/\.$/, '')), ...args] : args,
    result: parseType(text.slice(arrow + 2)),
  };
}

/** Reads one type of a signature: `list<map<string, dyn>>`, `T`, `net.IP`. */
export function parseType(text: string): CelType {
  const trimmed = text.trim();
  const scalar = SCALARS.get(trimmed);
  if (scalar) return scalar;
  if (/^[A-Z]$/.test(trimmed)) return paramType(trimmed);
  const open = trimmed.indexOf('<');
  if (open < 0) return trimmed === 'type' ? typeType() : opaqueType(trimmed);
  const params = splitTypes(trimmed.slice(open + 1, -1)).map(parseType);
  const [first = DYN, second = DYN] = params;
  switch (trimmed.slice(0, open)) {
    case 'list':
      return listType(first);
    case 'map':
      return mapType(first, second);
    case 'optional':
      return optionalType(first);
    case 'type':
      return typeType(first);
    case 'wrapper':
      return wrapperType(first);
    default:
      throw new Error(`unknown type ${trimmed}`);
  }
}

function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '<') depth++;
    else if (char === '>') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  const last = text.slice(start);
  return last.trim() === '' && parts.length === 0 ? [] : [...parts, last];
}

const RUNTIME_NAMES: ReadonlyMap<string, string> = new Map([
  ['null', 'null_type'],
  ['timestamp', 'google.protobuf.Timestamp'],
  ['duration', 'google.protobuf.Duration'],
  ['any', 'google.protobuf.Any'],
]);

/** A type by its run-time names, as messages about a whole expression's type print it. */
export function runtimeTypeText(type: CelType): string {
  const name = RUNTIME_NAMES.get(type.name) ?? type.name;
  return type.params.length === 0 ? name : `${name}(${type.params.map(runtimeTypeText).join(', ')})`;
}
