import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/laws.ts'],
    testTimeout: process.env.LAW_RUNS === undefined ? 30_000 : 3_600_000,
    hookTimeout: 30_000,
    // Other things may run on the machine: an event is waited for as long as the test has time.
    expect: { poll: { interval: 10, timeout: 25_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
