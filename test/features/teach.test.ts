import { describe, expect, test } from 'vitest';
import { buildLedger } from '../../src/features/ledger.ts';
import { teach } from '../../src/features/teach.ts';
import { atOnce } from '../../src/vault/time.ts';
import { mailText } from '../streams/mailboxes.ts';
import { sweepAndRead } from '../streams/read-unread.ts';
import { HOUSE, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, SHADOW } from '../support/workspace.ts';

const MAIL = 'stream/mail/roof.eml';
const PASSED = 'Authentication-Results: mx.sample.example; dmarc=pass header.from=roof.example\n';
const LUNCH = mailText({ id: 'a', subject: 'All fine', text: 'The slates look splendid.' });
const NOTE = task({ due: '2035-05-01' });

async function world(mail = PASSED + LUNCH, env = SHADOW) {
  const vault = new TempVault({ ...HOUSE, 'task/roof.md': NOTE, [MAIL]: mail });
  const bench = await Bench.open(vault, { env });
  await sweepAndRead(bench);
  const piles = () => atOnce(buildLedger(bench.ports, { since: null, most: null })).piles;
  const say = (set: Readonly<Record<string, string>>, { mail: named = 'roof', note = 'roof' } = {}) =>
    teach(bench.ports, { mail: named, task: note, set });
  return { vault, bench, piles, say };
}

const figures = (bench: Bench) =>
  Object.fromEntries(
    bench.catalogue
      .instincts()
      .map(({ fields }) => [fields.pattern ?? fields.source_type, [fields.confidence, fields.observations]]),
  );

describe('steward teach', () => {
  test('makes the change in any mode, says so in an event note, and counts as a right outcome of the sender', async () => {
    const { vault, bench, piles, say } = await world();
    expect(piles()).toMatchObject({ done: 0, setAside: 1 });
    const given = await say({ state: 'done' });
    expect(given).toMatchObject({ outcome: 'confirmed', target: 'task/roof.md', untaught: null });
    expect(vault.fields('task/roof.md')).toMatchObject({ state: 'done' });
    const [path = ''] = vault.events('signal-action-confirmed-');
    expect(vault.fields(path)).toMatchObject({
      ...{ outcome: 'confirmed', mode: 'shadow', from: 'Roof & Sons (billing@roof.example)', quote: 'All fine' },
      ...{ change: 'state open → done', decision: 'state_change', undo: false, taught: 'right' },
      source_contributions: { 'mail:billing@roof.example': 1 },
    });
    expect(vault.read(path)).toContain('You said what stream/mail/roof.eml means, and Steward');
    await bench.sweep();
    expect(figures(bench)).toEqual({ 'billing@roof.example': [0.91, 1], mail: [0.902, 0] });
    expect(piles()).toMatchObject({ done: 1, setAside: 0 });
    expect(bench.status().trouble).toEqual([]);
    // It asks nothing, and nothing is evaluated again.
    await bench.tick();
    expect(bench.waiting()).toEqual([]);
  });

  test('finds the mail by a part of its subject, if no file has that name', async () => {
    const { say } = await world();
    expect(await say({ state: 'done' }, { mail: 'all fine' })).toMatchObject({ outcome: 'confirmed' });
    await expect(say({ state: 'done' }, { mail: 'all wrong' })).rejects.toThrow(
      'No received event is named "all wrong".',
    );
  });

  test('an undo gives the note and the lesson back', async () => {
    const { vault, bench, piles, say } = await world();
    await say({ state: 'done', current_state: 'The slates are on.' });
    const [path = ''] = vault.events('signal-action-confirmed-');
    expect(await bench.undo(path)).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/roof.md')).toBe(NOTE);
    await bench.sweep();
    expect(figures(bench)).toEqual({ 'billing@roof.example': [0.9, 0], mail: [0.9, 0] });
    expect(piles()).toMatchObject({ done: 1, setAside: 0 });
  });

  test('the same sender is right about a matter once a day at most', async () => {
    const { bench, say } = await world();
    await say({ current_state: 'The slates are on.' });
    await bench.sweep();
    expect(await say({ state: 'done' })).toMatchObject({
      outcome: 'confirmed',
      untaught: expect.stringContaining('once a day'),
    });
    await bench.sweep();
    expect(figures(bench)['billing@roof.example']).toEqual([0.91, 1]);
  });

  test('a sender that nobody vouches for teaches only unverified', async () => {
    const { bench, say } = await world(LUNCH);
    await say({ state: 'done' });
    await bench.sweep();
    expect(figures(bench)).toEqual({ 'unverified:billing@roof.example': [0.91, 1] });
  });

  test.each([
    [{ type: 'matter' }, /type/],
    [{ due: 'soon' }, /due/],
    [{ state: 'over' }, /state/],
    [{ steward: 'false' }, /steward/],
    [{ parent_matter: '[[nowhere]]' }, /nowhere|parent_matter/],
    [{ state: 'open' }, /says so already/],
  ])('a value that no confirmed change could have is refused: %o', async (set, why) => {
    const { vault, say } = await world();
    expect(await say(set)).toMatchObject({ outcome: 'refused', note: null, message: expect.stringMatching(why) });
    expect(vault.read('task/roof.md')).toBe(NOTE);
    expect(vault.events()).toEqual([]);
  });

  test('what it can mean must be clear', async () => {
    const { vault, bench, say } = await world();
    await expect(say({ state: 'done' }, { mail: 'nothing' })).rejects.toMatchObject({
      trouble: { code: 'mail-unknown' },
    });
    await expect(say({ state: 'done' }, { note: 'nothing' })).rejects.toMatchObject({
      trouble: { code: 'note-unknown' },
    });
    vault.write('stream/mail/roofer.eml', mailText({ id: 'b' }));
    await sweepAndRead(bench);
    await expect(say({ state: 'done' }, { mail: 'mail/roof' })).rejects.toMatchObject({
      trouble: { code: 'mail-ambiguous' },
    });
    expect(await say({ state: 'done' }, { mail: 'roofer.eml' })).toMatchObject({ outcome: 'confirmed' });
  });

  test('what the sender wrote means nothing in the notes', async () => {
    const subject = '[[pay]] ![[pay]] <img src=x> %% x %%';
    const { vault, say } = await world(PASSED + mailText({ id: 'a', subject, text: 'Hello.' }));
    await say({ state: 'done' });
    const [path = ''] = vault.events('signal-action-confirmed-');
    const [, , body = ''] = vault.read(path).split('---\n');
    expect(body).not.toMatch(/(?<!\\)\[\[pay|(?<!\\)<img|!\[\[/);
  });
});
