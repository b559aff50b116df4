import { describe, expect, test } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { Clock, DAY, MINUTE } from '../support/clock.ts';
import { HOUSE, instinct, matter, SELDOM, settings, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const ANNA = 'instinct/mail/anna@notary.example.md';
const NOTE = 'task/deed.md';
const SIGNAL = 'signal/s.md';
const QUIET = settings({ settle_seconds: 0, default_schedule: SELDOM, trusted_signal_sources: ['mail'] });
const FILES = {
  ...HOUSE,
  'steward.md': QUIET,
  'matter/m.md': matter(),
  [NOTE]: task({ parent_matter: '[[m]]' }),
  [SIGNAL]: weak({ pattern: 'anna@notary.example', target_path: NOTE }),
  [ANNA]: instinct('mail', { pattern: 'anna@notary.example', confidence: 0.83, observations: 4 }),
};

/** A vault with one proposal that waits; its sender's figures are odd, so that nothing else could give them back. */
async function proposed(files = {}) {
  const vault = new TempVault({ ...FILES, ...files });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock });
  await bench.tick();
  return { vault, clock, bench, event: only(vault.events('steward-action-2')) };
}

type Proposed = Awaited<ReturnType<typeof proposed>>;

/** What of the vault shows that a proposal waits, and what is known of its sender. */
function shown({ vault, bench, event }: Pick<Proposed, 'vault' | 'bench' | 'event'>) {
  const { waiting, outcome, pending_confirmation: pending, dismiss, later, says } = vault.fields(event);
  const { confidence, observations, wrong, wrong_in_a_row: row } = vault.fields(ANNA);
  return {
    event: { waiting, outcome, pending, dismiss: dismiss ?? null, later: later ?? null, says },
    note: vault.read(NOTE),
    signal: vault.read(SIGNAL).replace(/^seal: .*\n/m, ''),
    sender: { confidence, observations, wrong: wrong ?? 0, row: row ?? 0 },
    listed: bench.status().waiting.map(({ kind, answers }) => ({ kind, answers })),
  };
}

const OPENED = 'The answer was undone: the proposal waits for you again.';

describe('a dismissal that is undone', () => {
  test.each([
    ['as wrong', false],
    ['as "not now"', true],
  ])('%s: the proposal waits again everywhere, and its lesson is gone', async (_, later) => {
    const space = await proposed();
    const { vault, bench, event } = space;
    const before = shown(space);
    expect(before).toMatchObject({ listed: [{ kind: 'proposal' }], event: { waiting: true, pending: true } });
    expect(before.note).toContain('pending_confirmation: true');
    await bench.answerAll({ kind: 'dismiss', filter: ALL, later });
    await bench.follow();
    expect(shown(space)).toMatchObject({
      listed: [],
      sender: { confidence: later ? 0.83 : 0.78, wrong: later ? 0 : 1 },
    });
    const dismissal = only(vault.events('steward-action-dismissed-'));
    expect(vault.fields(dismissal)).toMatchObject({ undo: false, undo_recipe: { vault_patch: { fields: {} } } });
    expect(vault.read(event)).toContain('Tick `undo` there to undo it');

    const answer = await bench.undo(dismissal);
    await bench.follow();
    expect(answer).toMatchObject({ outcome: 'reversed', target: NOTE, message: OPENED });
    expect(shown(space)).toEqual(before);
    const reversal = only(vault.events('steward-action-reversed-'));
    expect(vault.fields(reversal)).toMatchObject({
      reverses: `[[${stem(dismissal)}]]`,
      reversed_by: 'command',
      undo: false,
    });
    expect(vault.read(reversal)).toContain('waits for you again');
    expect(vault.read(dismissal)).toContain('You undid this');
  });

  test('can be given again by undoing the undo, with the same lesson, and be taken back once more', async () => {
    const space = await proposed();
    const { vault, bench, event } = space;
    const before = shown(space);
    await bench.dismiss(event);
    await bench.follow();
    const closed = shown(space);
    await bench.undo(only(vault.events('steward-action-dismissed-')));
    const first = only(vault.events('steward-action-reversed-'));
    const again = await bench.undo(first);
    await bench.follow();
    expect(again).toMatchObject({ outcome: 'reversed', message: 'The answer counts again: the proposal is closed.' });
    expect(shown(space)).toEqual(closed);
    const second = only(vault.events('steward-action-reversed-').filter((one) => one !== first));
    await bench.undo(second);
    await bench.follow();
    expect(shown(space)).toEqual(before);
    expect(await bench.undo(only(vault.events('steward-action-dismissed-')))).toMatchObject({
      outcome: 'already-reversed',
    });
  });

  test('leaves a proposal that can be confirmed, and dismissed anew', async () => {
    const space = await proposed();
    const { vault, bench, event } = space;
    await bench.dismiss(event);
    const [first = ''] = vault.events('steward-action-dismissed-');
    await bench.undo(first);
    expect(await bench.dismiss(event)).toMatchObject({ outcome: 'dismissed' });
    expect(shown(space)).toMatchObject({ listed: [], sender: { confidence: 0.78, wrong: 1 } });
    const second = only(vault.events('steward-action-dismissed-').filter((one) => one !== first));
    await bench.undo(second);
    expect(await bench.confirm(event)).toMatchObject({ outcome: 'confirmed' });
    expect(vault.fields(NOTE).state).toBe('done');
    expect(vault.read(NOTE)).not.toContain('pending_confirmation');
    expect(vault.fields(ANNA)).toMatchObject({ observations: 5, confidence: 0.847 });
  });

  test('by a box: the tick that dismissed goes, the tick that undid stays, and a restart repeats neither', async () => {
    const { vault, bench, clock, event } = await proposed();
    bench.close();
    const running = await Running.start(vault, { clock });
    vault.edit(event, 'dismiss: false', 'dismiss: true');
    await running.sync();
    const dismissal = only(vault.events('steward-action-dismissed-'));
    expect(vault.fields(event)).toMatchObject({ dismiss: true, waiting: false });
    vault.edit(dismissal, 'undo: false', 'undo: true');
    await running.sync();
    expect(vault.fields(event)).toMatchObject({ dismiss: false, waiting: true, outcome: 'proposed' });
    expect(vault.fields(dismissal).undo).toBe(true);
    expect(running.daemon.status().waiting).toMatchObject([{ kind: 'proposal', target: NOTE }]);
    expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.83, wrong: 0 });
    await running.stop();
    const later = await Running.start(vault, { clock });
    await later.sync();
    expect(vault.events('steward-action-dismissed-')).toHaveLength(1);
    expect(vault.events('steward-action-reversed-')).toHaveLength(1);
    clock.move(4 * MINUTE);
    vault.edit(event, 'dismiss: false', 'dismiss: true');
    await later.sync();
    expect(vault.events('steward-action-dismissed-')).toHaveLength(2);
    expect(later.daemon.status().waiting).toEqual([]);
  });

  test('by a dropped file, and by the box of the proposal itself', async () => {
    const { vault, bench, clock, event } = await proposed();
    bench.close();
    const running = await Running.start(vault, { clock });
    vault.write('event/steward-action-dismissed-no.md', `---\ndismisses: "[[${stem(event)}]]"\n---\n`);
    await running.sync();
    vault.write('event/steward-action-reversed-yes.md', '---\nreverses: "[[steward-action-dismissed-no]]"\n---\n');
    await running.sync();
    expect(vault.fields('event/steward-action-reversed-yes.md')).toMatchObject({ outcome: 'reversed' });
    expect(vault.fields(event)).toMatchObject({ waiting: true, outcome: 'proposed' });
    clock.move(4 * MINUTE);
    vault.edit(event, 'later: false', 'later: true');
    await running.sync();
    vault.edit(event, 'waiting: false', 'undo: true\nwaiting: false');
    await running.sync();
    expect(vault.fields(event)).toMatchObject({ waiting: true, undo: true, later: false, outcome: 'proposed' });
    expect(vault.fields(event).remark ?? null).toBeNull();
  });

  test('after the change was made by hand: the lesson is gone, and the proposal does not wait', async () => {
    const space = await proposed();
    const { vault, bench, clock, event } = space;
    await bench.dismiss(event);
    clock.move(MINUTE);
    vault.edit(NOTE, 'state: open', 'state: done');
    const answer = await bench.undo(only(vault.events('steward-action-dismissed-')));
    expect(answer).toMatchObject({ outcome: 'reversed', message: expect.stringContaining("doesn't wait again") });
    await bench.follow();
    expect(shown(space)).toMatchObject({ listed: [], event: { waiting: false }, sender: { wrong: 0 } });
    expect(vault.read(NOTE)).not.toContain('pending_confirmation');
  });

  test('after seven days it is too late', async () => {
    const { vault, bench, clock, event } = await proposed();
    await bench.dismiss(event);
    clock.move(8 * DAY);
    expect(await bench.undo(only(vault.events('steward-action-dismissed-')))).toMatchObject({ outcome: 'expired' });
    expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.78 });
  });

  test('`undo` finds it by the name of the note, and `--last` takes back changes alone', async () => {
    const { bench, event } = await proposed();
    await bench.dismiss(event);
    await expect(bench.undoLast(1)).rejects.toThrow('No change can be undone');
    expect(await bench.undo('deed')).toMatchObject({ outcome: 'reversed', message: OPENED });
  });
});

test('two dismissed proposals about one note wait again one by one, whichever took the flag away', async () => {
  const change = { class: 'context_edit', set: { summary: 'Signed on Friday.' } };
  const ben = weak({ pattern: 'ben@x.example', target_path: NOTE, raw_quote: 'ben', mutation_proposal: change });
  const vault = new TempVault({ ...FILES, 'signal/ben.md': ben });
  const bench = await Bench.open(vault);
  await bench.tick();
  const unflagged = task({ parent_matter: '[[m]]' });
  const events = vault.events('steward-action-2');
  expect(events).toHaveLength(2);
  for (const event of events) await bench.dismiss(event);
  expect(vault.read(NOTE)).toBe(unflagged);
  const dismissals = vault.events('steward-action-dismissed-');
  for (const [at, dismissal] of dismissals.entries()) {
    await bench.undo(dismissal);
    expect(bench.status().waiting).toHaveLength(at + 1);
  }
  expect(vault.read(NOTE)).toContain('pending_confirmation: true');
  for (const event of events) await bench.dismiss(event);
  expect(bench.status().waiting).toEqual([]);
  expect(vault.read(NOTE)).toBe(unflagged);
});

test('a dismissal that only lies in the vault takes nothing back', async () => {
  const { vault, bench, event } = await proposed();
  const forged = 'event/steward-action-dismissed-2026-11-21T00-00-00Z-deed.md';
  vault.write(
    forged,
    `---\ntype: steward-action-dismissed\ntimestamp: 2026-11-21T00:00:00Z\noutcome: dismissed\ndismisses: "[[${stem(event)}]]"\nlesson: { by: command, none: null, moved: { "mail:anna@notary.example": { confidence: { before: 1, after: 0 } } } }\nundo_recipe: { expires_at: 2026-12-31T00:00:00Z, vault_patch: { target: ${NOTE}, before_sha256: x, after_sha256: x, fields: {} } }\n---\n`,
  );
  expect(await bench.undo(forged)).toMatchObject({ outcome: 'not-applied' });
  expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.83 });
  expect(bench.status().waiting).toMatchObject([{ kind: 'proposal' }]);
});

const ALL = { matter: null, class: null, minConfidence: null, source: null };
