/** Values as Go's `%v` prints cel-go's values, for the error texts that quote them. */
import { mapEntries } from './equality.ts';
import { formatDouble } from './go-numbers.ts';
import { civilFromSeconds, nanosOfSecond, unixSeconds } from './time.ts';
import {
  CelMap,
  Double,
  Duration,
  isJsonMap,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts';

/** The `%v` text of a value: `1e+06`, `[97 98]` for bytes, `{a: 1}`, `1m30s`; a host type's own `toString()`. */
export function formatValue(value: Value): string {
  if (value === null) return '0';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : formatDouble(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Double) return formatDouble(value.value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return `[${value.join(' ')}]`;
  if (value instanceof Timestamp) return formatGoTime(value);
  if (value instanceof Duration) return formatGoDuration(value.nanos);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Optional)
    return value.value === undefined ? 'optional.none()' : `optional(${formatValue(value.value)})`;
  if (value instanceof Opaque) return String(value);
  if (value instanceof CelMap || isJsonMap(value)) {
    return `{${mapEntries(value)
      .map(([key, entry]) => `${formatValue(key)}: ${formatValue(entry)}`)
      .join(', ')}}`;
  }
  return `[${value.map(formatValue).join(', ')}]`;
}

function formatGoTime(timestamp: Timestamp): string {
  const civil = civilFromSeconds(Number(unixSeconds(timestamp)) + timestamp.offset);
  const two = (number: number) => String(number).padStart(2, '0');
  const fraction = nanosOfSecond(timestamp).toString().padStart(9, '0').replace(/0+$/, '');
  const date = `${String(civil.year).padStart(4, '0')}-${two(civil.month)}-${two(civil.day)}`;
  const time = `${two(civil.hour)}:${two(civil.minute)}:${two(civil.second)}${fraction ? `.${fraction}` : ''}`;
  const minutes = Math.trunc(Math.abs(timestamp.offset) / 60);
  const zone = `${timestamp.offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}${two(minutes % 60)}`;
  return `${date} ${time} ${zone} ${timestamp.offset === 0 ? 'UTC' : zone}`;
}

const SUBSECOND_UNITS: readonly (readonly [nanos: bigint, unit: string])[] = [
  [1_000_000n, 'ms'],
  [1_000n, '\u00b5s'],
  [1n, 'ns'],
];

/** `time.Duration.String()`: `1h0m5.5s`, `1.5ms`, `0s`. */
export function formatGoDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const magnitude = nanos < 0n ? -nanos : nanos;
  if (magnitude < 1_000_000_000n) {
    const [scale, unit] = SUBSECOND_UNITS.find(([least]) => magnitude >= least) ?? [1n, 'ns'];
    return `${sign}${decimal(magnitude, scale)}${unit}`;
  }
  const hours = magnitude / 3_600_000_000_000n;
  const minutes = (magnitude / 60_000_000_000n) % 60n;
  const seconds = `${decimal(magnitude % 60_000_000_000n, 1_000_000_000n)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

function decimal(value: bigint, scale: bigint): string {
  const digits = String(scale).length - 1;
  const fraction = String(value % scale)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return `${value / scale}${digits > 0 && fraction ? `.${fraction}` : ''}`;
}
