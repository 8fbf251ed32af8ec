import { children, type Expr } from './ast.ts';
import type { CheckedExpr } from './checker.ts';
import type { Issue } from './issues.ts';
import { formatParts, type Verb } from './library/format.ts';
import { compileRegexp } from './regexp.ts';
import { parseDuration, parseTimestamp, timestampFromSeconds } from './time.ts';
import { type CelType, isOptional, runtimeTypeText, sameType, typeText } from './types.ts';
import { CelError, isInt, type Value } from './values.ts';

/** The checks that Kubernetes runs on a checked tree, in its order; they look at literals only. */
export function validate(checked: CheckedExpr): readonly Issue[] {
  const issues: Issue[] = [];
  const report = (expr: { readonly id: number }, message: string): void => {
    issues.push({ offset: checked.offsets.get(expr.id), message });
  };
  for (const validator of VALIDATORS)
    walk(checked.expr, false, (expr, exempt) => validator(expr, exempt, checked, report));
  return issues;
}

type Report = (expr: { readonly id: number }, message: string) => void;
type Validator = (expr: Expr, exempt: boolean, checked: CheckedExpr, report: Report) => void;

/** Visits every node; `exempt` below the arguments of `format`, where literals may be mixed. */
function walk(expr: Expr, exempt: boolean, visit: (expr: Expr, exempt: boolean) => void): void {
  visit(expr, exempt);
  const inside = exempt || (expr.kind === 'call' && expr.name === 'format');
  for (const child of children(expr)) walk(child, inside, visit);
}

/** A literal argument of a conversion must convert. */
function literalArgument(name: string, valid: (value: Value) => boolean): Validator {
  return (expr, _exempt, _checked, report) => {
    if (expr.kind !== 'call' || expr.name !== name || expr.args.length < 1) return;
    const [argument] = expr.args;
    if (argument?.kind === 'const' && !valid(argument.value)) report(argument, `invalid ${name} argument`);
  };
}

const durations = literalArgument(
  'duration',
  (value) => typeof value === 'string' && !(parseDuration(value) instanceof CelError),
);

const timestamps = literalArgument('timestamp', (value) => {
  if (typeof value === 'string') return !(parseTimestamp(value) instanceof CelError);
  return isInt(value) && !(timestampFromSeconds(BigInt(value)) instanceof CelError);
});

/** Judges the first argument after the receiver: in the global form that is the text, as in cel-go. */
const patterns = literalArgument('matches', (value) => typeof value !== 'string' || !('error' in compileRegexp(value)));

/** Elements, keys and values of a literal must be of one type to the letter; `dyn` is a type of its own. */
const homogeneous: Validator = (expr, exempt, checked, report) => {
  if (exempt) return;
  const typeOf = (part: Expr, optional: boolean): CelType => {
    const type = checked.types.get(part.id) as CelType;
    return optional && isOptional(type) ? (type.params[0] as CelType) : type;
  };
  const compareAll = (parts: readonly (readonly [Expr, boolean])[]): void => {
    const [first, ...rest] = parts;
    if (!first) return;
    const expected = typeOf(...first);
    for (const part of rest) {
      const type = typeOf(...part);
      if (sameType(type, expected)) continue;
      report(part[0], `expected type '${typeText(expected)}' but found '${typeText(type)}'`);
      if (expr.kind === 'list') return;
    }
  };
  if (expr.kind === 'list') compareAll(expr.elements.map((element, index) => [element, expr.optional.includes(index)]));
  if (expr.kind !== 'map') return;
  compareAll(expr.entries.map((entry) => [entry.key, false]));
  compareAll(expr.entries.map((entry) => [entry.value, entry.optional]));
};

/** A literal format string must fit its literal argument list. */
const formats: Validator = (expr, _exempt, checked, report) => {
  if (expr.kind !== 'call' || expr.name !== 'format' || expr.target?.kind !== 'const') return;
  const { value } = expr.target;
  const [list] = expr.args;
  if (typeof value !== 'string' || list?.kind !== 'list') return;
  const { elements } = list;
  let used = 0;
  for (const part of formatParts(value, elements.length)) {
    if (part.kind === 'text') continue;
    if (part.kind === 'fault') {
      report(expr, part.message);
      return;
    }
    used = part.index + 1;
    const element = elements[part.index] as Expr;
    const fault = clauseFault(part.verb, checked.types.get(element.id) as CelType);
    if (fault) {
      report(element, fault);
      return;
    }
  }
  if (used < elements.length) {
    report(expr, `too many arguments supplied to string.format (expected ${used}, got ${elements.length})`);
  }
};

interface Clause {
  readonly kinds: readonly CelType['kind'][];
  readonly complaint: string;
}

const INTEGERS: readonly CelType['kind'][] = ['int', 'uint'];
const CLAUSES: Readonly<Record<Verb, Clause>> = {
  s: {
    kinds: ['list', 'map', 'bool', 'bytes', 'double', 'duration', 'int', 'null', 'string', 'timestamp', 'type', 'uint'],
    complaint:
      'error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  d: { kinds: INTEGERS, complaint: 'error during formatting: decimal clause can only be used on integers' },
  f: {
    kinds: ['double', 'string'],
    complaint: 'error during formatting: fixed-point clause can only be used on doubles',
  },
  e: {
    kinds: ['double', 'string'],
    complaint: 'error during formatting: scientific clause can only be used on doubles',
  },
  b: {
    kinds: ['int', 'uint', 'bool'],
    complaint: 'error during formatting: only integers and bools can be formatted as binary',
  },
  x: {
    kinds: ['int', 'uint', 'string', 'bytes'],
    complaint: 'error during formatting: only integers, byte buffers, and strings can be formatted as hex',
  },
  X: {
    kinds: ['int', 'uint', 'string', 'bytes'],
    complaint: 'error during formatting: only integers, byte buffers, and strings can be formatted as hex',
  },
  o: { kinds: INTEGERS, complaint: 'error during formatting: octal clause can only be used on integers' },
};

function clauseFault(verb: Verb, type: CelType): string | undefined {
  const { kinds, complaint } = CLAUSES[verb];
  if (type.kind === 'dyn' || kinds.includes(type.kind)) return undefined;
  return `${complaint}, was given ${runtimeTypeText(type)}`;
}

const VALIDATORS: readonly Validator[] = [durations, timestamps, patterns, homogeneous, formats];
