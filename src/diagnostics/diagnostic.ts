import { position, type Span } from './source.ts';

export type Severity = 'error' | 'warning';

/** One finding about a text of the author's: what, where, and how to mend it. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable name of the rule, kebab-case. */
  readonly code: string;
  /** Our words: lower case, no full stop, user text in backticks. */
  readonly message: string;
  /** The API server's own text of the same finding, where it has one. */
  readonly upstream?: string;
  /** Field path as the API prints it, `spec.validations[0].expression`. */
  readonly field?: string;
  readonly span?: Span;
  /** How to mend it. */
  readonly help?: string;
}

/** A diagnostic as text: place, message, the line with a caret, and the help. No colours; ends without a line break. */
export function renderDiagnostic(diagnostic: Diagnostic): string {
  const lines: string[] = [];
  const { span } = diagnostic;
  if (!span) {
    lines.push(`${diagnostic.severity}: ${diagnostic.message}`);
  } else {
    const place = position(span.source, span.start);
    lines.push(`${outermost(span).name}:${place.line}:${place.column}: ${diagnostic.severity}: ${diagnostic.message}`);
    const gutter = String(place.line);
    const pad = ' '.repeat(gutter.length);
    const marks = Math.max(1, Math.min(span.end - span.start, place.text.length - place.column + 1));
    lines.push(` ${pad} |`);
    lines.push(` ${gutter} | ${place.text}`);
    lines.push(` ${pad} | ${' '.repeat(place.column - 1)}${'^'.repeat(marks)}`);
  }
  if (diagnostic.field) lines.push(`  field: ${diagnostic.field}`);
  if (diagnostic.help) lines.push(`  help: ${diagnostic.help}`);
  return lines.join('\n');
}

function outermost(span: Span): { readonly name: string } {
  let source = span.source;
  while (source.parent) source = source.parent.source;
  return source;
}
