import { describe, expect, it } from 'vitest';
import { CelError, equal } from '#cel/runtime';
import { type CidrValue, cidrs } from '../../../src/policy/library/cidr.ts';
import { type IpValue, ips } from '../../../src/policy/library/ip.ts';
import { error, rows } from '../../rows.ts';

const run = rows(ips);
const runCidr = rows(cidrs);
const ip = (text: string) => run('string_to_ip', text) as IpValue;
const cidr = (text: string) => runCidr('string_to_cidr', text) as CidrValue;

describe('ip', () => {
  it.each<readonly [string, string]>([
    ['1.2.3.4', '1.2.3.4'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::1.2.3.4', '::102:304'],
  ])('%s prints as %s', (text, printed) => {
    expect(String(ip(text))).toBe(printed);
    expect(run('ip_is_canonical', text)).toBe(text === printed);
  });

  it.each<readonly [string, string]>([
    ['', 'unable to parse IP'],
    ['1.2.3.256', 'IPv4 field has value >255'],
    ['01.2.3.4', 'IPv4 field has octet with leading zero'],
    ['1.2.3', 'IPv4 address too short'],
    ['1.2.3.4.5', 'IPv4 address too long'],
    ['1.2..3', 'IPv4 field must have at least one digit (at ".3")'],
    ['1.2.3.4:80', 'unexpected character (at ":80")'],
    ['1:2:3:4 5', 'unexpected character, want colon (at " 5")'],
    ['g::', 'each colon-separated field must have at least one digit (at "g::")'],
    ['1::2::3', 'multiple :: in address (at ":3")'],
    ['1:2', 'address string too short'],
    ['12345::', 'each group must have 4 or less digits (at "12345::")'],
    ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
    ['1:', 'colon must be followed by more characters (at ":")'],
    ['1:2:1.2.3.4', 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
    ['fe80::1%', 'zone must be a non-empty string'],
    ['%a', 'missing IPv6 address'],
  ])('not `%s`', (text, reason) => {
    const parse = `ParseAddr(${JSON.stringify(text)}): ${reason}`;
    expect(ip(text)).toEqual(
      error(`IP Address ${JSON.stringify(text)} parse error during conversion from string: ${parse}`),
    );
    expect(run('is_ip', text)).toBe(false);
  });

  it.each<readonly [string, string]>([
    ['fe80::1%eth0', 'IP address "fe80::1%eth0" with zone value is not allowed'],
    ['::ffff:1.2.3.4', 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'],
  ])('neither `%s`', (text, message) => {
    expect(ip(text)).toEqual(error(message));
  });

  it.each<readonly [string, readonly string[]]>([
    ['0.0.0.0', ['isUnspecified']],
    ['::', ['isUnspecified']],
    ['127.1.2.3', ['isLoopback']],
    ['::1', ['isLoopback']],
    ['224.0.0.1', ['isLinkLocalMulticast']],
    ['ff12::1', ['isLinkLocalMulticast']],
    ['224.0.1.1', []],
    ['169.254.1.1', ['isLinkLocalUnicast']],
    ['febf::1', ['isLinkLocalUnicast']],
    ['255.255.255.255', []],
    ['10.0.0.1', ['isGlobalUnicast']],
    ['fc00::1', ['isGlobalUnicast']],
  ])('what %s is', (text, names) => {
    const predicates = ips.overloads.filter(({ name }) => /^is[A-Z]\w+(?:st|ed|ck)$/.test(name));
    expect(predicates.filter(({ id }) => run(id, ip(text)) === true).map(({ name }) => name)).toEqual(names);
  });

  it('the family, and its size for cost rules', () => {
    expect([run('ip_family', ip('1.2.3.4')), ip('1.2.3.4').costSize()]).toEqual([4, 4]);
    expect([run('ip_family', ip('::1')), ip('::1').costSize()]).toEqual([6, 16]);
  });
});

describe('cidr', () => {
  const CONVERSION = 'network address parse error during conversion from string:';
  const refused = (reason: string) => error(`${CONVERSION} ${CONVERSION} ${reason}`);

  it.each<readonly [string, string]>([
    ['192.168.0.0/33', 'prefix length out of range'],
    ['192.168.0.0', "no '/'"],
    ['1.2.3.4/a', 'bad bits after slash: "a"'],
    ['1.2.3.4/024', 'bad bits after slash: "024"'],
    ['1.2.3.4/+8', 'bad bits after slash: "+8"'],
    ['1.2.3.4/', 'bad bits after slash: ""'],
    ['1.2.3.4/9223372036854775808', 'bad bits after slash: "9223372036854775808"'],
    ['x/8', 'ParseAddr("x"): unable to parse IP'],
    ['fe80::1%a/64', 'IPv6 zones cannot be present in a prefix'],
  ])('not `%s`', (text, reason) => {
    expect(cidr(text)).toEqual(refused(`netip.ParsePrefix(${JSON.stringify(text)}): ${reason}`));
  });

  it('nor a mapped address, and that is told once', () => {
    const message = 'IPv4-mapped IPv6 address "::ffff:1.2.3.4/100" is not allowed';
    expect(cidr('::ffff:1.2.3.4/100')).toEqual(error(`${CONVERSION} ${message}`));
  });

  it('keeps the bits of the host, unless masked', () => {
    const value = cidr('192.168.0.1/24');
    expect(String(value)).toBe('192.168.0.1/24');
    expect(equal(value, cidr('192.168.0.0/24'))).toBe(false);
    expect(String(runCidr('cidr_masked', value))).toBe('192.168.0.0/24');
    expect(String(runCidr('cidr_ip', value))).toBe('192.168.0.1');
    expect(runCidr('cidr_prefix_length', value)).toBe(24);
  });

  it.each<readonly [string, string, unknown]>([
    ['192.168.0.1/24', '192.168.0.255', true],
    ['192.168.0.0/24', '192.168.1.0', false],
    ['10.0.0.0/7', '11.255.0.0', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '::1', true],
    ['0.0.0.0/0', 'junk', error('no such overload')],
  ])('%s contains the address %s', (network, address, result) => {
    expect(runCidr('cidr_contains_ip_string', cidr(network), address)).toEqual(result);
  });

  it.each<readonly [string, string, boolean]>([
    ['10.0.0.0/8', '10.1.0.0/16', true],
    ['10.0.0.0/8', '10.0.0.0/8', true],
    ['10.0.0.0/16', '10.0.0.0/8', false],
    ['0.0.0.0/0', '::/0', false],
  ])('%s contains the network %s', (outer, inner, result) => {
    expect(runCidr('cidr_contains_cidr', cidr(outer), cidr(inner))).toBe(result);
    expect(runCidr('cidr_contains_cidr_string', cidr(outer), inner)).toBe(result);
  });

  it('the size for cost rules is that of the prefix', () => {
    expect([cidr('::/0'), cidr('::/1'), cidr('::/128')].map((value) => value.costSize())).toEqual([0, 1, 16]);
  });

  it('is no overload with another type', () => {
    expect(equal(cidr('::/0'), '::/0')).toEqual(new CelError('no such overload'));
  });
});
