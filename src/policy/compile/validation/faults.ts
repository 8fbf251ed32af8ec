/** Collects what is wrong with a document, in the API's own field errors (API server: apimachinery util/validation/field). */
import type { Diagnostic } from '#diagnostics';
import { type FieldPath, fieldText, goQuote } from '#kubernetes';
import type { PolicyDocument } from '../document.ts';

export interface Faults {
  required(path: FieldPath, detail?: string): void;
  invalid(path: FieldPath, value: unknown, detail: string): void;
  unsupported(path: FieldPath, value: string, supported: readonly string[]): void;
  tooMany(path: FieldPath, count: number, most: number): void;
  duplicate(path: FieldPath, value: string): void;
  forbidden(path: FieldPath, detail: string): void;
  readonly diagnostics: readonly Diagnostic[];
}

export function faultsOf(document: PolicyDocument): Faults {
  const diagnostics: Diagnostic[] = [];
  const add = (code: string, path: FieldPath, message: string, upstream: string): void => {
    const field = fieldText(path);
    diagnostics.push({
      severity: 'error',
      code,
      message,
      upstream: `${field}: ${upstream}`,
      field,
      span: document.span(path),
    });
  };
  const behind = (detail: string): string => (detail === '' ? '' : `: ${detail}`);
  return {
    diagnostics,
    required: (path, detail = '') =>
      add('required', path, `\`${lastOf(path)}\` is required${behind(detail)}`, `Required value${behind(detail)}`),
    invalid: (path, value, detail) =>
      add(
        'invalid',
        path,
        `\`${lastOf(path)}\` is not valid: ${detail}`,
        `Invalid value: ${valueText(value)}: ${detail}`,
      ),
    unsupported: (path, value, supported) => {
      const list = supported.map(goQuote).join(', ');
      const message = `\`${value}\` is not supported here: write one of ${supported.join(', ')}`;
      add('not-supported', path, message, `Unsupported value: ${goQuote(value)}: supported values: ${list}`);
    },
    tooMany: (path, count, most) =>
      add(
        'too-many',
        path,
        `\`${lastOf(path)}\` has ${count} items, ${most} are the most`,
        `Too many: ${count}: must have at most ${most} items`,
      ),
    duplicate: (path, value) =>
      add('duplicate', path, `\`${value}\` stands here twice`, `Duplicate value: ${goQuote(value)}`),
    forbidden: (path, detail) =>
      add('forbidden', path, `\`${lastOf(path)}\` may not be set: ${detail}`, `Forbidden: ${detail}`),
  };
}

function lastOf(path: FieldPath): string {
  const last = path.at(-1);
  return typeof last === 'number' ? fieldText(path.slice(-2)) : String(last ?? '');
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? goQuote(value) : JSON.stringify(value);
}
