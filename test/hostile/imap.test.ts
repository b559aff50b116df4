import { expect } from 'vitest';
import type { ImapLimits } from '../../src/sources/imap-connection.ts';
import { MAX_MAIL_BYTES } from '../../src/streams/stream.ts';
import { Issuer } from '../servers/certificates.ts';
import { mailboxHouse, mailOf, openMailbox, writesIn } from '../sources/mailbox-house.ts';
import { MemoryInlet } from '../sources/memory-inlet.ts';
import { PASSWORD, ScriptedServer } from '../sources/scripted-server.ts';
import { attack } from './attack.ts';

const SERVER = { attacker: 'another program' } as const;
const PEER = { attacker: 'a sync peer' } as const;
const FROM = 'anna@northgate.example';

/** What came of opening a mailbox and visiting it once. */
async function outcome(
  server: ScriptedServer,
  inlet: MemoryInlet,
  fields: Readonly<Record<string, unknown>> = {},
  limits: Partial<ImapLimits> = {},
): Promise<unknown> {
  try {
    const session = await openMailbox(server, inlet, fields, limits);
    return await session.poll();
  } catch (error) {
    return error;
  }
}

function lastIn(inlet: MemoryInlet): unknown {
  return JSON.parse(JSON.stringify(inlet.at))?.folders?.[0]?.last ?? null;
}

async function withTls(means: (server: ScriptedServer) => void): Promise<{ server: ScriptedServer; error: unknown }> {
  const issuer = new Issuer();
  const distrust = issuer.trust();
  try {
    const server = await ScriptedServer.start({ certificate: issuer.certificate(), starttls: true });
    server.capabilities.push('STARTTLS');
    means(server);
    return { server, error: await outcome(server, new MemoryInlet(), { security: 'starttls' }) };
  } finally {
    distrust();
    issuer.remove();
  }
}

attack(
  {
    ...SERVER,
    means: 'between the program and the mail server, it hides that the server offers STARTTLS',
    loss: 'the password crosses the network in the clear',
    defence: 'without TLS nothing is sent',
  },
  async () => {
    const { server, error } = await withTls((one) => {
      one.capabilities = one.capabilities.filter((name) => name !== 'STARTTLS');
    });
    expect(error).toMatchObject({ kind: 'setup', message: expect.stringContaining('no password was sent') });
    expect(server.secrets).toEqual([]);
  },
);

attack(
  {
    ...SERVER,
    means: 'between the program and the mail server, it greets with PREAUTH, after which there is no STARTTLS',
    loss: 'mails that it made up are read as those of the account',
    defence: 'without TLS nothing is asked',
  },
  async () => {
    const { server, error } = await withTls((one) => {
      one.greeting = '* PREAUTH welcome\r\n';
    });
    expect(error).toMatchObject({ kind: 'setup' });
    expect(server.commands.filter((command) => /^(?:EXAMINE|STATUS|UID)/.test(command))).toEqual([]);
  },
);

attack(
  {
    ...SERVER,
    means: 'between the program and the mail server, it puts lines of its own behind the answer to STARTTLS',
    loss: 'they are read as if the server had said them under TLS',
    defence: 'what stands there ends the connection before the handshake',
  },
  async () => {
    const { server, error } = await withTls((one) => {
      one.behindStartTls = '* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\nA9 OK in\r\n';
    });
    expect(error).toMatchObject({ kind: 'strange' });
    expect(server.secrets).toEqual([]);
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that answers with one byte now and then',
    loss: 'the source hangs for hours, and nobody hears of it',
    defence: 'all answers of a batch have a time together, and more of it only while bytes come in at a fair pace',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    const drips: NodeJS.Timeout[] = [];
    server.instead(/^STATUS/, (_, { socket }) => {
      drips.push(setInterval(() => socket.destroyed || socket.write('*'), 5));
      return null;
    });
    const error = await outcome(server, inlet, {}, { batchMs: 200 });
    for (const drip of drips) clearInterval(drip);
    expect(error).toMatchObject({ kind: 'away', message: 'The mail server answers too slowly' });
    await expect.poll(() => server.connections()).toBe(0);
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that floods with lines that nobody asked for, while it is asked and while it is listened to',
    loss: 'memory and time of the machine',
    defence: 'what is heard is counted, and too much of it ends the connection',
  },
  async () => {
    const line = `* OK ${'x'.repeat(8000)}\r\n`;
    const { server, inlet } = await mailboxHouse();
    const stop = server.instead(/^STATUS/, () => line.repeat(6000));
    const before = process.memoryUsage().rss;
    expect(await outcome(server, inlet)).toMatchObject({ kind: 'strange' });
    stop();
    const session = await openMailbox(server, inlet);
    await session.poll();
    const news = session.waitForNews();
    await expect.poll(() => server.commands.at(-1)).toBe('IDLE');
    server.say(line.repeat(600));
    await expect(news).rejects.toMatchObject({ kind: 'strange' });
    await expect.poll(() => server.connections()).toBe(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that sends a line without end, or announces a literal of a gigabyte',
    loss: 'the memory of the machine',
    defence: 'both have a limit, and nothing is set aside for what was only announced',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    server.folder().add(mailOf(FROM, 'one'));
    const stop = server.instead(/^STATUS/, () => `* OK ${'x'.repeat(9 * 1024 * 1024)}`);
    expect(await outcome(server, inlet)).toMatchObject({ kind: 'strange' });
    stop();
    server.instead(/^UID FETCH/, () => '* 1 FETCH (UID 1 BODY[HEADER]<0> {1000000000}\r\nFrom: a');
    expect(await outcome(server, inlet)).toMatchObject({ kind: 'strange' });
    expect(inlet.at).toBeNull();
  },
);

attack(
  {
    ...SERVER,
    means:
      'a mail server that answers a fetch with other mails than were asked for, with the same one twice, or in disorder',
    loss: 'mails are taken that nobody looked at, or mails are lost',
    defence: 'only what was asked for is taken, once each, in order',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    for (const subject of ['one', 'two', 'three']) server.folder().add(mailOf(FROM, subject));
    server.instead(/^UID FETCH/, (regular, { command, tag }) => {
      const others = server.folder();
      const forged = mailOf(FROM, 'forged');
      const head = `UID 99 RFC822.SIZE 50 BODY[HEADER]<0> {${forged.length}}\r\n${forged}`;
      const rows = [3, 1, 2, 3, 1].map((uid) => others.fetch(String(uid), command, true));
      const body = [`* 9 FETCH (${head})\r\n`, `* 1 FETCH (FLAGS (\\Seen))\r\n`, ...rows, `${tag} OK done\r\n`];
      return Buffer.concat(body.map((part) => Buffer.from(part))).subarray(0, Math.max(regular.length, 1e6));
    });
    expect(await outcome(server, inlet)).toEqual([]);
    const subjects = inlet.texts().map((text) => /Subject: (\w+)/.exec(text)?.[1]);
    expect(subjects).toEqual(['one', 'two', 'three']);
    expect(lastIn(inlet)).toBe(3);
  },
);

attack(
  {
    ...SERVER,
    means:
      'a mail server that names a mail with the highest UID there can be, and a next UID far ahead, and has neither',
    loss: 'all mails that come later count as read',
    defence: 'the cursor moves only to a mail that was really given',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    server.folder().add(mailOf(FROM, 'one'));
    const lies = [
      server.instead(/^UID SEARCH/, (_, { tag }) => `* SEARCH 4294967295 1 1 0 -5 99999999999 700\r\n${tag} OK\r\n`),
      server.instead(
        /^STATUS/,
        (_, { tag }) => `* STATUS INBOX (MESSAGES 1 UIDNEXT 4000000 UIDVALIDITY 1)\r\n${tag} OK\r\n`,
      ),
      server.instead(/^EXAMINE/, (regular) =>
        Buffer.from(regular.toString().replace(/UIDNEXT \d+/, 'UIDNEXT 4000000')),
      ),
    ];
    expect(await outcome(server, inlet)).toEqual([]);
    expect(lastIn(inlet)).toBe(1);
    lies.shift()?.();
    expect(await outcome(server, inlet)).toEqual([]);
    expect(lastIn(inlet)).toBe(1);
    for (const stop of lies) stop();
    server.folder().add(mailOf(FROM, 'two'));
    expect(await outcome(server, inlet)).toEqual([]);
    expect(inlet.texts()).toHaveLength(2);
    expect(lastIn(inlet)).toBe(2);
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that says a next UID that does not move, while it counts more mails',
    loss: 'new mails are never looked for',
    defence: 'more mails than before are looked at, whatever else is said',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    server.folder().add(mailOf(FROM, 'one'));
    await outcome(server, inlet);
    server.folder().add(mailOf(FROM, 'two'));
    server.instead(/^STATUS/, (_, { tag }) => `* STATUS INBOX (MESSAGES 2 UIDNEXT 2 UIDVALIDITY 1)\r\n${tag} OK\r\n`);
    expect(await outcome(server, inlet)).toEqual([]);
    expect(inlet.texts()).toHaveLength(2);
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that lies about the size of mails: a large one is small, a small one is large',
    loss: 'a mail is cut short, or one that is too large is taken',
    defence: 'what is really sent decides, within the limit of a mail',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    const large = mailOf(FROM, 'large', 'A line of it.\r\n'.repeat(MAX_MAIL_BYTES / 12));
    server.folder().add(large);
    server.folder().add(mailOf(FROM, 'longer', 'x'.repeat(100_000)));
    server.instead(/RFC822/, (regular) =>
      Buffer.from(regular.toString().replace(/RFC822\.SIZE \d+/g, 'RFC822.SIZE 10')),
    );
    expect(await outcome(server, inlet)).toEqual([]);
    const lengths = inlet.texts().map(({ length }) => length);
    expect(lengths.every((length) => length <= MAX_MAIL_BYTES)).toBe(true);
    expect(inlet.texts()[1]).toBe(mailOf(FROM, 'longer', 'x'.repeat(100_000)));
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that sends more of a part than was asked for',
    loss: 'what comes behind it is joined to the wrong mail, or fills the memory',
    defence: 'a part that is too long ends the connection, and nothing of it is taken',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    server.folder().add(mailOf(FROM, 'one'));
    const text = 'x'.repeat(40_000);
    server.instead(/TEXT/, (_, { tag }) => `* 1 FETCH (UID 1 BODY[TEXT]<0> {40000}\r\n${text})\r\n${tag} OK\r\n`);
    expect(await outcome(server, inlet)).toMatchObject({ kind: 'strange' });
    expect(inlet.at).toBeNull();
  },
);

attack(
  {
    attacker: 'a sender',
    means: 'a mail whose headers have no end, and one of parts in parts in parts',
    loss: 'memory, or all mails behind it are never read',
    defence: 'such a mail is passed over and said; parts are followed to a depth',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    server.folder().add(mailOf(FROM, 'endless', 'x', [`X-Long: ${'y'.repeat(2 * 1024 * 1024)}`]));
    const deep = `${'('.repeat(60)}"TEXT" "PLAIN" NIL NIL NIL "7BIT" 1 1${') "MIXED" ("BOUNDARY" "b\r\nX: 1") NIL NIL'.repeat(59)})`;
    const structure = deep.replaceAll('\r\n', '');
    server.folder().add(mailOf(FROM, 'deep', 'z'.repeat(MAX_MAIL_BYTES)), new Date(), { structure });
    server.folder().add(mailOf(FROM, 'after'));
    expect(await outcome(server, inlet)).toEqual([
      { message: "One mail in “INBOX” couldn't be fetched from the mail server", hint: expect.any(String) },
    ]);
    expect(inlet.texts().map((text) => /Subject: (\w+)/.exec(text)?.[1])).toEqual(['deep', 'after']);
    expect(inlet.texts()[0]?.length).toBeLessThan(1000);
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that answers questions that nobody asked, and questions before they were asked',
    loss: 'an answer is taken for that of another question',
    defence: 'an answer counts for the question that was really sent, and for none else',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    server.folder().add(mailOf(FROM, 'one'));
    const junk =
      '* SEARCH 5 6 7\r\nZZ OK done\r\n* 3 FETCH (UID 8 BODY[HEADER] {7}\r\nFrom: x)\r\n+ go\r\n* NONSENSE (((\r\n';
    server.instead(/^(?:STATUS|UID)/, (regular) => Buffer.concat([Buffer.from(junk), regular]));
    expect(await outcome(server, inlet)).toEqual([]);
    expect(inlet.texts()).toHaveLength(1);
    expect(lastIn(inlet)).toBe(1);
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that tells of new mails all the time, and has none',
    loss: 'the program asks without pause',
    defence: 'news that were none are believed later each time',
  },
  async () => {
    const { server, open } = await mailboxHouse();
    const session = await open({}, { falseNewsMs: 100 });
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      server.say(`* ${count} EXISTS\r\n`);
    }, 2);
    const begun = performance.now();
    for (let nth = 0; nth < 4; nth += 1) {
      await session.poll();
      await session.waitForNews();
    }
    clearInterval(timer);
    // 100 + 200 + 400: the first news are believed at once.
    expect(performance.now() - begun).toBeGreaterThan(600);
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that ends each IDLE at once',
    loss: 'the program asks without pause',
    defence: 'it listens later each time',
  },
  async () => {
    const { server, open } = await mailboxHouse();
    server.instead(/^IDLE/, (_, { tag }) => `+ idling\r\n${tag} OK done\r\n`);
    const session = await open({});
    await session.poll();
    const begun = performance.now();
    const news = session.waitForNews().catch(() => 'lost');
    await expect.poll(() => countOf('IDLE', server.commands)).toBe(3);
    // One second, then two: the first IDLE is begun at once.
    expect(performance.now() - begun).toBeGreaterThan(2900);
    await session.close();
    expect(await news).toBe('lost');
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server whose first folder is gone',
    loss: 'the program listens to nothing, without pause',
    defence: 'where no folder is open it does not listen, and only tells now and then that it is there',
  },
  async () => {
    const { server, open } = await mailboxHouse();
    server.folder('Other');
    server.instead(/^IDLE/, (_, { tag }) => `+ idling\r\n${tag} OK done\r\n`);
    const session = await open({ folders: ['Gone', 'Other'] }, { keepAliveMs: 20 });
    await session.poll();
    server.commands.length = 0;
    const news = session.waitForNews().catch(() => 'lost');
    await expect.poll(() => countOf('NOOP', server.commands)).toBeGreaterThan(2);
    expect(countOf('IDLE', server.commands)).toBe(0);
    await session.close();
    expect(await news).toBe('lost');
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that writes secrets, links and control characters into each of its refusals',
    loss: 'they stand in the log and on the screen',
    defence: 'nothing that a server says is in an error, and no password either',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    const words = `${PASSWORD} https://evil.example \u001b[2J`;
    const refusals = ['AUTHENTICATE', 'EXAMINE', 'UID SEARCH', 'UID FETCH'];
    server.folder().add(mailOf(FROM, 'one'));
    for (const refusal of refusals) {
      const stop = server.instead(new RegExp(`^${refusal}`), (_, { tag }) => `${tag} NO ${words}\r\n`);
      const said = await outcome(server, inlet);
      stop();
      const text = said instanceof Error ? `${said.message} ${JSON.stringify(said)}` : JSON.stringify(said);
      expect(text).not.toMatch(/evil|secret|u001b/);
      expect(text).not.toBe('[]');
    }
  },
);

attack(
  {
    ...PEER,
    means: 'folders in the note whose names hold the ends of lines, quotes, and commands that delete mails',
    loss: 'the program deletes mails by order of whoever can write a note',
    defence: 'a name is sent as a name, or not at all',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    const names = [
      'INBOX\r\nX1 DELETE INBOX',
      'INBOX"\r\nX2 UID STORE 1:* +FLAGS (\\Deleted)\r\nX3 EXPUNGE',
      '" SELECT INBOX',
      'a\0b',
      '*',
      '%',
      '{5}\r\nX4 DELETE INBOX',
      'Büro & Co',
    ];
    for (const name of names) await outcome(server, inlet, { folders: [name, 'INBOX'] });
    expect(writesIn(server.commands)).toEqual([]);
    expect(server.commands.filter((command) => /^X\d|^DELETE|^EXPUNGE/.test(command))).toEqual([]);
  },
);

function countOf(command: string, commands: readonly string[]): number {
  return commands.filter((one) => one === command).length;
}
