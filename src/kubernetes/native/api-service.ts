/**
 * The Go types of APIService, which come from another module than those of the other built-in kinds.
 *
 * Facts from the JSON tags of k8s.io/kube-aggregator pkg/apis/apiregistration/v1.
 */
import type { StoredNative, StoredType } from './schema.ts';

const API_VERSION = 'apiregistration.k8s.io/v1';

/** The table with APIService; its metadata is that of `like`, a kind of the table. */
export function withApiService(
  table: StoredNative,
  like: { readonly apiVersion: string; readonly kind: string },
): StoredNative {
  const known = table.types[table.kinds[like.apiVersion]?.[like.kind] ?? -1];
  const metadata = typeof known === 'object' && 'r' in known ? known.r?.['metadata'] : undefined;
  if (metadata === undefined) throw new RangeError(`native schema has no metadata of ${like.kind}`);
  const types: StoredType[] = [...table.types];
  const add = (type: StoredType): number => types.push(type) - 1;
  const text = add('s');
  const number = add('i');
  const service = add({ g: 'v1.ServiceReference', o: { name: text, namespace: text }, p: { port: number } });
  const spec = add({
    g: 'v1.APIServiceSpec',
    o: { caBundle: add('y'), group: text, insecureSkipTLSVerify: add('b'), version: text },
    p: { service },
    r: { groupPriorityMinimum: number, versionPriority: number },
  });
  const condition = add({
    g: 'v1.APIServiceCondition',
    o: { message: text, reason: text },
    r: {
      lastTransitionTime: add('t'),
      status: add('s v1.ConditionStatus'),
      type: add('s v1.APIServiceConditionType'),
    },
  });
  const status = add({ g: 'v1.APIServiceStatus', o: { conditions: add({ l: condition }) } });
  const kind = add({ g: 'v1.APIService', r: { metadata, spec, status } });
  return { types, kinds: { ...table.kinds, [API_VERSION]: { APIService: kind } } };
}
