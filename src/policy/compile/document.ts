/** What is compiled: an object of the author's whose values have places (`#manifest` makes them). */
import type { Source, Span } from '#diagnostics';
import type { FieldPath, JsonObject } from '#kubernetes';

export interface PolicyDocument {
  /** Policies and bindings are of v1, decoded: their fields have the types of their kind. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly object: JsonObject;
  /** The place of a value, or of the nearest value around it. */
  span(path: FieldPath): Span;
  /** A string value as a text of its own. */
  text(path: FieldPath): Source | undefined;
}
