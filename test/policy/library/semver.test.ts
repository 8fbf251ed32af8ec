import { describe, expect, it } from 'vitest';
import { equal } from '#cel/runtime';
import { type SemverValue, semvers } from '../../../src/policy/library/semver.ts';
import { error, rows } from '../../rows.ts';

const run = rows(semvers);
const semver = (text: string) => run('string_to_semver', text) as SemverValue;

describe('semver', () => {
  it.each<readonly [string, string]>([
    ['', 'Version string empty'],
    ['1.2', 'No Major.Minor.Patch elements found'],
    ['v1.2.3', 'Invalid character(s) found in major number "v1"'],
    ['1.2.3.4', 'Invalid character(s) found in patch number "3.4"'],
    ['01.2.3', 'Major number must not contain leading zeroes "01"'],
    ['1.2.03', 'Patch number must not contain leading zeroes "03"'],
    ['1..3', 'strconv.ParseUint: parsing "": invalid syntax'],
    ['18446744073709551616.0.0', 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
    ['1.2.3-', 'Prerelease is empty'],
    ['1.2.3-a_b', 'Invalid character(s) found in prerelease "a_b"'],
    ['1.2.3-01', 'Numeric PreRelease version must not contain leading zeroes "01"'],
    ['1.2.3+', 'Build meta data is empty'],
    ['1.2.3+a_b', 'Invalid character(s) found in build meta data "a_b"'],
  ])('not `%s`', (text, message) => {
    expect(semver(text)).toEqual(error(message));
    expect(run('is_semver_string', text)).toBe(false);
  });

  it.each<readonly [string, unknown]>([
    ['v1', '1.0.0'],
    ['01.02', '1.2.0'],
    ['v1.2.3-rc.1+b', '1.2.3-rc.1+b'],
    ['000.1', '0.1.0'],
    ['1.2-rc', error('short version cannot contain PreRelease/Build meta data')],
    ['V1.0.0', error('Invalid character(s) found in major number "0V1"')],
    ['1.2.é', error('Invalid character(s) found in patch number "0é"')],
  ])('%s, normalized', (text, result) => {
    const value = run('string_bool_to_semver', text, true);
    expect(typeof result === 'string' ? String(value) : value).toEqual(result);
  });

  it('precedence', () => {
    const ordered = ['1.0.0-1', '1.0.0-2', '1.0.0-10', '1.0.0-A', '1.0.0-a', '1.0.0-a.1', '1.0.0', '1.9.0', '1.10.0'];
    for (const [index, lower] of ordered.slice(0, -1).entries()) {
      const higher = ordered[index + 1] ?? '';
      expect(run('semver_compare_to', semver(lower), semver(higher)), `${lower} < ${higher}`).toBe(-1);
      expect(run('semver_is_greater_than', semver(higher), semver(lower))).toBe(true);
    }
  });

  it('build metadata does not count', () => {
    expect(equal(semver('1.0.0+a'), semver('1.0.0+b'))).toBe(true);
  });

  it('numbers are taken as signed', () => {
    expect(run('semver_major', semver('9223372036854775808.0.0'))).toBe(-9223372036854775808n);
  });
});
