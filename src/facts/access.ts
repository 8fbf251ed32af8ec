/**
 * Access rules: what an authorizer would answer, as an ordered list. The first rule that fits decides; a member that a
 * rule leaves out fits anything; without a rule that fits the default does.
 */
import { isJsonObject, type Json, type JsonObject, own } from '#kubernetes';
import type { AccessAnswer, AccessNeed } from '#policy';
import { FactError } from './source.ts';

export interface AccessRules {
  readonly default: AccessAnswer;
  readonly rules: readonly AccessRule[];
}

interface AccessRule {
  readonly answer: AccessAnswer;
  /** The members that must be equal. */
  readonly members: ReadonlyMap<string, string>;
  /** All of these must be among the user's groups. */
  readonly groups: readonly string[];
}

const DECISIONS: ReadonlySet<string> = new Set(['Allow', 'Deny', 'NoOpinion']);
const MEMBERS = [
  'user',
  'verb',
  'apiGroup',
  'apiVersion',
  'resource',
  'subresource',
  'namespace',
  'name',
  'path',
  'fieldSelector',
  'labelSelector',
];
const OTHERS = ['groups', 'decision', 'reason', 'error'];

/** The rules in a document. Throws `FactError`. */
export function readAccessRules(value: Json): AccessRules {
  if (!isJsonObject(value)) throw malformed('`access` is not an object');
  const rules = own(value, 'rules') ?? [];
  if (!Array.isArray(rules)) throw malformed('`access.rules` is not a list');
  return {
    default: {
      decision: readDecision(own(value, 'default') ?? 'NoOpinion', 'access.default'),
      ...optionalText(value, 'reason', 'access'),
    },
    rules: rules.map((rule: Json, index) => readRule(rule, `access.rules[${index}]`)),
  };
}

/** The answer to one question. */
export function decideAccess(access: AccessRules, need: AccessNeed): AccessAnswer {
  const asked = questionOf(need);
  const groups = need.user.groups ?? [];
  const fits = (rule: AccessRule): boolean =>
    [...rule.members].every(([key, text]) => asked[key] === text) &&
    rule.groups.every((group) => groups.includes(group));
  return access.rules.find(fits)?.answer ?? access.default;
}

function questionOf({ user, verb, path = '', resource }: AccessNeed): Readonly<Record<string, string>> {
  return {
    user: user.username ?? '',
    verb,
    path,
    apiGroup: resource?.group ?? '',
    apiVersion: resource?.version ?? '',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    namespace: resource?.namespace ?? '',
    name: resource?.name ?? '',
    fieldSelector: resource?.fieldSelector ?? '',
    labelSelector: resource?.labelSelector ?? '',
  };
}

function readRule(value: Json, place: string): AccessRule {
  if (!isJsonObject(value)) throw malformed(`\`${place}\` is not an object`);
  for (const key of Object.keys(value)) {
    if (!MEMBERS.includes(key) && !OTHERS.includes(key)) throw malformed(`unknown member \`${key}\` in \`${place}\``);
  }
  const members = new Map<string, string>();
  for (const key of MEMBERS) {
    const text = own(value, key);
    if (text === undefined) continue;
    if (typeof text !== 'string') throw malformed(`\`${place}.${key}\` is not a string`);
    members.set(key, text);
  }
  const groups = own(value, 'groups') ?? [];
  if (!isTextList(groups)) throw malformed(`\`${place}.groups\` is not a list of strings`);
  const answer = {
    decision: readDecision(own(value, 'decision'), `${place}.decision`),
    ...optionalText(value, 'reason', place),
    ...optionalText(value, 'error', place),
  };
  return { answer, members, groups };
}

function isTextList(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function readDecision(value: Json | undefined, place: string): AccessAnswer['decision'] {
  if (typeof value === 'string' && isDecision(value)) return value;
  throw malformed(`\`${place}\` must be Allow, Deny or NoOpinion`);
}

function isDecision(text: string): text is AccessAnswer['decision'] {
  return DECISIONS.has(text);
}

function optionalText<K extends string>(value: JsonObject, key: K, place: string): { readonly [key in K]?: string } {
  const text = own(value, key);
  if (text === undefined) return {};
  if (typeof text !== 'string') throw malformed(`\`${place}.${key}\` is not a string`);
  return { [key]: text } as { readonly [key in K]?: string };
}

function malformed(why: string): FactError {
  return new FactError('unavailable', `this is no document of facts: ${why}`);
}
