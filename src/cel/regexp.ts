/**
 * RE2 patterns, with Go's search rules and error texts. A JavaScript `RegExp` never sees a policy's pattern: matching
 * takes time linear in the text, whatever the pattern.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { foreignClass, rewriteForRe2js } from './regexp-rewrite.ts';

/** A compiled pattern. */
export interface Regexp {
  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean;
  /** The leftmost match, or the empty string. */
  find(text: string): string;
  /** Successive matches, at most `limit` of them, all when negative; by Go's `FindAllString`. */
  findAll(text: string, limit: number): readonly string[];
}

/** The fault of a pattern; `error` is Go's text (`error parsing regexp: …`). */
export interface RegexpFault {
  readonly error: string;
}

/** Beginnings of named classes (`[:`) without an end that are looked at; each costs a walk to the end of the pattern. */
const MAX_OPEN_CLASSES = 1000;

function hasManyOpenClasses(pattern: string): boolean {
  if (pattern.length < 2 * MAX_OPEN_CLASSES) return false;
  return pattern.slice(pattern.lastIndexOf(':]') + 1).split('[:', MAX_OPEN_CLASSES + 2).length > MAX_OPEN_CLASSES + 1;
}

/** Compiles a pattern. */
export function compileRegexp(pattern: string): Regexp | RegexpFault {
  if (hasManyOpenClasses(pattern)) return { error: `error parsing regexp: expression too large: \`${pattern}\`` };
  const foreign = foreignClass(pattern);
  if (foreign) return { error: `error parsing regexp: invalid character class range: \`${foreign}\`` };
  const first = attempt(pattern);
  if (!(first instanceof RE2JSSyntaxException)) return first;
  const rewritten = rewriteForRe2js(pattern, (name) => !(attempt(`\\p{${name}}`) instanceof RE2JSSyntaxException));
  if (rewritten === pattern) return { error: faultText(first, pattern, pattern) };
  const second = attempt(rewritten);
  return second instanceof RE2JSSyntaxException ? { error: faultText(second, rewritten, pattern) } : second;
}

function attempt(pattern: string): Regexp | RE2JSSyntaxException {
  try {
    const compiled = RE2JS.compile(pattern);
    return {
      test: (text) => compiled.test(text),
      find: (text) => (compiled.re2().find(text) as string | null) ?? '',
      findAll: (text, limit) => (limit === 0 ? [] : ((compiled.re2().findAll(text, limit) as string[] | null) ?? [])),
    };
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return error;
    throw error;
  }
}

/** Go quotes the whole pattern with these faults; re2js quotes nothing. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(['expression nests too deeply', 'expression too large']);

function faultText(fault: RE2JSSyntaxException, compiled: string, pattern: string): string {
  let description = fault.getDescription();
  let fragment = fault.getPattern() ?? '';
  if (OF_THE_WHOLE.has(description) || fragment === compiled) fragment = pattern;
  if (description === 'invalid named capture' && (fragment === '(?P<' || fragment === '(?<')) {
    description = 'invalid or unsupported Perl syntax';
    fragment = fragment === '(?P<' ? '(?P' : fragment;
  }
  return `error parsing regexp: ${description}: \`${fragment}\``;
}

/** Compiles patterns that are only known at run time. */
export type RegexpCompiler = (pattern: string) => Regexp | RegexpFault;

/** A compiler that keeps the patterns it saw last, at most `capacity` of them. */
export function cachingRegexpCompiler(capacity: number): RegexpCompiler {
  const kept = new Map<string, Regexp | RegexpFault>();
  return (pattern) => {
    const known = kept.get(pattern);
    const compiled = known ?? compileRegexp(pattern);
    if (known) kept.delete(pattern);
    else if (kept.size >= capacity) kept.delete(kept.keys().next().value ?? '');
    kept.set(pattern, compiled);
    return compiled;
  };
}
