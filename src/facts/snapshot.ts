/**
 * A snapshot: the facts of a cluster as one document, pushed into the store or given to the CLI as a file.
 *
 * `{"facts": 1, "time": …, "namespaces": […], "params": {"v1/ConfigMap": […]}, "access": {…}}`. A section that is there
 * is complete: what it does not hold does not exist. A section, or a kind of params, that is not there was never
 * looked at, and whatever asks for it cannot be decided.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  labelsOf,
  objectAt,
  own,
  parseSelector,
  selectorMatches,
  stringAt,
} from '#kubernetes';
import { type Fact, type Facts, type Needs, NO_FACTS, type ParamNeed } from '#policy';
import { type AccessRules, decideAccess, readAccessRules } from './access.ts';
import { FactError } from './source.ts';

export interface Snapshot {
  /** Milliseconds since the epoch; absent when the document does not say. */
  readonly time?: number;
  readonly namespaces?: ReadonlyMap<string, JsonObject>;
  /** By `<apiVersion>/<Kind>`. */
  readonly params: ReadonlyMap<string, readonly JsonObject[]>;
  readonly access?: AccessRules;
}

/** The object that holds a cluster's snapshot. */
export function factsKey(cluster: string): string {
  return `facts/${cluster}.json.gz`;
}

/** The snapshot in a document. Throws `FactError`. */
export function readSnapshot(document: Json): Snapshot {
  if (!isJsonObject(document)) throw malformed('it is not an object');
  const version = own(document, 'facts');
  if (version !== 1) throw malformed(`\`facts\` must be 1, its version, not \`${String(version)}\``);
  const known = ['facts', 'time', 'namespaces', 'params', 'access'];
  for (const key of Object.keys(document)) if (!known.includes(key)) throw malformed(`unknown member \`${key}\``);
  const time = readTime(own(document, 'time'));
  const namespaces = own(document, 'namespaces');
  const access = own(document, 'access');
  return {
    ...(time === undefined ? {} : { time }),
    ...(namespaces === undefined ? {} : { namespaces: readNamespaces(namespaces) }),
    params: readParams(own(document, 'params')),
    ...(access === undefined ? {} : { access: readAccessRules(access) }),
  };
}

/** What the snapshot says to everything that is asked for. Throws `FactError` for what it does not cover. */
export function answerFrom(snapshot: Snapshot, needs: Needs): Facts {
  const { namespaces, access } = snapshot;
  if (needs.namespaces.length > 0 && !namespaces) throw notCovered('namespaces');
  if (needs.access.length > 0 && !access) throw notCovered('access rules');
  return {
    namespaces: new Map(needs.namespaces.map((name) => [name, fact(namespaces?.get(name))])),
    params: new Map(needs.params.map((need) => [need.key, paramsOf(snapshot, need)])),
    access: new Map(needs.access.map((need) => [need.key, fact(access && decideAccess(access, need))])),
  };
}

/** The namespace itself, where it is known. */
export function atHandIn(snapshot: Snapshot, namespace: string | undefined): Facts {
  const object = namespace === undefined ? undefined : snapshot.namespaces?.get(namespace);
  if (namespace === undefined || !object) return NO_FACTS;
  return { ...NO_FACTS, namespaces: new Map([[namespace, { kind: 'found', value: object }]]) };
}

function fact<T>(value: T | undefined): Fact<T> {
  return value === undefined ? { kind: 'absent' } : { kind: 'found', value };
}

function paramsOf(snapshot: Snapshot, need: ParamNeed): Fact<readonly JsonObject[]> {
  const objects = snapshot.params.get(`${need.apiVersion}/${need.kind}`);
  if (!objects) throw notCovered(`\`${need.apiVersion}/${need.kind}\` objects`);
  const here = objects.filter(
    (object) => need.namespace === undefined || stringAt(object, 'metadata', 'namespace') === need.namespace,
  );
  if (need.name !== undefined) {
    const named = here.find((object) => stringAt(object, 'metadata', 'name') === need.name);
    return fact(named && [named]);
  }
  const selector = parseSelector(need.selector ?? {});
  if ('error' in selector) return { kind: 'error', message: selector.error };
  return fact(here.filter((object) => selectorMatches(selector, labelsOf(object))));
}

function readTime(value: Json | undefined): number | undefined {
  if (value === undefined) return undefined;
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw malformed('`time` is not a date as RFC 3339 has it');
  return time;
}

function readNamespaces(value: Json): ReadonlyMap<string, JsonObject> {
  return new Map(objectsOf(value, 'namespaces').map((object) => [stringAt(object, 'metadata', 'name'), object]));
}

function readParams(value: Json | undefined): ReadonlyMap<string, readonly JsonObject[]> {
  if (value === undefined) return new Map();
  if (!isJsonObject(value)) throw malformed('`params` is not an object of lists, named `<apiVersion>/<Kind>`');
  return new Map(Object.keys(value).map((kind) => [kind, objectsOf(own(value, kind), `params["${kind}"]`)]));
}

function objectsOf(value: Json | undefined, place: string): readonly JsonObject[] {
  if (!Array.isArray(value)) throw malformed(`\`${place}\` is not a list`);
  return value.map((item: Json, index) => {
    if (!isJsonObject(item) || !objectAt(item, 'metadata'))
      throw malformed(`\`${place}[${index}]\` is not an object with metadata`);
    return item;
  });
}

function malformed(why: string): FactError {
  return new FactError('unavailable', `this is no document of facts: ${why}`);
}

function notCovered(what: string): FactError {
  return new FactError('not-covered', `the cluster's facts hold no ${what}`);
}
