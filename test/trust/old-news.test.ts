import { expect, test } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { Clock, DAY, HOUR } from '../support/clock.ts';
import { HOUSE, SELDOM, settings, signal, task } from '../support/notes.ts';
import { ownLicence, ownSignal } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const YEAR = 365 * DAY;
const TASK = 'task/pay.md';
const DUE = { class: 'context_edit', set: { due: '2035-12-09' } };
const LATER = { class: 'context_edit', set: { due: '2035-12-16' } };

function time(days: number): string {
  return new Date(Date.now() + days * DAY).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A signal of the program's own, of a mail sent so many days from now, read from a file of its own. */
function told(name: string, days: number, proposal: object, quote: string): [string, string] {
  const path = `signal/${name}.md`;
  const fields = { origin_at: time(days), mutation_proposal: proposal, raw_quote: quote };
  return [path, ownSignal(path, { ...fields, source_event_path: `stream/${name}.eml` })];
}

async function vaultWith(...signals: [string, string][]) {
  const files = { [TASK]: task({ due: '2035-12-01' }), 'licence/anna.md': ownLicence('licence/anna.md') };
  const vault = new TempVault({ ...HOUSE, ...files, ...Object.fromEntries(signals) });
  return { vault, bench: await Bench.open(vault, { clock: new Clock() }) };
}

test('a mail that is sent again does not set back what a newer one has moved', async () => {
  const { vault, bench } = await vaultWith(
    told('one', -3, DUE, 'moved to the 9th'),
    told('two', -1, LATER, 'the 16th'),
  );
  await bench.route('signal/one.md');
  await bench.route('signal/two.md');
  expect(vault.fields(TASK).due).toBe('2035-12-16');
  vault.write(...told('again', -3, DUE, 'moved to the 9th'));
  await bench.tick();
  expect(vault.fields(TASK)).toMatchObject({ due: '2035-12-16', pending_confirmation: true });
  expect(vault.read(only(vault.events('steward-action-')))).toMatch(/failed: freshness: /);
});

test('what was taken back is not done again because the same mail comes by another file', async () => {
  const { vault, bench } = await vaultWith(told('one', -3, DUE, 'moved to the 9th'));
  await bench.route('signal/one.md');
  await bench.undo(stem(only(vault.events())));
  expect(vault.fields(TASK).due).toBe('2035-12-01');
  // The undo ended the licence; with a new one, only the age of the news speaks against it.
  vault.write('licence/again.md', ownLicence('licence/again.md', { signed_at: time(0) }));
  vault.write(...told('again', -3, DUE, 'moved to the 9th'));
  await bench.tick();
  expect(vault.fields(TASK).due).toBe('2035-12-01');
});

test('what the user has set by hand since is not set back by an older mail, also while the program was away', async () => {
  const { vault, bench } = await vaultWith();
  bench.close();
  const settled = settings({ settle_seconds: 0, default_schedule: SELDOM, trusted_signal_sources: [] });
  vault.write('steward.md', settled);
  const running = await Running.start(vault);
  vault.write(TASK, vault.read(TASK).replace('2035-12-01', '2035-12-24'), 0);
  await running.sync();
  vault.write(...told('late', -1, DUE, 'moved to the 9th'));
  await running.sync();
  await running.ask({ op: 'tick', matters: [], force: true, mode: null });
  expect(vault.fields(TASK).due).toBe('2035-12-24');
  expect(vault.read(only(vault.events('steward-action-')))).toMatch(/failed: freshness: what you decided /);
  await running.stop();

  const other = await vaultWith();
  other.bench.close();
  other.vault.write('steward.md', settled);
  await (await Running.start(other.vault)).stop();
  other.vault.write(TASK, other.vault.read(TASK).replace('2035-12-01', '2035-12-24'), 0);
  other.vault.write(...told('late', -1, DUE, 'moved to the 9th'));
  other.vault.write(...told('state', -1, { class: 'state_change', set: { state: 'done' } }, 'it is paid'));
  const again = await Running.start(other.vault);
  await again.sync();
  await again.ask({ op: 'tick', matters: [], force: true, mode: null });
  expect(other.vault.fields(TASK)).toMatchObject({ due: '2035-12-24', state: 'done' }); // the state is not what was set
});

/** A daemon at work on a task, and an order to check everything. */
async function checking(fields: Readonly<Record<string, unknown>>) {
  const vault = new TempVault({
    ...HOUSE,
    'steward.md': settings({ settle_seconds: 0, default_schedule: SELDOM, trusted_signal_sources: [] }),
    [TASK]: task(fields),
  });
  const running = await Running.start(vault);
  const check = async () => {
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await running.sync();
  };
  return { vault, running, check };
}

/** The same, after it has proposed a new day as a sender without a licence says. */
async function asked() {
  const { vault, running, check } = await checking({ due: '2035-12-01' });
  vault.write(...told('one', -1, DUE, 'moved to the 9th'));
  await check();
  const { event } = await running.heard('proposed');
  return { vault, running, event, check };
}

test('what was asked before is not asked again once the user has set the field otherwise by hand', async () => {
  const { vault, running, check } = await asked();
  vault.edit(TASK, 'due: 2035-12-01', 'due: 2035-12-24');
  await check();
  expect(vault.fields(TASK)).toMatchObject({ due: '2035-12-24' });
  expect(vault.fields(TASK).pending_confirmation).toBeUndefined();
  expect(running.count('proposed')).toBe(1);
  expect(await running.heard('recorded')).toMatchObject({
    reason: expect.stringMatching(/^due was set otherwise since /),
  });
});

test('what was asked before is asked again if the user has only put the task off', async () => {
  const { vault, running, check, event } = await asked();
  vault.edit(TASK, 'state: open', 'state: snoozed');
  await check();
  expect(await running.heard('proposed', (again) => again.event !== event)).toMatchObject({ target: TASK });
  vault.write(...told('paid', 0, { class: 'state_change', set: { state: 'done' } }, 'it is paid'));
  await check();
  const paid = await running.heard('proposed', ({ changes }) => Object.hasOwn(changes, 'state'));
  vault.edit(TASK, 'state: snoozed', 'state: open');
  await check();
  await running.heard('proposed', (again) => Object.hasOwn(again.changes, 'state') && again.event !== paid.event);
});

test('a mail about what its closed task says already is no news when the task is opened again', async () => {
  const { vault, running, check } = await checking({ state: 'done' });
  vault.write(...told('paid', 0, { class: 'state_change', set: { state: 'done' } }, 'it is paid'));
  await check();
  expect(running.happenings.filter(({ what }) => what === 'recorded')).toMatchObject([{ target: TASK, changes: {} }]);
  vault.edit(TASK, 'state: done', 'state: open');
  await check();
  expect(running.count('proposed')).toBe(0);
  expect(vault.fields(TASK).state).toBe('open');
});

test('what the program wrote itself is no edit by hand', async () => {
  const { vault, bench } = await vaultWith();
  bench.close();
  vault.write('steward.md', settings({ settle_seconds: 0, default_schedule: SELDOM, trusted_signal_sources: [] }));
  const running = await Running.start(vault);
  vault.write(...told('one', -3, DUE, 'moved to the 9th'));
  await running.heard('acted');
  await running.sync();
  vault.write(...told('two', -1, LATER, 'the 16th'));
  await running.heard('acted', ({ event }) => event.length > 0 && running.count('acted') === 2);
  expect(vault.fields(TASK).due).toBe('2035-12-16');
});

/** A daemon that has marked the task done by what a signal said. */
async function actedUnder(clock: Clock) {
  const vault = new TempVault({ ...HOUSE, [TASK]: task(), 'signal/s1.md': signal() });
  const running = await Running.start(vault, { clock });
  const { event } = await running.heard('acted');
  await running.sync();
  return { vault, running, event };
}

function aheadBy(ms: number): Clock {
  const clock = new Clock();
  clock.move(ms);
  return clock;
}

test("the program's own writes are no edits of the user, whatever its clock says or the note is called", async () => {
  for (const clock of [new Clock(), aheadBy(40 * YEAR), aheadBy(-DAY)]) {
    const { vault, running, event } = await actedUnder(clock);
    vault.rename(TASK, 'task/paid.md');
    await running.sync();
    await running.ask({ op: 'undo', events: [event], last: null, reason: null, force: false, dryRun: false });
    await running.sync();
    await running.stop();
    expect(vault.fields('task/paid.md').state).toBe('open');
    expect(Object.keys(vault.state('edited') ?? {})).toEqual([]);
  }
});

test('an edit by hand counts, also if it gives a note the bytes that the program once wrote', async () => {
  const clock = new Clock();
  const { vault, running } = await actedUnder(clock);
  const [open, done] = [task(), vault.read(TASK)];
  const edited = async (text: string) => {
    clock.move(DAY);
    vault.write(TASK, text, Date.now() - clock.now());
    await running.sync();
    return clock.now();
  };
  await edited(open);
  const at = await edited(done);
  await running.stop();
  const { state } = (vault.state('edited') as Record<string, { state: number }>)[TASK] ?? { state: 0 };
  expect(Math.abs(state - at)).toBeLessThan(HOUR);
});

test('an undo that is dated in the future does not hold back what is new now', async () => {
  const { vault, running, event } = await actedUnder(aheadBy(40 * YEAR));
  await running.ask({ op: 'undo', events: [event], last: null, reason: null, force: false, dryRun: false });
  await running.stop();
  const again = await Running.start(vault);
  vault.write('signal/s2.md', signal({ origin_at: time(0), raw_quote: 'paid after all' }));
  expect(await again.heard('acted')).toMatchObject({ target: TASK });
});
