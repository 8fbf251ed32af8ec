/**
 * A text with a name and, when it was cut out of a larger one, the place where each of its lines stands there:
 * a CEL expression keeps its place in the YAML file.
 */
export interface Source {
  /** File name, or `-` for standard input; what diagnostics print. */
  readonly name: string;
  readonly text: string;
  /** The document this text was cut from: for an offset here, the offset there. */
  readonly parent?: { readonly source: Source; readonly offset: (offset: number) => number };
}

/** A half-open range of UTF-16 offsets in a source. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** One-based line and column; columns count code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** The text of the line, without its break. */
  readonly text: string;
}

/** The span of an offset, or of a range. */
export function at(source: Source, start: number, end: number = start): Span {
  return { source, start, end };
}

/** Where an offset stands in the outermost document. */
export function position(source: Source, offset: number): Position {
  if (source.parent) return position(source.parent.source, source.parent.offset(offset));
  const bounded = Math.max(0, Math.min(offset, source.text.length));
  const lineStart = source.text.lastIndexOf('\n', bounded - 1) + 1;
  const lineEnd = source.text.indexOf('\n', bounded);
  const text = source.text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  let line = 1;
  for (
    let index = source.text.indexOf('\n');
    index >= 0 && index < lineStart;
    index = source.text.indexOf('\n', index + 1)
  )
    line++;
  return { line, column: [...source.text.slice(lineStart, bounded)].length + 1, text };
}
