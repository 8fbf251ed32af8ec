/**
 * Makes re2js smaller while bundling, without changing what a pattern means.
 *
 * Half of its size are tables of Unicode, each a list of ranges of its own. General categories and scripts each divide
 * all code points among them, so one list of runs holds them all; unions (`L`, `P`) are joined when asked for. Tables
 * that Go does not have (`Alphabetic`, `Emoji`) go. So do engines that are only quicker at finding where a match is,
 * lookbehinds, which Go does not have, and every method that nothing names; whether there is a match is still the DFA's to
 * say. Each new table is compared here with the one that it replaces. What this looks for is in the version that
 * package.json pins; not finding it fails the build.
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
  'MatcherInput',
  'MatcherInputBase',
  'Utf16MatcherInput',
];
/** Of the class that we call, what we call. */
const KEPT_OF_RE2JS = ['constructor', 'compile', 're2', 'test'];
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
const METHOD = /^\t(?:static )?(?:get |set )?\*?(\w+)\(.*\) \{\n(?:\t\t.*\n|\n)*\t\}\n/gm;

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
/**
 * Lookbehinds are parsed only by a flag that nobody sets, so no program ever has one: what asks for them, and the answer.
 * The code behind these questions then goes.
 */
const LOOKBEHINDS = [
  [/\(this\.flags & RE2Flags\.LOOKBEHIND\) !== 0/g, 'false'],
  [/\bre2\.lb !== 0/g, 'false'],
  [/(?:this\.)?prog\.numLb > 0/g, 'false'],
  [/this\.prog\.numLb === 0/g, 'true'],
  [/this\.prog\.lbInst\[pc\] === 0/g, 'true'],
  [/if \((?:has|resume|save)Lookbehinds\)/g, 'if (false)'],
  [/op === Inst\.LB_WRITE \|\| op === Inst\.LB_CHECK/g, 'false'],
  [/case Inst\.LB_(?:WRITE|CHECK):\n(?:.*\n){2,3}?\s*break;\n/g, ''],
  [/case Regexp\.Op\.PLB:\n\s*case Regexp\.Op\.NLB: return this\.lookBehind\(state\.sub, re\.lb\);\n/g, ''],
  [/c\.prog\.markLookbehindInsts\(\);\n/g, ''],
];
/** What has the script Unknown. */
const WITHOUT_SCRIPT = ['Cn', 'Co', 'Cs'];
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
  return mangled(withoutUnusedMethods(await folded(slim(source))));
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
  const replaceTables = (name, tables) => {
    const old = section(source, name);
    const emptied = old.replace(TABLE, '');
    if (!/^LazyMap\(\{\s*\}\)$/.test(emptied)) throw new Error(`slim-re2js: ${name} holds something else too`);
    replace(old, `LazyMap(${tables})`);
  };

  const categories = tablesOf(source, 'CATEGORIES');
  const scripts = tablesOf(source, 'SCRIPTS');
  const leaves = new Map([...categories].filter(([name]) => name.length === 2 && name !== 'LC'));
  for (const [name, parts] of Object.entries(UNIONS)) prove(name, union(leaves, parts), categories.get(name));
  prove('Unknown', union(leaves, WITHOUT_SCRIPT), scripts.get('Unknown'));
  replaceTables('CATEGORIES', `namedTables(CATEGORIES, 0, ${JSON.stringify(UNIONS)})`);
  replaceTables('SCRIPTS', 'namedTables(SCRIPTS, 1, {})');
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
  replace('var UnicodeTables = class {', `${runtime(leaves, scripts)}\nvar UnicodeTables = class {`);

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
  replace('re2.prefixUTF8 = Utils.stringToUtf8ByteArray(re2.prefix);', '');
  replace('if (Utils.isByteArray(input)) return this.re2Input.matchUTF8(input);', '');
  slimmed = slimmed.replace(/^\s*\/\*[\s\S]*?\*\/\n/gm, '').replace(/^\s*\/\/.*\n/gm, '');
  for (const [question, answer] of LOOKBEHINDS) {
    if (!question.test(slimmed)) throw new Error(`slim-re2js: not found: ${question}`);
    slimmed = slimmed.replace(question, answer);
  }
  for (const name of UNUSED_CLASSES) slimmed = withoutClass(slimmed, name);
  for (const name of UNPRINTED_CLASSES) slimmed = withoutMethods(slimmed, name, (method) => method !== 'toString');
  slimmed = withoutMethods(slimmed, 'RE2JS', (method) => KEPT_OF_RE2JS.includes(method));
  return slimmed;
}

/** Without branches that are never taken; the indentation stays as the expressions here want it. */
async function folded(source) {
  const { code } = await transform(source, { format: 'esm', minifySyntax: true });
  return code.replace(/^(?: {2})+/gm, (blanks) => '\t'.repeat(blanks.length / 2));
}

/**
 * What stands in the bundle in place of the tables. All code points are one list of runs, each of one category and one
 * script: `RUNS` has the category of each, `LENGTHS` its length; `SCRIPT_RUNS` has how many of them, one after the other, have which
 * script. Runs of what is not assigned have none, and are not counted there.
 */
function runtime(leaves, scripts) {
  const [categoryNames, scriptNames] = [[...leaves.keys()], [...scripts.keys()]];
  const [categoryOf, scriptOf] = [indexes(leaves), indexes(scripts)];
  const runs = [];
  for (let low = 0; low <= MAX; ) {
    let high = low;
    while (high < MAX && categoryOf[high + 1] === categoryOf[low] && scriptOf[high + 1] === scriptOf[low]) high++;
    runs.push({ category: categoryOf[low], script: scriptOf[low], length: high - low + 1 });
    low = high + 1;
  }
  let scriptRuns = '';
  const assigned = runs.filter(({ category }) => !WITHOUT_SCRIPT.includes(categoryNames[category]));
  for (let index = 0; index < assigned.length; ) {
    let end = index;
    while (end < assigned.length && assigned[end].script === assigned[index].script) end++;
    scriptRuns += encode(assigned[index].script) + encode(end - index - 1);
    index = end;
  }
  const [kinds, lengths] = [
    runs.map(({ category }) => encode(category)).join(''),
    runs.map(({ length }) => encode(length - 1)).join(''),
  ];
  return `
const CATEGORIES = ${names(categoryNames)};
const SCRIPTS = ${names(scriptNames)};
const RUNS = "${kinds}";
const LENGTHS = "${lengths}";
const SCRIPT_RUNS = "${scriptRuns}";
let allTables;
const extend = (ranges, lo, hi) => {
	if (ranges[ranges.length - 2] === lo - 1) ranges[ranges.length - 2] = hi;
	else ranges.push(lo, hi, 1);
};
const readTables = () => {
	const categories = CATEGORIES.map(() => []);
	const scripts = SCRIPTS.map(() => []);
	const runs = decodeVLQ(RUNS);
	const lengths = decodeVLQ(LENGTHS);
	const scriptRuns = decodeVLQ(SCRIPT_RUNS);
	const unassigned = ${JSON.stringify(WITHOUT_SCRIPT.map((name) => categoryNames.indexOf(name)))};
	let at = 0, next = -2, left = 0;
	for (let i = 0; i < runs.length; i++) {
		const hi = at + lengths[i];
		const hasScript = !unassigned.includes(runs[i]);
		if (hasScript && left-- === 0) left = scriptRuns[(next += 2) + 1];
		extend(categories[runs[i]], at, hi);
		extend(scripts[hasScript ? scriptRuns[next] : ${scriptNames.indexOf('Unknown')}], at, hi);
		at = hi + 1;
	}
	return [categories, scripts];
};
const joined = (tables) => {
	const ranges = tables.flatMap((table) => Array.from({ length: table.length }, (_, i) => [table.getLo(i), table.getHi(i)]));
	const out = [];
	for (const [lo, hi] of ranges.sort((a, b) => a[0] - b[0])) extend(out, lo, hi);
	return new UnicodeRangeTable(Uint32Array.from(out));
};
const namedTables = (names, which, unions) => {
	const table = (name) => new UnicodeRangeTable(Uint32Array.from((allTables ??= readTables())[which][names.indexOf(name)]));
	const entries = names.map((name) => [name, () => table(name)]);
	for (const name in unions) entries.push([name, () => joined(unions[name].map(table))]);
	return Object.fromEntries(entries);
};`;
}

/** For each code point, which of the sets it is in. Throws unless it is exactly one. */
function indexes(sets) {
  const indexOf = new Int16Array(MAX + 1).fill(-1);
  for (const [index, [name, ranges]] of [...sets].entries()) {
    for (const [low, high] of ranges) {
      if (indexOf.subarray(low, high + 1).some((other) => other !== -1))
        throw new Error(`slim-re2js: ${name} overlaps another table`);
      indexOf.fill(index, low, high + 1);
    }
  }
  if (indexOf.includes(-1)) throw new Error('slim-re2js: the tables leave something out');
  return indexOf;
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

function withoutMethods(source, name, keep) {
  const [text] = find(classText(source, name), name);
  return source.replace(text, () => text.replace(METHOD, (method, head) => (keep(head) ? method : '')));
}

function classText(source, name) {
  return new RegExp(`\\nvar ${name} = class [^\\n]*\\{\\n[\\s\\S]*?\\n\\};\\n`).exec(source);
}

/** Without the methods that nothing names but themselves. Removing some frees others. */
function withoutUnusedMethods(source) {
  const mentions = countWords(source);
  for (const [text, name] of source.matchAll(METHOD))
    mentions.set(name, mentions.get(name) - countWords(text).get(name));
  const slimmed = source.replace(METHOD, (text, name) =>
    USED_METHODS.has(name) || mentions.get(name) > 0 ? text : '',
  );
  return slimmed === source ? source : withoutUnusedMethods(slimmed);
}

function countWords(text) {
  const counts = new Map();
  for (const [word] of text.matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
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
