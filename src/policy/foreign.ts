/**
 * Values that are no JSON to the API server's patch code, and how Go prints them where a merge refuses them. What Go
 * prints as an address has no equal here.
 */
import {
  CelMap,
  compare,
  Double,
  Duration,
  formatDouble,
  formatValue,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '#cel/runtime';
import { goQuote } from '#kubernetes';
import { Foreign } from '#merge';
import { goType } from './go-type.ts';

/** A CEL value that is no JSON. */
export class ForeignValue extends Foreign {
  readonly goType: string;
  readonly value: Value;
  readonly #error: string | undefined;

  /** `error`: the text of the error that stands in the value's place. */
  constructor(type: string, value: Value, error?: string) {
    super();
    this.goType = type;
    this.value = value;
    this.#error = error;
  }

  override plain(): string {
    if (this.#error !== undefined) return this.#error;
    const { value } = this;
    if (value === null) return 'NULL_VALUE';
    if (Array.isArray(value)) return `[${value.map(formatValue).join(' ')}]`;
    if (value instanceof CelMap) {
      return `map[${entries(value)
        .map(([key, item]) => `${formatValue(key)}:${formatValue(item)}`)
        .join(' ')}]`;
    }
    if (value instanceof Opaque && this.goType === '*types.Err') return 'no such overload';
    return formatValue(value);
  }

  override syntax(): string {
    const { value, goType: type } = this;
    if (Array.isArray(value)) return `${type}{${value.map((item) => refSyntax(item)).join(', ')}}`;
    if (value instanceof CelMap) {
      const printed = entries(value).map(([key, item]) => `${refSyntax(key)}:${refSyntax(item)}`);
      return `${type}{${printed.join(', ')}}`;
    }
    if (value instanceof Duration) return String(value.nanos);
    if (value instanceof Uint8Array) return bytesSyntax('[]uint8', value);
    return refSyntax(value, type);
  }
}

/** The entries of a map as Go prints them: by key. */
function entries(map: CelMap): readonly (readonly [Value, Value])[] {
  return [...map.entries.values()].sort(([a], [b]) => {
    const order = compare(a, b);
    return typeof order === 'number' ? order : 0;
  });
}

/** `%#v` of what cel-go holds inside lists and maps. */
function refSyntax(value: Value, type = `*${goType(value)}`): string {
  if (typeof value === 'string') return goQuote(value);
  if (value === null) return '0';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : formatDouble(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Double) return formatDouble(value.value);
  if (value instanceof Uint) return `0x${value.value.toString(16)}`;
  if (value instanceof Timestamp) return timeSyntax(value);
  if (value instanceof Duration) return `types.Duration{Duration:${value.nanos}}`;
  if (value instanceof Uint8Array) return bytesSyntax('types.Bytes', value);
  const pointed =
    value instanceof Optional
      ? '*types.Optional'
      : value instanceof TypeValue
        ? '*types.Type'
        : Array.isArray(value)
          ? '*types.baseList'
          : value instanceof Opaque
            ? type
            : '*types.baseMap';
  return `(${pointed})(0x0)`;
}

function bytesSyntax(type: string, bytes: Uint8Array): string {
  return `${type}{${Array.from(bytes, (byte) => `0x${byte.toString(16)}`).join(', ')}}`;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function timeSyntax({ nanos }: Timestamp): string {
  const fraction = ((nanos % NANOS) + NANOS) % NANOS;
  const date = new Date(Number((nanos - fraction) / NANOS) * 1000);
  const month = MONTHS[date.getUTCMonth()] ?? '';
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), fraction].join(', ');
  return `time.Date(${date.getUTCFullYear()}, time.${month}, ${date.getUTCDate()}, ${time}, time.UTC)`;
}

const NANOS = 1_000_000_000n;
