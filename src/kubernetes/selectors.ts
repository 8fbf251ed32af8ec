/** Label selectors: parsing with the API server's errors, and matching (API server: apimachinery labels, metav1 helpers). */
import { isJsonObject, type Json, own } from './json.ts';
import { labelValue, qualifiedName } from './names.ts';
import type { LabelSelector } from './policies.ts';

export type Labels = Readonly<Record<string, string>>;

/** A parsed selector: all requirements must hold. Empty means everything. */
export interface Selector {
  readonly requirements: readonly Requirement[];
}

interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

const WITH_VALUES: ReadonlySet<string> = new Set(['In', 'NotIn']);
const OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

/** The selector of a LabelSelector, or the text of the first error that the API server's parser gives. */
export function parseSelector(selector: LabelSelector): Selector | { readonly error: string } {
  const requirements: Requirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    const error = requirementError(key, 'In', [value]);
    if (error !== undefined) return { error };
    requirements.push({ key, operator: 'In', values: [value] });
  }
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (!isOperator(operator)) return { error: `${JSON.stringify(operator)} is not a valid label selector operator` };
    const error = requirementError(key, operator, values);
    if (error !== undefined) return { error };
    requirements.push({ key, operator, values });
  }
  return { requirements };
}

/** Whether labels meet a selector: `NotIn` and `DoesNotExist` hold for absent keys. */
export function selectorMatches(selector: Selector, labels: Labels): boolean {
  return selector.requirements.every((requirement) =>
    meets(requirement, Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined),
  );
}

function meets({ operator, values }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}

/**
 * The labels of an object. As the API server reads unstructured objects: null values count as empty strings, and one
 * value that is no string makes all labels vanish.
 */
export function labelsOf(object: Json | undefined): Labels {
  if (!isJsonObject(object)) return {};
  const metadata = own(object, 'metadata');
  const labels = isJsonObject(metadata) ? own(metadata, 'labels') : undefined;
  if (!isJsonObject(labels)) return {};
  const entries: [string, string][] = [];
  for (const [key, value] of Object.entries(labels)) {
    if (value !== null && typeof value !== 'string') return {};
    entries.push([key, value ?? '']);
  }
  return Object.fromEntries(entries);
}

function isOperator(text: string): text is Requirement['operator'] {
  return OPERATORS.has(text);
}

function requirementError(
  key: string,
  operator: Requirement['operator'],
  values: readonly string[],
): string | undefined {
  const faults: string[] = [];
  const keyFaults = qualifiedName(key);
  if (keyFaults.length > 0) faults.push(`key: Invalid value: ${JSON.stringify(key)}: ${keyFaults.join('; ')}`);
  if (WITH_VALUES.has(operator)) {
    if (values.length === 0) {
      faults.push("values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty");
    }
  } else if (values.length > 0) {
    faults.push(
      `values: Invalid value: ${JSON.stringify(values)}: values set must be empty for exists and does not exist`,
    );
  }
  values.forEach((value, index) => {
    const valueFaults = labelValue(value);
    if (valueFaults.length > 0) {
      faults.push(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${valueFaults.join('; ')}`);
    }
  });
  if (faults.length === 0) return undefined;
  return faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`;
}
