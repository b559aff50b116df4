import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RehearsalProgress } from '../../../src/features/rehearsal-progress.ts';
import { matter, settings, task } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { type PastMail, pastMaildir, rehearsed } from './support.ts';

const ANNA = 'Anna Placeholder <anna@northgate-notary.example>';
const MAILS: readonly PastMail[] = [1, 2, 3, 4].map((nth) => ({
  ...{ at: `2026-03-1${nth}T09:00`, from: ANNA, subject: 'Notary deposit' },
  text: 'Dear Robin,\n\nthe notary deposit has been paid.\n\nKind regards, Anna',
}));
const NOTES = {
  'steward.md': settings(),
  'matter/house.md': matter({ senders: ['anna@northgate-notary.example'], keywords: ['notary'] }),
  'task/pay-notary-deposit.md': task({ state: 'done', completedDate: '2026-03-20' }),
};

/** A vault with four mails beside it; a run is ended after so many events, if `until` says so. */
function year() {
  const vault = new TempVault(NOTES);
  const files = [pastMaildir(path.join(vault.home, 'outside', 'Archive'), MAILS)];
  const folder = path.join(vault.home, 'kept', 'rehearsals');
  const run = (until = 9, isFresh = false, version = '1') => {
    const abort = new AbortController();
    const evaluating = ({ done }: { readonly done: number }) => {
      if (done === until) abort.abort();
    };
    const keep = { folder, version, isFresh };
    return rehearsed(vault, files, { keep }, { work: { evaluating, abort: abort.signal } });
  };
  const kept = () => fs.readdirSync(folder).map((name) => path.join(folder, name));
  return { vault, run, kept };
}

test('what was evaluated is not evaluated again, and the figures are those of one run', async () => {
  const { run, kept } = year();
  expect(await run(2)).toMatchObject({ ended: { why: 'interrupted' }, events: { evaluated: 2, left: 2, resumed: 0 } });
  expect(await run(3)).toMatchObject({ complete: false, events: { evaluated: 3, left: 1, resumed: 2 } });
  const { events, ...resumed } = await run();
  expect(events).toMatchObject({ evaluated: 4, left: 0, resumed: 3 });
  // After the end there is nothing to go on from.
  expect(kept()).toEqual([]);
  const { events: whole, ...atOnce } = await run();
  expect([whole.resumed, resumed]).toEqual([0, atOnce]);
  expect(resumed.cases.map(({ isRepeat }) => isRepeat)).toEqual([false, true, true, true]);
});

test('it starts over after a change in the vault, with another version, or if it is told to', async () => {
  const { vault, run } = year();
  await run(2);
  expect((await run(3, false, '2')).events.resumed).toBe(0);
  expect((await run(3, true, '2')).events.resumed).toBe(0);
  expect((await run(3, false, '2')).events.resumed).toBe(3);
  vault.write('task/pay-notary-deposit.md', task({ state: 'done', completedDate: '2026-03-21' }));
  expect((await run(3, false, '2')).events.resumed).toBe(0);
});

test('what was damaged is not believed, and a link is not followed', async () => {
  const { vault, run, kept } = year();
  await run(3);
  const [file = ''] = kept();
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const forged = lines.map((line, nth) => (nth === 2 ? line.replace(/"verdict":"\w+"/, '"verdict":"splendid"') : line));
  fs.writeFileSync(file, forged.join('\n'));
  expect((await run(3)).events.resumed).toBe(1);
  const other = path.join(vault.home, 'other');
  fs.writeFileSync(other, 'a file of the user\n');
  fs.rmSync(file);
  fs.symlinkSync(other, file);
  expect((await run(3)).events.resumed).toBe(0);
  expect([fs.readFileSync(other, 'utf8'), fs.lstatSync(file).isFile()]).toEqual(['a file of the user\n', true]);
});

test('a folder that cannot be written to ends nothing, and is said', async () => {
  const { vault, run } = year();
  fs.writeFileSync(path.join(vault.home, 'kept'), 'no folder');
  const { complete, troubles } = await run();
  expect({ complete, troubles }).toMatchObject({
    complete: true,
    troubles: [{ reason: expect.stringContaining("can't be kept") }],
  });
});

test('a question that a killed run had sent counts with the most that it may have cost', () => {
  const file = path.join(new TempVault().home, 'kept', 'one.jsonl');
  const run = () => new RehearsalProgress({ file, binding: 'same' }, 0);
  const first = run();
  first.keepAnswer('asked', { answer: null, usd: 0.01 });
  first.reserve('sent', 0.05);
  expect(run().spentUsd).toBeCloseTo(0.06);
  const next = run();
  next.reserve('sent', 0.05);
  next.keepAnswer('sent', { answer: null, usd: 0.02 });
  expect(run().spentUsd).toBeCloseTo(0.08); // the killed one, and this one
});
