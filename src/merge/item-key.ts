/**
 * What an item of a keyed list or a set is found by.
 *
 * API server: structured-merge-diff typed/helpers.go listItemToPathElement, value.Compare, PathElement.String.
 */
import { isPlainMap, shapeOf, type Unbox } from './data.ts';
import { goQuote, goText } from './go-text.ts';
import type { ListShape } from './schema.ts';

/** Why an item has no key; `error` is the API server's text without the position. */
export interface NoKey {
  readonly error: string;
}

/** A text that is equal for two items exactly when their keys are, or why there is none. */
export function itemKey(list: ListShape, item: unknown, unbox: Unbox): string | NoKey {
  if (list.keys === 'set') return setKey(item, unbox);
  const shape = shapeOf(item, unbox);
  if (shape === 'null') return { error: 'associative list with keys may not have a null element' };
  if (!isPlainMap(item)) return { error: 'associative list with keys may not have non-map elements' };
  const keys = list.keys === 'atomic' ? [] : list.keys;
  let text = '';
  for (const name of keys) {
    const value = keyField(list, item, name);
    if (value !== undefined) text += `${name}=${identity(value, unbox)};`;
  }
  return text === '' ? { error: omitsAll(keys) } : text;
}

function setKey(item: unknown, unbox: Unbox): string | NoKey {
  switch (shapeOf(item, unbox)) {
    case 'map':
      return { error: "associative list without keys has an element that's a map type" };
    case 'list':
      return { error: 'not supported: associative list with lists as elements' };
    case 'null':
      return { error: "associative list without keys has an element that's an explicit null" };
    default:
      return identity(item, unbox);
  }
}

function omitsAll(keys: readonly string[]): string {
  const names = keys.map(goQuote).join(' ');
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

/** A key field's value: present (null too), else its default, else `undefined`. */
function keyField(list: ListShape, item: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(item, name) ? item[name] : list.item.map?.keyDefaults.get(name);
}

function identity(value: unknown, unbox: Unbox): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'object' && value !== null) {
    const number = Array.isArray(value) || isPlainMap(value) ? undefined : unbox(value);
    if (number !== undefined) return Number.isInteger(number) ? String(BigInt(number)) : String(number);
    if (Array.isArray(value)) return `[${value.map((item) => identity(item, unbox)).join()}]`;
    if (isPlainMap(value)) {
      const names = Object.keys(value).sort();
      return `{${names.map((name) => `${JSON.stringify(name)}:${identity(value[name], unbox)}`).join()}}`;
    }
  }
  return String(value);
}

/** An item's place in a path, `[name="a",port=1]` or `[="x"]`. Only for items that have a key. */
export function itemPlace(list: ListShape, item: unknown, unbox: Unbox): string {
  if (list.keys === 'set' || list.keys === 'atomic' || !isPlainMap(item)) return `[=${goText(item, unbox)}]`;
  const fields: string[] = [];
  for (const name of [...list.keys].sort()) {
    const value = keyField(list, item, name);
    if (value !== undefined) fields.push(`${name}=${goText(value, unbox)}`);
  }
  return `[${fields.join()}]`;
}
