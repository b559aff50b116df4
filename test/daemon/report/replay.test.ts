import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compose } from '../../../src/daemon/compose.ts';
import { parseOverrides } from '../../../src/daemon/replay-settings.ts';
import { type Replay, replay } from '../../../src/daemon/report.ts';
import { sha256 } from '../../../src/vault/hash.ts';
import { utc } from '../../../src/vault/time.ts';
import { Clock, DAY, MINUTE } from '../../support/clock.ts';
import { lawRuns } from '../../support/laws.ts';
import { HOUSE, instinct, matter, settings, signal, task, weak } from '../../support/notes.ts';
import { writeRoofMail } from '../../support/roof-mail.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { acts, liveThrough } from '../../support/week.ts';
import { Bench, LIVE, only, SHADOW } from '../../support/workspace.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../../../vault-example');
const SIGNAL = 'signal/2026-11-21T20-19-54Z-0a1b2c3d.md';
const PLAIN = { ...HOUSE, 'task/pay.md': task(), 'instinct/mail.md': instinct('mail', { observations: 60 }) };

async function replayed(root: string, ...set: string[]): Promise<Replay> {
  const { space } = await compose({ root, env: SHADOW, now: Date.now, emit: () => {}, readsOnly: true });
  return replay(space, 0, null, parseOverrides(set));
}

/** Every file under a folder, the program's own too, with its bytes' digest and its time. */
function tree(root: string): string[] {
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stat = fs.lstatSync(path.join(root, name));
      const digest = stat.isFile() ? sha256(fs.readFileSync(path.join(root, name))) : 'folder';
      return `${name} ${stat.mtimeMs} ${digest}`;
    });
}

describe('a replay with nothing set agrees with what is recorded', () => {
  test('over the example vault', async () => {
    const { summary } = await replayed(EXAMPLE);
    expect(summary).toMatchObject({ actions: 6, differ: 0, unknown: 0 });
  });

  test.each([
    ['live', LIVE],
    ['shadow', SHADOW],
  ])('over weeks of signals, answers and edits in %s', async (_, env) => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(acts({ minLength: 12, maxLength: 30 }), async (week) => {
        const vault = await liveThrough(week, env);
        const { summary, unknown } = await replayed(vault.root);
        expect(unknown).toEqual([]);
        expect(summary.differ).toBe(0);
        compared += summary.actions;
      }),
      { numRuns: lawRuns(5) },
    );
    expect(compared).toBeGreaterThan(5);
  });
});

test('a replay writes nothing at all, and says the same each time, whatever order the notes were read in', async () => {
  await fc.assert(
    fc.asyncProperty(
      acts({ minLength: 8, maxLength: 20 }),
      fc.subarray([
        'mode=live_high_confidence_only',
        'prior.mail=0.5',
        'discretion_threshold=0.8',
        'protected_fields=due',
      ]),
      async (week, set) => {
        const vault = await liveThrough(week, LIVE);
        const before = tree(vault.root);
        const first = JSON.stringify(await replayed(vault.root, ...set));
        expect(tree(vault.root)).toEqual(before);
        const other = new TempVault();
        for (const [file, text] of Object.entries(vault.snapshot()).reverse()) other.write(file, text);
        expect(JSON.stringify(await replayed(other.root, ...set))).toBe(first);
      },
    ),
    { numRuns: lawRuns(4) },
  );
});

describe('other settings', () => {
  async function acted(): Promise<TempVault> {
    const vault = new TempVault({ ...PLAIN, [SIGNAL]: signal({ effect_confidence: 0.9, effect_confidence_raw: 1 }) });
    const bench = await Bench.open(vault, { env: LIVE });
    await bench.tick();
    bench.close();
    return vault;
  }

  test.each([
    ['confidence_threshold=0.95', 'proposed', 'mode'],
    ['discretion_threshold=0.93', 'proposed', 'discretion'],
    ['prior.mail=0.6', 'proposed', 'discretion'],
    ['mode=shadow', 'recorded', 'mode'],
    ['protected_fields=due,state', 'nothing', 'writing'],
  ])('%s: an action would have been %s, for its %s', async (set, outcome, gate) => {
    const { lines, summary } = await replayed((await acted()).root, set);
    expect(summary).toMatchObject({ actions: 1, differ: 1 });
    expect(only(lines)).toMatchObject({ recorded: { outcome: 'acted' }, replayed: { outcome, gate }, differs: true });
  });

  test.each([
    ['mode=live'],
    ['mode=live_high_confidence_only'],
    ['high_confidence_threshold=0.99'],
    ['prior.bank=0.1'],
  ])('%s: nothing would differ', async (set) =>
    expect((await replayed((await acted()).root, set)).summary.differ).toBe(0),
  );

  test('what was only thought in shadow would have been done in live', async () => {
    const vault = new TempVault({ ...PLAIN, [SIGNAL]: signal() });
    const bench = await Bench.open(vault, { env: SHADOW });
    await bench.tick();
    const found = await replayed(vault.root, 'mode=live');
    expect(only(found.lines)).toMatchObject({
      recorded: { outcome: 'recorded' },
      replayed: { outcome: 'acted', gate: null },
    });
  });

  test('a lower bar lets a proposal through, and a field that is made editable may be written', async () => {
    const vault = new TempVault({ ...PLAIN, [SIGNAL]: weak({ source_type: 'bank' }) });
    const bench = await Bench.open(vault, { env: LIVE });
    await bench.tick();
    expect(only((await replayed(vault.root, 'discretion_threshold=0.8')).lines).replayed.outcome).toBe('acted');

    const other = new TempVault({
      ...PLAIN,
      [SIGNAL]: signal({ mutation_proposal: { class: 'context_edit', set: { colour: 'green' } } }),
    });
    await (await Bench.open(other, { env: LIVE })).tick();
    expect(only((await replayed(other.root)).lines).recorded).toMatchObject({ outcome: 'nothing', gate: 'writing' });
    expect(only((await replayed(other.root, 'editable_fields=colour')).lines).replayed.outcome).toBe('acted');
  });

  test('the verdict of a model is taken as it is, and only the gates are asked again', async () => {
    const vault = new TempVault({ ...PLAIN, [SIGNAL]: weak({ effect: 'action', mutation_proposal: null }) });
    const change = { field: 'due', op: 'set' as const, value: '2035-12-24' };
    const verdict = { decision: 'still_active' as const, confidence: 0.7, reasoning: 'So.', evidence: [] };
    const evaluator = {
      ...{ name: 'model-x', asksModel: true },
      evaluate: async () => ({ ...verdict, source_contributions: { mail: 1 }, changes: [change] }),
    };
    await (await Bench.open(vault, { env: LIVE, evaluator })).tick();
    const line = only((await replayed(vault.root, 'confidence_threshold=0.75')).lines);
    expect(line).toMatchObject({
      judgedBy: 'record',
      recorded: { outcome: 'acted' },
      replayed: { outcome: 'proposed' },
    });
  });

  test('a moved date of before there was a word for it is read as it is', async () => {
    const proposal = { class: 'context_edit', set: { due: '2035-12-24' } };
    const vault = new TempVault({ ...PLAIN, [SIGNAL]: weak({ source_type: 'bank', mutation_proposal: proposal }) });
    await (await Bench.open(vault, { env: LIVE })).tick();
    const event = only(vault.events());
    expect(vault.fields(event)).toMatchObject({ decision: 'changed', changes: { due: { after: '2035-12-24' } } });
    const now = only((await replayed(vault.root)).lines);
    expect(now).toMatchObject({ judgedBy: 'rules', differs: false });
    vault.edit(event, 'decision: changed', 'decision: still_active');
    const then = await replayed(vault.root);
    expect(then.unknown).toEqual([]);
    expect(only(then.lines)).toMatchObject({ judgedBy: 'rules', recorded: { outcome: 'proposed' }, differs: false });
  });

  test('what was weighed again on a note changed by hand stays with the person, whatever is set', async () => {
    const proposal = { class: 'context_edit', set: { due: '2035-12-24' } };
    const vault = new TempVault({ ...PLAIN, [SIGNAL]: weak({ source_type: 'bank', mutation_proposal: proposal }) });
    const bench = await Bench.open(vault, { env: LIVE });
    await bench.tick();
    vault.edit('task/pay.md', 'state: open', 'state: snoozed\ndiscretion_threshold: 0.5');
    await bench.tick();
    const [, again] = (await replayed(vault.root, 'confidence_threshold=0.1')).lines;
    expect(again).toMatchObject({
      judgedBy: 'signal',
      recorded: { outcome: 'proposed', gate: 'person' },
      differs: false,
    });
    expect(again?.replayed.reason).toContain('changed by hand');
  });

  test('a note that a change led to may be gone since', async () => {
    const proposal = { class: 'related', add: { related_to: ['[[garden]]'] } };
    const vault = new TempVault({
      ...PLAIN,
      'garden.md': 'A note.',
      [SIGNAL]: signal({ mutation_proposal: proposal }),
    });
    await (await Bench.open(vault, { env: LIVE })).tick();
    vault.remove('garden.md');
    const found = await replayed(vault.root);
    expect(only(found.lines)).toMatchObject({ recorded: { outcome: 'acted' }, judgedBy: 'signal' });
  });

  test('signals that are gone leave what was recorded of them', async () => {
    const vault = await acted();
    vault.remove(SIGNAL);
    expect(only((await replayed(vault.root)).lines)).toMatchObject({ judgedBy: 'record', differs: false });
    expect(only((await replayed(vault.root, 'discretion_threshold=0.93')).lines).replayed.gate).toBe('discretion');
  });
});

test('experience is counted as of the moment of each decision, not as of today', async () => {
  const vault = new TempVault({ ...PLAIN, 'instinct/mail.md': instinct('mail', { observations: 4 }) });
  const clock = new Clock();
  const bench = await Bench.open(vault, { env: LIVE, clock });
  for (const nth of [1, 2]) {
    clock.move(MINUTE);
    vault.write(`task/pay.md`, task({ due: `2035-12-0${nth}` }));
    const proposal = { class: 'context_edit', set: { due: '2035-12-24' } };
    const said = { origin_at: utc(clock.now()), effect_confidence: 0.92, mutation_proposal: proposal };
    vault.write(`signal/s${nth}.md`, signal(said));
    await bench.tick();
    for (const open of bench.openProposals()) await bench.confirm(open.event.name);
  }
  // The first needed 0.95 and was proposed; its confirmation is the fifth observation, so the second needed 0.9.
  for (const event of vault.events('steward-action-2')) vault.write(event, withoutGates(vault.read(event)));
  for (const event of vault.events('signal-action-2')) vault.write(event, withoutGates(vault.read(event)));
  const found = await replayed(vault.root);
  expect(found.lines.map(({ recorded }) => recorded.outcome)).toEqual(['proposed', 'acted']);
  expect(found.unknown).toEqual([]);
});

test('a week that counted as right counts from when that was noticed', async () => {
  const vault = new TempVault({ ...PLAIN, 'instinct/mail.md': instinct('mail', { observations: 9 }) });
  const clock = new Clock();
  const bench = await Bench.open(vault, { env: LIVE, clock });
  const due = (day: string) => ({ mutation_proposal: { class: 'context_edit', set: { due: day } } });
  vault.write('task/other.md', task());
  vault.write('signal/s0.md', signal({ effect_confidence: 0.87, target_path: 'task/other.md', ...due('2035-12-24') }));
  vault.write('signal/s1.md', signal({ effect_confidence: 0.97, ...due('2035-12-24') }));
  await bench.tick();
  clock.move(8 * DAY);
  await bench.learn();
  clock.move(MINUTE);
  // The tenth right outcome: from now on 0.85 is enough.
  vault.write('signal/s2.md', signal({ effect_confidence: 0.87, raw_quote: 'later', ...due('2035-12-31') }));
  await bench.tick();
  for (const event of vault.events()) vault.write(event, withoutGates(vault.read(event)));
  const found = await replayed(vault.root);
  expect(found.lines.map(({ recorded }) => recorded.outcome)).toEqual(['acted', 'proposed', 'acted']);
  expect(found.unknown).toEqual([]);
});

describe('who spoke', () => {
  const ROOF = 'mail:billing@roof.example';
  const UNNAMED = { 'matter/house.md': matter() };

  async function heard(fields: Record<string, unknown>, files: Record<string, string> = {}, env = LIVE) {
    const vault = new TempVault({ ...PLAIN, ...files });
    const bench = await Bench.open(vault, { env });
    writeRoofMail(vault, SIGNAL, fields);
    await bench.tick();
    return vault;
  }

  test('an unknown sender is taken as it was recorded: no setting lets it act', async () => {
    const vault = await heard({}, UNNAMED);
    const { lines } = await replayed(vault.root, 'discretion_threshold=0.1', 'confidence_threshold=0.1');
    expect(only(lines)).toMatchObject({ recorded: { outcome: 'proposed' }, replayed: { gate: 'sender' } });
    expect(only(lines).replayed.reason).toContain('names billing@roof.example, and it has 0 of 5 right outcomes here');
  });

  test('a sender that the note named then may act, though nothing names it today', async () => {
    const named = { 'matter/house.md': matter({ senders: ['billing@roof.example'] }) };
    const vault = await heard({}, named, SHADOW);
    vault.write('matter/house.md', matter());
    expect(only((await replayed(vault.root, 'mode=live')).lines).replayed.outcome).toBe('acted');
    const unnamed = await heard({}, UNNAMED, SHADOW);
    expect(only((await replayed(unnamed.root, 'mode=live')).lines).replayed).toMatchObject({
      ...{ outcome: 'proposed', gate: 'sender' },
    });
  });

  test('a matter with open tasks stays open: the gate that closes matters is taken as recorded, too', async () => {
    const named = { 'matter/house.md': matter({ senders: ['billing@roof.example'] }) };
    const vault = await heard({ target_kind: 'matter', target_path: 'matter/house.md', ends_matter: true }, named);
    const { lines, unknown } = await replayed(vault.root, 'discretion_threshold=0.1');
    expect(unknown).toEqual([]);
    expect(only(lines)).toMatchObject({ judgedBy: 'signal', replayed: { outcome: 'proposed', gate: 'closing' } });
    expect(only(lines).replayed.reason).toBe('the matter has 1 open task.');
  });

  test('a signal that nobody vouches for is heard as other, then and now', async () => {
    const files = { 'steward.md': settings({ trusted_signal_sources: [] }), [SIGNAL]: signal() };
    const vault = new TempVault({ ...PLAIN, ...files });
    await (await Bench.open(vault, { env: LIVE })).tick();
    const { lines, unknown } = await replayed(vault.root, 'prior.mail=1');
    expect(unknown).toEqual([]);
    expect(only(lines)).toMatchObject({ judgedBy: 'rules', differs: false, replayed: { outcome: 'proposed' } });
  });

  test('another trust in a channel is meant for all who speak in it, unless one is named', async () => {
    const vault = await heard({ effect_confidence: 0.6, effect_confidence_raw: 1 });
    const confidence = async (...set: string[]) => only((await replayed(vault.root, ...set)).lines).replayed.confidence;
    expect(await confidence()).toBe(0.6);
    expect(await confidence('prior.mail=0.8')).toBe(0.8);
    expect(await confidence(`prior.${ROOF}=0.7`, 'prior.mail=0.8')).toBe(0.7);
    expect(await confidence('prior.mail:other@roof.example=0.7')).toBe(0.6);
  });
});

function withoutGates(text: string): string {
  return text.replace(/^gates:\n(?:[ -].*\n)+/m, '');
}

describe('what may be set', () => {
  test('is read as in the settings', () => {
    const priors = ['prior.Mail=0.4', 'prior.mail:a=b@x.example=0.5'];
    const read = parseOverrides(['mode=shadow', 'confidence_threshold=0.7', 'editable_fields=a, b', ...priors]);
    expect(read).toEqual({
      ...{ mode: 'shadow', confidence_threshold: 0.7, editable_fields: ['a', 'b'] },
      priors: new Map([
        ['mail', 0.4],
        ['mail:a=b@x.example', 0.5],
      ]),
    });
  });

  test.each([
    ['mod=live', /mod is no setting that a replay can change/],
    ['mode=loud', /mode must be shadow, live/],
    ['confidence_threshold=2', /confidence_threshold must be a number from 0 to 1/],
    ['confidence_threshold=', /confidence_threshold must be a number from 0 to 1/],
    ['prior.mail=high', /prior.mail must be a number from 0 to 1/],
    ['prior.=0.5', /names no source/],
    ['mode', /key=value/],
    ['=1', /key=value/],
    ['__proto__=1', /__proto__ is no setting/],
  ])('%s is refused, with the settings that can be', (word, message) => {
    expect(() => parseOverrides([word])).toThrow(message);
    expect(() => parseOverrides(['mode=live', 'mode=shadow'])).toThrow(/twice/);
  });
});
