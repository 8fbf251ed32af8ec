import { standardLibraries } from '#cel/runtime';
import { OPERATORS } from '../../src/cel/library/operators.ts';
import { type CelType, parseSignature, parseType } from '../../src/cel/types.ts';
import { jsonPatch, kubernetesLibraries } from '../../src/policy/library/index.ts';
import type { Random } from './random.ts';

/**
 * Random expressions: mostly well typed, since they are built from the functions' own signatures, and now and then not,
 * since an argument is of any type.
 */
export interface ExpressionOptions {
  /** Function names to leave out. */
  readonly without?: ReadonlySet<string>;
  readonly depth: number;
  /** How often an argument is of the wrong type. */
  readonly illTyped: number;
}

interface Callable {
  readonly name: string;
  readonly member: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
}

const ROWS: readonly { readonly name: string; readonly signature: string }[] = [
  ...OPERATORS.flatMap(({ name, overloads }) => overloads.map(([, signature]) => ({ name, signature }))),
  ...[...standardLibraries, ...kubernetesLibraries, jsonPatch].flatMap((library) => library.overloads),
];

const CALLABLES: readonly Callable[] = ROWS.filter(({ name }) => !name.startsWith('@') || name === '@in')
  .filter(({ name }) => name !== 'cel.@mapInsert')
  .map(({ name, signature }) => ({ name, ...parseSignature(signature) }));

const TYPES: readonly CelType[] = [
  'int',
  'int',
  'bool',
  'bool',
  'string',
  'string',
  'double',
  'uint',
  'bytes',
  'null',
  'timestamp',
  'duration',
  'dyn',
  'dyn',
  'list<int>',
  'list<string>',
  'list<dyn>',
  'map<string, int>',
  'map<string, dyn>',
  'optional<int>',
  'optional<string>',
  'type',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.URL',
  'net.IP',
  'net.CIDR',
  'kubernetes.NamedFormat',
].map(parseType);

const TEXTS = [
  '""',
  '"a"',
  '"abc"',
  '"a,b,c"',
  '"é😀x"',
  '"A b"',
  '"1"',
  '"-5"',
  '"1.5"',
  '"true"',
  '"1Gi"',
  '"500m"',
  '"1e3"',
  '"1.2.3"',
  '"v1.2"',
  '"10.0.0.1"',
  '"::1"',
  '"10.0.0.0/8"',
  '"2024-02-29T12:30:45.5Z"',
  '"1h30m"',
  '"https://a.example:80/p?q=1&q=2"',
  '"[a-c]+"',
  '"("',
  '"%s-%d"',
  '"app"',
  '"kube-system"',
  'r"\\d"',
  '"\\n"',
];
const INTS = [
  '0',
  '1',
  '2',
  '-1',
  '3',
  '7',
  '42',
  '100',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
];
const DOUBLES = ['0.0', '1.0', '-1.5', '2.5', '1e21', '1e-7', '0.1', '123456.789'];
const UINTS = ['0u', '1u', '7u', '18446744073709551615u'];
const BYTES = ['b""', 'b"abc"', 'b"\\xff"', 'b"é"'];
const DURATIONS = ['duration("1h")', 'duration("-1.5s")', 'duration("0")'];
const TIMES = ['timestamp("2024-02-29T12:30:45.5Z")', 'timestamp(0)', 'timestamp("2020-01-01T00:00:00+02:00")'];

/** Attributes of the object that the expressions run on, and of nothing. */
const PATHS = [
  'object',
  'object.metadata',
  'object.metadata.name',
  'object.metadata.labels',
  'object.metadata.labels.app',
  'object.metadata.labels["app"]',
  'object.metadata.annotations',
  'object.spec',
  'object.spec.replicas',
  'object.spec.paused',
  'object.spec.ratio',
  'object.spec.whole',
  'object.spec.big',
  'object.spec.nothing',
  'object.spec.containers',
  'object.spec.containers[0]',
  'object.spec.containers[0].image',
  'object.spec.containers[5]',
  'object.spec.ports',
  'object.spec.ports[0]',
  'object.spec.missing',
  'object.spec.missing.deep',
  'object.?spec.?replicas',
  'object.?spec.?missing',
  'object.spec.containers[?1]',
  'oldObject',
];

export class Expressions {
  readonly #random: Random;
  readonly #options: ExpressionOptions;
  readonly #callables: readonly Callable[];
  #variables: string[] = [];

  constructor(random: Random, options: ExpressionOptions) {
    this.#random = random;
    this.#options = options;
    this.#callables = CALLABLES.filter(({ name }) => !options.without?.has(name));
  }

  /** One expression. */
  next(): string {
    this.#variables = [];
    return this.#typed(this.#random.pick(TYPES), this.#options.depth);
  }

  #typed(type: CelType, depth: number): string {
    const { chance, int, pick } = this.#random;
    const wanted = chance(this.#options.illTyped) ? pick(TYPES) : type;
    if (depth <= 0) return this.#leaf(wanted);
    switch (int(10)) {
      case 0:
        return this.#leaf(wanted);
      case 1:
        return `(${this.#typed(BOOL, depth - 1)} ? ${this.#typed(wanted, depth - 1)} : ${this.#typed(wanted, depth - 1)})`;
      case 2:
      case 3:
        return this.#macro(wanted, depth);
      default:
        return this.#call(wanted, depth) ?? this.#leaf(wanted);
    }
  }

  #call(type: CelType, depth: number): string | undefined {
    const fitting = this.#callables.filter(
      ({ result }) => result.kind === type.kind && (type.kind !== 'opaque' || result.name === type.name),
    );
    if (fitting.length === 0) return undefined;
    const { name, member, params } = this.#random.pick(fitting);
    // A list of 2^63 numbers is more than the oracle's machine holds.
    if (name === 'lists.range') return `lists.range(${this.#random.int(20) - 2})`;
    const args = params.map((param) => this.#typed(this.#concrete(param), depth - 1));
    const [first = '', second = ''] = args;
    if (name === '_?_:_') return `(${first} ? ${second} : ${args[2]})`;
    if (name === '_[_]') return `${this.#operand(first)}[${second}]`;
    if (name === '_[?_]') return `${this.#operand(first)}[?${second}]`;
    if (name === '!_' || name === '-_') return `${name[0]}(${first})`;
    if (name === '@in') return `(${first} in ${second})`;
    if (/^_.+_$/.test(name)) return `(${first} ${name.slice(1, -1)} ${second})`;
    if (member) return `${this.#operand(first)}.${name}(${args.slice(1).join(', ')})`;
    return `${name}(${args.join(', ')})`;
  }

  #operand(text: string): string {
    return /^[-!]|^\d/.test(text) ? `(${text})` : text;
  }

  /** A type for a parameter of any. */
  #concrete(type: CelType): CelType {
    if (type.kind === 'param') return this.#random.pick(TYPES);
    return type.params.length === 0 ? type : { ...type, params: type.params.map((param) => this.#concrete(param)) };
  }

  #macro(type: CelType, depth: number): string {
    const { pick, chance } = this.#random;
    const range = this.#operand(
      chance(0.5)
        ? pick([
            'object.spec.containers',
            'object.spec.ports',
            '[1, 2, 3]',
            '["a", "b"]',
            'object.metadata.labels',
            '{"k": 1}',
            'object.spec.missing',
          ])
        : this.#typed(parseType('list<dyn>'), depth - 1),
    );
    const name = pick(['x', 'y', 'c']);
    const index = pick(['i', 'k']);
    const inside = <T>(variables: readonly string[], body: () => T): T => {
      this.#variables.push(...variables);
      const text = body();
      this.#variables.splice(-variables.length);
      return text;
    };
    const body = (wanted: CelType): string => this.#typed(wanted, depth - 1);
    switch (type.kind) {
      case 'bool':
        return chance(0.7)
          ? inside([name], () => `${range}.${pick(['all', 'exists', 'exists_one'])}(${name}, ${body(BOOL)})`)
          : chance(0.5)
            ? inside(
                [index, name],
                () => `${range}.${pick(['all', 'exists', 'existsOne'])}(${index}, ${name}, ${body(BOOL)})`,
              )
            : `has(${pick(PATHS.filter((path) => /\.\w+$/.test(path)))})`;
      case 'map':
        return inside([index, name], () => `${range}.transformMap(${index}, ${name}, ${body(pick(TYPES))})`);
      case 'opaque':
        if (type.name !== 'optional_type') return this.#leaf(type);
        return inside([name], () => `${this.#leaf(type)}.optMap(${name}, ${body(type.params[0] ?? INT)})`);
      case 'list':
      case 'dyn': {
        const element = type.params[0] ?? pick(TYPES);
        if (chance(0.3)) return inside([name], () => `${range}.filter(${name}, ${body(BOOL)})`);
        if (chance(0.2)) return inside([name], () => `${range}.map(${name}, ${body(BOOL)}, ${body(element)})`);
        if (chance(0.2))
          return inside([index, name], () => `${range}.transformList(${index}, ${name}, ${body(element)})`);
        if (chance(0.1)) return inside([name], () => `${range}.sortBy(${name}, ${body(pick(TYPES))})`);
        return inside([name], () => `${range}.map(${name}, ${body(element)})`);
      }
      default:
        return this.#leaf(type);
    }
  }

  #leaf(type: CelType): string {
    const { chance, pick } = this.#random;
    if (this.#variables.length > 0 && chance(0.4)) return pick(this.#variables);
    switch (type.kind) {
      case 'int':
        return pick(INTS);
      case 'uint':
        return pick(UINTS);
      case 'double':
        return pick(DOUBLES);
      case 'bool':
        return pick(['true', 'false']);
      case 'string':
        return pick(TEXTS);
      case 'bytes':
        return pick(BYTES);
      case 'null':
        return 'null';
      case 'timestamp':
        return pick(TIMES);
      case 'duration':
        return pick(DURATIONS);
      case 'type':
        return pick(['int', 'string', 'list', 'type', 'null_type', 'google.protobuf.Duration']);
      case 'list':
        return this.#literalList(type.params[0] ?? INT);
      case 'map':
        return chance(0.3) ? '{}' : `{${pick(TEXTS)}: ${this.#leaf(type.params[1] ?? INT)}}`;
      case 'opaque':
        return this.#opaque(type);
      default:
        return chance(0.8) ? pick(PATHS) : `dyn(${this.#leaf(pick(TYPES))})`;
    }
  }

  #literalList(element: CelType): string {
    const count = this.#random.int(4);
    return `[${Array.from({ length: count }, () => this.#leaf(element.kind === 'dyn' ? INT : element)).join(', ')}]`;
  }

  #opaque(type: CelType): string {
    const { chance, pick } = this.#random;
    switch (type.name) {
      case 'optional_type':
        return chance(0.3)
          ? 'optional.none()'
          : chance(0.3)
            ? 'object.?spec.?replicas'
            : `optional.of(${this.#leaf(type.params[0] ?? INT)})`;
      case 'kubernetes.Quantity':
        return `quantity(${pick(['"1Gi"', '"500m"', '"1e3"', '"0"', '"9223372036854775808"', '"x"', '"-1.5"'])})`;
      case 'kubernetes.Semver':
        return `semver(${pick(['"1.2.3"', '"1.2.3-rc.1+b"', '"0.0.1"', '"v1"'])})`;
      case 'kubernetes.URL':
        return `url(${pick(['"https://a.example:80/p?q=1&q=2"', '"/p"', '"x"'])})`;
      case 'net.IP':
        return `ip(${pick(['"10.0.0.1"', '"::1"', '"fe80::1"', '"1.2.3"'])})`;
      case 'net.CIDR':
        return `cidr(${pick(['"10.0.0.0/8"', '"::1/64"', '"1.2.3.4/33"'])})`;
      case 'kubernetes.NamedFormat':
        return pick(['format.dns1123Label()', 'format.uuid()', 'format.date()', 'format.qualifiedName()']);
      default:
        return 'authorizer';
    }
  }
}

const INT = parseType('int');
const BOOL = parseType('bool');

/** The object that the expressions run on. Maps that they may iterate have one entry, since Go's order is random. */
export const FUZZ_OBJECT = {
  metadata: { name: 'web', labels: { app: 'web' }, annotations: {} },
  spec: {
    replicas: 3,
    paused: false,
    ratio: 0.5,
    whole: '__WHOLE__',
    big: '__BIG__',
    nothing: null,
    containers: [{ image: 'app:1' }, { image: '' }],
    ports: [80, 443, 80],
  },
};

/** The same as JSON text, with the numbers that JavaScript cannot write. */
export const FUZZ_OBJECT_TEXT = JSON.stringify(FUZZ_OBJECT)
  .replace('"__WHOLE__"', '1.0')
  .replace('"__BIG__"', '9007199254740993');
