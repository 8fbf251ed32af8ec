export { builtinSchema } from './builtin.ts';
export { closure } from './closure.ts';
export { crdSchema } from './crd.ts';
export { type Imported, openApiSchema } from './openapi.ts';
