import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compose } from '../../src/daemon/compose.ts';
import { composeReport } from '../../src/features/report.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, instinct, matter, settings, signal, task, weak } from '../support/notes.ts';
import { ROOF_LICENCE } from '../support/own-signal.ts';
import { writeRoofMail } from '../support/roof-mail.ts';
import { TempVault } from '../support/temp-vault.ts';
import { acts, liveThrough } from '../support/week.ts';
import { Bench, HIGH_ONLY, LIVE, only, SHADOW } from '../support/workspace.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../../vault-example');
const SIGNAL = 'signal/2026-11-21T20-19-54Z-0a1b2c3d.md';
const PLAIN = { ...HOUSE, 'task/pay.md': task(), 'instinct/mail.md': instinct('mail', { observations: 60 }) };

/** The decisions that the report counts, with what each mode would have done. */
async function casesIn(root: string) {
  const { space } = await compose({ root, env: SHADOW, now: Date.now, emit: () => {}, readsOnly: true });
  return (await composeReport(space, null, null)).cases;
}

describe('in the mode that it was made in, a decision comes out as it was recorded', () => {
  test('over the example vault', async () => {
    const cases = await casesIn(EXAMPLE);
    expect(cases.length).toBeGreaterThan(4);
    for (const { inMode, outcome } of cases) {
      expect(inMode.shadow).toBe('recorded');
      if (outcome !== 'recorded') expect([inMode.live, inMode.live_high_confidence_only]).toContain(outcome);
    }
  });

  test.each([
    ['live', LIVE],
    ['shadow', SHADOW],
  ] as const)('over weeks of signals, answers and edits in %s', async (mode, env) => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(acts({ minLength: 12, maxLength: 30 }), async (week) => {
        const vault = await liveThrough(week, env);
        for (const { inMode, outcome } of await casesIn(vault.root)) {
          expect(inMode[mode]).toBe(outcome);
          compared += 1;
        }
      }),
      { numRuns: lawRuns(5) },
    );
    expect(compared).toBeGreaterThan(5);
  });
});

test('says the same whatever order the notes were read in', async () => {
  await fc.assert(
    fc.asyncProperty(acts({ minLength: 8, maxLength: 20 }), async (week) => {
      const vault = await liveThrough(week, LIVE);
      const other = new TempVault().identify();
      for (const [file, text] of Object.entries(vault.snapshot()).reverse()) other.write(file, text);
      expect(await casesIn(other.root)).toEqual(await casesIn(vault.root));
    }),
    { numRuns: lawRuns(4) },
  );
});

describe('other modes', () => {
  async function acted(): Promise<TempVault> {
    const vault = new TempVault({ ...PLAIN, [SIGNAL]: signal({ effect_confidence: 0.9, effect_confidence_raw: 1 }) });
    const bench = await Bench.open(vault, { env: LIVE });
    await bench.tick();
    bench.close();
    return vault;
  }

  test('an action would have been recorded in shadow', async () => {
    expect(only(await casesIn((await acted()).root))).toMatchObject({
      outcome: 'acted',
      inMode: { shadow: 'recorded', live_high_confidence_only: 'acted', live: 'acted' },
    });
  });

  test('what was only thought in shadow would have been done in live', async () => {
    const vault = new TempVault({ ...PLAIN, [SIGNAL]: signal() });
    const bench = await Bench.open(vault, { env: SHADOW });
    await bench.tick();
    expect(only(await casesIn(vault.root))).toMatchObject({ outcome: 'recorded', inMode: { live: 'acted' } });
  });

  test('the verdict of a model is taken as it is, and only the gates are asked again', async () => {
    const proposal = { class: 'context_edit', set: { due: '2035-12-24' } };
    const vault = new TempVault({
      ...PLAIN,
      [SIGNAL]: signal({ mutation_proposal: proposal, effect_confidence: 0.8 }),
    });
    const change = { field: 'due', op: 'set' as const, value: '2035-12-24' };
    const verdict = { decision: 'still_active' as const, confidence: 0.7, reasoning: 'So.', evidence: [] };
    const evaluator = {
      ...{ name: 'model-x', asksModel: true },
      evaluate: async () => ({ ...verdict, source_contributions: { mail: 1 }, changes: [change] }),
    };
    await (await Bench.open(vault, { env: HIGH_ONLY, evaluator })).tick();
    expect(only(await casesIn(vault.root))).toMatchObject({
      outcome: 'proposed',
      inMode: { live_high_confidence_only: 'proposed', live: 'acted' },
    });
  });

  test('a moved date of before there was a word for it is read as it is', async () => {
    const proposal = { class: 'context_edit', set: { due: '2035-12-24' } };
    const vault = new TempVault({ ...PLAIN, [SIGNAL]: weak({ source_type: 'bank', mutation_proposal: proposal }) });
    await (await Bench.open(vault, { env: LIVE })).tick();
    const event = only(vault.events());
    expect(vault.fields(event)).toMatchObject({ decision: 'changed', changes: { due: { after: '2035-12-24' } } });
    expect(only(await casesIn(vault.root)).inMode.live).toBe('proposed');
    vault.edit(event, 'decision: changed', 'decision: still_active');
    expect(only(await casesIn(vault.root)).inMode.live).toBe('proposed');
  });

  test('what was weighed again on a note changed by hand stays with the person in every mode', async () => {
    const proposal = { class: 'context_edit', set: { due: '2035-12-24' } };
    const vault = new TempVault({ ...PLAIN, [SIGNAL]: weak({ source_type: 'bank', mutation_proposal: proposal }) });
    const bench = await Bench.open(vault, { env: LIVE });
    await bench.tick();
    vault.edit('task/pay.md', 'state: open', 'state: snoozed\ndiscretion_threshold: 0.5');
    await bench.tick();
    const again = (await casesIn(vault.root)).at(-1);
    expect(again).toMatchObject({ outcome: 'proposed', inMode: { live: 'proposed' } });
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
    expect(only(await casesIn(vault.root)).inMode.live).toBe('acted');
  });

  test('signals that are gone leave what was recorded of them', async () => {
    const vault = await acted();
    vault.remove(SIGNAL);
    expect(only(await casesIn(vault.root)).inMode).toEqual({
      shadow: 'recorded',
      live_high_confidence_only: 'acted',
      live: 'acted',
    });
  });
});

test('a note that recorded no gates tells only of shadow and of its own mode', async () => {
  const vault = new TempVault({ ...PLAIN, [SIGNAL]: signal() });
  await (await Bench.open(vault, { env: LIVE })).tick();
  const event = only(vault.events());
  vault.write(event, vault.read(event).replace(/"gates":\[\{.*?\}\],/, ''));
  expect(only(await casesIn(vault.root)).inMode).toEqual({
    shadow: 'recorded',
    live_high_confidence_only: null,
    live: 'acted',
  });
});

describe('who spoke', () => {
  const UNNAMED = { 'matter/house.md': matter() };

  async function heard(fields: Record<string, unknown>, files: Record<string, string> = {}, env = LIVE) {
    const vault = new TempVault({ ...PLAIN, ...files });
    const bench = await Bench.open(vault, { env });
    writeRoofMail(vault, SIGNAL, fields);
    await bench.tick();
    return vault;
  }

  test('an unknown sender is taken as it was recorded: no mode lets it act', async () => {
    const vault = await heard({}, UNNAMED);
    expect(only(await casesIn(vault.root))).toMatchObject({ outcome: 'proposed', inMode: { live: 'proposed' } });
  });

  test('a sender that had a licence then may act, though it has none today', async () => {
    const licensed = { ...ROOF_LICENCE, 'steward.md': settings({ trusted_mail_servers: ['mx.home.example'] }) };
    const vault = await heard({}, licensed, SHADOW);
    vault.remove('licence/roof.md');
    expect(only(await casesIn(vault.root)).inMode.live).toBe('acted');
    const unnamed = await heard({}, UNNAMED, SHADOW);
    expect(only(await casesIn(unnamed.root)).inMode.live).toBe('proposed');
  });

  test('a matter with open tasks stays open: the gate that closes matters is taken as recorded, too', async () => {
    const named = { 'matter/house.md': matter({ senders: ['billing@roof.example'] }) };
    const vault = await heard({ target_kind: 'matter', target_path: 'matter/house.md', ends_matter: true }, named);
    expect(only(await casesIn(vault.root)).inMode.live).toBe('proposed');
  });

  test('a signal that nobody vouches for is heard as other, then and now', async () => {
    const files = { 'steward.md': settings({ trusted_signal_sources: [] }), [SIGNAL]: signal() };
    const vault = new TempVault({ ...PLAIN, ...files });
    await (await Bench.open(vault, { env: LIVE })).tick();
    expect(only(await casesIn(vault.root)).inMode.live).toBe('proposed');
  });
});
