import { describe, expect, test } from 'vitest';
import { printExplanation } from '../../src/cli/commands/explain.ts';
import { formatMoment, Printer } from '../../src/cli/terminal.ts';
import { rules } from '../../src/providers/substitutes.ts';
import { stem } from '../../src/vault/layout.ts';
import { mailText } from '../streams/mailboxes.ts';
import { sweepAndRead } from '../streams/read-unread.ts';
import { Clock, MINUTE, quietHoursAround } from '../support/clock.ts';
import { HOUSE, instinct, matter, settings, signal, task, weak } from '../support/notes.ts';
import { ownSignal, ROOF_LICENCE } from '../support/own-signal.ts';
import { writeRoofMail } from '../support/roof-mail.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only, SHADOW } from '../support/workspace.ts';

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
      /its matter house says steward: false/,
    ],
    [
      'a status that nothing explains',
      { ...calm, [PAY]: task({ state: undefined, status: 'active' }) },
      /now: status: active, which the settings do not explain\.$/,
    ],
    ['done', { ...calm, [PAY]: task({ state: 'done' }) }, /now: it is done\.$/],
    ['its matter is over', { ...calm, 'matter/house.md': matter({ state: 'archived' }) }, /matter house is archived/],
    ['no matter', { ...calm, [PAY]: task({ parent_matter: '[[nowhere]]' }) }, /its matter .* doesn't exist/],
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

  test('rate guarded, with the moment', async () => {
    const { vault, bench } = await benchOn({}, { evaluator: { ...rules, asksModel: true } });
    for (let nth = 0; nth < 7; nth += 1) {
      vault.write(`signal/n${nth}.md`, weak({ raw_quote: `quote ${nth}`, mutation_proposal: null, effect: 'action' }));
      await bench.tick();
    }
    const { sentence } = await bench.explain('pay');
    expect(sentence).toMatch(
      /changed nothing: rate guard: 3 of 3 used by this sender on this task in a day; free at \d{4}-\d\d-\d\dT[\d:.]+Z\.$/,
    );
  });

  test('every line names the real reason why Steward leaves a note alone, and what helps', async () => {
    const lines = async (files: Record<string, string>) => {
      const { bench } = await benchOn(files);
      return JSON.stringify((await bench.explain('pay')).sections);
    };
    const off = await lines({ [PAY]: task({ steward: false }) });
    expect(off).toContain('next check: never (steward: false)');
    expect(off).toContain('Take `steward: false` out of pay.');
    const odd = await lines({ [PAY]: task({ state: undefined, status: 'active' }) });
    expect(odd).toContain('next check: never (status: active, which the settings do not explain)');
    expect(odd).toContain('add a line such as \\"active = open\\" to status_values');
    expect(odd).not.toContain('steward: false');
  });
});

describe('what would happen', () => {
  test('is told with each gate, its figure and threshold, and changes nothing', async () => {
    const { vault, bench } = await benchOn({ 'signal/s1.md': weak() });
    const before = vault.snapshot();
    const told = await bench.explain('pay');
    expect(told.sentence).toMatch(
      /would only propose state: open → done for pay: confidence too low: mail scored 0\.75, 0\.80 needed\.$/,
    );
    expect(told.gatesNow).toMatchObject([
      { gate: 'forged', held: true },
      { gate: 'authenticated', held: true, reason: 'the settings trust signals from mail.' },
      { gate: 'licence', held: true, reason: 'the settings trust signals from mail.' },
      { gate: 'target', figure: 0.98, threshold: 0.85, held: true },
      { gate: 'reading', figure: 1, threshold: 0.85, held: true },
      { gate: 'discretion', figure: 0.75, threshold: 0.8, held: false },
      { gate: 'freshness', held: true },
      { gate: 'mode', figure: 0.75, threshold: 0.6, held: true },
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

describe('what was done last, on whose words, and how to undo it', () => {
  const words = (told: Awaited<ReturnType<Bench['explain']>>, title: string) =>
    told.sections.find((one) => one.title === title)?.lines ?? [];

  test('a change that Steward made; then its undo; then the undo of that', async () => {
    const { vault, bench } = await benchOn({ 'signal/s1.md': signal({ from: 'Anna Weber <anna@notary.example>' }) });
    await bench.route('signal/s1.md');
    const name = stem(only(vault.events()));
    const made = await bench.explain('pay');
    expect(made.sentence).toMatch(
      /^Steward marked pay as done on \d{4}-\S+Z, because anna@notary\.example \(Anna Weber\) wrote “[^”]+”\.$/,
    );
    expect(made.last).toMatchObject({ event: name, by: 'steward', undo: { command: `steward undo ${name}` } });
    expect(words(made, 'Now')[0]).toBe('Steward does nothing with pay now: it is done.');
    expect(words(made, 'Undo')[0]).toMatch(new RegExp(`^steward undo ${name} \\(until \\d{4}-`));
    await bench.undo(name, { reason: 'another deposit' });
    await bench.sweep();
    const undone = await bench.explain('pay');
    expect(undone.sentence).toMatch(/^You undid this on \S+Z, which reopened pay\. Your reason: another deposit\.$/);
    expect(undone.last?.by).toBe('you');
    await bench.undo(undone.last?.event ?? '');
    await bench.sweep();
    expect((await bench.explain('pay')).sentence).toMatch(/^You undid the undo on \S+Z, which marked pay as done\.$/);
  });

  test('a mode that was raised since is not what would help', async () => {
    const { vault, bench: shadow } = await benchOn({ 'signal/s1.md': weak() }, { env: SHADOW });
    await shadow.tick();
    const help = 'Another mode: set `STEWARD_LIVE_MODE=live` for the daemon.';
    const told = async (bench: Bench) =>
      JSON.stringify((await bench.explain('s1')).sections) + JSON.stringify((await bench.explain('pay')).sections);
    expect(await told(shadow)).toContain(help);
    shadow.close();
    expect(await told(await Bench.open(vault))).not.toContain(help);
  });

  test('a booking is nobody’s writing, and the money may have gone to the other party', async () => {
    const booked = { source_type: 'bank', pattern: 'hill roofing', from: 'Hill Roofing <hill roofing>' };
    const { vault, bench } = await benchOn({
      'signal/s1.md': ownSignal('signal/s1.md', { ...booked, effect_confidence: 0.75 }),
    });
    await bench.tick();
    const proposal = only(vault.events());
    const text = 'Booking with Hill Roofing (hill roofing): Invoice paid';
    expect(vault.read(proposal)).toContain(text);
    await bench.confirm(proposal);
    await bench.sweep();
    expect((await bench.explain('pay')).sentence).toMatch(
      /, because the booking with Hill Roofing \(hill roofing\) says “your invoice is paid”\.$/,
    );
    expect(words(await bench.explain('s1'), 'Who says it')).toContain('booking with Hill Roofing <hill roofing>');
    expect(vault.read(only(vault.events('steward-action-confirmed-')))).toContain('Booking with Hill Roofing');
  });

  test('a proposal, and the answers to it', async () => {
    const { vault, bench } = await benchOn({ 'signal/s1.md': weak() });
    await bench.tick();
    const proposal = only(vault.events());
    const waiting = await bench.explain('pay');
    expect(waiting.sentence).toMatch(/^Steward proposed on \S+Z to mark pay as done, because .*“.+”\.$/);
    expect(words(waiting, 'Now')[0]).toMatch(/^A proposal for pay waits for you/);
    expect(words(waiting, 'What would change this')).toEqual([
      'Your answer: `steward inbox`.',
      'A better record of this sender: each proposal that you confirm counts.',
    ]);
    await bench.dismiss(proposal);
    await bench.sweep();
    expect((await bench.explain('pay')).sentence).toMatch(/^You dismissed the proposal to mark pay as done on \S+Z\.$/);
  });

  test('a server that waits for a yes is named as what would help', async () => {
    const { bench } = await benchOn({ 'signal/s1.md': ownSignal('signal/s1.md', { authenticated: 'none' }) });
    const unagreed = () => [{ field: 'trusted_mail_servers' as const, value: 'mx.home.example' }];
    Object.assign(bench.ports.context, { unagreed });
    await bench.tick();
    expect(words(await bench.explain('pay'), 'What would change this')).toContain(
      'Your yes to this setting, for mails that come after it: `steward confirm setting-trusted_mail_servers-mx.home.example`.',
    );
  });

  test('what was done to a task was done to its matter, and a part of the title is enough', async () => {
    const { vault, bench } = await benchOn({ 'signal/s1.md': weak(), 'task/pay-the-roofer.md': task() });
    await bench.tick();
    await bench.confirm(only(vault.events()));
    await bench.sweep();
    expect((await bench.explain('house')).sentence).toMatch(/^You confirmed the proposal to mark pay as done on /);
    expect((await bench.explain('The Roofer')).note).toBe('task/pay-the-roofer.md');
    await expect(bench.explain('ay')).rejects.toMatchObject({ trouble: { code: 'note-ambiguous' } });
  });

  test('an event that somebody else wrote is nothing that was done', async () => {
    const { vault, bench } = await benchOn({ 'signal/s1.md': signal() });
    await bench.route('signal/s1.md');
    const path = only(vault.events());
    const copy = path.replace(/-pay\.md$/, '-x-pay.md').replace('2026', '2027');
    vault.write(copy, vault.read(path).replace(/^timestamp: .*$/m, 'timestamp: 2027-01-01T00:00:00Z'));
    await bench.sweep();
    expect((await bench.explain('pay')).last?.event).toBe(stem(path));
  });

  test('the words that made a reading doubtful are named, with what would help', async () => {
    const { vault, bench } = await benchOn({ [PAY]: task() });
    const doubts = [
      "It says “cover”, which isn't in the name, aliases, keywords or summary of this note or its matter.",
    ];
    writeRoofMail(vault, 'signal/s1.md', { doubts, raw_quote: 'The roof cover has been paid.' });
    await bench.sweep();
    const told = await bench.explain('pay');
    expect(words(told, 'Doubtful words')).toEqual([`${doubts[0]} It says: “The roof cover has been paid.”`]);
    expect(words(told, 'What would change this')).toEqual(
      expect.arrayContaining([
        'A licence: `steward licence sign mail:billing@roof.example --matter house` lets this sender act without asking.',
        'A sentence near the top that says only this, about this note.',
      ]),
    );
  });
});

describe('an event', () => {
  test('tells its gates as recorded, the outcome of it, and what can be done', async () => {
    const { vault, bench } = await benchOn({ 'signal/s1.md': weak() });
    await bench.tick();
    const name = stem(only(vault.events()));
    const waiting = await bench.explain(name);
    expect(waiting.sentence).toMatch(
      /^It is a proposal and waits for you\. Why it is only proposed: confidence too low: /,
    );
    expect(waiting.standing).toEqual({ kind: 'waiting', by: null, reason: null });
    expect(waiting.gates.filter(({ held }) => !held)).toMatchObject([
      { gate: 'discretion', figure: 0.75, threshold: 0.8 },
    ]);
    expect(JSON.stringify(waiting.sections)).toContain(`steward confirm ${name}`);
    const { note } = await bench.confirm(name);
    const sibling = stem(note ?? '');
    expect((await bench.explain(name)).sentence).toBe(`It was confirmed by [[${sibling}]].`);
    expect((await bench.explain(sibling)).sentence).toMatch(/^It confirmed .* can be undone until /);
    await bench.undo(sibling);
    expect((await bench.explain(sibling)).sentence).toBe('It was undone.');
  });

  test('writes its moments in ISO, which a screen turns into local time', async () => {
    const clock = new Clock();
    const { bench } = await benchOn({ 'signal/s1.md': signal() }, { clock });
    await bench.route('signal/s1.md');
    const event = only(bench.catalogue.events());
    const until = event.fields.undo_recipe?.expires_at ?? '';
    const explanation = await bench.explain(event.name);
    expect(explanation.sentence).toMatch(/until \d{4}-\d\d-\d\dT[\d:.]+Z\.$/);
    const screen: string[] = [];
    const out = new Printer({ isTTY: false, write: (text) => void screen.push(text) }, { NO_COLOR: '1' });
    printExplanation(out, explanation);
    expect(screen.join('')).toMatch(/^Steward marked pay as done today \d\d:\d\d,/);
    expect(screen.join('')).toContain(`until ${formatMoment(until)}.`);
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
    expect(alone.sentence).toBe(
      'It waits for the next check: only 0.70 confidence that mail means this note, 0.85 needed.',
    );
    expect(JSON.stringify(alone.sections)).toMatch(/failed: discretion: mail scored 0\.75, 0\.80 needed/);
    expect(JSON.stringify(alone.sections)).toContain('confidence 0.70: the lower of target 0.70 and effect 0.75');
    await bench.tick();
    const name = stem(only(vault.events()));
    expect((await bench.explain('s1')).sentence).toMatch(`by [[${name}]]: it is a proposal and waits for you`);
    vault.edit(PAY, "'open'", 'snoozed');
    await bench.sweep();
    expect((await bench.explain('s1')).sentence).toContain('is evaluated again at the next check');
  });

  test('that another signal outweighed does not answer for the sender of that one', async () => {
    const due = { mutation_proposal: { class: 'context_edit', set: { due: '2026-12-14' } }, raw_quote: 'x' };
    const { vault, bench } = await benchOn({
      'signal/s1.md': weak(),
      'signal/s2.md': weak({ ...due, effect_confidence: 0.6 }),
    });
    await bench.tick();
    const name = stem(only(vault.events()));
    expect(vault.fields(only(vault.events())).signals).toEqual(['[[s1]]']);
    const told = await bench.explain('s2');
    expect(told.sentence).toMatch(
      new RegExp(
        `^It was evaluated at \\S+ with other signals\\. The decision rests on those: \\[\\[${name}\\]\\]\\.$`,
      ),
    );
    expect(JSON.stringify(told.sections)).toContain(', because of other signals');
  });

  test('that acted tells by which event, and when that was taken back', async () => {
    const { vault, bench } = await benchOn({ 'signal/s1.md': signal() });
    await bench.route('signal/s1.md');
    const name = stem(only(vault.events()));
    expect((await bench.explain('s1')).sentence).toBe(`It was applied, by ${name}.`);
    await bench.undo(name);
    await bench.sweep();
    expect((await bench.explain('s1')).sentence).toBe(`It was applied, by ${name}, and undone.`);
  });

  test('that is ambiguous tells between which notes', async () => {
    const odd = signal({ target_ambiguous: true, target_candidates: ['task/pay.md', 'task/other.md'] });
    const { bench } = await benchOn({ 'signal/s1.md': odd, 'task/other.md': task() });
    const told = await bench.explain('s1');
    expect(told.sentence).toBe('It waits for your answer: it may mean pay or other.');
    expect(JSON.stringify((await bench.explain('other')).sections)).toContain('[[s1]]');
  });

  test('that may mean either of two notes of one name tells them apart', async () => {
    const odd = signal({ target_ambiguous: true, target_candidates: ['task/pay.md', 'task/old/pay.md'] });
    const { bench } = await benchOn({ 'signal/s1.md': odd, 'task/old/pay.md': task() });
    expect((await bench.explain('s1')).sentence).toBe('It waits for your answer: it may mean task/pay or old/pay.');
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
        ...ROOF_LICENCE,
      },
    );
    const told = await bench.explain('house');
    expect(await lines(bench, 'pay', 'Senders on this matter')).toEqual(
      await lines(bench, 'house', 'Senders on this matter'),
    );
    expect(await lines(bench, 'house', 'Senders on this matter')).toEqual([
      `${ROOF}: may mark tasks as done, archive tasks, move dates, fill in other fields and close the matter itself until 2099-12-31 ([[roof]]); no outcome here yet`,
      'mail:joe@tiles.example: no licence here; no outcome here yet',
      'anna@notary.example: named; no mail so far',
    ]);
    expect(told.licences).toMatchObject([
      {
        source: ROOF,
        known: 'licensed',
        right: 0,
        of: 0,
        kinds: ['done', 'archived', 'due', 'fields', 'matter'],
        until: '2099-12-31',
        licence: 'licence/roof.md',
        lack: null,
      },
      { source: 'mail:joe@tiles.example', known: 'named', kinds: [], licence: null, lack: 'No licence here.' },
    ]);
  });

  test('a sender is named by address or name: what was read is listed, with what became of it', async () => {
    const { bench } = await heard({}, { 'matter/house.md': matter({ senders: ['joe@tiles.example'] }) });
    for (const name of ['billing@roof.example', 'Billing@Roof.example', ROOF, 'Roof & Sons']) {
      const told = await bench.explain(name);
      expect(told).toMatchObject({ kind: 'instinct', note: name });
      expect(await lines(bench, name, 'What was read')).toEqual([
        expect.stringMatching(/^\S+Z Not authenticated\. “Invoice paid”\. For pay: It waits for the next check/),
      ]);
    }
    expect(await lines(bench, 'joe@tiles.example', 'Notes that name this sender')).toEqual(['house']);
    await expect(bench.explain('eve@elsewhere.example')).rejects.toThrow(
      'Steward has read nothing from eve@elsewhere.example, and no note names this sender.',
    );
  });

  test('a sender whose mails gave no signal did write, and what is learnt about it is told by its address', async () => {
    const mail = mailText({
      id: 'm1',
      subject: 'Lunch',
      from: 'Joe <joe@tiles.example>',
      text: 'Shall we have lunch?',
    });
    const { vault, bench } = await heard(
      {},
      {
        'matter/house.md': matter({ senders: ['joe@tiles.example'] }),
        'instinct/mail/unverified-joe@tiles.example.md': instinct('mail', {
          pattern: 'unverified:joe@tiles.example',
          observations: 1,
        }),
      },
    );
    vault.write('stream/m1.eml', mail);
    await sweepAndRead(bench);
    expect(await lines(bench, 'house', 'Senders on this matter')).toContainEqual(
      expect.stringMatching(/^joe@tiles\.example: named; wrote on \S+Z, “Lunch”: no signal, /),
    );
    expect(await bench.explain('joe@tiles.example')).toMatchObject({ note: 'joe@tiles.example' });
    expect((await lines(bench, 'joe@tiles.example', 'What was learnt')).join()).toContain('right once');
  });

  test('what a sender wrote that was not authenticated is marked', async () => {
    const { bench } = await heard({ authenticated: 'fail' });
    const [line] = await lines(bench, 'billing@roof.example', 'What was read');
    expect(line).toContain('Z ⚠ Your mail server rejected the sender. “');
  });

  test('a pruned source and a pinned one are said to be so', async () => {
    const figures = { pattern: 'billing@roof.example', confidence: 0.1, calibration_status: 'pruned' };
    const files = { 'matter/house.md': matter(), 'instinct/mail/roof.md': instinct('mail', figures) };
    const { bench } = await heard({}, files);
    expect(await lines(bench, 'pay', 'Senders on this matter')).toEqual([
      expect.stringMatching(/: mail:billing@roof\.example is pruned; .*; no outcome here yet$/),
    ]);
    const pinned = await heard({}, { 'instinct/mail/roof.md': instinct('mail', { ...figures, pinned: true }) });
    expect(await lines(pinned.bench, 'pay', 'Senders on this matter')).toEqual([
      `${ROOF}: no licence here; no outcome here yet`,
    ]);
  });

  test('a signal tells who wrote it, the sender as shown, who vouches, what led here, and what is odd', async () => {
    const warnings = ['The display name holds another address.'];
    const odd = { authenticated: 'none', authenticated_by: null, target_near: false, warnings };
    const { bench } = await heard(odd, { 'matter/house.md': matter() });
    const told = await bench.explain('s1');
    expect(await lines(bench, 's1', 'Who says it')).toEqual([
      'Steward wrote the signal from mail:unverified:billing@roof.example',
      'from Roof & Sons <billing@roof.example>',
      'no trusted server authenticated the sender',
      'led here by link; in another passage than what it says',
      'not known here',
      'take care: The display name holds another address.',
    ]);
    const refusing = told.gatesNow.filter(({ held }) => !held).map(({ gate, reason }) => `${gate}: ${reason}`);
    expect(refusing).toEqual([
      'authenticated: no trusted server authenticated billing@roof.example.',
      'licence: billing@roof.example has no licence on house.',
      'target: what billing@roof.example says is in another passage than the words that lead to this note.',
    ]);
  });

  test('a signal that somebody else wrote is told so: trusted by the settings, or heard as other', async () => {
    const { bench } = await benchOn({
      'signal/s1.md': signal(),
      'signal/s2.md': signal({ source_type: 'agent', effect_confidence: 0.9, effect_confidence_raw: 0.9 }),
    });
    expect(await lines(bench, 's1', 'Who says it')).toEqual([
      'another program wrote the signal; trusted_signal_sources allows it for mail',
      'it has a licence here',
    ]);
    expect(await lines(bench, 's2', 'Who says it')).toEqual([
      'another program wrote the signal, and trusted_signal_sources leaves out agent: it counts as other, which never acts',
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
    clock.move(25 * 60 * MINUTE);
    vault.edit('task/c.md', 'state: open', 'state: done');
    await bench.learn();
    const told = await bench.explain(ROOF);
    expect(told.sentence).toMatch(
      /^Trust in mail:billing@roof\.example is 0\.8\d+; its signals must reach 0\.95 to act\./,
    );
    const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
    const sections = told.sections.map(({ title, lines: found }) => [
      title,
      found.map((line) => line.replace(times, 'TIME')),
    ]);
    expect(sections).toEqual([
      ['What was read', expect.arrayContaining([expect.stringMatching(/^TIME .* For a: It was applied, by /)])],
      [
        'What was learnt',
        [
          'right 2 times, wrong once, undone 0 times',
          'it is live',
          'its history: instinct/mail/billing@roof.example.md',
        ],
      ],
      [
        'Outcomes',
        [
          `right: made by hand on c, TIME: [[${made.get('c')}]]`,
          `wrong: dismissed on b, TIME: [[${dismissed}]]`,
          `right: confirmed on a, TIME: [[${confirmed}]]`,
        ],
      ],
      ['On each matter', ['house: mail:billing@roof.example: no licence here; right 2 of 3 times, on 2 days']],
    ]);
    expect(told.outcomes.map(({ outcome, by, target }) => [outcome, by, target])).toEqual([
      ['right', 'made by hand', 'c'],
      ['wrong', 'dismissed', 'b'],
      ['right', 'confirmed', 'a'],
    ]);
    expect((await bench.explain('instinct/mail/billing@roof.example.md')).outcomes).toEqual(told.outcomes);
    await bench.undo(confirmed ?? '');
    await bench.sweep();
    // What was undone is no outcome any more.
    expect((await bench.explain(ROOF)).outcomes.map(({ target }) => target)).toEqual(['c', 'b']);
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
    await expect(sentenceFor({ 'task/pay-the-vat.md': task() }, 'pay-teh-vat')).rejects.toThrow(
      'Did you mean "pay-the-vat"?',
    );
  });
});
