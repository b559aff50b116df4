import { describe, expect, test } from 'vitest';
import { readHistory } from '../../src/vault/note-text.ts';
import { HOUSE, instinct, matter, settings, signal, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const MAIL = 'instinct/mail.md';
const PAY = 'task/pay.md';

function history(vault: TempVault) {
  return readHistory(MAIL, vault.read(MAIL)).map(({ what, before, after }) => ({ what, before, after }));
}

describe('a note of before only outcomes taught', () => {
  /** As people have them: CRLF, comments, quotes, keys of their own, figures of the old rule. */
  const old = (fields: Readonly<Record<string, string>> = {}) => {
    const written = {
      ...{ type: 'instinct', '# what I think of it': '', source_type: '"mail"   # all of it', prior: '0.9' },
      ...{ confidence: '0.98 # it says', observations: '12', reversals: '2', 'my own': '[a,  b]' },
      ...{ calibration_status: 'live', pinned: 'true', pinned_by: 'steward', ticks_high: '7', last_negative_at: '' },
      windows_counted_until: '2026-10-01T00:00:00Z',
      ...fields,
    };
    const lines = Object.entries(written).map(([key, value]) => (key.startsWith('#') ? key : `${key}: ${value}`));
    return ['---', ...lines, '---', '', 'Robin: it was wrong about the roof.', ''].join('\r\n');
  };

  async function carried(text: string): Promise<TempVault> {
    const vault = new TempVault({ ...HOUSE, [MAIL]: text });
    const running = await Running.start(vault);
    await running.sync();
    await running.stop();
    return vault;
  }

  test('is carried over at the start: confidence down to its prior, observations kept, said in its history', async () => {
    const vault = await carried(old());
    expect(vault.fields(MAIL)).toMatchObject({
      ...{ confidence: 0.9, prior: 0.9, observations: 12, reversals: 2, wrong: 2, learns_from: 'outcomes' },
      ...{ pinned: true, pinned_by: 'steward', calibration_status: 'live' },
    });
    expect(history(vault)).toEqual([
      {
        what: 'carried over: from now on only your confirmations, dismissals, changes and undos count',
        ...{ before: 0.98, after: 0.9 },
      },
    ]);
  });

  test('and nothing else of it changes by a byte, nor anything at the next start', async () => {
    const vault = await carried(old());
    const text = vault.read(MAIL);
    const without = text.slice(0, text.indexOf('%% steward: history'));
    const added = /^(?:wrong|learns_from): .*\r\n/gm;
    expect(without.replace(added, '').replace('0.9 # it says', '0.98 # it says').trimEnd()).toBe(old().trimEnd());
    const running = await Running.start(vault);
    await running.sync();
    expect(vault.read(MAIL)).toBe(text);
  });

  test('a low confidence stays, and so does a person’s pin; the program’s goes where it would not be set today', async () => {
    const low = await carried(old({ confidence: '0.4', pinned: 'false' }));
    expect(low.fields(MAIL)).toMatchObject({ confidence: 0.4, pinned: false });
    const own = await carried(old({ observations: '9' }));
    expect(own.fields(MAIL)).toMatchObject({ pinned: false, confidence: 0.9 });
    expect(own.fields(MAIL)).not.toHaveProperty('pinned_by');
    const persons = await carried(old({ observations: '0', pinned_by: '' }));
    expect(persons.fields(MAIL)).toMatchObject({ pinned: true, pinned_by: 'person' });
  });

  test('a pin of the program’s that a person had taken away stays away', async () => {
    const vault = await carried(old({ pinned: 'false', observations: '60' }));
    expect(vault.fields(MAIL)).toMatchObject({ pinned: false, confidence: 0.9 });
    const bench = await Bench.open(vault);
    expect(bench.status().sources).toMatchObject([{ source: 'mail', confidence: 0.9, observations: 60 }]);
  });

  test('counts by the new rule also where it is only read, before any daemon has carried it over', async () => {
    const vault = new TempVault({ ...HOUSE, [MAIL]: old() });
    const bench = await Bench.reading(vault);
    expect(bench.status().sources).toMatchObject([{ source: 'mail', confidence: 0.9, observations: 12 }]);
    expect(vault.read(MAIL)).toBe(old());
  });

  test('a lesson that comes before carries it over as well', async () => {
    const vault = new TempVault({ ...HOUSE, [MAIL]: old(), 'signal/w.md': weak({ effect_confidence: 0.75 }) });
    const bench = await Bench.open(vault);
    await bench.tick();
    await bench.dismiss(only(vault.events()));
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.85, observations: 12, wrong: 3, learns_from: 'outcomes' });
  });

  test.each([
    ['---\nsource_type: mail\nconfidence: 1\nprior: 0.2\n---\n'],
    ['---\ntype: instinct\nsource_type: mail\nconfidence: 0.99\nobservations: 3\npinned: false\n---\nMine.\n'],
  ])('one that a person made is left as it is, and counts as it stands', async (text) => {
    const vault = await carried(text);
    expect(vault.read(MAIL)).toBe(text);
    const { confidence } = only((await Bench.reading(vault)).status().sources);
    expect(text).toContain(`confidence: ${confidence}`);
  });

  test('one that says steward: false, or that cannot be read, is left as it is', async () => {
    for (const fields of [{ steward: 'false' }, { observations: 'many' }]) {
      expect((await carried(old(fields))).read(MAIL)).toBe(old(fields));
    }
  });
});

describe('a pin', () => {
  const PRUNED = instinct('mail', { calibration_status: 'pruned' });

  test('is missed by a pruned source: its signals are kept and shown, and nothing is made of them', async () => {
    const vault = new TempVault({ ...HOUSE, [MAIL]: PRUNED, 'signal/s1.md': signal(), 'signal/w1.md': weak() });
    const bench = await Bench.open(vault);
    const before = vault.snapshot();
    await bench.tick();
    expect(vault.snapshot()).toEqual(before);
    const said = JSON.stringify(await bench.explain('pay'));
    expect(said).toContain('[[s1]]: mail is pruned; `pinned: true` in instinct/mail.md reads it again.');
    expect((await bench.explain('s1')).sentence).toContain('mail is pruned');
  });

  test('is missed also where another source speaks beside it, and by a pattern without a note of its own', async () => {
    const both = {
      'signal/a.md': weak({ pattern: 'anna@notary.example' }),
      'signal/b.md': weak({ source_type: 'bank', effect_confidence: 0.4 }),
    };
    const vault = new TempVault({ ...HOUSE, [MAIL]: PRUNED, ...both });
    await (await Bench.open(vault)).tick();
    expect(vault.fields(only(vault.events()))).toMatchObject({ signals: ['[[b]]'], pending_confirmation: true });
  });

  test('of a person’s brings a pruned source back: the note says so, and what waited is acted upon', async () => {
    const vault = new TempVault({ ...HOUSE, [MAIL]: PRUNED, 'signal/s1.md': signal() });
    const running = await Running.start(vault);
    await running.sync();
    expect(vault.events()).toEqual([]);
    vault.edit(MAIL, 'pinned: false', 'pinned: true');
    await running.sync();
    expect(vault.fields(MAIL)).toMatchObject({ calibration_status: 'live', pinned: true, confidence: 0.9 });
    expect(history(vault)).toEqual([
      { what: 'pinned by hand: trusted again; now live; pinned', before: 0.9, after: 0.9 },
    ]);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.fields(PAY).state).toBe('done');
  });

  test('is heeded when the note has been quiet, and at the next start', async () => {
    const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ settle_seconds: 1 }), [MAIL]: PRUNED });
    vault.write(MAIL, PRUNED.replace('pinned: false', 'pinned: true'), 0);
    const running = await Running.start(vault);
    await running.until(() => vault.fields(MAIL).calibration_status === 'live');
  });

  test('of the program’s own has a floor of 0.5, and a person’s has none', async () => {
    const own = { confidence: 0.52, pinned: true };
    const files = {
      [MAIL]: instinct('mail', { ...own, pinned_by: 'steward' }),
      'instinct/bank.md': instinct('bank', own),
      ...{ 'signal/a.md': signal(), 'signal/b.md': signal({ source_type: 'bank', target_path: 'task/b.md' }) },
      'task/b.md': '---\ntype: task\nparent_matter: "[[house]]"\n---\n',
    };
    const vault = new TempVault({ ...HOUSE, ...files });
    const bench = await Bench.open(vault);
    await bench.tick();
    for (const event of vault.events()) await bench.undo(event);
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.5, reversals: 1 });
    expect(vault.fields('instinct/bank.md')).toMatchObject({ confidence: 0.42, reversals: 1 });
  });

  test('comes by itself with the tenth right outcome, and once taken away by a person not again', async () => {
    const nine = instinct('mail', { observations: 9, confidence: 0.95 });
    const vault = new TempVault({ ...HOUSE, 'matter/garden.md': matter(), [MAIL]: nine, 'signal/w.md': weak() });
    const running = await Running.start(vault);
    const answer = async () => {
      await running.ask({ op: 'tick', matters: [], force: true, mode: null });
      const { proposals } = running.daemon.status();
      for (const { event } of proposals)
        await running.ask({ op: 'answer', kind: 'confirm', events: [event], dryRun: false });
    };
    await answer();
    expect(vault.fields(MAIL)).toMatchObject({ observations: 10, pinned: true, pinned_by: 'steward' });
    vault.edit(MAIL, 'pinned: true', 'pinned: false');
    await running.sync();
    expect(vault.fields(MAIL)).toMatchObject({ pinned: false, pinned_by: 'person' });
    const change = { mutation_proposal: { class: 'context_edit', set: { owner: 'Robin' } } };
    vault.write(
      'signal/w2.md',
      weak({ ...change, effect_confidence: 0.7, target_path: 'matter/garden.md', target_kind: 'matter' }),
    );
    await running.sync();
    await answer();
    expect(vault.fields(MAIL)).toMatchObject({ observations: 11, pinned: false });
  });
});
