/**
 * Our words for what the API server's compiler finds in an expression: what was found, what was expected, and how to mend
 * it. The API server's own text stays beside it; here only its meaning is put for the author.
 */
import { type CelType, type Env, type Issue, typeText } from '#cel';
import { nearest } from '#kubernetes';
import { DECLARED_FIELDS } from './declared-types.ts';

export interface Explanation {
  /** Lower case, no full stop, user text in backticks. */
  readonly message: string;
  readonly help: string | undefined;
  /** The part of the expression that it is about, as UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** Explains an issue; `variables` are the names of the policy's variables so far. */
export function explain(source: string, issue: Issue, env: Env, variables: readonly string[]): Explanation {
  const place = around(source, issue.offset);
  for (const { pattern, say } of RULES) {
    const match = pattern.exec(issue.message);
    const said = match && say(match.slice(1), { source, env, variables, ...place });
    if (said) return { ...place, help: undefined, ...said };
  }
  return { ...place, message: issue.message, help: undefined };
}

interface Context {
  readonly source: string;
  readonly env: Env;
  readonly variables: readonly string[];
  readonly start: number;
  readonly end: number;
}

type Said = Partial<Pick<Explanation, 'help' | 'start' | 'end'>> & Pick<Explanation, 'message'>;

interface Rule {
  readonly pattern: RegExp;
  readonly say: (parts: readonly string[], context: Context) => Said | undefined;
}

/** The word, number or operator at an offset; the whole when there is no offset. */
function around(source: string, offset: number | undefined): { start: number; end: number } {
  if (offset === undefined) return { start: 0, end: source.length };
  const token = /^(?:[\w$]+|"[^"\n]*"|'[^'\n]*'|[=!<>]=|&&|\|\||.)/s.exec(source.slice(offset));
  return { start: offset, end: offset + (token?.[0].length ?? 0) };
}

/** The name before the parenthesis that an issue about a call points at. */
function calledName(source: string, open: number): { name: string; start: number; end: number } {
  const before = /[\w.]+\s*$/.exec(source.slice(0, open))?.[0] ?? '';
  const name = before.trimEnd().replace(/^.*\./, '');
  const end = open - (before.length - before.trimEnd().length);
  return { name, start: end - name.length, end };
}

/** Names that authors know from elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  math: 'Kubernetes leaves the math library out',
  base64: 'Kubernetes leaves base64 out',
  cel: 'Kubernetes leaves `cel.bind` out: use a variable of the policy',
  existsOne: 'with one variable it is called `exists_one`',
  params: 'give the policy a `paramKind` to use params',
  authorizer: 'a messageExpression cannot use the authorizer',
  variables: 'matchConditions cannot use variables',
  reverse: 'only lists can be reversed, not strings',
  includes: 'Kubernetes 1.37 is the first to have `includes`',
  Object: 'only the expressions of mutations can build an `Object`',
  JSONPatch: 'only the expressions of mutations can build a `JSONPatch`',
};

const OPERATORS: Readonly<Record<string, string>> = { '@in': 'in', '_?_:_': '?:', '_[_]': '[]', '_[?_]': '[?]' };

function operatorName(name: string): string {
  return OPERATORS[name] ?? name.replace(/^_(.+)_$/, '$1').replace(/^([!-])_$/, '$1');
}

const RULES: readonly Rule[] = [
  {
    pattern: /^undeclared reference to '(.*)' \(in container ''\)$/,
    say: ([name = ''], { source, env, start }) => {
      const call = source[start] === '(' ? calledName(source, start) : undefined;
      const known = call
        ? [...env.functions.keys()].filter(isWritten)
        : [...env.variables.keys(), ...env.typeNames.keys()];
      const place = call ? { start: call.start, end: call.end } : {};
      return {
        message: `there is no ${call ? 'function' : 'name'} \`${name}\``,
        help: ELSEWHERE[name] ?? meant(name, known),
        ...place,
      };
    },
  },
  {
    pattern: /^undefined field '(.*)'$/,
    say: ([field = ''], { source, start, variables }) => {
      const place = { start: start + 1, end: start + 1 + field.length };
      if (/(^|[^\w.])variables\s*$/.test(source.slice(0, start))) {
        const help = meant(field, variables) ?? 'a variable can only be used after it is defined';
        return { message: `no variable \`${field}\` is defined before this expression`, help, ...place };
      }
      return {
        message: `there is no field \`${field}\` here`,
        help: FIELD_HELP[field] ?? meant(field, DECLARED_FIELDS),
        ...place,
      };
    },
  },
  {
    pattern: /^found no matching overload for '(.*)' applied to '(.*)'$/s,
    say: ([name = '', found = ''], context) => overloadFault(name, found, context),
  },
  {
    pattern: /^expected type '(.*)' but found '(.*)'$/s,
    say: ([expected = '', found = '']) => ({
      message: `expected ${expected}, found ${found}`,
      help:
        expected === 'dyn' || found === 'dyn'
          ? 'elements of a literal must be of one type, and dyn is one: write `dyn(…)` around each'
          : undefined,
    }),
  },
  {
    pattern: /^type '(.*)' does not support field selection$/,
    say: ([type = '']) => ({ message: `a value of type ${type} has no fields`, help: undefined }),
  },
  {
    pattern: /^expression of type '(.*)' cannot be range of a comprehension/,
    say: ([type = '']) => ({ message: `a value of type ${type} cannot be iterated`, help: 'only lists and maps can' }),
  },
  {
    pattern: /^must evaluate to (?:one of \[(.*)\]|(\S+)) but got (.*)$/,
    say: ([several, one = '', found = '']) => ({
      message: `the expression must be ${several === undefined ? one : several.replace(' ', ' or ')}, and is ${found}`,
      help: one === 'bool' && found === 'dyn' ? 'compare it: `… == true`' : RESULT_HELP[one],
    }),
  },
  {
    pattern: /^invalid argument to has\(\) macro$/,
    say: () => ({
      message: 'has() takes a field: `has(a.b)`',
      help: 'for a key that is no identifier use `"key" in a`',
    }),
  },
  {
    pattern: /^argument (?:must be a simple name|is not an identifier)$/,
    say: () => ({
      message: 'the first argument of a macro is the name of its variable',
      help: 'for example `list.all(x, x > 0)`',
    }),
  },
  {
    pattern: /^reserved identifier: (.*)$/,
    say: ([word = '']) => ({
      message: `\`${word}\` is a reserved word`,
      help: `as a field it can be selected, \`a.${word}\`; as a name it cannot`,
    }),
  },
  {
    pattern: /^invalid (duration|timestamp|matches) argument$/,
    say: ([kind = '']) => ({ message: LITERALS[kind] ?? '', help: LITERAL_HELP[kind] }),
  },
  {
    pattern: /^unsupported syntax: '`'$/,
    say: () => ({ message: 'quoted field names are not in Kubernetes 1.36', help: 'select with an index: `a["b-c"]`' }),
  },
  {
    pattern: /^Syntax error: (.*)$/s,
    say: ([text = ''], { source, start }) => syntaxFault(text, source, start),
  },
  {
    pattern: /^(type conversion error.*|.* overflow|no such overload: .*|error parsing regexp: .*)$/s,
    say: ([text = '']) => ({
      message: `a constant part of the expression always fails: ${text}`,
      help: 'the policy would fail on every request',
    }),
  },
];

const FIELD_HELP: Readonly<Record<string, string>> = {
  object: 'the object is a name of its own: `object`',
  oldObject: 'the old object is a name of its own: `oldObject`',
  uid: 'the API server does not declare it',
};

const RESULT_HELP: Readonly<Record<string, string>> = {
  Object: 'build it with `Object{…}`',
  'list(JSONPatch)': 'build it with `[JSONPatch{…}]`; an empty list needs `cond ? [JSONPatch{…}] : []`',
};

const LITERALS: Readonly<Record<string, string>> = {
  duration: 'not a duration',
  timestamp: 'not a timestamp',
  matches: 'not a pattern that RE2 has',
};

const LITERAL_HELP: Readonly<Record<string, string>> = {
  duration: 'for example `"1h30m"`; the largest unit is `h`',
  timestamp: 'for example `"2024-01-31T12:00:00Z"`',
  matches: 'RE2 has no look-ahead, no look-behind and no back-references',
};

/** Helper functions that macros expand to are not written by anyone. */
function isWritten(name: string): boolean {
  return !name.includes('@') && !name.startsWith('_') && !/^[!-]/.test(name);
}

function meant(name: string, known: readonly string[]): string | undefined {
  const near = nearest(name, known);
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}

function overloadFault(name: string, found: string, { source, env, start }: Context): Said {
  const call = source[start] === '(' ? calledName(source, start) : undefined;
  const place = call ? { start: call.start, end: call.end } : {};
  const written = operatorName(name);
  const help = overloadHelp(written, found) ?? accepted(name, env);
  return { message: `\`${written}\` does not take ${found}`, help, ...place };
}

function overloadHelp(operator: string, found: string): string | undefined {
  if (/^(==|!=|[<>]=?|in|[+*/%-])$/.test(operator)) {
    if (/Quantity/.test(found)) return 'compare quantities with `isLessThan`, `isGreaterThan` and `compareTo`';
    if (/^\((int|uint|double), (int|uint|double)\)$/.test(found))
      return 'convert one side: `int(…)`, `uint(…)` or `double(…)`';
    if (/optional_type/.test(found)) return 'take the value out of the optional: `.orValue(…)`';
  }
  if (operator === '?:') return 'both branches must be of one type';
  return undefined;
}

/** The signatures of a function, as far as they are few. */
function accepted(name: string, env: Env): string | undefined {
  const signatures = (env.functions.get(name) ?? []).map(({ signature }) => {
    const [target, ...rest] = signature.params.map(shown);
    return signature.member ? `${target}.(${rest.join(', ')})` : `(${signature.params.map(shown).join(', ')})`;
  });
  if (signatures.length === 0 || signatures.length > 6) return undefined;
  return `it takes ${signatures.join(', ')}`;
}

function shown(type: CelType): string {
  return type.kind === 'param' ? 'any' : typeText(type);
}

function syntaxFault(text: string, source: string, start: number): Said {
  const word = /input '\.(in|true|false|null)'|input '(true|false|null)' expecting IDENTIFIER/.exec(text);
  const name = word?.[1] ?? word?.[2];
  if (name !== undefined)
    return { message: `\`${name}\` cannot be selected as a field`, help: `use an index: \`["${name}"]\`` };
  if (/^token recognition error/.test(text)) {
    const opened = /^["']/.test(source.slice(start));
    return {
      message: opened
        ? 'the text is not closed, or has an escape that there is not'
        : `\`${source[start]}\` has no meaning here`,
      help:
        source[start] === '='
          ? 'equality is `==`'
          : /^[&|]/.test(source.slice(start))
            ? 'logic is `&&` and `||`'
            : undefined,
    };
  }
  const missing = /^missing '(.*)' at/.exec(text) ?? /expecting '(.*)'$/.exec(text);
  if (start >= source.length)
    return { message: 'the expression ends too early', help: missing ? `\`${missing[1]}\` is missing` : undefined };
  if (missing) return { message: `\`${missing[1]}\` is missing before this`, help: undefined };
  return {
    message: 'this cannot stand here',
    help: /<EOF>$/.test(text) ? 'is an operator missing before it?' : undefined,
  };
}
