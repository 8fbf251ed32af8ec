import { CelError, Opaque, Unconverted, type Value } from '#cel/runtime';
import { goType } from '../go-type.ts';

/** A value of a Kubernetes type: equal to nothing of another type, but for null an error says so. */
export abstract class KubernetesValue extends Opaque {
  override get flatEquality(): boolean {
    return true;
  }

  override get goType(): string {
    return `cel.${this.typeName.replace(/^(kubernetes|net)\.(Named)?/, '')}`;
  }

  override native(): Value {
    const type = goType(this);
    return new Unconverted(
      new CelError(type === '*types.Err' ? 'no such overload' : `unsupported conversion to ref.Val: (${type})${this}`),
    );
  }

  override equals(other: Value): boolean | CelError {
    if (other === null) return false;
    return this.equalsSame(other) ?? new CelError('no such overload');
  }

  /** Equality with a value of the same type; `undefined` when the other is of another type or has no equality. */
  protected abstract equalsSame(other: Value): boolean | undefined;

  /** The text that error messages quote. */
  abstract override toString(): string;
}

/**
 * The `specialize` of a function whose one argument is a text: the constant is read once, and then each call makes a value
 * of what was read.
 */
export function readOnce<T>(
  read: (text: string) => T | CelError,
  make: (parsed: T) => Value,
): (constants: readonly (Value | undefined)[]) => (() => Value | CelError) | undefined {
  return ([text, ...rest]) => {
    if (typeof text !== 'string' || rest.length > 0) return undefined;
    const parsed = read(text);
    return () => (parsed instanceof CelError ? parsed : make(parsed));
  };
}
