import type { Library } from './library/library.ts';
import { OPERATORS } from './library/operators.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  NULL,
  opaqueType,
  optionalType,
  parseSignature,
  type Signature,
  STRING,
  TIMESTAMP,
  typeType,
  UINT,
} from './types.ts';

/** A declared overload, as the checker sees it. */
export interface DeclaredOverload {
  readonly id: string;
  readonly signature: Signature;
}

/** Types with declared fields: what a struct literal may build and what may be selected. */
export interface StructTypes {
  /** The type of that name, when it is one that a literal can name. */
  find(name: string): CelType | undefined;
  /** The type of a field; `undefined` when there is none; `null` for a field that is found but has no type. */
  field(type: string, field: string): CelType | null | undefined;
}

/** What an expression may name. */
export interface Env {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: ReadonlyMap<string, readonly DeclaredOverload[]>;
  /** Type names that are values. */
  readonly typeNames: ReadonlyMap<string, CelType>;
  readonly structs: StructTypes;
}

export interface EnvOptions {
  readonly variables: Readonly<Record<string, CelType>> | ReadonlyMap<string, CelType>;
  readonly libraries: readonly Library[];
  readonly structs?: StructTypes;
}

const NO_STRUCTS: StructTypes = { find: () => undefined, field: () => undefined };

const TYPE_NAMES: ReadonlyMap<string, CelType> = new Map([
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['string', STRING],
  ['bytes', BYTES],
  ['list', listType(DYN)],
  ['map', mapType(DYN, DYN)],
  ['null_type', NULL],
  ['type', typeType()],
  ['optional_type', optionalType(DYN)],
  ['google.protobuf.Timestamp', TIMESTAMP],
  ['google.protobuf.Duration', DURATION],
]);

/** Builds the environment of an expression. */
export function createEnv(options: EnvOptions): Env {
  const { variables } = options;
  return {
    variables: variables instanceof Map ? variables : new Map(Object.entries(variables)),
    functions: declaredFunctions(options.libraries),
    typeNames: declaredTypes(options.libraries),
    structs: options.structs ?? NO_STRUCTS,
  };
}

/** The same environment with more variables; cheap, since the tables are shared. */
export function extendEnv(env: Env, variables: Iterable<readonly [string, CelType]>): Env {
  return { ...env, variables: new Map([...env.variables, ...variables]) };
}

function declaredFunctions(libraries: readonly Library[]): Map<string, DeclaredOverload[]> {
  const functions = new Map<string, DeclaredOverload[]>();
  const declare = (name: string, id: string, signature: string): void => {
    const overloads = functions.get(name) ?? [];
    overloads.push({ id, signature: parseSignature(signature) });
    functions.set(name, overloads);
  };
  for (const { name, overloads } of OPERATORS) for (const [id, signature] of overloads) declare(name, id, signature);
  for (const library of libraries) {
    for (const { name, id, signature } of library.overloads) declare(name, id, signature);
  }
  return functions;
}

function declaredTypes(libraries: readonly Library[]): Map<string, CelType> {
  const types = new Map(TYPE_NAMES);
  for (const library of libraries) for (const name of library.typeNames ?? []) types.set(name, opaqueType(name));
  return types;
}
