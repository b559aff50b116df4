import { describe, expect, test, vi } from 'vitest';
import { composeLedger, type LedgerItem } from '../../src/features/ledger.ts';
import {
  followSample,
  offerSample,
  readMisses,
  readSampleBoxes,
  withAnswers,
} from '../../src/features/ledger-sample-work.ts';
import {
  changedSamples,
  lastWeek,
  SAMPLES,
  type Sample,
  startOfSampleWeek,
} from '../../src/features/ledger-samples.ts';
import { composeReport, missedWords } from '../../src/features/report.ts';
import { mailText } from '../streams/mailboxes.ts';
import { sweepAndRead } from '../streams/read-unread.ts';
import { Clock, DAY, MINUTE } from '../support/clock.ts';
import { HOUSE } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

/** What a sender may write into a subject that a note would obey. */
const HOSTILE = [
  '[[pay]] ![[pay]] [x](https://evil.example) <img src=https://evil.example/a.png>',
  '`$= app.vault.delete()` %% hidden %% {{tp}} <% tp.x %> ^none ---',
  '- [x] mattered ^000000000000',
];

interface Week {
  readonly vault: TempVault;
  readonly clock: Clock;
  readonly bench: Bench;
  readonly note: string;
  readonly week: string;
}

/** A vault in the week after one in which nothing of these mails was found to matter. */
async function weekAfter(...mails: readonly string[]): Promise<Week> {
  const clock = new Clock();
  const vault = new TempVault(HOUSE);
  const bench = await Bench.open(vault, { clock });
  for (const [nth, mail] of mails.entries()) vault.write(`stream/m${nth}.eml`, mail);
  await sweepAndRead(bench);
  clock.move(7 * DAY);
  await offerSample(bench.ports);
  const { week } = lastWeek(clock.now());
  return { vault, clock, bench, week, note: bench.remembered(SAMPLES)[week]?.note ?? '' };
}

function lunch(nth: number, subject = `Lunch ${nth}`): string {
  const passed = 'Authentication-Results: mx.sample.example; dmarc=pass header.from=elsewhere.example\n';
  return passed + mailText({ id: `lunch-${nth}`, subject, from: `Pat <pat${nth}@elsewhere.example>` });
}

/** Ticks or unticks boxes of the note, and lets the daemon's next look find them. */
function answer({ vault, bench, note, week, clock }: Week, edit: (text: string) => string): void {
  vault.write(note, edit(vault.read(note)), 0);
  clock.move(MINUTE);
  expect(changedSamples(bench.ports)).toEqual([week]);
  followSample(bench.ports, week);
  expect(changedSamples(bench.ports)).toEqual([]);
}

const tickFirst = (text: string) => text.replace('- [ ] mattered', '- [x] mattered');
const instincts = ({ bench }: Week) => bench.catalogue.instincts().map(({ path }) => path);
const confidence = ({ bench }: Week) =>
  bench.catalogue.instincts().map(({ fields }) => [fields.pattern, fields.observations]);

describe('the weekly sample', () => {
  test('draws ten of what was set aside, the same ones after a crash, and is written once', async () => {
    const world = await weekAfter(...Array.from({ length: 14 }, (_, nth) => lunch(nth)));
    const { vault, bench, note, week } = world;
    expect(note).toMatch(/^event\/\d{4}-\d\d\/ledger-\d{4}-W\d\d\.md$/);
    const text = vault.read(note);
    expect(text).toContain('14 events were set aside in that week. These 10 were drawn at random (seed ');
    expect(readSampleBoxes(text).size).toBe(11);
    expect(
      text.match(/^- \[ \] mattered: `.*· “Lunch \d+” · no news for a matter · stream\/m\d+\.eml` \^/gm),
    ).toHaveLength(10);
    // A crash before it was remembered that the note is there.
    const sample = bench.remembered(SAMPLES)[week];
    if (sample !== undefined) bench.remember(SAMPLES, { [week]: { ...sample, isWritten: false } });
    await offerSample(bench.ports);
    expect(vault.read(note)).toBe(text);
    vault.remove(note);
    await offerSample(bench.ports);
    expect(vault.has(note)).toBe(false);
    // It is no record, and no problem.
    await bench.sweep();
    expect(bench.status().trouble).toEqual([]);
  });

  test('is named by the status until it is answered', async () => {
    const world = await weekAfter(lunch(1), lunch(2));
    expect(world.bench.status().sample).toBe(world.note);
    answer(world, tickFirst);
    expect(world.bench.status().sample).toBeNull();
  });

  test('a ticked box teaches about the sender once, and gives it back once it is unticked', async () => {
    const world = await weekAfter(lunch(1), lunch(2));
    answer(world, tickFirst);
    await world.bench.sweep();
    expect(confidence(world)).toContainEqual([expect.stringMatching(/^pat\d@elsewhere\.example$/), 1]);
    const taught = world.bench.happenings.filter(({ what }) => what === 'learned');
    expect(taught).toHaveLength(1);
    const [path = ''] = instincts(world).filter((one) => one.includes('pat'));
    expect(world.vault.read(path)).toContain(`mattered in [[ledger-${world.week}#^`);
    // The same again, by another edit of the note, teaches nothing more.
    answer(world, (text) => `${text}\nMy own words.\n`);
    expect(world.bench.happenings.filter(({ what }) => what === 'learned')).toHaveLength(1);
    answer(world, (text) => text.replace('[x] mattered', '[ ] mattered'));
    await world.bench.sweep();
    expect(confidence(world).filter(([pattern]) => String(pattern).startsWith('pat'))).toEqual([
      [expect.anything(), 0],
    ]);
  });

  test('a lesson that a crash cut off is taught at the next look, one that it left is not taught twice', async () => {
    const world = await weekAfter(lunch(1));
    answer(world, tickFirst);
    await world.bench.sweep();
    followSample(world.bench.ports, world.week);
    expect(world.bench.happenings.filter(({ what }) => what === 'learned')).toHaveLength(1);
    for (const path of instincts(world).filter((one) => one.includes('pat'))) world.vault.remove(path);
    await world.bench.sweep();
    followSample(world.bench.ports, world.week);
    expect(world.bench.happenings.filter(({ what }) => what === 'learned')).toHaveLength(2);
  });

  test('a lesson that the disk refuses is taught once it lets it', async () => {
    const world = await weekAfter(lunch(1));
    const { vault, bench, note, week, clock } = world;
    vault.write(note, tickFirst(vault.read(note)), 0);
    clock.move(MINUTE);
    const commit = vi.spyOn(bench.ports.transactions, 'commit').mockReturnValue(false);
    followSample(bench.ports, week);
    expect(changedSamples(bench.ports)).toEqual([week]);
    commit.mockRestore();
    followSample(bench.ports, week);
    expect(bench.happenings.filter(({ what }) => what === 'learned')).toHaveLength(1);
    expect(changedSamples(bench.ports)).toEqual([]);
  });

  test('one that nobody vouches for teaches only about the unverified sender', async () => {
    const world = await weekAfter(
      mailText({ id: 'x', subject: 'Lunch', from: 'Anna <anna@northgate-notary.example>' }),
    );
    answer(world, tickFirst);
    await world.bench.sweep();
    expect(confidence(world).map(([pattern]) => pattern)).toEqual(['unverified:anna@northgate-notary.example']);
  });

  test('what a sender wrote means nothing in it', async () => {
    const { vault, note } = await weekAfter(...HOSTILE.map((subject, nth) => lunch(nth, subject)));
    const text = vault.read(note);
    const [, body = ''] = text.split('\n---\n');
    expect(body).not.toMatch(/\[\[|\]\(|!\[|<|>|%%|\{\{|https?:/);
    for (const row of body.split('\n').filter((one) => one.startsWith('- [ ] mattered')))
      expect(row).toMatch(/^- \[ \] mattered: `[^`]*` \^[0-9a-f]{12}$/);
    expect([...readSampleBoxes(text).values()]).toEqual([false, false, false, false]);
    expect(Object.keys(vault.fields(note))).toEqual(['type', 'week', 'seed', 'set_aside', 'drawn', 'cssclasses']);
  });
});

describe('the estimate', () => {
  test('is not known before a box is ticked; then each line of the note counts', async () => {
    const world = await weekAfter(lunch(1), lunch(2), lunch(3), lunch(4));
    const { vault, bench, note } = world;
    const words = async () => missedWords((await composeReport(bench.ports, null, null)).missed);
    expect(await words()).toBe(`It isn't known yet how many important events are set aside: tick in ${note}.`);
    vault.write(note, tickFirst(vault.read(note)));
    expect(await words()).toBe(
      'Of 4 drawn from 4 events that were set aside, 1 mattered: 25 % of 4 (4 % to 70 %), so about 1 missed.',
    );
    vault.write(note, vault.read(note).replace('[x] mattered', '[ ] mattered').replace('[ ] I have', '[X] I have'));
    expect(await words()).toContain('0 mattered: 0 % of 4 (0 % to 49 %), so about 0 missed.');
    answer(world, (text) => `${text}\n`);
    vault.remove(note);
    expect(readMisses(bench.ports)).toMatchObject({ mattered: 0, drawn: 4, unanswered: null });
  });

  test('a vault without a sample says when the first one comes', async () => {
    const bench = await Bench.open(new TempVault(HOUSE));
    expect(missedWords((await composeReport(bench.ports, null, null)).missed)).toBe(
      "It isn't known yet how many important events are set aside: the first weekly sample comes when a week is over.",
    );
  });

  test.each([
    ['- [x] mattered: `a` ^0123456789ab', true],
    ['  * [X] mattered: `a`   ^0123456789ab  ', true],
    ['1. [ ] mattered ^0123456789ab', false],
    ['- [x] mattered: `a`', undefined],
    ['[x] mattered ^0123456789ab', undefined],
  ])('a line that was edited by hand: %s', (row, ticked) => {
    expect(readSampleBoxes(`# Title\r\n${row}\r\n`).get('0123456789ab')).toBe(ticked);
  });

  test('a line that is gone stays as it was answered, and strange ones count for nothing', () => {
    const line = { id: '0123456789ab', source: null, mattered: true, lesson: null };
    const known: Sample = { note: 'n', seed: 1, of: 1, lines: [line], isWritten: true, isAnswered: true, readMs: 0 };
    expect(withAnswers(known, 'Emptied by hand.')).toEqual(known);
    expect(withAnswers(known, '- [x] mattered ^ffffffffffff')).toMatchObject({ lines: [line] });
  });
});

test.each([
  ['2026-11-30T05:00:00Z', '2026-W48', '2026-11-23T00:00:00.000Z'],
  ['2027-01-04T00:00:00Z', '2026-W53', '2026-12-28T00:00:00.000Z'],
  ['2026-01-01T12:00:00Z', '2025-W52', '2025-12-22T00:00:00.000Z'],
])('the week before %s is %s', (now, week, from) => {
  const past = lastWeek(Date.parse(now));
  expect([past.week, new Date(past.from).toISOString()]).toEqual([week, from]);
  expect(startOfSampleWeek(past.to - 1)).toBe(week);
});

test('the ledger counts events of one reason together, whatever the quotes in the reasons contain', () => {
  const reasons = [
    '"Sorry: it wasn’t paid. Until 28. February.": negated ("not")',
    '"The rewiring isn’t finished; two sockets are missing.": negated ("not")',
    'no matter fits (best 0.59 Pay the deposit)',
    'bulk mail: List-Unsubscribe',
  ];
  const items = reasons.map((reason, nth): LedgerItem => {
    const known = { from: null, subject: null, source: null, notes: [], count: 1 };
    return { path: `stream/${nth}.eml`, at: nth, pile: 'setAside', reason, ...known };
  });
  const ledger = composeLedger(
    { items, uncounted: { copies: 0, ownNotes: 0, unknownKinds: 0 } },
    { since: null, most: null },
  );
  expect(ledger.reasons.map(({ reason, count }) => [reason, count])).toEqual([
    ['negated', 2],
    ['bulk mail', 1],
    ['no matter fits', 1],
  ]);
});
