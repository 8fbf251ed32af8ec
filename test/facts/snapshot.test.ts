import { describe, expect, it } from 'vitest';
import { answerFrom, atHandIn, FactError, readSnapshot } from '#facts';
import type { Json } from '#kubernetes';
import { type AccessNeed, type Needs, NO_FACTS, type ParamNeed } from '#policy';

const namespace = (name: string): Json => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const map = (name: string, where: string, labels: Record<string, string> = {}): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: where, labels },
});
const snapshot = readSnapshot({
  facts: 1,
  time: '2026-01-01T00:00:00Z',
  namespaces: [namespace('a'), namespace('b')],
  params: {
    'v1/ConfigMap': [map('one', 'a', { tier: 'x' }), map('two', 'a'), map('one', 'b', { tier: 'x' })],
    'v1/Secret': [],
  },
  access: {
    default: 'Deny',
    reason: 'nobody said so',
    rules: [
      { user: 'jane', verb: 'delete', resource: 'pods', namespace: 'a', decision: 'Allow' },
      { groups: ['ops', 'oncall'], decision: 'Allow', reason: 'on duty' },
      { path: '/metrics', decision: 'NoOpinion', error: 'webhook: no answer' },
    ],
  },
});

const needs = (some: Partial<Needs>): Needs => ({ kind: 'needs', namespaces: [], params: [], access: [], ...some });
const param = (need: Partial<ParamNeed>): ParamNeed => ({
  key: 'k',
  apiVersion: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  ...need,
});
const pods = { group: '', version: 'v1', resource: 'pods', subresource: '', namespace: 'a', name: '' };
const access = (need: Partial<AccessNeed>): AccessNeed => ({
  key: 'k',
  user: { username: 'joe' },
  verb: 'get',
  resource: pods,
  ...need,
});

describe('namespaces', () => {
  it('one that is listed is found, another does not exist', () => {
    const { namespaces } = answerFrom(snapshot, needs({ namespaces: ['a', 'c'] }));
    expect(namespaces.get('a')).toEqual({ kind: 'found', value: namespace('a') });
    expect(namespaces.get('c')).toEqual({ kind: 'absent' });
  });

  it('one that is listed is at hand before anybody asks', () => {
    expect(atHandIn(snapshot, 'a').namespaces.get('a')).toEqual({ kind: 'found', value: namespace('a') });
    expect(atHandIn(snapshot, 'c')).toBe(NO_FACTS);
    expect(atHandIn(snapshot, undefined)).toBe(NO_FACTS);
  });
});

describe('params', () => {
  const names = (need: Partial<ParamNeed>): unknown => {
    const fact = answerFrom(snapshot, needs({ params: [param(need)] })).params.get('k');
    return fact?.kind === 'found' ? fact.value.map((object) => object['metadata']) : fact?.kind;
  };

  it.each<readonly [string, Partial<ParamNeed>, unknown]>([
    [
      'by name in a namespace',
      { namespace: 'b', name: 'one' },
      [{ name: 'one', namespace: 'b', labels: { tier: 'x' } }],
    ],
    ['a name that is not there', { namespace: 'b', name: 'two' }, 'absent'],
    [
      'by selector in a namespace',
      { namespace: 'a', selector: { matchLabels: { tier: 'x' } } },
      [{ name: 'one', namespace: 'a', labels: { tier: 'x' } }],
    ],
    ['a selector that finds nothing', { namespace: 'a', selector: { matchLabels: { tier: 'y' } } }, []],
    [
      'a selector that is none',
      { namespace: 'a', selector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } },
      'error',
    ],
    ['a kind that has no objects', { kind: 'Secret', namespace: 'a', name: 'x' }, 'absent'],
  ])('%s', (_, need, expected) => {
    expect(names(need)).toEqual(expected);
  });

  it('a kind that was never looked at cannot be told', () => {
    expect(() => names({ apiVersion: 'example.com/v1', kind: 'Limit', name: 'x' })).toThrowError(
      expect.objectContaining({ code: 'not-covered' }),
    );
  });
});

describe('access', () => {
  it.each<readonly [string, Partial<AccessNeed>, object]>([
    ['the first rule that fits', { user: { username: 'jane' }, verb: 'delete' }, { decision: 'Allow' }],
    [
      'another namespace does not fit',
      { user: { username: 'jane' }, verb: 'delete', resource: { ...pods, namespace: 'b' } },
      { decision: 'Deny', reason: 'nobody said so' },
    ],
    [
      'all groups of a rule must be the user’s',
      { user: { username: 'joe', groups: ['ops'] } },
      { decision: 'Deny', reason: 'nobody said so' },
    ],
    [
      'and then fit',
      { user: { username: 'joe', groups: ['x', 'oncall', 'ops'] } },
      { decision: 'Allow', reason: 'on duty' },
    ],
  ])('%s', (_, need, expected) => {
    expect(answerFrom(snapshot, needs({ access: [access(need)] })).access.get('k')).toEqual({
      kind: 'found',
      value: expected,
    });
  });

  it('a path, with the authorizer’s error', () => {
    const question: AccessNeed = { key: 'k', user: { username: 'joe' }, verb: 'get', path: '/metrics' };
    expect(answerFrom(snapshot, needs({ access: [question] })).access.get('k')).toEqual({
      kind: 'found',
      value: { decision: 'NoOpinion', error: 'webhook: no answer' },
    });
  });
});

describe('what a snapshot does not hold', () => {
  const empty = readSnapshot({ facts: 1 });
  it.each<readonly [string, Partial<Needs>]>([
    ['namespaces', { namespaces: ['a'] }],
    ['params', { params: [param({ name: 'x' })] }],
    ['access', { access: [access({})] }],
  ])('%s cannot be told', (_, some) => {
    expect(() => answerFrom(empty, needs(some))).toThrow(FactError);
  });
});

describe('readSnapshot', () => {
  it.each<readonly [string, Json]>([
    ['a list', []],
    ['no version', {}],
    ['a newer version', { facts: 2 }],
    ['an unknown member', { facts: 1, namespace: [] }],
    ['a time that is none', { facts: 1, time: 'yesterday' }],
    ['namespaces by name', { facts: 1, namespaces: { a: {} } }],
    ['a namespace without metadata', { facts: 1, namespaces: [{}] }],
    ['params in one list', { facts: 1, params: [] }],
    ['access without decision', { facts: 1, access: { rules: [{ user: 'a' }] } }],
    ['access with another decision', { facts: 1, access: { default: 'Maybe' } }],
    ['access with an unknown member', { facts: 1, access: { rules: [{ users: ['a'], decision: 'Allow' }] } }],
    ['access with a member of another type', { facts: 1, access: { rules: [{ user: 7, decision: 'Allow' }] } }],
    ['groups that are no list', { facts: 1, access: { rules: [{ groups: 'a', decision: 'Allow' }] } }],
  ])('%s is refused', (_, document) => {
    expect(() => readSnapshot(document)).toThrow(FactError);
  });
});
