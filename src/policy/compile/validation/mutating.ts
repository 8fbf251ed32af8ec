/** The API's rules for MutatingAdmissionPolicy. */
import { type FieldPath, goTrim, type MutatingAdmissionPolicy, type Mutation } from '#kubernetes';
import type { Faults } from './faults.ts';
import { checkPolicySpec } from './policies.ts';
import { checkMutatingOperations } from './rules.ts';

const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];

/** The block that belongs to each patch type. */
const BLOCKS = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;
const PATCH_TYPES = Object.keys(BLOCKS);

export function checkMutatingPolicy(
  spec: Partial<MutatingAdmissionPolicy['spec']>,
  path: FieldPath,
  faults: Faults,
): void {
  checkPolicySpec(spec, path, faults);
  const { matchConstraints, mutations = [], reinvocationPolicy } = spec;
  if (matchConstraints) checkMutatingOperations(matchConstraints, [...path, 'matchConstraints'], faults);
  if (mutations.length === 0) faults.required([...path, 'mutations'], 'mutations must contain at least one item');
  for (const [index, mutation] of mutations.entries()) checkMutation(mutation, [...path, 'mutations', index], faults);
  const at = [...path, 'reinvocationPolicy'];
  if (!reinvocationPolicy) faults.required(at);
  else if (!REINVOCATION_POLICIES.includes(reinvocationPolicy)) {
    faults.unsupported(at, reinvocationPolicy, REINVOCATION_POLICIES);
  }
}

function checkMutation(mutation: Partial<Mutation>, path: FieldPath, faults: Faults): void {
  const { patchType } = mutation;
  if (!patchType) {
    faults.required([...path, 'patchType']);
    return;
  }
  if (!Object.hasOwn(BLOCKS, patchType)) {
    faults.unsupported([...path, 'patchType'], patchType, PATCH_TYPES);
    return;
  }
  for (const [type, block] of Object.entries(BLOCKS)) {
    const given = mutation[block];
    if (type !== patchType) {
      if (given) faults.invalid([...path, block], given, `must not be specified when patchType is ${patchType}`);
    } else if (!given) faults.required([...path, block], `must be specified when patchType is ${patchType}`);
    else if (goTrim(given.expression ?? '') === '') {
      faults.required([...path, block, 'expression'], 'expression is not specified');
    }
  }
}
