import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/laws.ts'],
    testTimeout: process.env.LAW_RUNS === undefined ? 30_000 : 3_600_000,
    hookTimeout: 30_000,
    // The machine may be busy, so polls wait almost as long as the test may take.
    expect: { poll: { interval: 10, timeout: 25_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
