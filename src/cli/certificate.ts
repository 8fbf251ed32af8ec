/**
 * A certificate made on the spot: self-signed, ECDSA P-256, for some host names and addresses. For demonstrations and
 * tests, and for a first try with a cluster, whose webhook then carries the certificate itself as its `caBundle`.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  /** PEM, PKCS #8. */
  readonly key: string;
}

const ECDSA_WITH_SHA256 = oid(1, 2, 840, 10045, 4, 3, 2);
const COMMON_NAME = oid(2, 5, 4, 3);
const BASIC_CONSTRAINTS = oid(2, 5, 29, 19);
const SUBJECT_ALT_NAME = oid(2, 5, 29, 17);
const DAY_MS = 86_400_000;

/** A certificate for the hosts, valid from a day before `now` (milliseconds) for `days` days after it. */
export function selfSigned(hosts: readonly string[], now: number, days = 365): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(COMMON_NAME, element(0x0c, Buffer.from('postern')))));
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, boolean(true), octets(sequence(boolean(true)))),
    sequence(SUBJECT_ALT_NAME, octets(sequence(...hosts.map(generalName)))),
  );
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40; // positive, and of full length
  const body = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, serial),
    algorithm,
    name,
    sequence(time(now - DAY_MS), time(now + days * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, extensions),
  );
  const signature = element(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  return {
    cert: pem('CERTIFICATE', sequence(body, algorithm, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** DER: a tag, a length in the shortest form, the content. */
function element(tag: number, content: Buffer): Buffer {
  const size = content.length;
  if (size < 0x80) return Buffer.concat([Buffer.from([tag, size]), content]);
  const length = size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

function set(...parts: readonly Buffer[]): Buffer {
  return element(0x31, Buffer.concat(parts));
}

function octets(content: Buffer): Buffer {
  return element(0x04, content);
}

function boolean(value: boolean): Buffer {
  return element(0x01, Buffer.from([value ? 0xff : 0]));
}

function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return element(0x06, Buffer.from(bytes));
}

/** UTCTime until 2049, GeneralizedTime after. */
function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, '');
  const short = Number(digits.slice(0, 4)) < 2050;
  return element(short ? 0x17 : 0x18, Buffer.from(short ? digits.slice(2) : digits));
}

function generalName(host: string): Buffer {
  return isIP(host) ? element(0x87, addressBytes(host)) : element(0x82, Buffer.from(host));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
