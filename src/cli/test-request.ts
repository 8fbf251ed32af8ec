/** The request of a test: given whole, or made of an object and what is done with it. */
import { stringifyJson, type Value } from '#cel/runtime';
import {
  type AdmissionRequest,
  builtinResource,
  isJsonObject,
  type Json,
  type JsonObject,
  objectAt,
  own,
  stringAt,
} from '#kubernetes';
import { decodeReview } from '#serve';
import { InputError } from './io.ts';

/** How a kind is served, for kinds that are not built in. */
export type ResourceLookup = (
  group: string,
  kind: string,
) => { readonly resource: string; readonly namespaced: boolean } | undefined;

const UID = '00000000-0000-4000-8000-000000000000';
const OPTIONS: Readonly<Record<string, string>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
};

/** The request of a test. Throws `InputError`. */
export function buildRequest(test: JsonObject, resources: ResourceLookup): AdmissionRequest {
  const given = own(test, 'request');
  const request =
    given === undefined ? made(test, resources) : isJsonObject(given) ? { uid: UID, ...given } : undefined;
  if (!request) throw new InputError('`request` is not an object');
  const review = decodeReview(
    stringifyJson({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: request as Value }),
  );
  if (review.kind === 'rejection') throw new InputError(review.message);
  return review.request;
}

function made(test: JsonObject, resources: ResourceLookup): JsonObject {
  const object = objectAt(test, 'object');
  const oldObject = objectAt(test, 'oldObject');
  const subject = object ?? oldObject;
  if (!subject) throw new InputError('it has neither `request` nor `object` nor `oldObject`');
  const operation = stringAt(test, 'operation') || (object ? (oldObject ? 'UPDATE' : 'CREATE') : 'DELETE');
  const kind = kindOf(subject);
  const { resource, namespaced } = resourceOf(test, kind, resources);
  const gvr = { group: kind.group, version: kind.version, resource };
  const name = stringAt(subject, 'metadata', 'name');
  const itself = kind.group === '' && kind.kind === 'Namespace' ? name : '';
  const namespace =
    stringAt(test, 'namespace') || (namespaced ? stringAt(subject, 'metadata', 'namespace') || 'default' : itself);
  const subResource = own(test, 'subResource') ?? '';
  const options =
    own(test, 'options') ?? (OPTIONS[operation] ? { kind: OPTIONS[operation], apiVersion: 'meta.k8s.io/v1' } : null);
  return {
    uid: UID,
    kind,
    resource: gvr,
    subResource,
    requestKind: kind,
    requestResource: gvr,
    requestSubResource: subResource,
    name,
    namespace,
    operation,
    userInfo: userOf(own(test, 'user')),
    object: placed(object, namespaced ? namespace : ''),
    oldObject: placed(oldObject, namespaced ? namespace : ''),
    dryRun: own(test, 'dryRun') ?? false,
    options,
  };
}

function kindOf(object: JsonObject): { readonly group: string; readonly version: string; readonly kind: string } {
  const apiVersion = stringAt(object, 'apiVersion');
  const kind = stringAt(object, 'kind');
  if (apiVersion === '' || kind === '') throw new InputError('the object has no `apiVersion` or no `kind`');
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return { group, version, kind };
}

function resourceOf(test: JsonObject, kind: ReturnType<typeof kindOf>, resources: ResourceLookup) {
  const known = builtinResource(kind) ?? resources(kind.group, kind.kind);
  const named = stringAt(test, 'resource');
  if (named !== '') return { resource: named, namespaced: known?.namespaced ?? true };
  if (!known) throw new InputError(`the resource of the kind \`${kind.kind}\` is not known; name it in \`resource\``);
  return known;
}

/** The API server puts the namespace of the request into an object that has none. */
function placed(object: JsonObject | undefined, namespace: string): JsonObject | null {
  if (!object || namespace === '') return object ?? null;
  return { ...object, metadata: { namespace, ...objectAt(object, 'metadata') } };
}

function userOf(user: Json | undefined): JsonObject {
  if (user === undefined) return { username: 'tester', groups: ['system:authenticated'] };
  if (typeof user === 'string') return { username: user, groups: ['system:authenticated'] };
  if (isJsonObject(user)) return user;
  throw new InputError('`user` is neither a name nor an object');
}
