import { describe, expect, test } from 'vitest';
import { position } from '#diagnostics';
import { loadManifests, type Manifest } from '#manifest';

const HEAD = 'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\n';

function load(text: string): ReturnType<typeof loadManifests> {
  return loadManifests([{ name: 'a.yaml', text }]);
}

function codes(text: string): readonly string[] {
  return load(text).diagnostics.map(({ code, help }) => (help === undefined ? code : `${code}: ${help}`));
}

describe('faults', () => {
  test.each([
    ['a misspelt field', `${HEAD}spec: {validation: []}`, ['unknown-field: did you mean `validations`?']],
    [
      'a field that is nowhere near',
      `${HEAD}spec: {zzz: []}`,
      [expect.stringContaining('unknown-field: known here: failurePolicy')],
    ],
    [
      'fields are case-sensitive',
      `${HEAD}spec: {FailurePolicy: Fail}`,
      ['unknown-field: did you mean `failurePolicy`?'],
    ],
    ['a number for a string', `${HEAD}spec: {failurePolicy: 1}`, ['wrong-type: put it in quotes: "1"']],
    ['an object for a list', `${HEAD}spec: {validations: {}}`, ['wrong-type']],
    [
      'a version that is not',
      HEAD.replace('/v1', '/v2'),
      ['wrong-api-version: write `admissionregistration.k8s.io/v1`'],
    ],
    [
      'a group that is not',
      HEAD.replace('admissionregistration', 'admisionregistration'),
      ['wrong-api-version: write `admissionregistration.k8s.io/v1`'],
    ],
    [
      'a kind that is not',
      HEAD.replace('Policy', 'Policies'),
      ['unknown-kind: did you mean `ValidatingAdmissionPolicy`?'],
    ],
    ['no apiVersion', 'kind: Pod', ['no-api-version']],
    ['no kind', 'apiVersion: v1', ['no-kind']],
    ['a text', 'hello', ['not-an-object']],
    ['a key twice', `${HEAD}metadata: {name: q}`, ['duplicate-key']],
    ['broken YAML', 'a: [', ['yaml-syntax']],
    [
      'a word that YAML 1.1 takes for a boolean',
      `${HEAD}spec: {failurePolicy: yes}`,
      [expect.stringContaining('yaml-boolean'), expect.stringContaining('wrong-type')],
    ],
  ])('%s', (_name, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test('an alias that grows without bound is refused', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let index = 1; index < 9; index++)
      lines.push(
        `a${index}: &a${index} [${Array(10)
          .fill(`*a${index - 1}`)
          .join(', ')}]`,
      );
    expect(codes(lines.join('\n'))).toEqual(['yaml-syntax']);
  });
});

describe('documents', () => {
  test('all of a file, empty ones left out', () => {
    const { documents } = load(
      `---\n${HEAD}---\n---\n# nothing\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: ns}\n`,
    );
    expect(documents.map(({ kind, name, namespace }) => [kind, name, namespace])).toEqual([
      ['ValidatingAdmissionPolicy', 'p', ''],
      ['ConfigMap', 'c', 'ns'],
    ]);
  });

  test('lists are opened; items of a typed list may leave out their type', () => {
    const { documents } = load(
      'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyList\nitems:\n- metadata: {name: a}\n- metadata: {name: b}\n',
    );
    expect(documents.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'ValidatingAdmissionPolicy a',
      'ValidatingAdmissionPolicy b',
    ]);
    expect(
      load(
        '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}]}',
      ).documents,
    ).toHaveLength(1);
  });

  test('versions are brought to v1 and remembered', () => {
    const [document] = load(HEAD.replace('/v1', '/v1beta1')).documents;
    expect([document?.apiVersion, document?.writtenApiVersion]).toEqual([
      'admissionregistration.k8s.io/v1',
      'admissionregistration.k8s.io/v1beta1',
    ]);
  });

  test('values are read as kubectl reads them', () => {
    const [document] = load(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  big: 9007199254740993\n  octal: 010\n  on: "on"\n  float: 1.50\n  __proto__: x\n  1: one\n',
    ).documents;
    expect(document?.object['data']).toEqual(
      Object.fromEntries<unknown>([
        ['big', 9007199254740993n],
        ['octal', 8],
        ['true', 'on'],
        ['float', 1.5],
        ['__proto__', 'x'],
        ['1', 'one'],
      ]),
    );
  });

  test('merge keys fill in what is not there', () => {
    const [document] = load(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\nbase: &b {a: 1, b: 2}\ndata: {<<: *b, b: 3}\n',
    ).documents;
    expect(document?.object['data']).toEqual({ a: 1, b: 3 });
  });
});

describe('the place of a text', () => {
  const place = (yaml: string, word: string): string => {
    const [document] = load(`${HEAD}spec:\n  validations:\n  - expression: ${yaml}\n`).documents;
    const source = (document as Manifest).text(['spec', 'validations', 0, 'expression']);
    if (!source) throw new Error('a text is wanted');
    const { line, column, text } = position(source, source.text.indexOf(word));
    return text.slice(column - 1, column - 1 + word.length) === word
      ? `${line}:${column}`
      : `${line}:${column} ${text}`;
  };

  test.each([
    ['plain', 'object.spec == nope', 'nope', '6:32'],
    ['single quotes', "'a == ''b'' + nope'", 'nope', '6:31'],
    ['double quotes with escapes', '"\\"a\\" == \\u0062 + nope"', 'nope', '6:36'],
    ['a literal block', '|\n      a ==\n        nope', 'nope', '8:9'],
    ['a literal block with an indicator', '|2-\n       a\n       + nope', 'nope', '8:10'],
    ['a folded block', '>-\n      a ==\n      b + nope', 'nope', '8:11'],
    ['a plain text of two lines', 'a ==\n      b + nope', 'nope', '7:11'],
    ['a line break that is escaped', '"a == \\\n      nope"', 'nope', '7:7'],
  ])('%s', (_name, yaml, word, expected) => {
    expect(place(yaml, word)).toBe(expected);
  });
});
