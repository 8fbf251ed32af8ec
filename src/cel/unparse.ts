import type { Call, Expr, ParsedExpr } from './ast.ts';
import { Double, Uint, type Value } from './values.ts';

/**
 * The text of a parsed expression, macros as they were written. Parsing it gives the same tree; white space, comments and
 * needless parentheses are not kept.
 */
export function unparse(parsed: ParsedExpr): string {
  return new Unparser(parsed.macros).text(parsed.expr);
}

/** How tightly operators bind, loosest first. */
const LEVELS: ReadonlyMap<string, number> = new Map([
  ['_?_:_', 1],
  ['_||_', 2],
  ['_&&_', 3],
  ['_<_', 4],
  ['_<=_', 4],
  ['_>=_', 4],
  ['_>_', 4],
  ['_==_', 4],
  ['_!=_', 4],
  ['@in', 4],
  ['_+_', 5],
  ['_-_', 5],
  ['_*_', 6],
  ['_/_', 6],
  ['_%_', 6],
  ['!_', 7],
  ['-_', 7],
]);
const MEMBER = 8;

class Unparser {
  readonly #macros: ReadonlyMap<number, Expr>;
  constructor(macros: ReadonlyMap<number, Expr>) {
    this.#macros = macros;
  }

  /** The text, in parentheses when it binds less tightly than `level` asks. */
  text(expr: Expr, level = 0): string {
    const written = this.#macros.get(expr.id) ?? expr;
    const text = this.#bare(written);
    return levelOf(written) < level ? `(${text})` : text;
  }

  #bare(expr: Expr): string {
    switch (expr.kind) {
      case 'const':
        return constantText(expr.value);
      case 'ident':
        return expr.name;
      case 'select': {
        const selection = `${this.text(expr.operand, MEMBER)}.${expr.field}`;
        return expr.test ? `has(${selection})` : selection;
      }
      case 'call':
        return this.#call(expr);
      case 'list':
        return `[${expr.elements.map((element, index) => mark(expr.optional.includes(index)) + this.text(element)).join(', ')}]`;
      case 'map':
        return `{${expr.entries.map((entry) => `${mark(entry.optional)}${this.text(entry.key)}: ${this.text(entry.value)}`).join(', ')}}`;
      case 'struct':
        return `${expr.type}{${expr.fields.map((field) => `${mark(field.optional)}${field.name}: ${this.text(field.value)}`).join(', ')}}`;
      case 'comprehension':
        throw new Error('a fold has no text but that of its macro');
    }
  }

  #call(expr: Call): string {
    const { name, args } = expr;
    const [first, second, third] = args;
    const level = LEVELS.get(name);
    if (expr.target)
      return `${this.text(expr.target, MEMBER)}.${name}(${args.map((arg) => this.text(arg)).join(', ')})`;
    if (name === '_[_]' && first && second) return `${this.text(first, MEMBER)}[${this.text(second)}]`;
    if (name === '_[?_]' && first && second) return `${this.text(first, MEMBER)}[?${this.text(second)}]`;
    if (name === '_?._' && first && second?.kind === 'const')
      return `${this.text(first, MEMBER)}.?${String(second.value)}`;
    if (level === undefined || !first) return `${name}(${args.map((arg) => this.text(arg)).join(', ')})`;
    if (!second) return name[0] + this.#operand(first);
    if (third) return `${this.text(first, level + 1)} ? ${this.text(second, level + 1)} : ${this.text(third, level)}`;
    const operator = name === '@in' ? 'in' : name.slice(1, -1);
    if (level === 2 || level === 3) return this.#chain(expr, level).join(` ${operator} `);
    return `${this.text(first, level)} ${operator} ${this.text(second, level + 1)}`;
  }

  /** A sign before a sign, or before a number that would take it in, needs parentheses. */
  #operand(expr: Expr): string {
    const text = this.text(expr, MEMBER);
    return /^[-!\d.]/.test(text) ? `(${text})` : text;
  }

  /** The terms of a chain: flat where parsing balances them into this very tree, in parentheses elsewhere. */
  #chain(expr: Call, level: number): string[] {
    if (!this.#balanced(expr)) return expr.args.map((arg) => this.text(arg, level + 1));
    return this.#terms(expr).map((term) => this.text(term, level + 1));
  }

  #terms(expr: Call): Expr[] {
    return expr.args.flatMap((arg) => (this.#continues(arg, expr.name) ? this.#terms(arg) : [arg]));
  }

  #continues(arg: Expr, name: string): arg is Call {
    return arg.kind === 'call' && arg.name === name && !this.#macros.has(arg.id);
  }

  #balanced(expr: Call): boolean {
    const operators = this.#terms(expr).length - 1;
    const [left = 0, right = 0] = expr.args.map((arg) =>
      this.#continues(arg, expr.name) ? this.#terms(arg).length - 1 : 0,
    );
    const middle = Math.floor(operators / 2);
    return (
      left === middle &&
      right === operators - 1 - middle &&
      expr.args.every((arg) => !this.#continues(arg, expr.name) || this.#balanced(arg))
    );
  }
}

function mark(optional: boolean): string {
  return optional ? '?' : '';
}

function levelOf(expr: Expr): number {
  if (expr.kind !== 'call' || expr.target) return MEMBER + 1;
  return LEVELS.get(expr.name) ?? MEMBER + 1;
}

function constantText(value: Value): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Uint8Array) return `b"${Array.from(value, byteText).join('')}"`;
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return doubleText(value.value);
  if (typeof value === 'number' && !Number.isInteger(value)) return doubleText(value);
  return String(value);
}

/** A double's text always has a fraction or an exponent, or it would be an int's. */
function doubleText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text.replace('e+', 'e') : `${text}.0`;
}

function quoted(text: string): string {
  const escaped = text.replace(
    /["\\\u0000-\u001f\u007f]/g,
    (char) => SHORT.get(char) ?? `\\u${hex(char.charCodeAt(0), 4)}`,
  );
  return `"${escaped}"`;
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function byteText(byte: number): string {
  const char = String.fromCharCode(byte);
  return byte >= 0x20 && byte < 0x7f && char !== '"' && char !== '\\' ? char : `\\x${hex(byte, 2)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}
