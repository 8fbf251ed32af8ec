import { spawn } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import fastJsonPatch from 'fast-json-patch';
import { parseJson, stringifyJson, type Value } from '#cel/runtime';
import { type AdmissionRequest, type JsonObject, objectAt, stringAt } from '#kubernetes';
import type { Outcome } from '#policy';
import { type Case, loadCases, runCase } from '../conformance/admission.ts';
import { Policies } from './policies.ts';
import { random } from './random.ts';
import { CLUSTER, randomRequest } from './requests.ts';

/**
 * Fuzzing admission: random policies over real objects. Nothing throws; a policy that fails never admits unless it
 * is to be ignored; the patch applied to the object gives the engine's own object; and with an oracle every field of both
 * phases is the API server's.
 */
export interface Finding {
  readonly id: string;
  readonly what: string;
  readonly text: string;
}

const { applyPatch } = fastJsonPatch;

/** Policies are shared by the cases of a batch, since the oracle compiles each one once. */
const POLICIES = 40;
const BATCH = 2_000;

export async function fuzzAdmission(
  seed: number,
  count: number,
  oracle: string | undefined,
  progress: (done: number) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let done = 0; done < count; done += BATCH) {
    const texts = batch(seed + done, Math.min(BATCH, count - done));
    findings.push(...texts.flatMap(selfCheck));
    if (oracle) findings.push(...(await compareWithOracle(oracle, texts, 3)));
    progress(Math.min(count, done + BATCH));
  }
  return findings;
}

function batch(seed: number, count: number): string[] {
  const source = random(Math.imul(seed + 1, 2654435761));
  const { policies, bindings } = new Policies(source).pool(POLICIES);
  return Array.from({ length: count }, (_, index) => {
    const first = source.int(POLICIES);
    const chosen = policies.slice(first, first + 1 + source.int(4));
    const names = new Set(chosen.map((policy) => (policy.metadata as { name: string }).name));
    return JSON.stringify({
      id: `${seed}-${index}`,
      policies: chosen,
      bindings: bindings.filter((binding) => names.has((binding.spec as { policyName: string }).policyName)),
      ...CLUSTER,
      request: randomRequest(source),
    });
  });
}

function caseOf(text: string, outcome: string): Case {
  return loadCases(`${text.slice(0, -1)},"expect":${outcome}}`)[0] as Case;
}

/** What holds without an oracle. */
function selfCheck(text: string): Finding[] {
  const { id } = JSON.parse(text);
  const found: Finding[] = [];
  const nothing = '{"allowed":true,"warnings":[],"auditAnnotations":{}}';
  const one = caseOf(text, `{"mutate":${nothing},"validate":${nothing}}`);
  try {
    runCase(one, (phase, request, outcome) => {
      for (const what of [...brokenPatch(request, outcome), ...wrongAdmission(one, phase, outcome)]) {
        found.push({ id, what: `${phase}: ${what}`, text });
      }
    });
  } catch (error) {
    found.push({ id, what: `throws ${String(error)}`, text });
  }
  return found;
}

/** The patch, applied by a strict implementation, must give the engine's own object. */
function brokenPatch(request: AdmissionRequest, { object, patch }: Outcome): string[] {
  if (!object || !request.object) return patch.length > 0 ? ['a patch without an object'] : [];
  try {
    const before = JSON.parse(stringifyJson(request.object));
    const after = applyPatch(before, JSON.parse(stringifyJson(patch as unknown as Value)), true).newDocument;
    return isDeepStrictEqual(after, JSON.parse(stringifyJson(object))) ? [] : ['the patch gives another object'];
  } catch (error) {
    return [`the patch does not apply: ${String(error)}`];
  }
}

/** An error of a policy that is not to be ignored must deny, unless the binding only warns or audits. */
function wrongAdmission(one: Case, phase: string, { verdict, records }: Outcome): string[] {
  if (!verdict.allowed) return [];
  const field = (objects: readonly JsonObject[], name: string | undefined, key: string): unknown =>
    objectAt(objects.find((object) => stringAt(object, 'metadata', 'name') === name) ?? {}, 'spec')?.[key];
  return records
    .filter(({ kind }) => kind === 'error')
    .filter(({ policy }) => field(one.policies, policy, 'failurePolicy') !== 'Ignore')
    .filter(({ binding }) => {
      const actions = field(one.bindings, binding, 'validationActions');
      return phase === 'mutate' || !Array.isArray(actions) || actions.includes('Deny');
    })
    .map(({ policy, message }) => `admitted though policy ${policy} failed: ${message}`);
}

async function compareWithOracle(oracle: string, texts: readonly string[], repeats: number): Promise<Finding[]> {
  const outcomes = await ask(oracle, texts);
  const open: Finding[] = [];
  for (const [index, text] of texts.entries()) {
    const { id } = JSON.parse(text);
    const outcome = parseJson(outcomes[index] ?? '{}') as { readonly [key: string]: Value };
    if (outcome.error !== undefined || outcome.unsupported !== undefined) continue;
    try {
      // What the API server would send to a webhook is what a request is.
      const sent = `${text.slice(0, -1)},"request":${stringifyJson(outcome.request ?? null)}}`;
      const differences = runCase(caseOf(sent, outcomes[index] ?? '{}'));
      if (differences.length > 0) open.push({ id, what: stringifyJson(differences as unknown as Value), text });
    } catch (error) {
      open.push({ id, what: `throws ${String(error)}`, text });
    }
  }
  if (repeats === 0 || open.length === 0) return open;
  return compareWithOracle(
    oracle,
    open.map(({ text }) => text),
    repeats - 1,
  );
}

async function ask(oracle: string, texts: readonly string[]): Promise<string[]> {
  const child = spawn(oracle, ['admit', '-j', '2'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${texts.join('\n')}\n`);
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) output += chunk;
  return output.split('\n').filter((line) => line !== '');
}
