// Over 5 s: a daemon writes each kind of event note.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { rules } from '../../src/providers/substitutes.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { fold, stem } from '../../src/vault/layout.ts';
import { sha256 } from '../../src/vault/note-text.ts';
import { DAY } from '../support/clock.ts';
import { HOUSE, instinct, matter, ODD_TASK, PAID_MAIL, settings, signal, task, weak } from '../support/notes.ts';
import { ANNA, ownSignal, ROOF_LICENCE } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { sourcesIn } from '../support/source-tree.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only, SHADOW } from '../support/workspace.ts';

describe('event note', () => {
  const SIGNAL = 'signal/2026-11-21T20-19-54Z-0a1b2c3d.md';
  const DONE = ODD_TASK.replace("state:   'open'   # not yet", "state:   'done'   # not yet");

  test('a strong signal changes one field of the task note, and every other byte stays', async () => {
    const vault = new TempVault(HOUSE);
    const running = await Running.start(vault);
    vault.write(SIGNAL, signal());
    const acted = await running.heard('acted');
    expect(vault.read('task/pay.md')).toBe(DONE);
    expect(acted).toMatchObject({ target: 'task/pay.md', decision: 'state_change', confidence: 0.97 });
    expect(acted.changes).toEqual({ state: { before: 'open', after: 'done' } });
    expect(vault.read('matter/house.md')).toBe(HOUSE['matter/house.md']);
  });

  test('the event note holds every field of the contract, and hashes of the whole notes', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    expect(event).toMatch(/^event\/(\d{4}-\d\d)\/signal-action-\1-\d\dT\d\d-\d\d-\d\dZ-pay\.md$/);
    const fields = vault.fields(event);
    expect(fields).toMatchObject({
      type: 'signal-action',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      target: '[[pay]]',
      target_path: 'task/pay.md',
      decision: 'state_change',
      confidence: 0.97,
      mode: 'live',
      prior_state: 'open',
      prior_frontmatter: { state: 'open', tags: ['money', 'house'], type: 'task', due: '2035-12-01' },
      changes: { state: { before: 'open', after: 'done' } },
      evidence: [{ source: 'mail', ref: 'stream/paid.eml', note: 'your invoice is paid' }],
      source_contributions: { mail: 0.97 },
      signals: ['[[2026-11-21T20-19-54Z-0a1b2c3d]]'],
      signals_summary: 'Invoice paid',
      evaluator: expect.any(String),
      pending_confirmation: false,
      plane_action: null,
      undo: false,
      change: 'state open → done',
      from: 'mail',
      quote: 'your invoice is paid',
      waiting: false,
      outcome: 'acted',
    });
    expect(Object.keys(fields).slice(0, 7)).toEqual([
      ...['undo', 'change', 'from', 'quote', 'waiting', 'outcome', 'cssclasses'],
    ]);
    const timestamp = Date.parse(String(fields.timestamp));
    expect(fields.undo_recipe).toEqual({
      expires_at: new Date(timestamp + 7 * DAY).toISOString().replace('.000Z', 'Z'),
      vault_patch: {
        target: 'task/pay.md',
        before_sha256: sha256(ODD_TASK),
        after_sha256: sha256(DONE),
        fields: { state: { before: 'open', after: 'done', before_source: "state:   'open'   # not yet\r\n" } },
      },
      plane_revert: null,
    });
    const body = vault.read(event).split('\n---\n')[1];
    expect(body).toMatch(
      /^\n*# Pay: done\n\nSteward marked \[\[pay\]\] as done\.\n\nFrom mail: Invoice paid\n\n> your invoice is paid\n/,
    );
    expect(body).toContain('| state | open | done |');
  });

  test('the signal is stamped as applied, with the note that says why', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal() });
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    expect(vault.fields(SIGNAL)).toMatchObject({
      status: 'applied',
      applied_at: expect.stringMatching(/Z$/),
      audit_record_path: event,
    });
  });

  test.each([
    ['/home/robin/Mail/paid.eml', 'paid.eml'],
    ['~/Mail/paid.eml', 'paid.eml'],
    ['C:\\Users\\Robin\\Mail\\paid.eml', 'paid.eml'],
    ['file:///home/robin/Mail/paid.eml', 'paid.eml'],
    ['stream/a/paid.eml', 'stream/a/paid.eml'],
  ])('names no folder of this machine: %s', async (from, ref) => {
    const vault = new TempVault({ ...HOUSE, 'signal/s.md': signal({ effect_confidence: 1, source_event_path: from }) });
    await (await Bench.open(vault)).tick();
    const event = only(vault.events());
    expect(vault.fields(event).evidence).toMatchObject([{ ref }]);
    expect(vault.read(event)).not.toMatch(/robin|file:/i);
    expect(vault.read(event)).not.toContain(vault.home);
  });

  test('what the program writes itself wakes nothing: one event note, however often the vault is looked at', async () => {
    const vault = new TempVault({ ...HOUSE, [SIGNAL]: signal(), 'instinct/mail.md': instinct('mail') });
    const running = await Running.start(vault);
    await running.heard('acted');
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await running.sync();
    expect(vault.events()).toHaveLength(1);
    expect(running.count('acted')).toBe(1);
    await running.stop();
    const again = await Running.start(vault);
    await again.sync();
    expect(vault.events()).toHaveLength(1);
  });

  test('a mail dropped into the stream leads the whole way to the changed note', async () => {
    const vault = new TempVault({
      ...HOUSE,
      ...ROOF_LICENCE,
      'instinct/mail.md': instinct('mail', { confidence: 1, observations: 60 }),
      'task/pay.md': ODD_TASK.replace('due: 2035-12-01', 'due: 2035-12-01\r\nsenders: [billing@roof.example]'),
    });
    const running = await Running.start(vault);
    vault.write('stream/mail/paid.eml', PAID_MAIL);
    const written = await running.heard('signal-written');
    expect(written.target).toBe('task/pay.md');
    await running.heard('acted');
    expect(vault.fields('task/pay.md').state).toBe('done');
    expect(vault.read('stream/mail/paid.eml')).toBe(PAID_MAIL);
  });
});

describe('sender and quote', () => {
  const SRC = path.resolve(import.meta.dirname, '../../src');
  const FROM = `Anna Example <${ANNA}>`;
  const SHOWN = `${ANNA} (Anna Example)`;
  const QUOTE = 'your invoice is paid';
  const SAID = { from: FROM, raw_quote: QUOTE };
  const FILES: Files = { ...HOUSE, 'task/pay.md': task(), 'task/call.md': task(), 'matter/house.md': matter() };

  interface Scene {
    readonly vault: TempVault;
    readonly bench: Bench;
  }

  async function scene(text: string, setting = {}): Promise<Scene> {
    const vault = new TempVault({ ...FILES, 'steward.md': settings({ settle_seconds: 0 }), 'signal/a.md': text });
    const bench = await Bench.open(vault, setting);
    await bench.tick();
    return { vault, bench };
  }

  /** Every way by which an event note comes about, each with how many it leaves. */
  const SCENES: Readonly<Record<string, () => Promise<[TempVault, number]>>> = {
    'a change that is made': async () => [(await scene(signal(SAID), { env: LIVE })).vault, 1],
    'a change of an own signal': async () => {
      const vault = new TempVault({ ...FILES, 'signal/a.md': ownSignal('signal/a.md') });
      await (await Bench.open(vault)).tick();
      return [vault, 1];
    },
    'a proposal': async () => [(await scene(weak(SAID))).vault, 1],
    'a record in shadow': async () => [(await scene(signal(SAID), { env: SHADOW })).vault, 1],
    'a record of nothing to change': async () => {
      const proposal = { class: 'state_change', set: { state: 'open' } };
      return [(await scene(weak({ ...SAID, mutation_proposal: proposal }))).vault, 1];
    },
    'a refusal of the rules of writing': async () => {
      const proposal = { class: 'context_edit', set: { tags: ['x'] } };
      return [(await scene(signal({ ...SAID, mutation_proposal: proposal }))).vault, 1];
    },
    'a question': async () => [(await scene(weak({ ...SAID, effect: 'action', mutation_proposal: null }))).vault, 1],
    'a choice, and what is chosen': async () => {
      const ambiguous = { target_ambiguous: true, target_candidates: ['task/pay.md', 'task/call.md'] };
      const { vault, bench } = await scene(signal({ ...SAID, ...ambiguous }));
      await bench.choose(only(vault.events()), 'task/call.md');
      return [vault, 2];
    },
    'a confirmation, its undo, and the undo of that': async () => {
      const { vault, bench } = await scene(weak(SAID));
      const { note } = await bench.confirm(only(vault.events()));
      const { note: reversal } = await bench.undo(note ?? '');
      await bench.undo(reversal ?? '');
      return [vault, 4];
    },
    'a dismissal': async () => {
      const { vault, bench } = await scene(weak(SAID));
      await bench.dismiss(only(vault.events()));
      return [vault, 2];
    },
    'an undo that finds the note changed': async () => {
      const { vault, bench } = await scene(signal(SAID));
      vault.edit('task/pay.md', 'state: done', 'state: snoozed');
      expect((await bench.undo(only(vault.events()))).outcome).toBe('conflict');
      return [vault, 2];
    },
    'a proposal that closes itself': async () => {
      const { vault, bench } = await scene(weak(SAID));
      vault.edit('task/pay.md', 'state: open', 'state: done');
      await bench.tick();
      return [vault, 2];
    },
    'a look that the rate guard refuses': async () => {
      const { vault } = await scene(weak({ ...SAID, effect: 'action', mutation_proposal: null }));
      const bench = await Bench.open(vault, { evaluator: { ...rules, asksModel: true } });
      for (let nth = 0; nth < 6; nth += 1) {
        vault.write(
          `signal/n${nth}.md`,
          weak({ ...SAID, headline: `${nth}`, effect: 'action', mutation_proposal: null }),
        );
        await bench.tick();
      }
      expect(vault.events().map((event) => vault.fields(event).decision)).toContain('rate_guarded');
      return [vault, 5];
    },
  };

  describe('the sender and the quote stand in every event note', () => {
    test.each(Object.entries(SCENES))('%s', async (_, play) => {
      const [vault, count] = await play();
      const events = vault.events();
      expect(events).toHaveLength(count);
      for (const event of events)
        expect({ event, ...vault.fields(event) }).toMatchObject({ event, from: SHOWN, quote: QUOTE });
    });

    test('also in files that a person dropped', async () => {
      const vault = new TempVault({
        ...FILES,
        'steward.md': settings({ settle_seconds: 0.2 }),
        'signal/a.md': weak(SAID),
      });
      const running = await Running.start(vault);
      await running.ask({ op: 'tick', matters: [], force: true, mode: null });
      const { event } = await running.heard('proposed');
      vault.write('event/steward-action-confirmed-yes.md', `---\nconfirms: "[[${stem(event)}]]"\n---\n`);
      await running.heard('confirmed');
      vault.write('event/steward-action-reversed-no.md', '---\nreverses: "[[steward-action-confirmed-yes]]"\n---\n');
      await running.heard('reversed');
      for (const file of vault.events()) expect(vault.fields(file)).toMatchObject({ from: SHOWN, quote: QUOTE });
      expect(vault.events()).toHaveLength(3);
    });

    test('whoever writes an event note or a reversal names both', () => {
      const writers = sourcesIn(SRC).filter(({ imports }) =>
        imports.some(({ names }) => names.includes('sealEvent') || names.includes('sealReversal')),
      );
      expect(writers.length).toBeGreaterThan(0);
      const silent = writers.filter(
        ({ file }) => !fs.readFileSync(path.join(SRC, file), 'utf8').includes('spokenFields('),
      );
      expect(silent.map(({ file }) => file)).toEqual([]);
    });
  });

  test('where several say the same, the one that it is based on is named alone', async () => {
    const vault = new TempVault({
      ...FILES,
      'signal/a.md': weak({ from: 'Kim <kim@tiles.example>', raw_quote: 'perhaps paid', effect_confidence: 0.6 }),
      'signal/b.md': weak({ ...SAID, effect_confidence: 0.79 }),
      'signal/c.md': weak({ from: 'Lee <lee@roof.example>', raw_quote: 'said to be paid', effect_confidence: 0.5 }),
      'signal/d.md': weak({ ...SAID, raw_quote: 'paid, I think', effect_confidence: 0.4 }),
    });
    await (await Bench.open(vault)).tick();
    const event = vault.fields(only(vault.events()));
    expect(event).toMatchObject({ from: SHOWN, quote: QUOTE, signals: ['[[b]]'] });
    expect(event.considered).toHaveLength(4);
  });

  test('a signal that names nobody is shown by its channel; a name or quote has nothing live in it', async () => {
    const { vault } = await scene(weak({ source_type: 'bank', from: null, raw_quote: null, headline: 'Paid out' }));
    expect(vault.fields(only(vault.events()))).toMatchObject({ from: 'bank', quote: 'Paid out' });
    const live = '[[secret]] ![](https://example.example/x) <img src=x>';
    const { vault: other, bench } = await scene(weak({ from: live, raw_quote: live }));
    await bench.dismiss(only(other.events()));
    for (const event of other.events()) {
      const { from, quote } = other.fields(event);
      expect(`${from} ${quote}`).not.toMatch(/\[\[|!\[|<|:\/\//);
    }
  });

  test('every signal says who spoke, in which words, and how far that can be believed', async () => {
    const vault = new TempVault({ ...FILES, 'stream/paid.eml': PAID_MAIL });
    const bench = await Bench.open(vault);
    const read = await readStream(bench.ports, 'stream/paid.eml', new AbortController().signal);
    const signals = read?.kind === 'read' ? read.signals : [];
    expect(vault.fields(only([...signals]))).toMatchObject({
      from: 'Roof & Sons <billing@roof.example>',
      pattern: fold('billing@roof.example'),
      raw_quote: expect.stringContaining('paid'),
      sender_known: 'unknown',
      authenticated: 'pass',
      authenticated_by: 'mx.sample.example',
    });
  });
});
