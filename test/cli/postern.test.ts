import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postern } from '../../src/cli/postern.ts';
import { review } from '../serve/fixtures.ts';
import { testIo } from './fake-io.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
const write = (name: string, text: string | Uint8Array): Promise<void> => writeFile(at(name), text);

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: no-web
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [""]
      apiVersions: ["v1"]
      operations: ["CREATE"]
      resources: ["pods"]
  validations:
  - expression: object.metadata.name != 'web'
    message: no web
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: no-web
spec:
  policyName: no-web
  validationActions: ["Deny"]
`;
const ON_NAMESPACE = POLICY.replace("object.metadata.name != 'web'", "namespaceObject.metadata.labels.env == 'prod'");
const BROKEN = POLICY.replace("!= 'web'", '!= web');
const FACTS = `facts: 1
namespaces:
- {apiVersion: v1, kind: Namespace, metadata: {name: default, labels: {env: prod}}}
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-cli-'));
  await write('policy.yaml', POLICY);
  await write('namespace.yaml', ON_NAMESPACE);
  await write('broken.yaml', BROKEN);
  await write('facts.yaml', FACTS);
  await write('web.json', review());
  await write(
    'other.json',
    review({ object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'other' } }, name: 'other' }),
  );
  await postern(['compile', at('policy.yaml'), '--out', at('bundle.json.gz'), '-q'], testIo());
  await postern(['compile', at('namespace.yaml'), '--out', at('namespace.json.gz'), '-q'], testIo());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = async (args: readonly string[], stdin = '') => {
  const io = testIo(stdin);
  const code = await postern(args, io);
  return { code, out: io.output(), err: io.errors() };
};

describe('help', () => {
  it.each(['compile', 'eval', 'serve', 'inspect', 'test'])('%s --help shows flags and examples', async (verb) => {
    const { code, out } = await run([verb, '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^postern ${verb}: `));
    expect(out).toMatch(/\nexamples:\n {2}# .+\n(?: {2}.*\n)* {2}\S*.*postern /);
    expect((await run(['help', verb])).out).toBe(out);
    expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it('without a verb the overview goes to standard error, with code 2', async () => {
    const { code, out, err } = await run([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('compile');
    expect((await run(['--help'])).code).toBe(0);
  });

  it('--version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await run(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });
});

describe('compile', () => {
  it('the same input gives the same bytes, from a file or from standard input', async () => {
    const io = testIo(POLICY);
    expect(await postern(['compile', '-', '--out', '-'], io)).toBe(0);
    expect(Buffer.from(io.bytes())).toEqual(await readFile(at('bundle.json.gz')));
  });

  it('says what it made', async () => {
    const { code, out } = await run(['compile', at('policy.yaml')]);
    expect(code).toBe(0);
    expect(out).toMatch(/^1 policy, 1 binding, 0 params; \d+ bytes\nsha256-[0-9a-f]{64}\n$/);
  });

  it('an error has its place in the YAML, a caret, and code 1', async () => {
    const { code, err } = await run(['compile', at('broken.yaml'), '--out', at('never.json.gz')]);
    expect(code).toBe(1);
    expect(err).toContain(`${at('broken.yaml')}:13:41: error: `);
    expect(err).toContain(
      '13 |   - expression: object.metadata.name != web\n    |                                         ^',
    );
    expect(err).toContain('1 error, 0 warnings');
    await expect(readFile(at('never.json.gz'))).rejects.toThrow(/ENOENT/);
  });

  it('-o json gives the same for machines', async () => {
    const { code, out } = await run(['compile', at('broken.yaml'), '-o', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      diagnostics: [{ severity: 'error', place: { line: 13, column: 41 } }],
    });
  });

  it('--publish puts it into a store and moves a channel, once', async () => {
    const publish = ['compile', at('policy.yaml'), '--publish', at('store'), '--channel', 'canary', '-o', 'json'];
    expect(JSON.parse((await run(publish)).out)).toMatchObject({
      ok: true,
      channel: { name: 'canary', revision: 1, changed: true },
    });
    expect(JSON.parse((await run(publish)).out)).toMatchObject({ channel: { revision: 1, changed: false } });
    const { out } = await run(['inspect', '--store', at('store'), '--channel', 'canary']);
    expect(out).toContain('no-web');
  });
});

describe('eval', () => {
  it('a denial is printed as the webhook would answer, with code 1', async () => {
    const { code, out } = await run(['eval', '--bundle', at('bundle.json.gz'), at('web.json')]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      kind: 'AdmissionReview',
      response: {
        uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
        allowed: false,
        status: { code: 422, message: expect.stringContaining('no web') },
      },
    });
  });

  it('an admission has code 0; the review may come on standard input, the policies from source', async () => {
    const { code, out } = await run(
      ['eval', '-f', at('policy.yaml'), '-', '-o', 'text'],
      await readFile(at('other.json'), 'utf8'),
    );
    expect({ code, out }).toEqual({ code: 0, out: 'allowed\n' });
  });

  it('what a policy wants to know comes out of a file', async () => {
    expect((await run(['eval', '-b', at('namespace.json.gz'), '--facts', at('facts.yaml'), at('web.json')])).code).toBe(
      0,
    );
  });

  it('without it nothing is decided: code 3', async () => {
    const { code, out, err } = await run(['eval', '-b', at('namespace.json.gz'), at('web.json')]);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toBe(
      'postern: could not decide: the policies need namespace `default`, and there are no facts; give them with --facts\n',
    );
  });
});

describe('inspect', () => {
  it('tells what is inside and which facts it may ask for', async () => {
    const { code, out } = await run(['inspect', at('namespace.json.gz')]);
    expect(code).toBe(0);
    expect(out).toContain('no-web  ValidatingAdmissionPolicy, failurePolicy Fail, 1 expression\n  no-web  Deny\n');
    expect(out).toContain('facts that it may ask for:\n  the namespaces of requests\n');
    expect(JSON.parse((await run(['inspect', at('bundle.json.gz'), '-o', 'json'])).out)).toMatchObject({
      format: 1,
      kubernetes: '1.36',
      facts: { namespaces: false, paramKinds: [], access: [] },
    });
  });
});

describe('test', () => {
  const tests = (expect_: string): string => `policies: [policy.yaml]
tests:
- name: web
  object: {apiVersion: v1, kind: Pod, metadata: {name: web}}
  expect: ${expect_}
`;

  it.each<readonly [string, number, RegExp]>([
    ['{allowed: false, code: 422, reason: Invalid, message: no web, warnings: []}', 0, /^1 passed, 0 failed\n$/],
    ['{allowed: false, message: "/^pods .* is forbidden: .* no web$/"}', 0, /1 passed/],
    ['{allowed: true}', 1, /expected to be allowed, but it is denied: pods "web" is forbidden/],
    ['{message: other}', 1, /message: expected other, got pods "web"/],
    ['{code: 403}', 1, /code: expected 403, got 422/],
    ['{warnings: [careful]}', 1, /warnings: expected \["careful"\], got \[\]/],
    ['{auditAnnotations: {a/b: c}}', 1, /audit annotation a\/b: expected "c", got none/],
    ['{patched: {metadata: {name: x}}}', 1, /object at \.: expected/],
    ['{error: no facts}', 1, /expected that it cannot be decided, but it was denied/],
  ])('expecting %s ends with %i', async (expectation, code, report) => {
    await write('tests.yaml', tests(expectation));
    const result = await run(['test', at('tests.yaml')]);
    expect(result.out).toMatch(report);
    expect(result.code).toBe(code);
  });
});

describe('serve', () => {
  it('serves a bundle over TLS until it is told to stop, and shows the token that it made up', async () => {
    const io = testIo();
    const running = postern(
      ['serve', '--bundle', at('bundle.json.gz'), '--port', '0', '--self-signed', '127.0.0.1'],
      io,
    );
    while (!io.errors().includes('listening')) await new Promise((resolve) => setTimeout(resolve, 20));
    const [, base = '', path = ''] =
      /listening on (https:\/\/127\.0\.0\.1:\d+)(\/v1\/clusters\/default\/[\w-]{32}\/)\{/.exec(io.errors()) ?? [];
    const ca = Buffer.from(/caBundle: (\S+)/.exec(io.errors())?.[1] ?? '', 'base64').toString('utf8');
    const body = review();
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sending = request(`${base}${path}validate`, { method: 'POST', ca, headers, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString('utf8');
        });
        response.on('end', () => resolve(text));
      });
      sending.on('error', reject);
      sending.end(body);
    });
    expect(JSON.parse(answer)).toMatchObject({ response: { allowed: false } });
    io.interrupt();
    expect(await running).toBe(0);
    expect(io.output()).toMatch(/"event":"review","cluster":"default","phase":"validate","result":"denied"/);
  });
});

/** Everything that a user can get wrong: a clear word each, code 2, nothing half done. */
describe('bad input', () => {
  type Row = readonly [string, () => readonly string[] | Promise<readonly string[]>, RegExp, string?];
  const rows: readonly Row[] = [
    ['an unknown verb', () => ['deploy'], /there is no `deploy`/],
    ['an unknown flag', () => ['compile', '--fast', 'x'], /Unknown option '--fast'/],
    ['a flag without its value', () => ['compile', 'x', '--out'], /--out <value>' argument missing/],
    ['an unknown format', () => ['compile', 'x', '-o', 'xml'], /--output must be one of text, json, not `xml`/],
    ['nothing to compile', () => ['compile'], /no file or folder is given/],
    [
      'a file that is not there',
      () => ['compile', at('nowhere.yaml')],
      /cannot read `.*nowhere\.yaml`: there is no such file/,
    ],
    [
      'a folder without manifests',
      async () => ['compile', await mkdtemp(at('empty-'))],
      /there is no YAML or JSON file/,
    ],
    [
      'a channel that is no name',
      () => ['compile', at('policy.yaml'), '--publish', at('store'), '--channel', 'A B'],
      /`A B` is no name of a channel/,
    ],
    ['a place that cannot be written', () => ['compile', at('policy.yaml'), '--out', at('nowhere/x')], /cannot write/],
    ['neither bundle nor policies', () => ['eval', at('web.json')], /either --bundle or --policies is needed/],
    ['both', () => ['eval', '-b', at('bundle.json.gz'), '-f', at('policy.yaml')], /either --bundle or --policies/],
    ['two reviews', () => ['eval', '-b', at('bundle.json.gz'), 'a', 'b'], /more than one review/],
    [
      'a bundle that is no gzip',
      () => ['eval', '-b', at('policy.yaml'), at('web.json')],
      /policy\.yaml`: the bytes are not whole gzip data/,
    ],
    [
      'a bundle cut short',
      async () => {
        await write('short.json.gz', (await readFile(at('bundle.json.gz'))).subarray(0, -20));
        return ['eval', '-b', at('short.json.gz'), at('web.json')];
      },
      /not whole gzip data/,
    ],
    [
      'a bundle of another kind',
      async () => {
        await write('other.json.gz', gzipSync('{"apiVersion":"v1"}'));
        return ['inspect', at('other.json.gz')];
      },
      /this is no postern bundle/,
    ],
    [
      'a bundle of a newer format',
      async () => {
        await write('newer.json.gz', gzipSync('{"bundle":2,"compiled":{}}'));
        return ['inspect', at('newer.json.gz')];
      },
      /bundle format 2 is newer than 1/,
    ],
    [
      'a bundle with policies that the engine refuses',
      async () => {
        await write('odd.json.gz', gzipSync('{"bundle":1,"compiled":{"version":1}}'));
        return ['eval', '-b', at('odd.json.gz'), at('web.json')];
      },
      /the engine refuses the bundle/,
    ],
    [
      'a review that is no JSON',
      () => ['eval', '-b', at('bundle.json.gz'), '-'],
      /`-` is no AdmissionReview: the body is not JSON/,
      '{',
    ],
    [
      'a review of another kind',
      () => ['eval', '-b', at('bundle.json.gz'), '-'],
      /not of kind AdmissionReview/,
      '{"kind":"Pod"}',
    ],
    [
      'facts that are not YAML',
      () => ['eval', '-b', at('bundle.json.gz'), '--facts', '-', at('web.json')],
      /`-`: .*at line 1/,
      'a: [b',
    ],
    [
      'facts of another shape',
      () => ['eval', '-b', at('bundle.json.gz'), '--facts', '-', at('web.json')],
      /`facts` must be 1/,
      'namespaces: []',
    ],
    [
      'facts with a member that is not known',
      () => ['eval', '-b', at('bundle.json.gz'), '--facts', '-', at('web.json')],
      /unknown member `namespace`/,
      'facts: 1\nnamespace: []',
    ],
    [
      'a phase that is none',
      () => ['eval', '-b', at('bundle.json.gz'), '--phase', 'convert', at('web.json')],
      /--phase must be one of/,
    ],
    ['nothing to inspect', () => ['inspect'], /one bundle, or --store, is needed/],
    [
      'a channel that is not there',
      () => ['inspect', '--store', at('store'), '--channel', 'nope'],
      /there is no channel `nope`/,
    ],
    ['nothing to serve', () => ['serve', '--http'], /either --bundle or --store is needed/],
    [
      'a server without certificate',
      () => ['serve', '--bundle', at('bundle.json.gz')],
      /one of --tls-cert with --tls-key, --self-signed or --http is needed/,
    ],
    [
      'a certificate without key',
      () => ['serve', '--bundle', at('bundle.json.gz'), '--tls-cert', at('x')],
      /--tls-cert and --tls-key belong together/,
    ],
    [
      'a port that is none',
      () => ['serve', '--bundle', at('bundle.json.gz'), '--http', '--port', '99999'],
      /--port is no port number/,
    ],
    [
      'a cluster that is no name',
      () => ['serve', '--bundle', at('bundle.json.gz'), '--http', '--cluster', 'A'],
      /`A` is no name of a cluster/,
    ],
    ['a broken bundle to serve', () => ['serve', '--bundle', at('policy.yaml'), '--http'], /not whole gzip data/],
    ['nothing to test', () => ['test'], /no file or folder is given/],
    ['a folder without tests', async () => ['test', await mkdtemp(at('empty-'))], /there is no tests\.yaml/],
    ['tests that are not YAML', async () => ['test', await testsFile('tests: [')], /tests\.yaml`: .*at line/],
    [
      'a test without name',
      async () => ['test', await testsFile('- expect: {allowed: true}')],
      /tests\[0\]: it has no `name`/,
    ],
    ['a test without expectation', async () => ['test', await testsFile('- name: a')], /test `a`: it has no `expect`/],
    [
      'a misspelt expectation',
      async () => ['test', await testsFile('- {name: a, expect: {alowed: true}}')],
      /unknown member `alowed`; there are allowed/,
    ],
    [
      'an expectation of the wrong type',
      async () => [
        'test',
        await testsFile('- {name: a, object: {apiVersion: v1, kind: Pod}, expect: {allowed: "yes"}}'),
      ],
      /`expect\.allowed` must be true or false/,
    ],
    [
      'a test without object',
      async () => ['test', await testsFile('- {name: a, expect: {allowed: true}}')],
      /neither `request` nor `object` nor `oldObject`/,
    ],
    [
      'a kind whose resource is not known',
      async () => [
        'test',
        await testsFile('- {name: a, object: {apiVersion: x.io/v1, kind: Y}, expect: {allowed: true}}'),
      ],
      /the resource of the kind `Y` is not known/,
    ],
    [
      'an expression that is none',
      async () => ['test', at('tests.yaml'), '--run', '('],
      /[Ii]nvalid regular expression/,
    ],
  ];

  it.each(rows.map(([name, args, message, stdin = '']) => [name, args, message, stdin] as const))(
    '%s',
    async (_, args, message, stdin) => {
      const { code, out, err } = await run(await args(), stdin);
      expect(err).toMatch(message);
      expect(err).toMatch(/^postern: /);
      expect({ code, out }).toEqual({ code: 2, out: '' });
    },
  );

  let count = 0;
  async function testsFile(text: string): Promise<string> {
    const path = await mkdtemp(at(`t${++count}-`));
    await writeFile(join(path, 'policy.yaml'), POLICY);
    await writeFile(join(path, 'tests.yaml'), text);
    return path;
  }
});
