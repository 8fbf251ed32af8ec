/** Semantic versions as blang/semver reads, orders and prints them. */
import { CelError, compareText, quoteGo, utf8Length } from '#cel/runtime';

export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly (bigint | string)[];
  readonly build: readonly string[];
}

const DIGITS = /^[0-9]*$/;
const ALPHANUMERIC = /^[0-9A-Za-z-]*$/;

/** A version of exactly three numbers, or the error. */
export function parseVersion(text: string): Version | CelError {
  if (text === '') return new CelError('Version string empty');
  const [majorText = '', minorText, ...more] = text.split('.');
  if (minorText === undefined || more.length === 0) return new CelError('No Major.Minor.Patch elements found');
  const major = numberOf(majorText, 'Major');
  if (major instanceof CelError) return major;
  const minor = numberOf(minorText, 'Minor');
  if (minor instanceof CelError) return minor;
  const [beforeBuild, buildText] = cut(more.join('.'), '+');
  const [patchText, prereleaseText] = cut(beforeBuild, '-');
  const patch = numberOf(patchText, 'Patch');
  if (patch instanceof CelError) return patch;
  const prerelease: (bigint | string)[] = [];
  for (const identifier of prereleaseText?.split('.') ?? []) {
    const parsed = prereleaseOf(identifier);
    if (parsed instanceof CelError) return parsed;
    prerelease.push(parsed);
  }
  const build = buildText?.split('.') ?? [];
  for (const identifier of build) {
    if (identifier === '') return new CelError('Build meta data is empty');
    if (!ALPHANUMERIC.test(identifier)) {
      return new CelError(`Invalid character(s) found in build meta data ${quoteGo(identifier)}`);
    }
  }
  return { major, minor, patch, prerelease, build };
}

/** The text before a separator and, where there is one, after it. */
function cut(text: string, separator: string): readonly [before: string, after: string | undefined] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function numberOf(text: string, part: 'Major' | 'Minor' | 'Patch'): bigint | CelError {
  if (!DIGITS.test(text)) {
    return new CelError(`Invalid character(s) found in ${part.toLowerCase()} number ${quoteGo(text)}`);
  }
  if (hasLeadingZero(text)) return new CelError(`${part} number must not contain leading zeroes ${quoteGo(text)}`);
  return unsigned(text);
}

function prereleaseOf(text: string): bigint | string | CelError {
  if (text === '') return new CelError('Prerelease is empty');
  if (DIGITS.test(text)) {
    if (!hasLeadingZero(text)) return unsigned(text);
    return new CelError(`Numeric PreRelease version must not contain leading zeroes ${quoteGo(text)}`);
  }
  return ALPHANUMERIC.test(text) ? text : new CelError(`Invalid character(s) found in prerelease ${quoteGo(text)}`);
}

function hasLeadingZero(text: string): boolean {
  return text.length > 1 && text.startsWith('0');
}

function unsigned(digits: string): bigint | CelError {
  const refuse = (reason: string) => new CelError(`strconv.ParseUint: parsing ${quoteGo(digits)}: ${reason}`);
  if (digits === '') return refuse('invalid syntax');
  const value = BigInt(digits);
  return value >= 1n << 64n ? refuse('value out of range') : value;
}

/** A version that may start with `v`, lack minor and patch, and have leading zeros. */
export function parseLooseVersion(text: string): Version | CelError {
  const [first = '', second, ...more] = (text.startsWith('v') ? text.slice(1) : text).split('.');
  const parts = [first, ...(second === undefined ? [] : [second]), ...(more.length > 0 ? [more.join('.')] : [])];
  const trimmed = parts.map((part) => {
    if (utf8Length(part) < 2) return part;
    const stripped = part.replace(/^0+/, '');
    return /^[0-9]/.test(stripped) ? stripped : `0${stripped}`;
  });
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1) ?? '')) {
    return new CelError('short version cannot contain PreRelease/Build meta data');
  }
  while (trimmed.length < 3) trimmed.push('0');
  return parseVersion(trimmed.join('.'));
}

/** The order of two versions; build metadata does not count. */
export function compareVersions(left: Version, right: Version): -1 | 0 | 1 {
  const numbers = order(left.major, right.major) || order(left.minor, right.minor) || order(left.patch, right.patch);
  if (numbers !== 0) return numbers;
  if (left.prerelease.length === 0 || right.prerelease.length === 0) {
    if (left.prerelease.length === right.prerelease.length) return 0;
    return left.prerelease.length === 0 ? 1 : -1;
  }
  for (const [index, identifier] of left.prerelease.entries()) {
    const other = right.prerelease[index];
    if (other === undefined) return 1;
    const sign = compareIdentifiers(identifier, other);
    if (sign !== 0) return sign;
  }
  return left.prerelease.length < right.prerelease.length ? -1 : 0;
}

function order(left: bigint, right: bigint): -1 | 0 | 1 {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Numbers go before words. */
function compareIdentifiers(left: bigint | string, right: bigint | string): -1 | 0 | 1 {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? order(left, right) : -1;
  if (typeof right === 'bigint') return 1;
  const sign = compareText(left, right);
  return sign < 0 ? -1 : sign > 0 ? 1 : 0;
}

/** `major.minor.patch[-prerelease][+build]`. */
export function versionText({ major, minor, patch, prerelease, build }: Version): string {
  const tail = prerelease.length > 0 ? `-${prerelease.join('.')}` : '';
  return `${major}.${minor}.${patch}${tail}${build.length > 0 ? `+${build.join('.')}` : ''}`;
}
