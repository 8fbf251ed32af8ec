/** `npm run demo [-- --output json]`: the demonstration of `src/cli/demo.ts` over this repository's policies. */
import { parseArgs } from 'node:util';
import { importSource, root } from './bundle-module.mjs';

function output() {
  try {
    const { values } = parseArgs({ options: { output: { type: 'string', short: 'o', default: 'text' } } });
    if (values.output === 'text' || values.output === 'json') return values.output;
  } catch {
    // Falls through to the usage.
  }
  process.stderr.write('usage: npm run demo -- [--output text|json]\n');
  return process.exit(2);
}

const asked = output();
process.chdir(root);
const { demo } = await importSource('src/cli/demo.ts');
process.exitCode = await demo({ policies: 'policies', objects: 'scripts/demo.yaml', output: asked });
