import type { Call, Expr, MapEntry, ParsedExpr, StructField } from './ast.ts';
import { codePoints } from './cost.ts';
import {
  BINARY,
  FOLLOW,
  LITERAL_WORDS,
  operandSet,
  PRODUCTS,
  RELATIONS,
  RESERVED,
  STARTS_OPERAND,
  SUMS,
} from './grammar.ts';
import type { Issue } from './issues.ts';
import { type Token, type TokenKind, tokenize } from './lexer.ts';
import { bytesLiteral, doubleLiteral, intLiteral, type Literal, stringLiteral, uintLiteral } from './literals.ts';
import { expandMacro, MacroError } from './macros.ts';

/** Limits of cel-go's parser. */
const MAX_CODE_POINTS = 100_000;
const MAX_DEPTH = 250;

export type ParseResult = { readonly parsed: ParsedExpr } | { readonly issues: readonly Issue[] };

/** Parses an expression and expands its macros; all syntax errors are collected. */
export function parse(source: string): ParseResult {
  const size = codePoints(source);
  if (size > MAX_CODE_POINTS) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`;
    return { issues: [{ offset: undefined, message }] };
  }
  const parser = new Parser(source);
  try {
    const expr = parser.start();
    if (parser.issues.length > 0) return { issues: parser.issues };
    return { parsed: { source, expr, offsets: parser.offsets, macros: parser.macros } };
  } catch (error) {
    if (error instanceof Fatal) return { issues: [{ offset: undefined, message: error.reason }] };
    throw error;
  }
}

/** Ends parsing at once: a limit was passed. */
class Fatal extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** Unwinds to the nearest place where parsing can go on. */
class SyntaxFault extends Error {}

class Parser {
  readonly issues: Issue[] = [];
  readonly offsets = new Map<number, number>();
  readonly macros = new Map<number, Expr>();
  readonly #tokens: readonly Token[];
  /** Height of the written tree at each node, in the rules that cel-go's visitor counts. */
  readonly #heights = new Map<number, number>();
  #at = 0;
  #lastId = 0;
  #nesting = 0;
  /** After an error nothing is reported until a token has been matched again. */
  #recovering = false;
  /** Closing tokens that the rules in progress can go on with. */
  readonly #closers: TokenKind[] = [];

  constructor(source: string) {
    this.#tokens = tokenize(source, this.issues);
  }

  start(): Expr {
    const expr = this.#expr();
    if (this.#peek().kind !== 'EOF') this.#trailing();
    return expr;
  }

  #trailing(): void {
    const token = this.#peek();
    const problem = this.#peek(1).kind === 'EOF' ? 'extraneous' : 'mismatched';
    this.#report(token, `${problem} input ${quote(token)} expecting <EOF>`);
  }

  newId(offset: number): number {
    const id = ++this.#lastId;
    this.offsets.set(id, offset);
    return id;
  }

  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token;
  }

  #next(): Token {
    const token = this.#peek();
    this.#at++;
    this.#recovering = false;
    return token;
  }

  #take(kind: TokenKind): Token | undefined {
    return this.#peek().kind === kind ? this.#next() : undefined;
  }

  #report(token: Token, message: string): void {
    if (!this.#recovering) this.issues.push({ offset: token.start, message: `Syntax error: ${message}` });
    this.#recovering = true;
  }

  /** Reports the token, then skips to one that a rule in progress can go on with. */
  #fault(message: string): never {
    this.#report(this.#peek(), message);
    throw new SyntaxFault();
  }

  #skipToFollow(): void {
    while (this.#peek().kind !== 'EOF') {
      const { kind } = this.#peek();
      if (this.#closers.includes(kind) || FOLLOW.has(kind)) return;
      this.#at++;
    }
  }

  /**
   * Takes the token that must come next. A stray token before it is dropped; where the rule goes on as if it stood there,
   * `missing` makes one up; otherwise the rule ends. `expected` is how the error names what could have come.
   */
  #expect(kind: TokenKind, expected: string, missing: boolean): void {
    if (this.#take(kind)) return;
    const token = this.#peek();
    if (this.#peek(1).kind === kind && token.kind !== 'EOF') {
      this.#report(token, `extraneous input ${quote(token)} expecting ${expected}`);
      this.#at++;
      this.#next();
    } else if (kind === ':' ? STARTS_OPERAND.has(token.kind) : missing && this.#goesOn(token.kind)) {
      this.#report(token, `missing ${expected} at ${quote(token)}`);
    } else {
      this.#fault(`mismatched input ${quote(token)} expecting ${expected}`);
    }
  }

  #goesOn(kind: TokenKind): boolean {
    return kind === 'EOF' || this.#closers.includes(kind) || FOLLOW.has(kind);
  }

  #height(expr: Expr | undefined): number {
    return expr ? (this.#heights.get(expr.id) ?? 0) : 0;
  }

  #tall<E extends Expr>(expr: E, parts: readonly (Expr | undefined)[], counted: boolean): E {
    let height = 0;
    for (const part of parts) height = Math.max(height, this.#height(part));
    if (counted) height++;
    if (height > MAX_DEPTH) throw new Fatal('max recursion depth exceeded');
    if (height > 0) this.#heights.set(expr.id, height);
    return expr;
  }

  #call(id: number, name: string, args: readonly Expr[], counted = true): Call {
    return this.#tall({ kind: 'call', id, name, target: undefined, args }, args, counted);
  }

  #missing(): Expr {
    return { kind: 'const', id: this.newId(this.#peek().start), value: null };
  }

  #expr(): Expr {
    if (++this.#nesting > MAX_DEPTH) throw new Fatal(`expression recursion limit exceeded: ${MAX_DEPTH}`);
    try {
      const condition = this.#disjunction();
      const question = this.#take('?');
      if (!question) return condition;
      const id = this.newId(question.start);
      const yes = this.#within(':', () => {
        const first = this.#disjunction();
        this.#expect(':', "':'", false);
        return first;
      });
      return this.#call(id, '_?_:_', [condition, yes, this.#expr()]);
    } catch (fault) {
      if (!(fault instanceof SyntaxFault)) throw fault;
      this.#skipToFollow();
      return this.#resume();
    } finally {
      this.#nesting--;
    }
  }

  #disjunction(): Expr {
    return this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()));
  }

  /** After a fault inside an expression: the rest may be an operator with its right side, whose faults count too. */
  #resume(): Expr {
    const operator = this.#peek().kind;
    if (BINARY.has(operator)) {
      this.#next();
      return this.#expr();
    }
    return this.#missing();
  }

  #within<T>(closer: TokenKind, body: () => T): T {
    this.#closers.push(closer);
    try {
      return body();
    } finally {
      this.#closers.pop();
    }
  }

  /** `&&` and `||` chains become balanced trees, as cel-go builds them. */
  #logical(kind: TokenKind, name: string, operand: () => Expr): Expr {
    const first = operand();
    if (this.#peek().kind !== kind) return first;
    const terms = [first];
    const ids: number[] = [];
    for (let token = this.#take(kind); token; token = this.#take(kind)) {
      ids.push(this.newId(token.start));
      terms.push(operand());
    }
    return this.#balance(name, terms, ids, 0, ids.length - 1);
  }

  #balance(name: string, terms: readonly Expr[], ids: readonly number[], low: number, high: number): Expr {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? terms[middle] : this.#balance(name, terms, ids, low, middle - 1);
    const right = middle === high ? terms[middle + 1] : this.#balance(name, terms, ids, middle + 1, high);
    return this.#call(ids[middle] as number, name, [left as Expr, right as Expr], false);
  }

  #binary(operators: ReadonlyMap<TokenKind, string>, operand: () => Expr): Expr {
    let left = operand();
    for (let name = operators.get(this.#peek().kind); name; name = operators.get(this.#peek().kind)) {
      const id = this.newId(this.#next().start);
      left = this.#call(id, name, [left, operand()]);
    }
    return left;
  }

  #relation(): Expr {
    return this.#binary(RELATIONS, () => this.#binary(SUMS, () => this.#binary(PRODUCTS, () => this.#unary())));
  }

  #unary(): Expr {
    const { kind, start } = this.#peek();
    if (kind === '!') return this.#signs('!', '!_', start);
    if (kind === '-' && !this.#signedNumber()) return this.#signs('-', '-_', start);
    return this.#member();
  }

  #signedNumber(): boolean {
    const { kind } = this.#peek(1);
    return this.#peek().kind === '-' && (kind === 'NUM_INT' || kind === 'NUM_FLOAT');
  }

  #signs(kind: TokenKind, name: string, start: number): Expr {
    let count = 0;
    while (this.#take(kind)) count++;
    this.#checkSigned(kind);
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#call(this.newId(start), name, [operand], false);
  }

  /** What follows signs and cannot start a member has errors of its own. */
  #checkSigned(kind: TokenKind): void {
    const token = this.#peek();
    const end = token.kind === 'EOF';
    if (kind === '!' && end) this.#fault(`extraneous input '<EOF>' expecting ${operandSet()}`);
    if (kind === '!' || (STARTS_OPERAND.has(token.kind) && token.kind !== '!')) return;
    this.#report(token, `no viable alternative at input '-${end ? '' : token.text}'`);
    this.#recovering = !end;
    if (end) this.#fault(`mismatched input '<EOF>' expecting ${operandSet()}`);
    this.#at++;
  }

  #member(): Expr {
    let expr = this.#primary();
    for (;;) {
      const { kind } = this.#peek();
      if (kind === '.') expr = this.#selection(expr);
      else if (kind === '[') expr = this.#index(expr);
      else return expr;
    }
  }

  #selection(operand: Expr): Expr {
    const dot = this.#next();
    const optional = this.#take('?') !== undefined;
    const name = this.#peek();
    if (name.kind === 'ESC_IDENTIFIER') {
      this.issues.push({ offset: name.start, message: "unsupported syntax: '`'" });
    } else if (name.kind !== 'IDENTIFIER') {
      if (optional) {
        this.#report(name, `mismatched input ${quote(name)} expecting {IDENTIFIER, ESC_IDENTIFIER}`);
        this.issues.push({ offset: name.start, message: 'unsupported ident kind' });
        throw new SyntaxFault();
      }
      if (LITERAL_WORDS.has(name.kind)) this.#fault(`mismatched input ${quote(name)} expecting IDENTIFIER`);
      this.#fault(`no viable alternative at input '.${name.kind === 'EOF' ? '' : name.text}'`);
    }
    this.#next();
    if (!optional && this.#peek().kind === '(') return this.#methodCall(operand, name.text);
    if (!optional) {
      const id = this.newId(dot.start);
      return this.#tall({ kind: 'select', id, operand, field: name.text, test: false }, [operand], true);
    }
    const id = this.newId(dot.start);
    const field: Expr = { kind: 'const', id: this.newId(name.start), value: name.text };
    return this.#call(id, '_?._', [operand, field]);
  }

  #methodCall(target: Expr, name: string): Expr {
    const open = this.#next();
    const id = this.newId(open.start);
    const args = this.#args();
    return this.#expanded(this.#tall({ kind: 'call', id, name, target, args }, [target, ...args], true));
  }

  #args(): Expr[] {
    const args: Expr[] = [];
    this.#within(')', () => {
      if (this.#take(')')) return;
      if (!STARTS_OPERAND.has(this.#peek().kind)) this.#noOperand(operandSet("')'"));
      do args.push(this.#within(',', () => this.#expr()));
      while (this.#take(','));
      this.#expect(')', "')'", true);
    });
    return args;
  }

  #index(operand: Expr): Expr {
    const open = this.#next();
    const optional = this.#take('?') !== undefined;
    const id = this.newId(open.start);
    const index = this.#within(']', () => {
      const { kind } = this.#peek();
      if (!optional && !STARTS_OPERAND.has(kind)) {
        this.#fault(`mismatched input ${quote(this.#peek())} expecting ${operandSet("'?'")}`);
      }
      const inner = this.#expr();
      this.#expect(']', "']'", true);
      return inner;
    });
    return this.#call(id, optional ? '_[?_]' : '_[_]', [operand, index]);
  }

  #primary(): Expr {
    const token = this.#peek();
    switch (token.kind) {
      case '(':
        return this.#nested();
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      case '.':
      case 'IDENTIFIER':
        return this.#named();
      default:
        return this.#literal();
    }
  }

  #nested(): Expr {
    this.#next();
    return this.#within(')', () => {
      const expr = this.#expr();
      this.#expect(')', "')'", true);
      return expr;
    });
  }

  /** Elements up to a closing token, a trailing comma allowed; `[,]` and `{,}` are empty. */
  #elements(closer: TokenKind, element: () => void): void {
    this.#within(closer, () => {
      let trailing = this.#take(',') !== undefined;
      while (!trailing && this.#peek().kind !== closer) {
        this.#within(',', element);
        if (!this.#take(',')) break;
        trailing = !STARTS_OPERAND.has(this.#peek().kind) && this.#peek().kind !== '?';
      }
      this.#expect(closer, trailing ? `'${closer}'` : `{'${closer}', ','}`, false);
    });
  }

  #list(): Expr {
    const id = this.newId(this.#next().start);
    const elements: Expr[] = [];
    const optional: number[] = [];
    this.#elements(']', () => {
      if (this.#take('?')) optional.push(elements.length);
      elements.push(this.#expr());
    });
    return this.#tall({ kind: 'list', id, elements, optional }, elements, false);
  }

  #map(): Expr {
    const id = this.newId(this.#next().start);
    const entries: MapEntry[] = [];
    this.#elements('}', () => {
      const optional = this.#take('?') !== undefined;
      const key = this.#within(':', () => this.#expr());
      const colon = this.#peek();
      this.#expect(':', "':'", false);
      entries.push({ id: this.newId(colon.start), key, value: this.#expr(), optional });
    });
    const parts = entries.flatMap((entry) => [entry.key, entry.value]);
    return this.#tall({ kind: 'map', id, entries }, parts, false);
  }

  /** An identifier, a global call, or a struct literal, each with an optional leading dot. */
  #named(): Expr {
    const leading = this.#take('.');
    const token = this.#peek();
    if (token.kind !== 'IDENTIFIER')
      this.#fault(`no viable alternative at input '.${token.kind === 'EOF' ? '' : token.text}'`);
    const struct = this.#structType();
    if (struct) return this.#struct(struct.names, leading !== undefined);
    this.#next();
    const reserved = RESERVED.has(token.text);
    if (reserved) {
      this.issues.push({ offset: leading?.start ?? token.start, message: `reserved identifier: ${token.text}` });
    }
    const name = (leading ? '.' : '') + token.text;
    if (this.#peek().kind !== '(') {
      const id = this.newId(token.start);
      return reserved ? { kind: 'const', id, value: null } : { kind: 'ident', id, name };
    }
    const open = this.#next();
    const id = this.newId(open.start);
    const args = this.#args();
    return this.#expanded(this.#tall({ kind: 'call', id, name, target: undefined, args }, args, false));
  }

  /** Looks ahead for `a.b.C{`. */
  #structType(): { names: readonly Token[] } | undefined {
    const names: Token[] = [];
    for (let ahead = 0; this.#peek(ahead).kind === 'IDENTIFIER'; ahead += 2) {
      names.push(this.#peek(ahead));
      const after = this.#peek(ahead + 1).kind;
      if (after === '{') return { names };
      if (after !== '.') return undefined;
    }
    return undefined;
  }

  #struct(names: readonly Token[], leading: boolean): Expr {
    this.#at += names.length * 2 - 1;
    const id = this.newId(this.#next().start);
    const fields: StructField[] = [];
    this.#elements('}', () => {
      const optional = this.#take('?') !== undefined;
      const name = this.#peek();
      if (name.kind === 'ESC_IDENTIFIER') {
        this.issues.push({ offset: name.start, message: "unsupported syntax: '`'" });
      } else if (name.kind !== 'IDENTIFIER') {
        const start = optional ? '' : "'}', ',', '?', ";
        this.#fault(`mismatched input ${quote(name)} expecting {${start}IDENTIFIER, ESC_IDENTIFIER}`);
      }
      this.#next();
      const colon = this.#peek();
      this.#expect(':', "':'", false);
      fields.push({ id: this.newId(colon.start), name: name.text, value: this.#expr(), optional });
    });
    const type = (leading ? '.' : '') + names.map((token) => token.text).join('.');
    return this.#tall(
      { kind: 'struct', id, type, fields },
      fields.map((field) => field.value),
      false,
    );
  }

  #literal(): Expr {
    const first = this.#peek();
    const negative = this.#signedNumber();
    if (negative) this.#next();
    const token = this.#peek();
    const literal = readLiteral(token, negative);
    if (!literal) {
      this.#noOperand(operandSet());
      return this.#primary();
    }
    this.#next();
    if ('error' in literal) {
      this.issues.push({ offset: first.start, message: literal.error });
      return this.#missing();
    }
    return { kind: 'const', id: this.newId(first.start), value: literal.value };
  }

  /** Where an operand must stand and none does: one stray token before it is dropped. */
  #noOperand(expected: string): void {
    const token = this.#peek();
    if (token.kind === 'EOF' || !STARTS_OPERAND.has(this.#peek(1).kind)) {
      this.#fault(`mismatched input ${quote(token)} expecting ${expected}`);
    }
    this.#report(token, `extraneous input ${quote(token)} expecting ${expected}`);
    this.#at++;
  }

  #expanded(call: Call): Expr {
    const start = this.offsets.get(call.id) ?? 0;
    try {
      const expansion = expandMacro(call, () => this.newId(start));
      if (!expansion) return call;
      this.macros.set(expansion.id, call);
      const height = this.#height(call);
      if (height > 0) this.#heights.set(expansion.id, height);
      return expansion;
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      const offset = this.offsets.get(error.expr.id) ?? start;
      this.issues.push({ offset, message: error.reason });
      return { kind: 'const', id: this.newId(offset), value: null }; // k8s: macros around it find nothing, at that place
    }
  }
}

function readLiteral(token: Token, negative: boolean): Literal | undefined {
  switch (token.kind) {
    case 'NUM_INT':
      return intLiteral(token.text, negative);
    case 'NUM_UINT':
      return uintLiteral(token.text);
    case 'NUM_FLOAT':
      return doubleLiteral(token.text, negative);
    case 'STRING':
      return stringLiteral(token.text);
    case 'BYTES':
      return bytesLiteral(token.text);
    case 'true':
      return { value: true };
    case 'false':
      return { value: false };
    case 'null':
      return { value: null };
    default:
      return undefined;
  }
}

function quote(token: Token): string {
  return `'${token.text}'`;
}
