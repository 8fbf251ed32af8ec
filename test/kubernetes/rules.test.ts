import { describe, expect, test } from 'vitest';
import { type RuleSubject, ruleCovers, ruleNames } from '#kubernetes';

const PODS: RuleSubject = {
  operation: 'CREATE',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'shop',
  name: 'web',
};
const NAMESPACE: RuleSubject = { ...PODS, resource: 'namespaces', namespace: 'shop', name: 'shop' };
const ANY = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'] };

describe('resources', () => {
  test.each([
    ['pods covers pods', 'pods', '', true],
    ['pods does not cover its subresources', 'pods', 'status', false],
    ['pods/* covers pods too', 'pods/*', '', true],
    ['pods/* covers subresources', 'pods/*', 'exec', true],
    ['pods/status covers only that', 'pods/status', '', false],
    ['* covers no subresource', '*', 'status', false],
    ['*/* covers everything', '*/*', 'status', true],
    ['*/scale covers the subresource of all', '*/scale', 'scale', true],
    ['names are case-sensitive', 'Pods', '', false],
  ])('%s', (_name, entry, subresource, covers) => {
    expect(ruleCovers({ ...ANY, resources: [entry] }, { ...PODS, subresource })).toBe(covers);
  });
});

describe('scope goes by the namespace of the request', () => {
  test.each([
    ['Namespaced covers namespaced objects', 'Namespaced', PODS, true],
    ['Namespaced does not cover namespaces', 'Namespaced', NAMESPACE, false],
    ['Namespaced does not cover cluster-scoped objects', 'Namespaced', { ...PODS, namespace: '' }, false],
    ['Cluster covers namespaces', 'Cluster', NAMESPACE, true],
    ['Cluster covers subresources of namespaces', 'Cluster', { ...NAMESPACE, subresource: 'finalize' }, true],
    ['Cluster does not cover namespaced objects', 'Cluster', PODS, false],
    [
      'a resource called namespaces of another group is no namespace',
      'Cluster',
      { ...NAMESPACE, group: 'x.io' },
      false,
    ],
    ['other words cover nothing', 'Everything', PODS, false],
  ])('%s', (_name, scope, subject, covers) => {
    expect(ruleCovers({ ...ANY, resources: ['*/*'], scope }, subject)).toBe(covers);
  });
});

describe('operations, groups and versions are exact or *', () => {
  test.each([
    [{ operations: ['UPDATE'] }, false],
    [{ operations: ['CREATE', 'UPDATE'] }, true],
    [{ apiGroups: ['apps'] }, false],
    [{ apiGroups: [''] }, true],
    [{ apiVersions: ['v2'] }, false],
    [{ operations: [] }, false],
  ])('%j: %s', (part, covers) => {
    expect(ruleCovers({ ...ANY, resources: ['pods'], ...part }, PODS)).toBe(covers);
  });
});

test('resourceNames: an empty list admits any name, others compare exactly', () => {
  expect(ruleNames({}, '')).toBe(true);
  expect(ruleNames({ resourceNames: [] }, 'x')).toBe(true);
  expect(ruleNames({ resourceNames: ['web'] }, 'web')).toBe(true);
  expect(ruleNames({ resourceNames: ['web'] }, '')).toBe(false);
});
