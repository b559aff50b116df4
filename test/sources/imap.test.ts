import { describe, expect, test } from 'vitest';
import type { Relevance } from '../../src/sources/source.ts';
import { MAX_MAIL_BYTES } from '../../src/streams/stream.ts';
import { mailboxHouse, mailOf } from './mailbox-house.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ANNA = 'Anna <anna@northgate.example>';

function subjects(texts: readonly string[]): readonly string[] {
  return texts.map((text) => /^Subject: (.*)\r$/m.exec(text)?.[1] ?? '');
}

function fetches(commands: readonly string[]): readonly string[] {
  return commands.filter((command) => command.startsWith('UID FETCH'));
}

describe('what is brought', () => {
  test('the first visit brings what came in the last thirty days, in order, and the next one what came since', async () => {
    const { server, inlet, open } = await mailboxHouse();
    const inbox = server.folder();
    inbox.add(mailOf(ANNA, 'old'), new Date(Date.now() - 40 * DAY_MS));
    inbox.add(mailOf(ANNA, 'one'), new Date(Date.now() - 20 * DAY_MS));
    inbox.add(mailOf(ANNA, 'two'));
    const session = await open();
    expect(await session.poll()).toEqual([]);
    inbox.add(mailOf(ANNA, 'three'));
    await session.poll();
    expect(subjects(inlet.texts())).toEqual(['one', 'two', 'three']);
    expect(inlet.texts()[0]).toBe(mailOf(ANNA, 'one'));
    expect(inlet.arrivals[1]?.at).toBeGreaterThan(Date.now() - DAY_MS);
  });

  test('from the day that the note names, and further back when it names an earlier one', async () => {
    const { server, inlet, open } = await mailboxHouse();
    for (const month of ['01', '05', '09'])
      server.folder().add(mailOf(ANNA, month), new Date(`2026-${month}-10T12:00:00Z`));
    await (await open({ since: '2026-04-01' })).poll();
    expect(subjects(inlet.texts())).toEqual(['05', '09']);
    await (await open({ since: '2026-01-01' })).poll();
    expect(subjects(inlet.texts())).toEqual(['05', '09', '01']);
  });

  test('of senders who are listed later, also what came before', async () => {
    const { server, inlet, open } = await mailboxHouse();
    for (const name of ['anna', 'ben', 'carl']) server.folder().add(mailOf(`${name}@northgate.example`, name));
    await (await open({ senders: 'anna@northgate.example' })).poll();
    expect(subjects(inlet.texts())).toEqual(['anna']);
    await (await open({ senders: ['ben@northgate.example', 'anna@northgate.example'] })).poll();
    expect(subjects(inlet.texts())).toEqual(['anna', 'ben']);
    await (await open()).poll();
    expect(subjects(inlet.texts())).toEqual(['anna', 'ben', 'carl']);
    const before = fetches(server.commands).length;
    await (await open({ senders: 'anna@northgate.example' })).poll();
    expect(fetches(server.commands)).toHaveLength(before);
  });

  test('headers first; the beginning where they do not tell, the rest where it may matter, and nothing twice', async () => {
    const { server, inlet, open } = await mailboxHouse();
    const verdicts: Record<string, readonly Relevance[]> = {
      pass: ['pass'],
      short: ['more', 'fetch'],
      'long pass': ['more', 'pass'],
      long: ['more', 'fetch'],
      wanted: ['fetch'],
    };
    const asked = new Map<string, number>();
    inlet.judge = ({ bytes }) => {
      const subject = /^Subject: (.*)\r$/m.exec(Buffer.from(bytes).toString())?.[1] ?? '';
      const nth = asked.get(subject) ?? 0;
      asked.set(subject, nth + 1);
      return verdicts[subject]?.[nth] ?? 'pass';
    };
    const long = 'A line that is long enough.\r\n'.repeat(4000);
    for (const subject of Object.keys(verdicts))
      server.folder().add(mailOf(ANNA, subject, /long|wanted/.test(subject) ? long : 'Hello'));
    await (await open()).poll();
    expect(subjects(inlet.texts())).toEqual(['short', 'long', 'wanted']);
    expect(inlet.texts()[1]).toBe(mailOf(ANNA, 'long', long));
    expect(inlet.texts()[2]).toBe(mailOf(ANNA, 'wanted', long));
    expect(inlet.heads.map(({ isWhole }) => isWhole)).toEqual([false, false, false, false, false, true, false, false]);
    expect(fetches(server.commands).map((command) => command.replace(/\.\d+>/g, '>'))).toEqual([
      'UID FETCH 1,2,3,4,5 (UID INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER]<0>)',
      'UID FETCH 2,3,4,5 (UID BODY.PEEK[TEXT]<0>)',
      'UID FETCH 4 (UID BODY.PEEK[TEXT]<32768>)',
      'UID FETCH 5 (UID BODY.PEEK[TEXT]<32768>)',
    ]);
  });

  test('of a mail that is too large, its texts with their own headers and no attachment', async () => {
    const { server, inlet, open } = await mailboxHouse();
    const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b1"'];
    const structure =
      '((("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "8BIT" 9 1)("TEXT" "HTML" ("CHARSET" "utf-8") NIL NIL "BASE64" 9 1) "ALTERNATIVE" ("BOUNDARY" "b2") NIL NIL)("APPLICATION" "PDF" ("NAME" "a.pdf") NIL NIL "BASE64" 20000000 NIL ("ATTACHMENT" ("FILENAME" "a.pdf")) NIL NIL) "MIXED" ("BOUNDARY" "b1") NIL NIL)';
    const parts = {
      '1.MIME': 'Content-Type: multipart/alternative; boundary="b2"\r\n\r\n',
      '1.1.MIME': 'Content-Type: text/plain; charset=utf-8\r\n\r\n',
      '1.1': 'The roof is done.\r\n',
      '1.2.MIME': 'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n',
      '1.2': Buffer.from('<p>The roof is done.</p>').toString('base64'),
    };
    const pdf = 'A'.repeat(MAX_MAIL_BYTES);
    server.folder().add(mailOf(ANNA, 'large', pdf, headers), new Date(), { structure, parts });
    await (await open()).poll();
    expect(inlet.texts()).toEqual([
      [
        mailOf(ANNA, 'large', '', headers).trimEnd(),
        '',
        '--b1',
        'Content-Type: multipart/alternative; boundary="b2"',
        '',
        '--b2',
        'Content-Type: text/plain; charset=utf-8',
        '',
        'The roof is done.',
        '',
        '--b2',
        'Content-Type: text/html; charset=utf-8',
        'Content-Transfer-Encoding: base64',
        '',
        'PHA+VGhlIHJvb2YgaXMgZG9uZS48L3A+',
        '--b2--',
        '',
        '--b1--',
        '',
      ].join('\r\n'),
    ]);
    expect(fetches(server.commands).filter((command) => /BODY\.PEEK\[(?:2|TEXT|)\]/.test(command))).toEqual([]);
  });

  test('only mails of those who are listed, where anybody is', async () => {
    const { server, inlet, open } = await mailboxHouse();
    const senders = ['Anna@Northgate.example', 'bank.example'];
    for (const from of [ANNA, 'x@a.bank.example', 'x@bank.example', 'x@notabank.example', 'b@northgate.example'])
      server.folder().add(mailOf(from, from));
    await (await open({ senders })).poll();
    expect(subjects(inlet.texts())).toEqual([ANNA, 'x@a.bank.example', 'x@bank.example']);
    expect(inlet.heads).toHaveLength(3);
  });

  test('the same mail in two folders, or twice in one, is brought once', async () => {
    const { server, inlet, open } = await mailboxHouse();
    server.folder().add(mailOf(ANNA, 'same'));
    server.folder().add(mailOf(ANNA, 'same'));
    server.folder('Archive').add(mailOf(ANNA, 'same'));
    await (await open({ folders: ['INBOX', 'Archive'] })).poll();
    expect(inlet.texts()).toHaveLength(1);
    const texts = fetches(server.commands).filter((command) => command.includes('TEXT'));
    expect(texts).toEqual([expect.stringMatching(/^UID FETCH 1 /)]);
  });
});

describe('where it was left', () => {
  test('a visit that ends in the midst goes on from the last mail that was put', async () => {
    const { server, inlet, open } = await mailboxHouse();
    for (let nth = 1; nth <= 130; nth += 1) server.folder().add(mailOf(ANNA, `m${nth}`));
    let puts = 0;
    inlet.before = () => {
      puts += 1;
      if (puts === 3) throw new Error('the disk is full');
    };
    await expect((await open()).poll()).rejects.toThrow('the disk is full');
    expect(inlet.arrivals).toHaveLength(100);
    expect(inlet.at).toMatchObject({ folders: [{ last: 100, next: null }] });
    server.commands.length = 0;
    await (await open()).poll();
    expect(subjects(inlet.texts())).toEqual(Array.from({ length: 130 }, (_, nth) => `m${nth + 1}`));
    expect(server.commands.filter((command) => command.startsWith('UID SEARCH'))[0]).toMatch(/UID 101:\*/);
    expect(inlet.arrivals).toHaveLength(130);
  });

  test('nothing is opened where nothing came, also where flags have changed', async () => {
    const { server, inlet, open } = await mailboxHouse();
    server.folder().add(mailOf(ANNA, 'one'));
    server.folder('Archive').add(mailOf(ANNA, 'two'));
    const folders = ['INBOX', 'Archive'];
    await (await open({ folders })).poll();
    server.folder().modseq += 5;
    server.folder().remove(1);
    server.commands.length = 0;
    const { before } = inlet;
    inlet.before = () => {
      throw new Error('nothing is to be put');
    };
    await (await open({ folders })).poll();
    inlet.before = before;
    expect(server.commands.filter((command) => /^(?:EXAMINE|UID)/.test(command))).toEqual([]);
    expect(server.commands.filter((command) => command.startsWith('STATUS'))).toHaveLength(2);
  });

  test('where UIDs mean something else, all is looked at again, and nothing is doubled or fetched again', async () => {
    const { server, inlet, open } = await mailboxHouse();
    server.folder().add(mailOf(ANNA, 'one'));
    server.folder().add(mailOf(ANNA, 'two'));
    await (await open()).poll();
    const inbox = server.folder();
    inbox.mails = [];
    inbox.validity = 2;
    inbox.next = 1;
    for (const subject of ['two', 'three', 'one']) inbox.add(mailOf(ANNA, subject));
    server.commands.length = 0;
    await (await open()).poll();
    expect(subjects(inlet.texts())).toEqual(['one', 'two', 'three']);
    expect(fetches(server.commands).filter((command) => command.includes('TEXT'))).toEqual([
      expect.stringContaining('UID FETCH 2 '),
    ]);
  });

  test('a folder that is gone is said, the others go on; under its new name its mails are known', async () => {
    const { server, inlet, open } = await mailboxHouse();
    server.folder().add(mailOf(ANNA, 'one'));
    server.folder('Old').add(mailOf(ANNA, 'two'));
    const session = await open({ folders: ['Old', 'INBOX'] });
    await session.poll();
    server.folders.set('New', server.folder('Old'));
    server.folders.delete('Old');
    server.folder('New').validity = 9;
    server.folder().add(mailOf(ANNA, 'three'));
    expect(await session.poll()).toEqual([
      { message: 'There is no folder “Old” in the mailbox', hint: expect.any(String) },
    ]);
    expect(await (await open({ folders: ['New', 'INBOX'] })).poll()).toEqual([]);
    expect(subjects(inlet.texts())).toEqual(['two', 'one', 'three']);
  });

  test('where none of the folders is there, that is a failure', async () => {
    const { open } = await mailboxHouse();
    const session = await open({ folders: ['Nowhere'] });
    await expect(session.poll()).rejects.toMatchObject({
      kind: 'missing',
      message: expect.stringContaining('Nowhere'),
    });
  });

  test('a mail that is expunged while it is read is passed over', async () => {
    const { server, inlet, open } = await mailboxHouse();
    for (const subject of ['one', 'gone', 'two', 'late']) server.folder().add(mailOf(ANNA, subject));
    const stop = server.instead(/^UID SEARCH/, (regular) => {
      server.folder().remove(2);
      stop();
      return regular;
    });
    inlet.judge = () => {
      server.folder().remove(4);
      return 'fetch';
    };
    const session = await open();
    expect(await session.poll()).toEqual([]);
    expect(subjects(inlet.texts())).toEqual(['one', 'two']);
    server.folder().add(mailOf(ANNA, 'after'));
    await session.poll();
    expect(subjects(inlet.texts())).toEqual(['one', 'two', 'after']);
  });

  test('a mail that the server left out of its answer is looked for once more', async () => {
    const { server, inlet, open } = await mailboxHouse();
    for (const subject of ['one', 'two']) server.folder().add(mailOf(ANNA, subject));
    const stop = server.instead(/^UID FETCH 1,2/, (_, { command, tag }) => {
      stop();
      return Buffer.concat([server.folder().fetch('1', command, true), Buffer.from(`${tag} OK done\r\n`)]);
    });
    expect(await (await open()).poll()).toEqual([]);
    expect(subjects(inlet.texts())).toEqual(['one', 'two']);
  });

  test('a mail in the midst that is left out again and again is said, and one behind all others is waited for', async () => {
    const { server, inlet, open } = await mailboxHouse();
    for (const subject of ['one', 'two', 'three', 'four']) server.folder().add(mailOf(ANNA, subject));
    const stop = server.instead(/^UID FETCH/, (_, { command, tag }) => {
      const given = /^UID FETCH 1/.test(command) ? '1,3' : '';
      const mails = given === '' ? Buffer.alloc(0) : server.folder().fetch(given, command, true);
      return Buffer.concat([mails, Buffer.from(`${tag} OK done\r\n`)]);
    });
    const session = await open();
    expect(await session.poll()).toEqual([
      { message: "One mail in “INBOX” couldn't be fetched from the mail server", hint: expect.any(String) },
    ]);
    expect(subjects(inlet.texts())).toEqual(['one', 'three']);
    stop();
    expect(await session.poll()).toEqual([]);
    expect(subjects(inlet.texts())).toEqual(['one', 'three', 'four']);
  });

  test('one mail that the server cannot give is said, and stops none behind it', async () => {
    const { server, inlet, open } = await mailboxHouse();
    for (const subject of ['one', 'bad', 'two']) server.folder().add(mailOf(ANNA, subject));
    server.instead(/^UID FETCH \S*2/, (_, { tag }) => `${tag} NO cannot read\r\n`);
    const session = await open();
    expect(await session.poll()).toEqual([
      { message: "One mail in “INBOX” couldn't be fetched from the mail server", hint: expect.any(String) },
    ]);
    expect(subjects(inlet.texts())).toEqual(['one', 'two']);
  });

  test('what was saved by somebody else is as if nothing was saved', async () => {
    const { server, inlet, open } = await mailboxHouse();
    server.folder().add(mailOf(ANNA, 'one'));
    for (const at of [42, 'x', { version: 1, folders: [{ name: 'INBOX', last: -1 }] }, { version: 7, folders: [] }]) {
      inlet.at = at;
      await (await open()).poll();
      expect(inlet.at).toMatchObject({ version: 1, folders: [{ name: 'INBOX', validity: '1', last: 1, next: 2 }] });
    }
    expect(inlet.texts()).toHaveLength(1);
  });

  test('a server without CONDSTORE and IDLE is read all the same', async () => {
    const { server, inlet, open } = await mailboxHouse();
    server.capabilities = ['IMAP4rev1'];
    server.folder().add(mailOf(ANNA, 'one'));
    const session = await open();
    await session.poll();
    server.commands.length = 0;
    await session.poll();
    expect(server.commands.filter((command) => /^(?:EXAMINE|UID)/.test(command))).toEqual([]);
    server.folder().add(mailOf(ANNA, 'two'));
    await session.poll();
    expect(subjects(inlet.texts())).toEqual(['one', 'two']);
  });
});

describe('news', () => {
  test('are told as soon as something comes, also during a visit of other folders, and not otherwise', async () => {
    const { server, inlet, open } = await mailboxHouse();
    server.folder().add(mailOf(ANNA, 'one'));
    server.folder('Archive').add(mailOf(ANNA, 'kept'));
    const session = await open({ folders: ['INBOX', 'Archive'] });
    server.instead(/^EXAMINE Archive/, (regular) => {
      if (server.folder().mails.length === 1) server.folder().add(mailOf(ANNA, 'meanwhile'));
      return regular;
    });
    await session.poll();
    await session.waitForNews();
    await session.poll();
    expect(subjects(inlet.texts())).toEqual(['one', 'kept', 'meanwhile']);
    const news = session.waitForNews();
    await expect.poll(() => server.commands.at(-1)).toBe('IDLE');
    server.folder().add(mailOf(ANNA, 'late'));
    server.tell();
    await news;
    await session.poll();
    expect(subjects(inlet.texts()).at(-1)).toBe('late');
  });

  test('a visit in between ends the IDLE, and it is begun anew', async () => {
    const { server, open } = await mailboxHouse();
    const session = await open();
    await session.poll();
    const news = session.waitForNews();
    await expect.poll(() => server.commands.at(-1)).toBe('IDLE');
    await session.poll();
    await expect.poll(() => server.commands.at(-1)).toBe('IDLE');
    server.folder().add(mailOf(ANNA, 'late'));
    server.tell();
    await news;
  });

  test('IDLE is asked for anew before the server loses patience', async () => {
    const { server, open } = await mailboxHouse();
    const session = await open({}, { idleMs: 50 });
    await session.poll();
    const lost = session.waitForNews().catch(() => 'lost');
    await expect.poll(() => server.commands.filter((command) => command === 'IDLE').length).toBeGreaterThan(2);
    await session.close();
    expect(await lost).toBe('lost');
  });

  test('a server without IDLE is told that we are there', async () => {
    const { server, open } = await mailboxHouse();
    server.capabilities = ['IMAP4rev1'];
    const session = await open({}, { keepAliveMs: 20 });
    await session.poll();
    const lost = session.waitForNews().catch(() => 'lost');
    await expect.poll(() => server.commands.filter((command) => command === 'NOOP').length).toBeGreaterThan(2);
    expect(server.commands).not.toContain('IDLE');
    await session.close();
    expect(await lost).toBe('lost');
  });
});

test('what is there is said in a few lines, with the server that signs the newest mails', async () => {
  const { server, open } = await mailboxHouse();
  const signed = [
    'Authentication-Results: mx.house.example; dmarc=pass',
    'Authentication-Results: other.example; spf=pass',
  ];
  for (let nth = 1; nth <= 1234; nth += 1)
    server.folder().add(mailOf(ANNA, `${nth}`, 'x', signed), new Date('2026-11-22T08:00:00Z'));
  server.folder('Archive');
  const session = await open({ folders: ['INBOX', 'Archive', 'Gone'] });
  expect(await session.describe()).toEqual([
    '1 234 mails in INBOX, the newest of 2026-11-22',
    'No mails in Archive',
    'There is no folder Gone',
    'Folders there: INBOX, Archive',
    'The server offers IDLE, CONDSTORE',
    'The newest mails are signed by mx.house.example',
  ]);
  expect(await session.signer()).toBe('mx.house.example');
});

test('reports how many of the last hundred mails are authenticated, and which senders never are', async () => {
  const { server, open } = await mailboxHouse();
  // Its header is above its provider's Received line, as GMX writes it.
  const received = 'Received: from mail.sender.example by mx-ha.gmx.net with ESMTPS';
  const add = (from: string, ...results: string[]) =>
    server.folder().add(mailOf(from, 'Hello', 'x', results), new Date());
  for (let nth = 0; nth < 40; nth += 1) add('old@letters.example');
  for (let nth = 0; nth < 90; nth += 1)
    add('anna@notary.example', 'Authentication-Results: gmx.net; dkim=pass header.d=notary.example', received);
  for (let nth = 0; nth < 4; nth += 1) add('news@shop.example', 'Authentication-Results: gmx.net; dkim=none', received);
  add('anna@notary.example', received, 'Authentication-Results: gmx.net; dkim=pass header.d=notary.example');
  for (const from of ['a@one.example, b@two.example', 'x@forged.example', 'y@forged.example', 'z@forged.example', '']) {
    add(from, received, 'Authentication-Results: gmx.net; dkim=pass header.d=forged.example');
  }
  const senders = async (fields: Readonly<Record<string, unknown>>) => (await open(fields)).senders();
  const report = await senders({ mail_server: 'gmx' });
  expect(report).toMatchObject({ server: 'gmx', mails: 100, authenticated: 90 });
  expect(report.never).toEqual([
    { from: 'news@shop.example', mails: 4, reason: "gmx.net didn't authenticate shop.example" },
    { from: '', mails: 2, reason: 'the mail does not name one sender' },
    ...['x', 'y', 'z'].map((name) => ({
      from: `${name}@forged.example`,
      mails: 1,
      reason: 'the header of gmx.net is where another server writes',
    })),
  ]);
  expect(await senders({})).toMatchObject({ server: null, mails: 100, authenticated: 0 });
  expect(await senders({ folders: ['Gone'], mail_server: 'gmx' })).toMatchObject({ mails: 0, never: [] });
});
