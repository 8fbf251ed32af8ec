/** IP addresses and prefixes by the rules and with the error texts of Go's `net/netip`. */
import { atoi, quoteGo } from '#cel/runtime';

/** An address: 4 or 16 bytes, and the zone of a scoped IPv6 address. */
export interface Address {
  readonly bytes: readonly number[];
  readonly zone: string;
}

/** An address and how many of its bits are the network's. */
export interface Prefix {
  readonly address: Address;
  readonly bits: number;
}

/** Why a text is not an address or prefix; `error` is Go's text. */
export interface AddressFault {
  readonly error: string;
}

/** `netip.ParseAddr`. */
export function parseAddress(text: string): Address | AddressFault {
  const separator = /[.:%]/.exec(text)?.[0];
  if (separator === '.') {
    const bytes = parseDotted(text, text);
    return 'error' in bytes ? bytes : { bytes, zone: '' };
  }
  if (separator === ':') return parseColons(text);
  return fault(text, separator === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

function fault(text: string, message: string, at = ''): AddressFault {
  const place = at === '' ? '' : ` (at ${quoteGo(at)})`;
  return { error: `ParseAddr(${quoteGo(text)}): ${message}${place}` };
}

/** Four decimal fields; `text` is the whole address, which errors quote. */
function parseDotted(text: string, dotted: string): number[] | AddressFault {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let index = 0; index < dotted.length; index++) {
    const character = dotted.charAt(index);
    if (character >= '0' && character <= '9') {
      if (digits === 1 && value === 0) return fault(text, 'IPv4 field has octet with leading zero');
      value = value * 10 + Number(character);
      digits++;
      if (value > 255) return fault(text, 'IPv4 field has value >255');
    } else if (character === '.') {
      if (digits === 0 || index === dotted.length - 1) {
        return fault(text, 'IPv4 field must have at least one digit', dotted.slice(index));
      }
      if (fields.length === 3) return fault(text, 'IPv4 address too long');
      fields.push(value);
      value = 0;
      digits = 0;
    } else return fault(text, 'unexpected character', dotted.slice(index));
  }
  return fields.length < 3 ? fault(text, 'IPv4 address too short') : [...fields, value];
}

const HEX_RUN = /^[0-9a-fA-F]*/;

function parseColons(text: string): Address | AddressFault {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return fault(text, 'zone must be a non-empty string');
  let rest = percent < 0 ? text : text.slice(0, percent);
  const bytes: number[] = [];
  let ellipsis = -1;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
  }
  while (bytes.length < 16 && rest !== '') {
    const digits = HEX_RUN.exec(rest)?.[0] ?? '';
    if (digits.length > 4) return fault(text, 'each group must have 4 or less digits', rest);
    if (digits === '') return fault(text, 'each colon-separated field must have at least one digit', rest);
    if (rest.charAt(digits.length) === '.') {
      const embedded = parseEmbedded(text, rest, bytes.length, ellipsis >= 0);
      if ('error' in embedded) return embedded;
      bytes.push(...embedded);
      rest = '';
      break;
    }
    const group = Number.parseInt(digits, 16);
    bytes.push(group >> 8, group & 0xff);
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return fault(text, 'unexpected character, want colon', rest);
    if (rest === ':') return fault(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) return fault(text, 'multiple :: in address', rest);
      ellipsis = bytes.length;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  if (rest !== '') return fault(text, 'trailing garbage after address', rest);
  if (bytes.length === 16 && ellipsis >= 0) return fault(text, 'the :: must expand to at least one field of zeros');
  if (bytes.length < 16) {
    if (ellipsis < 0) return fault(text, 'address string too short');
    bytes.splice(ellipsis, 0, ...new Array<number>(16 - bytes.length).fill(0));
  }
  return { bytes, zone };
}

function parseEmbedded(text: string, dotted: string, before: number, compressed: boolean): number[] | AddressFault {
  if (!compressed && before !== 12) {
    return fault(text, 'embedded IPv4 address must replace the final 2 fields of the address', dotted);
  }
  if (before > 12) {
    return fault(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', dotted);
  }
  return parseDotted(text, dotted);
}

/** `netip.ParsePrefix`. */
export function parsePrefix(text: string): Prefix | AddressFault {
  const refuse = (message: string): AddressFault => ({ error: `netip.ParsePrefix(${quoteGo(text)}): ${message}` });
  const slash = text.lastIndexOf('/');
  if (slash < 0) return refuse("no '/'");
  const address = parseAddress(text.slice(0, slash));
  if ('error' in address) return refuse(address.error);
  if (address.zone !== '') return refuse('IPv6 zones cannot be present in a prefix');
  const length = text.slice(slash + 1);
  const count = /^(?:0|[1-9][0-9]*)$/.test(length) ? atoi(length) : { error: '' };
  if ('error' in count) return refuse(`bad bits after slash: ${quoteGo(length)}`);
  const bits = Number(count.value);
  return bits > address.bytes.length * 8 ? refuse('prefix length out of range') : { address, bits };
}

/** Whether an IPv6 address stands for an IPv4 one. */
export function isMapped({ bytes }: Address): boolean {
  return (
    bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  );
}

/** The canonical text (RFC 5952), without zone. */
export function addressText({ bytes }: Address): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0));
  let start = 0;
  let length = 1;
  for (let index = 0; index < 8; index++) {
    let end = index;
    while (end < 8 && groups[end] === 0) end++;
    if (end - index > length) {
      start = index;
      length = end - index;
    }
  }
  const hex = (from: number, to: number): string =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  return length < 2 ? hex(0, 8) : `${hex(0, start)}::${hex(start + length, 8)}`;
}

/** The bytes with all bits after the first `bits` zero. */
export function maskBytes(bytes: readonly number[], bits: number): readonly number[] {
  return bytes.map((byte, index) => byte & (0xff00 >> Math.max(0, Math.min(8, bits - index * 8))));
}

/** Whether a network holds an address: same family, same leading bits. */
export function prefixContains(prefix: Prefix, address: Address): boolean {
  const { bytes } = prefix.address;
  if (bytes.length !== address.bytes.length) return false;
  const network = maskBytes(bytes, prefix.bits);
  return maskBytes(address.bytes, prefix.bits).every((byte, index) => byte === network[index]);
}
