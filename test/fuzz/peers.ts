import { celEnv, isCelError, parse as parseBufbuild, plan } from '@bufbuild/cel';
import { Environment } from '@marcbachmann/cel-js';
import { evaluate } from '../cel/evaluate.ts';
import type { Finding } from './cel.ts';
import { type Random, random } from './random.ts';

/**
 * Differential fuzzing against the two npm engines, on the part of the language where they are right: int arithmetic
 * that stays small, comparisons within a type, logic with errors, ternaries, ASCII strings with `size`, `contains`,
 * `startsWith` and `endsWith`, lists of one type, `in`, the one-variable macros, field selection and `has` on names. Left
 * out, where they are known to be wrong or to lack something: overflow, uint and double, `matches`, times, optionals,
 * two-variable macros, non-ASCII text, `has` with an index or on a null, map literals, and error texts.
 */
export function fuzzPeers(seed: number, count: number): Finding[] {
  const findings: Finding[] = [];
  for (let index = 0; index < count; index++) {
    const expression = new Core(random(Math.imul(seed + index + 1, 2654435761))).bool(4);
    const ours = outcome(evaluate(expression, OBJECT_TEXT).value);
    for (const [name, run] of PEERS) {
      const theirs = run(expression);
      if (theirs !== 'unsupported' && theirs !== ours) {
        findings.push({ expression, what: `postern says ${ours}, ${name} ${theirs}` });
      }
    }
  }
  return findings;
}

const OBJECT = { name: 'web', count: 3, flag: true, tags: ['a', 'bc'], ports: [80, 443], meta: { app: 'web' } };
const OBJECT_TEXT = JSON.stringify(OBJECT);
const EXACT = { ...OBJECT, count: 3n, ports: [80n, 443n] };

type Outcome = 'true' | 'false' | 'error' | 'unsupported';

function outcome(value: unknown): Outcome {
  return value === true ? 'true' : value === false ? 'false' : 'error';
}

const MARCBACHMANN = new Environment().registerVariable('object', 'dyn');
const BUFBUILD = celEnv();

const PEERS: readonly (readonly [name: string, run: (expression: string) => Outcome])[] = [
  [
    '@bufbuild/cel',
    (expression) => {
      const value = plan(BUFBUILD, parseBufbuild(expression))({ object: EXACT as never });
      return isCelError(value) ? 'error' : outcome(value);
    },
  ],
  [
    '@marcbachmann/cel-js',
    (expression) => {
      try {
        return outcome(MARCBACHMANN.parse(expression)({ object: EXACT }));
      } catch (error) {
        // Its checker refuses what the language's does not, for example `==` between a list and what may be one.
        return error instanceof Error && error.name !== 'EvaluationError' ? 'unsupported' : 'error';
      }
    },
  ],
];

/** Random expressions of the core. */
class Core {
  readonly #random: Random;
  #variables: string[] = [];

  constructor(source: Random) {
    this.#random = source;
  }

  bool(depth: number): string {
    const { pick, int } = this.#random;
    if (depth <= 0)
      return pick(['true', 'false', 'object.flag', 'has(object.name)', 'has(object.nope)', 'object.nope == 1']);
    const inner = depth - 1;
    switch (int(9)) {
      case 0:
        return `(${this.bool(inner)} && ${this.bool(inner)})`;
      case 1:
        return `(${this.bool(inner)} || ${this.bool(inner)})`;
      case 2:
        return `!(${this.bool(inner)})`;
      case 3:
        return `(${this.int(inner)} ${pick(['==', '!=', '<', '<=', '>', '>='])} ${this.int(inner)})`;
      case 4:
        return `(${this.text(inner)} ${pick(['==', '!=', '<', '>'])} ${this.text(inner)})`;
      case 5:
        return `${this.text(inner)}.${pick(['contains', 'startsWith', 'endsWith'])}(${this.text(inner)})`;
      case 6:
        return `(${this.bool(inner)} ? ${this.bool(inner)} : ${this.bool(inner)})`;
      case 7:
        return `(${this.int(inner)} in ${this.ints(inner)})`;
      default:
        return this.#macro(inner);
    }
  }

  int(depth: number): string {
    const { pick, int } = this.#random;
    const variables = this.#variables;
    if (depth <= 0)
      return variables.length > 0
        ? pick(variables)
        : pick(['0', '1', '2', '-3', '10', 'object.count', 'object.ports[0]', 'object.ports[9]']);
    const inner = depth - 1;
    switch (int(6)) {
      case 0:
        return `(${this.int(inner)} ${pick(['+', '-'])} ${this.int(inner)})`;
      case 1:
        return `(${this.int(inner)} ${pick(['/', '%'])} ${pick(['1', '2', '3', '0'])})`;
      case 2:
        return `(${this.bool(inner)} ? ${this.int(inner)} : ${this.int(inner)})`;
      case 3:
        return `size(${this.text(inner)})`;
      case 4:
        return `size(${this.ints(inner)})`;
      default:
        return this.int(0);
    }
  }

  text(depth: number): string {
    const { pick, int } = this.#random;
    if (depth <= 0 || int(3) > 0)
      return pick([
        '"a"',
        '"bc"',
        '""',
        '"web"',
        'object.name',
        'object.tags[1]',
        'object.meta.app',
        'object.meta.nope',
      ]);
    return `(${this.text(depth - 1)} + ${this.text(depth - 1)})`;
  }

  ints(depth: number): string {
    const { pick, int } = this.#random;
    if (depth <= 0 || int(3) === 0) return pick(['object.ports', '[1, 2, 3]', '[0]']);
    const inner = depth - 1;
    return this.#bind(
      (name) => `${this.ints(0)}.${pick([`filter(${name}, ${this.bool(inner)})`, `map(${name}, ${this.int(inner)})`])}`,
    );
  }

  #macro(depth: number): string {
    const macro = this.#random.pick(['all', 'exists', 'exists_one']);
    return this.#bind((name) => `${this.ints(0)}.${macro}(${name}, ${this.bool(depth)})`);
  }

  #bind(body: (name: string) => string): string {
    const name = `x${this.#variables.length}`;
    this.#variables.push(name);
    const text = body(name);
    this.#variables.pop();
    return text;
  }
}
