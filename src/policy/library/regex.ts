/** Kubernetes' regular expressions: `find` and `findAll`. */
import {
  CelError,
  cachingRegexpCompiler,
  compileRegexp,
  type Int,
  isInt,
  type Library,
  type Overload,
  type Regexp,
  TextList,
  type Value,
} from '#cel/runtime';

type Search = (regexp: Regexp, text: string, limit?: Int) => Value;

const find: Search = (regexp, text) => regexp.find(text);
const findAll: Search = (regexp, text, limit = -1) => TextList.holding(regexp.findAll(text, Number(limit)));

/** A search whose pattern is an argument. k8s: the fault of one that is not a constant has a prefix. */
function search(searchIn: Search, compile = compileRegexp): Overload['run'] {
  return (text: string, pattern: string, limit?: Int) => {
    const regexp = compile(pattern);
    return 'error' in regexp ? new CelError(`Illegal regex: ${regexp.error}`) : searchIn(regexp, text, limit);
  };
}

/** Patterns that a call keeps when they are no constants. */
const KEPT_PATTERNS = 16;

/** A constant pattern is compiled once, and with a fault the program is refused. k8s: such a call is not guarded. */
function precompiled(searchIn: Search): NonNullable<Overload['specialize']> {
  return ([, pattern]) => {
    if (typeof pattern !== 'string') return search(searchIn, cachingRegexpCompiler(KEPT_PATTERNS));
    const regexp = compileRegexp(pattern);
    if ('error' in regexp) return new CelError(regexp.error);
    return (text: Value, _pattern: Value, limit?: Value) => {
      const fits = typeof text === 'string' && (limit === undefined || isInt(limit));
      return fits ? searchIn(regexp, text, limit) : new CelError('no such overload');
    };
  };
}

/** API server: pkg/cel/library/regex.go. */
export const regex: Library = {
  name: 'kubernetes.regex',
  overloads: [
    {
      name: 'find',
      id: 'string_find_string',
      signature: 'string.(string) -> string',
      run: search(find),
      specialize: precompiled(find),
      replacedByPattern: true,
    },
    {
      name: 'findAll',
      id: 'string_find_all_string',
      signature: 'string.(string) -> list<string>',
      run: search(findAll),
      specialize: precompiled(findAll),
      replacedByPattern: true,
    },
    {
      name: 'findAll',
      id: 'string_find_all_string_int',
      signature: 'string.(string, int) -> list<string>',
      run: search(findAll),
      specialize: precompiled(findAll),
      replacedByPattern: true,
    },
  ],
};
