/** Paths to values inside an object. */

export type FieldPath = readonly (string | number)[];

/** As the API prints it: `spec.validations[0].expression`. */
export function fieldText(path: FieldPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}
