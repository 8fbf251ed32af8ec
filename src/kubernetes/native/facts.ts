export { builtinNative } from './builtin.ts';
export { nativeClosure } from './closure.ts';
