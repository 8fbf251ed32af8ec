/** Kubernetes' semantic version library. */
import { CelError, type Int, type Library, normalizeInt, type Value } from '#cel/runtime';
import { KubernetesValue, readOnce } from './kubernetes-value.ts';
import { compareVersions, parseLooseVersion, parseVersion, type Version, versionText } from './semver-version.ts';

/** A semantic version in CEL. */
export class SemverValue extends KubernetesValue {
  readonly typeName = 'kubernetes.Semver';
  readonly version: Version;

  constructor(version: Version) {
    super();
    this.version = version;
  }

  override get unhashable(): boolean {
    return true;
  }

  protected override equalsSame(other: Value): boolean | undefined {
    return other instanceof SemverValue ? compareVersions(this.version, other.version) === 0 : undefined;
  }

  override toString(): string {
    return versionText(this.version);
  }
}

function parse(text: string, normalize = false): Version | CelError {
  return normalize ? parseLooseVersion(text) : parseVersion(text);
}

function semver(text: string, normalize?: boolean): SemverValue | CelError {
  const version = parse(text, normalize);
  return version instanceof CelError ? version : new SemverValue(version);
}

function isSemver(text: string, normalize?: boolean): boolean {
  return !(parse(text, normalize) instanceof CelError);
}

/** k8s: the unsigned number is taken as a signed one. */
function signed(value: bigint): Int {
  return normalizeInt(BigInt.asIntN(64, value));
}

const TYPE = 'kubernetes.Semver';

const COMPARISONS: readonly (readonly [name: string, id: string, type: string, of: (sign: number) => Value])[] = [
  ['isGreaterThan', 'semver_is_greater_than', 'bool', (sign) => sign > 0],
  ['isLessThan', 'semver_is_less_than', 'bool', (sign) => sign < 0],
  ['compareTo', 'semver_compare_to', 'int', (sign) => sign],
];

/** API server: pkg/cel/library/semverlib.go, with the forms that normalize. */
export const semvers: Library = {
  name: 'kubernetes.Semver',
  since: '1.33',
  overloads: [
    {
      name: 'semver',
      id: 'string_to_semver',
      signature: `(string) -> ${TYPE}`,
      run: semver,
      specialize: readOnce(semver, (value) => value),
    },
    { name: 'semver', id: 'string_bool_to_semver', signature: `(string, bool) -> ${TYPE}`, run: semver },
    { name: 'isSemver', id: 'is_semver_string', signature: '(string) -> bool', run: isSemver },
    { name: 'isSemver', id: 'is_semver_string_bool', signature: '(string, bool) -> bool', run: isSemver },
    ...COMPARISONS.map(([name, id, type, of]) => ({
      name,
      id,
      signature: `${TYPE}.(${TYPE}) -> ${type}`,
      run: (left: SemverValue, right: SemverValue) => of(compareVersions(left.version, right.version)),
    })),
    ...(['major', 'minor', 'patch'] as const).map((name) => ({
      name,
      id: `semver_${name}`,
      signature: `${TYPE}.() -> int`,
      run: (value: SemverValue) => signed(value.version[name]),
    })),
  ],
};
