/** What the engine needs of CustomResourceDefinitions: names, scope, versions, defaults. */
import { isJsonObject, type Json, objectAt, own, stringAt } from '#kubernetes';
import type { CompiledCustomResource } from '../compiled.ts';
import { defaultingSchema } from '../custom-defaults.ts';
import type { PolicyDocument } from './document.ts';

export function isDefinition({ apiVersion, kind }: PolicyDocument): boolean {
  return kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/');
}

/** The definition's served versions; absent when it names no kind. */
export function customResource({ object }: PolicyDocument): CompiledCustomResource | undefined {
  const spec = objectAt(object, 'spec');
  const kind = stringAt(spec, 'names', 'kind');
  const resource = stringAt(spec, 'names', 'plural');
  if (!spec || kind === '' || resource === '') return undefined;
  const strategy = stringAt(spec, 'conversion', 'strategy');
  return {
    group: stringAt(spec, 'group'),
    kind,
    resource,
    namespaced: stringAt(spec, 'scope') !== 'Cluster',
    convertible: strategy === '' || strategy === 'None',
    versions: list(own(spec, 'versions')).flatMap((version) => {
      if (!isJsonObject(version) || own(version, 'served') !== true) return [];
      const schema = objectAt(version, 'schema', 'openAPIV3Schema');
      const defaults = schema && defaultingSchema(schema);
      const subresources = Object.keys(objectAt(version, 'subresources') ?? {}).filter((name) =>
        SUBRESOURCES.has(name),
      );
      return [{ name: stringAt(version, 'name'), ...(defaults ? { defaults } : {}), subresources }];
    }),
  };
}

const SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'scale']);

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
