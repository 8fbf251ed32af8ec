/** The functions of JSONPatch expressions. */
import type { Library } from '#cel/runtime';

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** API server: pkg/cel/library/jsonpatch.go. Only in the environment of mutations. */
export const jsonPatch: Library = {
  name: 'kubernetes.jsonpatch',
  overloads: [
    {
      name: 'jsonpatch.escapeKey',
      id: 'string_jsonpatch_escapeKey_string',
      signature: '(string) -> string',
      run: escapeKey,
    },
  ],
};
