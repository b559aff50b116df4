import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ACCOUNT, ROOFER, TO_PAY } from '../../streams/bank-line.ts';
import { instinct, matter, settings, task } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { beside, fingerprint, type PastMail, pastMail, pastMailbox, pastMaildir, rehearsed } from './support.ts';

const ANNA = 'Anna Placeholder <anna@northgate-notary.example>';
const HEATING = 'Heating Ltd <office@heating.example>';

const HOUSE = {
  'steward.md': settings(),
  'matter/house.md': matter({ senders: ['anna@northgate-notary.example'], keywords: ['notary', 'deed'] }),
  'task/pay-notary-deposit.md': task({ state: 'done', completedDate: '2026-03-12' }),
  'task/sign-the-deed.md': task({ state: 'done', completedDate: '2026-04-20' }),
  'task/order-land-registry-extract.md': task(),
  'matter/kitchen.md': matter(),
  'task/install-the-boiler.md': task({ state: 'done', completedDate: '2026-05-06', parent_matter: '[[kitchen]]' }),
} as const;

const DEPOSIT: PastMail = {
  ...{ at: '2026-03-11T09:00', from: ANNA, subject: 'Notary deposit' },
  text: 'Dear Robin,\n\nthe notary deposit has been paid.\n\nKind regards, Anna',
};
const DEED: PastMail = {
  ...{ at: '2026-04-18T09:00', from: ANNA, subject: 'The deed' },
  text: 'Dear Robin,\n\nthe deed has been signed.\n\nKind regards, Anna',
};
const EXTRACT: PastMail = {
  ...{ at: '2026-05-10T09:00', from: ANNA, subject: 'Land registry extract' },
  text: 'Dear Robin,\n\nthe land registry extract has been ordered.\n\nKind regards, Anna',
};
const BOILER: PastMail = {
  ...{ at: '2026-05-05T09:00', from: HEATING, subject: 'Install the boiler' },
  text: 'Hello Robin,\n\nhere is a picture of your hall. Have a warm winter.\n\nHeating Ltd',
};
const LUNCH: PastMail = {
  ...{ at: '2026-04-01T12:00', from: 'Pat <pat@elsewhere.example>', subject: 'Lunch' },
  text: 'Shall we have lunch on Thursday?',
};
const YEAR = [DEED, DEPOSIT, BOILER, EXTRACT, LUNCH];

const inYear = (vault: TempVault, mails: readonly PastMail[] = YEAR) => {
  const folder = path.join(vault.home, 'outside', 'Archive');
  return [fs.existsSync(folder) ? folder : pastMaildir(folder, mails)];
};

/** Commits the vault as it is, as of a day. */
function commitAt(vault: TempVault, day: string): void {
  const env = { ...process.env, GIT_COMMITTER_DATE: `${day}T12:00:00`, GIT_AUTHOR_DATE: `${day}T12:00:00` };
  const who = ['-c', 'user.name=Robin', '-c', 'user.email=robin@sample.example', '-c', 'commit.gpgsign=false'];
  for (const words of [['init'], ['add', '-A'], ['commit', '-m', 'x']])
    execFileSync('git', ['-C', vault.root, ...who, ...words], { env, stdio: 'ignore' });
}

test('a mail about a line of a note is about the note, with that line', async () => {
  const body = 'A house.\n\n- [ ] Choose a colour for the hall\n';
  const vault = new TempVault({
    'steward.md': settings(),
    'matter/house.md': `${matter({ senders: ['anna@northgate-notary.example'] })}\n${body}`,
  });
  const mail = { ...DEPOSIT, subject: 'The hall', text: 'Dear Robin,\n\nthe colour for the hall has been chosen.\n' };
  const { cases, would } = await rehearsed(vault, beside(vault, { 'hall.eml': pastMail(mail) }));
  expect(cases.filter(({ would: one }) => one === 'asked')).toMatchObject([
    { notes: ['matter/house.md'], change: null, words: 'A line of the note: “Choose a colour for the hall”' },
  ]);
  expect(would.asked).toBe(1);
});

describe('a past year', () => {
  test('is compared with what the user did, in order of time', async () => {
    const vault = new TempVault(HOUSE);
    const rehearsal = await rehearsed(vault, inYear(vault));
    const cases = rehearsal.cases.map(({ at, would, notes, verdict, by }) => [
      at.slice(0, 10),
      would,
      notes[0],
      verdict,
      by,
    ]);
    expect(cases).toEqual([
      ['2026-03-11', 'proposed', 'task/pay-notary-deposit.md', 'right', 'completedDate'],
      ['2026-04-18', 'proposed', 'task/sign-the-deed.md', 'right', 'completedDate'],
      ['2026-05-05', 'missed', 'task/install-the-boiler.md', 'missed', 'completedDate'],
      ['2026-05-10', 'proposed', 'task/order-land-registry-extract.md', 'wrong', null],
    ]);
    expect(rehearsal).toMatchObject({
      ...{ complete: true, from: '2026-03-11', to: '2026-05-10', found: { found: 2, missed: 1 } },
      events: { evaluated: 5, copies: 0, earlier: 0, undated: 0, refused: 0 },
      would: { applied: 0, proposed: 3, asked: 0, setAside: 2, notRead: 0 },
    });
    // Too few cases for a figure.
    expect(rehearsal.tally.total).toEqual({ name: 'all', right: 2, wrong: 1, missed: 1, unknown: 0, share: null });
    expect(rehearsal.tally.bySender.map(({ name, right, wrong, missed }) => [name, right, wrong, missed])).toEqual([
      ['mail:anna@northgate-notary.example', 2, 1, 0],
      ['mail:office@heating.example', 0, 0, 1],
    ]);
  });

  test('changes no byte of the vault, of its own folder, or of what is read', async () => {
    const vault = new TempVault(HOUSE);
    execFileSync('git', ['init', '--quiet', vault.root]);
    const files = beside(vault, { 'year.mbox': pastMailbox(YEAR), 'a.eml': pastMail(DEED) });
    const before = fingerprint(vault.home);
    const { cases } = await rehearsed(vault, files);
    expect(cases.length).toBeGreaterThan(0);
    expect(fingerprint(vault.home)).toEqual(before);
  });

  test('supports a licence after right outcomes on two days, with what it would have done since', async () => {
    const vault = new TempVault(HOUSE);
    const { offers } = await rehearsed(vault, inYear(vault));
    expect(offers.licences).toEqual([
      {
        ...{ sender: 'mail:anna@northgate-notary.example', matterPath: 'matter/house.md', matter: 'house' },
        ...{ kinds: ['done'], evidence: 'right 2 of 3 times, on 2 days, in a rehearsal' },
        ...{ applied: expect.any(Number), right: 0 },
      },
    ]);
    // Whoever writes a mail into a mailbox file can write what a server said, too.
    const other = await rehearsed(vault, beside(vault, { 'year.mbox': pastMailbox(YEAR) }));
    expect(other.offers.licences).toEqual([]);
  });

  test('offers nothing of a sender that looks like one of the vault’s', async () => {
    const alike = 'Anna Placeholder <anna@n0rthgate-notary.example>';
    const fitted = {
      ...BOILER,
      from: alike,
      subject: 'Boiler 2000',
      text: 'Hello Robin,\n\nall work has been completed.',
    };
    const mails = [{ ...DEPOSIT, from: alike }, { ...DEED, from: alike }, fitted];
    const vault = new TempVault(HOUSE);
    const { offers } = await rehearsed(vault, inYear(vault, mails));
    expect([offers.senders, offers.licences, offers.outcomes]).toEqual([[], [], []]);
  });

  test('shows which sender a note should name, by what that would have found', async () => {
    const fitted = {
      ...BOILER,
      subject: 'Boiler 2000',
      text: 'Hello Robin,\n\nall work has been completed.\n\nHeating Ltd',
    };
    const news = { ...LUNCH, at: '2026-05-05T12:00' };
    const vault = new TempVault(HOUSE);
    const { offers, cases } = await rehearsed(vault, inYear(vault, [fitted, news]));
    expect(cases).toEqual([]);
    expect(offers.senders).toEqual([
      { sender: 'office@heating.example', note: 'matter/kitchen.md', found: 1, wrong: 0 },
    ]);
    // From then on it is found.
    vault.write('matter/kitchen.md', matter({ senders: ['office@heating.example'] }));
    const named = await rehearsed(vault, inYear(vault, [fitted, news]));
    expect(named.offers.senders).toEqual([]);
    expect(named.cases.map(({ verdict }) => verdict)).toEqual(['right']);
  });

  test('shows which keyword a matter should have', async () => {
    const done = (at: string, from: string): PastMail => {
      return {
        at,
        from,
        subject: 'Chimneysweep 2000',
        text: `Hello Robin,\n\nall work has been completed.\n\n${from}`,
      };
    };
    const gutters = task({ state: 'done', completedDate: '2026-03-06', parent_matter: '[[kitchen]]' });
    const vault = new TempVault({ ...HOUSE, 'task/clean-the-gutters.md': gutters });
    const mails = [
      done('2026-03-05T09:00', 'Kim <kim@first.example>'),
      done('2026-05-05T09:00', 'Lee <lee@second.example>'),
      { ...LUNCH, at: '2026-05-05T12:00' },
    ];
    const { offers } = await rehearsed(vault, inYear(vault, mails));
    const [found = 0] = offers.keywords.map((one) => one.found);
    expect(offers.keywords).toEqual([{ keyword: 'chimneysweep', note: 'matter/kitchen.md', found, wrong: 0 }]);
    vault.write('matter/kitchen.md', matter({ keywords: ['chimneysweep'] }));
    const named = await rehearsed(vault, inYear(vault, mails));
    expect(named.offers.keywords).toEqual([]);
    expect(named.cases.filter(({ verdict }) => verdict === 'right')).toHaveLength(found);
  });

  test('shows which number a note should have that was closed and is open again', async () => {
    const vault = new TempVault({ ...HOUSE, 'task/settle-the-rent.md': task({ parent_matter: '[[kitchen]]' }) });
    const paid = (at: string, from: string): PastMail => {
      return { at, from, subject: 'Your account', text: `Hello,\n\n88-4711 has been paid.\n\n${from}` };
    };
    const files = inYear(vault, [
      paid('2026-03-05T09:00', 'Kim <kim@first.example>'),
      paid('2026-04-05T09:00', 'Lee <lee@second.example>'),
    ]);
    const states = {
      '2026-01-01': 'open',
      '2026-03-06': 'done',
      '2026-03-20': 'open',
      '2026-04-06': 'done',
      '2026-04-20': 'open',
    };
    for (const [day, state] of Object.entries(states)) {
      vault.write('task/settle-the-rent.md', task({ state, parent_matter: '[[kitchen]]' }));
      commitAt(vault, day);
    }
    const { offers } = await rehearsed(vault, files);
    const note = 'task/settle-the-rent.md';
    expect(offers.references).toEqual([{ reference: '884711', note, found: 2, wrong: 0 }]);
    vault.write(note, task({ parent_matter: '[[kitchen]]', keywords: ['884711'] }));
    const named = await rehearsed(vault, files);
    expect([named.found, named.offers.references]).toEqual([{ found: 2, missed: 0 }, []]);
  });

  test('offers right outcomes as observations, one a day for each matter, if nothing was learnt yet', async () => {
    const vault = new TempVault(HOUSE);
    const { offers } = await rehearsed(vault, inYear(vault));
    expect(offers.outcomes).toEqual([
      {
        sender: 'mail:anna@northgate-notary.example',
        outcomes: [
          { at: expect.stringMatching(/^2026-03-12/), note: 'task/pay-notary-deposit.md' },
          { at: expect.stringMatching(/^2026-04-20/), note: 'task/sign-the-deed.md' },
        ],
        ...{ before: 0.9, after: 0.919 },
      },
    ]);
    vault.write(
      'instinct/mail/anna@northgate-notary.example.md',
      instinct('mail', { pattern: 'anna@northgate-notary.example', observations: 1 }),
    );
    expect((await rehearsed(vault, inYear(vault))).offers.outcomes).toEqual([]);
    // Nobody vouches for a sender in a mailbox file.
    const other = new TempVault(HOUSE);
    const box = beside(other, { 'year.mbox': pastMailbox(YEAR) });
    expect((await rehearsed(other, box)).offers.outcomes).toEqual([]);
  });

  test('is the same from a mailbox, a Maildir and single mails; each event counts once', async () => {
    const vault = new TempVault(HOUSE);
    const [box = ''] = beside(vault, { 'year.mbox': pastMailbox(YEAR) });
    const [folder = ''] = inYear(vault);
    const single = beside(vault, Object.fromEntries(YEAR.map((mail, nth) => [`${nth}.eml`, pastMail(mail)])));
    const verdicts = async (files: readonly string[]) => {
      const { cases, events } = await rehearsed(vault, files);
      return { cases: cases.map(({ at, notes, verdict }) => [at, notes, verdict]), ...events };
    };
    const whole = await verdicts([box]);
    expect(await verdicts([folder])).toEqual(whole);
    expect(await verdicts(single)).toEqual(whole);
    expect(await verdicts([box, ...single])).toEqual({ ...whole, copies: 5 });
  });

  test('--since leaves out what is earlier', async () => {
    const vault = new TempVault(HOUSE);
    const since = new Date('2026-04-10T00:00').getTime();
    const files = beside(vault, { 'year.mbox': pastMailbox(YEAR) });
    expect((await rehearsed(vault, files, { since })).events).toMatchObject({ evaluated: 3, earlier: 2 });
  });

  test('that is ended early gives the figures so far', async () => {
    const vault = new TempVault(HOUSE);
    const files = beside(vault, { 'year.mbox': pastMailbox(YEAR) });
    const abort = new AbortController();
    const evaluating = ({ done }: { readonly done: number }) => {
      if (done === 2) abort.abort();
    };
    const ended = await rehearsed(vault, files, {}, { work: { evaluating, abort: abort.signal } });
    expect(ended).toMatchObject({ complete: false, events: { evaluated: 2 }, to: '2026-04-01' });
  });
});

describe('what a rehearsal reads besides mails', () => {
  const STATEMENT = [
    ...[':20:MARCH', `:25:${ACCOUNT}`, ':28C:1/1', ':60F:C260301EUR5000,00', ':61:2603110311D1250,00NTRFNONREF'],
    ...[`:86:177?00TRANSFER?20Invoice 4711?31${ROOFER}?32Roof & Sons`, ':62F:C260311EUR3750,00', '-'],
  ].join('\r\n');

  test('is a bank statement: a booking of a trusted account would have been applied', async () => {
    const paid = task({ state: 'done', completedDate: '2026-03-14', amount: 1250, reference: 4711, iban: ROOFER });
    const vault = new TempVault({ ...TO_PAY, 'task/pay.md': paid });
    const { cases, would } = await rehearsed(vault, beside(vault, { 'march.sta': STATEMENT }));
    expect(would).toMatchObject({ applied: 1 });
    expect(cases.map(({ notes, words, verdict }) => [notes[0], words, verdict])).toEqual([
      ['task/pay.md', 'state open → done', 'right'],
    ]);
    vault.write('steward.md', settings());
    expect((await rehearsed(vault, [vault.at('../outside/march.sta')])).would).toMatchObject({
      applied: 0,
      proposed: 1,
    });
  });

  test('are calendars and chats', async () => {
    const vault = new TempVault(HOUSE);
    const calendar = [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20260301T090000Z'],
      ...['DTSTART:20260310T090000Z', 'DTEND:20260310T100000Z', 'SUMMARY:Dentist', 'END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n');
    const chat = '[11.03.26, 09:00:00] Kim: The notary deposit has been paid.\n[11.03.26, 09:05:00] Robin: Thanks!\n';
    const files = beside(vault, { 'home.ics': calendar, 'WhatsApp Chat with Kim.txt': chat });
    const { events, from, to } = await rehearsed(vault, files);
    expect({ events, from, to }).toMatchObject({
      ...{ from: '2026-03-01', to: '2026-03-11' },
      events: { evaluated: 3, refused: 0 },
    });
  });
});

describe('the vault as it was', () => {
  const again = { ...DEPOSIT, at: '2026-06-01T09:00' };

  test('has a task open on the day of its completion, and closed after it', async () => {
    const vault = new TempVault(HOUSE);
    const sameDay = { ...DEPOSIT, at: '2026-03-12T18:00', subject: 'Notary deposit, again' };
    const { cases } = await rehearsed(vault, beside(vault, { 'a.mbox': pastMailbox([sameDay, again]) }));
    const changes = cases.filter(({ change }) => change !== null);
    expect(changes.map(({ at, verdict }) => [at.slice(0, 10), verdict])).toEqual([['2026-03-12', 'right']]);
  });

  test('lacks a task that was made later', async () => {
    const made = { ...HOUSE, 'task/pay-notary-deposit.md': task({ created: '2026-07-01' }) };
    const vault = new TempVault(made);
    const { cases, past } = await rehearsed(vault, beside(vault, { 'a.mbox': pastMailbox([again]) }));
    expect(cases.filter(({ notes }) => notes.includes('task/pay-notary-deposit.md'))).toEqual([]);
    expect(past.created.created).toBe(1);
  });

  test('has the states and days that git knows', async () => {
    const { 'task/pay-notary-deposit.md': _, ...others } = HOUSE;
    const vault = new TempVault({ ...others, 'task/pay-notary-deposit.md': task({ due: '2026-03-20' }) });
    const commit = (day: string, text: string) => {
      vault.write('task/pay-notary-deposit.md', text);
      commitAt(vault, day);
    };
    commit('2026-01-01', task({ due: '2026-03-20' }));
    commit('2026-03-05', task({ due: '2026-04-02' }));
    commit('2026-03-20', task({ due: '2026-04-02', state: 'done' }));
    const moved = {
      ...DEPOSIT,
      at: '2026-03-03T09:00',
      text: 'Dear Robin,\n\nthe notary deposit is due on 2 April 2026.\n\nAnna',
    };
    const { cases, past } = await rehearsed(vault, beside(vault, { 'a.mbox': pastMailbox([moved, DEPOSIT]) }));
    expect(cases.map(({ words, verdict, by }) => [words, verdict, by])).toEqual([
      ['due 2026-03-20 → 2026-04-02', 'right', 'git'],
      ['state open → done', 'right', 'git'],
    ]);
    expect(past).toMatchObject({ hasGit: true, ends: { git: 1 } });
  });
});

describe('hostile files', () => {
  test('have the limits of an import, and stop nothing else', async () => {
    const vault = new TempVault(HOUSE);
    const files = beside(vault, {
      'huge.eml': Buffer.alloc(11 * 1024 * 1024, 'a'),
      'odd.mbox': Buffer.from([0, 1, 2, 3, 255]),
      'bomb.zip': Buffer.from('PK\u0003\u0004'),
      'empty.eml': '',
      'year.mbox': pastMailbox(YEAR),
    });
    const before = fingerprint(vault.root);
    const { events, troubles } = await rehearsed(vault, files);
    expect(events).toMatchObject({ evaluated: 5, refused: 4 });
    expect(troubles.map(({ file, reason }) => [path.basename(file), reason.slice(0, 24)])).toMatchObject([
      ['huge.eml', 'it has more than 10 MiB,'],
      ['odd.mbox', expect.any(String)],
      ['bomb.zip', expect.any(String)],
      ['empty.eml', 'it is empty'],
    ]);
    expect(fingerprint(vault.root)).toEqual(before);
  });

  test("a vault's git configuration runs nothing", async () => {
    const vault = new TempVault(HOUSE);
    const mark = path.join(vault.home, 'ran');
    execFileSync('git', ['-C', vault.root, 'init', '--quiet']);
    const who = ['-c', 'user.name=Robin', '-c', 'user.email=robin@sample.example', '-c', 'commit.gpgsign=false'];
    execFileSync('git', ['-C', vault.root, ...who, 'add', '-A']);
    execFileSync('git', ['-C', vault.root, ...who, 'commit', '--quiet', '-m', 'x']);
    // A commit that claims to be signed is checked by a program, if the configuration says so.
    const commit = execFileSync('git', ['-C', vault.root, 'cat-file', 'commit', 'HEAD'], { encoding: 'utf8' });
    const signed = commit.replace(
      '\n\n',
      '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n',
    );
    const made = ['-C', vault.root, 'hash-object', '-t', 'commit', '-w', '--stdin'];
    const name = execFileSync('git', made, { input: signed, encoding: 'utf8' }).trim();
    execFileSync('git', ['-C', vault.root, 'update-ref', 'HEAD', name]);
    const program = path.join(vault.home, 'program');
    fs.writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    for (const one of ['core.fsmonitor', 'core.pager', 'pager.log', 'diff.external', 'core.sshCommand', 'gpg.program'])
      execFileSync('git', ['-C', vault.root, 'config', one, program]);
    execFileSync('git', ['-C', vault.root, 'config', 'log.showSignature', 'true']);
    const { past } = await rehearsed(vault, beside(vault, { 'a.mbox': pastMailbox([DEPOSIT]) }));
    expect([past.hasGit, fs.existsSync(mark)]).toEqual([true, false]);
  });
});
