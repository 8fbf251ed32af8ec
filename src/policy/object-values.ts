/**
 * The run-time values of `Object{…}`, `Object.spec{…}` and `JSONPatch{…}` literals (API server: pkg/cel/mutation). They hold
 * CEL values by field; what they become in a patch is decided when the expression has ended.
 */
import { CelError, CelMap, equal, Opaque, type Result, typeName, type Value } from '#cel/runtime';
import { goQuote } from '#kubernetes';
import { goType } from './go-type.ts';

export class ObjectValue extends Opaque {
  override readonly typeName: string;
  /** In the order of the literal. */
  readonly fields: ReadonlyMap<string, Value>;

  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.typeName = typeName;
    this.fields = fields;
  }

  override native(): Value {
    return new CelMap(this.fields);
  }

  /** Every field exists; one that is not set is null. */
  override get(field: string): Result {
    return this.fields.get(field) ?? null;
  }

  override has(field: string): boolean {
    return this.fields.has(field);
  }

  override equals(other: Value): boolean | CelError {
    if (!(other instanceof ObjectValue)) return false;
    if (this.typeName !== other.typeName || this.fields.size !== other.fields.size) return false;
    return [...this.fields].every(([name, value]) => {
      const theirs = other.fields.get(name);
      return theirs !== undefined && sameRaw(value, theirs);
    });
  }
}

/** Equality of Go's reflection: int, uint and double are apart, and two lists are never equal unless they are one. */
function sameRaw(a: Value, b: Value): boolean {
  if (a === b) return true;
  return typeName(a) === typeName(b) && !Array.isArray(a) && equal(a, b) === true;
}

const PATCH_FIELDS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

export class JsonPatchValue extends Opaque {
  override readonly typeName = 'JSONPatch';
  readonly op: string;
  readonly path: string;
  readonly from: string;
  /** `undefined` when the literal did not set it. */
  readonly value: Value | undefined;

  constructor(texts: { readonly op: string; readonly path: string; readonly from: string }, value: Value | undefined) {
    super();
    this.op = texts.op;
    this.path = texts.path;
    this.from = texts.from;
    this.value = value;
  }

  override get(field: string): Result {
    if (field === 'op') return this.op;
    if (field === 'path') return this.path;
    if (field === 'from') return this.from;
    if (field === 'value') return this.value ?? null;
    return new CelError(`unsupported indexer: ${field}`);
  }

  override has(field: string): boolean {
    return field === 'value' ? this.value !== undefined : PATCH_FIELDS.has(field) && this.get(field) !== '';
  }

  override equals(other: Value): boolean | CelError {
    if (!(other instanceof JsonPatchValue)) return false;
    if (this.op !== other.op || this.path !== other.path || this.from !== other.from) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value);
  }
}

/** What the planner makes of a struct literal whose fields have been evaluated. */
export const patchStructs = {
  create(typeName: string, fields: ReadonlyMap<string, Value>): Value | CelError | undefined {
    if (typeName === 'Object' || typeName.startsWith('Object.')) return new ObjectValue(typeName, fields);
    if (typeName !== 'JSONPatch') return undefined;
    const texts = { op: '', path: '', from: '' };
    let value: Value | undefined;
    for (const [name, field] of fields) {
      if (name === 'value') value = field;
      else if (name === 'op' || name === 'path' || name === 'from') {
        if (typeof field !== 'string') {
          return new CelError(`unexpected type ${goType(field)} for JSONPatchType '${name}' field`);
        }
        texts[name] = field;
      } else return new CelError(`unexpected JSONPatchType field: ${name}`);
    }
    return new JsonPatchValue(texts, value);
  },
};

/**
 * Whether the type name of every nested Object is its path from the root: the texts of those that are not (API server:
 * pkg/cel/mutation/dynamic/objects.go typeCheck). Lists and maps add nothing to the path; optionals are not looked into.
 */
export function typeNameFaults(value: Value, path: string): readonly string[] {
  const faults: string[] = [];
  collectFaults(value, path, faults);
  return faults;
}

function collectFaults(value: Value, path: string, faults: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof ObjectValue) {
    if (value.typeName !== path) {
      faults.push(
        `unexpected type name ${goQuote(value.typeName)}, expected ${goQuote(path)}, which matches field name path from root Object type`,
      );
    }
    for (const [name, field] of value.fields) {
      if (typeof field === 'object' && field !== null) collectFaults(field, `${path}.${name}`, faults);
    }
  } else if (Array.isArray(value)) {
    for (const item of value) collectFaults(item, path, faults);
  } else if (value instanceof CelMap) {
    for (const [, item] of value.entries.values()) collectFaults(item, path, faults);
  }
}
