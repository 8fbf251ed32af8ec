import type { Opaque } from '#cel/runtime';

/** The text of a host type's value, as Go prints it. */
export function hostText(value: Opaque): string {
  return value.toString();
}
