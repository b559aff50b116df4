import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { learningOutcomes } from '../../../src/daemon/outcomes.ts';
import { Journal } from '../../../src/vault/journal.ts';
import { partName } from '../../../src/vault/transaction/edition.ts';
import type { Intent } from '../../../src/vault/transaction/intent.ts';
import { Clock } from '../../support/clock.ts';
import { HOUSE, task, weak } from '../../support/notes.ts';
import { testSeal } from '../../support/own-signal.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, only } from '../../support/workspace.ts';

const ANNA = 'instinct/mail/anna@notary.example.md';
const MAIL = 'instinct/mail.md';

/** A vault where a person has made what Anna's mail proposed, as it was right before that taught anything. */
async function before() {
  const proposal = { class: 'context_edit', set: { due: '2035-12-24' } };
  const said = weak({ pattern: 'anna@notary.example', mutation_proposal: proposal });
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task({ due: '2035-12-01' }), 'signal/w.md': said });
  const bench = await Bench.open(vault);
  await bench.tick();
  bench.close();
  vault.edit('task/pay.md', '2035-12-01', '2035-12-24');
  return { vault, event: only(vault.events()) };
}

/** The one intent by which the outcome is learnt, as it is journalled, on a copy of the vault. */
async function lessonOf(vault: TempVault): Promise<Intent> {
  const spied = vi.spyOn(Journal.prototype, 'open');
  await (await Bench.open(new TempVault(vault.snapshot()), { clock: new Clock() })).tick();
  const lessons = spied.mock.calls.flatMap(([work]) => (work.steps[0]?.path.startsWith('event/') ? [work] : []));
  const intent = structuredClone(lessons.at(-1));
  spied.mockRestore();
  if (intent === undefined) throw new Error('nothing was learnt');
  return intent;
}

test('what an event has taught, and the lesson itself, are one transaction', async () => {
  const { vault, event } = await before();
  const intent = await lessonOf(vault);
  expect(intent.steps.map(({ path }) => path)).toEqual([event, ANNA, MAIL]);
});

test.each([0, 1, 2, 3])('killed after %i of its steps, it is done wholly, and once', async (done) => {
  const { vault, event } = await before();
  const intent = await lessonOf(vault);
  new Journal(vault.places.journal, testSeal()).open(intent);
  for (const step of intent.steps.slice(0, done)) {
    // An edit is an exchange: what the note was lies in the part file.
    const part = path.join(vault.places.tmp, partName(intent.id, step.path));
    if (step.do === 'edit') fs.renameSync(vault.at(step.path), part);
    vault.write(step.path, step.text, 0);
  }
  const bench = await Bench.open(vault);
  const isDecided = done > 0;
  expect(vault.has(ANNA)).toBe(isDecided);
  expect(vault.fields(event).taught).toBe(isDecided ? 'right' : undefined);
  await bench.tick();
  bench.close();
  await (await Bench.open(vault)).tick();
  expect(vault.fields(event).taught).toBe('right');
  expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.91, observations: 1 });
  expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.902 });
});

test('the mark holds through the lesson: what the event has taught can be believed later', async () => {
  const { vault, event } = await before();
  const bench = await Bench.open(vault);
  await bench.tick();
  const seal = vault.fields(event).seal;
  vault.edit(event, 'taught: right', 'taught: wrong');
  await bench.tick();
  expect(vault.fields(event).seal).toBe(seal);
  expect(vault.fields(ANNA)).toMatchObject({ observations: 1 });
});

test('two that learn side by side, a step each in turn, teach an outcome once', async () => {
  const { vault, event } = await before();
  const bench = await Bench.open(vault);
  await bench.sweep();
  const both = [learningOutcomes(bench.ports, 0), learningOutcomes(bench.ports, 0)];
  while (both.map((one) => one.next().done === true).includes(false));
  expect(vault.fields(event).taught).toBe('right');
  expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.91, observations: 1 });
});

test('an event note that a sync brings back as it was before teaches nothing again', async () => {
  const { vault, event } = await before();
  const former = vault.read(event);
  const bench = await Bench.open(vault);
  for (let times = 0; times < 3; times += 1) {
    vault.write(event, former);
    await bench.learn();
    expect(vault.fields(event).taught).toBe('right');
  }
  expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.91, observations: 1 });
});
