import { describe, expect, test } from 'vitest';
import { stem } from '../../../src/vault/note-names.ts';
import { iso } from '../../../src/vault/time.ts';
import { Clock, HOUR, MINUTE, quietHoursAround } from '../../support/clock.ts';
import { HOUSE, instinct, matter, settings, signal, task, weak } from '../../support/notes.ts';
import { writeRoofMail } from '../../support/roof-mail.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, LIVE, only, SHADOW } from '../../support/workspace.ts';

const PAY = 'task/pay.md';
const MAIL = { 'instinct/mail.md': instinct('mail', { confidence: 0.83 }) };

async function benchOn(files: Record<string, string>, setting = {}): Promise<{ vault: TempVault; bench: Bench }> {
  const vault = new TempVault({ ...HOUSE, ...MAIL, ...files });
  return { vault, bench: await Bench.open(vault, setting) };
}

async function sentenceFor(files: Record<string, string>, note = 'pay', setting = {}): Promise<string> {
  const { bench } = await benchOn(files, setting);
  return (await bench.explain(note)).sentence;
}

describe('why nothing happens to a note: the one reason that matters', () => {
  const calm = { 'signal/s1.md': weak() };
  test.each<[string, Record<string, string>, RegExp]>([
    ['no signals', {}, /now: no signals\.$/],
    ['steward: false', { ...calm, [PAY]: task({ steward: false }) }, /now: steward: false\.$/],
    [
      'its matter says so',
      { ...calm, 'matter/house.md': matter({ steward: false }) },
      /its matter says steward: false/,
    ],
    ['done', { ...calm, [PAY]: task({ state: 'done' }) }, /now: it is done\.$/],
    ['its matter is over', { ...calm, 'matter/house.md': matter({ state: 'archived' }) }, /matter house is archived/],
    ['no matter', { ...calm, [PAY]: task({ parent_matter: '[[nowhere]]' }) }, /its matter .* is not there/],
    ['put off', { ...calm, [PAY]: task({ next_check_after: '2099-01-01' }) }, /not due: not before 2099-01-01/],
    ['quiet hours', { ...calm, 'steward.md': settings({ quiet_hours: quietHoursAround(Date.now()) }) }, /quiet hours/],
    ['two of one name', { ...calm, 'matter/old/house.md': matter() }, /have the same name/],
  ])('%s', async (_, files, expected) => {
    expect(await sentenceFor(files)).toMatch(expected);
  });

  test('settling', async () => {
    const { vault, bench } = await benchOn(calm);
    vault.write(PAY, task(), 0);
    await bench.sweep();
    expect((await bench.explain('pay')).sentence).toContain('settling: it was just edited');
  });

  test('rate guarded, with the moment as asked for', async () => {
    const { vault, bench } = await benchOn({});
    for (let nth = 0; nth < 7; nth += 1) {
      vault.write(`signal/n${nth}.md`, weak({ raw_quote: `quote ${nth}`, mutation_proposal: null, effect: 'action' }));
      await bench.tick();
    }
    const { sentence } = await bench.explain('pay', () => 'AT NOON');
    expect(sentence).toMatch(/rate guarded: 6 of 6 used by this task in a day; free at AT NOON\.$/);
  });
});

describe('what would happen', () => {
  test('is told with each gate, its figure and threshold, and changes nothing', async () => {
    const { vault, bench } = await benchOn({ 'signal/s1.md': weak() });
    const before = vault.snapshot();
    const told = await bench.explain('pay');
    expect(told.sentence).toMatch(
      /would only propose state: open → done for pay: not sure enough: mail scored 0\.8\d, 0\.95 needed\.$/,
    );
    expect(told.gatesNow).toMatchObject([
      { gate: 'sender', figure: 0, threshold: 5, held: true, reason: 'the settings trust signals from mail.' },
      { gate: 'reading', figure: 1, threshold: 0.85, held: true },
      { gate: 'freshness', held: true },
      { gate: 'discretion', figure: 0.8, threshold: 0.95, held: false },
      { gate: 'mode', figure: 0.8, threshold: 0.6, held: true },
      { gate: 'rate_guard', held: true },
    ]);
    expect(vault.snapshot()).toEqual(before);
    await bench.tick();
    expect(vault.fields(only(vault.events())).gates).toMatchObject(
      told.gatesNow.map(({ gate, figure, held }) => ({ gate, figure, held })),
    );
  });

  test.each([
    [LIVE, signal({ effect_confidence: 0.97 }), /would change pay: state: open → done/],
    [SHADOW, signal({ effect_confidence: 0.97 }), /would only record .* for pay: shadow changes no note/],
    [
      LIVE,
      weak({ mutation_proposal: { class: 'context_edit', set: { tags: ['x'] } } }),
      /tags is protected|nothing changed/,
    ],
  ])('%#', async (env, text, expected) => {
    expect(await sentenceFor({ 'signal/s1.md': text }, 'pay', { env })).toMatch(expected);
  });
});

describe('an event', () => {
  test('tells its gates as recorded, what became of it, and what can be done', async () => {
    const { vault, bench } = await benchOn({ 'signal/s1.md': weak() });
    await bench.tick();
    const name = stem(only(vault.events()));
    const waiting = await bench.explain(name);
    expect(waiting.sentence).toMatch(
      /^It is a proposal and waits for you\. Why it is only proposed: not sure enough: /,
    );
    expect(waiting.standing).toEqual({ kind: 'waiting', by: null, reason: null });
    expect(waiting.gates.filter(({ held }) => !held)).toMatchObject([
      { gate: 'discretion', figure: 0.8, threshold: 0.95 },
    ]);
    expect(JSON.stringify(waiting.sections)).toContain(`steward confirm ${name}`);
    const { note } = await bench.confirm(name);
    const sibling = stem(note ?? '');
    expect((await bench.explain(name)).sentence).toBe(`It was confirmed by [[${sibling}]].`);
    expect((await bench.explain(sibling)).sentence).toMatch(/^It confirmed .* can be taken back until /);
    await bench.undo(sibling);
    expect((await bench.explain(sibling)).sentence).toBe('It was taken back.');
  });

  test('writes its moments as asked for: local for people, ISO for programs', async () => {
    const clock = new Clock();
    const { bench } = await benchOn({ 'signal/s1.md': signal() }, { clock });
    await bench.route('signal/s1.md');
    const event = only(bench.catalogue.events());
    expect((await bench.explain(event.name)).sentence).toMatch(/until \d{4}-\d\d-\d\dT[\d:.]+Z\.$/);
    const local = (ms: number) => `<${iso(ms + HOUR)}>`;
    const until = Date.parse(event.fields.undo_recipe?.expires_at ?? '');
    expect((await bench.explain(event.name, local)).sentence).toContain(`until ${local(until)}`);
  });

  test('a confirmation that was taken back is not offered to be taken back', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/a.md': weak() });
    const bench = await Bench.open(vault);
    await bench.tick();
    const event = only(vault.events());
    const { note } = await bench.confirm(event);
    await bench.undo(note ?? '');
    await bench.sweep();
    const { sections } = await bench.explain(event);
    expect(sections.find(({ title }) => title === 'What you can do')?.lines).toEqual(['none']);
  });
});

describe('a signal', () => {
  test('tells why it is not acted upon alone, and by which event it was weighed', async () => {
    const { vault, bench } = await benchOn({ 'signal/s1.md': weak({ target_confidence: 0.7 }) });
    const alone = await bench.explain('s1');
    expect(alone.sentence).toBe('It waits for the tick: it is only 0.70 sure that mail means this note, 0.85 needed.');
    expect(JSON.stringify(alone.sections)).toMatch(/refuses: discretion: mail scored 0\.80, 0\.95 needed/);
    expect(JSON.stringify(alone.sections)).toContain('confidence 0.7: the lower of target 0.7 and effect 0.8');
    await bench.tick();
    const name = stem(only(vault.events()));
    expect((await bench.explain('s1')).sentence).toMatch(`by [[${name}]]: it is a proposal and waits for you`);
    vault.edit(PAY, "'open'", 'snoozed');
    await bench.sweep();
    expect((await bench.explain('s1')).sentence).toContain('is weighed again at the tick');
  });

  test('that acted tells by which event, and when that was taken back', async () => {
    const { vault, bench } = await benchOn({ 'signal/s1.md': signal() });
    await bench.route('signal/s1.md');
    const name = stem(only(vault.events()));
    expect((await bench.explain('s1')).sentence).toBe(`It was applied, by ${name}.`);
    await bench.undo(name);
    await bench.sweep();
    expect((await bench.explain('s1')).sentence).toBe(`It was applied, by ${name}, and taken back.`);
  });

  test('that is ambiguous tells between which notes', async () => {
    const odd = signal({ target_ambiguous: true, target_candidates: ['task/pay.md', 'task/other.md'] });
    const { bench } = await benchOn({ 'signal/s1.md': odd, 'task/other.md': task() });
    const told = await bench.explain('s1');
    expect(told.sentence).toBe('It is not acted upon: it may mean any of task/pay.md, task/other.md.');
    expect(JSON.stringify((await bench.explain('other')).sections)).toContain('[[s1]]');
  });

  test.each([
    ['that leads nowhere', signal({ target_path: 'task/gone.md' }), /leads to no matter or task/],
    ['without an effect', signal({ effect: 'none' }), /has no effect/],
  ])('%s', async (_, text, expected) => {
    expect(await sentenceFor({ 'signal/s1.md': text }, 's1')).toMatch(expected);
  });
});

describe('who speaks, and what they may do', () => {
  const ROOF = 'mail:billing@roof.example';
  const lines = async (bench: Bench, note: string, title: string) =>
    (await bench.explain(note)).sections.find((one) => one.title === title)?.lines ?? [];

  async function heard(fields: Record<string, unknown> = {}, files: Record<string, string> = {}) {
    const made = await benchOn({ [PAY]: task(), ...files });
    writeRoofMail(made.vault, 'signal/s1.md', fields);
    await made.bench.sweep();
    return made;
  }

  test('a note names each source that spoke or that it names, with its figures on this matter', async () => {
    const senders = ['Anna <anna@notary.example>', '@roof.example', 'joe@tiles.example'];
    const { bench } = await heard(
      { effect_confidence: 0.9 },
      {
        'matter/house.md': matter({ senders }),
        'instinct/mail/joe@tiles.example.md': instinct('mail', { pattern: 'joe@tiles.example', observations: 12 }),
        'signal/s2.md': signal({ source_type: 'stranger' }),
      },
    );
    const told = await bench.explain('house');
    expect(await lines(bench, 'pay', 'Who may act here')).toEqual(await lines(bench, 'house', 'Who may act here'));
    expect(await lines(bench, 'house', 'Who may act here')).toEqual([
      `${ROOF}: named, 0 of 5 right outcomes on house; mx.home.example vouches for it; right 0 times in all, 0.95 needed; trust 0.83; pending`,
      'mail:joe@tiles.example: named, 0 of 5 right outcomes on house; no signal so far; right 12 times in all, 0.85 needed; trust 0.9',
      'other: others write its signals, and no setting trusts it, so it never acts',
      'anna@notary.example: named; no signal so far',
    ]);
    expect(told.licences).toMatchObject([
      {
        source: ROOF,
        known: 'named',
        right: 0,
        needed: 5,
        vouched: 'pass',
        server: 'mx.home.example',
        threshold: 0.95,
      },
      { source: 'mail:joe@tiles.example', known: 'named', writer: null, vouched: null, observations: 12 },
      { source: 'other', known: 'unknown', writer: 'unknown' },
    ]);
  });

  test('a pruned source and a pinned one are said to be so', async () => {
    const figures = { pattern: 'billing@roof.example', confidence: 0.1, calibration_status: 'pruned' };
    const { bench } = await heard({}, { 'instinct/mail/roof.md': instinct('mail', figures) });
    expect(await lines(bench, 'pay', 'Who may act here')).toEqual([
      expect.stringMatching(/, it stays unheard: mail:billing@roof\.example is pruned; .*; pruned$/),
    ]);
    const pinned = await heard({}, { 'instinct/mail/roof.md': instinct('mail', { ...figures, pinned: true }) });
    expect(await lines(pinned.bench, 'pay', 'Who may act here')).toEqual([expect.stringMatching(/; pinned$/)]);
  });

  test('a signal tells who wrote it, the sender as shown, who vouches, what led here, and what is odd', async () => {
    const warnings = ['The display name holds another address.'];
    const odd = { authenticated: 'none', authenticated_by: null, target_near: false, warnings };
    const { bench } = await heard(odd, { 'matter/house.md': matter() });
    const told = await bench.explain('s1');
    expect(await lines(bench, 's1', 'Who says it')).toEqual([
      `the steward wrote the signal, and heard ${ROOF}`,
      'from Roof & Sons <billing@roof.example>',
      'no trusted server vouches for the sender',
      'led here by link; in another passage than what it says',
      'not known here; 0 of 5 right outcomes on this matter',
      'take care: The display name holds another address.',
    ]);
    expect(told.gatesNow.find(({ gate }) => gate === 'sender')).toEqual({
      ...{ gate: 'sender', held: false, figure: 0, threshold: 5 },
      reason:
        'neither this note nor its matter names billing@roof.example, and it has 0 of 5 right outcomes here; ' +
        'no trusted server vouches for billing@roof.example.',
    });
  });

  test('a signal that somebody else wrote is told so: trusted by the settings, or heard as other', async () => {
    const { bench } = await benchOn({
      'signal/s1.md': signal(),
      'signal/s2.md': signal({ source_type: 'agent', effect_confidence: 0.9, effect_confidence_raw: 0.9 }),
    });
    expect(await lines(bench, 's1', 'Who says it')).toEqual([
      'somebody else wrote the signal; trusted_signal_sources lets it speak for mail',
      'known: the settings trust it; 0 of 5 right outcomes on this matter',
    ]);
    expect(await lines(bench, 's2', 'Who says it')).toEqual([
      'somebody else wrote the signal, and trusted_signal_sources leaves out agent: it counts as other, which never acts',
    ]);
    expect(await lines(bench, 's2', 'Alone')).toContain('confidence 0.63: the lower of target 0.98 and effect 0.63');
  });

  test('a source tells its outcomes, each with its note, newest first, and where it may act', async () => {
    const clock = new Clock();
    const names = ['a', 'b', 'c', 'd'];
    const tasks = Object.fromEntries(names.map((name) => [`task/${name}.md`, task()]));
    const unnamed = { 'matter/house.md': matter(), 'steward.md': settings({ settle_seconds: 0 }) };
    const vault = new TempVault({ ...HOUSE, ...tasks, ...unnamed });
    const bench = await Bench.open(vault, { clock });
    const made = new Map<string, string>();
    for (const name of names) {
      clock.move(MINUTE);
      const said = { target_path: `task/${name}.md`, raw_quote: name, effect_confidence: 0.8 };
      writeRoofMail(vault, `signal/${name}.md`, said);
      await bench.tick();
      made.set(name, bench.catalogue.eventsAbout(`task/${name}.md`)[0]?.name ?? '');
    }
    clock.move(MINUTE);
    const confirmed = stem((await bench.confirm(made.get('a') ?? '')).note ?? '');
    const dismissed = stem((await bench.dismiss(made.get('b') ?? '')).note ?? '');
    vault.edit('task/c.md', 'state: open', 'state: done');
    await bench.learn();
    const told = await bench.explain(ROOF, () => 'THEN');
    expect(told.sentence).toMatch(
      /^Trust in mail:billing@roof\.example is 0\.8\d+; its signals must reach 0\.95 to act\./,
    );
    expect(told.sections.map(({ title, lines: found }) => [title, found])).toEqual([
      [
        'What was learnt',
        [
          'right 2 times, wrong once, taken back 0 times',
          'it is live',
          'its history: instinct/mail/billing@roof.example.md',
        ],
      ],
      [
        'Outcomes',
        [
          `right: made by hand on c, THEN: [[${made.get('c')}]]`,
          `wrong: dismissed on b, THEN: [[${dismissed}]]`,
          `right: confirmed on a, THEN: [[${confirmed}]]`,
        ],
      ],
      ['Where it may act', [expect.stringContaining('not named, 2 of 5 right outcomes on house')]],
    ]);
    expect(told.outcomes.map(({ outcome, by, target }) => [outcome, by, target])).toEqual([
      ['right', 'made by hand', 'c'],
      ['wrong', 'dismissed', 'b'],
      ['right', 'confirmed', 'a'],
    ]);
    expect((await bench.explain('instinct/mail/billing@roof.example.md')).outcomes).toEqual(told.outcomes);
    await bench.undo(confirmed ?? '');
    await bench.sweep();
    expect((await bench.explain(ROOF)).outcomes[2]).toMatchObject({ outcome: 'wrong', by: 'taken back' });
    await expect(bench.explain('mail:nobody@roof.example')).rejects.toMatchObject({
      trouble: { code: 'note-unknown' },
    });
  });
});

describe('other notes', () => {
  test('that are no records: it says so', async () => {
    const files = { 'diary/monday.md': 'Rain.\n', 'stream/x.eml': 'Subject: x\n' };
    expect(await sentenceFor(files, 'monday')).toContain('an ordinary note of yours');
    expect(await sentenceFor(files, 'stream/x.eml')).toBe('It has not been read yet.');
    expect(await sentenceFor(files, 'mail')).toContain('Trust in mail is 0.83');
    await expect(sentenceFor(files, 'nothing')).rejects.toMatchObject({ trouble: { code: 'note-unknown' } });
  });
});
