/** JSON in one form only: members sorted by UTF-16 code units, no blanks, numbers as the exact writer has them. */
import { stringifyJson, type Value } from '#cel/runtime';

/** The canonical text of a JSON value, exact integers and doubles included. Members that are `undefined` are left out. */
export function canonicalJson(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isPlainObject(value)) return stringifyJson(value);
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

function isPlainObject(value: Value): value is { readonly [key: string]: Value } {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
