import {
  ANY,
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  STRING,
  TIMESTAMP,
  UINT,
  wrapperType,
} from './types.ts';

/**
 * Protobuf's well-known messages, which cel-go knows whatever the environment declares. A literal of one is the plain
 * value: `google.protobuf.Int64Value{value: 5}` is an int.
 */
interface WellKnown {
  readonly type: CelType;
  readonly fields: Readonly<Record<string, CelType>>;
}

const wrapper = (of: CelType): WellKnown => ({ type: wrapperType(of), fields: { value: of } });

const WELL_KNOWN: ReadonlyMap<string, WellKnown> = new Map<string, WellKnown>([
  ['BoolValue', wrapper(BOOL)],
  ['BytesValue', wrapper(BYTES)],
  ['DoubleValue', wrapper(DOUBLE)],
  ['FloatValue', wrapper(DOUBLE)],
  ['Int32Value', wrapper(INT)],
  ['Int64Value', wrapper(INT)],
  ['StringValue', wrapper(STRING)],
  ['UInt32Value', wrapper(UINT)],
  ['UInt64Value', wrapper(UINT)],
  ['Timestamp', { type: TIMESTAMP, fields: { seconds: INT, nanos: INT } }],
  ['Duration', { type: DURATION, fields: { seconds: INT, nanos: INT } }],
  ['Struct', { type: mapType(STRING, DYN), fields: { fields: mapType(STRING, DYN) } }],
  ['ListValue', { type: listType(DYN), fields: { values: listType(DYN) } }],
  [
    'Value',
    {
      type: DYN,
      fields: {
        null_value: INT,
        number_value: DOUBLE,
        string_value: STRING,
        bool_value: BOOL,
        struct_value: mapType(STRING, DYN),
        list_value: listType(DYN),
      },
    },
  ],
  ['Any', { type: ANY, fields: { type_url: STRING, value: BYTES } }],
  ['Empty', { type: { kind: 'struct', name: 'google.protobuf.Empty', params: [] }, fields: {} }],
]);

const PREFIX = 'google.protobuf.';

/** The message of that full name. */
export function wellKnown(name: string): WellKnown | undefined {
  return name.startsWith(PREFIX) ? WELL_KNOWN.get(name.slice(PREFIX.length)) : undefined;
}
