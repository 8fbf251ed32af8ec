/** One fault found in an expression; `message` is the API server's text without place. */
export interface Issue {
  /** UTF-16 offset in the expression; `undefined` for faults of the whole. */
  readonly offset: number | undefined;
  readonly message: string;
}

const MAX_SHOWN = 100;
const MAX_SNIPPET = 16384;

/** All issues as cel-go displays them: blocks sorted by place, each with the line and a caret. */
export function displayIssues(source: string, issues: readonly Issue[]): string {
  const placed = issues.map((issue) => ({ issue, ...locate(source, issue.offset) }));
  placed.sort((a, b) => a.line - b.line || a.column - b.column);
  const blocks = placed.slice(0, MAX_SHOWN).map(({ issue, line, column }) => {
    const head = `ERROR: <input>:${line}:${column + 1}: ${issue.message}`;
    const snippet = line < 1 ? undefined : sourceLine(source, line);
    return snippet === undefined || snippet.length > MAX_SNIPPET || source === ''
      ? head
      : head + caret(snippet, column);
  });
  if (issues.length > MAX_SHOWN) blocks.push(`${issues.length - MAX_SHOWN} more errors were truncated`);
  return blocks.join('\n');
}

/** One-based line and zero-based column in code points. */
function locate(source: string, offset: number | undefined): { line: number; column: number } {
  if (offset === undefined) return { line: -1, column: -1 };
  if (source === '') return { line: 1, column: -1 };
  const before = source.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(start)].length };
}

function sourceLine(source: string, line: number): string | undefined {
  return source.split('\n')[line - 1];
}

/** Wide runes are underlined with full-width marks, as cel-go does. */
function caret(line: string, column: number): string {
  const shown = line.replaceAll('\t', ' ');
  const runes = [...line];
  let marks = '';
  for (let index = 0; index < column; index++) marks += wide(runes[index]) ? '\uff0e' : '.';
  return `\n | ${shown}\n | ${marks}${wide(runes[column]) ? '\uff3e' : '^'}`;
}

function wide(rune: string | undefined): boolean {
  return rune !== undefined && (rune.codePointAt(0) ?? 0) > 0x7f;
}
