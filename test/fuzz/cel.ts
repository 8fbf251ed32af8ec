import { spawn } from 'node:child_process';
import { parse, unparse } from '#cel';
import { type CelCase, type Difference, loadCases, runCase } from '../conformance/cel.ts';
import { Expressions, FUZZ_OBJECT_TEXT } from './expressions.ts';
import { fuzzPeers } from './peers.ts';
import { random } from './random.ts';

/**
 * Fuzzing CEL: nothing throws, nothing exceeds its budget, `parse(unparse(parse(x)))` is `parse(x)`, the npm engines agree on
 * their part of the language, and with an oracle (a program that reads expressions and prints the API server's outcome)
 * every outcome is the same.
 */
export interface Finding {
  readonly expression: string;
  readonly what: string;
}

const LIMIT_MS = 2_000;

export async function fuzzCel(
  seed: number,
  count: number,
  oracle: string | undefined,
  progress: (done: number) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const batch = 2_000;
  for (let done = 0; done < count; done += batch) {
    const cases = expressions(seed + done, Math.min(batch, count - done));
    for (const one of cases) findings.push(...selfCheck(one));
    findings.push(...fuzzPeers(seed + done, cases.length / 10));
    if (oracle) findings.push(...(await compareWithOracle(oracle, cases, 3)));
    progress(Math.min(count, done + batch));
  }
  return findings;
}

function expressions(seed: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const source = random(Math.imul(seed + index + 1, 2654435761));
    return new Expressions(source, { depth: 1 + source.int(4), illTyped: source.chance(0.5) ? 0 : 0.08 }).next();
  });
}

function caseOf(expression: string, expect: unknown): CelCase {
  const text = `{"id":"fuzz","expr":${JSON.stringify(expression)},"kind":"map-any","vars":{"object":${FUZZ_OBJECT_TEXT}},"expect":${JSON.stringify(expect)}}`;
  return loadCases(text)[0] as CelCase;
}

/** What holds without an oracle. */
export function selfCheck(expression: string): Finding[] {
  const found: Finding[] = [];
  const started = performance.now();
  try {
    runCase(caseOf(expression, { stage: '' }));
  } catch (error) {
    found.push({ expression, what: `throws ${String(error)}` });
  }
  const took = performance.now() - started;
  if (took > LIMIT_MS) found.push({ expression, what: `takes ${Math.round(took)} ms` });
  const parsed = parse(expression);
  if ('issues' in parsed) return found;
  const text = unparse(parsed.parsed);
  const again = parse(text);
  if ('issues' in again || shape(again.parsed.expr) !== shape(parsed.parsed.expr)) {
    found.push({ expression, what: `unparses to ${text}, which is another tree` });
  }
  return found;
}

/** A tree without its ids. */
export function shape(expr: unknown): string {
  return JSON.stringify(expr, (key, value) => {
    if (key === 'id') return undefined;
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Uint8Array ? [...value] : value;
  });
}

/** Differences from the oracle's outcome; those that depend on Go's map order are asked again. */
async function compareWithOracle(oracle: string, cases: readonly string[], repeats: number): Promise<Finding[]> {
  const outcomes = await ask(oracle, cases);
  if (outcomes.length !== cases.length) {
    const expression = cases[outcomes.length] ?? '';
    return [{ expression, what: 'the oracle died on one of these' }];
  }
  const open: Finding[] = [];
  cases.forEach((expression, index) => {
    const expect = outcomes[index] as { stage: string };
    if (expect.stage === 'panic') return;
    try {
      const differences = runCase(caseOf(expression, expect)).filter(isReal);
      if (differences.length > 0) open.push({ expression, what: JSON.stringify(differences) });
    } catch (error) {
      open.push({ expression, what: `throws ${String(error)}` });
    }
  });
  if (repeats === 0 || open.length === 0) return open;
  return compareWithOracle(
    oracle,
    open.map((finding) => finding.expression),
    repeats - 1,
  );
}

/**
 * Three differences are none: lists of the same elements in another order, since Go's maps have none; costs beyond 2^53, which JSON rounds, when they are nearly equal; and which Go type a list or
 * map has that was used as a key, since ours do not remember who made them.
 */
function isReal({ field, expected, actual }: Difference): boolean {
  if (field === 'value' && letters(expected) === letters(actual)) return false;
  const key = 'invalid qualifier type: ';
  if (field === 'error' && String(expected).startsWith(key) && String(actual).startsWith(key)) return false;
  if (field !== 'cost' || Number(expected) < 2 ** 53) return true;
  return Math.abs(Number(actual) / Number(expected) - 1) > 1e-9;
}

function letters(value: unknown): string {
  return [...JSON.stringify(value ?? null)].sort().join('');
}

async function ask(oracle: string, cases: readonly string[]): Promise<unknown[]> {
  const child = spawn(oracle, ['cel'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const input = cases.map(
    (expression) => `{"expr":${JSON.stringify(expression)},"kind":"map-any","vars":{"object":${FUZZ_OBJECT_TEXT}}}`,
  );
  child.stdin.end(`${input.join('\n')}\n`);
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) output += chunk;
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
