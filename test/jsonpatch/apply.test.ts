import { describe, expect, test } from 'vitest';
import { applyPatch, type Operation } from '#jsonpatch';

type Row = readonly [rule: string, document: unknown, operations: readonly Operation[], expected: unknown];

const patched: readonly Row[] = [
  ['add overwrites a key', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
  ['add without a value stores null', { a: 1 }, [{ op: 'add', path: '/b' }], { a: 1, b: null }],
  ['add with `-` appends', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
  ['add at the length appends', { a: [1] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2] }],
  ['add at -1 appends', { a: [1] }, [{ op: 'add', path: '/a/-1', value: 2 }], { a: [1, 2] }],
  ['add at -2 goes before the last', { a: [1] }, [{ op: 'add', path: '/a/-2', value: 2 }], { a: [2, 1] }],
  ['indexes may have a sign and zeros', { a: [1, 2] }, [{ op: 'replace', path: '/a/+01', value: 3 }], { a: [1, 3] }],
  ['replace adds a missing key', { a: {} }, [{ op: 'replace', path: '/a/b', value: 1 }], { a: { b: 1 } }],
  ['replace takes the last at -1', { a: [1, 2] }, [{ op: 'replace', path: '/a/-1', value: 3 }], { a: [1, 3] }],
  ['replace of all takes a map', { a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
  ['remove takes the last at -1', { a: [1, 2] }, [{ op: 'remove', path: '/a/-1' }], { a: [1] }],
  ['text before the first slash is ignored', { a: 1 }, [{ op: 'add', path: 'x/a', value: 2 }], { a: 2 }],
  ['`~1` is a slash and `~0` a tilde', {}, [{ op: 'add', path: '/a~1b~0c~01', value: 1 }], { 'a/b~c~1': 1 }],
  ['an empty token is a key', {}, [{ op: 'add', path: '/', value: 1 }], { '': 1 }],
  ['a key called __proto__ is a key', {}, [{ op: 'add', path: '/__proto__', value: 1 }], JSON.parse('{"__proto__":1}')],
  ['move', { a: [1, 2], b: 3 }, [{ op: 'move', from: '/b', path: '/a/0' }], { a: [3, 1, 2] }],
  ['copy of a missing key is null', { a: 1 }, [{ op: 'copy', from: '/b', path: '/c' }], { a: 1, c: null }],
  [
    'a copy is not the original',
    { a: { b: [1] } },
    [
      { op: 'add', path: '/a/b/-', value: 2 },
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'add', path: '/c/b/-', value: 3 },
      { op: 'add', path: '/a/b/-', value: 4 },
    ],
    { a: { b: [1, 2, 4] }, c: { b: [1, 2, 3] } },
  ],
  [
    'test of equal maps ignores order',
    { a: { x: 1, y: 2 } },
    [{ op: 'test', path: '/a', value: { y: 2, x: 1 } }],
    { a: { x: 1, y: 2 } },
  ],
  [
    'test without a value passes where nothing is',
    { a: null },
    [
      { op: 'test', path: '/a' },
      { op: 'test', path: '/b' },
    ],
    { a: null },
  ],
  ['test of a given null equals an empty map', { a: {} }, [{ op: 'test', path: '/a', value: null }], { a: {} }],
  [
    'test equals a null that the patch itself stored',
    {},
    [
      { op: 'add', path: '/a', value: null },
      { op: 'test', path: '/a', value: null },
    ],
    { a: null },
  ],
  ['test of all', { a: 1 }, [{ op: 'test', path: '', value: { a: 1 } }], { a: 1 }],
];

const skipped: readonly Row[] = [
  ['another value', { a: 1 }, [{ op: 'test', path: '/a', value: 2 }], undefined],
  ['null against a missing key', { a: 1 }, [{ op: 'test', path: '/b', value: null }], undefined],
  ['null against a null of the document', { a: null }, [{ op: 'test', path: '/a', value: null }], undefined],
  ['lists in another order', { a: [1, 2] }, [{ op: 'test', path: '/a', value: [2, 1] }], undefined],
  ['-0 against 0', { a: -0 }, [{ op: 'test', path: '/a', value: 0 }], undefined],
  [
    'earlier operations are dropped with it',
    { a: 1 },
    [
      { op: 'add', path: '/b', value: 1 },
      { op: 'test', path: '/a', value: 2 },
    ],
    undefined,
  ],
];

const missing = 'missing value';
const bad = 'invalid index referenced';

const failing: readonly Row[] = [
  [
    'add below a missing key',
    {},
    [{ op: 'add', path: '/a/b', value: 1 }],
    `add operation does not apply: doc is missing path: "/a/b": ${missing}`,
  ],
  [
    'add below a scalar',
    { a: 's' },
    [{ op: 'add', path: '/a/b', value: 1 }],
    `add operation does not apply: doc is missing path: "/a/b": ${missing}`,
  ],
  [
    'add without a slash',
    {},
    [{ op: 'add', path: 'a', value: 1 }],
    `add operation does not apply: doc is missing path: "a": ${missing}`,
  ],
  [
    'add beyond the length',
    { a: [] },
    [{ op: 'add', path: '/a/1', value: 1 }],
    `error in add for path: '/a/1': Unable to access invalid index: 1: ${bad}`,
  ],
  [
    'add far before the start',
    { a: [] },
    [{ op: 'add', path: '/a/-2', value: 1 }],
    `error in add for path: '/a/-2': Unable to access invalid index: -2: ${bad}`,
  ],
  [
    'add at a text',
    { a: [] },
    [{ op: 'add', path: '/a/x', value: 1 }],
    `error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [
    'add at a huge number',
    { a: [] },
    [{ op: 'add', path: '/a/9223372036854775808', value: 1 }],
    `error in add for path: '/a/9223372036854775808': value was not a proper array index: '9223372036854775808': strconv.Atoi: parsing "9223372036854775808": value out of range`,
  ],
  [
    'remove of a missing key',
    { a: {} },
    [{ op: 'remove', path: '/a/b' }],
    `error in remove for path: '/a/b': Unable to remove nonexistent key: b: ${missing}`,
  ],
  [
    'remove of all',
    {},
    [{ op: 'remove', path: '' }],
    `remove operation does not apply: doc is missing path: "": ${missing}`,
  ],
  [
    'remove at `-`',
    { a: [1] },
    [{ op: 'remove', path: '/a/-' }],
    `error in remove for path: '/a/-': strconv.Atoi: parsing "-": invalid syntax`,
  ],
  [
    'replace below a missing key',
    {},
    [{ op: 'replace', path: '/a/b', value: 1 }],
    `replace operation does not apply: doc is missing path: /a/b: ${missing}`,
  ],
  [
    'replace at a bad index',
    { a: [1] },
    [{ op: 'replace', path: '/a/-2', value: 1 }],
    `replace operation does not apply: doc is missing key: /a/-2: ${missing}`,
  ],
  [
    'replace of all by a scalar',
    {},
    [{ op: 'replace', path: '', value: 1 }],
    'replace operation value must be object or array: %!w(<nil>)',
  ],
  [
    'test below a missing key',
    {},
    [{ op: 'test', path: '/a/b', value: 1 }],
    `test operation does not apply: is missing path: /a/b: ${missing}`,
  ],
  [
    'test at a bad index',
    { a: [1] },
    [{ op: 'test', path: '/a/1', value: 1 }],
    `error in test for path: '/a/1': Unable to access invalid index: 1: ${bad}`,
  ],
  [
    'move without from',
    {},
    [{ op: 'move', path: '/a' }],
    `move operation failed to decode from: operation, missing from field: ${missing}`,
  ],
  [
    'move from a missing key names the key only',
    { a: {} },
    [{ op: 'move', from: '/a/b', path: '/c' }],
    `error in move for path: 'b': Unable to remove nonexistent key: b: ${missing}`,
  ],
  [
    'move from below a missing key',
    {},
    [{ op: 'move', from: '/a/b', path: '/c' }],
    `move operation does not apply: doc is missing from path: /a/b: ${missing}`,
  ],
  [
    'move into what it removed',
    { a: { b: 1 } },
    [{ op: 'move', from: '/a', path: '/a/c' }],
    `move operation does not apply: doc is missing destination path: /a/c: ${missing}`,
  ],
  [
    'copy from a bad index',
    { a: [1] },
    [{ op: 'copy', from: '/a/1', path: '/b' }],
    `error in copy for from: '/a/1': Unable to access invalid index: 1: ${bad}`,
  ],
  [
    'copy to a bad index',
    { a: [1] },
    [{ op: 'copy', from: '/a/0', path: '/a/5' }],
    `error while adding value during copy: Unable to access invalid index: 5: ${bad}`,
  ],
  ['an unknown operation', {}, [{ op: 'merge', path: '/a' }], 'Unexpected kind: merge'],
  ['a control character in op', {}, [{ op: 'add\x01', path: '/a' }], 'Unexpected kind: unknown'],
  [
    'a control character in path',
    {},
    [{ op: 'add', path: '/a\x01', value: 1 }],
    `add operation failed to decode path: ${missing}`,
  ],
  [
    'a control character in from',
    {},
    [{ op: 'copy', from: '/\x07', path: '/a' }],
    "copy operation failed to decode from: invalid character 'a' in string escape code",
  ],
];

describe('a patch applies', () => {
  test.each(patched)('%s', (_, document, operations, expected) => {
    const before = JSON.stringify(document);
    expect(applyPatch(document, operations)).toEqual({ kind: 'patched', document: expected });
    expect(JSON.stringify(document)).toBe(before);
  });
});

describe('a test that does not hold skips the whole patch', () => {
  test.each(skipped)('%s', (_, document, operations) => {
    expect(applyPatch(document, operations)).toEqual({ kind: 'test-failed' });
  });
});

describe('an operation that does not apply fails the patch', () => {
  test.each(failing)('%s', (_, document, operations, error) => {
    expect(applyPatch(document, operations)).toEqual({ kind: 'error', error });
  });
});

describe('where the API server panics', () => {
  test.each<Row>([
    ['lists with a null are tested', { a: [null] }, [{ op: 'test', path: '/a', value: [null] }], undefined],
    [
      'a key is set in a null that the patch stored',
      {},
      [
        { op: 'add', path: '/a', value: null },
        { op: 'add', path: '/a/b', value: 1 },
      ],
      undefined,
    ],
    ['all is replaced by no value', {}, [{ op: 'replace', path: '' }], undefined],
  ])('%s', (_, document, operations) => {
    expect(applyPatch(document, operations)).toEqual({ kind: 'panic' });
  });
});

test('what no operation touches is shared with the input', () => {
  const document = { a: { b: [1] }, c: { d: 1 } };
  const result = applyPatch(document, [{ op: 'add', path: '/c/e', value: 2 }]);
  expect(result.kind === 'patched' && (result.document as typeof document).a).toBe(document.a);
});

test('copies may add 3 MiB and no more', () => {
  const grow: Operation[] = Array.from({ length: 30 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
  expect(applyPatch({ a: ['text'] }, grow)).toMatchObject({
    kind: 'error',
    error: expect.stringMatching(
      /^Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
    ),
  });
});
