import { expect, test } from 'vitest';
import { z } from 'zod';
import { rules } from '../../../src/model/evaluators.ts';
import { AnthropicExtractor } from '../../../src/model/extractor.ts';
import { Provider } from '../../../src/model/provider.ts';
import { MessagesServer, type Request, type Script, textOf } from '../../model/messages-server.ts';
import { OPEN_DOOR } from '../../model/open-door.ts';
import { loadCases, type MailCase } from '../case.ts';
import { evaluate } from '../evaluation.ts';
import { modelReader, Took } from '../reader.ts';
import { wrongActsOf } from '../report/misses.ts';
import { scoresOf } from '../report/tally.ts';
import { estimate, estimateWords } from './estimate.ts';
import { patient } from './patient.ts';

const cases = loadCases();
const note = z.object({ note: z.string(), name: z.string() });
const event = z.object({ subject: z.string(), from: z.string().nullable(), written: z.string().nullable() });

/** A model that reads as the cases expect: whatever is lost then was lost by the search or the checks. */
const careful: Script = (asked) => ({
  do: 'say',
  text: JSON.stringify({ signals: caseOf(asked).expect.map(toSignal(asked)) }),
});

async function asking(script: Script) {
  const server = await MessagesServer.start(script);
  const extractor = new AnthropicExtractor(new Provider(server.access, OPEN_DOOR), {
    model: 'some-model',
    price: null,
  });
  return { server, extractor };
}

test('a model that reads as a careful person does loses nothing by the search and the checks, and does nothing wrongly', async () => {
  const { server, extractor } = await asking(careful);
  const took = new Took();
  const evaluation = await evaluate(cases, modelReader(extractor, took), rules);
  const changes = scoresOf(evaluation.answers).strict;
  const requests = scoresOf(evaluation.answers, (change) => change === 'asks').strict;
  expect(server.malformed).toEqual([]);
  expect(server.requests).toHaveLength(took.asked);
  expect(took).toMatchObject({ tokensIn: took.asked * 1500, tokensOut: took.asked * 100 });
  expect(changes.precision.share).toBeGreaterThan(0.99);
  expect(changes.recall.share).toBeGreaterThan(0.9);
  expect(requests.recall.share).toBeGreaterThan(0.9);
  expect(wrongActsOf(evaluation)).toEqual([]);
});

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
  await expect(evaluate(one, reader, rules)).rejects.toThrow('does not accept the key');
});

/** Returns the case that a question is about, found by its words. */
function caseOf(asked: Request): MailCase {
  const written = /<event>\n([^\n]*)\n<\/event>/.exec(textOf(asked))?.[1] ?? '{}';
  const shown = event.extend({ text: z.string() }).parse(JSON.parse(written));
  const found = cases.mails.filter(({ subject, from }) => subject === shown.subject && from === shown.from);
  // A question shows only the author's own words, without the quoted history: only the first line is sure to be there.
  const first = shown.text.split('\n')[0] ?? '';
  const best = found.length === 1 ? found[0] : found.find(({ text }) => text.includes(first));
  if (best === undefined) throw new Error(`no case is about ${written}`);
  return best;
}

function toSignal(asked: Request) {
  const lines = /<notes>\n([^<]*)\n<\/notes>/.exec(textOf(asked))?.[1]?.split('\n') ?? [];
  const notes = lines.map((line) => note.parse(JSON.parse(line)));
  return (expected: MailCase['expect'][number]) => ({
    note: notes.find(({ name }) => name === expected.note)?.note ?? 'none of them',
    ...{ or_notes: [], note_confidence: 0.95, effect_confidence: 0.95, reasoning: 'It says so.' },
    quote: expected.quote,
    changes: Object.entries(expected.set ?? {}).map(([field, value]) => ({ field, op: 'set', value })),
  });
}
