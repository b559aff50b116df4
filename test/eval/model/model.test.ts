import { expect, test } from 'vitest';
import { AnthropicExtractor } from '../../../src/providers/extractor.ts';
import { Provider } from '../../../src/providers/provider.ts';
import { rules } from '../../../src/providers/substitutes.ts';
import { MessagesServer, type Script } from '../../providers/messages-server.ts';
import { OPEN_DOOR } from '../../providers/open-door.ts';
import { loadCases } from '../case.ts';
import { type Evaluation, evaluate } from '../evaluation.ts';
import { partsNamed } from '../parts.ts';
import { modelReader, Took } from '../reader.ts';
import { wrongActsOf } from '../report/misses.ts';
import { scoresOf } from '../report/tally.ts';
import { carefulScript } from './careful.ts';
import { estimate, estimateWords } from './estimate.ts';
import { patient } from './patient.ts';

const cases = loadCases();
const careful = carefulScript(cases.mails);

async function asking(script: Script) {
  const server = await MessagesServer.start(script);
  const extractor = new AnthropicExtractor(new Provider(server.access, OPEN_DOOR), {
    model: 'some-model',
    price: null,
  });
  return { server, extractor };
}

// The vaults of `train` have about 110 tasks, and mails of senders that no note lists. One of them is enough here.
test.each([
  ['first tuned', 0.98],
  ['tune', 0.95],
  ['train', 0.95],
] as const)(
  'a model that reads as a careful person loses hardly anything of %s, and does nothing wrongly',
  async (part, least) => {
    const sets = partsNamed([part]).flatMap((each) => each.sets.slice(-1));
    const all: Evaluation[] = [];
    for (const set of sets) {
      const { server, extractor } = await asking(carefulScript(set.mails));
      const took = new Took();
      all.push(await evaluate({ ...set, decisions: [] }, modelReader(extractor, took), rules));
      expect(server.malformed).toEqual([]);
      expect(server.requests).toHaveLength(took.asked);
      expect(took.tokensIn).toBeGreaterThan(took.asked * 1500);
    }
    const answers = all.flatMap((each) => each.answers);
    const outcomes = answers.flatMap((each) => each.outcomes);
    const found = outcomes.filter((each) => each.found.strict);
    expect(found.length / outcomes.length).toBeGreaterThan(least);
    expect(scoresOf(answers).strict.precision.share).toBeGreaterThan(0.98);
    expect(all.flatMap(wrongActsOf)).toEqual([]);
  },
);

test('what it may cost is said before anything is asked', async () => {
  const { server, extractor } = await asking(careful);
  const reckoned = await estimate([cases], extractor);
  expect(server.requests).toEqual([]);
  expect(reckoned.questions).toBeGreaterThan(300);
  expect(reckoned.most.written).toBe(reckoned.questions * 4096);
  expect(reckoned.likely.read).toBeLessThan(reckoned.most.read);
  const words = estimateWords(
    { ...reckoned, questions: 2, likely: { read: 1e6, written: 2e5 } },
    { read: 1, written: 5 },
  );
  expect(words).toContain('2 questions: about 1.00 million tokens read and 0.20 written (2.00 US dollars)');
});

test('a provider that asks to wait is waited for; any other failure ends the measurement', async () => {
  const { server, extractor } = await asking((asked, index) =>
    index % 2 === 0 ? { do: 'fail', status: 429, headers: { 'retry-after': '7' } } : careful(asked, index),
  );
  const waits: number[] = [];
  const reader = modelReader(
    patient(extractor, async (seconds) => void waits.push(seconds)),
    new Took(),
  );
  const one = { ...cases, mails: cases.mails.slice(0, 1), decisions: [] };
  await evaluate(one, reader, rules);
  expect(waits).toEqual([7]);
  server.script = () => ({ do: 'fail', status: 401 });
  await expect(evaluate(one, reader, rules)).rejects.toThrow('rejected the key');
});
