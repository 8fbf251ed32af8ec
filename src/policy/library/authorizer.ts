/**
 * The authorizer: checks are built up method by method, and `check` asks the host. What the host throws (that it lacks the
 * answer) passes through.
 */
import { CelError, type Library, trimSpace } from '#cel/runtime';
import { dns1123Label, dns1123Subdomain, type UserInfo } from '#kubernetes';
import type { AccessAnswer, AccessNeed, AccessResource } from '../facts.ts';
import { KubernetesValue } from './kubernetes-value.ts';

/** What is asked: may this user do this? Either `path` or `resource` is set. */
export type AccessAttributes = Omit<AccessNeed, 'key'>;

/** Who answers. */
export interface AuthorizerHost {
  check(attributes: AccessAttributes): AccessAnswer;
}

/** A value of the library; none is equal to anything. */
abstract class AccessValue extends KubernetesValue {
  protected override equalsSame(): undefined {
    return undefined;
  }

  override toString(): string {
    return this.typeName;
  }
}

/** `authorizer`: a user, and who answers about it. */
export class AuthorizerValue extends AccessValue {
  readonly typeName = 'kubernetes.authorization.Authorizer';
  readonly host: AuthorizerHost;
  readonly user: UserInfo;

  constructor(host: AuthorizerHost, user: UserInfo) {
    super();
    this.host = host;
    this.user = user;
  }
}

class PathCheckValue extends AccessValue {
  readonly typeName = 'kubernetes.authorization.PathCheck';
  readonly authorizer: AuthorizerValue;
  readonly path: string;

  constructor(authorizer: AuthorizerValue, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

class GroupCheckValue extends AccessValue {
  readonly typeName = 'kubernetes.authorization.GroupCheck';
  readonly authorizer: AuthorizerValue;
  readonly group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** What a check of a resource says besides the version, which is any. */
export type ResourceAttributes = Omit<AccessResource, 'version'>;

/** A check of a resource; `authorizer.requestResource` is one with the request's own attributes. */
export class ResourceCheckValue extends AccessValue {
  readonly typeName = 'kubernetes.authorization.ResourceCheck';
  readonly authorizer: AuthorizerValue;
  readonly resource: ResourceAttributes;

  constructor(authorizer: AuthorizerValue, resource: ResourceAttributes) {
    super();
    this.authorizer = authorizer;
    this.resource = resource;
  }

  with(changes: Partial<ResourceAttributes>): ResourceCheckValue {
    return new ResourceCheckValue(this.authorizer, { ...this.resource, ...changes });
  }
}

class DecisionValue extends AccessValue {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly answer: AccessAnswer;

  constructor(answer: AccessAnswer) {
    super();
    this.answer = answer;
  }
}

function path(authorizer: AuthorizerValue, value: string): PathCheckValue | CelError {
  return trimSpace(value) === '' ? new CelError('path must not be empty') : new PathCheckValue(authorizer, value);
}

function group(authorizer: AuthorizerValue, value: string): GroupCheckValue {
  return new GroupCheckValue(authorizer, value);
}

/** The service account as a user; it has these two groups and no others. */
function serviceAccount({ host }: AuthorizerValue, namespace: string, name: string): AuthorizerValue | CelError {
  if (dns1123Subdomain(name).length > 0) return new CelError('Invalid service account name');
  if (dns1123Label(namespace).length > 0) return new CelError('Invalid service account namespace');
  return new AuthorizerValue(host, {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  });
}

function resource(check: GroupCheckValue, value: string): ResourceCheckValue | CelError {
  if (trimSpace(value) === '') return new CelError('resource must not be empty');
  return new ResourceCheckValue(check.authorizer, {
    group: check.group,
    resource: value,
    subresource: '',
    namespace: '',
    name: '',
  });
}

function checkPath({ authorizer, path }: PathCheckValue, verb: string): DecisionValue {
  return new DecisionValue(authorizer.host.check({ user: authorizer.user, verb, path }));
}

function checkResource({ authorizer, resource }: ResourceCheckValue, verb: string): DecisionValue {
  const attributes = { user: authorizer.user, verb, resource: { ...resource, version: '*' } };
  return new DecisionValue(authorizer.host.check(attributes));
}

const PACKAGE = 'kubernetes.authorization';
const RESOURCE_CHECK = `${PACKAGE}.ResourceCheck`;

/** API server: pkg/cel/library/authz.go. */
export const authorization: Library = {
  name: 'kubernetes.authz',
  since: '1.27',
  overloads: [
    {
      name: 'path',
      id: 'authorizer_path',
      signature: `${PACKAGE}.Authorizer.(string) -> ${PACKAGE}.PathCheck`,
      run: path,
    },
    {
      name: 'group',
      id: 'authorizer_group',
      signature: `${PACKAGE}.Authorizer.(string) -> ${PACKAGE}.GroupCheck`,
      run: group,
    },
    {
      name: 'serviceAccount',
      id: 'authorizer_serviceaccount',
      signature: `${PACKAGE}.Authorizer.(string, string) -> ${PACKAGE}.Authorizer`,
      run: serviceAccount,
    },
    {
      name: 'resource',
      id: 'groupcheck_resource',
      signature: `${PACKAGE}.GroupCheck.(string) -> ${RESOURCE_CHECK}`,
      run: resource,
    },
    ...(['subresource', 'namespace', 'name'] as const).map((name) => ({
      name,
      id: `resourcecheck_${name}`,
      signature: `${RESOURCE_CHECK}.(string) -> ${RESOURCE_CHECK}`,
      run: (check: ResourceCheckValue, value: string) => check.with({ [name]: value }),
    })),
    {
      name: 'check',
      id: 'pathcheck_check',
      signature: `${PACKAGE}.PathCheck.(string) -> ${PACKAGE}.Decision`,
      run: checkPath,
    },
    {
      name: 'check',
      id: 'resourcecheck_check',
      signature: `${RESOURCE_CHECK}.(string) -> ${PACKAGE}.Decision`,
      run: checkResource,
    },
    {
      name: 'errored',
      id: 'decision_errored',
      signature: `${PACKAGE}.Decision.() -> bool`,
      run: ({ answer }: DecisionValue) => answer.error !== undefined,
    },
    {
      name: 'error',
      id: 'decision_error',
      signature: `${PACKAGE}.Decision.() -> string`,
      run: ({ answer }: DecisionValue) => answer.error ?? '',
    },
    {
      name: 'allowed',
      id: 'decision_allowed',
      signature: `${PACKAGE}.Decision.() -> bool`,
      run: ({ answer }: DecisionValue) => answer.decision === 'Allow',
    },
    {
      name: 'reason',
      id: 'decision_reason',
      signature: `${PACKAGE}.Decision.() -> string`,
      run: ({ answer }: DecisionValue) => answer.reason ?? '',
    },
  ],
};

/** The selectors of checks. A selector that does not parse is no error here: the host is told it as it stands. */
export const authorizationSelectors: Library = {
  name: 'kubernetes.authzSelectors',
  since: '1.31',
  overloads: (['fieldSelector', 'labelSelector'] as const).map((name) => ({
    name,
    id: `authorizer_${name.toLowerCase()}`,
    signature: `${RESOURCE_CHECK}.(string) -> ${RESOURCE_CHECK}`,
    run: (check: ResourceCheckValue, value: string) => check.with({ [name]: value }),
  })),
};
