export { type App, type AppOptions, createApp } from './app.ts';
export { type Decided, decide, type Question } from './decide.ts';
export { type Engine, type LoadPolicies, loadEngine } from './engine.ts';
export { type LogRecord, logLine } from './log.ts';
export type { Rejection } from './rejection.ts';
export { decodeReview, encodeReview, type Review } from './review.ts';
