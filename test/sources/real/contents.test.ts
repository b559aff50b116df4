import { describe, expect, test } from 'vitest';
import { dovecotHere } from '../../servers/dovecot.ts';
import { MemoryInlet } from '../memory-inlet.ts';
import { bigLetter, dovecot, letter, letters, numbers, opened, person, taken, visited, wire } from './mailbox.ts';

const SIGNED = 'Authentication-Results: mx.home.example; spf=pass smtp.mailfrom=gartenbau.example\r\n';

describe.skipIf(!dovecotHere())('what lies in a mailbox', () => {
  test('of a mail with a large attachment only the text is fetched, and it reads as it was', async () => {
    const server = await dovecot();
    server.maildir().lay([{ bytes: bigLetter(1, 'Das Dach ist fertig, schöne Grüße.'), at: Date.now() }]);
    const relay = await wire(server.port);
    const inlet = new MemoryInlet();
    expect(await visited(relay.port, inlet)).toEqual([]);
    expect(relay.down).toBeLessThan(10_000);
    expect(taken(inlet)).toEqual([1]);
    expect(inlet.texts()[0]).toContain('Das Dach ist fertig, schöne Grüße.');
    expect(inlet.texts()[0]).toContain('Subject: Letter 1\r\n');
  });

  test.each(['Bücher & Maße', 'Rechnungen.2026.März', 'seltsam "so" \\ und (weiter)', '台北日本語'])(
    'a folder named %s is read under that name',
    async (folder) => {
      const server = await dovecot();
      const other = await person(server);
      await other.mailboxCreate(folder);
      await other.append(folder, letter(1));
      const inlet = new MemoryInlet();
      const named = { folders: [folder, 'INBOX'] };
      expect(await visited(server.port, inlet, named)).toEqual([]);
      expect(taken(inlet)).toEqual([1]);
    },
  );

  test('mails of others than the senders that are named cost their headers, and no more', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(60));
    const stranger = letter(61).replace('rosa@gartenbau.example', 'shop@bargains.example');
    const colleague = letter(62).replace('rosa@gartenbau.example', 'jo@office.Gartenbau.EXAMPLE');
    const lookalike = letter(63).replace('rosa@gartenbau.example', 'rosa@notgartenbau.example');
    for (const bytes of [stranger, colleague, lookalike])
      server.maildir().lay([{ bytes, at: Date.now(), isSeen: true }]);
    const inlet = new MemoryInlet();
    expect(await visited(server.port, inlet, { senders: ['gartenbau.example'] })).toEqual([]);
    expect(taken(inlet)).toEqual([...numbers(60), 62]);
    expect(inlet.heads).toHaveLength(61);
  });

  test('only the beginning of a long mail is fetched where that is enough to pass it over', async () => {
    const server = await dovecot();
    const long = letter(1, 'Letter 1', 'A line of a long newsletter.\r\n'.repeat(40_000));
    server.maildir().lay([{ bytes: long, at: Date.now() }]);
    const relay = await wire(server.port);
    const inlet = new MemoryInlet();
    inlet.judge = ({ bytes }) => (bytes.length < 2000 ? 'more' : 'pass');
    await visited(relay.port, inlet);
    expect(inlet.heads).toHaveLength(2);
    expect(inlet.arrivals).toEqual([]);
    expect(relay.down).toBeLessThan(40_000);
    const all = new MemoryInlet();
    all.judge = ({ bytes }) => (bytes.length < 2000 ? 'more' : 'fetch');
    relay.reset();
    await visited(relay.port, all);
    expect(all.texts()).toEqual([long]);
    expect(relay.down).toBeLessThan(long.length + 5000);
  });

  test('who signs the newest mails is said, to be proposed as the server that vouches', async () => {
    const server = await dovecot();
    const signed = letters(8).map((one) => ({ ...one, bytes: SIGNED + one.bytes }));
    server.maildir().lay(signed);
    const session = await opened(server.port, new MemoryInlet());
    expect((await session.describe()).join('\n')).toContain('signed by mx.home.example');
    expect(server.commands().filter((one) => /\bBODY\[|\bSTORE/.test(one))).toEqual([]);
  });

  test('two accounts that hold the same mail bring it each, the same to the byte but for its journey', async () => {
    const server = await dovecot({ users: { ada: 'plainly-made-up-4711', ben: 'plainly-made-up-4712' } });
    server.maildir('ada').lay([{ bytes: letter(1), at: Date.now() }]);
    server.maildir('ben').lay([{ bytes: letter(1).replace('mx.example', 'mx.other.example'), at: Date.now() }]);
    const [ada, ben] = [new MemoryInlet(), new MemoryInlet()];
    await visited(server.port, ada);
    await visited(server.port, ben, { user: 'ben', secret: 'plainly-made-up-4712' });
    expect([taken(ada), taken(ben)]).toEqual([[1], [1]]);
    expect(ada.texts()[0]?.replace('mx.example', 'mx.other.example')).toBe(ben.texts()[0]);
  });
});
