import fc from 'fast-check';
import fastJsonPatch, { type Operation as StrictOperation } from 'fast-json-patch';
import { describe, expect, test } from 'vitest';
import { applyPatch, diff } from '#jsonpatch';

class Boxed {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

const unbox = (value: object): number | undefined => (value instanceof Boxed ? value.value : undefined);

const named = (name: string, image = 'i'): object => ({ name, image });

describe('a diff says no more than what changed', () => {
  test.each<[string, unknown, unknown, unknown[]]>([
    ['equal values', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    ['a changed key', { a: 1, b: 2 }, { a: 1, b: 3 }, [{ op: 'replace', path: '/b', value: 3 }]],
    ['a new key is escaped', {}, { 'a/b~c': 1 }, [{ op: 'add', path: '/a~1b~0c', value: 1 }]],
    ['a key that is gone', { a: 1 }, {}, [{ op: 'remove', path: '/a' }]],
    ['null is a value', { a: 1 }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
    [
      'an item in front',
      { a: [named('x'), named('y')] },
      { a: [named('z'), named('x'), named('y')] },
      [{ op: 'add', path: '/a/0', value: named('z') }],
    ],
    ['an item at the end', [1, 2], [1, 2, 3], [{ op: 'add', path: '/2', value: 3 }]],
    ['an item gone from the middle', [1, 2, 3], [1, 3], [{ op: 'remove', path: '/1' }]],
    [
      'an item in front and one changed inside',
      [named('x'), named('y')],
      [named('z'), named('x'), named('y', 'j')],
      [
        { op: 'add', path: '/0', value: named('z') },
        { op: 'replace', path: '/2/image', value: 'j' },
      ],
    ],
    ['another item at the same place', [named('x')], [named('y')], [{ op: 'replace', path: '/0', value: named('y') }]],
    ['a scalar at the same place', ['a', 'b', 'c'], ['a', 'x', 'c'], [{ op: 'replace', path: '/1', value: 'x' }]],
    ['another kind of value', { a: [1] }, { a: { 0: 1 } }, [{ op: 'replace', path: '/a', value: { 0: 1 } }]],
    ['large integers', { a: 2n ** 60n }, { a: 2n ** 60n + 1n }, [{ op: 'replace', path: '/a', value: 2n ** 60n + 1n }]],
    ['equal numbers kept differently', { a: 1, b: 2n }, { a: new Boxed(1), b: 2 }, []],
    ['boxed numbers', { a: new Boxed(1) }, { a: new Boxed(2) }, [{ op: 'replace', path: '/a', value: new Boxed(2) }]],
    [
      'a key called constructor',
      { constructor: 1 },
      { constructor: 2 },
      [{ op: 'replace', path: '/constructor', value: 2 }],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(diff(before, after, unbox)).toEqual(expected);
  });
});

const key = fc.constantFrom('a', 'b', 'c', 'name', 'x/y', '~', '', 'constructor');
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, 1, -1.5, 's', 't', ''),
    fc.array(tie('tree'), { maxLength: 6 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));
const map = fc.dictionary(key, tree, { maxKeys: 5, noNullPrototype: true });

describe('a diff leads from one value to the other', () => {
  test('by our own rules', () => {
    fc.assert(
      fc.property(map, map, (before, after) => {
        const snapshot = structuredClone(before);
        expect(applyPatch(before, diff(before, after))).toEqual({ kind: 'patched', document: after });
        expect(before).toEqual(snapshot);
      }),
      { numRuns: 1000 },
    );
  });

  test('by a strict RFC 6902 implementation', () => {
    fc.assert(
      fc.property(map, map, (before, after) => {
        const operations = structuredClone(diff(before, after)) as StrictOperation[];
        const result = fastJsonPatch.applyPatch(structuredClone(before), operations, true);
        expect(result.newDocument).toEqual(after);
      }),
      { numRuns: 1000 },
    );
  });

  test('where little changed', () => {
    const edit = fc.tuple(fc.constantFrom('drop', 'put', 'swap'), fc.nat(9), fc.nat(9));
    const items = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(items, fc.array(edit, { maxLength: 3 }), (names, edits) => {
        const before = names.map((name) => named(name));
        const after = [...before];
        for (const [kind, at, to] of edits) {
          if (kind === 'put') after.splice(at, 0, named(`new${to}`));
          else if (kind === 'drop') after.splice(at, 1);
          else after.splice(to, 0, ...after.splice(at, 1));
        }
        const operations = diff({ l: before }, { l: after });
        expect(operations.length).toBeLessThanOrEqual(edits.length * 2);
        expect(applyPatch({ l: before }, operations)).toEqual({ kind: 'patched', document: { l: after } });
      }),
      { numRuns: 1000 },
    );
  });
});

test('a list too long to align is paired by place', () => {
  const before = Array.from({ length: 1200 }, (_, index) => index);
  const after = before.map((number) => number + 1);
  expect(applyPatch({ l: before }, diff({ l: before }, { l: after }))).toEqual({
    kind: 'patched',
    document: { l: after },
  });
});
