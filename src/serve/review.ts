/**
 * The codec of AdmissionReview, `admission.k8s.io/v1` and `v1beta1`. Past `decodeReview` there is an `AdmissionRequest`
 * and nothing unknown; the numbers of its objects are exact.
 */
import { parseJson } from '#cel/runtime';
import {
  type AdmissionRequest,
  type GroupVersionKind,
  type GroupVersionResource,
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
  own,
  type UserInfo,
} from '#kubernetes';
import type { Outcome } from '#policy';
import { annotationKey } from './annotation.ts';
import { encodePatch } from './patch.ts';
import { type Rejection, reject } from './rejection.ts';

export interface Review {
  readonly kind: 'review';
  /** Echoed in the answer. */
  readonly apiVersion: 'admission.k8s.io/v1' | 'admission.k8s.io/v1beta1';
  readonly request: AdmissionRequest;
}

const OPERATIONS: ReadonlySet<string> = new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']);

/** The review in a request body, or why it is none (400). */
export function decodeReview(text: string): Review | Rejection {
  try {
    return readReview(parse(text));
  } catch (error) {
    if (error instanceof Malformed) return reject(400, error.message);
    throw error;
  }
}

/**
 * The body of the answer to a review. Warnings go out as they were raised: the API server itself leaves out, joins and
 * cuts (API server: apiserver/pkg/endpoints/filters/warning.go), together with those of its other plugins.
 */
export function encodeReview(review: Pick<Review, 'apiVersion' | 'request'>, outcome: Outcome): string {
  const { allowed, status, rawWarnings: warnings, auditAnnotations } = outcome.verdict;
  // A patch where there is no object is a 500 for the user, whatever the failurePolicy of the webhook.
  const patched = allowed && outcome.patch.length > 0 && review.request.object !== null;
  const annotations = Object.entries(auditAnnotations).map(([key, value]) => [annotationKey(key), value] as const);
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: review.apiVersion,
    response: {
      uid: review.request.uid,
      allowed,
      ...(status === undefined || allowed ? {} : { status: { ...status, code: clamp(status.code) } }),
      ...(patched ? { patch: encodePatch(outcome.patch), patchType: 'JSONPatch' } : {}),
      ...(annotations.length > 0 ? { auditAnnotations: Object.fromEntries(annotations) } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  });
}

/** A code below 400 would become 400, and one of four digits makes the API server drop its client's connection. */
function clamp(code: number | undefined): number {
  return code === undefined || code < 400 || code > 599 ? 400 : code;
}

class Malformed extends Error {}

function parse(text: string): Json {
  try {
    return parseJson(text) as Json;
  } catch (cause) {
    throw new Malformed('the body is not JSON', { cause });
  }
}

function readReview(document: Json): Review {
  if (!isJsonObject(document)) throw new Malformed('the body is not a JSON object');
  const apiVersion = own(document, 'apiVersion');
  if (own(document, 'kind') !== 'AdmissionReview') throw new Malformed('the body is not of kind AdmissionReview');
  if (apiVersion !== 'admission.k8s.io/v1' && apiVersion !== 'admission.k8s.io/v1beta1') {
    throw new Malformed('the apiVersion of the review is neither admission.k8s.io/v1 nor admission.k8s.io/v1beta1');
  }
  const request = own(document, 'request');
  if (!isJsonObject(request)) throw new Malformed('the review has no `request`');
  return { kind: 'review', apiVersion, request: readRequest(request) };
}

function readRequest(request: JsonObject): AdmissionRequest {
  const uid = text(request, 'uid', 'request');
  if (uid === '') throw new Malformed('`request.uid` is missing');
  const operation = text(request, 'operation', 'request');
  if (!isOperation(operation)) throw new Malformed('`request.operation` is not CREATE, UPDATE, DELETE or CONNECT');
  const requestKind = optionalObject(request, 'requestKind');
  const requestResource = optionalObject(request, 'requestResource');
  return {
    uid,
    operation,
    kind: readKind(object(request, 'kind'), 'request.kind'),
    resource: readResource(object(request, 'resource'), 'request.resource'),
    ...optionalText(request, 'subResource'),
    ...(requestKind ? { requestKind: readKind(requestKind, 'request.requestKind') } : {}),
    ...(requestResource ? { requestResource: readResource(requestResource, 'request.requestResource') } : {}),
    ...optionalText(request, 'requestSubResource'),
    ...optionalText(request, 'name'),
    ...optionalText(request, 'namespace'),
    userInfo: readUser(optionalObject(request, 'userInfo') ?? {}),
    object: optionalObject(request, 'object') ?? null,
    oldObject: optionalObject(request, 'oldObject') ?? null,
    ...readDryRun(request),
    options: optionalObject(request, 'options') ?? null,
  };
}

function isOperation(value: string): value is Operation {
  return OPERATIONS.has(value);
}

function readKind(value: JsonObject, place: string): GroupVersionKind {
  return {
    group: text(value, 'group', place),
    version: text(value, 'version', place),
    kind: required(value, 'kind', place),
  };
}

function readResource(value: JsonObject, place: string): GroupVersionResource {
  return {
    group: text(value, 'group', place),
    version: text(value, 'version', place),
    resource: required(value, 'resource', place),
  };
}

function readUser(user: JsonObject): UserInfo {
  const groups = own(user, 'groups');
  const extra = own(user, 'extra');
  return {
    ...presentText(user, 'username'),
    ...presentText(user, 'uid'),
    ...(groups === undefined || groups === null ? {} : { groups: texts(groups, 'request.userInfo.groups') }),
    ...(extra === undefined || extra === null ? {} : { extra: readExtra(extra) }),
  };
}

function readExtra(value: Json): Readonly<Record<string, readonly string[]>> {
  if (!isJsonObject(value)) throw new Malformed('`request.userInfo.extra` is not an object');
  const entries = Object.keys(value).map((key) => [key, texts(own(value, key), 'request.userInfo.extra')] as const);
  return Object.fromEntries(entries);
}

function readDryRun(request: JsonObject): { readonly dryRun?: boolean } {
  const dryRun = own(request, 'dryRun');
  if (dryRun === undefined || dryRun === null) return {};
  if (typeof dryRun !== 'boolean') throw new Malformed('`request.dryRun` is not a boolean');
  return { dryRun };
}

function object(parent: JsonObject, key: string): JsonObject {
  const value = optionalObject(parent, key);
  if (!value) throw new Malformed(`\`request.${key}\` is missing`);
  return value;
}

function optionalObject(parent: JsonObject, key: string): JsonObject | undefined {
  const value = own(parent, key);
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw new Malformed(`\`request.${key}\` is not an object`);
  return value;
}

/** A string; absent and null are the empty one, as Go reads them. */
function text(parent: JsonObject, key: string, place: string): string {
  const value = own(parent, key) ?? '';
  if (typeof value !== 'string') throw new Malformed(`\`${place}.${key}\` is not a string`);
  return value;
}

function required(parent: JsonObject, key: string, place: string): string {
  const value = text(parent, key, place);
  if (value === '') throw new Malformed(`\`${place}.${key}\` is missing`);
  return value;
}

function optionalText<K extends 'subResource' | 'requestSubResource' | 'name' | 'namespace'>(
  request: JsonObject,
  key: K,
): { readonly [key in K]?: string } {
  const value = text(request, key, 'request');
  return (value === '' ? {} : { [key]: value }) as { readonly [key in K]?: string };
}

function presentText<K extends 'username' | 'uid'>(user: JsonObject, key: K): { readonly [key in K]?: string } {
  const value = text(user, key, 'request.userInfo');
  return (value === '' ? {} : { [key]: value }) as { readonly [key in K]?: string };
}

function texts(value: Json | undefined, place: string): readonly string[] {
  if (Array.isArray(value) && value.every((item): item is string => typeof item === 'string')) return value;
  throw new Malformed(`\`${place}\` is not a list of strings`);
}
