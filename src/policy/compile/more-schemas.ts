/** Merge schemas of built-in kinds that the built-in facts lack, written as definitions. */
import type { StoredSchema } from '#merge';
import { crdSchema } from '#merge/schemas';

const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const BINDING = {
  spec: {
    group: '',
    names: { kind: 'Binding' },
    versions: [
      {
        name: 'v1',
        served: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              target: {
                type: 'object',
                'x-kubernetes-map-type': 'atomic',
                properties: Object.fromEntries(REFERENCE.map((name) => [name, { type: 'string' }])),
              },
            },
          },
        },
      },
    ],
  },
};

/** Of v1 Binding. */
export function moreSchemas(builtin: StoredSchema): readonly StoredSchema[] {
  const imported = crdSchema(BINDING, builtin);
  if (!('schema' in imported)) return [];
  const { types, kinds } = imported.schema;
  return [{ types, kinds: { v1: kinds['/v1'] ?? {} } }];
}
