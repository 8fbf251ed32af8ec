/** The patch of an answer: base64 of the UTF-8 of a JSON Patch document. */
import { stringifyJson, type Value } from '#cel/runtime';
import type { PatchOperation } from '#policy';

/** Encodes a patch; integers beyond 2^53 stay exact. */
export function encodePatch(patch: readonly PatchOperation[]): string {
  return base64(stringifyJson(patch as unknown as Value));
}

/** Base64 of a text's UTF-8. */
export function base64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
