// Over 5 s: each case recovers a vault on disk.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { namedEvent } from '../../src/steward/find-event.ts';
import { undo } from '../../src/undo/undo.ts';
import type { Intent } from '../../src/vault/edit.ts';
import { Journal } from '../../src/vault/journal.ts';
import { partName } from '../../src/vault/publish.ts';
import { Clock, MINUTE } from '../support/clock.ts';
import { HOUSE, instinct, ODD_TASK, reversal, signal } from '../support/notes.ts';
import { testSeal } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const TASK = 'task/pay.md';
const SIGNAL = 'signal/s1.md';
const DONE = ODD_TASK.replace("'open'", "'done'");
const FILES = { ...HOUSE, [SIGNAL]: signal(), 'instinct/mail.md': instinct('mail') };

/** The intent of a real action, recorded while it was carried out on a vault like this one. */
async function intentOf(
  act: (bench: Bench, vault: TempVault) => Promise<unknown>,
  files: Record<string, string>,
): Promise<Intent> {
  const vault = new TempVault(files);
  const bench = await Bench.open(vault);
  const seen: Intent[] = [];
  const spied = vi.spyOn(Journal.prototype, 'open');
  await act(bench, vault);
  seen.push(...spied.mock.calls.map(([work]) => structuredClone(work)));
  spied.mockRestore();
  return only(seen);
}

/** A vault as a process left it that was killed after a number of system calls of the protocol. */
class Crashed extends TempVault {
  readonly work: Intent;

  constructor(files: Record<string, string>, work: Intent) {
    super(files);
    this.work = work;
    for (const folder of Object.values(this.places)) {
      if (!folder.endsWith('lock')) fs.mkdirSync(folder, { recursive: true });
    }
  }

  journalled(): this {
    new Journal(this.places.journal, testSeal()).open(this.work);
    return this;
  }

  /** The part file beside the note, whole or cut off. */
  part(length?: number): this {
    const [step] = this.work.steps;
    if (step?.do !== 'edit') throw new Error('the first step edits nothing');
    fs.writeFileSync(this.partFile(), Buffer.from(step.text).subarray(0, length));
    return this;
  }

  /** Step `at`, an edit, killed right after its swap: the part holds what the note was. */
  exchanged(at = 0): this {
    const step = this.work.steps[at];
    if (step?.do !== 'edit') throw new Error(`step ${at} edits nothing`);
    fs.renameSync(this.at(step.path), path.join(this.places.tmp, partName(this.work.id, step.path)));
    fs.writeFileSync(this.at(step.path), step.text);
    return this;
  }

  kept(): this {
    fs.renameSync(this.partFile(), path.join(this.places.history, `${this.work.id}.1.md`));
    return this;
  }

  /** The steps behind the first, up to a number of them, as if done. */
  steps(count: number): this {
    for (const step of this.work.steps.slice(1, 1 + count)) {
      fs.mkdirSync(path.dirname(this.at(step.path)), { recursive: true });
      fs.writeFileSync(this.at(step.path), step.text);
    }
    return this;
  }

  partFile(): string {
    return path.join(this.places.tmp, partName(this.work.id, this.work.steps[0]?.path ?? ''));
  }
}

/** The law of section 9: no edit without its event note, no live event note without its edit, never twice. */
function expectWhole(vault: TempVault): void {
  const events = vault.events().filter((event) => vault.fields(event).undo_recipe !== null);
  const { state } = vault.fields(TASK);
  expect(events).toHaveLength(state === 'done' ? 1 : 0);
  expect(vault.fields(SIGNAL).status).toBe(state === 'done' ? 'applied' : 'unrouted');
  if (state === 'done') expect(vault.fields(SIGNAL).audit_record_path).toBe(events[0]);
  expect(vault.names('.steward/tmp')).toEqual([]);
  expect(vault.names('.steward/journal')).toEqual([]);
}

const prefixes: readonly (readonly [string, (vault: Crashed) => Crashed, 'finished' | 'withdrawn' | null])[] = [
  ['before anything', (vault) => vault, null],
  ['journalled', (vault) => vault.journalled(), 'withdrawn'],
  ['a part cut off at nothing', (vault) => vault.journalled().part(0), 'withdrawn'],
  ['a part cut off', (vault) => vault.journalled().part(40), 'withdrawn'],
  ['a whole part', (vault) => vault.journalled().part(), 'withdrawn'],
  ['exchanged', (vault) => vault.journalled().exchanged(), 'finished'],
  ['exchanged and kept', (vault) => vault.journalled().exchanged().kept(), 'finished'],
  ['and the event note', (vault) => vault.journalled().exchanged().kept().steps(1), 'finished'],
  ['and the signal swapped', (vault) => vault.journalled().exchanged().kept().steps(1).exchanged(2), 'finished'],
  ['and the signal stamped', (vault) => vault.journalled().exchanged().kept().steps(2), 'finished'],
  // A power cut may take back a move into the history, and nothing that came later.
  ['the event note, and nothing kept', (vault) => vault.journalled().exchanged().steps(1), 'finished'],
  ['both swapped, and nothing kept', (vault) => vault.journalled().exchanged().steps(1).exchanged(2), 'finished'],
];

describe('a routed signal, killed after each step', () => {
  const intent = () => intentOf((bench) => bench.route(SIGNAL), FILES);

  test.each(prefixes)('%s', async (_, crash, outcome) => {
    const vault = crash(new Crashed(FILES, await intent()));
    const bench = await Bench.open(vault);
    expectWhole(vault);
    expect(vault.read(TASK)).toBe(outcome === 'finished' ? DONE : ODD_TASK);
    // Once more, and once more after that: nothing is left to do.
    expect(bench.recover()).toEqual({ finished: [], withdrawn: [], bad: [] });
    await Bench.open(vault);
    expectWhole(vault);
    if (outcome === 'finished') expect(vault.names('.steward/history').length).toBeGreaterThan(0);
  });

  test.each(prefixes)('%s: the daemon starts, and the end is the same', async (_, crash) => {
    const vault = crash(new Crashed(FILES, await intent()));
    const clock = new Clock();
    clock.move(MINUTE);
    const running = await Running.start(vault, { clock });
    await running.sync();
    expect(vault.read(TASK)).toBe(DONE);
    expectWhole(vault);
    expect(vault.events()).toHaveLength(1);
  });

  test('said by the daemon', async () => {
    const vault = new Crashed(FILES, await intent()).journalled().exchanged();
    const running = await Running.start(vault);
    expect(await running.heard('recovered')).toMatchObject({ finished: 1, withdrawn: 0 });
  });

  test('an action finished after a crash can be taken back to the byte', async () => {
    const vault = new Crashed(FILES, await intent()).journalled().exchanged();
    const clock = new Clock();
    clock.move(MINUTE);
    const bench = await Bench.open(vault, { clock });
    expect(await bench.undo(only(vault.events()))).toMatchObject({ outcome: 'reversed' });
    expect(vault.read(TASK)).toBe(ODD_TASK);
  });

  test('a person who edited the note between crash and start keeps their edit, and the event note comes', async () => {
    const vault = new Crashed(FILES, await intent()).journalled().exchanged().kept();
    vault.edit(TASK, 'the end', 'the end, typed after the crash');
    await Bench.open(vault);
    expect(vault.read(TASK)).toBe(DONE.replace('the end', 'the end, typed after the crash'));
    expectWhole(vault);
  });

  test('a person who edited the note before anything was published: withdrawn, and judged again', async () => {
    const vault = new Crashed(FILES, await intent()).journalled().part();
    vault.edit(TASK, 'the end', 'the end, typed');
    const bench = await Bench.open(vault);
    expect(vault.read(TASK)).toBe(ODD_TASK.replace('the end', 'the end, typed'));
    expectWhole(vault);
    expect(await bench.route(SIGNAL)).toMatchObject({ kind: 'acted' });
    expectWhole(vault);
  });

  test('a write that had slipped in before the swap goes back under its name', async () => {
    const vault = new Crashed(FILES, await intent()).journalled();
    const theirs = ODD_TASK.replace('the end', 'slipped in');
    vault.write(TASK, theirs);
    vault.exchanged();
    await Bench.open(vault);
    expect(vault.read(TASK)).toBe(theirs);
    expectWhole(vault);
  });

  test('a write that slipped in before the swap, and another after it: both are found again', async () => {
    const vault = new Crashed(FILES, await intent()).journalled();
    const theirs = ODD_TASK.replace('the end', 'slipped in');
    vault.write(TASK, theirs);
    vault.exchanged();
    vault.edit(TASK, 'the end', 'after the crash');
    const bench = await Bench.open(vault);
    const [line] = bench.remembered('kept');
    expect(line?.note).toBe(TASK);
    expect(vault.read(String(line?.file))).toBe(theirs);
    expect(vault.read(TASK)).toContain('after the crash');
  });

  test('by rename, killed between the hard link and the rename, and after it', async () => {
    const work = await intent();
    const link = (vault: Crashed) => fs.linkSync(vault.at(TASK), path.join(vault.places.history, `${work.id}.1.md`));
    const before = new Crashed(FILES, work).journalled().part();
    link(before);
    await Bench.open(before);
    expect(before.read(TASK)).toBe(ODD_TASK);
    expectWhole(before);
    const after = new Crashed(FILES, work).journalled().part();
    link(after);
    fs.renameSync(after.partFile(), after.at(TASK));
    await Bench.open(after);
    expect(after.read(TASK)).toBe(DONE);
    expectWhole(after);
  });

  test('a journal entry that is torn is named, and the start goes on', async () => {
    const vault = new Crashed(FILES, await intent());
    fs.writeFileSync(path.join(vault.places.journal, 'torn.json'), '{"schemaVersion":1,"id":');
    const running = await Running.start(vault);
    expect(running.daemon.status().trouble).toContainEqual(
      expect.objectContaining({ code: 'journal-foreign', file: '.steward/journal/torn.json' }),
    );
    await running.heard('acted');
  });

  test('what a note was is kept, also where a power cut took its move into the history back, and not the end', async () => {
    const vault = new Crashed(FILES, await intent()).exchanged().steps(1).exchanged(2);
    await Bench.open(vault);
    expectWhole(vault);
    const kept = vault.names('.steward/history').map((name) => vault.read(`.steward/history/${name}`));
    expect(new Set(kept)).toEqual(new Set([ODD_TASK, FILES[SIGNAL]]));
  });

  test('leftovers of every kind are swept, and nothing else is', async () => {
    const vault = new Crashed(FILES, await intent());
    fs.writeFileSync(path.join(vault.places.tmp, 'x.part'), 'half');
    fs.writeFileSync(path.join(vault.places.tmp, 'note.md.1234567'), 'half');
    fs.mkdirSync(path.join(vault.places.tmp, 'deep'));
    fs.writeFileSync(path.join(vault.places.state, 'weighed.json.1234567'), 'half');
    fs.writeFileSync(path.join(vault.places.state, 'weighed.json'), '{"x":1}');
    await Bench.open(vault);
    expect(vault.names('.steward/tmp')).toEqual([]);
    expect(vault.names('.steward/state')).toEqual(['format.json', 'identity.json', 'licences.json', 'weighed.json']);
    expect(vault.read('.steward/state/weighed.json')).toBe('{"x":1}');
  });
});

describe('an undo, killed after each step', () => {
  const REVERSAL = 'event/steward-action-reversed-x.md';
  const acted = async () => {
    const vault = new TempVault(FILES);
    await (await Bench.open(vault)).route(SIGNAL);
    return { ...vault.snapshot(), [REVERSAL]: reversal(only(vault.events())) };
  };
  const byFile = async ({ ports, catalogue }: Bench) => {
    const file = catalogue.get(REVERSAL);
    if (file?.kind !== 'reversal') throw new Error('no reversal');
    return undo(ports, {
      event: namedEvent(catalogue, file),
      by: 'file',
      reason: null,
      force: false,
      file,
    });
  };
  const killed: readonly (readonly [string, (vault: Crashed) => Crashed])[] = [
    ['journalled', (vault) => vault.journalled()],
    ['exchanged', (vault) => vault.journalled().exchanged()],
    ['and kept', (vault) => vault.journalled().exchanged().kept()],
    ['and the reversal settled', (vault) => vault.journalled().exchanged().kept().steps(1)],
    ['and the source taught', (vault) => vault.journalled().exchanged().kept().steps(2)],
  ];

  test.each(killed)('%s: the note is given back once, and mail learns once', async (_, crash) => {
    const files = await acted();
    const vault = crash(new Crashed(files, await intentOf(byFile, files)));
    const clock = new Clock();
    clock.move(MINUTE);
    for (let start = 0; start < 2; start += 1) {
      const running = await Running.start(vault, { clock });
      await running.sync();
      await running.stop();
    }
    expect(vault.read(TASK)).toBe(ODD_TASK);
    expect(vault.fields(REVERSAL)).toMatchObject({ outcome: 'reversed', calibration: { mail: '0.9 → 0.8' } });
    expect(vault.fields('instinct/mail.md')).toMatchObject({ confidence: 0.8, reversals: 1 });
    expect(vault.events().filter((event) => event.includes('reversed'))).toEqual([REVERSAL]);
    expect(vault.names('.steward/tmp')).toEqual([]);
    expect(vault.names('.steward/journal')).toEqual([]);
  });
});
