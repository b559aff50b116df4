import { describe, expect, test } from 'vitest';
import { rehearsalNote } from '../../../src/cli/commands/rehearse.ts';
import { acceptOffers, keepRehearsal } from '../../../src/features/rehearsal-yes.ts';
import { licenceState } from '../../../src/steward/licence.ts';
import { readHistory } from '../../../src/vault/note-text.ts';
import { matter, settings, task } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';
import { beside, pastMailbox, rehearsed } from './support.ts';

const MATTER = matter({ keywords: ['boiler'] });
const NONE = { licences: [], senders: [], keywords: [], references: [], outcomes: [] };
const HOUSE = {
  'steward.md': settings(),
  'matter/house.md': MATTER,
  'task/install-the-boiler.md': task({ state: 'done', completedDate: '2026-05-06' }),
};

describe('after a yes', () => {
  test('a licence is signed by the rehearsal, with its evidence', async () => {
    const vault = new TempVault(HOUSE);
    const bench = await Bench.open(vault);
    const terms = {
      sender: 'mail:anna@northgate-notary.example',
      matterPath: 'matter/house.md',
      kinds: ['done' as const],
    };
    const evidence = 'right 2 of 3 times, on 2 days, in a rehearsal';
    const { licences, refused } = acceptOffers(bench.ports, { ...NONE, licences: [{ ...terms, evidence }] });
    expect(refused).toEqual([]);
    const [record] = bench.catalogue.licences();
    expect(record).toMatchObject({ path: licences[0], fields: { signed_by: 'rehearsal', evidence, kinds: ['done'] } });
    expect(record === undefined ? null : licenceState(bench.ports, record)).toBe('valid');
  });

  test('a sender is added to its note, and nothing else in it changes', async () => {
    const vault = new TempVault({
      ...HOUSE,
      'matter/house.md': matter({ keywords: ['boiler'], senders: ['kim@home.example'] }),
    });
    const bench = await Bench.open(vault);
    const before = vault.read('matter/house.md');
    const senders = [{ sender: 'office@heating.example', note: 'matter/house.md' }];
    expect(acceptOffers(bench.ports, { ...NONE, senders })).toMatchObject({
      names: [{ field: 'senders', name: 'office@heating.example', note: 'matter/house.md' }],
      refused: [],
    });
    expect(vault.read('matter/house.md').replace('\n  - office@heating.example', '')).toBe(before);
    expect(acceptOffers(bench.ports, { ...NONE, senders }).refused).toEqual([
      'matter/house.md names office@heating.example already.',
    ]);
    expect(bench.status().trouble).toEqual([]);
  });

  test('a keyword and a number are added to the keywords of a note, in one edit', async () => {
    const vault = new TempVault(HOUSE);
    const bench = await Bench.open(vault);
    const keywords = [{ keyword: 'chimney', note: 'matter/house.md' }];
    const references = [{ reference: '884711', note: 'matter/house.md' }];
    const { names, refused } = acceptOffers(bench.ports, { ...NONE, keywords, references });
    expect([names.map(({ name }) => name), refused]).toEqual([['chimney', '884711'], []]);
    expect(vault.fields('matter/house.md')).toMatchObject({ keywords: ['boiler', 'chimney', '884711'] });
  });

  test('past outcomes count as observations on their days, once, and at most one a day for each matter', async () => {
    const vault = new TempVault(HOUSE);
    const bench = await Bench.open(vault);
    const sender = 'mail:anna@northgate-notary.example';
    const at = (time: string) => ({ at: `2026-03-${time}:00.000Z`, note: 'task/install-the-boiler.md' });
    const outcomes = [{ sender, outcomes: [at('14T10:00'), at('12T10:00'), at('12T11:00'), at('20T10:00')] }];
    const { learnt, refused } = acceptOffers(bench.ports, { ...NONE, outcomes });
    expect([learnt, refused]).toEqual([[{ sender, before: 0.9, after: 0.9271, observations: 3 }], []]);
    const path = 'instinct/mail/anna@northgate-notary.example.md';
    expect(vault.fields(path)).toMatchObject({ observations: 3, confidence: 0.9271, calibration_status: 'live' });
    const rows = readHistory(path, vault.read(path));
    expect(rows.map((row) => [row.at.slice(0, 10), row.what.slice(0, 42), row.observations])).toEqual([
      ['2026-03-12', 'right in the past: [[install-the-boiler]]', 1],
      ['2026-03-14', 'right in the past: [[install-the-boiler]]', 2],
      ['2026-03-20', 'right in the past: [[install-the-boiler]]; now live'.slice(0, 42), 3],
    ]);
    // A channel moves by a fifth of what its senders move.
    expect(vault.fields('instinct/mail.md')).toMatchObject({ confidence: 0.9054 });
    const again = acceptOffers(bench.ports, { ...NONE, outcomes });
    expect(again).toMatchObject({ learnt: [], refused: [`Steward has learnt something about ${sender} by now.`] });
    const stranger = [{ sender: 'mail:unverified:x@y.example', outcomes: [at('12T10:00')] }];
    expect(acceptOffers(bench.ports, { ...NONE, outcomes: stranger }).learnt).toEqual([]);
    await bench.tick();
    expect(bench.status().trouble).toEqual([]);
  });

  test('a running daemon does it, and refuses what has another form', async () => {
    const vault = new TempVault(HOUSE);
    const running = await Running.start(vault);
    const licence = { sender: 'mail:anna@northgate-notary.example', matterPath: 'matter/house.md', evidence: 'right' };
    const senders = [{ sender: 'office@heating.example', note: 'matter/house.md' }];
    const accepted = { ...NONE, licences: [{ ...licence, kinds: ['done' as const] }], senders };
    expect(await running.ask({ op: 'rehearsal-accept', ...accepted })).toMatchObject({
      names: [{ name: 'office@heating.example' }],
      refused: [],
    });
    expect(running.happenings).toContainEqual(expect.objectContaining({ what: 'licence', change: 'signed' }));
    const note = await running.ask({ op: 'rehearsal-note', text: '---\ntype: steward-rehearsal\n---\nA note.\n' });
    expect(note).toEqual({ note: expect.stringContaining('/rehearsal-') });
    const none = { op: 'rehearsal-accept' as const, ...NONE, licences: [{ ...licence, kinds: [] }] };
    await expect(running.ask(none)).rejects.toThrow();
    expect(running.daemon.status().trouble).toEqual([]);
  });

  test('what is gone, or must not be changed, is refused with a reason', async () => {
    const vault = new TempVault({ ...HOUSE, 'matter/off.md': matter({ steward: false }) });
    const bench = await Bench.open(vault);
    const licence = {
      sender: 'mail:a@b.example',
      matterPath: 'matter/gone.md',
      kinds: ['done' as const],
      evidence: '',
    };
    const { refused } = acceptOffers(bench.ports, {
      ...NONE,
      licences: [licence, { ...licence, sender: 'mail:unverified:a@b.example', matterPath: 'matter/house.md' }],
      senders: [{ sender: 'a@b.example', note: 'matter/off.md' }],
    });
    expect(refused).toEqual([
      'matter/gone.md is gone.',
      "mail:unverified:a@b.example can't be given a licence. This sender isn't authenticated.",
      'off says steward: false.',
    ]);
    expect(bench.catalogue.licences()).toEqual([]);
  });
});

test('the note of a rehearsal lies beside the events, takes no place of another, and makes no trouble', async () => {
  const vault = new TempVault(HOUSE);
  const mail = {
    ...{ at: '2026-05-05T09:00', from: 'Heating <office@heating.example>', subject: 'Install the boiler ```dataview' },
    text: 'Hello,\n\nhere is a picture <% x %> `y`. Have a warm winter.',
  };
  const text = rehearsalNote(await rehearsed(vault, beside(vault, { 'a.mbox': pastMailbox([mail]) })));
  const bench = await Bench.open(vault);
  const [one, two] = [keepRehearsal(bench.ports, text).note, keepRehearsal(bench.ports, text).note];
  expect([one, two]).toEqual([expect.stringMatching(/^event\/\d{4}-\d\d\/rehearsal-\d{4}-\d\d-\d\d\.md$/), two]);
  expect(two).toBe(one.replace('.md', '-2.md'));
  expect(vault.fields(one)).toMatchObject({ type: 'steward-rehearsal', missed: 1 });
  expect(vault.read(one)).not.toMatch(/\[\[|<%|```/);
  await bench.tick();
  expect(bench.status().trouble).toEqual([]);
});
