/** One Kubernetes object of the author's, with the place of each of its values. */
import { at, type Source, type Span } from '#diagnostics';
import { type FieldPath, type JsonObject, stringAt } from '#kubernetes';

export interface Manifest {
  /** `admissionregistration.k8s.io/v1` for policies and bindings of any version. */
  readonly apiVersion: string;
  /** As it was written. */
  readonly writtenApiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly object: JsonObject;
  /** The place of a value, or of the nearest value around it. */
  span(path: FieldPath): Span;
  /** The place of a field's name. */
  keySpan(path: FieldPath): Span;
  /** A string value as a text of its own, whose places are those in the file. */
  text(path: FieldPath): Source | undefined;
}

/** Places of values in a file. */
export type Places = Pick<Manifest, 'span' | 'keySpan' | 'text'>;

export function manifest(object: JsonObject, writtenApiVersion: string, places: Places): Manifest {
  return {
    apiVersion: stringAt(object, 'apiVersion'),
    writtenApiVersion,
    kind: stringAt(object, 'kind'),
    name: stringAt(object, 'metadata', 'name'),
    namespace: stringAt(object, 'metadata', 'namespace'),
    object,
    ...places,
  };
}

/** Places of an object that has no file: all are the start of an empty text of that name. */
export function noPlaces(name: string): Places {
  const source: Source = { name, text: '' };
  return { span: () => at(source, 0), keySpan: () => at(source, 0), text: () => undefined };
}
