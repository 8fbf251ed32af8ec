/** The API's rules for what both kinds of policies have. */
import {
  dns1035Label,
  dns1123Subdomain,
  type FieldPath,
  goTrim,
  type MatchCondition,
  type MutatingAdmissionPolicy,
  type ParamKind,
  parseApiVersion,
  qualifiedName,
  type ValidatingAdmissionPolicy,
  type Variable,
} from '#kubernetes';
import { withMatchDefaults } from '../defaults.ts';
import type { Faults } from './faults.ts';
import { checkMatchResources } from './rules.ts';

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const MOST_MATCH_CONDITIONS = 64;

type PolicySpec = Partial<ValidatingAdmissionPolicy['spec'] | MutatingAdmissionPolicy['spec']>;

/** failurePolicy, paramKind, matchConstraints, matchConditions, variables; expressions only as far as they are blank. */
export function checkPolicySpec(spec: PolicySpec, path: FieldPath, faults: Faults): void {
  const { failurePolicy = 'Fail', paramKind, matchConstraints, matchConditions = [], variables = [] } = spec;
  if (!FAILURE_POLICIES.includes(failurePolicy)) {
    faults.unsupported([...path, 'failurePolicy'], failurePolicy, FAILURE_POLICIES);
  }
  if (paramKind) checkParamKind(paramKind, [...path, 'paramKind'], faults);
  if (!matchConstraints) faults.required([...path, 'matchConstraints']);
  else {
    checkMatchResources(withMatchDefaults(matchConstraints), [...path, 'matchConstraints'], faults);
    if ((matchConstraints.resourceRules ?? []).length === 0)
      faults.required([...path, 'matchConstraints', 'resourceRules']);
  }
  checkMatchConditions(matchConditions, [...path, 'matchConditions'], faults);
  for (const [index, variable] of variables.entries()) checkVariable(variable, [...path, 'variables', index], faults);
}

function checkParamKind({ apiVersion = '', kind = '' }: Partial<ParamKind>, path: FieldPath, faults: Faults): void {
  const at = [...path, 'apiVersion'];
  const groupVersion = parseApiVersion(apiVersion);
  if (apiVersion === '') faults.required(at);
  else if (!groupVersion) faults.invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  else {
    const { group, version } = groupVersion;
    const groupFaults = group === '' ? [] : dns1123Subdomain(group);
    if (groupFaults.length > 0) faults.invalid(at, group, groupFaults.join(','));
    const versionFaults = version === '' ? [] : dns1035Label(version);
    if (version === '') faults.invalid(at, apiVersion, 'version must be specified');
    else if (versionFaults.length > 0) faults.invalid(at, version, versionFaults.join(','));
  }
  const kindFaults = dns1035Label(kind.toLowerCase());
  if (kind === '') faults.required([...path, 'kind']);
  else if (kindFaults.length > 0) {
    faults.invalid([...path, 'kind'], kind, `may have mixed case, but should otherwise match: ${kindFaults.join(',')}`);
  }
}

function checkMatchConditions(conditions: readonly Partial<MatchCondition>[], path: FieldPath, faults: Faults): void {
  if (conditions.length > MOST_MATCH_CONDITIONS) faults.tooMany(path, conditions.length, MOST_MATCH_CONDITIONS);
  const names = conditions.map(({ name = '' }) => name);
  for (const [index, { name = '', expression = '' }] of conditions.entries()) {
    if (goTrim(expression) === '') faults.required([...path, index, 'expression']);
    if (name === '') faults.required([...path, index, 'name']);
    else for (const text of qualifiedName(name)) faults.invalid([...path, index, 'name'], name, text);
    if (name !== '' && names.indexOf(name) < index) faults.duplicate([...path, index, 'name'], name);
  }
}

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

function checkVariable({ name = '', expression = '' }: Partial<Variable>, path: FieldPath, faults: Faults): void {
  if (goTrim(name) === '') faults.required([...path, 'name'], 'name is not specified');
  else if (!IDENTIFIER.test(name) || RESERVED.has(name)) {
    faults.invalid([...path, 'name'], name, 'must be a valid CEL identifier');
  }
  if (goTrim(expression) === '') faults.required([...path, 'expression'], 'expression is not specified');
}
