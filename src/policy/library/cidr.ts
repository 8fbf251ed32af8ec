/** Kubernetes' network prefix library. */
import { CelError, type Library, quoteGo, type Value } from '#cel/runtime';
import { addressText, isMapped, maskBytes, type Prefix, parsePrefix, prefixContains } from './address.ts';
import { IpValue, parseIp } from './ip.ts';
import { KubernetesValue, readOnce } from './kubernetes-value.ts';

/** A prefix in CEL; the bits of the host are kept. */
export class CidrValue extends KubernetesValue {
  readonly typeName = 'net.CIDR';
  readonly prefix: Prefix;

  constructor(prefix: Prefix) {
    super();
    this.prefix = prefix;
  }

  protected override equalsSame(other: Value): boolean | undefined {
    return other instanceof CidrValue ? this.toString() === other.toString() : undefined;
  }

  override costSize(): number {
    return Math.ceil(this.prefix.bits / 8);
  }

  override toString(): string {
    return `${addressText(this.prefix.address)}/${this.prefix.bits}`;
  }
}

const CONVERSION = 'network address parse error during conversion from string:';

/** The prefix of a text, or the error of `cidr()`, which tells of the conversion twice. */
function parseCidr(text: string): Prefix | CelError {
  const prefix = parsePrefix(text);
  if ('error' in prefix) return new CelError(`${CONVERSION} ${CONVERSION} ${prefix.error}`);
  if (!isMapped(prefix.address)) return prefix;
  return new CelError(`${CONVERSION} IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed`);
}

function cidr(text: string): CidrValue | CelError {
  const prefix = parseCidr(text);
  return prefix instanceof CelError ? prefix : new CidrValue(prefix);
}

function containsIp({ prefix }: CidrValue, ip: IpValue): boolean {
  return prefixContains(prefix, ip.address);
}

/** k8s: a text that is no address is `no such overload`. */
function containsIpText({ prefix }: CidrValue, text: string): boolean | CelError {
  const address = parseIp(text);
  return address instanceof CelError ? new CelError('no such overload') : prefixContains(prefix, address);
}

function containsCidr({ prefix }: CidrValue, inner: CidrValue): boolean {
  return prefix.bits <= inner.prefix.bits && prefixContains(prefix, inner.prefix.address);
}

function containsCidrText(outer: CidrValue, text: string): boolean | CelError {
  const inner = cidr(text);
  return inner instanceof CelError ? inner : containsCidr(outer, inner);
}

function masked({ prefix }: CidrValue): CidrValue {
  const { address, bits } = prefix;
  return new CidrValue({ address: { ...address, bytes: maskBytes(address.bytes, bits) }, bits });
}

/** API server: pkg/cel/library/cidr.go. */
export const cidrs: Library = {
  name: 'net.cidr',
  since: '1.30',
  typeNames: ['net.CIDR'],
  overloads: [
    {
      name: 'cidr',
      id: 'string_to_cidr',
      signature: '(string) -> net.CIDR',
      run: cidr,
      specialize: readOnce(cidr, (value) => value),
    },
    { name: 'containsIP', id: 'cidr_contains_ip_string', signature: 'net.CIDR.(string) -> bool', run: containsIpText },
    { name: 'containsIP', id: 'cidr_contains_ip_ip', signature: 'net.CIDR.(net.IP) -> bool', run: containsIp },
    {
      name: 'containsCIDR',
      id: 'cidr_contains_cidr_string',
      signature: 'net.CIDR.(string) -> bool',
      run: containsCidrText,
    },
    { name: 'containsCIDR', id: 'cidr_contains_cidr', signature: 'net.CIDR.(net.CIDR) -> bool', run: containsCidr },
    {
      name: 'ip',
      id: 'cidr_ip',
      signature: 'net.CIDR.() -> net.IP',
      run: ({ prefix }: CidrValue) => new IpValue(prefix.address),
    },
    {
      name: 'prefixLength',
      id: 'cidr_prefix_length',
      signature: 'net.CIDR.() -> int',
      run: ({ prefix }: CidrValue) => prefix.bits,
    },
    { name: 'masked', id: 'cidr_masked', signature: 'net.CIDR.() -> net.CIDR', run: masked },
    {
      name: 'isCIDR',
      id: 'is_cidr',
      signature: '(string) -> bool',
      run: (text: string) => !(parseCidr(text) instanceof CelError),
    },
    { name: 'string', id: 'cidr_to_string', signature: '(net.CIDR) -> string', run: String },
  ],
};
