import { expect, test } from 'vitest';
import { Timers } from '../../src/daemon/timers.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import type { QuestionFailure } from '../../src/steward/types.ts';
import { StreamQueue } from '../../src/streams/queue.ts';
import { Clock, MINUTE } from '../support/clock.ts';
import { HOUSE, PAID_MAIL } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const failed = (failure: QuestionFailure) => new ProviderError({ failure, message: 'No.', hint: 'None.' });

test('a file that is being asked about is not asked about again because it waited before', async () => {
  const clock = new Clock();
  const bench = await Bench.open(new TempVault({ ...HOUSE, 'stream/paid.eml': PAID_MAIL }), { clock });
  let asked = 0;
  let refuse: (why: ProviderError) => void = () => {};
  const down = async () => Promise.reject(failed('unavailable'));
  const held = () => new Promise<never>((_, reject) => (refuse = reject));
  const extractor = {
    ...{ name: 'model-x', asksModel: true },
    extract: () => {
      asked += 1;
      return asked === 1 ? down() : held();
    },
  };
  bench.ports.models.extractor = extractor;
  const lane = new StreamQueue(bench.ports, new Timers(clock.now));
  lane.add('stream/paid.eml');
  await lane.idle();
  expect([...bench.ports.ingest.waiting.keys()]).toEqual(['stream/paid.eml']);
  clock.move(2 * MINUTE);
  lane.retry();
  await expect.poll(() => asked).toBe(2);
  lane.retry(); // its old wait is over, and its answer still on the way
  refuse(failed('rejected'));
  await lane.idle();
  expect(asked).toBe(2);
  await lane.close();
});
