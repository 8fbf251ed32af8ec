/**
 * Checks that data has the shape of a type before it is taken for one. A check returns nothing, or where the data is
 * wrong: a bundle is trusted by nobody until it has passed.
 */

/** The place and nature of the first fault, or `undefined`. */
export type Check = (value: unknown, place: string) => string | undefined;

export const isString: Check = (value, place) => (typeof value === 'string' ? undefined : `${place} is not a string`);
export const isBoolean: Check = (value, place) =>
  typeof value === 'boolean' ? undefined : `${place} is not a boolean`;
export const isAnything: Check = () => undefined;

export const isPlainObject: Check = (value, place) => (isRecord(value) ? undefined : `${place} is not an object`);

export function isOneOf(...allowed: readonly unknown[]): Check {
  return (value, place) =>
    allowed.includes(value) ? undefined : `${place} is not one of ${allowed.map(String).join(', ')}`;
}

export function listOf(check: Check): Check {
  return (value, place) => {
    if (!Array.isArray(value)) return `${place} is not a list`;
    return firstFault(value.map((item, index) => () => check(item, `${place}[${index}]`)));
  };
}

export function mapOf(check: Check): Check {
  return (value, place) =>
    isRecord(value)
      ? firstFault(
          Object.entries(value).map(
            ([key, item]) =>
              () =>
                check(item, `${place}.${key}`),
          ),
        )
      : `${place} is not an object`;
}

/** Fields ending in `?` may be absent; other fields than these are a fault. */
export function fields(shape: Readonly<Record<string, Check>>): Check {
  const known = new Map(
    Object.entries(shape).map(([name, check]) => [name.replace('?', ''), { check, optional: name.endsWith('?') }]),
  );
  return (value, place) => {
    if (!isRecord(value)) return `${place} is not an object`;
    const unknown = Object.keys(value).find((name) => !known.has(name));
    if (unknown !== undefined) return `${place} has an unknown field ${unknown}`;
    return firstFault(
      [...known].map(([name, { check, optional }]) => () => {
        if (!Object.hasOwn(value, name) || value[name] === undefined)
          return optional ? undefined : `${place}.${name} is missing`;
        return check(value[name], `${place}.${name}`);
      }),
    );
  };
}

/** Passes when one of the checks does. */
export function either(...checks: readonly Check[]): Check {
  return (value, place) => {
    const faults = checks.map((check) => check(value, place));
    return faults.includes(undefined) ? undefined : faults[0];
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function firstFault(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const fault = check();
    if (fault !== undefined) return fault;
  }
  return undefined;
}
