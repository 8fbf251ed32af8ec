/**
 * Declarations of what the planner evaluates itself: operators, `size`, `type`, `dyn`, optionals and the helpers of macro
 * expansions. Rows are `[overload id, signature]` in cel-go's order, since the first overload that fits decides a
 * call's type. Their meaning is in `../plan/`.
 */
export interface OperatorDeclaration {
  readonly name: string;
  readonly overloads: readonly (readonly [id: string, signature: string])[];
}

const ORDERED = [
  ['bool', 'bool', 'bool'],
  ['int64', 'int', 'int'],
  ['int64_double', 'int', 'double'],
  ['int64_uint64', 'int', 'uint'],
  ['uint64', 'uint', 'uint'],
  ['uint64_double', 'uint', 'double'],
  ['uint64_int64', 'uint', 'int'],
  ['double', 'double', 'double'],
  ['double_int64', 'double', 'int'],
  ['double_uint64', 'double', 'uint'],
  ['string', 'string', 'string'],
  ['bytes', 'bytes', 'bytes'],
  ['timestamp', 'timestamp', 'timestamp'],
  ['duration', 'duration', 'duration'],
] as const;

function ordering(name: string, id: string): OperatorDeclaration {
  return {
    name,
    overloads: ORDERED.map(([suffix, left, right]) => [`${id}_${suffix}`, `(${left}, ${right}) -> bool`]),
  };
}

export const OPERATORS: readonly OperatorDeclaration[] = [
  { name: '_?_:_', overloads: [['conditional', '(bool, T, T) -> T']] },
  { name: '_&&_', overloads: [['logical_and', '(bool, bool) -> bool']] },
  { name: '_||_', overloads: [['logical_or', '(bool, bool) -> bool']] },
  { name: '!_', overloads: [['logical_not', '(bool) -> bool']] },
  { name: '@not_strictly_false', overloads: [['not_strictly_false', '(bool) -> bool']] },
  { name: '_==_', overloads: [['equals', '(T, T) -> bool']] },
  { name: '_!=_', overloads: [['not_equals', '(T, T) -> bool']] },
  {
    name: '_+_',
    overloads: [
      ['add_bytes', '(bytes, bytes) -> bytes'],
      ['add_double', '(double, double) -> double'],
      ['add_duration_duration', '(duration, duration) -> duration'],
      ['add_duration_timestamp', '(duration, timestamp) -> timestamp'],
      ['add_timestamp_duration', '(timestamp, duration) -> timestamp'],
      ['add_int64', '(int, int) -> int'],
      ['add_list', '(list<T>, list<T>) -> list<T>'],
      ['add_string', '(string, string) -> string'],
      ['add_uint64', '(uint, uint) -> uint'],
    ],
  },
  {
    name: '_/_',
    overloads: [
      ['divide_double', '(double, double) -> double'],
      ['divide_int64', '(int, int) -> int'],
      ['divide_uint64', '(uint, uint) -> uint'],
    ],
  },
  {
    name: '_%_',
    overloads: [
      ['modulo_int64', '(int, int) -> int'],
      ['modulo_uint64', '(uint, uint) -> uint'],
    ],
  },
  {
    name: '_*_',
    overloads: [
      ['multiply_double', '(double, double) -> double'],
      ['multiply_int64', '(int, int) -> int'],
      ['multiply_uint64', '(uint, uint) -> uint'],
    ],
  },
  {
    name: '-_',
    overloads: [
      ['negate_double', '(double) -> double'],
      ['negate_int64', '(int) -> int'],
    ],
  },
  {
    name: '_-_',
    overloads: [
      ['subtract_double', '(double, double) -> double'],
      ['subtract_duration_duration', '(duration, duration) -> duration'],
      ['subtract_int64', '(int, int) -> int'],
      ['subtract_timestamp_duration', '(timestamp, duration) -> timestamp'],
      ['subtract_timestamp_timestamp', '(timestamp, timestamp) -> duration'],
      ['subtract_uint64', '(uint, uint) -> uint'],
    ],
  },
  ordering('_<_', 'less'),
  ordering('_<=_', 'less_equals'),
  ordering('_>_', 'greater'),
  ordering('_>=_', 'greater_equals'),
  {
    name: '_[_]',
    overloads: [
      ['index_list', '(list<T>, int) -> T'],
      ['index_map', '(map<K, V>, K) -> V'],
      ['optional_list_index_int', '(optional<list<V>>, int) -> optional<V>'],
      ['optional_map_index_value', '(optional<map<K, V>>, K) -> optional<V>'],
    ],
  },
  {
    name: '_[?_]',
    overloads: [
      ['list_optindex_optional_int', '(list<V>, int) -> optional<V>'],
      ['optional_list_optindex_optional_int', '(optional<list<V>>, int) -> optional<V>'],
      ['map_optindex_optional_value', '(map<K, V>, K) -> optional<V>'],
      ['optional_map_optindex_optional_value', '(optional<map<K, V>>, K) -> optional<V>'],
    ],
  },
  {
    name: '@in',
    overloads: [
      ['in_list', '(T, list<T>) -> bool'],
      ['in_map', '(K, map<K, V>) -> bool'],
    ],
  },
  {
    name: 'size',
    overloads: [
      ['size_bytes', '(bytes) -> int'],
      ['bytes_size', 'bytes.() -> int'],
      ['size_list', '(list<T>) -> int'],
      ['list_size', 'list<T>.() -> int'],
      ['size_map', '(map<K, V>) -> int'],
      ['map_size', 'map<K, V>.() -> int'],
      ['size_string', '(string) -> int'],
      ['string_size', 'string.() -> int'],
    ],
  },
  { name: 'type', overloads: [['type', '(T) -> type<T>']] },
  { name: 'dyn', overloads: [['to_dyn', '(T) -> dyn']] },
  { name: 'contains', overloads: [['contains_string', 'string.(string) -> bool']] },
  { name: 'startsWith', overloads: [['starts_with_string', 'string.(string) -> bool']] },
  { name: 'endsWith', overloads: [['ends_with_string', 'string.(string) -> bool']] },
  {
    name: 'matches',
    overloads: [
      ['matches', '(string, string) -> bool'],
      ['matches_string', 'string.(string) -> bool'],
    ],
  },
  { name: 'optional.of', overloads: [['optional_of', '(V) -> optional<V>']] },
  { name: 'optional.ofNonZeroValue', overloads: [['optional_ofNonZeroValue', '(V) -> optional<V>']] },
  { name: 'optional.none', overloads: [['optional_none', '() -> optional<V>']] },
  { name: 'value', overloads: [['optional_value', 'optional<V>.() -> V']] },
  { name: 'hasValue', overloads: [['optional_hasValue', 'optional<V>.() -> bool']] },
  { name: 'or', overloads: [['optional_or_optional', 'optional<V>.(optional<V>) -> optional<V>']] },
  { name: 'orValue', overloads: [['optional_orValue_value', 'optional<V>.(V) -> V']] },
  { name: 'first', overloads: [['list_first', 'list<V>.() -> optional<V>']] },
  { name: 'last', overloads: [['list_last', 'list<V>.() -> optional<V>']] },
  { name: 'optional.unwrap', overloads: [['optional_unwrap', '(list<optional<V>>) -> list<V>']] },
  { name: 'unwrapOpt', overloads: [['optional_unwrapOpt', 'list<optional<V>>.() -> list<V>']] },
  {
    name: 'cel.@mapInsert',
    overloads: [
      ['@mapInsert_map_key_value', '(map<K, V>, K, V) -> map<K, V>'],
      ['@mapInsert_map_map', '(map<K, V>, map<K, V>) -> map<K, V>'],
    ],
  },
];
