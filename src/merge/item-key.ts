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
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) {
    const value = keyField(list, item, only);
    return value === undefined ? { error: omitsAll(keys) } : identity(value, unbox);
  }
  let text = '';
  for (const name of keys) {
    const value = keyField(list, item, name);
    if (value === undefined) continue;
    const part = identity(value, unbox);
    text += `${name}=${part.length}:${part};`;
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

/** A text that says the kind of a value by its first character. */
function identity(value: unknown, unbox: Unbox): string {
  if (typeof value === 'string') return `"${value}`;
  if (typeof value === 'object' && value !== null) {
    const number = Array.isArray(value) || isPlainMap(value) ? undefined : unbox(value);
    if (number !== undefined) return Number.isInteger(number) ? String(BigInt(number)) : String(number);
    if (Array.isArray(value)) return `[${value.map((item) => quoted(identity(item, unbox))).join()}]`;
    if (isPlainMap(value)) {
      const names = Object.keys(value).sort();
      return `{${names.map((name) => `${JSON.stringify(name)}:${quoted(identity(value[name], unbox))}`).join()}}`;
    }
  }
  return String(value);
}

function quoted(text: string): string {
  return JSON.stringify(text);
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
