// Over 5 s: it lives through the past of whole vaults, and rehearses it.
import { expect, test } from 'vitest';
import { rehearse } from '../../../src/features/rehearse.ts';
import { pastAnswers } from '../../../src/steward/sender.ts';
import { localDate, localTime } from '../../../src/vault/time.ts';
import { sweepAndRead } from '../../streams/read-unread.ts';
import { Clock, DAY, MINUTE } from '../../support/clock.ts';
import { matter, settings, task } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';
import { pastMail, SILENT } from './support.ts';

const ANNA = 'Anna Placeholder <anna@northgate-notary.example>';
const TILES = 'Tile House <office@tile-house.example>';

/** A month of a vault: what comes on each day, and which proposals the user confirms that day. */
const MONTH = [
  {
    from: ANNA,
    subject: 'Notary deposit',
    text: 'Dear Robin,\n\nthe notary deposit has been paid.\n\nAnna',
    yes: true,
  },
  { from: TILES, subject: 'Lunch', text: 'Shall we have lunch on Thursday?', yes: false },
  {
    from: TILES,
    subject: 'Kitchen tiles',
    text: 'Hello,\n\nthe kitchen tiles have been ordered.\n\nTile House',
    yes: false,
  },
  {
    from: ANNA,
    subject: 'Notary deposit',
    text: 'Dear Robin,\n\nonce more: the notary deposit has been paid.\n\nAnna',
    yes: false,
  },
  { from: ANNA, subject: 'The deed', text: 'Dear Robin,\n\nthe deed has been signed.\n\nAnna', yes: true },
];

test('rehearsing what really happened leads to the same proposals, and finds right what was confirmed', async () => {
  const vault = new TempVault({
    'steward.md': settings(),
    'matter/house.md': matter({ senders: ['anna@northgate-notary.example'], keywords: ['notary', 'deed'] }),
    'matter/kitchen.md': matter({ senders: ['office@tile-house.example'] }),
    'task/pay-notary-deposit.md': task(),
    'task/sign-the-deed.md': task(),
    'task/order-kitchen-tiles.md': task({ parent_matter: '[[kitchen]]' }),
  });
  const clock = Clock.atNoon();
  const bench = await Bench.open(vault, { clock });
  const happened: string[] = [];
  for (const [nth, { yes, ...mail }] of MONTH.entries()) {
    vault.write(`stream/${nth}.eml`, pastMail({ ...mail, at: localTime(clock.now()) }));
    await sweepAndRead(bench);
    await bench.tick();
    const proposed = bench.openProposals().filter(({ event }) => !happened.some((one) => one.startsWith(event.name)));
    happened.push(...proposed.map(({ event }) => `${event.name} ${nth}.eml ${event.fields.target_path}`));
    if (yes)
      for (const { event } of proposed) expect(await bench.confirm(event.name)).toMatchObject({ outcome: 'confirmed' });
    clock.move(4 * DAY);
  }
  bench.close();

  const { ports } = await Bench.reading(vault, { clock });
  const files = MONTH.map((_, nth) => vault.at(`stream/${nth}.eml`));
  const { cases, found } = await rehearse(ports, { files, since: null, env: {} }, SILENT);
  const rehearsed = cases.map(({ file, notes }) => `${file.slice(file.lastIndexOf('/') + 1)} ${notes[0]}`);
  expect(rehearsed.sort()).toEqual(happened.map((one) => one.split(' ').slice(1).join(' ')).sort());
  expect(rehearsed).toHaveLength(3);
  expect(cases.filter(({ verdict }) => verdict === 'right').map(({ notes, by }) => [notes[0], by])).toEqual([
    ['task/pay-notary-deposit.md', 'steward'],
    ['task/sign-the-deed.md', 'steward'],
  ]);
  expect(found).toEqual({ found: 2, missed: 0 });
  // What the user answered later wasn't known to the first mail.
  const [first] = cases;
  const answersUntil = (at: number) => pastAnswers(ports, first?.source ?? '', at).length;
  expect([answersUntil(Date.parse(first?.at ?? '')), answersUntil(clock.now())]).toEqual([0, 2]);
});

/** A life of a vault: what comes on each day, and what the user does about the note then. */
const LIFE = [
  { thing: 'deposit', does: 'confirms' },
  { thing: 'deed', does: 'nothing' },
  { thing: 'survey', does: 'edits' },
  { thing: 'passport', does: 'always' },
  { thing: 'garden', does: 'nothing' },
] as const;

test('what a daemon did in a life of a vault is what a rehearsal of its stream files would have done', async () => {
  const vault = new TempVault({
    'steward.md': settings({ trusted_mail_servers: ['mx.sample.example'], settle_seconds: 0 }),
    'matter/house.md': matter({ senders: ['anna@northgate-notary.example'] }),
    ...Object.fromEntries(LIFE.map(({ thing }) => [`task/settle-the-${thing}.md`, task()])),
  });
  const clock = Clock.atNoon();
  const running = await Running.start(vault, { clock });
  const decided = () =>
    running.happenings.flatMap((one) =>
      one.what === 'acted' || one.what === 'proposed' ? [{ ...one, would: DID[one.what] }] : [],
    );
  const did: string[] = [];
  for (const [nth, { thing, does }] of LIFE.entries()) {
    const said = { from: ANNA, subject: `The ${thing}`, text: `Dear Robin,\n\nthe ${thing} has been settled.\n\nAnna` };
    vault.write(`stream/${nth}.eml`, pastMail({ ...said, at: localTime(clock.now()) }));
    const before = decided().length;
    clock.move(MINUTE);
    await running.sync();
    await running.until(() => decided().length > before);
    const now = decided().slice(before);
    did.push(...now.map(({ would, target }) => `${nth}.eml ${would} ${target}`));
    if (does === 'confirms' || does === 'always') {
      const events = now.map(({ event }) => event.slice(event.lastIndexOf('/') + 1).replace('.md', ''));
      await running.ask({ op: 'answer', kind: 'confirm', events, always: does === 'always', dryRun: false });
    }
    const day = localDate(clock.now());
    if (does === 'edits')
      vault.edit(`task/settle-the-${thing}.md`, 'state: open', `state: done\ncompletedDate: ${day}`, 0);
    await running.sync();
    clock.move(2 * DAY);
    await running.daemon.wake();
    await running.sync();
  }
  await running.stop();

  const { ports } = await Bench.reading(vault, { clock });
  const files = LIFE.map((_, nth) => vault.at(`stream/${nth}.eml`));
  const { cases, would } = await rehearse(ports, { files, since: null, env: {} }, SILENT);
  const rehearsed = cases.map(
    ({ file, would: one, notes }) => `${file.slice(file.lastIndexOf('/') + 1)} ${one} ${notes[0]}`,
  );
  expect(rehearsed).toEqual(did);
  expect(did.map((one) => one.split(' ')[1])).toEqual(['proposed', 'proposed', 'proposed', 'proposed', 'applied']);
  expect(would).toMatchObject({ setAside: 0, notRead: 0 });
  const verdicts = cases.map(({ verdict }) => verdict);
  expect(verdicts).toEqual(['right', 'unknown', 'right', 'right', 'right']);
});

const DID = { acted: 'applied', proposed: 'proposed' } as const;

test('what the program did and the user undid is wrong, and supports no licence', async () => {
  const vault = new TempVault({
    'steward.md': settings(),
    'matter/house.md': matter({ senders: ['anna@northgate-notary.example'] }),
    ...Object.fromEntries(LIFE.map(({ thing }) => [`task/settle-the-${thing}.md`, task({ due: '2036-01-01' })])),
  });
  const clock = Clock.atNoon();
  const bench = await Bench.open(vault, { clock });
  const files: string[] = [];
  for (const [nth, { thing }] of LIFE.entries()) {
    const said = { from: ANNA, subject: `The ${thing}`, text: `Dear Robin,\n\nthe ${thing} has been settled.\n\nAnna` };
    vault.write(`stream/${nth}.eml`, pastMail({ ...said, at: localTime(clock.now()) }));
    files.push(vault.at(`stream/${nth}.eml`));
    await sweepAndRead(bench);
    await bench.tick();
    for (const { event } of bench.openProposals()) {
      const { note } = await bench.confirm(event.name);
      clock.move(MINUTE);
      // The undo of the first one is undone itself.
      const undone = await bench.undo(String(note));
      expect(undone).toMatchObject({ outcome: 'reversed' });
      clock.move(MINUTE);
      if (nth === 0) expect(await bench.undo(String(undone.note))).toMatchObject({ outcome: 'reversed' });
    }
    clock.move(2 * DAY);
  }
  bench.close();

  const { ports } = await Bench.reading(vault, { clock });
  const { cases, found, offers, tasks } = await rehearse(ports, { files, since: null, env: {} }, SILENT);
  expect(cases.map(({ verdict }) => verdict)).toEqual(['right', 'wrong', 'wrong', 'wrong', 'wrong']);
  expect(cases[0]?.reason).toMatch(/^you completed it on /);
  for (const { reason } of cases.slice(1)) {
    expect(reason).toMatch(/^Steward completed it on [-\d]+, the same day, and you undid that$/);
  }
  expect(found).toEqual({ found: 1, missed: 0 });
  expect(tasks.filter(({ ended }) => ended !== null)).toHaveLength(1);
  expect(offers.licences).toEqual([]);
});
