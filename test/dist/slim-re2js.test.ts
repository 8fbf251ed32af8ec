import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { RE2JS } from 're2js';
import { beforeAll, describe, expect, it } from 'vitest';

/** The part of re2js that postern calls. */
interface Compiled {
  test(text: string): boolean;
  re2(): { find(text: string): string | null; findAll(text: string, limit: number): readonly string[] | null };
}
type Engine = { compile(pattern: string): Compiled };

let slim: Engine;
beforeAll(async () => {
  const { slimmed } = (await import(new URL('../../scripts/slim-re2js.mjs', import.meta.url).href)) as {
    slimmed(source: string): Promise<string>;
  };
  const path = fileURLToPath(new URL('../../node_modules/re2js/build/index.js', import.meta.url));
  const source = await slimmed(await readFile(path, 'utf8'));
  const module = (await import(
    /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`
  )) as { RE2JS: Engine };
  slim = module.RE2JS;
});

const outcome = (engine: Engine, pattern: string, text: string): unknown => {
  try {
    const compiled = engine.compile(pattern);
    return [compiled.test(text), compiled.re2().find(text), compiled.re2().findAll(text, -1)];
  } catch (error) {
    return (error as { getDescription(): string }).getDescription();
  }
};

describe('re2js made smaller answers as re2js does', () => {
  const classes =
    'C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs Any Latin Greek Cyrillic Han Arabic Hebrew Common Inherited Thai Hangul Hiragana Unknown';
  it.each(classes.split(' '))('in the class %s', (name) => {
    const [whole, small] = [RE2JS.compile(`\\p{${name}}`), slim.compile(`\\p{${name}}`)];
    const folded = [RE2JS.compile(`(?i)^\\p{${name}}$`), slim.compile(`(?i)^\\p{${name}}$`)] as const;
    const differing: number[] = [];
    for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 61) {
      const char = String.fromCodePoint(code);
      if (whole.test(char) !== small.test(char) || (code < 0x600 && folded[0].test(char) !== folded[1].test(char)))
        differing.push(code);
    }
    expect(differing).toEqual([]);
  });

  it('in the class of every script', async () => {
    const source = await readFile(
      fileURLToPath(new URL('../../node_modules/re2js/build/index.js', import.meta.url)),
      'utf8',
    );
    const scripts = source.slice(source.indexOf('static SCRIPTS'), source.indexOf('static FOLD_CATEGORIES'));
    const names = [...scripts.matchAll(/^\t\t(\w+): \(\)/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(150);
    for (const name of names) {
      const [whole, small] = [RE2JS.compile(`\\p{${name}}`), slim.compile(`\\p{${name}}`)];
      for (let code = 0; code <= 0x1ffff; code += code < 0x3000 ? 5 : 37) {
        const char = String.fromCodePoint(code);
        if (whole.test(char) !== small.test(char)) expect.fail(`${name}: ${code.toString(16)}`);
      }
    }
  });

  const texts = [
    '',
    'a',
    'aaab',
    'abcabc',
    'foo.bar-baz_9',
    'x\ny\n',
    'ÄÖÜ straße ſ K',
    '😀 a😀b',
    '10.0.0.1/24',
    'registry:5000/a/b:v1@sha256:0af',
    `${'ab'.repeat(200)}c`,
  ];
  const patterns = [
    'a',
    '^a',
    'a$',
    'a*',
    'a+?b',
    '(a|ab)(c|bcd)*',
    '[^a-c]+',
    '\\d+',
    '\\bfoo\\b',
    '\\Bo',
    '(?i)STRASSE|straße',
    '(?i)k',
    '(?s).+',
    '(?m)^.$',
    'x{2,5}',
    '(a+)+$',
    '(?P<host>[^:/]+)(:(?P<port>\\d+))?',
    '\\pL+',
    '\\P{Lu}',
    '[[:alpha:]]+',
    '[[:^digit:]]',
    '\\x{1F600}',
    '\\QA.B\\E',
    '(?:a|b)*?c',
    '^$',
    '(',
    ')',
    'a**',
    '[z-a]',
    '\\8',
    'x{1001}',
    '(?<n>a)(?<n>b)',
    '(?=a)',
    '\\p{Nope}',
    '(?P<>a)',
    'a{2}{3}',
    '[a',
    '\\',
  ];
  it.each(patterns)('to %s', (pattern) => {
    for (const text of texts)
      expect(outcome(slim, pattern, text), text).toEqual(outcome(RE2JS as unknown as Engine, pattern, text));
  });

  it('but for properties that Go does not have', () => {
    expect(outcome(slim, '\\p{Alphabetic}', 'a')).toBe('invalid character class range');
  });
});
