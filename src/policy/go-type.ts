/** The Go types behind CEL values, as they appear in the API server's texts. */
import { CelMap, Double, Duration, Opaque, Optional, Timestamp, TypeValue, Uint, type Value } from '#cel/runtime';

/** Go types of host values by their CEL type; values that cannot leave CEL are error values there. */
const HOST_TYPES: Readonly<Record<string, string>> = {
  JSONPatch: '*mutation.JSONPatchVal',
  'kubernetes.NamedFormat': 'cel.Format',
  'kubernetes.Quantity': '*resource.Quantity',
  'kubernetes.Semver': 'semver.Version',
  'kubernetes.URL': '*url.URL',
  'net.CIDR': 'netip.Prefix',
  'net.IP': 'netip.Addr',
};

/** What `%T` prints of a value's Go form. Lists and maps are taken as literals. */
export function goType(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
  }
  if (value === null) return 'structpb.NullValue';
  if (value instanceof Double) return 'float64';
  if (value instanceof Uint) return 'uint64';
  if (value instanceof Uint8Array) return '[]uint8';
  if (value instanceof Timestamp) return 'time.Time';
  if (value instanceof Duration) return 'time.Duration';
  if (value instanceof TypeValue) return 'string';
  if (value instanceof Optional) return value.value === undefined ? '<nil>' : goType(value.value);
  if (Array.isArray(value)) return '[]ref.Val';
  if (value instanceof CelMap) return 'map[ref.Val]ref.Val';
  if (value instanceof Opaque)
    return Object.hasOwn(HOST_TYPES, value.typeName) ? (HOST_TYPES[value.typeName] ?? '') : '*types.Err';
  return 'map[string]interface {}';
}
