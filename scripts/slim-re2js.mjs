/**
 * Makes re2js smaller while bundling, without changing what a pattern means.
 *
 * Half of its size are tables of Unicode, each a list of ranges of its own. General categories and scripts each divide
 * all code points among them, so one list of runs holds them all; unions (`L`, `P`) are joined when asked for. Tables
 * that Go does not have (`Alphabetic`, `Emoji`) go. So do engines that are only quicker at finding where a match is, and
 * every method that nothing names; whether there is a match is still the DFA's to say. Each new table is compared here with the one that it replaces. What this looks for is in the version
 * that package.json pins; not finding it fails the build.
 */
import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

const MAX = 0x10ffff;
const TABLE = /^\t\t(\w+): \(\) => new UnicodeRangeTable\(decodeRanges\("([^"]*)", (true|false)\)\),?\n/gm;

const UNUSED_CLASSES = [
  'RE2Set',
  'TranslateRegExpString',
  'Matcher',
  'MachineUTF8Input',
  'Utf8MatcherInput',
  'Prefilter',
  'PrefilterTree',
  'AhoCorasick',
  'OnePass',
  'OnePassProg',
  'QueueOnePass',
  'Backtracker',
  'BitState',
];
/** Classes that can print themselves, for people who look inside. */
const UNPRINTED_CLASSES = ['Inst', 'Queue', 'Regexp', 'Prog', 'CharClass', 'RE2', 'RE2JS'];
/** What our code calls; every other method goes unless re2js itself names it. */
const USED_METHODS = new Set([
  'compile',
  'test',
  're2',
  'find',
  'findAll',
  'getDescription',
  'getPattern',
  'constructor',
  'toString',
]);
const METHOD = /^\t(?:static )?(?:get |set )?(\w+)\(.*\) \{\n(?:\t\t.*\n|\n)*\t\}\n/gm;

const UNIONS = {
  C: ['Cc', 'Cf', 'Cn', 'Co', 'Cs'],
  L: ['Ll', 'Lm', 'Lo', 'Lt', 'Lu'],
  LC: ['Ll', 'Lt', 'Lu'],
  M: ['Mc', 'Me', 'Mn'],
  N: ['Nd', 'Nl', 'No'],
  P: ['Pc', 'Pd', 'Pe', 'Pf', 'Pi', 'Po', 'Ps'],
  S: ['Sc', 'Sk', 'Sm', 'So'],
  Z: ['Zl', 'Zp', 'Zs'],
};
const PRINTABLE = ['L', 'M', 'N', 'P', 'S'].flatMap((name) => UNIONS[name]);

/** The esbuild plugin. */
export const slimRe2js = {
  name: 'slim-re2js',
  setup(build) {
    build.onLoad({ filter: /re2js[\\/]build[\\/]index\.js$/ }, async ({ path }) => ({
      contents: await slimmed(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** The smaller source, its own properties with short names. Throws when the source is not the one this was written for. */
export async function slimmed(source) {
  return mangled(slim(source));
}

/** The source with short names for properties that are its own: none that is built in, called by us, or in a string. */
async function mangled(source) {
  const kept = new Set([...builtinNames(), ...USED_METHODS]);
  for (const [text] of source.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/g)) {
    for (const [word] of text.matchAll(/\w+/g)) kept.add(word);
  }
  const own = new Set(
    [...source.matchAll(/\.([A-Za-z_]\w{3,})|^\t(?:static )?(?:get |set )?([A-Za-z_]\w{3,})\b/gm)].map(
      ([, used, defined]) => used ?? defined,
    ),
  );
  const mangleProps = new RegExp(`^(?:${[...own].filter((name) => !kept.has(name)).join('|')})$`);
  return (await transform(source, { format: 'esm', mangleProps })).code;
}

/** The names of all properties that the language has. */
function builtinNames() {
  const names = new Set(['value', 'done', 'groups', 'indices', 'index', 'input']);
  const values = Object.getOwnPropertyNames(globalThis).map(
    (name) => Object.getOwnPropertyDescriptor(globalThis, name)?.value,
  );
  const iterators = [[].values(), new Map().values(), new Set().values(), ''.matchAll(/a/g), (function* () {})()];
  for (const value of [...values, ...iterators]) {
    for (let object of [value, value?.prototype]) {
      for (; object instanceof Object; object = Object.getPrototypeOf(object)) {
        for (const name of Object.getOwnPropertyNames(object)) names.add(name);
      }
    }
  }
  return names;
}

function slim(source) {
  let slimmed = source;
  const replace = (from, to) => {
    if (!slimmed.includes(from)) throw new Error(`slim-re2js: not found: ${from.slice(0, 60)}`);
    slimmed = slimmed.replace(from, () => to);
  };
  const replaceTables = (name, partition) => {
    const old = section(source, name);
    replace(
      old,
      old
        .replace(TABLE, '')
        .replace('LazyMap({', `LazyMap(${partition})`)
        .replace(/\)[\s\n]*\}\)$/, ')'),
    );
  };

  const categories = tablesOf(source, 'CATEGORIES');
  const leaves = new Map([...categories].filter(([name]) => name.length === 2 && name !== 'LC'));
  for (const [name, parts] of Object.entries(UNIONS)) prove(name, union(leaves, parts), categories.get(name));
  replaceTables('CATEGORIES', partitionCall(leaves, UNIONS));
  replaceTables('SCRIPTS', partitionCall(tablesOf(source, 'SCRIPTS'), {}));
  for (const [line, name] of section(source, 'FOLD_CATEGORIES').matchAll(TABLE)) if (name.length > 2) replace(line, '');

  const print = find(
    /new UnicodeRangeTable\(decodeRanges\("([^"]*)", (true|false)\)\);\n\t\treturn this\._Print/.exec(source),
    'Print',
  );
  prove('Print', beyondLatin1(union(leaves, PRINTABLE)), beyondLatin1(decode(print[1], print[2] === 'true')));
  replace(
    print[0],
    `joined(${names(['L', 'M', 'N', 'P', 'S'])}.map((name) => UnicodeTables.CATEGORIES.get(name)));\n\t\treturn this._Print`,
  );
  replace('var UnicodeTables = class {', `${RUNTIME}\nvar UnicodeTables = class {`);

  replace('const prefilter = PrefilterTree.build(re);\n', '');
  replace('re2.prefilter = prefilter.type === Prefilter.Type.NONE ? null : prefilter;\n', '');
  replace('this.onepass = OnePass.compile(this.prog);', '');
  replace('if (this.onepass !== null) return OnePass.execute(this, input, pos, anchor, ncap);\n', '');
  replace(
    'if (this.prog.numLb === 0 && input.endPos() <= Backtracker.maxBitStateLen(this.prog)) return Backtracker.execute(this, input, pos, anchor, ncap);\n',
    '',
  );
  replace(
    'if (input.endPos() <= Backtracker.maxBitStateLen(this.prog)) return Backtracker.execute(this, input, pos, anchor, ncap);\n',
    '',
  );
  slimmed = slimmed.replace(/^\s*\/\*[\s\S]*?\*\/\n/gm, '').replace(/^\s*\/\/.*\n/gm, '');
  for (const name of UNUSED_CLASSES) slimmed = withoutClass(slimmed, name);
  for (const name of UNPRINTED_CLASSES) slimmed = withoutPrinting(slimmed, name);
  return withoutUnusedMethods(slimmed);
}

/** What stands in the bundle in place of the tables: `partition` gives what `LazyMap` is made of, a function a name. */
const RUNTIME = `
const joined = (tables) => {
	const ranges = tables.flatMap((table) => Array.from({ length: table.length }, (_, i) => [table.getLo(i), table.getHi(i)]));
	ranges.sort((a, b) => a[0] - b[0]);
	const out = [];
	for (const [lo, hi] of ranges) {
		if (out.length > 0 && out[out.length - 2] === lo - 1) out[out.length - 2] = hi;
		else out.push(lo, hi, 1);
	}
	return new UnicodeRangeTable(Uint32Array.from(out));
};
const partition = (names, text, unions) => {
	let tables;
	const table = (name) => {
		if (!tables) {
			tables = names.map(() => []);
			const runs = decodeVLQ(text);
			let at = 0;
			for (let i = 0; i < runs.length; i += 2) {
				tables[runs[i]].push(at, at + runs[i + 1], 1);
				at += runs[i + 1] + 1;
			}
		}
		return new UnicodeRangeTable(Uint32Array.from(tables[names.indexOf(name)]));
	};
	const entries = names.map((name) => [name, () => table(name)]);
	for (const name in unions) entries.push([name, () => joined(unions[name].map(table))]);
	return Object.fromEntries(entries);
};`;

/** The call that makes the tables of sets that divide all code points among them; proved to make the very same ones. */
function partitionCall(sets, unions) {
  const order = [...sets.keys()];
  const runs = order
    .flatMap((name, index) => sets.get(name).map(([low, high]) => [low, high, index]))
    .sort((left, right) => left[0] - right[0]);
  let next = 0;
  let text = '';
  for (const [low, high, index] of runs) {
    if (low !== next) throw new Error(`slim-re2js: ${order[index]} overlaps another table, or leaves a gap`);
    text += encode(index) + encode(high - low);
    next = high + 1;
  }
  if (next !== MAX + 1) throw new Error('slim-re2js: the tables do not cover everything');
  return `partition(${names(order)}, "${text}", ${JSON.stringify(unions)})`;
}

function names(list) {
  return `"${list.join(' ')}".split(" ")`;
}

function prove(name, made, wanted) {
  if (JSON.stringify(made) !== JSON.stringify(wanted)) throw new Error(`slim-re2js: ${name} is not what it should be`);
}

function union(sets, parts) {
  return normalize(parts.flatMap((name) => find(sets.get(name), `table ${name}`)));
}

function beyondLatin1(ranges) {
  return ranges.flatMap(([low, high]) => (high < 256 ? [] : [[Math.max(low, 256), high]]));
}

function section(source, name) {
  const start = source.indexOf(`LazyMap({`, find(source.indexOf(`\tstatic ${name} = `) + 1 || undefined, name));
  return source.slice(start, source.indexOf('\n\t})', start) + 4);
}

function tablesOf(source, name) {
  return new Map(
    [...section(source, name).matchAll(TABLE)].map(([, table, text, stride1]) => [
      table,
      decode(text, stride1 === 'true'),
    ]),
  );
}

function withoutClass(source, name) {
  const [text] = find(classText(source, name), name);
  return source.replace(text, '\n').replace(new RegExp(`(export \\{[^}]*?)\\b${name}, ?`), '$1');
}

function withoutPrinting(source, name) {
  const [text] = find(classText(source, name), name);
  return source.replace(text, () => text.replace(METHOD, (method, head) => (head === 'toString' ? '' : method)));
}

function classText(source, name) {
  return new RegExp(`\\nvar ${name} = class [^\\n]*\\{\\n[\\s\\S]*?\\n\\};\\n`).exec(source);
}

/** Without the methods whose name stands nowhere but in their own head. Removing some frees others. */
function withoutUnusedMethods(source) {
  const mentions = new Map();
  for (const [word] of source.matchAll(/\w+/g)) mentions.set(word, (mentions.get(word) ?? 0) + 1);
  const heads = new Map();
  for (const [, name] of source.matchAll(METHOD)) heads.set(name, (heads.get(name) ?? 0) + 1);
  const unused = (name) => !USED_METHODS.has(name) && mentions.get(name) === heads.get(name);
  const slimmed = source.replace(METHOD, (text, name) => (unused(name) ? '' : text));
  return slimmed === source ? source : withoutUnusedMethods(slimmed);
}

function find(value, what) {
  if (value === undefined || value === null) throw new Error(`slim-re2js: not found: ${what}`);
  return value;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';

/** A number as re2js's tables have it: base 32, the lowest digit first, 32 more for each that another follows. */
function encode(number) {
  const rest = number >> 5;
  return rest === 0 ? DIGITS[number] : DIGITS[(number & 31) | 32] + encode(rest);
}

/** A table's ranges, joined and in order. */
function decode(text, stride1) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const char of text) {
    const digit = DIGITS.indexOf(char);
    value |= (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    numbers.push(value);
    value = 0;
    shift = 0;
  }
  const ranges = [];
  let at = 0;
  for (let index = 0; index < numbers.length; index += stride1 ? 2 : 3) {
    const low = at + numbers[index];
    const high = low + numbers[index + 1];
    const stride = stride1 ? 1 : numbers[index + 2];
    at = high;
    if (stride === 1) ranges.push([low, high]);
    else for (let rune = low; rune <= high; rune += stride) ranges.push([rune, rune]);
  }
  return normalize(ranges);
}

function normalize(ranges) {
  const joined = [];
  for (const [low, high] of ranges.toSorted((left, right) => left[0] - right[0])) {
    const last = joined.at(-1);
    if (last && last[1] >= low - 1) last[1] = Math.max(last[1], high);
    else joined.push([low, high]);
  }
  return joined;
}
