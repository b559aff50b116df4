// Over 5 s: it closes and reopens notes in real files.
import { describe, expect, test } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { Clock, MINUTE } from '../support/clock.ts';
import { HOUSE, reversal, signal, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only, SHADOW } from '../support/workspace.ts';

const PAY = 'task/pay.md';

/** What may wait about a task, besides what would close it. */
const ASKED = {
  'a question': weak({ effect: 'action', mutation_proposal: null }),
  'a proposal with its flag': weak({ mutation_proposal: { class: 'context_edit', set: { due: '2036-02-02' } } }),
  'a choice': signal({ target_ambiguous: true, target_path: null, target_candidates: [PAY] }),
};
const KINDS = Object.entries(ASKED);

const CLOSING = signal({ effect_confidence: 1, raw_quote: 'paid at last' });

function quiet(vault: TempVault): void {
  for (const [file, text] of Object.entries(vault.snapshot())) vault.write(file, text);
}

/** Lets a daemon do all there is to do, also about notes that were just written. */
async function settled(running: Running, vault: TempVault): Promise<void> {
  await running.sync();
  quiet(vault);
  await running.sync();
}

/** A vault in which something waits about a task that was then closed by itself. */
async function closedTask(text: string, closing = CLOSING) {
  const vault = new TempVault({ ...HOUSE, 'signal/s1.md': text });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock });
  const follow = async () => {
    quiet(vault);
    await bench.follow();
  };
  await bench.tick();
  await follow();
  const asked = only(vault.events());
  const waiting = () => bench.waiting().map(({ kind, event, change, answers }) => ({ kind, event, change, answers }));
  const before = { asked: vault.read(asked), task: vault.read(PAY), waiting: waiting() };
  expect(before.waiting).toHaveLength(1);
  clock.move(MINUTE);
  vault.write('signal/s2.md', closing);
  await bench.tick();
  await follow();
  return { vault, clock, bench, asked, before, follow, waiting };
}

function closingEvent(vault: TempVault, asked: string): string {
  return only(vault.events('signal-action-').filter((one) => one !== asked));
}

describe('what only waited no more because the task was done waits again, with its words, boxes and flag', () => {
  test.each(KINDS)('%s, by the command', async (_, text) => {
    const { vault, clock, bench, asked, before, follow, waiting } = await closedTask(text);
    expect(vault.fields(PAY)).toMatchObject({ state: 'done' });
    expect(vault.fields(PAY)).not.toHaveProperty('pending_confirmation');
    expect(vault.fields(asked)).toMatchObject({ waiting: false, pending_confirmation: false });
    expect(waiting()).toEqual([]);
    clock.move(MINUTE);
    const closing = stem(closingEvent(vault, asked));
    const undone = await bench.undo(closing);
    await follow();
    expect(vault.read(PAY)).toBe(before.task);
    expect(vault.read(asked)).toBe(before.asked);
    expect(waiting()).toEqual(before.waiting);

    // The undo is undone, and that once more.
    clock.move(MINUTE);
    const again = await bench.undo(stem(String(undone.note)));
    await follow();
    expect(vault.fields(PAY)).toMatchObject({ state: 'done' });
    expect(vault.fields(PAY)).not.toHaveProperty('pending_confirmation');
    expect(vault.fields(asked)).toMatchObject({ waiting: false });
    expect(waiting()).toEqual([]);
    clock.move(MINUTE);
    expect(await bench.undo(stem(String(again.note)))).toMatchObject({ outcome: 'reversed' });
    await follow();
    expect(vault.read(PAY)).toBe(before.task);
    expect(vault.read(asked)).toBe(before.asked);
    expect(waiting()).toEqual(before.waiting);
  });

  test.each(KINDS)('%s, by the box, and after a restart', async (_, text) => {
    const { vault, clock, bench, asked, before } = await closedTask(text);
    bench.close();
    clock.move(MINUTE);
    const running = await Running.start(vault, { clock });
    vault.edit(closingEvent(vault, asked), 'undo: false', 'undo: true');
    await running.heard('reversed');
    await settled(running, vault);
    expect(vault.read(PAY)).toBe(before.task);
    expect(vault.read(asked)).toBe(before.asked);
    await running.stop();
    const later = await Running.start(vault, { clock });
    await settled(later, vault);
    expect(vault.read(asked)).toBe(before.asked);
  });

  test.each(KINDS)('%s, by a dropped file that came while the program was away', async (_, text) => {
    const { vault, clock, bench, asked, before } = await closedTask(text);
    bench.close();
    clock.move(MINUTE);
    const name = stem(closingEvent(vault, asked));
    vault.write('event/signal-action-reversed-mine.md', reversal(`[[${name}]]`));
    const running = await Running.start(vault, { clock });
    await settled(running, vault);
    expect(vault.read(PAY)).toBe(before.task);
    expect(vault.read(asked)).toBe(before.asked);
  });

  test('also if a crash came before the note of the question followed', async () => {
    const { vault, clock, bench, asked, before } = await closedTask(ASKED['a question']);
    const closed = vault.read(asked);
    clock.move(MINUTE);
    await bench.undo(stem(closingEvent(vault, asked)));
    bench.close();
    vault.write(asked, closed);
    quiet(vault);
    const running = await Running.start(vault, { clock });
    await settled(running, vault);
    expect(vault.read(asked)).toBe(before.asked);
  });

  test('also if the user had confirmed that it is done', async () => {
    const done = weak({ raw_quote: 'paid at last' });
    const { vault, clock, bench, asked, before, follow } = await closedTask(ASKED['a question'], done);
    const proposed = only(vault.events().filter((one) => one !== asked));
    const confirmed = await bench.confirm(stem(proposed));
    await follow();
    expect(vault.fields(asked)).toMatchObject({ waiting: false, outcome: 'expired' });
    clock.move(MINUTE);
    await bench.undo(stem(String(confirmed.note)));
    await follow();
    expect(vault.read(asked)).toBe(before.asked);
  });
});

test('a question whose task the user closes and opens again by hand waits again, and `explain` lists it', async () => {
  const vault = new TempVault({ ...HOUSE, 'signal/s1.md': ASKED['a question'] });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock, env: SHADOW });
  await bench.tick();
  const asked = only(vault.events());
  const before = vault.read(asked);
  bench.close();
  quiet(vault);
  const running = await Running.start(vault, { clock, env: SHADOW });
  vault.edit(PAY, "'open'", "'done'");
  await running.sync();
  expect(vault.fields(asked)).toMatchObject({ waiting: false, outcome: 'expired' });
  await running.stop();
  quiet(vault);
  vault.edit(PAY, "'done'", "'open'");
  const later = await Running.start(vault, { clock, env: SHADOW });
  await settled(later, vault);
  expect(vault.read(asked)).toBe(before);
  const { sections } = await (await Bench.reading(vault, { clock })).explain(PAY);
  expect(sections.find(({ title }) => title === 'Waiting for you')?.lines.join()).toContain(stem(asked));
});

test('what the user answered stays answered', async () => {
  const { vault, clock, bench, asked, before, follow, waiting } = await closedTask(ASKED['a question']);
  clock.move(MINUTE);
  await bench.undo(stem(closingEvent(vault, asked)));
  await follow();
  expect(vault.read(asked)).toBe(before.asked);
  await bench.dismiss(stem(asked));
  await follow();
  vault.edit(PAY, "'open'", "'done'");
  await follow();
  vault.edit(PAY, "'done'", "'open'");
  await follow();
  expect(vault.fields(asked)).toMatchObject({ waiting: false, outcome: 'dismissed' });
  expect(waiting()).toEqual([]);
});
