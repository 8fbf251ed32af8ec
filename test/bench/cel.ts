import { celEnv, isCelError, parse as parsePeer, plan as planPeer } from '@bufbuild/cel';
import { Environment } from '@marcbachmann/cel-js';
import { evaluate as evaluateSmall, parse as parseSmall } from 'cel-js';
import { functionTable, type Program, planProgram, standardLibraries } from '#cel/runtime';
import { compileExpression } from '../../src/policy/compile/expression.ts';
import { SLOTS } from '../../src/policy/environment.ts';
import { kubernetesLibraries } from '../../src/policy/library/index.ts';
import { patchStructs } from '../../src/policy/object-values.ts';

/**
 * The CEL benchmark: one run measures the hand-written JavaScript floor, postern with cost counting on, and the npm
 * engines that can run a row, on the same expressions and Pods; answers are compared before anything is timed.
 */
export interface Row {
  readonly name: string;
  readonly containers: number;
  /** ns per evaluation; `undefined` where an engine cannot run it. */
  readonly floor: number;
  readonly postern: number;
  readonly marcbachmann: number | undefined;
  readonly bufbuild: number | undefined;
  readonly celJs: number | undefined;
}

interface Pod {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels: Record<string, string> };
  readonly spec: {
    readonly terminationGracePeriodSeconds: number;
    readonly hostNetwork?: boolean;
    readonly containers: readonly Container[];
  };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly resources?: { readonly limits?: Record<string, string> };
  readonly ports?: readonly { readonly containerPort: number; readonly protocol: string }[];
  readonly securityContext?: { readonly allowPrivilegeEscalation?: boolean };
}

interface Case {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly expression: string;
  readonly floor: (object: Pod) => boolean;
}

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const MANY = [1, 10, 100];

const CASES: readonly Case[] = [
  {
    name: 'memLimits',
    sizes: MANY,
    expression:
      "object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && 'memory' in c.resources.limits)",
    floor: (object) =>
      object.spec.containers.every(
        (c) => c.resources?.limits !== undefined && Object.hasOwn(c.resources.limits, 'memory'),
      ),
  },
  {
    name: 'labelRegex',
    sizes: [1],
    expression: "object.metadata.labels['app'].matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
    floor: (object) => LABEL.test(object.metadata.labels.app ?? ''),
  },
  {
    name: 'strConcat',
    sizes: [1],
    expression:
      "object.apiVersion + '/' + object.kind + ':' + object.metadata.namespace + '/' + object.metadata.name == 'v1/Pod:default/web'",
    floor: (object) =>
      `${object.apiVersion}/${object.kind}:${object.metadata.namespace}/${object.metadata.name}` ===
      'v1/Pod:default/web',
  },
  {
    name: 'nestedExists',
    sizes: MANY,
    expression:
      "object.spec.containers.exists(c, has(c.ports) && c.ports.exists(p, p.containerPort == 8443 && p.protocol == 'TCP'))",
    floor: (object) =>
      object.spec.containers.some(
        (c) => c.ports?.some((p) => p.containerPort === 8443 && p.protocol === 'TCP') ?? false,
      ),
  },
  {
    name: 'registry',
    sizes: MANY,
    expression:
      "object.spec.containers.all(c, c.image.startsWith('registry.example.com/') || c.image.startsWith('mirror.example.com/'))",
    floor: (object) =>
      object.spec.containers.every(
        (c) => c.image.startsWith('registry.example.com/') || c.image.startsWith('mirror.example.com/'),
      ),
  },
  {
    name: 'intCmp',
    sizes: [1],
    expression: 'object.spec.terminationGracePeriodSeconds <= 60',
    floor: (object) => object.spec.terminationGracePeriodSeconds <= 60,
  },
  {
    name: 'hasGuard',
    sizes: [1],
    expression: '!has(object.spec.hostNetwork) || object.spec.hostNetwork == false',
    floor: (object) => object.spec.hostNetwork === undefined || object.spec.hostNetwork === false,
  },
  {
    name: 'noPrivEsc',
    sizes: MANY,
    expression:
      'object.spec.containers.all(c, has(c.securityContext) && has(c.securityContext.allowPrivilegeEscalation) && c.securityContext.allowPrivilegeEscalation == false)',
    floor: (object) => object.spec.containers.every((c) => c.securityContext?.allowPrivilegeEscalation === false),
  },
  {
    name: 'filterMap',
    sizes: MANY,
    expression: "object.spec.containers.filter(c, c.image.endsWith(':latest')).map(c, c.name).size() == 0",
    floor: (object) =>
      object.spec.containers.filter((c) => c.image.endsWith(':latest')).map((c) => c.name).length === 0,
  },
  {
    name: 'labelsAll',
    sizes: [1],
    expression: "['app', 'team', 'env'].all(k, k in object.metadata.labels)",
    floor: (object) => ['app', 'team', 'env'].every((k) => Object.hasOwn(object.metadata.labels, k)),
  },
];

function pod(containers: number): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', labels: { app: 'web-1', team: 'blue', env: 'prod' } },
    spec: {
      terminationGracePeriodSeconds: 30,
      containers: Array.from({ length: containers }, (_, index) => ({
        name: `c${index}`,
        image: `registry.example.com/team/app-${index}:1.${index}`,
        resources: { limits: { cpu: '500m', memory: '128Mi' }, requests: { cpu: '100m' } },
        ports: [
          { containerPort: 8080, protocol: 'TCP' },
          { containerPort: 9090, protocol: 'TCP' },
        ],
        securityContext: { allowPrivilegeEscalation: false, runAsNonRoot: true },
        env: [{ name: 'A', value: '1' }],
      })),
    },
  };
}

/** Numbers as the two engines that take a JavaScript number for a double need them. */
function withBigInts(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigInts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withBigInts(item)]));
}

const FUNCTIONS = functionTable([...standardLibraries, ...kubernetesLibraries]);

function compiled(expression: string): { readonly program: Program; readonly code: unknown } {
  const result = compileExpression(expression, 'validation', { params: false, variables: [] });
  if (!result.ok) throw new Error(result.error);
  return { program: planned(result.code), code: result.code };
}

function planned(code: unknown): Program {
  const program = planProgram(code, { slots: SLOTS, functions: FUNCTIONS, structs: patchStructs });
  if ('error' in program) throw new Error(program.error);
  return program;
}

/** Second best of five batches, ns per call. */
function time(run: () => unknown, batchMs: number): number {
  let count = 1;
  for (;;) {
    const start = process.hrtime.bigint();
    for (let index = 0; index < count; index++) run();
    if (Number(process.hrtime.bigint() - start) > 2e6) break;
    count *= 2;
  }
  const perBatch = Math.max(1, Math.round((count * batchMs) / 3));
  const batches = Array.from({ length: 5 }, () => {
    const start = process.hrtime.bigint();
    for (let index = 0; index < perBatch; index++) run();
    return Number(process.hrtime.bigint() - start) / perBatch;
  });
  return batches.sort((a, b) => a - b)[1] as number;
}

/** A peer's closure, when it can parse the row and gives the floor's answer. */
function peer(prepare: () => () => unknown, expected: boolean): (() => unknown) | undefined {
  try {
    const run = prepare();
    return run() === expected ? run : undefined;
  } catch {
    return undefined;
  }
}

export function runRows(batchMs: number, report: (row: Row) => void): Row[] {
  const rows: Row[] = [];
  for (const { name, sizes, expression, floor } of CASES) {
    for (const containers of sizes) {
      const object = pod(containers);
      const expected = floor(object);
      const { program } = compiled(expression);
      const slots = SLOTS.map((slot) => (slot === 'object' ? (object as never) : null));
      const first = program.evaluate(slots, 1_000_000);
      if (first.value !== expected)
        throw new Error(`${name}: postern says ${String(first.value)}, the floor ${expected}`);
      const exact = { object: withBigInts(object) };
      const marcbachmann = peer(() => {
        const parsed = new Environment().registerVariable('object', 'dyn').parse(expression);
        return () => parsed(exact);
      }, expected);
      const bufbuild = peer(() => {
        const run = planPeer(celEnv(), parsePeer(expression));
        return () => {
          const value = run(exact as never);
          return isCelError(value) ? undefined : value;
        };
      }, expected);
      const celJs = peer(() => {
        const parsed = parseSmall(expression);
        if (!parsed.isSuccess) throw new Error('not parsed');
        return () => evaluateSmall(parsed.cst, { object: object as never });
      }, expected);
      const row = {
        name,
        containers,
        floor: time(() => floor(object), batchMs),
        postern: time(() => program.evaluate(slots, 1_000_000), batchMs),
        marcbachmann: marcbachmann && time(marcbachmann, batchMs),
        bufbuild: bufbuild && time(bufbuild, batchMs),
        celJs: celJs && time(celJs, batchMs),
      };
      rows.push(row);
      report(row);
    }
  }
  return rows;
}

export interface LoadRow {
  readonly name: string;
  /** ns of `JSON.parse` of the stored code, and of decoding and planning it. */
  readonly parse: number;
  readonly plan: number;
}

/** Decoding and planning stored code against `JSON.parse` of its text. */
export function loadRows(batchMs: number): LoadRow[] {
  return CASES.map(({ name, expression }) => {
    const { code } = compiled(expression);
    const text = JSON.stringify(code);
    return { name, parse: time(() => JSON.parse(text), batchMs), plan: time(() => planned(code), batchMs) };
  });
}

/** Bytes of heap that an evaluation allocates; needs `--expose-gc`. */
export function allocations(): { readonly name: string; readonly bytes: number }[] {
  const { gc } = globalThis as { gc?: () => void };
  return CASES.map(({ name, expression }) => {
    const { program } = compiled(expression);
    const object = pod(1);
    const slots = SLOTS.map((slot) => (slot === 'object' ? (object as never) : null));
    for (let index = 0; index < 20_000; index++) program.evaluate(slots, 1_000_000);
    gc?.();
    const runs = 5_000;
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < runs; index++) program.evaluate(slots, 1_000_000);
    return { name, bytes: Math.max(0, (process.memoryUsage().heapUsed - before) / runs) };
  });
}
