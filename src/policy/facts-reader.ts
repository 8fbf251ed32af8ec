/** Facts as evaluation asks for them: what is not there is thrown as `NeedsFact`. */
import { type JsonObject, notFound, type Status } from '#kubernetes';
import type { Fact, Facts, ParamNeed } from './facts.ts';
import { NeedsFact } from './needs.ts';

/** An error of the API: its text, and the whole status where it has one. */
export interface ApiError {
  readonly message: string;
  readonly status?: Status;
}

export type Read<T> = { readonly value: T; readonly error?: undefined } | { readonly error: ApiError };

export interface FactsReader {
  /** A stored namespace, or why there is none. */
  namespace(name: string): Read<JsonObject>;
  /** The same, but `undefined` instead of a need when nothing is known of it. */
  knownNamespace(name: string): Read<JsonObject> | undefined;
  params(need: ParamNeed): Read<readonly JsonObject[]>;
}

export function factsReader(facts: Facts): FactsReader {
  const knownNamespace = (name: string): Read<JsonObject> | undefined => {
    const fact = facts.namespaces.get(name);
    return fact && namespaceRead(name, fact);
  };
  return {
    knownNamespace,
    namespace: (name) => {
      const known = knownNamespace(name);
      if (!known) throw new NeedsFact({ kind: 'namespace', name });
      return known;
    },
    params: (need) => {
      const fact = facts.params.get(need.key);
      if (!fact) throw new NeedsFact({ kind: 'params', need });
      if (fact.kind === 'found') return { value: fact.value };
      return fact.kind === 'absent' ? { value: [] } : { error: { message: fact.message } };
    },
  };
}

function namespaceRead(name: string, fact: Fact<JsonObject>): Read<JsonObject> {
  if (fact.kind === 'found') return { value: fact.value };
  if (fact.kind === 'error') return { error: { message: fact.message } };
  const status = notFound({ group: '', resource: 'namespaces' }, name);
  return { error: { message: status.message ?? '', status } };
}
