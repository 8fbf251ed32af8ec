import { describe, expect, it } from 'vitest';
import type { Outcome, PatchOperation } from '#policy';
import { decodeReview, encodeReview } from '#serve';
import { outcome, review } from './fixtures.ts';

describe('decodeReview', () => {
  it.each(['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'])(
    'reads %s, absent and null objects as null',
    (apiVersion) => {
      const decoded = decodeReview(review({ oldObject: undefined, options: null }, apiVersion));
      expect(decoded).toMatchObject({
        kind: 'review',
        apiVersion,
        request: {
          operation: 'CREATE',
          name: 'web',
          oldObject: null,
          options: null,
          dryRun: false,
          object: { kind: 'Pod' },
        },
      });
    },
  );

  it('leaves out what is empty', () => {
    const decoded = decodeReview(review({ name: '', namespace: undefined, subResource: '', requestSubResource: null }));
    expect(decoded).toMatchObject({ kind: 'review' });
    if (decoded.kind === 'review') {
      expect(Object.keys(decoded.request)).not.toContain('name');
      expect(Object.keys(decoded.request)).not.toContain('namespace');
      expect(Object.keys(decoded.request)).not.toContain('subResource');
      expect(Object.keys(decoded.request)).not.toContain('requestSubResource');
    }
  });

  it('keeps integers beyond 2^53 exact', () => {
    const text = review().replace('"containers":[]', '"big":9007199254740993');
    expect(decodeReview(text)).toMatchObject({ request: { object: { spec: { big: 9007199254740993n } } } });
  });

  it('an own `__proto__` of an object is data', () => {
    const text = review().replace('"containers":[]', '"__proto__":{"polluted":true}');
    const decoded = decodeReview(text);
    expect(decoded.kind).toBe('review');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it.each<readonly [string, string, RegExp]>([
    ['no body', '', /not JSON/],
    ['no JSON', '{', /not JSON/],
    ['trailing text', `${review()}x`, /not JSON/],
    ['nesting beyond all reason', '['.repeat(200_000), /not JSON/],
    ['a list', '[]', /not a JSON object/],
    ['null', 'null', /not a JSON object/],
    ['another kind', '{"kind":"Pod","apiVersion":"v1"}', /kind AdmissionReview/],
    [
      'another version',
      '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v2","request":{}}',
      /admission\.k8s\.io\/v1beta1/,
    ],
    ['no request', '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}', /`request`/],
    ['a response only', '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{}}', /`request`/],
    ['no uid', review({ uid: undefined }), /request\.uid/],
    ['a uid that is a number', review({ uid: 7 }), /request\.uid/],
    ['no operation', review({ operation: undefined }), /request\.operation/],
    ['another operation', review({ operation: 'PATCH' }), /request\.operation/],
    ['no kind', review({ kind: undefined }), /request\.kind/],
    ['a kind without its name', review({ kind: { group: '', version: 'v1' } }), /request\.kind\.kind/],
    ['no resource', review({ resource: null }), /request\.resource/],
    ['an object that is a list', review({ object: [] }), /request\.object/],
    ['an object that is a string', review({ oldObject: 'x' }), /request\.oldObject/],
    ['a name that is a number', review({ name: 1 }), /request\.name/],
    ['a dryRun that is a string', review({ dryRun: 'yes' }), /request\.dryRun/],
    ['groups that are no list', review({ userInfo: { groups: 'admins' } }), /userInfo\.groups/],
    ['extra that is no list', review({ userInfo: { extra: { a: 'b' } } }), /userInfo\.extra/],
    ['a user that is a string', review({ userInfo: 'jane' }), /request\.userInfo/],
  ])('%s is refused with 400', (_, text, message) => {
    expect(decodeReview(text)).toMatchObject({ kind: 'rejection', code: 400, message: expect.stringMatching(message) });
  });
});

describe('encodeReview', () => {
  const encoded = (answer: Outcome, apiVersion = 'admission.k8s.io/v1') => {
    const decoded = decodeReview(review({}, apiVersion));
    if (decoded.kind !== 'review') throw new Error('the fixture is no review');
    return JSON.parse(encodeReview(decoded, answer)) as { readonly response: Record<string, unknown> };
  };
  const uid = '705ab4f5-6393-11e8-b7cc-42010a800002';
  const add: PatchOperation = { op: 'add', path: '/metadata/labels', value: { 'a€': 'ü' } };

  it('an admission is uid and allowed, nothing else', () => {
    expect(encoded(outcome())).toEqual({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      response: { uid, allowed: true },
    });
  });

  it('the answer is in the version of the question', () => {
    expect(encoded(outcome(), 'admission.k8s.io/v1beta1')).toMatchObject({ apiVersion: 'admission.k8s.io/v1beta1' });
  });

  it('a patch is base64 of UTF-8, with its type', () => {
    const { response } = encoded(outcome({}, { patch: [add] }));
    expect(response['patchType']).toBe('JSONPatch');
    expect(JSON.parse(Buffer.from(String(response['patch']), 'base64').toString('utf8'))).toEqual([add]);
  });

  it('there is no patch of what has no object: the API server fails such a request whatever the failurePolicy', () => {
    const decoded = decodeReview(review({ operation: 'DELETE', object: null }));
    if (decoded.kind !== 'review') throw new Error('the fixture is no review');
    expect(encodeReview(decoded, outcome({}, { patch: [add] }))).not.toContain('patch');
  });

  it('an empty patch has no type either', () => {
    expect(Object.keys(encoded(outcome({}, { patch: [] })).response)).toEqual(['uid', 'allowed']);
  });

  it('a denial carries the status, and never a patch', () => {
    const status = { metadata: {}, status: 'Failure' as const, message: 'no', reason: 'Invalid', code: 422 };
    expect(encoded(outcome({ allowed: false, status }, { patch: [add] })).response).toEqual({
      uid,
      allowed: false,
      status,
    });
  });

  it.each([
    [undefined, 400],
    [0, 400],
    [200, 400],
    [399, 400],
    [400, 400],
    [599, 599],
    [600, 400],
    [1000, 400],
  ])('the code %s of a denial becomes %s', (code, expected) => {
    const status = { message: 'no', ...(code === undefined ? {} : { code }) };
    expect(encoded(outcome({ allowed: false, status })).response['status']).toMatchObject({ code: expected });
  });

  it('warnings stay as they were raised, for the API server to filter; annotation keys lose their slash, which the API server would drop them for', () => {
    const long = `${'p'.repeat(80)}/key`;
    const auditAnnotations = {
      'validation.policy.admission.k8s.io/validation_failure': '[]',
      'my-policy/owner': 'a',
      [long]: 'b',
    };
    const { response } = encoded(outcome({ warnings: [], rawWarnings: ['two\nlines', 'a', 'a'], auditAnnotations }));
    expect(response['warnings']).toEqual(['two\nlines', 'a', 'a']);
    const keys = Object.keys(response['auditAnnotations'] as object);
    expect(keys.slice(0, 2)).toEqual(['validation_failure', 'my-policy.owner']);
    expect(keys[2]).toMatch(/^p{54}\.[0-9a-f]{8}$/);
    expect(keys[2]).toHaveLength(63);
  });
});
