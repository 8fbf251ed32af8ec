/** Kubernetes' IP address library. */
import { CelError, type Library, quoteGo, type Value } from '#cel/runtime';
import { type Address, addressText, isMapped, parseAddress } from './address.ts';
import { KubernetesValue, readOnce } from './kubernetes-value.ts';

/** An IP address in CEL; never zoned, never IPv4-mapped. */
export class IpValue extends KubernetesValue {
  readonly typeName = 'net.IP';
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  protected override equalsSame(other: Value): boolean | undefined {
    if (!(other instanceof IpValue)) return undefined;
    const { bytes } = other.address;
    return (
      bytes.length === this.address.bytes.length && bytes.every((byte, index) => byte === this.address.bytes[index])
    );
  }

  override costSize(): number {
    return this.address.bytes.length;
  }

  override toString(): string {
    return addressText(this.address);
  }
}

/** The address of a text, or the error of `ip()`. */
export function parseIp(text: string): Address | CelError {
  const address = parseAddress(text);
  if ('error' in address) {
    return new CelError(`IP Address ${quoteGo(text)} parse error during conversion from string: ${address.error}`);
  }
  if (address.zone !== '') return new CelError(`IP address ${quoteGo(text)} with zone value is not allowed`);
  return isMapped(address) ? new CelError(`IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed`) : address;
}

function ip(text: string): IpValue | CelError {
  const address = parseIp(text);
  return address instanceof CelError ? address : new IpValue(address);
}

function isCanonical(text: string): boolean | CelError {
  const address = parseIp(text);
  return address instanceof CelError ? address : addressText(address) === text;
}

type Bytes = readonly number[];

function isV4(bytes: Bytes): boolean {
  return bytes.length === 4;
}

function at(bytes: Bytes, index: number): number {
  return bytes[index] ?? 0;
}

function isUnspecified(bytes: Bytes): boolean {
  return bytes.every((byte) => byte === 0);
}

function isLoopback(bytes: Bytes): boolean {
  return isV4(bytes) ? bytes[0] === 127 : isUnspecified(bytes.slice(0, 15)) && bytes[15] === 1;
}

function isMulticast(bytes: Bytes): boolean {
  return isV4(bytes) ? (at(bytes, 0) & 0xf0) === 0xe0 : bytes[0] === 0xff;
}

function isLinkLocalMulticast(bytes: Bytes): boolean {
  if (isV4(bytes)) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 0xff && (at(bytes, 1) & 0x0f) === 2;
}

function isLinkLocalUnicast(bytes: Bytes): boolean {
  if (isV4(bytes)) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && (at(bytes, 1) & 0xc0) === 0x80;
}

/** Private ranges are global here. */
function isGlobalUnicast(bytes: Bytes): boolean {
  const broadcast = isV4(bytes) && bytes.every((byte) => byte === 255);
  const special = isUnspecified(bytes) || isLoopback(bytes) || isMulticast(bytes) || isLinkLocalUnicast(bytes);
  return !broadcast && !special;
}

const PREDICATES: readonly (readonly [name: string, id: string, holds: (bytes: Bytes) => boolean])[] = [
  ['isUnspecified', 'ip_is_unspecified', isUnspecified],
  ['isLoopback', 'ip_is_loopback', isLoopback],
  ['isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast],
  ['isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast],
  ['isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast],
];

/** API server: pkg/cel/library/ip.go. */
export const ips: Library = {
  name: 'net.ip',
  since: '1.30',
  typeNames: ['net.IP'],
  overloads: [
    {
      name: 'ip',
      id: 'string_to_ip',
      signature: '(string) -> net.IP',
      run: ip,
      specialize: readOnce(ip, (value) => value),
    },
    {
      name: 'family',
      id: 'ip_family',
      signature: 'net.IP.() -> int',
      run: ({ address }: IpValue) => (isV4(address.bytes) ? 4 : 6),
    },
    { name: 'ip.isCanonical', id: 'ip_is_canonical', signature: '(string) -> bool', run: isCanonical },
    ...PREDICATES.map(([name, id, holds]) => ({
      name,
      id,
      signature: 'net.IP.() -> bool',
      run: ({ address }: IpValue) => holds(address.bytes),
    })),
    {
      name: 'isIP',
      id: 'is_ip',
      signature: '(string) -> bool',
      run: (text: string) => !(parseIp(text) instanceof CelError),
    },
    { name: 'string', id: 'ip_to_string', signature: '(net.IP) -> string', run: String },
  ],
};
