/** From manifests to compiled policies and everything that is to be said about them. */
import { digestOf, toBytes } from '#bundle';
import { type Diagnostic, renderDiagnostic, type Source } from '#diagnostics';
import { loadManifests } from '#manifest';
import type { CompiledPolicies } from '#policy';
import { compilePolicies } from '#policy/compile';
import { type Io, paint } from './io.ts';

export interface CompiledSources {
  /** Absent when there are errors. */
  readonly compiled?: CompiledPolicies;
  readonly diagnostics: readonly Diagnostic[];
  /** Digest of the texts, whatever their files are called. */
  readonly source: string;
}

/** Compiles manifests. */
export async function compileSources(sources: readonly Source[]): Promise<CompiledSources> {
  const loaded = loadManifests(sources);
  const result = compilePolicies(loaded.documents);
  const diagnostics = [...loaded.diagnostics, ...result.diagnostics];
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  const source = await digestOf(toBytes(sources.map(({ text }) => `${text.length}\n${text}`).join('')));
  return { ...(failed || !result.compiled ? {} : { compiled: result.compiled }), diagnostics, source };
}

/** Prints diagnostics with their place and caret, and how many there are. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], io: Io): void {
  for (const diagnostic of diagnostics) {
    const colour = diagnostic.severity === 'error' ? 'red' : 'yellow';
    const text = renderDiagnostic(diagnostic).replace(/\b(error|warning):/, (word) =>
      paint({ colours: io.errorColours }, colour, word),
    );
    io.err(`${text}\n\n`);
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  if (diagnostics.length > 0) io.err(`${plural(errors, 'error')}, ${plural(warnings, 'warning')}\n`);
}

/** `1 error`, `2 errors`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
