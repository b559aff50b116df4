import { defineConfig } from 'vitest/config';
import { suiteFiles } from './test/suites.ts';

const { shared, apart } = suiteFiles(process.env.SUITE);

export default defineConfig({
  test: {
    setupFiles: ['test/support/laws.ts'],
    // Ends what hangs; measures nothing. The machine may be busy, and many times slower than another.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { interval: 10, timeout: 120_000 } },
    pool: 'forks',
    maxWorkers: 2,
    maxConcurrency: 2,
    projects: [
      { extends: true, test: { name: 'shared', isolate: false, ...shared } },
      { extends: true, test: { name: 'apart', isolate: true, ...apart } },
    ],
  },
});
