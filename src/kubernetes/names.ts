/** Name rules of the API and their texts (API server: apimachinery pkg/util/validation). Each returns the faults found. */

const DNS1123_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS1123_SUBDOMAIN = `${DNS1123_LABEL}(\\.${DNS1123_LABEL})*`;
const DNS1035_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED_NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED_NAME})?`;

interface NameRule {
  readonly pattern: string;
  readonly exact: RegExp;
  readonly message: string;
  readonly examples: readonly string[];
  readonly limit: number;
}

function rule(pattern: string, limit: number, message: string, ...examples: string[]): NameRule {
  return { pattern, exact: new RegExp(`^${pattern}$`, 'u'), message, examples, limit };
}

const RULES = {
  dns1123Label: rule(
    DNS1123_LABEL,
    63,
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    'my-name',
    '123-abc',
  ),
  dns1123Subdomain: rule(
    DNS1123_SUBDOMAIN,
    253,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    'example.com',
  ),
  dns1035Label: rule(
    DNS1035_LABEL,
    63,
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    'my-name',
    'abc-123',
  ),
  labelValue: rule(
    LABEL_VALUE,
    63,
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    'MyValue',
    'my_value',
    '12345',
  ),
  qualifiedName: rule(
    QUALIFIED_NAME,
    63,
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    'MyName',
    'my.name',
    '123-abc',
  ),
} as const;

export function dns1123Label(value: string): readonly string[] {
  return check(RULES.dns1123Label, value);
}

export function dns1123Subdomain(value: string): readonly string[] {
  return check(RULES.dns1123Subdomain, value);
}

export function dns1035Label(value: string): readonly string[] {
  return check(RULES.dns1035Label, value);
}

export function labelValue(value: string): readonly string[] {
  return check(RULES.labelValue, value);
}

/** `[<DNS subdomain>/]<name>`: label keys, annotation keys. */
export function qualifiedName(value: string): readonly string[] {
  const parts = value.split('/');
  const faults: string[] = [];
  let name = value;
  const [first = '', second] = parts;
  if (parts.length === 2 && second !== undefined) {
    name = second;
    if (first === '') faults.push('prefix part must be non-empty');
    else faults.push(...dns1123Subdomain(first).map((fault) => `prefix part ${fault}`));
  } else if (parts.length > 2) {
    return [
      `a qualified name ${patternText(RULES.qualifiedName)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (name === '') faults.push('name part must be non-empty');
  else if (name.length > 63) faults.push('name part must be no more than 63 bytes');
  if (!RULES.qualifiedName.exact.test(name)) faults.push(`name part ${patternText(RULES.qualifiedName)}`);
  return faults;
}

/** A name that can stand alone in a URL path. */
export function pathSegmentName(value: string): readonly string[] {
  for (const name of ['.', '..']) if (value === name) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
}

function check(name: NameRule, value: string): readonly string[] {
  const faults: string[] = [];
  if (value.length > name.limit) faults.push(`must be no more than ${name.limit} bytes`);
  if (!name.exact.test(value)) faults.push(patternText(name));
  return faults;
}

function patternText(name: NameRule): string {
  const examples = name.examples.map((example) => `'${example}', `).join(' or ');
  return `${name.message} (e.g. ${examples}regex used for validation is '${name.pattern}')`;
}
