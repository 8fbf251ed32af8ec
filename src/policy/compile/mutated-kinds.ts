/** Which kinds the mutating policies of a bundle can meet: what is known of these travels with it. */
import { apiVersionOf, BUILTIN_RESOURCES, type MatchResources, type NamedRule, resourceCovers } from '#kubernetes';
import type { ObjectKind } from '#merge';
import type { CompiledCustomResource, CompiledMutatingPolicy } from '../compiled.ts';

interface Served {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
}

/** Kinds of subresources that the API server has a merge schema for. */
const SUBRESOURCE_KINDS: readonly (Served & { readonly subresource: string; readonly of: ObjectKind })[] = [
  {
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: 'binding',
    kind: 'Pod',
    of: { apiVersion: 'v1', kind: 'Binding' },
  },
];

/** The kinds that the rules of mutating policies reach; the empty kind stands for a known document. */
export function mutatedKinds(
  policies: readonly CompiledMutatingPolicy[],
  customResources: readonly CompiledCustomResource[],
): readonly ObjectKind[] {
  const served: readonly Served[] = [
    ...BUILTIN_RESOURCES,
    ...customResources.flatMap(({ group, resource, kind, versions }) =>
      versions.map(({ name: version }) => ({ group, version, resource, kind })),
    ),
  ];
  const kinds = new Map<string, ObjectKind>();
  const want = (kind: ObjectKind): void => {
    kinds.set(`${kind.apiVersion} ${kind.kind}`, kind);
  };
  for (const { matchConstraints } of policies) {
    for (const row of served) {
      if (!reaches(matchConstraints, row)) continue;
      const apiVersion = apiVersionOf(row);
      want({ apiVersion, kind: '' });
      want({ apiVersion, kind: row.kind });
    }
    for (const row of SUBRESOURCE_KINDS)
      if (rulesOf(matchConstraints).some((rule) => covers(rule, row, row.subresource))) want(row.of);
  }
  return [...kinds.values()];
}

/** Built-in kinds that a JSON Patch may turn an object into: then the API server reads the document as one of these. */
export function renamedKinds(policies: readonly CompiledMutatingPolicy[]): readonly ObjectKind[] {
  const sources = policies.flatMap(({ mutations }) => mutations.flatMap(({ expression }) => expression?.source ?? []));
  const renaming = sources.filter((source) => source.includes('/kind'));
  return BUILTIN_RESOURCES.flatMap((row) =>
    renaming.some((source) => source.includes(`'${row.kind}'`) || source.includes(`"${row.kind}"`))
      ? [{ apiVersion: apiVersionOf(row), kind: row.kind }]
      : [],
  );
}

function reaches(match: MatchResources | undefined, row: Served): boolean {
  return rulesOf(match).some((rule) => covers(rule, row, undefined));
}

function rulesOf(match: MatchResources | undefined): readonly NamedRule[] {
  return match?.resourceRules ?? [];
}

/** Without a subresource: whether the rule covers the resource or any subresource of it. */
function covers(rule: NamedRule, { group, version, resource }: Served, subresource: string | undefined): boolean {
  const has = (list: readonly string[] | undefined, value: string): boolean =>
    list?.some((entry) => entry === '*' || entry === value) ?? false;
  if (!has(rule.apiGroups, group) || !has(rule.apiVersions, version)) return false;
  return (rule.resources ?? []).some((entry) => {
    const [main = ''] = entry.split('/');
    return subresource === undefined ? main === '*' || main === resource : resourceCovers(entry, resource, subresource);
  });
}
