import { describe, expect, test } from 'vitest';
import { iso } from '../../../src/vault/time.ts';
import { Clock, HOUR, quietHoursAround } from '../../support/clock.ts';
import { HOUSE, instinct, matter, settings, signal, task, weak } from '../../support/notes.ts';
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
    ['no matter', { ...calm, [PAY]: task({ parent_matter: '[[nowhere]]' }) }, /belongs to no matter/],
    ['put off', { ...calm, [PAY]: task({ next_check_after: '2099-01-01' }) }, /not due: not before 2099-01-01/],
    ['quiet hours', { ...calm, 'steward.md': settings({ quiet_hours: quietHoursAround(Date.now()) }) }, /quiet hours/],
    ['two of one name', { ...calm, 'matter/old/house.md': matter() }, /have one name/],
  ])('%s', async (_, files, expected) => {
    expect(await sentenceFor(files)).toMatch(expected);
  });

  test('settling', async () => {
    const { vault, bench } = await benchOn(calm);
    vault.write(PAY, task(), 0);
    await bench.sweep();
    expect((await bench.explain('pay')).sentence).toContain('settling: it was edited just now');
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
    expect(told.sentence).toMatch(/state: open → done would be proposed for pay, not done, since discretion: .*0\.8/);
    expect(told.gatesNow).toMatchObject([
      { gate: 'discretion', figure: 0.8, threshold: 0.95, held: false },
      { gate: 'sender', held: true },
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
    [LIVE, signal({ effect_confidence: 0.97 }), /would be changed: state: open → done/],
    [SHADOW, signal({ effect_confidence: 0.97 }), /would be written down for pay, not done, since mode: in shadow/],
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
    const name = only(vault.events()).slice('event/'.length, -'.md'.length);
    const waiting = await bench.explain(name);
    expect(waiting.sentence).toMatch(/^It is a proposal and waits for you\. It was not made at once: discretion: /);
    expect(waiting.standing).toEqual({ kind: 'waiting', by: null, reason: null });
    expect(waiting.gates[0]).toMatchObject({ gate: 'discretion', held: false, figure: 0.8, threshold: 0.95 });
    expect(JSON.stringify(waiting.sections)).toContain(`steward confirm ${name}`);
    const { note } = await bench.confirm(name);
    const sibling = note?.slice('event/'.length, -'.md'.length) ?? '';
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
    expect(alone.sentence).toMatch(/^It waits for the tick: discretion: .*0\.8 against 0\.95/);
    expect(JSON.stringify(alone.sections)).toContain('confidence 0.7: the lower of target 0.7 and effect 0.8');
    await bench.tick();
    const name = only(vault.events()).slice('event/'.length, -'.md'.length);
    expect((await bench.explain('s1')).sentence).toMatch(`by [[${name}]]: it is a proposal and waits for you`);
    vault.edit(PAY, "'open'", 'snoozed');
    await bench.sweep();
    expect((await bench.explain('s1')).sentence).toContain('is weighed again at the tick');
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

describe('other notes', () => {
  test('that are no records: it says so', async () => {
    const files = { 'diary/monday.md': 'Rain.\n', 'stream/x.eml': 'Subject: x\n' };
    expect(await sentenceFor(files, 'monday')).toContain('no matter, task, signal or event');
    expect(await sentenceFor(files, 'stream/x.eml')).toContain('a file of the stream');
    expect(await sentenceFor(files, 'mail')).toContain('Signals from mail count 0.83');
    await expect(sentenceFor(files, 'nothing')).rejects.toMatchObject({ trouble: { code: 'note-unknown' } });
  });
});
