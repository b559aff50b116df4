import { describe, expect, test } from 'vitest';
import { historyOf } from '../../../src/vault/notes/history-block.ts';
import { Clock, DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { HOUSE, instinct, settings, signal, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, only, SHADOW } from '../../support/workspace.ts';

const MAIL = 'instinct/mail.md';
const WEEK = 7 * DAY;

/** A running daemon that has acted once, for mail, and its clock. */
async function acted(files = {}) {
  const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal(), [MAIL]: instinct('mail'), ...files });
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

function observations(vault: TempVault): unknown {
  return vault.fields(MAIL).observations;
}

test('an action whose seven days closed unreversed is one observation, and the note says which', async () => {
  const made = await acted();
  await wakeAfter(made, WEEK - HOUR);
  expect(observations(made.vault)).toBe(0);
  await wakeAfter(made, 2 * HOUR);
  expect(observations(made.vault)).toBe(1);
  const { expires_at: closed } = made.vault.fields(made.event).undo_recipe as { expires_at: string };
  expect(made.vault.fields(MAIL)).toMatchObject({ windows_counted_until: closed, confidence: 0.9 });
  const name = made.event.slice('event/'.length, -'.md'.length);
  expect(historyOf(MAIL, made.vault.read(MAIL))).toMatchObject([
    { at: closed, what: `kept for seven days: [[${name}]]`, observations: 1 },
  ]);
  expect(made.running.daemon.status().sources).toMatchObject([{ source: 'mail', observations: 1 }]);
});

test('counted once, whatever wakes and restarts and however the clock jumps', async () => {
  const made = await acted();
  await wakeAfter(made, WEEK + HOUR);
  await wakeAfter(made, 2 * HOUR);
  for (const jump of [-3 * DAY, 5 * DAY, -30 * DAY, 60 * DAY]) {
    await made.running.stop();
    made.clock.move(jump);
    const again = await Running.start(made.vault, { clock: made.clock });
    await wakeAfter({ clock: made.clock, running: again }, 2 * HOUR);
    expect(observations(made.vault)).toBe(1);
    await again.stop();
  }
});

test('found at the start where no daemon ran, and by a round that a command asks for', async () => {
  const made = await acted();
  await made.running.stop();
  made.clock.move(WEEK + MINUTE);
  const bench = await Bench.open(made.vault, { clock: made.clock });
  await bench.tick();
  expect(observations(made.vault)).toBe(1);
});

test('what was taken back inside its week is none, also where that was undone after it', async () => {
  const made = await acted();
  await wakeAfter(made, 5 * DAY);
  await made.running.ask({ op: 'undo', events: [made.event], last: null, reason: null, force: false, dryRun: false });
  await wakeAfter(made, 3 * DAY);
  const reversal = only(made.vault.events('signal-action-reversed-'));
  await made.running.ask({ op: 'undo', events: [reversal], last: null, reason: null, force: false, dryRun: false });
  await wakeAfter(made, 10 * DAY);
  expect(made.vault.fields('task/pay.md').state).toBe('done');
  expect(made.vault.fields(MAIL)).toMatchObject({ observations: 0, reversals: 0, confidence: 0.9 });
});

test('an undo that was undone inside the week leaves an action that stands', async () => {
  const made = await acted();
  await made.running.ask({ op: 'undo', events: [made.event], last: null, reason: null, force: false, dryRun: false });
  const reversal = only(made.vault.events('signal-action-reversed-'));
  await made.running.ask({ op: 'undo', events: [reversal], last: null, reason: null, force: false, dryRun: false });
  await wakeAfter(made, WEEK + HOUR);
  expect(observations(made.vault)).toBe(1);
});

test('a confirmed proposal was counted when it was confirmed, and not again', async () => {
  const vault = new TempVault({ ...HOUSE, 'signal/w.md': weak(), [MAIL]: instinct('mail') });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock });
  await bench.tick();
  await bench.confirm(only(vault.events()));
  clock.move(WEEK + HOUR);
  await bench.tick();
  expect(observations(vault)).toBe(1);
});

test('an action that was counted under a clock that ran ahead can be taken back, and its observation with it', async () => {
  const made = await acted();
  await wakeAfter(made, WEEK + HOUR);
  expect(observations(made.vault)).toBe(1);
  made.clock.move(-WEEK);
  await made.running.ask({ op: 'undo', events: [made.event], last: null, reason: null, force: false, dryRun: false });
  expect(made.vault.fields(MAIL)).toMatchObject({ observations: 0, reversals: 1 });
  expect(made.vault.fields(only(made.vault.events('signal-action-reversed-'))).observations).toEqual({ mail: '1 → 0' });
});

test('every source behind an action counts, one without a note too', async () => {
  const vault = new TempVault({
    ...HOUSE,
    [MAIL]: instinct('mail', { observations: 60 }),
    'signal/a.md': signal({ effect_confidence: 0.78, target_confidence: 0.5 }),
    'signal/b.md': signal({ source_type: 'bank', effect_confidence: 0.8, target_confidence: 0.9, raw_quote: 'x' }),
  });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock });
  await bench.tick();
  clock.move(WEEK + HOUR);
  vault.remove('instinct/bank.md');
  await bench.tick();
  expect(vault.fields(MAIL).observations).toBe(61);
  expect(vault.fields('instinct/bank.md')).toMatchObject({ observations: 1, confidence: 0.9 });
});

test('in shadow no instinct is touched; what closed meanwhile is counted when the mode is live again', async () => {
  const made = await acted();
  await made.running.stop();
  made.clock.move(WEEK + HOUR);
  const before = made.vault.read(MAIL);
  const shadow = await Running.start(made.vault, { clock: made.clock, env: SHADOW });
  await wakeAfter({ clock: made.clock, running: shadow }, 20 * DAY);
  expect(made.vault.read(MAIL)).toBe(before);
  await shadow.stop();
  const live = await Running.start(made.vault, { clock: made.clock });
  await live.sync();
  expect(observations(made.vault)).toBe(1);
});

test('a note that is being edited is left until it has been quiet', async () => {
  const made = await acted({ 'steward.md': settings({ settle_seconds: 1 }) });
  made.clock.move(WEEK + HOUR);
  const typed = made.vault.read(MAIL).replace('What has been learnt.', 'I am typ');
  made.vault.write(MAIL, typed, -(WEEK + HOUR));
  await made.running.daemon.wake();
  await made.running.daemon.idle();
  expect(made.vault.read(MAIL)).toBe(typed);
  await made.running.until(() => observations(made.vault) === 1);
  expect(made.vault.read(MAIL)).toContain('I am typ');
});

describe('two machines that share the vault', () => {
  test('count the same, write the same bytes, and neither counts what the other has counted', async () => {
    const made = await acted();
    await made.running.stop();
    made.clock.move(WEEK + HOUR);
    const other = new TempVault(made.vault.snapshot());
    await (await Bench.open(made.vault, { clock: made.clock })).tick();
    made.clock.move(3 * HOUR);
    const theirs = await Bench.open(other, { clock: made.clock });
    await theirs.tick();
    expect(other.read(MAIL)).toBe(made.vault.read(MAIL));
    other.write(MAIL, made.vault.read(MAIL));
    await theirs.tick();
    expect(observations(other)).toBe(1);
  });

  test('a count that came while ours was being made is not counted once more', async () => {
    const made = await acted();
    await made.running.stop();
    made.clock.move(WEEK + HOUR);
    const other = new TempVault(made.vault.snapshot());
    await (await Bench.open(other, { clock: made.clock })).tick();
    const ours = await Bench.open(made.vault, { clock: made.clock });
    ours.afterSweeps(() => made.vault.write(MAIL, other.read(MAIL)));
    await ours.tick();
    expect(observations(made.vault)).toBe(1);
  });

  test('an action whose note came by sync only after its window closed is counted when it comes', async () => {
    const made = await acted();
    await made.running.stop();
    const other = new TempVault({ ...HOUSE, [MAIL]: instinct('mail') });
    const clock = new Clock();
    clock.move(WEEK + DAY);
    const running = await Running.start(other, { clock });
    await running.sync();
    other.write(made.event, made.vault.read(made.event));
    await wakeAfter({ clock, running }, 2 * HOUR);
    expect(observations(other)).toBe(1);
  });
});

test('several that closed since the last look are one row, and one edit', async () => {
  const files = { 'task/b.md': task(), 'signal/b.md': signal({ target_path: 'task/b.md', raw_quote: 'b' }) };
  const made = await acted(files);
  await made.running.until(() => made.vault.events('signal-action-').length === 2);
  await wakeAfter(made, WEEK + HOUR);
  expect(observations(made.vault)).toBe(2);
  const [row, ...more] = historyOf(MAIL, made.vault.read(MAIL));
  expect(row?.what).toMatch(/^kept for seven days: \[\[signal-action-.*]] and 1 more$/);
  expect(more).toEqual([]);
});
