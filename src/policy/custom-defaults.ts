/** Defaults of custom resources from their structural schema (API server: apiextensions pkg/apiserver/schema/defaulting). */
import { isJsonObject, type Json, type JsonObject, own } from '#kubernetes';

/**
 * The object with the defaults of `schema` filled in: absent properties, and nulls where the schema is not nullable.
 * What needs none is shared.
 */
export function withDefaults(object: JsonObject, schema: JsonObject): JsonObject {
  const result = fill(object, schema);
  return isJsonObject(result) ? result : object;
}

/** The parts of a structural schema that bear on defaults; `undefined` when it has none. */
export function defaultingSchema(schema: JsonObject): JsonObject | undefined {
  const kept: [string, Json][] = [];
  const ownDefault = own(schema, 'default');
  if (ownDefault !== undefined && ownDefault !== null) kept.push(['default', ownDefault]);
  const properties = schemaAt(schema, 'properties');
  if (properties) {
    const below = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
      const part = isJsonObject(property) ? defaultingSchema(property) : undefined;
      return part ? [[name, part]] : [];
    });
    // a declared property hides additionalProperties, even if it has no defaults itself
    const names = schemaAt(schema, 'additionalProperties')
      ? Object.keys(properties).map((name): [string, Json] => [name, {}])
      : [];
    if (below.length > 0) kept.push(['properties', { ...Object.fromEntries(names), ...Object.fromEntries(below) }]);
  }
  for (const key of ['additionalProperties', 'items']) {
    const part = schemaAt(schema, key);
    const below = part && defaultingSchema(part);
    if (below) kept.push([key, below]);
  }
  if (kept.length === 0) return undefined;
  if (own(schema, 'nullable') === true) kept.push(['nullable', true]);
  return Object.fromEntries(kept);
}

function fill(value: Json, schema: JsonObject): Json {
  if (Array.isArray(value)) return fillList(value, schema);
  return isJsonObject(value) ? fillObject(value, schema) : value;
}

function fillList(list: readonly Json[], schema: JsonObject): Json {
  const items = schemaAt(schema, 'items');
  if (!items) return list;
  const filled = list.map((item) => fill(orDefault(item, items) ?? null, items));
  return filled.some((item, index) => item !== list[index]) ? filled : list;
}

function fillObject(object: JsonObject, schema: JsonObject): JsonObject {
  const properties = schemaAt(schema, 'properties') ?? {};
  const others = schemaAt(schema, 'additionalProperties');
  const changes: [string, Json][] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(object, name) || !isJsonObject(property)) continue;
    const value = orDefault(undefined, property);
    if (value !== undefined) changes.push([name, fill(value, property)]);
  }
  for (const [name, value] of Object.entries(object)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : others;
    if (!isJsonObject(property)) continue;
    const filled = fill(orDefault(value, property) ?? null, property);
    if (filled !== value) changes.push([name, filled]);
  }
  return changes.length === 0 ? object : { ...object, ...Object.fromEntries(changes) };
}

function orDefault(value: Json | undefined, schema: JsonObject): Json | undefined {
  const wanting = value === undefined || (value === null && own(schema, 'nullable') !== true);
  return wanting ? (own(schema, 'default') ?? value) : value;
}

function schemaAt(schema: JsonObject, key: string): JsonObject | undefined {
  const part = own(schema, key);
  return isJsonObject(part) ? part : undefined;
}
