/** Files to manifests: every document of every file, lists opened, policies brought to v1, every fault found. */
import { at, type Diagnostic, type Source } from '#diagnostics';
import {
  type FieldPath,
  fieldText,
  isJsonObject,
  type Json,
  type JsonObject,
  nearest,
  own,
  POLICY_GROUP,
  parseApiVersion,
  stringAt,
} from '#kubernetes';
import { decode } from './decode.ts';
import { POLICY_KINDS, POLICY_VERSIONS } from './fields.ts';
import { type Manifest, manifest, noPlaces, type Places } from './manifest.ts';
import { readYaml } from './yaml.ts';

export interface Loaded {
  readonly documents: readonly Manifest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads YAML or JSON texts. Documents with faults are left out of `documents` unless they can still be looked at. */
export function loadManifests(files: readonly { readonly name: string; readonly text: string }[]): Loaded {
  const documents: Manifest[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { name, text } of files) {
    const source: Source = { name, text: text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text };
    const read = readYaml(source);
    diagnostics.push(...read.diagnostics);
    for (const { value, places } of read.documents) {
      const loaded = loadValue(value, places, []);
      documents.push(...loaded.documents);
      diagnostics.push(...loaded.diagnostics);
    }
  }
  return { documents, diagnostics };
}

/** An object that has no file, as a manifest: `name` is what diagnostics print. */
export function manifestOf(object: JsonObject, name = '-'): Loaded {
  return loadValue(object, noPlaces(name), []);
}

function loadValue(value: Json, places: Places, root: FieldPath): Loaded {
  if (!isJsonObject(value)) return fault('not-an-object', 'a Kubernetes object is wanted', places, root);
  const kind = stringAt(value, 'kind');
  const apiVersion = stringAt(value, 'apiVersion');
  const items = own(value, 'items');
  if (kind.endsWith('List') && Array.isArray(items)) {
    const all = items.map((item: Json, index) =>
      loadValue(withListType(item, kind, apiVersion), places, [...root, 'items', index]),
    );
    return { documents: all.flatMap(({ documents }) => documents), diagnostics: all.flatMap((one) => one.diagnostics) };
  }
  if (apiVersion === '') return fault('no-api-version', 'the object has no `apiVersion`', places, root);
  if (kind === '') return fault('no-kind', 'the object has no `kind`', places, root);
  const below: Places = {
    span: (path) => places.span([...root, ...path]),
    keySpan: (path) => places.keySpan([...root, ...path]),
    text: (path) => places.text([...root, ...path]),
  };
  const groupVersion = parseApiVersion(apiVersion);
  const isPolicyKind = Object.hasOwn(POLICY_KINDS, kind);
  if (groupVersion?.group !== POLICY_GROUP) {
    const wrong = isPolicyKind || nearest(groupVersion?.group ?? apiVersion, [POLICY_GROUP]) !== undefined;
    if (wrong) return wrongApiVersion(apiVersion, kind, below);
    return { documents: [manifest(value, apiVersion, below)], diagnostics: [] };
  }
  const type = isPolicyKind ? POLICY_KINDS[kind] : undefined;
  if (!type) {
    const near = nearest(kind, Object.keys(POLICY_KINDS));
    if (near === undefined || kind.includes('Webhook'))
      return { documents: [manifest(value, apiVersion, below)], diagnostics: [] };
    return fault(
      'unknown-kind',
      `there is no kind \`${kind}\` in ${apiVersion}`,
      below,
      [],
      'kind',
      `did you mean \`${near}\`?`,
    );
  }
  if (!POLICY_VERSIONS.includes(groupVersion.version)) return wrongApiVersion(apiVersion, kind, below);
  const decoded = decode(value, type, below, []);
  const object = toV1(decoded.object, groupVersion.version);
  return { documents: [manifest(object, apiVersion, below)], diagnostics: decoded.diagnostics };
}

/** Items of a typed list may leave out their type. */
function withListType(item: Json, listKind: string, apiVersion: string): Json {
  if (!isJsonObject(item) || listKind === 'List') return item;
  return { apiVersion, kind: listKind.slice(0, -'List'.length), ...item };
}

/** The versions have the same fields; of v1alpha1 one default differs. */
function toV1(object: JsonObject, version: string): JsonObject {
  const converted: JsonObject = { ...object, apiVersion: `${POLICY_GROUP}/v1` };
  const spec = own(object, 'spec');
  if (version !== 'v1alpha1' || !isJsonObject(spec)) return converted;
  const paramRef = own(spec, 'paramRef');
  if (!isJsonObject(paramRef) || Object.hasOwn(paramRef, 'parameterNotFoundAction')) return converted;
  return { ...converted, spec: { ...spec, paramRef: { ...paramRef, parameterNotFoundAction: 'Deny' } } };
}

function wrongApiVersion(apiVersion: string, kind: string, places: Places): Loaded {
  return fault(
    'wrong-api-version',
    `there is no \`${kind}\` in \`${apiVersion}\``,
    places,
    [],
    'apiVersion',
    `write \`${POLICY_GROUP}/v1\``,
  );
}

function fault(code: string, message: string, places: Places, root: FieldPath, field?: string, help?: string): Loaded {
  const path = field === undefined ? root : [...root, field];
  const { source, start, end } = places.span(path);
  const diagnostic: Diagnostic = {
    severity: 'error',
    code,
    message,
    span: at(source, start, end),
    ...(field === undefined ? {} : { field: fieldText(path) }),
    ...(help === undefined ? {} : { help }),
  };
  return { documents: [], diagnostics: [diagnostic] };
}
