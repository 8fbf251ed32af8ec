/**
 * The size of a value's JSON text as the API server writes it, in bytes: what its copy limit counts.
 */
import { STORED_NULL } from './document.ts';
import { isList, isPlainMap, numberOf, type Unbox } from './operation.ts';

/** The size, or any number above `limit` as soon as that is passed. */
export function jsonSize(value: unknown, limit: number, unbox: Unbox): number {
  if (value === null || value === STORED_NULL || value === true) return 4;
  if (value === false) return 5;
  if (typeof value === 'string') return textSize(value);
  const number = numberOf(value, unbox);
  if (number !== undefined) return String(number).length;
  let size = 2;
  if (isList(value)) {
    if (value.length > 1) size += value.length - 1;
    for (const item of value) {
      size += jsonSize(item, limit - size, unbox);
      if (size > limit) break;
    }
  } else if (isPlainMap(value)) {
    const keys = Object.keys(value);
    if (keys.length > 1) size += keys.length - 1;
    for (const key of keys) {
      size += textSize(key) + 1 + jsonSize(value[key], limit - size, unbox);
      if (size > limit) break;
    }
  }
  return size;
}

function textSize(text: string): number {
  let size = 2;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code > 0xffff) size += 4;
    else if (code === 0x2028 || code === 0x2029) size += 6;
    else if (code > 0x7ff) size += 3;
    else if (code > 0x7f) size += 2;
    else if ('"\\\n\r\t\b\f'.includes(character)) size += 2;
    else if (code < 0x20 || '<>&'.includes(character)) size += 6;
    else size += 1;
  }
  return size;
}
