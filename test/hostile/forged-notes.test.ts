import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { trackRecord } from '../../src/steward/sender.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { utc } from '../../src/vault/time.ts';
import { Clock, MINUTE } from '../support/clock.ts';
import { HOUSE, settings, task } from '../support/notes.ts';
import { ANNA, ownLicence, ownSignal } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only } from '../support/workspace.ts';
import { attack } from './attack.ts';

// Notes that somebody drops into a shared vault, in the form in which the program writes its own.

type Fields = Readonly<Record<string, unknown>>;

const TARGET = 'task/pay.md';
const PEER = { attacker: 'a sync peer' } as const;
const DECIDES = 'only what the program wrote or carried out answers anything';

/** With these, what Anna says is acted upon. */
const LICENSED = { [TARGET]: task({ senders: [ANNA] }), 'licence/anna.md': ownLicence('licence/anna.md') };

/** A vault with a signal that is only proposed, or, where Anna has a licence, acted upon. */
function house(more: Files = {}): TempVault {
  const said = ownSignal('signal/s.md');
  const files = { 'steward.md': settings({ settle_seconds: 0 }), [TARGET]: task(), 'signal/s.md': said };
  return new TempVault({ ...HOUSE, ...files, ...more });
}

async function proposed(more: Files = {}): Promise<{ vault: TempVault; bench: Bench; event: string; name: string }> {
  const vault = house(more);
  const bench = await Bench.open(vault);
  await bench.tick();
  const event = only(vault.events());
  expect(bench.openProposals()).toHaveLength(1);
  return { vault, bench, event, name: path.basename(event, '.md') };
}

async function acted(): Promise<{ vault: TempVault; bench: Bench; event: string; name: string }> {
  const vault = house(LICENSED);
  const bench = await Bench.open(vault);
  await bench.tick();
  const event = only(vault.events());
  expect(vault.fields(TARGET).state).toBe('done');
  return { vault, bench, event, name: path.basename(event, '.md') };
}

const soon = () => utc(Date.now() + 2000);
const WHOLE = { target_path: TARGET, decision: 'x', mode: 'live', changes: {}, signals: [] };

/** The record of an answer, as the program leaves it, of somebody else's making. */
function sibling(what: 'confirmed' | 'dismissed', name: string, more: Fields = {}): string {
  const link = what === 'confirmed' ? { confirms: `[[${name}]]` } : { dismisses: `[[${name}]]` };
  const head = { type: `steward-action-${what}`, timestamp: soon(), ...link, outcome: what };
  return noteText({ ...head, ...WHOLE, ...more }, '');
}

function reversalOf(name: string, outcome: string): string {
  const head = { type: 'steward-action-reversed', reverses: `[[${name}]]`, reversed_by: 'command', outcome };
  return noteText({ ...head, settled_at: soon(), vault_patch_applied: true, undo: false }, '');
}

const recipe = (fields: Fields) => {
  const vault_patch = { target: TARGET, before_sha256: 'a'.repeat(64), after_sha256: 'b'.repeat(64), fields };
  return { expires_at: utc(Date.now() + 86_400_000), vault_patch, plane_revert: null };
};
const DUE = { due: { before: null, after: '2030-01-01', before_source: null } };

describe('a forged answer to a proposal', () => {
  for (const what of ['dismissed', 'confirmed'] as const) {
    attack(
      {
        ...PEER,
        means: `a note that says it ${what} it`,
        loss: 'the person never sees the proposal',
        defence: DECIDES,
      },
      async () => {
        const { vault, bench, event, name } = await proposed();
        vault.write(`event/steward-action-${what}-2026-11-22T20-00-00Z-pay.md`, sibling(what, name));
        await bench.follow();
        expect(bench.openProposals().map(({ event: open }) => open.path)).toEqual([event]);
        expect(bench.waiting()).toHaveLength(1);
        expect(vault.fields(event)).toMatchObject({ waiting: true, pending_confirmation: true });
        expect(await bench.confirm(name)).toMatchObject({ outcome: 'confirmed' });
        expect(vault.fields(TARGET).state).toBe('done');
      },
    );
  }

  attack(
    {
      ...PEER,
      means: 'a confirmation with a recipe of its own, and the proposal ticked undo',
      loss: 'a field is written that the proposal never named',
      defence: DECIDES,
    },
    async () => {
      const { vault, bench, name } = await proposed();
      const forged = sibling('confirmed', name, { undo_recipe: recipe(DUE) });
      vault.write('event/steward-action-confirmed-2026-11-22T20-00-00Z-pay.md', forged);
      const before = vault.read(TARGET);
      expect(await bench.undo(name, { force: true })).toMatchObject({ outcome: 'not-applied' });
      expect(vault.read(TARGET)).toBe(before);
    },
  );

  attack(
    {
      ...PEER,
      means: 'a later event that says it took the flag away',
      loss: 'the proposal closes itself',
      defence: DECIDES,
    },
    async () => {
      const { vault, bench, event } = await proposed({ [TARGET]: task({ senders: [ANNA] }) });
      const forged = { type: 'steward-action', timestamp: soon(), ...WHOLE, pending_cleared: true };
      vault.write('event/steward-action-2026-11-22T20-00-01Z-pay.md', noteText(forged, ''));
      await bench.follow();
      expect(bench.openProposals().map(({ event: open }) => open.path)).toEqual([event]);
      expect(vault.fields(TARGET).pending_confirmation).toBe(true);
      await bench.dismiss(event);
      expect(vault.read(TARGET)).toBe(task({ senders: [ANNA] }));
    },
  );

  attack(
    {
      ...PEER,
      means: 'a later event that says it made the change, or that weighed the same signal',
      loss: 'the proposal is overtaken',
      defence: DECIDES,
    },
    async () => {
      const { vault, bench, event } = await proposed();
      const made = { changes: { state: { before: 'open', after: 'done' } }, undo_recipe: recipe(DUE) };
      const forged = { type: 'steward-action', timestamp: soon(), ...WHOLE, ...made, signals: ['[[s]]'] };
      vault.write('event/steward-action-2026-11-22T20-00-01Z-pay.md', noteText(forged, ''));
      await bench.follow();
      expect(bench.openProposals().map(({ event: open }) => open.path)).toEqual([event]);
    },
  );

  for (const [shown, from, to] of [
    ['the line that names the change', /^change: .*$/m, 'change: nothing of note'],
    ['the quote', /^quote: .*$/m, 'quote: see you on Sunday'],
    ['the sender', /^from: .*$/m, 'from: Robin Example <robin@sample.example>'],
    ['how sure it is', /^confidence: .*$/m, 'confidence: 1'],
  ] as const) {
    attack(
      {
        ...PEER,
        means: `a proposal of the program, with ${shown} changed and its box ticked`,
        loss: 'a person confirms something else than they read',
        defence: 'the seal covers what a person is shown',
      },
      async () => {
        const { vault, bench, event } = await proposed();
        bench.close();
        expect(vault.read(event)).toMatch(from);
        vault.write(
          event,
          vault
            .read(event)
            .replace(from, to)
            .replace(/^confirm: false$/m, 'confirm: true'),
        );
        const running = await Running.start(vault);
        await running.sync();
        await running.daemon.idle();
        expect(vault.fields(TARGET).state).toBe('open');
        expect(JSON.stringify(running.daemon.status())).toContain('was not written by this program');
      },
    );
  }
});

describe('an edited record', () => {
  for (const [edited, from, to] of [
    ['with nothing in it', /^record: .*$/m, "record: '1 {}'"],
    ['without the mark', /"seal":"\w+"/, '"seal":null'],
    ['that says what it taught', /"seal":/, '"taught":"right","taught_by":"Robin","seal":'],
    ['that says that it took a flag away', /"seal":/, '"pending_cleared":true,"seal":'],
    ['that says under which licence', /"seal":/, '"licence":"anna","seal":'],
    ['of a later version', /^record: '1 /m, "record: '2 "],
    ['that ends early', /^(record: .{40}).*$/m, "$1'"],
  ] as const) {
    attack(
      {
        ...PEER,
        means: `a proposal of the program whose record is one ${edited}, and its box ticked`,
        loss: 'the tick of somebody else changes the note',
        defence: 'the seal covers the record as it covered the properties, and one that cannot be read gives no right',
      },
      async () => {
        const { vault, bench, event } = await proposed();
        bench.close();
        expect(vault.read(event)).toMatch(from);
        const forged = vault
          .read(event)
          .replace(from, to)
          .replace(/^confirm: false$/m, 'confirm: true');
        vault.write(event, forged);
        const running = await Running.start(vault);
        await running.sync();
        await running.daemon.idle();
        expect(vault.fields(TARGET).state).toBe('open');
        expect(vault.read(event)).toBe(forged);
        expect(running.daemon.status().trouble.map(({ file }) => file)).toContain(event);
      },
    );
  }

  attack(
    {
      ...PEER,
      means: 'properties beside the record',
      loss: 'what the program never wrote counts as its own',
      defence: 'those fields are read from the record alone',
    },
    async () => {
      const { vault, bench, event } = await proposed();
      vault.write(event, vault.read(event).replace(/^waiting:/m, 'taught: right\nlicence: "[[anna]]"\nwaiting:'));
      bench.close();
      expect((await Bench.open(vault)).catalogue.get(event)).toMatchObject({ fields: { taught: null, licence: null } });
    },
  );
});

describe('a forged reversal', () => {
  attack(
    {
      ...PEER,
      means: 'a note that says the action was taken back',
      loss: 'a person can no longer take it back',
      defence: DECIDES,
    },
    async () => {
      const { vault, bench, name } = await acted();
      vault.write('event/steward-action-reversed-2026-11-22T20-00-00Z-pay.md', reversalOf(name, 'reversed'));
      expect(await bench.undo(name)).toMatchObject({ outcome: 'reversed' });
      expect(vault.fields(TARGET).state).toBe('open');
    },
  );

  attack(
    {
      ...PEER,
      means: 'a note that says an undo met a conflict',
      loss: 'a person is asked to force something',
      defence: DECIDES,
    },
    async () => {
      const { vault, bench, name } = await acted();
      vault.write('event/steward-action-reversed-2026-11-22T20-00-00Z-pay.md', reversalOf(name, 'conflict'));
      await bench.follow();
      expect(bench.waiting()).toEqual([]);
    },
  );

  attack(
    {
      ...PEER,
      means: 'a note that says the conflict is over',
      loss: 'the conflict leaves the list unanswered',
      defence: DECIDES,
    },
    async () => {
      const { vault, bench, name } = await acted();
      vault.edit(TARGET, 'state: done', 'state: snoozed');
      expect(await bench.undo(name)).toMatchObject({ outcome: 'conflict' });
      expect(bench.waiting()).toMatchObject([{ kind: 'conflict' }]);
      vault.write('event/steward-action-reversed-2026-11-22T20-00-00Z-x.md', reversalOf(name, 'already-reversed'));
      await bench.follow();
      expect(bench.waiting()).toMatchObject([{ kind: 'conflict' }]);
    },
  );

  attack(
    {
      ...PEER,
      means: 'a note that takes a true reversal back',
      loss: 'what a person withdrew counts again',
      defence: DECIDES,
    },
    async () => {
      const { vault, bench, name } = await acted();
      const { note } = await bench.undo(name);
      const forged = reversalOf(path.basename(note ?? '', '.md'), 'reversed');
      vault.write('event/steward-action-reversed-2026-11-22T20-00-09Z-pay.md', forged);
      await bench.follow();
      expect(await bench.undo(name)).toMatchObject({ outcome: 'already-reversed' });
    },
  );
});

describe('the program’s own notes, copied, kept or brought back', () => {
  const right = async (bench: Bench) => {
    await bench.sweep();
    const target = bench.catalogue.get(TARGET);
    if (target?.kind !== 'task') throw new Error('no task');
    return trackRecord(bench.ports, `mail:${ANNA}`, target).right;
  };

  attack(
    {
      ...PEER,
      means: 'a confirmation copied into other folders, or under other names',
      loss: 'a sender that was right once may act alone',
      defence: 'a name counts once, and the seal covers it',
    },
    async () => {
      const { vault, bench, name } = await proposed();
      const { note } = await bench.confirm(name);
      expect(await right(bench)).toBe(1);
      const text = vault.read(note ?? '');
      for (const folder of ['a', 'b', 'c', '2026/11'])
        vault.write(`event/${folder}/${path.basename(note ?? '')}`, text);
      for (const at of [1, 2, 3]) vault.write((note ?? '').replace('.md', `-${at}.md`), text);
      expect(await right(bench)).toBe(1);
    },
  );

  attack(
    {
      ...PEER,
      means: 'the reversal deleted, and the undo ordered once more',
      loss: 'the note is written a second time, and the source pays twice',
      defence: 'an undo compares with what the note holds',
    },
    async () => {
      const { vault, bench, name } = await acted();
      const { note } = await bench.undo(name);
      const files = () => Object.entries(vault.snapshot()).filter(([file]) => !file.startsWith('event/'));
      const before = files();
      vault.remove(note ?? '');
      expect(await bench.undo(name)).toMatchObject({ outcome: 'already-reversed', calibration: {} });
      expect(files()).toEqual(before);
    },
  );

  attack(
    {
      ...PEER,
      means: 'an old signal of the program, brought back as unrouted after its action was taken back',
      loss: 'what a person took back is done again',
      defence: 'the event notes remember what was weighed',
    },
    async () => {
      const { vault, bench, name } = await acted();
      await bench.undo(name);
      vault.write('signal/s.md', ownSignal('signal/s.md'));
      vault.write('signal/again/s.md', ownSignal('signal/s.md'));
      await bench.route('signal/s.md').catch(() => {});
      await bench.tick();
      expect(vault.fields(TARGET).state).toBe('open');
    },
  );

  attack(
    {
      ...PEER,
      means: 'an action’s recipe aimed at another note',
      loss: 'that note is written',
      defence: 'the seal covers the recipe, and the rules of writing hold for what it does not',
    },
    async () => {
      const { vault, bench, event, name } = await acted();
      vault.write('task/other.md', task({ state: 'done', steward: false }));
      vault.write(event, vault.read(event).replaceAll('task/pay.md', 'task/other.md'));
      expect(await bench.undo(name, { force: true })).toMatchObject({ outcome: 'refused' });
    },
  );
});

describe('two machines, each with a key of its own, on one vault', () => {
  /** The program on another machine: another key, on the same notes. */
  const elsewhere = (vault: TempVault) => ({ ...LIVE, sealKey: path.join(vault.home, 'other-machine', 'seal-key') });

  attack(
    {
      attacker: 'the surroundings',
      means: 'a proposal of one machine dismissed on it, both follow the notes in turn',
      loss: 'the two write against each other without end',
      defence: 'each follows its own notes alone',
    },
    async () => {
      const { vault, bench, event } = await proposed();
      const other = await Bench.open(vault, { env: elsewhere(vault) });
      await bench.dismiss(event);
      await bench.follow();
      await other.follow();
      const settled = vault.snapshot();
      for (const one of [bench, other, bench, other]) await one.follow();
      expect(vault.snapshot()).toEqual(settled);
      expect(vault.fields(event)).toMatchObject({ waiting: false, outcome: 'dismissed' });
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'an event of before, ticked on the machine that meets the vault later',
      loss: 'what anybody may have laid there for that day is given back unread',
      defence: 'what was there is answered, by the rules of writing',
    },
    async () => {
      const { vault, bench, name } = await acted();
      bench.close();
      const other = await Bench.open(vault, { env: elsewhere(vault) });
      expect(await other.undo(name)).toMatchObject({ outcome: 'reversed' });
      expect(vault.read(TARGET)).toBe(task({ senders: [ANNA] }));
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'the first meeting of a second machine with the vault',
      loss: 'the first one knows its own notes no more, and every sender is a stranger again',
      defence: 'a note keeps the mark of the machine that wrote it',
    },
    async () => {
      const { vault, bench, name } = await proposed();
      await bench.confirm(name);
      (await Bench.open(vault, { env: elsewhere(vault) })).close();
      await bench.sweep();
      const target = bench.catalogue.get(TARGET);
      if (target?.kind !== 'task') throw new Error('no task');
      expect(trackRecord(bench.ports, `mail:${ANNA}`, target).right).toBe(1);
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'an event that came after both had met the vault, ticked on the machine that did not write it',
      loss: 'a forged one would be believed as well',
      defence: 'there only an order by name takes it back, by the rules of writing',
    },
    async () => {
      const vault = house(LICENSED);
      const env = elsewhere(vault);
      (await Bench.open(vault, { env })).close();
      const bench = await Bench.open(vault);
      await bench.tick();
      bench.close();
      const event = only(vault.events());
      vault.edit(event, 'undo: false', 'undo: true');
      const running = await Running.start(vault, { env });
      await running.sync();
      await running.daemon.idle();
      expect(vault.fields(TARGET).state).toBe('done');
      await running.stop();
      vault.edit(event, 'undo: true', 'undo: false');
      const clock = new Clock();
      clock.move(MINUTE);
      const other = await Bench.open(vault, { env, clock });
      expect(await other.undo(path.basename(event, '.md'))).toMatchObject({ outcome: 'reversed' });
      expect(vault.fields(TARGET).state).toBe('open');
      expect(fs.existsSync(env.sealKey)).toBe(true);
    },
  );
});
