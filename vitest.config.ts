import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/laws.ts'],
    // A limit ends what hangs; it measures nothing. The machine may be busy, and many times slower than another.
    testTimeout: process.env.LAW_RUNS === undefined ? 300_000 : 3_600_000,
    hookTimeout: 300_000,
    expect: { poll: { interval: 10, timeout: 120_000 } },
    pool: 'forks',
    maxWorkers: 2,
    maxConcurrency: 2,
  },
});
