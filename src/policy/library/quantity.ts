/** Kubernetes' quantity library. A comparison may change its receiver for good, as it does upstream. */
import { CelError, double, type Int, type Library, normalizeInt, type Value } from '#cel/runtime';
import {
  addQuantities,
  approximateQuantity,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  promoteQuantity,
  type Quantity,
  quantityEquals,
  quantityInteger,
  quantityOf,
  quantitySign,
  subtractQuantities,
} from '#kubernetes';
import { KubernetesValue, readOnce } from './kubernetes-value.ts';

/** A quantity in CEL. */
export class QuantityValue extends KubernetesValue {
  readonly typeName = 'kubernetes.Quantity';
  /** k8s: results of `add` and `sub` are pointers, which equality does not know as quantities on its right. */
  readonly computed: boolean;
  #quantity: Quantity;

  constructor(quantity: Quantity, computed = false) {
    super();
    this.#quantity = quantity;
    this.computed = computed;
  }

  get quantity(): Quantity {
    return this.#quantity;
  }

  /** The order of two quantities. k8s: `Cmp` turns an int64 receiver into a decimal when the argument is one. */
  compareTo(other: QuantityValue): -1 | 0 | 1 {
    if (other.#quantity.form === 'd') this.#quantity = promoteQuantity(this.#quantity);
    return compareQuantities(this.#quantity, other.#quantity);
  }

  protected override equalsSame(other: Value): boolean | undefined {
    if (!(other instanceof QuantityValue) || other.computed) return undefined;
    return quantityEquals(this.#quantity, other.#quantity);
  }

  override toString(): string {
    return canonicalQuantity(this.#quantity);
  }
}

function parse(text: string): Quantity | CelError {
  const quantity = parseQuantity(text);
  return 'error' in quantity ? new CelError(quantity.error) : quantity;
}

function quantity(text: string): QuantityValue | CelError {
  const parsed = parse(text);
  return parsed instanceof CelError ? parsed : new QuantityValue(parsed);
}

/** An int as a quantity; upstream writes it with an exponent. */
function ofInt(value: Int): Quantity {
  return { ...quantityOf(BigInt(value)), format: 'DecimalExponent' };
}

function integer(value: QuantityValue): Int | CelError {
  const whole = quantityInteger(value.quantity);
  return whole === undefined ? new CelError('cannot convert value to integer') : normalizeInt(whole);
}

const TYPE = 'kubernetes.Quantity';

/** API server: pkg/cel/library/quantity.go. */
export const quantities: Library = {
  name: 'kubernetes.quantity',
  since: '1.28',
  overloads: [
    {
      name: 'quantity',
      id: 'string_to_quantity',
      signature: `(string) -> ${TYPE}`,
      run: quantity,
      specialize: readOnce(parse, (parsed) => new QuantityValue(parsed)),
    },
    {
      name: 'isQuantity',
      id: 'is_quantity_string',
      signature: '(string) -> bool',
      run: (text: string) => !('error' in parseQuantity(text)),
    },
    {
      name: 'sign',
      id: 'quantity_sign',
      signature: `(${TYPE}) -> int`,
      run: (value: QuantityValue) => quantitySign(value.quantity),
    },
    {
      name: 'isGreaterThan',
      id: 'quantity_is_greater_than',
      signature: `${TYPE}.(${TYPE}) -> bool`,
      run: (left: QuantityValue, right: QuantityValue) => left.compareTo(right) > 0,
    },
    {
      name: 'isLessThan',
      id: 'quantity_is_less_than',
      signature: `${TYPE}.(${TYPE}) -> bool`,
      run: (left: QuantityValue, right: QuantityValue) => left.compareTo(right) < 0,
    },
    {
      name: 'compareTo',
      id: 'quantity_compare_to',
      signature: `${TYPE}.(${TYPE}) -> int`,
      run: (left: QuantityValue, right: QuantityValue) => left.compareTo(right),
    },
    {
      name: 'asApproximateFloat',
      id: 'quantity_get_float',
      signature: `${TYPE}.() -> double`,
      run: (value: QuantityValue) => double(approximateQuantity(value.quantity)),
    },
    { name: 'asInteger', id: 'quantity_get_int', signature: `${TYPE}.() -> int`, run: integer },
    {
      name: 'isInteger',
      id: 'quantity_is_integer',
      signature: `${TYPE}.() -> bool`,
      run: (value: QuantityValue) => quantityInteger(value.quantity) !== undefined,
    },
    {
      name: 'add',
      id: 'quantity_add',
      signature: `${TYPE}.(${TYPE}) -> ${TYPE}`,
      run: (left: QuantityValue, right: QuantityValue) =>
        new QuantityValue(addQuantities(left.quantity, right.quantity), true),
    },
    {
      name: 'add',
      id: 'quantity_add_int',
      signature: `${TYPE}.(int) -> ${TYPE}`,
      run: (left: QuantityValue, right: Int) => new QuantityValue(addQuantities(left.quantity, ofInt(right)), true),
    },
    {
      name: 'sub',
      id: 'quantity_sub',
      signature: `${TYPE}.(${TYPE}) -> ${TYPE}`,
      run: (left: QuantityValue, right: QuantityValue) =>
        new QuantityValue(subtractQuantities(left.quantity, right.quantity), true),
    },
    {
      name: 'sub',
      id: 'quantity_sub_int',
      signature: `${TYPE}.(int) -> ${TYPE}`,
      run: (left: QuantityValue, right: Int) =>
        new QuantityValue(subtractQuantities(left.quantity, ofInt(right)), true),
    },
  ],
};
