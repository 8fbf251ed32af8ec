/** The named formats of strings: for each, what is wrong with a text, in the API server's words. */
import { isCalendarDate } from '#cel/runtime';
import { bytesOf } from './byte-string.ts';
import { requestUriFault } from './url.ts';

/** A format, the length of the pattern that cost rules count, and its check. */
export interface NamedFormat {
  readonly name: string;
  readonly patternLength: number;
  /** The faults of a text; none when it is valid. */
  readonly faults: (text: string) => readonly string[];
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const DNS1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${NAME})?`;

/** A pattern that a whole text must match, and the rule in words. */
interface Rule {
  readonly pattern: string;
  readonly words: string;
  readonly examples: readonly string[];
}

const RULES = {
  label: {
    pattern: LABEL,
    words:
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    examples: ['my-name', '123-abc'],
  },
  subdomain: {
    pattern: SUBDOMAIN,
    words:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    examples: ['example.com'],
  },
  dns1035: {
    pattern: DNS1035,
    words:
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    examples: ['my-name', 'abc-123'],
  },
  name: {
    pattern: NAME,
    words:
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    examples: ['MyName', 'my.name', '123-abc'],
  },
  labelValue: {
    pattern: LABEL_VALUE,
    words:
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    examples: ['MyValue', 'my_value', '12345'],
  },
} as const satisfies Record<string, Rule>;

/** k8s: validation.RegexError puts a comma after each example, and `or` between them. */
function ruleText({ pattern, words, examples }: Rule): string {
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return `${words} (e.g. ${quoted}regex used for validation is '${pattern}')`;
}

function matches(rule: Rule, bytes: string): boolean {
  return new RegExp(`^(?:${rule.pattern})$`).test(bytes);
}

/** How a length is called: newer validation says characters, older bytes; it always counts bytes. */
type Unit = 'characters' | 'bytes';

function tooLong(bytes: string, limit: number, unit: Unit): readonly string[] {
  return bytes.length > limit ? [`must be no more than ${limit} ${unit}`] : [];
}

/** The check of a length in bytes and of a pattern. */
function ruled(rule: Rule, limit: number, unit: Unit): (bytes: string) => readonly string[] {
  return (bytes) => [...tooLong(bytes, limit, unit), ...(matches(rule, bytes) ? [] : [ruleText(rule)])];
}

const subdomain = ruled(RULES.subdomain, 253, 'characters');
const prefix = ruled(RULES.subdomain, 253, 'bytes');

function label(bytes: string): readonly string[] {
  if (matches(RULES.label, bytes)) return tooLong(bytes, 63, 'characters');
  const dotted = matches(RULES.subdomain, bytes);
  return [...tooLong(bytes, 63, 'characters'), dotted ? 'must not contain dots' : ruleText(RULES.label)];
}

function qualifiedName(bytes: string): readonly string[] {
  const [first = '', second, ...more] = bytes.split('/');
  if (more.length > 0) {
    const withPrefix = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    return [`a valid label key ${ruleText(RULES.name)} ${withPrefix}`];
  }
  const faults: string[] = [];
  if (second !== undefined) {
    if (first === '') faults.push('prefix part must be non-empty');
    else faults.push(...prefix(first).map((text) => `prefix part ${text}`));
  }
  const name = second ?? first;
  if (name === '') faults.push('name part must be non-empty');
  else faults.push(...tooLong(name, 63, 'bytes').map((text) => `name part ${text}`));
  if (!matches(RULES.name, name)) faults.push(`name part ${ruleText(RULES.name)}`);
  return faults;
}

/** A prefix may end in `-`. k8s: `maskTrailingDash` replaces the last two bytes by one letter. */
function asPrefix(check: (bytes: string) => readonly string[]): (bytes: string) => readonly string[] {
  return (bytes) => check(bytes.length > 1 && bytes.endsWith('-') ? `${bytes.slice(0, -2)}a` : bytes);
}

function simple(holds: (text: string) => boolean, message: string): (text: string) => readonly string[] {
  return (text) => (holds(text) ? [] : [message]);
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u;

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  return match !== null && isCalendarDate(Number(match[1]), Number(match[2]), Number(match[3]));
}

function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const [date = '', rest] = text.toLowerCase().split('t');
  if (rest === undefined || !isDate(date)) return false;
  const match = TIME.exec(rest);
  return match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

type Row = readonly [name: string, patternLength: number, faults: (text: string) => readonly string[]];

/** A check of bytes as one of texts. */
function ofBytes(check: (bytes: string) => readonly string[]): (text: string) => readonly string[] {
  return (text) => check(bytesOf(text));
}

const dns1035 = ruled(RULES.dns1035, 63, 'characters');

const ROWS: readonly Row[] = [
  ['dns1123Label', 30, ofBytes(label)],
  ['dns1123Subdomain', 60, ofBytes(subdomain)],
  ['dns1035Label', 30, ofBytes(dns1035)],
  ['qualifiedName', 60, ofBytes(qualifiedName)],
  ['dns1123LabelPrefix', 30, ofBytes(asPrefix(label))],
  ['dns1123SubdomainPrefix', 60, ofBytes(asPrefix(subdomain))],
  ['dns1035LabelPrefix', 30, ofBytes(asPrefix(dns1035))],
  ['labelValue', 40, ofBytes(ruled(RULES.labelValue, 63, 'bytes'))],
  [
    'uri',
    1103,
    (text) => {
      const error = requestUriFault(text);
      return error === undefined ? [] : [error];
    },
  ],
  ['uuid', 70, simple((text) => UUID.test(text), 'does not match the UUID format')],
  ['byte', 84, simple((text) => BASE64.test(text), 'invalid base64')],
  ['date', 71, simple(isDate, 'invalid date')],
  ['datetime', 71, simple(isDateTime, 'invalid datetime')],
];

/** The formats by name. API server: pkg/cel/library/format.go. */
export const NAMED_FORMATS: ReadonlyMap<string, NamedFormat> = new Map(
  ROWS.map(([name, patternLength, faults]) => [name, { name, patternLength, faults }]),
);
