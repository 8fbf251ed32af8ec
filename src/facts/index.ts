export { answerFrom, atHandIn, factsKey, readSnapshot, type Snapshot } from './snapshot.ts';
export { describeNeeds, FactError, type FactErrorCode, type FactSource, mergeFacts } from './source.ts';
