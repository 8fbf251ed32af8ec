/** YAML or JSON documents that are not manifests: reviews, facts, tests. */

import { parse, YAMLParseError } from 'yaml';
import { parseJson } from '#cel/runtime';
import type { Json } from '#kubernetes';
import { InputError } from './io.ts';

/** The value of a document. Integers are exact; YAML's other scalars are read as YAML 1.2 has them. Throws `InputError`. */
export function readDocument(name: string, text: string): Json {
  if (/^\s*[{[]/.test(text)) {
    try {
      return parseJson(text) as Json;
    } catch {
      // Perhaps flow style YAML: that reader says what is wrong.
    }
  }
  try {
    return exact(
      parse(text, { intAsBigInt: true, prettyErrors: true, uniqueKeys: true, maxAliasCount: 1000 }) as unknown,
    );
  } catch (error) {
    if (error instanceof YAMLParseError) throw new InputError(`\`${name}\`: ${error.message}`);
    throw error;
  }
}

function exact(value: unknown): Json {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, exact(item)]));
}
