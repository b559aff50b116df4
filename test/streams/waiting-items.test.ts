import fs from 'node:fs';
import { expect, test } from 'vitest';
import { Timers } from '../../src/daemon/timers.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import type { ExtractionQuestion, ExtractorResult } from '../../src/steward/types.ts';
import { StreamQueue } from '../../src/streams/queue.ts';
import { STREAMS } from '../../src/streams/state.ts';
import { unreadStreams } from '../../src/streams/streams.ts';
import { Clock, MINUTE } from '../support/clock.ts';
import { HOUSE } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';
import { mailbox, paidMail } from './mailboxes.ts';

const BOX = 'stream/box.mbox';
const DOWN = new ProviderError({ failure: 'unavailable', message: 'No.', hint: 'None.' });

/** A model that answers what the rules would say, or is not there. */
class Model {
  readonly name = 'model-x';
  readonly asksModel = true;
  readonly asked: string[] = [];
  isThere = true;

  async extract({ event, candidates }: ExtractionQuestion): Promise<ExtractorResult> {
    if (!this.isThere) throw DOWN;
    this.asked.push(event.path);
    const [target] = candidates;
    const meaning = {
      ...{ target: target?.path ?? '', candidates: [target?.path ?? ''], ambiguous: false, targetConfidence: 0.95 },
      ...{
        targetEvidence: [],
        targetNear: true,
        endsMatter: false,
        quote: '[[pay]] has been paid',
        effectConfidence: 0.9,
      },
      proposal: { class: 'state_change' as const, set: { state: 'done' }, add: {}, remove: {} },
      reasoning: 'It is paid.',
    };
    const usage = { provider: 'anthropic', model: 'model-x', inputTokens: 1, outputTokens: 1, usd: 0 };
    return {
      meanings: [meaning],
      skipped: null,
      rejected: [],
      unusable: null,
      extractor: 'model-x',
      usage: { ...usage, calls: 1 } as never,
    };
  }
}

async function opened(vault: TempVault, clock: Clock, model: Model) {
  const bench = await Bench.open(vault, { clock });
  bench.ports.models.extractor = model;
  return { bench, lane: new StreamQueue(bench.ports, new Timers(clock.now)) };
}

const itemsOf = (bench: Bench) => bench.ports.context.state.get(STREAMS)[BOX]?.items;

test('mails of a mailbox that wait for a model are remembered one by one, and read when it answers, also after a restart', async () => {
  const clock = new Clock();
  const model = new Model();
  model.isThere = false;
  const vault = new TempVault({ ...HOUSE, [BOX]: mailbox(paidMail('a'), paidMail('b'), paidMail('c')) });
  const { bench, lane } = await opened(vault, clock, model);
  lane.add(BOX);
  await lane.idle();
  expect([...bench.ports.ingest.waiting.keys()]).toEqual(Array(3).fill(expect.stringMatching(/^stream\/box\.mbox#/)));
  expect(itemsOf(bench)).toMatchObject({ isDone: true, read: 3 });
  expect(Object.keys(itemsOf(bench)?.open ?? {})).toHaveLength(3);
  await lane.close();
  bench.ports.context.state.flush();

  model.isThere = true;
  const again = await opened(vault, clock, model);
  again.lane.add(BOX);
  await again.lane.idle();
  expect(new Set(model.asked).size).toBe(3);
  expect(model.asked).toHaveLength(3);
  expect(itemsOf(again.bench)).toMatchObject({ open: {}, read: 3, none: 0, known: 0 });
  expect(vault.names('signal')).toHaveLength(3);
  await again.lane.close();
});

async function waitingMail() {
  const clock = new Clock();
  const model = new Model();
  model.isThere = false;
  const vault = new TempVault({ ...HOUSE, [BOX]: mailbox(paidMail('a')) });
  const { bench, lane } = await opened(vault, clock, model);
  lane.add(BOX);
  await lane.idle();
  return { vault, clock, model, bench, lane };
}

test('a mail that waits is not forgotten because its mailbox was away for a moment', async () => {
  const { vault, clock, model, bench, lane } = await waitingMail();
  fs.renameSync(vault.at(BOX), vault.at('box-is-moved'));
  clock.move(2 * MINUTE);
  lane.retry();
  await lane.idle();
  fs.renameSync(vault.at('box-is-moved'), vault.at(BOX));
  model.isThere = true;
  expect(unreadStreams(bench.ports)).toEqual([BOX]);
  lane.add(BOX);
  await lane.idle();
  expect(model.asked).toHaveLength(1);
  expect(itemsOf(bench)).toMatchObject({ open: {}, read: 1 });
  await lane.close();
});

test('a model is not asked again about a mail where a crash came after its answer was remembered, and before it was closed', async () => {
  const { vault, clock, model, bench, lane } = await waitingMail();
  bench.ports.context.state.flush();
  const streams = vault.stateFiles('streams');
  model.isThere = true;
  clock.move(2 * MINUTE);
  lane.retry();
  await lane.idle();
  await lane.close();
  vault.resetState('streams', streams);
  const again = await opened(vault, clock, model);
  again.lane.add(BOX);
  await again.lane.idle();
  expect(model.asked).toHaveLength(1);
  expect(itemsOf(again.bench)).toMatchObject({ open: {} });
  await again.lane.close();
});

test('where many wait the reading pauses, and goes on when they have been read', async () => {
  const clock = new Clock();
  const model = new Model();
  model.isThere = false;
  const mails = Array.from({ length: 260 }, (_, nth) => paidMail(`m${nth}`));
  const vault = new TempVault({ ...HOUSE, [BOX]: mailbox(...mails) });
  const { bench, lane } = await opened(vault, clock, model);
  lane.add(BOX);
  await lane.idle();
  const open = () => Object.keys(itemsOf(bench)?.open ?? {}).length;
  expect(open()).toBeLessThan(260);
  expect(itemsOf(bench)).toMatchObject({ isDone: false });
  model.isThere = true;
  for (let look = 0; look < 12 && model.asked.length < 260; look += 1) {
    clock.move(16 * MINUTE);
    lane.retry();
    await lane.idle();
  }
  expect(new Set(model.asked).size).toBe(260);
  expect(itemsOf(bench)).toMatchObject({ isDone: true, open: {}, read: 260 });
  await lane.close();
});
