import { describe, expect, it } from 'vitest';
import { equal, Optional } from '#cel/runtime';
import { type FormatValue, formats } from '../../../src/policy/library/formats.ts';
import { rows } from '../../rows.ts';

const run = rows(formats);
const format = (name: string) => run(`format-${name}`) as FormatValue;
const faults = (name: string, text: string) => (run('format-validate', format(name), text) as Optional).value ?? [];

const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const NAME =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

describe('faults', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['dns1123Label', 'a-1', []],
    ['dns1123Label', 'A', [LABEL]],
    ['dns1123Label', 'a.b', ['must not contain dots']],
    ['dns1123Label', 'a'.repeat(64), ['must be no more than 63 characters']],
    ['dns1123Label', 'é'.repeat(32), ['must be no more than 63 characters', LABEL]],
    ['dns1123LabelPrefix', 'a-', []],
    ['dns1123LabelPrefix', 'a--', []],
    ['dns1123LabelPrefix', '-', [LABEL]],
    ['dns1123Subdomain', 'a.b-c.d', []],
    ['dns1123Subdomain', 'a'.repeat(254), ['must be no more than 253 characters']],
    ['qualifiedName', 'example.com/My_Name', []],
    ['qualifiedName', '', ['name part must be non-empty', NAME]],
    ['qualifiedName', '/a', ['prefix part must be non-empty']],
    ['qualifiedName', 'a'.repeat(64), ['name part must be no more than 63 bytes']],
    [
      'qualifiedName',
      'a/b/c',
      [`a valid label key ${NAME.slice(10)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
    ],
    ['labelValue', '', []],
    ['labelValue', 'a'.repeat(64), ['must be no more than 63 bytes']],
    ['uri', 'foo', ['parse "foo": invalid URI for request']],
    ['uuid', 'ABCDEFAB-CDEF-abcd-efab-CDEFABCDEFAB', []],
    ['uuid', '00000000000000000000000000000000', []],
    ['uuid', '0', ['does not match the UUID format']],
    ['byte', 'YQ==', []],
    ['byte', 'YQ', ['invalid base64']],
    ['byte', '', ['invalid base64']],
    ['date', '2024-02-29', []],
    ['date', '2023-02-29', ['invalid date']],
    ['datetime', '2023-01-01t00:00:00z', []],
    ['datetime', '2023-01-01T00:00:00x5+99:99', []],
    ['datetime', '2023-01-01T24:00:00Z', ['invalid datetime']],
    ['datetime', '2023-01-01 00:00:00Z', ['invalid datetime']],
  ])('%s of `%s`', (name, text, result) => {
    expect(faults(name, text)).toEqual(result);
  });

  it('a valid text has none at all', () => {
    expect(run('format-validate', format('uuid'), '00000000000000000000000000000000')).toBe(Optional.none);
  });
});

describe('formats', () => {
  it('by name', () => {
    expect(run('format-named', 'uuid')).toEqual(new Optional(format('uuid')));
    expect(run('format-named', 'constructor')).toEqual(Optional.none);
  });

  it('are equal by name', () => {
    expect(equal(format('uuid'), format('uuid'))).toBe(true);
    expect(equal(format('uuid'), format('date'))).toBe(false);
  });
});
