/**
 * The patterns that Go accepts and re2js refuses, written so that it accepts them: several groups of one name (nobody
 * asks for a group by name here), and Unicode classes by long names or in another case.
 */

/** Long names of Unicode's general categories and what they stand for; looked up without case, blanks, `_` and `-`. */
const CATEGORY_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    any: 'Any',
    ascii: 'Ascii',
    assigned: 'Assigned',
    casedletter: 'LC',
    closepunctuation: 'Pe',
    cntrl: 'Cc',
    combiningmark: 'M',
    connectorpunctuation: 'Pc',
    control: 'Cc',
    currencysymbol: 'Sc',
    dashpunctuation: 'Pd',
    decimalnumber: 'Nd',
    digit: 'Nd',
    enclosingmark: 'Me',
    finalpunctuation: 'Pf',
    format: 'Cf',
    initialpunctuation: 'Pi',
    lc: 'LC',
    letter: 'L',
    letternumber: 'Nl',
    lineseparator: 'Zl',
    lowercaseletter: 'Ll',
    mark: 'M',
    mathsymbol: 'Sm',
    modifierletter: 'Lm',
    modifiersymbol: 'Sk',
    nonspacingmark: 'Mn',
    number: 'N',
    openpunctuation: 'Ps',
    other: 'C',
    otherletter: 'Lo',
    othernumber: 'No',
    otherpunctuation: 'Po',
    othersymbol: 'So',
    paragraphseparator: 'Zp',
    privateuse: 'Co',
    punct: 'P',
    punctuation: 'P',
    separator: 'Z',
    spaceseparator: 'Zs',
    spacingmark: 'Mc',
    surrogate: 'Cs',
    symbol: 'S',
    titlecaseletter: 'Lt',
    unassigned: 'Cn',
    uppercaseletter: 'Lu',
  }),
);

/**
 * Classes that re2js has and Go has not: properties that are neither category nor script, scripts of a later Unicode, and
 * the one that Go spells otherwise.
 */
const NOT_IN_GO: ReadonlySet<string> = new Set(
  'Alphabetic Dash Emoji Garay Lowercase Math Sidetic SignWriting Sunuwar Todhri Unknown Uppercase'.split(' '),
);

const ESCAPE = /\\Q.*?(?:\\E|$)|\\[pP]\{\^?([^}]*)\}|\\./gs;

/** The first Unicode class of a pattern that Go does not know though re2js does; with `_` Go knows categories only. */
export function foreignClass(pattern: string): string | undefined {
  if (!pattern.includes('{')) return undefined;
  for (const [text, name] of pattern.matchAll(ESCAPE)) {
    if (name === undefined) continue;
    if (NOT_IN_GO.has(name) || (name.includes('_') && !CATEGORY_NAMES.has(plainName(name)))) return text;
  }
  return undefined;
}

const CAPTURE = /\(\?P?<[0-9A-Za-z_]+>/y;
const UNICODE_CLASS = /\\([pP])(?:\{(\^?)([^}]*)\}|([a-z]))/y;

/** The pattern in re2js's terms; `isClass` tells whether a name of a Unicode class is one that re2js knows. */
export function rewriteForRe2js(pattern: string, isClass: (name: string) => boolean): string {
  let rewritten = '';
  let captures = 0;
  let bracket = false;
  let position = 0;
  const copy = (end: number): void => {
    rewritten += pattern.slice(position, end);
    position = end;
  };
  while (position < pattern.length) {
    const character = pattern.charAt(position);
    if (character === '\\') {
      UNICODE_CLASS.lastIndex = position;
      const unicode = UNICODE_CLASS.exec(pattern);
      if (unicode) {
        rewritten += unicodeClass(unicode, isClass);
        position = UNICODE_CLASS.lastIndex;
      } else if (!bracket && pattern.charAt(position + 1) === 'Q') {
        const end = pattern.indexOf('\\E', position + 2);
        copy(end < 0 ? pattern.length : end);
      } else copy(position + 2);
    } else if (bracket) {
      const named = pattern.startsWith('[:', position) ? pattern.indexOf(':]', position + 2) : -1;
      if (character === ']') bracket = false;
      copy(named < 0 ? position + 1 : named + 2);
    } else if (character === '[') {
      bracket = true;
      const first = position + (pattern.charAt(position + 1) === '^' ? 2 : 1);
      copy(first + (pattern.charAt(first) === ']' ? 1 : 0));
    } else {
      CAPTURE.lastIndex = position;
      if (character === '(' && CAPTURE.test(pattern)) {
        captures++;
        rewritten += `(?P<c${captures}>`;
        position = CAPTURE.lastIndex;
      } else copy(position + 1);
    }
  }
  return rewritten;
}

function unicodeClass(match: RegExpExecArray, isClass: (name: string) => boolean): string {
  const [text, letter = 'p', negation = '', long = '', short = ''] = match;
  const name = long || short;
  const known = isClass(name) ? name : (canonicalNames(name).find(isClass) ?? name);
  return known === name ? text : `\\${letter}{${negation}${known}}`;
}

function plainName(name: string): string {
  return name.replace(/[ _-]+/g, '').toLowerCase();
}

/** What a class of another spelling may be: a category by its long name, or a category or script in another case. */
function canonicalNames(name: string): readonly string[] {
  const letters = plainName(name);
  const category = CATEGORY_NAMES.get(letters);
  return [...(category ? [category] : []), letters.charAt(0).toUpperCase() + letters.slice(1)];
}
