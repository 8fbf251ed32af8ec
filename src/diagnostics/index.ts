export { type Diagnostic, renderDiagnostic, type Severity } from './diagnostic.ts';
export { at, type Position, position, type Source, type Span } from './source.ts';
