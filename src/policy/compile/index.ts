export { type Compilation, type CompileOptions, compilePolicies } from './policies.ts';
