import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterEdit,
  afterPatterns,
  afterReversal,
  afterRight,
  afterWrongOutcome,
  carriedOver,
  channelPrior,
  composeOpening,
  effectConfidence,
  fileName,
  handSays,
  type Instinct,
  initialInstinct,
  instinctNote,
  movedFrom,
  noteName,
  otherNoteName,
  withoutLesson,
} from '../../src/steward/instinct.ts';
import type { Changes, Frontmatter } from '../../src/vault/frontmatter.ts';
import { MAY_EDIT, readHistory } from '../../src/vault/note-text.ts';
import { sourceName } from '../../src/vault/source-names.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, settings, task, weak } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';
import { NOW } from './samples.ts';

describe('instinct', () => {
  const ANNA = 'mail:anna@notary.example';
  const live = (parts: Partial<Instinct> = {}): Instinct => ({ ...initialInstinct(ANNA), status: 'live', ...parts });
  const times = (count: number, start: Instinct, step: (one: Instinct) => Instinct) =>
    Array.from({ length: count }).reduce((one: Instinct) => step(one), start);
  const right = afterRight;
  const dismissed = (one: Instinct) => afterWrongOutcome(one, NOW);
  const reversed = (one: Instinct) => afterReversal(one, NOW);
  const edit = (one: Instinct, parts: Partial<Parameters<typeof afterEdit>[1]>) =>
    afterEdit(one, { prior: null, confidence: null, pinned: one.pinned, ...parts });

  test.each([
    ['gmail', 1],
    ['gmail_unknown', 0.7],
    ['mail', 0.9],
    ['slack', 0.95],
    ['slack_channel', 0.6],
    ['gcal', 0.8],
    ['calendar', 0.8],
    ['sure', 0.9],
    ['bank', 0.9],
    ['plane', 0.9],
    ['vexa', 0.85],
    ['transcript', 0.85],
    ['vault_edit', 0.95],
    ['sent', 0.95],
    ['agent', 0.7],
    ['other', 0.7],
    ['carrier_pigeon', 0.7],
    ['constructor', 0.7],
  ])('%s starts at %f', (source, prior) => {
    expect(channelPrior(source)).toBe(prior);
    expect(initialInstinct(source)).toMatchObject({
      ...{ source, prior, confidence: prior, status: 'pending' },
      ...{ observations: 0, wrong: 0, reversals: 0, pinned: false },
    });
  });

  test('a pattern starts where its channel stands, and a signal is believed as far as its source', () => {
    expect(initialInstinct(ANNA)).toMatchObject({ source: ANNA, prior: 0.9 });
    expect(initialInstinct(ANNA, 0.62)).toMatchObject({ prior: 0.62, confidence: 0.62 });
    expect(effectConfidence(0.93, { confidence: 0.9 })).toBe(0.837);
  });

  describe('a right outcome', () => {
    test('draws to 1, to four decimals', () => {
      expect(right(live())).toMatchObject({ confidence: 0.91, observations: 1, wrong: 0 });
      expect(right(live({ confidence: 0.3333 })).confidence).toBe(0.4);
    });
    test('ends a row of wrong ones', () => {
      expect(right(live({ wrong: 4, wrongInARow: 4 }))).toMatchObject({ wrong: 4, wrongInARow: 0, status: 'live' });
    });
  });

  describe('a wrong outcome', () => {
    test('dismissed or set otherwise −0.05, taken back −0.1; only what is taken back is a reversal', () => {
      const said = { wrong: 1, wrongInARow: 1, lastNegativeAt: NOW, observations: 0 };
      expect(dismissed(live())).toMatchObject({ ...said, confidence: 0.85, reversals: 0 });
      expect(reversed(live())).toMatchObject({ ...said, confidence: 0.8, reversals: 1 });
      expect(reversed(live({ confidence: 0.05 })).confidence).toBe(0);
    });
  });

  describe('a lesson that is undone', () => {
    const undone = (before: Instinct, lesson: (one: Instinct) => Instinct, since = (one: Instinct) => one) =>
      withoutLesson(since(lesson(before)), movedFrom(before, lesson(before)));
    const sure = live({ confidence: 0.95, observations: 9 });

    test.each<[string, Instinct, (one: Instinct) => Instinct]>([
      ['taken back, down to 0', live({ confidence: 0.0333, reversals: 1 }), reversed],
      ['right, after three wrong ones', live({ wrong: 3, wrongInARow: 3, lastNegativeAt: 5 }), right],
      ['right, that pinned it', sure, right],
      ['the third, that made it live', initialInstinct(ANNA, 0.9), right],
      ['wrong, that pruned it', times(4, live(), dismissed), dismissed],
      ['taken back, that pruned and unpinned it', times(4, right(sure), reversed), reversed],
    ])('%s: all is exactly as before', (_, before, lesson) => expect(undone(before, lesson)).toEqual(before));

    test('takes back only its own step if others came since', () => {
      expect(undone(live(), dismissed, right)).toMatchObject({ confidence: 0.915, observations: 1, wrong: 0 });
      expect(undone(live({ wrongInARow: 3, wrong: 3 }), right, dismissed)).toMatchObject({ wrongInARow: 4, wrong: 4 });
      expect(undone(live(), dismissed, (one) => dismissed(right(one)))).toMatchObject({ wrongInARow: 1, wrong: 1 });
    });
    test('leaves it pruned if the others alone would prune it', () => {
      expect(undone(times(4, live(), dismissed), dismissed, dismissed)).toMatchObject({ status: 'pruned', wrong: 5 });
    });
    test('leaves it live if it has had three outcomes without it', () => {
      expect(undone(times(2, initialInstinct(ANNA), right), right, right).status).toBe('live');
    });
  });

  test('a channel moves by a fifth of what its patterns moved, and counts nothing', () => {
    const channel = { ...initialInstinct('mail'), status: 'live' as const };
    expect(afterPatterns(channel, -0.1)).toEqual({ ...channel, confidence: 0.88 });
    expect(afterPatterns(channel, 0.01)).toEqual({ ...channel, confidence: 0.902 });
    expect(afterPatterns(channel, 0)).toEqual(channel);
  });

  describe('pending', () => {
    const start = initialInstinct(ANNA);
    test('until three outcomes, right or wrong, then live', () => {
      expect(times(2, start, right).status).toBe('pending');
      expect(times(3, start, right).status).toBe('live');
      expect(right(dismissed(right(start))).status).toBe('live');
    });
    test('what the patterns do is no outcome of the channel', () => {
      const channel = times(20, initialInstinct('mail'), (one) => afterPatterns(one, 0.01));
      expect(channel).toMatchObject({ status: 'pending', observations: 0 });
    });
  });

  describe('pruned', () => {
    test('below 0.2, not at it', () => {
      expect(dismissed(live({ confidence: 0.25 }))).toMatchObject({ confidence: 0.2, status: 'live' });
      expect(dismissed(live({ confidence: 0.2499 })).status).toBe('pruned');
    });
    test('after five wrong ones without a right one, not four', () => {
      expect(times(4, live(), dismissed).status).toBe('live');
      expect(times(5, live(), dismissed)).toMatchObject({ status: 'pruned', confidence: 0.65 });
      expect(times(4, right(times(4, live(), dismissed)), dismissed).status).toBe('live');
      expect(times(5, initialInstinct(ANNA), dismissed).status).toBe('pruned');
    });
    test('a right outcome later does not bring it back by itself, a person’s pin does', () => {
      const gone = times(5, live(), dismissed);
      expect(right(gone).status).toBe('pruned');
      expect(edit(gone, { pinned: true })).toMatchObject({ status: 'live', pinned: true, pinnedBy: 'person' });
    });
    test('never whom an open note names', () => {
      const named = (one: Instinct) => afterWrongOutcome(one, NOW, true);
      expect(times(9, live(), named)).toMatchObject({ status: 'live', wrong: 9, confidence: 0.45 });
    });
    test('never what a person pinned', () => {
      const pinned = edit(live({ confidence: 0.01 }), { pinned: true });
      expect(times(9, pinned, reversed)).toMatchObject({ status: 'live', confidence: 0, pinned: true });
    });
    test('the program’s own pin goes with it', () => {
      const own = live({ confidence: 0.95, observations: 12, pinned: true, pinnedBy: 'steward' });
      expect(times(5, own, dismissed)).toMatchObject({ status: 'pruned', pinned: false, pinnedBy: null });
    });
  });

  describe('the program’s own pin', () => {
    const sure = live({ confidence: 0.95, observations: 9 });
    test('from 0.9 on, with the tenth observation', () => {
      expect(sure.pinned).toBe(false);
      expect(right(sure)).toMatchObject({ pinned: true, pinnedBy: 'steward', observations: 10 });
      expect(right({ ...sure, confidence: 0.8889 })).toMatchObject({ confidence: 0.9, pinned: true });
      expect(right({ ...sure, confidence: 0.8888 }).pinned).toBe(false);
      expect(right({ ...sure, observations: 8 }).pinned).toBe(false);
    });
    test('never by wrong ones or by the patterns alone', () => {
      const channel = { ...sure, source: 'mail', observations: 40 };
      expect(afterPatterns(channel, 0.1).pinned).toBe(false);
      expect(dismissed(channel).pinned).toBe(false);
    });
    test('has a floor of 0.5, which never lifts what a person set below it', () => {
      const own = { ...right(sure), confidence: 0.55 };
      expect(reversed(own).confidence).toBe(0.5);
      expect(reversed(reversed(own)).confidence).toBe(0.5);
      const set = edit(own, { confidence: 0.3 });
      expect(dismissed(set).confidence).toBe(0.3);
      expect(dismissed(edit(live({ confidence: 0.52 }), { pinned: true })).confidence).toBe(0.47);
    });
    test('taken away by a person it never comes back by itself', () => {
      const off = edit(right(sure), { pinned: false });
      expect(off).toMatchObject({ pinned: false, pinnedBy: 'person' });
      expect(times(30, off, right).pinned).toBe(false);
    });
  });

  test('a person’s edit is taken as it stands, and no edit changes nothing', () => {
    expect(edit(live(), { prior: 0.4, confidence: 0.2, pinned: true })).toMatchObject({
      ...{ prior: 0.4, confidence: 0.2, pinned: true, pinnedBy: 'person' },
    });
    expect(edit(live(), {})).toEqual(live());
  });

  describe('carried over from before only outcomes taught', () => {
    const old = live({ source: 'mail', prior: 0.9, confidence: 0.98, observations: 12 });
    test('the confidence goes down to the prior where it is above, the observations stay', () => {
      expect(carriedOver(old)).toEqual({ ...old, confidence: 0.9 });
      expect(carriedOver({ ...old, confidence: 0.4 })).toEqual({ ...old, confidence: 0.4 });
    });
    test('a pin of the program that it would not set today is gone; any other stays', () => {
      const own = { ...old, pinned: true, pinnedBy: 'steward' as const };
      expect(carriedOver(own)).toMatchObject({ pinned: true, pinnedBy: 'steward' });
      expect(carriedOver({ ...own, observations: 9 })).toMatchObject({ pinned: false, pinnedBy: null });
      expect(carriedOver({ ...own, prior: 0.7 })).toMatchObject({ pinned: false, confidence: 0.7 });
      expect(carriedOver({ ...own, observations: 0, pinnedBy: 'person' })).toMatchObject({ pinned: true });
    });
  });
});

describe('name of the note', () => {
  describe('where a source’s note lies', () => {
    test.each([
      ['mail', 'mail'],
      ['mail:anna@notary.example', 'mail/anna@notary.example'],
      ['mail:Anna+house@Notary.example', 'mail/anna+house@notary.example'],
      ['mail:unverified:anna@notary.example', 'mail/unverified-anna@notary.example'],
      ['bank:DE02 1203 0000', 'bank/de02-1203-0000'],
      ['Slack Channel', 'slack-channel'],
      ['mail:../../steward', 'mail/steward'],
      ['mail:..', 'mail/other'],
      ['mail:.hidden', 'mail/hidden'],
      ['mail:anna.md', 'mail/anna.md'],
      ['mail:a/b\\c', 'mail/a-b-c'],
      ['mail:', 'mail/other'],
      ['', 'other'],
      ['..', 'other'],
      ['mail:[[x]]|y#z^', 'mail/x-y-z'],
      ['mail:Ünïcödé', 'mail/n-c-d'],
      ['mail:日本', 'mail/other'],
    ])('%j: %j', (source, name) => expect(noteName(source)).toBe(name));

    test('is one plain, short, visible name in the channel’s folder, whatever a sender is called', () => {
      const letters = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }));
      fc.assert(
        fc.property(letters, letters, (channel, pattern) => {
          const source = sourceName(channel.replaceAll(':', ''), pattern);
          for (const name of [noteName(source), otherNoteName(source)]) {
            expect(name).toMatch(/^[a-z0-9_][a-z0-9_-]{0,59}\/[a-z0-9_@+][a-z0-9_@.+-]{0,68}$/);
            expect(name).not.toMatch(/\.\.|\.$/);
          }
          expect(fileName(source)).not.toContain('/');
        }),
        { numRuns: lawRuns() },
      );
    });
  });

  /** The patterns of the notes that there are once each of these senders has been dismissed once. */
  async function notesOf(...patterns: string[]) {
    const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ default_schedule: '17 4 1 1 *' }) });
    const bench = await Bench.open(vault);
    for (const [nth, pattern] of patterns.entries()) {
      vault.write(`task/t${nth}.md`, task());
      vault.write(`signal/t${nth}.md`, weak({ pattern, target_path: `task/t${nth}.md`, raw_quote: `${nth}` }));
      await bench.tick();
      for (const { event } of bench.openProposals()) await bench.dismiss(event.path);
    }
    const notes = vault.names('instinct/mail').map((name) => `instinct/mail/${name}`);
    return { vault, bench, notes, of: notes.map((file) => vault.fields(file).pattern) };
  }

  describe('the notes of senders with hostile names', () => {
    test('lie in their channel’s folder, break no link and no table, and are found again', async () => {
      const hostile = ['../../x|y]]\n%% /steward %%\n`', 'a'.repeat(300), '日本@例え.example', '{{x}}: [y', '#', '.'];
      const { vault, bench, notes, of } = await notesOf(...hostile);
      expect(vault.names('instinct')).toEqual(['mail', 'mail.md']);
      expect(of.toSorted()).toEqual(hostile.toSorted());
      for (const file of notes) {
        expect(readHistory(file, vault.read(file))).toHaveLength(1);
        expect(vault.fields(file)).toMatchObject({
          type: 'instinct',
          source_type: 'mail',
          confidence: expect.any(Number),
        });
      }
      for (const pattern of hostile) {
        expect(vault.fields(bench.catalogue.instinctOf(`mail:${pattern}`)?.path ?? '')).toMatchObject({
          pattern,
          wrong: 1,
        });
      }
      expect(bench.status().trouble).toEqual([]);
    });

    test('two that make the same name have a note each, and each learns its own', async () => {
      const long = 'a'.repeat(80);
      const { vault, notes } = await notesOf('a b', 'a-b', `${long}1`, `${long}2`, 'a b', 'A B ');
      const wrong = new Map(notes.map((file) => [vault.fields(file).pattern, vault.fields(file).wrong]));
      expect(wrong).toEqual(
        new Map([
          ...([
            ['a b', 3],
            ['a-b', 1],
          ] as const),
          ...([
            [`${long}1`, 1],
            [`${long}2`, 1],
          ] as const),
        ]),
      );
    });

    test('one named like its channel, or like a note that is there, takes nothing from it', async () => {
      const { vault, notes } = await notesOf('mail', 'bank', 'other');
      expect(notes).toEqual(['instinct/mail/bank.md', 'instinct/mail/mail.md', 'instinct/mail/other.md']);
      expect(vault.fields('instinct/mail.md')).toMatchObject({ source_type: 'mail', wrong: 0 });
      expect(vault.fields('instinct/mail.md')).not.toHaveProperty('pattern');
    });
  });
});

describe('opening of the note', () => {
  const ANNA = {
    ...initialInstinct('mail:anna@northgate-notary.example'),
    observations: 11,
    wrong: 1,
    status: 'live',
  } as const;

  test('an instinct note says first what it measures, and what that means', () => {
    expect(composeOpening(ANNA)).toEqual([
      'News from anna\\@northgate-notary.example by mail was right 11 of 12 times. It began at 0.9. It may act alone from 0.85 on, if every gate passes.',
      MAY_EDIT,
    ]);
    expect(
      composeOpening({ ...ANNA, source: 'bank', observations: 1, wrong: 1, reversals: 1, status: 'pending' })[0],
    ).toBe(
      'News by bank was right 1 of 2 times. It began at 0.9. You undid it once. That is little so far. It may act alone from 0.95 on, if every gate passes.',
    );
    expect(composeOpening({ ...ANNA, observations: 1, wrong: 0 })[0]).toContain('right 1 of 1 time. ');
    expect(composeOpening({ ...ANNA, observations: 0, wrong: 5, reversals: 3, status: 'pruned' })[0]).toBe(
      'News from anna\\@northgate-notary.example by mail was right 0 of 5 times. It began at 0.9. You undid it 3 times. It was wrong too often, so Steward ignores it: set `pinned: true` above to read it again.',
    );
  });

  test('what a sender is called is not live in it', () => {
    const text = instinctNote('instinct/x.md', { ...ANNA, source: 'mail:![[secret]] <img> |x|' }, [
      { at: '2026-11-21T20:19:01Z', what: 'confirmed', before: 0.9, after: 0.91, observations: 1 },
    ]);
    expect(text.split('\n').find((line) => line.startsWith('News '))).not.toMatch(/\[\[|<|(?<!\\)\|/);
    expect(text).toContain(MAY_EDIT);
  });
});

describe('changes by hand', () => {
  const DONE: Changes = {
    state: { before: 'open', after: 'done' },
    completedDate: { before: null, after: '2026-11-20' },
  };
  const DUE: Changes = { due: { before: '2026-12-01', after: '2026-12-08' } };
  const LONG = 'long '.repeat(2000);

  /** What a note says of a change that was only proposed, and of the same change where it was made. */
  function said(changes: Changes, fields: Frontmatter, isWhole = true) {
    const seen = { fields, isWhole };
    return [handSays({ changes, acted: false }, seen), handSays({ changes, acted: true }, seen)];
  }

  describe('what a note says of a change: proposed, and made', () => {
    test.each<[string, Changes, Frontmatter, ReturnType<typeof said>]>([
      ['as it was', DUE, { due: '2026-12-01' }, [null, 'otherwise']],
      ['as decided', DUE, { due: '2026-12-08' }, ['right', null]],
      ['something else', DUE, { due: '2026-12-24' }, ['otherwise', 'otherwise']],
      ['the field is gone', DUE, {}, ['otherwise', 'otherwise']],
      ['done on another day', DONE, { state: 'done', completedDate: '2026-11-23' }, ['right', null]],
      ['done in other words', DONE, { status: 'Completed' }, ['right', null]],
      ['ended otherwise', DONE, { state: 'archived' }, ['otherwise', 'otherwise']],
      ['one of two fields', { ...DONE, ...DUE }, { state: 'done', due: '2026-12-01' }, [null, 'otherwise']],
      ['both fields', { ...DONE, ...DUE }, { state: 'done', due: '2026-12-08' }, ['right', null]],
      ['a field like a name of every object', { constructor: { before: null, after: 'x' } }, {}, [null, 'otherwise']],
    ])('%s', (_, changes, fields, expected) => expect(said(changes, fields)).toEqual(expected));

    test('a record that may lack the field says nothing', () => {
      expect(said(DUE, {}, false)).toEqual([null, null]);
    });

    test('a list that gained or lost other members says nothing new: only its own members tell', () => {
      const added = { related_to: { before: ['[[a]]'], after: ['[[a]]', '[[folder/b]]'] } };
      const held = (members: readonly string[]) => said(added, { related_to: [...members] });
      expect(held(['[[a]]', '[[b]]', '[[c]]'])).toEqual(['right', null]);
      expect(held(['[[c]]'])).toEqual([null, 'otherwise']);
      expect(held([])).toEqual([null, 'otherwise']);
    });

    test('a value too long for an event note is told by its beginning; two with one beginning cannot be told apart', () => {
      const cut = `${LONG.slice(0, 100)}`;
      expect(said({ summary: { before: 'short', after: LONG } }, { summary: LONG })).toEqual(['right', null]);
      expect(said({ summary: { before: cut, after: LONG } }, { summary: 'else' })).toEqual(['otherwise', 'otherwise']);
      expect(said({ summary: { before: `${LONG}a`, after: `${LONG}b` } }, { summary: `${LONG}a` })).toEqual([
        null,
        null,
      ]);
    });
  });
});
