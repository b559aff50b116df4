import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take over half a minute. Those that start many servers at once are not next to each other. */
const LONGEST = [
  'isolation-asleep',
  'moving',
  'repair',
  'keeping',
  'upgrade',
  'isolation-resident',
  'crash',
  'keys',
  'canaries',
  'package',
];

/** Starts the longest files first, so that none of them is alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.indexOf(path.basename(moduleId, '.test.ts'));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/setup.ts'],
    // Ends what hangs; measures nothing.
    testTimeout: 300_000,
    hookTimeout: 180_000,
    expect: { poll: { interval: 50, timeout: 60_000 } },
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // Each file starts a server and hosts of its own, and most of its time it waits for a timer.
    maxWorkers: 4,
  },
});
