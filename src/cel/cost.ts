import { CelMap, Double, isJsonMap, Opaque, Optional, type Value } from './values.ts';

/** cel-go's factor for going through a string once. */
const STRING_TRAVERSAL = 0.1;

const PAIRED = /[\ud800-\udbff]/;
const BEYOND_ASCII = /[^\u0000-\u007f]/;

/** Number of code points of a string. The test for surrogates is far cheaper than counting, and mostly says no. */
export function codePoints(text: string): number {
  if (!PAIRED.test(text)) return text.length;
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      count--;
      index++;
    }
  }
  return count;
}

/** Length of a string in UTF-8 bytes. */
export function utf8Length(text: string): number {
  if (!BEYOND_ASCII.test(text)) return text.length;
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit <= 0xdbff) {
      bytes += 2;
      index++;
    } else bytes += 2;
  }
  return bytes;
}

/** The size that cost rules see: code points, bytes, elements, entries; 1 for everything else. */
export function sizeOf(value: Value | undefined): number {
  if (typeof value === 'string') return codePoints(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof CelMap) return value.size;
  if (value instanceof Opaque) return value.costSize?.() ?? 1;
  if (value instanceof Double || value instanceof Optional) return 1;
  return isJsonMap(value) ? Object.keys(value).length : 1;
}

/** ⌈size · 0.1⌉ of a value. */
export function traversal(value: Value | undefined, factor = STRING_TRAVERSAL): number {
  return Math.ceil(sizeOf(value) * factor);
}
