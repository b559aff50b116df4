import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { interval: 50, timeout: 60_000 } },
    pool: 'forks',
    // Each file starts a server and hosts of its own, and most of its time it waits for a timer.
    maxWorkers: 4,
  },
});
