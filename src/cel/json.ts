import { Double, double, isJsonMap, type JsonMap, MAX_INT64, MIN_INT64, normalizeInt, type Value } from './values.ts';

/**
 * JSON text to CEL values and back, exactly: integers keep all their digits, `1.0` stays a double and `1` an int, a key
 * `__proto__` is a key like any other. Texts without such numbers go through `JSON.parse`.
 */

/** A JSON text that cannot be read; `offset` is where. */
export class JsonError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Deepest nesting that the careful reader follows; no object of Kubernetes comes near. */
const MAX_DEPTH = 1_000;

/** What `JSON.parse` would read otherwise than Kubernetes: long integers, fractions and exponents, -0, lone surrogates. */
const NEEDS_CARE = /(?:"\s*:|[[,])\s*(?:-0|-?(?:\d+[.eE]|\d{16}))|\\u[dD][89a-fA-F]/;

/** Reads a JSON text. Throws `JsonError`. */
export function parseJson(text: string): Value {
  if (!NEEDS_CARE.test(text) && !/^\s*-?\d/.test(text)) {
    try {
      return JSON.parse(text) as Value;
    } catch {
      // The careful reader says where.
    }
  }
  return new Reader(text).document();
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Value {
    const value = this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#fail();
    return value;
  }

  #fail(): never {
    const char = this.#text[this.#at];
    const message =
      char === undefined ? 'unexpected end of JSON text' : `unexpected character ${JSON.stringify(char)} in JSON text`;
    throw new JsonError(message, this.#at);
  }

  #space(): void {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.#at++;
    }
  }

  #value(): Value {
    this.#space();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object());
      case '[':
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #nested(read: () => Value): Value {
    if (++this.#depth > MAX_DEPTH) throw new JsonError('JSON text nests too deeply', this.#at);
    const value = read();
    this.#depth--;
    return value;
  }

  #word(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) this.#fail();
    this.#at += word.length;
    return value;
  }

  #number(): Value {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (!match) this.#fail();
    this.#at += match[0].length;
    if (match[1] !== undefined || match[2] !== undefined) return double(Number(match[0]));
    const exact = match[0].length < 16 ? Number(match[0]) + 0 : BigInt(match[0]);
    if (typeof exact === 'number') return exact === 0 ? 0 : exact;
    return exact < MIN_INT64 || exact > MAX_INT64 ? double(Number(match[0])) : normalizeInt(exact);
  }

  #string(): string {
    STRING.lastIndex = this.#at;
    const match = STRING.exec(this.#text);
    if (!match) this.#fail();
    this.#at += match[0].length;
    if (!match[0].includes('\\')) return match[0].slice(1, -1);
    return wellFormed(JSON.parse(match[0]) as string);
  }

  #array(): Value {
    this.#at++;
    const items: Value[] = [];
    if (this.#closes(']')) return items;
    do items.push(this.#value());
    while (this.#more(']'));
    return items;
  }

  #object(): Value {
    this.#at++;
    const entries: Record<string, Value> = {};
    if (this.#closes('}')) return entries;
    do {
      this.#space();
      if (this.#text[this.#at] !== '"') this.#fail();
      const key = this.#string();
      this.#space();
      if (this.#text[this.#at] !== ':') this.#fail();
      this.#at++;
      const value = this.#value();
      if (key === '__proto__') define(entries, key, value);
      else entries[key] = value;
    } while (this.#more('}'));
    return entries;
  }

  #closes(closer: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== closer) return false;
    this.#at++;
    return true;
  }

  #more(closer: string): boolean {
    this.#space();
    const char = this.#text[this.#at];
    if (char !== ',' && char !== closer) this.#fail();
    this.#at++;
    return char === ',';
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

function define(entries: Record<string, Value>, key: string, value: Value): void {
  Object.defineProperty(entries, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Lone surrogates become U+FFFD, as Go's decoder has it. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

/** Writes a JSON value as text; numbers keep their digits, integral doubles print without a fraction as in Go. */
export function stringifyJson(value: Value): string {
  return plain(value) ? JSON.stringify(value) : write(value);
}

/** Whether `JSON.stringify` alone is exact. */
function plain(value: Value): boolean {
  if (typeof value === 'bigint') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(plain);
  return isJsonMap(value) && Object.values(value).every(plain);
}

function write(value: Value): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Double) return String(value.value);
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (isJsonMap(value)) return writeObject(value);
  return JSON.stringify(value);
}

function writeObject(value: JsonMap): string {
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`)
    .join(',')}}`;
}
