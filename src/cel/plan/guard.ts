import { mapEntries } from '../equality.ts';
import { typeName } from '../type-name.ts';
import { type CelType, parseSignature } from '../types.ts';
import { CelMap, isJsonMap, Opaque, Optional, type Value } from '../values.ts';

/** Whether arguments are of the types that a signature declares. */
export type Guard = (args: readonly Value[]) => boolean;

/** The guard of a signature, target first. Lists and maps are judged by their first element, as cel-go does. */
export function signatureGuard(signature: string): { readonly arity: number; readonly fits: Guard } {
  const { params } = parseSignature(signature);
  const tests = params.map(typeTest);
  return { arity: params.length, fits: (args) => tests.every((test, index) => test(args[index] as Value)) };
}

type Test = (value: Value) => boolean;

const RUNTIME_NAMES: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

function typeTest(type: CelType): Test {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'param':
      return () => true;
    case 'string':
      return (value) => typeof value === 'string';
    case 'list': {
      const element = typeTest(type.params[0] as CelType);
      return (value) => Array.isArray(value) && (value.length === 0 || element(value[0] as Value));
    }
    case 'map':
      return mapTest(typeTest(type.params[0] as CelType), typeTest(type.params[1] as CelType));
    case 'opaque':
      return opaqueTest(type);
    default: {
      const name = RUNTIME_NAMES[type.name] ?? type.name;
      return (value) => typeName(value) === name;
    }
  }
}

function mapTest(key: Test, value: Test): Test {
  return (map) => {
    if (!(map instanceof CelMap) && !isJsonMap(map)) return false;
    const first = mapEntries(map)[0];
    return first === undefined || (key(first[0]) && value(first[1]));
  };
}

function opaqueTest(type: CelType): Test {
  if (type.name !== 'optional_type') return (value) => value instanceof Opaque && value.typeName === type.name;
  const inner = typeTest(type.params[0] as CelType);
  return (value) => value instanceof Optional && (value.value === undefined || inner(value.value));
}
