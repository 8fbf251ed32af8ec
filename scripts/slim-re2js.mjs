/**
 * Makes re2js smaller while bundling, without changing what a pattern means.
 *
 * Half of it is tables of Unicode. Those that can be computed from others (`L` from `Lu`, `Ll`, …; `Cn` as what is left)
 * are, when they are first asked for; each replacement is proved here, range by range, before it is made. Those that Go
 * does not have (`Alphabetic`, `Emoji`) go, and so do classes that only serve parts of its interface that we never call.
 * Everything is found by name in the pinned version: what is not found fails the build.
 */
import { readFile } from 'node:fs/promises';

const MAX = 0x10ffff;
const TABLE = /^\t\t(\w+): \(\) => new UnicodeRangeTable\(decodeRanges\("([^"]*)", (true|false)\)\),?$/gm;
const UNUSED_CLASSES = [
  'RE2Set',
  'TranslateRegExpString',
  'Matcher',
  'MachineUTF8Input',
  'Utf8MatcherInput',
  'PrefilterTree',
  'AhoCorasick',
];
/** Methods of the class RE2 that work on bytes, of which we have none, or replace, which CEL does not. */
const UNUSED_METHODS =
  /^\t(?:static )?(?:\w*(?:UTF8|Utf8)\w*|replaceAll\w*|replaceFirst|find\w*Submatch\w*)\(.*\) \{\n(?:\t\t.*\n|\n)*\t\}\n/gm;

/** Categories that are unions of others. */
const UNIONS = {
  C: ['Cc', 'Cf', 'Co', 'Cs', 'Cn'],
  L: ['Lu', 'Ll', 'Lt', 'Lm', 'Lo'],
  LC: ['Lu', 'Ll', 'Lt'],
  M: ['Mn', 'Mc', 'Me'],
  N: ['Nd', 'Nl', 'No'],
  P: ['Pc', 'Pd', 'Ps', 'Pe', 'Pi', 'Pf', 'Po'],
  S: ['Sm', 'Sc', 'Sk', 'So'],
  Z: ['Zs', 'Zl', 'Zp'],
};
const ASSIGNED = ['L', 'M', 'N', 'P', 'S', 'Z', 'Cc', 'Cf', 'Co', 'Cs'];
const PRINTABLE = ['L', 'M', 'N', 'P', 'S'];

/** The esbuild plugin. */
export const slimRe2js = {
  name: 'slim-re2js',
  setup(build) {
    build.onLoad({ filter: /re2js[\\/]build[\\/]index\.js$/ }, async ({ path }) => ({
      contents: slim(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** The smaller source. Throws when the source is not the one that this was written for. */
export function slim(source) {
  const categories = section(source, 'CATEGORIES');
  const sets = new Map(
    [...categories.matchAll(TABLE)].map(([, name, text, stride1]) => [name, decode(text, stride1 === 'true')]),
  );
  const union = (names) => normalize(names.flatMap((name) => expect(sets.get(name), `table ${name}`)));
  const proved = (name, ranges, wanted) => {
    if (JSON.stringify(ranges) !== JSON.stringify(wanted))
      throw new Error(`slim-re2js: ${name} is not what it should be`);
  };

  let slimmed = source;
  const replace = (from, to) => {
    if (!slimmed.includes(from)) throw new Error(`slim-re2js: not found: ${from.slice(0, 60)}`);
    slimmed = slimmed.replace(from, () => to);
  };
  const names = (list) => list.map((name) => `"${name}"`).join(', ');

  for (const [line, name, text, stride1] of categories.matchAll(TABLE)) {
    if (name === 'Cn') {
      proved(name, complement(union(ASSIGNED)), decode(text, stride1 === 'true'));
      replace(line, `\t\tCn: () => joinTables([${names(ASSIGNED)}], true),`);
    } else if (UNIONS[name]) {
      proved(name, union(UNIONS[name]), decode(text, stride1 === 'true'));
      replace(line, `\t\t${name}: () => joinTables([${names(UNIONS[name])}], false),`);
    } else if (name.length > 2) {
      replace(`${line}\n`, '');
    }
  }
  for (const [line, name] of section(source, 'FOLD_CATEGORIES').matchAll(TABLE))
    if (name.length > 2) replace(`${line}\n`, '');
  for (const [line, name, text, stride1] of section(source, 'SCRIPTS').matchAll(TABLE)) {
    if (name !== 'Unknown') continue;
    proved(name, union(['Cn', 'Co', 'Cs']), decode(text, stride1 === 'true'));
    replace(line, '\t\tUnknown: () => joinTables(["Cn", "Co", "Cs"], false),');
  }
  const [line, text, stride1] = expect(
    /new UnicodeRangeTable\(decodeRanges\("([^"]*)", (true|false)\)\);\n\t\treturn this\._Print/.exec(slimmed),
    'Print',
  );
  const beyondAscii = (ranges) =>
    normalize(ranges.flatMap(([low, high]) => (high < 256 ? [] : [[Math.max(low, 256), high]])));
  proved('Print', beyondAscii(union(PRINTABLE)), beyondAscii(decode(text, stride1 === 'true')));
  replace(line, `joinTables([${names(PRINTABLE)}], false);\n\t\treturn this._Print`);
  replace('var UnicodeTables = class {', `${JOIN_TABLES}\nvar UnicodeTables = class {`);
  // What searches a text for literals before the automaton runs; texts in admission are short.
  replace('PrefilterTree.build(re)', '{ type: Prefilter.Type.NONE }');
  const re2 = expect(/\nvar RE2 = class RE2 \{\n[\s\S]*?\n\};\n/.exec(slimmed)?.[0], 'RE2');
  replace(re2, re2.replace(UNUSED_METHODS, ''));
  for (const name of UNUSED_CLASSES) slimmed = withoutClass(slimmed, name);
  return slimmed;
}

/** What runs in the bundle in place of the tables. */
const JOIN_TABLES = `
const joinTables = (names, inverted) => {
	const ranges = [];
	for (const name of names) {
		const table = UnicodeTables.CATEGORIES.get(name);
		for (let i = 0; i < table.length; i++) {
			const stride = table.getStride(i);
			if (stride === 1) ranges.push([table.getLo(i), table.getHi(i)]);
			else for (let r = table.getLo(i); r <= table.getHi(i); r += stride) ranges.push([r, r]);
		}
	}
	ranges.sort((a, b) => a[0] - b[0]);
	const out = [];
	let next = 0;
	for (const [lo, hi] of ranges) {
		if (inverted) {
			if (lo > next) out.push(next, lo - 1, 1);
		} else if (out.length > 0 && out[out.length - 2] === lo - 1) out[out.length - 2] = hi;
		else out.push(lo, hi, 1);
		next = hi + 1;
	}
	if (inverted && next <= ${MAX}) out.push(next, ${MAX}, 1);
	return new UnicodeRangeTable(Uint32Array.from(out));
};`;

function section(source, name) {
  const start = source.indexOf(`\tstatic ${name} = new LazyMap({`);
  return source.slice(expect(start >= 0 ? start : undefined, name), source.indexOf('\n\t});', start));
}

function withoutClass(source, name) {
  const [text] = expect(new RegExp(`\\nvar ${name} = class [^\\n]*\\{\\n[^]*?\\n\\};\\n`).exec(source), name);
  return source.replace(text, '\n').replace(new RegExp(`(export \\{[^}]*?)\\b${name}, ?`), '$1');
}

function expect(value, what) {
  if (value === undefined || value === null) throw new Error(`slim-re2js: not found: ${what}`);
  return value;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';

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

function complement(ranges) {
  const gaps = [];
  let next = 0;
  for (const [low, high] of ranges) {
    if (low > next) gaps.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= MAX) gaps.push([next, MAX]);
  return gaps;
}
