import { describe, expect, test } from 'vitest';
import { historyOf } from '../../../src/vault/history-block.ts';
import { stem } from '../../../src/vault/note-names.ts';
import { Clock, DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { HOUSE, instinct, settings, signal, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, only, SHADOW } from '../../support/workspace.ts';

const MAIL = 'instinct/mail.md';
const WEEK = 7 * DAY;
const KNOWN = instinct('mail', { observations: 5 });

/** A running daemon that has acted once, for mail, and its clock. */
async function acted(files = {}) {
  const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal(), [MAIL]: KNOWN, ...files });
  const clock = new Clock();
  const running = await Running.start(vault, { clock });
  const { event } = await running.heard('acted');
  return { vault, clock, running, event };
}

async function wakeAfter({ clock, running }: { clock: Clock; running: Running }, ms: number): Promise<void> {
  clock.move(ms);
  await running.daemon.wake();
  await running.daemon.idle();
}

function undo(running: Running, event: string): Promise<unknown> {
  return running.ask({ op: 'undo', events: [event], last: null, reason: null, force: false, dryRun: false });
}

function observations(vault: TempVault): unknown {
  return vault.fields(MAIL).observations;
}

test('a change kept for seven days is right once, and both notes say which', async () => {
  const made = await acted();
  await wakeAfter(made, WEEK - HOUR);
  expect(observations(made.vault)).toBe(5);
  expect(made.vault.fields(made.event).taught).toBeUndefined();
  await wakeAfter(made, 2 * HOUR);
  const { expires_at: ended } = made.vault.fields(made.event).undo_recipe as { expires_at: string };
  expect(made.vault.fields(MAIL)).toMatchObject({ observations: 6, confidence: 0.91 });
  expect(made.vault.fields(made.event)).toMatchObject({ taught: 'right', taught_by: 'kept for seven days' });
  const name = stem(made.event);
  expect(historyOf(MAIL, made.vault.read(MAIL))).toMatchObject([
    { at: ended, what: `kept for seven days: [[${name}]]`, before: 0.9, after: 0.91, observations: 6 },
  ]);
  expect(made.running.daemon.status().sources).toMatchObject([{ source: 'mail', observations: 6 }]);
});

test('once, whatever wakes and restarts and however the clock jumps', async () => {
  const made = await acted();
  await wakeAfter(made, WEEK + HOUR);
  await wakeAfter(made, 2 * HOUR);
  for (const jump of [-3 * DAY, 5 * DAY, -30 * DAY, 60 * DAY]) {
    await made.running.stop();
    made.clock.move(jump);
    const again = await Running.start(made.vault, { clock: made.clock });
    await wakeAfter({ clock: made.clock, running: again }, 2 * HOUR);
    expect(observations(made.vault)).toBe(6);
    await again.stop();
  }
});

test('found at the start where no daemon ran, by a round that a command asks for, and in shadow too', async () => {
  for (const env of [undefined, SHADOW]) {
    const made = await acted();
    await made.running.stop();
    made.clock.move(WEEK + MINUTE);
    const bench = await Bench.open(made.vault, { clock: made.clock, ...(env === undefined ? {} : { env }) });
    await bench.tick();
    expect(observations(made.vault)).toBe(6);
  }
});

describe('silence says nothing', () => {
  test.each([
    ['of a source that nobody knows', { observations: 4 }],
    ['of one that was often wrong and seldom right', { observations: 4, wrong: 30 }],
  ])('%s: the week ends, and teaches nothing', async (_, fields) => {
    const made = await acted({ [MAIL]: instinct('mail', fields) });
    const before = made.vault.read(MAIL);
    await wakeAfter(made, WEEK + HOUR);
    expect(made.vault.read(MAIL)).toBe(before);
    expect(made.vault.fields(made.event)).toMatchObject({ taught: 'nothing', taught_by: 'its week is over' });
  });

  test('where one of several sources is unknown', async () => {
    const files = {
      [MAIL]: instinct('mail', { observations: 60 }),
      'signal/s1.md': weak({ effect_confidence: 0.55 }),
      'signal/b.md': weak({ source_type: 'bank', effect_confidence: 0.55, raw_quote: 'b' }),
      'task/pay.md': task({ discretion_threshold: 0.5 }),
      'instinct/bank.md': instinct('bank', { observations: 4 }),
    };
    const vault = new TempVault({ ...HOUSE, ...files });
    const clock = new Clock();
    const bench = await Bench.open(vault, { clock });
    await bench.tick();
    const event = vault.fields(only(vault.events()));
    expect(Object.keys(event.source_contributions ?? {}).toSorted()).toEqual(['bank', 'mail']);
    expect(event.undo_recipe).not.toBeNull();
    clock.move(WEEK + HOUR);
    await bench.tick();
    expect(observations(vault)).toBe(60);
    expect(vault.fields('instinct/bank.md').observations).toBe(4);
  });

  test('of a change that no longer stands', async () => {
    const made = await acted();
    await made.running.stop();
    made.clock.move(WEEK + HOUR);
    made.vault.edit('task/pay.md', "'done'", "'open'");
    await (await Bench.open(made.vault, { clock: made.clock })).tick();
    expect(observations(made.vault)).toBe(5);
    expect(made.vault.fields(made.event).taught).toBe('nothing');
  });

  test('of a note that is gone', async () => {
    const made = await acted();
    made.vault.remove('task/pay.md');
    await made.running.sync();
    await wakeAfter(made, WEEK + HOUR);
    expect(observations(made.vault)).toBe(5);
  });
});

test('what was taken back inside its week is not right, also where that was undone after it', async () => {
  const made = await acted();
  await wakeAfter(made, 5 * DAY);
  await undo(made.running, made.event);
  await wakeAfter(made, 3 * DAY);
  expect(observations(made.vault)).toBe(5);
  expect(made.vault.fields(MAIL)).toMatchObject({ confidence: 0.8, reversals: 1 });
});

test('an undo that was undone inside the week leaves an action that stands', async () => {
  const made = await acted();
  await undo(made.running, made.event);
  await undo(made.running, only(made.vault.events('signal-action-reversed-')));
  await wakeAfter(made, WEEK + HOUR);
  expect(observations(made.vault)).toBe(6);
});

test('a confirmed proposal was right when it was confirmed, and not again', async () => {
  const vault = new TempVault({ ...HOUSE, 'signal/w.md': weak(), [MAIL]: KNOWN });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock });
  await bench.tick();
  await bench.confirm(only(vault.events()));
  clock.move(WEEK + HOUR);
  await bench.tick();
  expect(observations(vault)).toBe(6);
});

test('an event note that the program did not write teaches nothing', async () => {
  const made = await acted();
  await made.running.stop();
  made.vault.write('event/signal-action-2026-01-01T00-00-00Z-pay.md', made.vault.read(made.event));
  made.vault.edit(made.event, 'mail: 0.97', 'mail: 0.96');
  made.clock.move(WEEK + HOUR);
  await (await Bench.open(made.vault, { clock: made.clock })).tick();
  expect(observations(made.vault)).toBe(5);
});

test('what counted under a clock that ran ahead can be taken back, and its right outcome with it', async () => {
  const made = await acted();
  await wakeAfter(made, WEEK + HOUR);
  expect(observations(made.vault)).toBe(6);
  made.clock.move(-WEEK);
  await undo(made.running, made.event);
  expect(made.vault.fields(MAIL)).toMatchObject({ observations: 5, reversals: 1, confidence: 0.81 });
  expect(made.vault.fields(only(made.vault.events('signal-action-reversed-'))).observations).toEqual({ mail: '6 → 5' });
});

test('a person who is typing in the instinct note loses nothing', async () => {
  const made = await acted({ 'steward.md': settings({ settle_seconds: 1 }) });
  made.clock.move(WEEK + HOUR);
  const typed = made.vault.read(MAIL).replace('What has been learnt.', 'I am typ');
  made.vault.write(MAIL, typed, -(WEEK + HOUR));
  await made.running.daemon.wake();
  await made.running.until(() => observations(made.vault) === 6);
  expect(made.vault.read(MAIL)).toContain('I am typ');
});

test('an event note that came back by sync long after its week is looked at when it comes', async () => {
  const made = await acted();
  await made.running.stop();
  const other = new TempVault({ ...HOUSE, 'task/pay.md': made.vault.read('task/pay.md'), [MAIL]: KNOWN });
  const clock = new Clock();
  clock.move(WEEK + DAY);
  const running = await Running.start(other, { clock });
  other.write(made.event, made.vault.read(made.event));
  await running.sync();
  await wakeAfter({ clock, running }, 2 * HOUR);
  expect(observations(other)).toBe(6);
});

test('a lesson that another machine has already taken down is not taught once more', async () => {
  const made = await acted();
  await made.running.stop();
  made.clock.move(WEEK + HOUR);
  const other = new TempVault(made.vault.snapshot());
  await (await Bench.open(other, { clock: made.clock })).tick();
  made.clock.move(MINUTE); // the other one learnt it earlier
  const ours = await Bench.open(made.vault, { clock: made.clock });
  ours.afterSweeps(() => {
    for (const file of [MAIL, made.event]) made.vault.write(file, other.read(file));
  });
  await ours.tick();
  expect(observations(made.vault)).toBe(6);
});

test.each([
  ['later', MINUTE, undefined],
  ['earlier', -MINUTE, 'right'],
] as const)(
  'an act that another machine has recorded too, %s, is counted by the later record alone',
  async (_, by, taught) => {
    const made = await acted();
    const at = Date.parse(String(made.vault.fields(made.event).timestamp));
    const theirs = made.vault
      .read(made.event)
      .replace(/^timestamp: .*$/m, `timestamp: ${new Date(at + by).toISOString()}`);
    made.vault.write(made.event.replace('-pay.md', '-pay-2.md'), theirs);
    await made.running.sync();
    await wakeAfter(made, WEEK + 2 * HOUR);
    expect(made.vault.fields(made.event).taught).toBe(taught);
    expect(observations(made.vault)).toBe(taught === 'right' ? 6 : 5);
  },
);
