import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderDiagnostic } from '#diagnostics';
import { loadManifests } from '#manifest';
import { compilePolicies } from '#policy/compile';

const read = (name: string): string => readFileSync(new URL(`diagnostics/${name}`, import.meta.url), 'utf8');

function diagnose(name: string): ReturnType<typeof compilePolicies>['diagnostics'] {
  const loaded = loadManifests([{ name, text: read(name) }]);
  return [...loaded.diagnostics, ...compilePolicies(loaded.documents).diagnostics];
}

test('an author sees what is wrong, where, and how to mend it', async () => {
  const shown = diagnose('faulty.yaml').map((diagnostic) => renderDiagnostic(diagnostic));
  await expect(`${shown.join('\n\n')}\n`).toMatchFileSnapshot('diagnostics/faulty.golden');
});

test('the text of the API server stands beside', async () => {
  const upstream = diagnose('faulty.yaml').map((diagnostic) => diagnostic.upstream ?? '');
  await expect(`${upstream.join('\n\n')}\n`).toMatchFileSnapshot('diagnostics/faulty.upstream.golden');
});
