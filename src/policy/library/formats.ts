/** Kubernetes' library of named formats. */
import { type Library, Optional, TextList, type Value } from '#cel/runtime';
import { KubernetesValue } from './kubernetes-value.ts';
import { NAMED_FORMATS, type NamedFormat } from './named-formats.ts';

/** A named format in CEL; equal to another by name. */
export class FormatValue extends KubernetesValue {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly format: NamedFormat;

  constructor(format: NamedFormat) {
    super();
    this.format = format;
  }

  override native(): Value {
    return this;
  }

  override get unhashable(): boolean {
    return true;
  }

  protected override equalsSame(other: Value): boolean | undefined {
    return other instanceof FormatValue ? this.format.name === other.format.name : undefined;
  }

  override toString(): string {
    return this.format.name;
  }
}

const VALUES: ReadonlyMap<string, FormatValue> = new Map(
  Array.from(NAMED_FORMATS, ([name, format]) => [name, new FormatValue(format)]),
);

function validate({ format }: FormatValue, text: string): Optional {
  const faults = format.faults(text);
  return faults.length === 0 ? Optional.none : new Optional(TextList.holding(faults));
}

const TYPE = 'kubernetes.NamedFormat';

/** API server: pkg/cel/library/format.go. */
export const formats: Library = {
  name: 'kubernetes.format',
  since: '1.31',
  overloads: [
    {
      name: 'format.named',
      id: 'format-named',
      signature: `(string) -> optional<${TYPE}>`,
      run: (name: string) => new Optional(VALUES.get(name)),
    },
    {
      name: 'validate',
      id: 'format-validate',
      signature: `${TYPE}.(string) -> optional<list<string>>`,
      run: validate,
    },
    ...Array.from(VALUES, ([name, value]) => ({
      name: `format.${name}`,
      id: `format-${name}`,
      signature: `() -> ${TYPE}`,
      run: () => value,
    })),
  ],
};
