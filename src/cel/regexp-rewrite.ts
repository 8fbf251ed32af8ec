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

/** The pieces of a pattern: quoted runs, classes of Unicode, escapes, bracket classes, named groups, anything else. */
const PIECE =
  /\\Q[^]*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\[^]|\[\^?\]?(?:\[:[^]*?:\]|\\[pP]\{[^}]*\}|\\[^]|[^\]\\])*\]?|\(\?P?<[0-9A-Za-z_]+>|[^\\[(]+|\(/g;
const UNICODE_CLASS = /\\([pP])\{(\^?)([^}]*)\}/g;

/** The pattern in re2js's terms; `isClass` tells whether a name of a Unicode class is one that re2js knows. */
export function rewriteForRe2js(pattern: string, isClass: (name: string) => boolean): string {
  return pattern.replace(PIECE, (piece) => {
    if (piece.startsWith('\\Q')) return piece;
    if (piece.startsWith('(?')) return '(';
    if (!piece.startsWith('[') && !piece.startsWith('\\')) return piece;
    return piece.replace(UNICODE_CLASS, (text, letter: string, negation: string, name: string) => {
      const known = isClass(name) ? name : (className(name).find(isClass) ?? name);
      return known === name ? text : `\\${letter}{${negation}${known}}`;
    });
  });
}

/** How a class of another spelling could be named: a category, or a script such as `Old_Italic`. */
function className(name: string): readonly string[] {
  const words = name.split(/[ _-]+/).filter((word) => word !== '');
  const titled = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  const category = CATEGORY_NAMES.get(words.join('').toLowerCase());
  return [...(category ? [category] : []), titled.join(''), titled.join('_')];
}
