import { describe, expect, test } from 'vitest';
import { boundRoundTrip, type Json, jsonNumbers, linkNative, type RoundTripMode, roundTrip } from '#kubernetes';
import { builtinNative, nativeClosure } from '#kubernetes/native-facts';

const schema = linkNative(builtinNative());

class Boxed {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

const unbox = (value: object): number | undefined => (value instanceof Boxed ? value.value : undefined);

function through(name: string, fields: object, mode: RoundTripMode): unknown {
  const slash = name.lastIndexOf('/');
  const kind = { apiVersion: name.slice(0, slash), kind: name.slice(slash + 1) };
  const result = roundTrip(schema, kind, { ...kind, ...fields } as Json, mode, unbox);
  if ('error' in result) return result.error;
  const { apiVersion: _, kind: __, ...rest } = result.object;
  return rest;
}

const POD = { metadata: {}, spec: { containers: null }, status: {} };

describe('what a Go type writes', () => {
  test.each<[string, string, object, object]>([
    ['structs are there, required lists are null', 'v1/Pod', {}, POD],
    ['a null struct is an empty one', 'v1/Pod', { metadata: null, spec: null }, POD],
    ['empty maps and lists are gone', 'v1/Pod', { metadata: { annotations: {}, finalizers: [] } }, POD],
    ['a required list stays empty', 'v1/Pod', { spec: { containers: [] } }, { ...POD, spec: { containers: [] } }],
    [
      'a struct in a list gets its own',
      'v1/Pod',
      { spec: { containers: [{ name: 'a' }, null] } },
      {
        ...POD,
        spec: {
          containers: [
            { name: 'a', resources: {} },
            { name: '', resources: {} },
          ],
        },
      },
    ],
    [
      'zeros behind pointers stay, others go',
      'v1/Pod',
      {
        spec: { containers: [], priority: 0, hostUsers: false, hostNetwork: false, hostname: '', hostnameOverride: '' },
      },
      { ...POD, spec: { containers: [], priority: 0, hostUsers: false, hostnameOverride: '' } },
    ],
    [
      'an empty struct behind a pointer stays',
      'v1/Pod',
      { spec: { containers: [], securityContext: {}, affinity: null } },
      { ...POD, spec: { containers: [], securityContext: {} } },
    ],
    [
      'quantities are canonical',
      'v1/Pod',
      { spec: { containers: [], overhead: { cpu: 0.5, memory: ' 2048Mi', x: null, y: 2 } } },
      { ...POD, spec: { containers: [], overhead: { cpu: '500m', memory: '2Gi', x: '0', y: '2' } } },
    ],
    [
      'times are UTC and whole',
      'v1/Pod',
      { metadata: { creationTimestamp: '2020-01-01T01:02:03.9+02:00' } },
      { ...POD, metadata: { creationTimestamp: '2019-12-31T23:02:03Z' } },
    ],
    [
      'the zero time is no time',
      'v1/Pod',
      { metadata: { creationTimestamp: '0001-01-01T00:00:00Z' }, status: { startTime: '0001-01-01T00:00:00Z' } },
      { ...POD, status: { startTime: null } },
    ],
    [
      'a required time is null',
      'v1/Pod',
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      {
        ...POD,
        status: { conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null }] },
      },
    ],
    [
      'null in a map of strings is an empty string',
      'v1/ConfigMap',
      { data: { a: null } },
      { metadata: {}, data: { a: '' } },
    ],
    [
      'bytes may be numbers, and lose line breaks and spare bits',
      'v1/Secret',
      { data: { a: [1, 2], b: 'QR==', c: 'QU\nJD', d: null, e: '' } },
      { metadata: {}, data: { a: 'AQI=', b: 'QQ==', c: 'QUJD', d: null, e: '' } },
    ],
    [
      'an int or string is either',
      'v1/Service',
      { spec: { ports: [{ port: 80, targetPort: 'web' }, { port: 81 }] } },
      {
        metadata: {},
        spec: {
          ports: [
            { port: 80, targetPort: 'web' },
            { port: 81, targetPort: 0 },
          ],
        },
        status: { loadBalancer: {} },
      },
    ],
    [
      'any JSON passes, whole doubles as integers',
      'apps/v1/ControllerRevision',
      { data: { a: new Boxed(1), b: [null] } },
      { metadata: {}, data: { a: 1, b: [null] }, revision: 0 },
    ],
    [
      'a whole double is an integer',
      'v1/Pod',
      { spec: { containers: [], priority: new Boxed(5) } },
      { ...POD, spec: { containers: [], priority: 5 } },
    ],
    ['an options object has no metadata', 'v1/PodExecOptions', { stdin: true }, { stdin: true, command: null }],
  ])('%s', (_, name, fields, expected) => {
    expect(through(name, fields, 'strict')).toEqual(expected);
    expect(through(name, fields, 'convert')).toEqual(expected);
  });

  test('an object that is written as it was read is the same object', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'c', resources: { limits: { cpu: '500m' } } }] },
      status: {},
    };
    expect(roundTrip(schema, pod, pod, 'strict')).toEqual({ object: pod });
    const result = roundTrip(schema, pod, pod, 'convert');
    expect('object' in result && result.object).toBe(pod);
  });

  test('only what changes is new', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { labels: {} }, spec: { containers: [] }, status: {} };
    const result = roundTrip(schema, pod, pod, 'strict');
    expect('object' in result && result.object['spec']).toBe(pod.spec);
    expect(pod.metadata).toEqual({ labels: {} });
  });
});

const FIELD = 'json: cannot unmarshal';
const container = (fields: object): object => ({ spec: { containers: [{ name: 'a', ...fields }] } });
const QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const TIME = '"2006-01-02T15:04:05Z07:00"';

describe('strict decoding refuses', () => {
  test.each<[string, string, object, string]>([
    ['an unknown field', 'apps/v1/Deployment', { spec: { foo: 1 } }, 'strict decoding error: unknown field "spec.foo"'],
    [
      'all unknown fields, in order, with indexes',
      'v1/Pod',
      { spec: { containers: [{ foo: 5 }], bar: 1 } },
      'strict decoding error: unknown field "spec.bar", unknown field "spec.containers[0].foo"',
    ],
    ['a field of another case', 'v1/Pod', { Spec: {} }, 'strict decoding error: unknown field "Spec"'],
    [
      'an unknown field below a map key',
      'resource.k8s.io/v1/ResourceSlice',
      { spec: { devices: [{ name: 'a', attributes: { 'x.y': { foo: 1 } } }] } },
      'strict decoding error: unknown field "spec.devices[0].attributes.x.y.foo"',
    ],
    [
      'a string for a number',
      'apps/v1/Deployment',
      { spec: { replicas: 'a' } },
      `${FIELD} string into Go struct field DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      'a number that does not fit',
      'apps/v1/Deployment',
      { spec: { replicas: 5000000000 } },
      `${FIELD} number 5000000000 into Go struct field DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      'a fraction',
      'v1/Pod',
      { spec: { priority: 1.5 } },
      `${FIELD} number 1.5 into Go struct field PodSpec.spec.priority of type int32`,
    ],
    [
      'an integer beyond int64',
      'v1/Pod',
      { spec: { activeDeadlineSeconds: 2n ** 63n } },
      `${FIELD} number 9223372036854775808 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64`,
    ],
    [
      'a number for a named string',
      'v1/Pod',
      container({ imagePullPolicy: 5 }),
      `${FIELD} number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy`,
    ],
    [
      'a map for a list',
      'v1/Pod',
      { spec: { containers: {} } },
      `${FIELD} object into Go struct field PodSpec.spec.containers of type []v1.Container`,
    ],
    [
      'a list for a named map',
      'v1/Pod',
      container({ resources: { limits: [1] } }),
      `${FIELD} array into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList`,
    ],
    [
      'a string for a struct in an embedded one',
      'v1/Pod',
      container({ livenessProbe: { httpGet: 'x' } }),
      `${FIELD} string into Go struct field Probe.spec.containers.livenessProbe.ProbeHandler.httpGet of type v1.HTTPGetAction`,
    ],
    [
      'a boolean for an int or string',
      'v1/Pod',
      container({ livenessProbe: { httpGet: { port: true } } }),
      `${FIELD} bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32`,
    ],
    [
      'a number for a time',
      'v1/Pod',
      { metadata: { creationTimestamp: 5 } },
      `${FIELD} number into Go struct field ObjectMeta.metadata.creationTimestamp of type string`,
    ],
    ['a bad quantity, without its place', 'v1/Pod', container({ resources: { limits: { cpu: 'abc' } } }), QUANTITY],
    [
      'a bad quantity before an earlier wrong type',
      'v1/Pod',
      { spec: { hostname: 5, volumes: [{ emptyDir: { sizeLimit: {} } }] } },
      QUANTITY,
    ],
    [
      'a wrong type before unknown fields',
      'v1/Pod',
      { spec: { zz: 1, hostname: 5 } },
      `${FIELD} number into Go struct field PodSpec.spec.hostname of type string`,
    ],
    ['bad base64', 'v1/Secret', { data: { a: 'QQ=' } }, 'illegal base64 data at input byte 3'],
    [
      'a number beyond a byte',
      'v1/Secret',
      { data: { a: [300] } },
      `${FIELD} number 300 into Go struct field Secret.data of type uint8`,
    ],
    [
      'another kind, whose fields it lacks',
      'v1/Pod',
      { kind: 'Service', spec: { containers: [] } },
      'strict decoding error: unknown field "spec.containers"',
    ],
    [
      'another kind, though it fits',
      'v1/Pod',
      { kind: 'Secret' },
      'failed to convert object: converting (v1.Secret) to (v1.Pod): unknown conversion',
    ],
    [
      'a kind that there is not',
      'v1/Pod',
      { kind: 'Nope' },
      'no kind "Nope" is registered for version "v1" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      'a kind that is no string',
      'v1/Pod',
      { kind: 5 },
      `couldn't get version/kind; json parse error: ${FIELD} number into Go struct field .kind of type string`,
    ],
    ['an apiVersion of three parts', 'v1/Pod', { apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
  ])('%s', (_, name, fields, error) => {
    expect(through(name, fields, 'strict')).toBe(error);
  });

  test('a document that is a list', () => {
    expect(roundTrip(schema, { apiVersion: 'v1', kind: 'Pod' }, [1], 'strict')).toEqual({
      error: `couldn't get version/kind; json parse error: ${FIELD} array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
      internal: true,
    });
  });
});

describe('times that are none', () => {
  test.each([
    ['x', `parsing time "x" as ${TIME}: cannot parse "x" as "2006"`],
    ['', `parsing time "" as ${TIME}: cannot parse "" as "2006"`],
    ['2020-01-01T01:02:03Zx', 'parsing time "2020-01-01T01:02:03Zx": extra text: "x"'],
    ['2020-13-01T01:02:03Z', 'parsing time "2020-13-01T01:02:03Z": month out of range'],
    ['2021-02-29T01:02:03Z', 'parsing time "2021-02-29T01:02:03Z": day out of range'],
    ['2020-02-03T25:02:03Z', 'parsing time "2020-02-03T25:02:03Z": hour out of range'],
    ['2020-02-03T05:02:03', `parsing time "2020-02-03T05:02:03" as ${TIME}: cannot parse "" as "Z07:00"`],
    ['2020-02-03 05:02:03Z', `parsing time "2020-02-03 05:02:03Z" as ${TIME}: cannot parse " 05:02:03Z" as "T"`],
    ['2020-02-03T05:02:03.Z', `parsing time "2020-02-03T05:02:03.Z" as ${TIME}: cannot parse ".Z" as "Z07:00"`],
    ['2020-02-03T05:02:03+25:00', 'parsing time "2020-02-03T05:02:03+25:00": time zone offset hour out of range'],
  ])('%j', (time, error) => {
    expect(through('v1/Pod', { status: { startTime: time } }, 'strict')).toBe(error);
  });

  test('six decimals are needed where they are written', () => {
    const read = (eventTime: string): unknown => through('v1/Event', { eventTime }, 'strict');
    expect(read('2020-01-01T01:02:03.5Z')).toBe(
      'parsing time "2020-01-01T01:02:03.5Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".5Z" as ".000000"',
    );
    expect(read('2020-01-01T01:02:03.500000+01:00')).toMatchObject({ eventTime: '2020-01-01T00:02:03.500000Z' });
  });
});

describe('conversion after a merge', () => {
  const prefix = 'unable to convert unstructured object to';

  test.each<[string, string, object, unknown]>([
    ['drops what it does not know', 'v1/Pod', { zz: 1 }, POD],
    [
      'wraps integers that are too large',
      'apps/v1/Deployment',
      { spec: { replicas: 5000000000 } },
      expect.objectContaining({ spec: expect.objectContaining({ replicas: 705032704 }) }),
    ],
    [
      'refuses fractions',
      'v1/Pod',
      { spec: { terminationGracePeriodSeconds: 5.5 } },
      `${prefix} /v1, Kind=Pod: cannot convert float64 to int64`,
    ],
    [
      'refuses bad base64',
      'v1/Secret',
      { data: { a: '!!' } },
      `${prefix} /v1, Kind=Secret: error decoding from json: illegal base64 data at input byte 0`,
    ],
    [
      'names no field for a wrong type',
      'v1/Pod',
      { metadata: { creationTimestamp: 5 } },
      `${prefix} /v1, Kind=Pod: ${FIELD} number into Go value of type string`,
    ],
    [
      'names no field for an int or string either',
      'apps/v1/Deployment',
      { spec: { strategy: { rollingUpdate: { maxSurge: 1.5 } } } },
      `${prefix} apps/v1, Kind=Deployment: ${FIELD} number 1.5 into Go value of type int32`,
    ],
  ])('%s', (_, name, fields, expected) => {
    expect(through(name, fields, 'convert')).toEqual(expected);
  });

  test('is no internal error, decoding is', () => {
    const kind = { group: '', version: 'v1', kind: 'Pod' };
    const pod = { apiVersion: 'v1', kind: 'Pod', spec: { priority: 1.5 } };
    const bound = boundRoundTrip(schema, unbox);
    expect(bound(kind, pod, { strict: false })).toMatchObject({ internal: false });
    expect(bound(kind, pod, { strict: true })).toMatchObject({ internal: true });
  });
});

test('lenient decoding drops unknown fields', () => {
  expect(through('v1/Pod', { spec: { containers: [], foo: 1 } }, 'lenient')).toEqual({
    ...POD,
    spec: { containers: [] },
  });
});

test('a kind that is not known comes back as it is', () => {
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', spec: {} };
  const result = roundTrip(schema, widget, widget, 'strict');
  expect('object' in result && result.object).toBe(widget);
});

test('names of object members are no fields', () => {
  const fields = JSON.parse('{"constructor":1,"__proto__":{"containers":[]}}');
  expect(through('v1/Pod', fields, 'strict')).toBe(
    'strict decoding error: unknown field "__proto__", unknown field "constructor"',
  );
  const labels = JSON.parse('{"__proto__":null,"constructor":"x"}');
  expect(through('v1/ConfigMap', { data: labels }, 'strict')).toEqual({
    metadata: {},
    data: JSON.parse('{"__proto__":"","constructor":"x"}'),
  });
});

test('numbers come back from JSON without their boxes', () => {
  const value = { a: [1, { b: 'x' }] };
  expect(jsonNumbers(value, unbox)).toBe(value);
  expect(jsonNumbers({ a: new Boxed(2), b: [new Boxed(0.5)], c: 2n ** 60n }, unbox)).toEqual({
    a: 2,
    b: [0.5],
    c: 2n ** 60n,
  });
});

describe('the part of some kinds', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod' };
  const job = { apiVersion: 'batch/v1', kind: 'Job' };

  test('is the same bytes in any order, and small', () => {
    const one = JSON.stringify(nativeClosure(builtinNative(), [pod, job]));
    expect(JSON.stringify(nativeClosure(builtinNative(), [job, pod, pod]))).toBe(one);
    expect(one.length).toBeLessThan(20_000);
  });

  test('reads as the whole does', () => {
    const part = linkNative(nativeClosure(builtinNative(), [pod, { apiVersion: 'x/v1', kind: 'Y' }]));
    const object = {
      ...pod,
      ...container({ ports: [{ containerPort: 0 }], lifecycle: { preStop: { sleep: {} } } }),
    } as Json;
    expect(roundTrip(part, pod, object, 'strict')).toEqual(roundTrip(schema, pod, object, 'strict'));
    expect(part.kinds.has('x/v1')).toBe(false);
  });

  test.each([
    ['a scalar letter that is none', { types: ['z'], kinds: { v1: { A: 0 } } }],
    ['a reference to nothing', { types: [], kinds: { v1: { A: 0 } } }],
  ])('%s is refused when linked', (_, stored) => {
    expect(() => linkNative(stored)).toThrow(RangeError);
  });
});

test('APIService has its Go type too', () => {
  const apiService = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' };
  const object = { ...apiService, metadata: { name: 'v1.x' }, spec: { service: { name: 'a' }, caBundle: 'YQ==' } };
  expect(roundTrip(schema, apiService, object, 'strict')).toEqual({
    object: { ...object, spec: { ...object.spec, groupPriorityMinimum: 0, versionPriority: 0 }, status: {} },
  });
  expect(roundTrip(schema, apiService, { ...object, spec: { nope: 1 } }, 'strict')).toEqual({
    error: 'strict decoding error: unknown field "spec.nope"',
    internal: true,
  });
});
