export type {
  AdmissionRequest,
  AdmissionResponse,
  AdmissionReview,
  GroupVersionKind,
  GroupVersionResource,
  Operation,
  Status,
  StatusCause,
  StatusDetails,
  UserInfo,
} from './admission.ts';
export { type FieldPath, fieldText } from './field-path.ts';
export { goJson, goJsonString, goQuote, goTrim } from './go-text.ts';
export { type BoxedDouble, isJsonObject, type Json, type JsonObject, objectAt, own, stringAt } from './json.ts';
export { dns1035Label, dns1123Label, dns1123Subdomain, labelValue, pathSegmentName, qualifiedName } from './names.ts';
export {
  type BoundRoundTrip,
  boundRoundTrip,
  jsonNumbers,
  linkNative,
  type NativeKind,
  type NativeSchema,
  nativeStruct,
  type RoundTrip,
  type RoundTripMode,
  roundTrip,
  type StoredNative,
} from './native/index.ts';
export { nearest } from './near-name.ts';
export type {
  AuditAnnotation,
  FailurePolicy,
  LabelSelector,
  LabelSelectorRequirement,
  MatchCondition,
  MatchPolicy,
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  Mutation,
  NamedRule,
  ObjectName,
  ParameterNotFoundAction,
  ParamKind,
  ParamRef,
  PatchType,
  ReinvocationPolicy,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Validation,
  ValidationAction,
  Variable,
} from './policies.ts';
export { POLICY_GROUP } from './policies.ts';
export {
  add as addQuantities,
  approximate as approximateQuantity,
  asInteger as quantityInteger,
  canonical as canonicalQuantity,
  compare as compareQuantities,
  parseQuantity,
  promote as promoteQuantity,
  type Quantity,
  quantityEquals,
  quantityOf,
  sign as quantitySign,
  sub as subtractQuantities,
} from './quantity.ts';
export {
  apiVersionOf,
  BUILTIN_RESOURCES,
  type BuiltinResource,
  builtinResource,
  excludedFromPolicies,
  hasMetadata,
  kindText,
  parseApiVersion,
  resourceText,
  sameKind,
  sameResource,
} from './resources.ts';
export { type RuleSubject, resourceCovers, ruleCovers, ruleNames } from './rules.ts';
export { type Labels, labelsOf, parseSelector, type Selector, selectorMatches } from './selectors.ts';
export { forbidden, groupResourceText, internalError, notFound, serviceUnavailable } from './status.ts';
