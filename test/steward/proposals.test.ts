import { describe, expect, test } from 'vitest';
import { proposalState } from '../../src/steward/proposals.ts';
import type { EventRecord } from '../../src/vault/record.ts';
import { Clock, MINUTE } from '../support/clock.ts';
import { HOUSE, instinct, ODD_TASK, settings, signal, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only, SHADOW } from '../support/workspace.ts';

const PAY = 'task/pay.md';
const FLAG = 'pending_confirmation: true\r\n';
const DUE = { class: 'context_edit', set: { due: '2035-12-24' } };

function vaultWith(text: string, more = {}): TempVault {
  return new TempVault({
    ...HOUSE,
    'signal/s1.md': text,
    'instinct/mail.md': instinct('mail', { confidence: 0.83 }),
    ...more,
  });
}

async function proposed(text = weak(), more = {}): Promise<{ vault: TempVault; bench: Bench; event: string }> {
  const vault = vaultWith(text, more);
  const bench = await Bench.open(vault);
  await bench.tick();
  expect(vault.fields(PAY).pending_confirmation).toBe(true);
  return { vault, bench, event: only(vault.events()) };
}

function recordOf(bench: Bench, path: string): EventRecord {
  const record = bench.catalogue.get(path);
  if (record?.kind !== 'event') throw new Error(`${path} is no event`);
  return record;
}

function kindOf(bench: Bench, path: string): string {
  return proposalState(bench.ports, recordOf(bench, path)).kind;
}

describe('a proposal whose note a person has changed since', () => {
  const moved = async () => {
    const setup = await proposed(weak({ mutation_proposal: DUE }));
    setup.vault.edit(PAY, 'due: 2035-12-01', 'due: 2035-12-05');
    return setup;
  };

  test('is stale: not applied, and confirming says that it will be judged again', async () => {
    const { vault, bench, event } = await moved();
    const before = vault.snapshot();
    const answer = await bench.confirm(event);
    expect(answer).toMatchObject({ outcome: 'conflict', note: null });
    expect(answer.message).toContain('evaluated again');
    expect(kindOf(bench, event)).toBe('stale');
    expect(vault.snapshot()).toEqual(before);
  });

  test('is judged again at the next tick, on the note as it is, once; the stale one is overtaken', async () => {
    const { vault, bench, event } = await moved();
    await bench.tick();
    const again = only(vault.events().filter((one) => one !== event));
    expect(vault.fields(again)).toMatchObject({
      signals: ['[[s1]]'],
      changes: { due: { before: '2035-12-05', after: '2035-12-24' } },
      pending_confirmation: true,
    });
    expect(proposalState(bench.ports, recordOf(bench, event))).toMatchObject({
      kind: 'superseded',
      by: { path: again },
    });
    expect(bench.openProposals().map((one) => one.event.path)).toEqual([again]);
    for (let tick = 0; tick < 3; tick += 1) await bench.tick();
    expect(vault.events()).toHaveLength(2);
    expect(await bench.confirm(again)).toMatchObject({ outcome: 'confirmed' });
    expect(vault.read(PAY)).toBe(ODD_TASK.replace('2035-12-01', '2035-12-24'));
    await bench.tick();
    expect(vault.events()).toHaveLength(3);
  });

  test('is only proposed again, whatever the source has earned meanwhile: a person has decided since', async () => {
    const { vault, bench, event } = await moved();
    vault.write('instinct/mail.md', instinct('mail', { confidence: 0.83, observations: 60 }));
    await bench.tick();
    expect(vault.fields(PAY)).toMatchObject({ due: '2035-12-05', pending_confirmation: true });
    const again = only(vault.events().filter((one) => one !== event));
    expect(vault.fields(again).gates).toContainEqual(expect.objectContaining({ gate: 'person', held: false }));
  });

  test('ticked all the same is trouble, until it is overtaken', async () => {
    const vault = vaultWith(weak({ mutation_proposal: DUE }));
    const running = await Running.start(vault);
    const tick = { op: 'tick' as const, matters: [], force: true, mode: null };
    await running.ask(tick);
    const { event } = await running.heard('proposed');
    vault.edit(PAY, 'due: 2035-12-01', 'due: 2035-12-05');
    vault.edit(event, 'confirm: false', 'confirm: true');
    await running.heard('trouble', ({ trouble }) => trouble.code === 'not-done');
    await running.ask(tick);
    await running.heard('proposed', (again) => again.event !== event);
    await running.sync();
    expect(running.daemon.status().trouble).toEqual([]);
    expect(vault.fields(PAY).due).toBe('2035-12-05');
  });

  test('is what it was where the person takes the change back before the next tick', async () => {
    const { vault, bench, event } = await moved();
    vault.edit(PAY, 'due: 2035-12-05', 'due: 2035-12-01');
    await bench.tick();
    expect(vault.events()).toEqual([event]);
    expect(await bench.confirm(event)).toMatchObject({ outcome: 'confirmed' });
  });

  test('is not judged while the person still types', async () => {
    const { vault, bench } = await proposed(weak({ mutation_proposal: DUE }));
    for (const day of ['02', '03', '04']) {
      vault.write(PAY, vault.read(PAY).replace(/due: 2035-12-\d\d/, `due: 2035-12-${day}`), 0);
      await bench.tick();
    }
    expect(vault.events()).toHaveLength(1);
  });

  test('judged again as nothing to do leaves no flag, to the byte', async () => {
    const { vault, bench, event } = await moved();
    vault.edit('signal/s1.md', 'effect: mutation', 'effect: action');
    vault.edit('signal/s1.md', '  class: context_edit\n  set:\n    due: 2035-12-24', '  class: context_edit');
    await bench.tick();
    expect(vault.events()).toHaveLength(2);
    expect(kindOf(bench, event)).toBe('superseded');
    expect(vault.read(PAY)).toBe(ODD_TASK.replace('2035-12-01', '2035-12-05'));
  });

  test('in shadow is judged again in shadow, once, and the note is not touched', async () => {
    const vault = vaultWith(weak({ mutation_proposal: DUE }));
    const bench = await Bench.open(vault, { env: SHADOW });
    await bench.tick();
    vault.edit(PAY, 'due: 2035-12-01', 'due: 2035-12-05');
    const note = vault.read(PAY);
    for (let tick = 0; tick < 3; tick += 1) await bench.tick();
    expect(vault.events()).toHaveLength(2);
    expect(vault.read(PAY)).toBe(note);
  });
});

describe('a proposal that a person settles by hand', () => {
  test.each([
    ['makes the change', 'right', (text: string) => text.replace("'open'", "'done'")],
    ['makes it in other words', 'right', (text: string) => text.replace("'open'", 'completed')],
    ['archives the task instead', 'wrong', (text: string) => text.replace("'open'", 'archived')],
  ])('%s: it closes itself, its flag goes to the byte, and it was %s', async (_, taught, byHand) => {
    const { vault, bench, event } = await proposed();
    vault.write(PAY, byHand(vault.read(PAY)));
    await bench.tick();
    expect(kindOf(bench, event)).toBe('settled');
    expect(bench.openProposals()).toEqual([]);
    expect(vault.read(PAY)).toBe(byHand(ODD_TASK));
    expect(vault.fields(event).taught).toBe(taught);
    const closing = only(vault.events().filter((one) => one !== event));
    expect(vault.fields(closing)).toMatchObject({ decision: 'proposal_closed', changes: {}, undo_recipe: null });
    await bench.tick();
    expect(vault.events()).toHaveLength(2);
    expect(await bench.confirm(event)).toMatchObject({ outcome: 'not-a-proposal' });
    expect(await bench.dismiss(event)).toMatchObject({ outcome: 'not-a-proposal' });
  });

  test('stays closed, also where the person then takes that back', async () => {
    const { vault, bench, event } = await proposed();
    vault.edit(PAY, "'open'", "'done'");
    await bench.tick();
    vault.edit(PAY, "'done'", "'open'");
    await bench.tick();
    expect(kindOf(bench, event)).toBe('settled');
    expect(vault.read(PAY)).toBe(ODD_TASK);
  });

  test('by deleting the note: it closes itself', async () => {
    const { vault, bench, event } = await proposed();
    vault.remove(PAY);
    await bench.tick();
    expect(kindOf(bench, event)).toBe('settled');
    expect(bench.openProposals()).toEqual([]);
  });

  test('while the daemon runs: the flag goes as soon as the note is quiet', async () => {
    const vault = vaultWith(weak(), { 'steward.md': settings({ settle_seconds: 1 }) });
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await running.heard('proposed');
    vault.write(PAY, vault.read(PAY).replace("'open'", "'done'"), 0);
    expect(await running.heard('closed')).toMatchObject({ target: PAY });
    expect(vault.read(PAY)).toBe(ODD_TASK.replace("'open'", "'done'"));
    expect(running.daemon.status().proposals).toEqual([]);
  });

  test('while nothing runs: the flag goes at the next start', async () => {
    const { vault, bench } = await proposed();
    bench.close();
    vault.edit(PAY, "'open'", "'done'");
    const running = await Running.start(vault);
    await running.heard('closed');
    expect(vault.read(PAY)).not.toContain(FLAG);
  });

  test('in shadow the flag is left to the person, since shadow touches nothing by itself', async () => {
    const { vault, bench } = await proposed();
    bench.close();
    vault.edit(PAY, "'open'", "'done'");
    const shadow = await Bench.open(vault, { env: SHADOW });
    await shadow.tick();
    expect(vault.read(PAY)).toContain(FLAG);
    expect(shadow.openProposals()).toEqual([]);
    await (await Bench.open(vault)).tick();
    expect(vault.read(PAY)).not.toContain(FLAG);
  });

  test("a person's own flag, set after the steward took its own away, stays", async () => {
    const { vault, bench, event } = await proposed();
    await bench.dismiss(event);
    const own = ODD_TASK.replace('type: task', 'type: task\r\npending_confirmation: true');
    vault.write(PAY, own);
    await bench.tick();
    expect(vault.read(PAY)).toBe(own);
  });
});

describe('a proposal that is overtaken', () => {
  test('by an action that ends the task closes, though it is about another field', async () => {
    const { vault, bench, event } = await proposed(weak({ mutation_proposal: DUE }));
    vault.write('signal/s2.md', signal({ raw_quote: 'paid at last' }));
    await bench.tick();
    expect(vault.fields(PAY).state).toBe('done');
    expect(kindOf(bench, event)).toBe('settled');
    expect(vault.read(PAY)).not.toContain(FLAG);
  });

  test('by what is only thought in shadow waits on: its flag stays, and it can be confirmed', async () => {
    const { vault, bench, event } = await proposed(weak({ mutation_proposal: DUE }));
    bench.close();
    const other = { class: 'context_edit', set: { due: '2035-12-31' } };
    vault.write('signal/s2.md', weak({ raw_quote: 'later', mutation_proposal: other }));
    const clock = new Clock();
    clock.move(MINUTE); // to another process the flag is a fresh edit
    const shadow = await Bench.open(vault, { env: SHADOW, clock });
    await shadow.tick();
    const thought = only(vault.events().filter((one) => one !== event));
    expect(vault.fields(thought)).toMatchObject({ mode: 'shadow', changes: { due: { after: '2035-12-31' } } });
    expect(shadow.openProposals().map((one) => one.event.path)).toContain(event);
    shadow.close();
    const live = await Bench.open(vault, { clock });
    await live.tick();
    expect(vault.read(PAY)).toContain(FLAG);
    expect(await live.confirm(event)).toMatchObject({ outcome: 'confirmed' });
    expect(vault.fields(PAY).due).toBe('2035-12-24');
  });

  test('of an old one, that waits still, the age is told and it stands first', async () => {
    const clock = new Clock();
    const vault = vaultWith(weak(), { 'task/two.md': '---\ntype: task\nparent_matter: house\nstate: open\n---\n' });
    const bench = await Bench.open(vault, { clock });
    await bench.tick();
    clock.move(9 * 24 * 3_600_000);
    vault.write('signal/s2.md', weak({ raw_quote: 'paid', target_path: 'task/two.md' }), 0);
    await bench.tick();
    const paths = bench.openProposals().map(({ event }) => event.fields.target_path);
    expect(paths).toEqual([PAY, 'task/two.md']);
  });
});
