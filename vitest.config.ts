import { defineConfig } from 'vitest/config';
import { suiteFiles } from './test/suites.ts';

const { shared, apart } = suiteFiles(process.env.SUITE);

export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    // Ends what hangs; measures nothing. The machine may be busy, and many times slower than another.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { interval: 10, timeout: 120_000 } },
    pool: 'forks',
    // One more than cores: many tests wait for a process or a timer.
    maxWorkers: 3,
    maxConcurrency: 2,
    projects: [
      { extends: true, test: { name: 'shared', isolate: false, ...shared } },
      { extends: true, test: { name: 'apart', isolate: true, ...apart } },
    ],
  },
});
