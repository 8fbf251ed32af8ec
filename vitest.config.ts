import { cloudflareTest } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';

/** Everything in Node; what runs on the web platform alone in workerd too. */
export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'node', include: ['test/**/*.test.ts'], testTimeout: 30_000, globalSetup: 'test/build-once.ts' },
      },
      {
        plugins: [
          cloudflareTest({
            miniflare: { compatibilityDate: '2026-04-01', compatibilityFlags: ['nodejs_compat'], cf: false },
          }),
        ],
        test: { name: 'workerd', include: ['test/bundle/*.test.ts', 'test/facts/*.test.ts', 'test/serve/*.test.ts'] },
      },
    ],
  },
});
