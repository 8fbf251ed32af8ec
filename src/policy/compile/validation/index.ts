/** The API's rules for new policies and bindings (API server: pkg/apis/admissionregistration/validation). */
import type { Diagnostic } from '#diagnostics';
import type { PolicyDocument } from '../document.ts';

export function validateManifest(_manifest: PolicyDocument): readonly Diagnostic[] {
  return [];
}
