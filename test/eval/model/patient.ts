import { type Extractor, UnansweredError } from '../../../src/steward/types.ts';

const MOST_WAITS = 20;
const DEFAULT_SECONDS = 60;

/** Wraps an extractor so that it waits for as long as a provider asks it to. `wait` waits for a number of seconds. */
export function patient(extractor: Extractor, wait: (seconds: number) => Promise<void>): Extractor {
  return {
    name: extractor.name,
    asksModel: extractor.asksModel,
    async extract(question, abort) {
      for (let waited = 0; ; waited += 1) {
        try {
          return await extractor.extract(question, abort);
        } catch (error) {
          if (!(error instanceof UnansweredError) || error.retryAfter === undefined || waited >= MOST_WAITS)
            throw error;
          await wait(error.retryAfter ?? DEFAULT_SECONDS);
        }
      }
    },
  };
}
