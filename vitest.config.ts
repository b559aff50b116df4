import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { suiteFiles } from './test/suites.ts';
import times from './test/times.json' with { type: 'json' };

/** Starts the longest files first, so that at the end no worker waits for another. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = new Map(Object.entries(times));
    const secondsOf = ({ moduleId }: TestSpecification) =>
      seconds.get(path.relative(import.meta.dirname, moduleId)) ?? UNKNOWN_SECONDS;
    return files.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  }
}

/** A new file may take long. */
const UNKNOWN_SECONDS = 20;

const { shared, apart } = suiteFiles(process.env.SUITE);

export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    // Ends what hangs; measures nothing. The machine may be busy, and many times slower than another.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { interval: 10, timeout: 120_000 } },
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // One more than cores: many tests wait for a process or a timer.
    maxWorkers: 3,
    maxConcurrency: 2,
    projects: [
      { extends: true, test: { name: 'shared', isolate: false, ...shared } },
      { extends: true, test: { name: 'apart', isolate: true, ...apart } },
    ],
  },
});
