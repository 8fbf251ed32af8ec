export { accessKey } from './access.ts';
export { admit } from './admit.ts';
export { paramKey } from './bind.ts';
export type {
  CompiledBinding,
  CompiledCustomResource,
  CompiledExpression,
  CompiledMutatingPolicy,
  CompiledParamKind,
  CompiledPolicies,
  CompiledValidatingBinding,
  CompiledValidatingPolicy,
} from './compiled.ts';
export type { ServedResource } from './equivalents.ts';
export {
  type AccessAnswer,
  type AccessNeed,
  type AccessResource,
  type Fact,
  type Facts,
  type Needs,
  NO_FACTS,
  type ParamNeed,
  type Requirements,
} from './facts.ts';
export { type LoadOptions, loadPolicies } from './load.ts';
export type { Answer, DecisionRecord, Outcome, PatchOperation, Phase, Verdict } from './outcome.ts';
export type { PolicySet } from './policy-set.ts';
export { requirements } from './requirements.ts';
