/** What stands after `got` where a merge refuses a value that is no JSON: as Go prints it. */
import { expect, test } from 'vitest';
import { apply, mutating, POD, policies, request, verdict } from './fixtures.ts';

const STRING = 'metadata.namespace';
const MAP = 'metadata.labels';
const NUMBER = 'spec.terminationGracePeriodSeconds';

test.each([
  ['a uint is a type', NUMBER, '5u', 'uint64'],
  ['so is a timestamp', NUMBER, 'timestamp("2024-01-01T00:00:00Z")', 'time.Time'],
  ['and a null', NUMBER, 'null', 'structpb.NullValue'],
  ['and a list of a function', NUMBER, '"a,b".split(",")', '[]string'],
  ['a uint in Go syntax', STRING, '18446744073709551615u', '&value.valueUnstructured{Value:0xffffffffffffffff}'],
  [
    'a timestamp in Go syntax',
    STRING,
    'timestamp("2024-11-09T10:20:30.5Z")',
    '&value.valueUnstructured{Value:time.Date(2024, time.November, 9, 10, 20, 30, 500000000, time.UTC)}',
  ],
  ['bytes in Go syntax', STRING, 'b"ab"', '&value.valueUnstructured{Value:[]uint8{0x61, 0x62}}'],
  [
    'a literal inside a literal in Go syntax',
    STRING,
    '[[dyn(1), dyn(2u), dyn("a"), dyn(1000000.0), dyn(duration("1s")), dyn(null)]]',
    '&value.valueUnstructured{Value:[]interface {}{[]ref.Val{1, 0x2, "a", 1e+06, types.Duration{Duration:1000000000}, 0}}}',
  ],
  [
    'a map of a map in Go syntax, by key',
    STRING,
    '{"a": {2: "y", 1: "x"}}',
    '&value.valueUnstructured{Value:map[string]interface {}{"a":map[ref.Val]ref.Val{1:"x", 2:"y"}}}',
  ],
  ['a timestamp as text', MAP, 'timestamp("2024-11-09T10:20:30.5Z")', '&{2024-11-09 10:20:30.5 +0000 UTC}'],
  ['a duration as text', MAP, 'duration("90s")', '&{1m30s}'],
  ['a null as text', MAP, 'null', '&{NULL_VALUE}'],
  ['a quantity as text', MAP, 'quantity("2048Mi")', '&{2Gi}'],
  ['a literal inside a literal as text', MAP, '[[dyn(1), dyn("a"), dyn([2, 3])]]', '&{[[1 a [2, 3]]]}'],
])('%s', (_, path, expression, got) => {
  const [outer, inner] = path.split('.');
  const set = policies(
    mutating({
      spec: `reinvocationPolicy: Never\nmutations:\n${apply(`Object{${outer}: Object.${outer}{${inner}: ${expression}}}`)}`,
    }),
  );
  const message = verdict(set, 'mutate', request(POD));
  expect(message.slice(message.indexOf(', got ') + 6)).toBe(got);
});

test('a map with a key that is no string makes its Object an error', () => {
  const set = policies(
    mutating({
      spec: `reinvocationPolicy: Never\nmutations:\n${apply('Object{metadata: Object.metadata{labels: {1: "a"}}}')}`,
    }),
  );
  expect(verdict(set, 'mutate', request(POD))).toContain(
    `.metadata: expected map, got &{fail to convert field "labels": map key '\\x01' is of type types.Int, not string}`,
  );
});
