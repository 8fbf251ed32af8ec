import { describe, expect, it } from 'vitest';
import { CelError, equal, type Opaque } from '#cel/runtime';
import {
  type AccessAttributes,
  type AuthorizerHost,
  AuthorizerValue,
  authorization,
  authorizationSelectors,
  ResourceCheckValue,
} from '../../../src/policy/library/authorizer.ts';
import { error, rows } from '../../rows.ts';

const run = rows(authorization);
const select = rows(authorizationSelectors);
const user = { username: 'alice', groups: ['staff'] };

function recording(answer: ReturnType<AuthorizerHost['check']>) {
  const asked: AccessAttributes[] = [];
  const host: AuthorizerHost = {
    check: (attributes) => {
      asked.push(attributes);
      return answer;
    },
  };
  return { asked, authorizer: new AuthorizerValue(host, user) };
}

describe('checks', () => {
  it('of a path', () => {
    const { asked, authorizer } = recording({ decision: 'Allow' });
    run('pathcheck_check', run('authorizer_path', authorizer, '/healthz'), 'get');
    expect(asked).toEqual([{ user, verb: 'get', path: '/healthz' }]);
  });

  it('of a resource: of any version, the last call of a method counts', () => {
    const { asked, authorizer } = recording({ decision: 'Allow' });
    let check = run('groupcheck_resource', run('authorizer_group', authorizer, 'apps'), 'deployments');
    check = run('resourcecheck_namespace', check, 'a');
    check = run('resourcecheck_namespace', check, 'b');
    check = run('resourcecheck_name', check, 'web');
    check = run('resourcecheck_subresource', check, 'scale');
    check = select('authorizer_fieldselector', check, 'spec.nodeName=n1');
    check = select('authorizer_labelselector', check, 'a in (');
    run('resourcecheck_check', check, 'update');
    const resource = {
      group: 'apps',
      version: '*',
      resource: 'deployments',
      subresource: 'scale',
      namespace: 'b',
      name: 'web',
    };
    const selectors = { fieldSelector: 'spec.nodeName=n1', labelSelector: 'a in (' };
    expect(asked).toEqual([{ user, verb: 'update', resource: { ...resource, ...selectors } }]);
  });

  it('for a service account, which has two groups', () => {
    const { asked, authorizer } = recording({ decision: 'Deny' });
    const account = run('authorizer_serviceaccount', authorizer, 'ns', 'build.er');
    run('pathcheck_check', run('authorizer_path', account, '/'), 'get');
    expect(asked[0]?.user).toEqual({
      username: 'system:serviceaccount:ns:build.er',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
    });
  });

  it('what the host throws passes through', () => {
    const lacking = new Error('lacks the answer');
    const host: AuthorizerHost = {
      check: () => {
        throw lacking;
      },
    };
    const check = new ResourceCheckValue(new AuthorizerValue(host, user), {
      group: '',
      resource: 'pods',
      subresource: '',
      namespace: '',
      name: '',
    });
    expect(() => run('resourcecheck_check', check, 'get')).toThrow(lacking);
  });
});

describe('refusals', () => {
  const { authorizer } = recording({ decision: 'Allow' });

  it.each<readonly [string, string, readonly string[], string]>([
    ['a blank path', 'authorizer_path', [' '], 'path must not be empty'],
    ['the namespace of an account', 'authorizer_serviceaccount', ['a.b', 'c'], 'Invalid service account namespace'],
    ['the name of an account', 'authorizer_serviceaccount', ['', 'C!'], 'Invalid service account name'],
  ])('%s', (_rule, id, args, message) => {
    expect(run(id, authorizer, ...args)).toEqual(error(message));
  });

  it('a blank resource', () => {
    const group = run('authorizer_group', authorizer, '');
    expect(run('groupcheck_resource', group, '\u00a0')).toEqual(error('resource must not be empty'));
  });

  it('equality', () => {
    expect(equal(authorizer, authorizer)).toEqual(new CelError('no such overload'));
    expect(equal(authorizer, null)).toBe(false);
  });
});

describe('decisions', () => {
  it.each<readonly [ReturnType<AuthorizerHost['check']>, readonly unknown[]]>([
    [{ decision: 'Allow' }, [true, '', false, '']],
    [{ decision: 'NoOpinion', reason: 'no rule' }, [false, 'no rule', false, '']],
    [{ decision: 'Deny', error: 'timeout' }, [false, '', true, 'timeout']],
    [{ decision: 'Deny', error: '' }, [false, '', true, '']],
  ])('%o', (answer, values) => {
    const { authorizer } = recording(answer);
    const decision = run('pathcheck_check', run('authorizer_path', authorizer, '/'), 'get') as Opaque;
    const ids = ['decision_allowed', 'decision_reason', 'decision_errored', 'decision_error'];
    expect(ids.map((id) => run(id, decision))).toEqual(values);
  });
});
