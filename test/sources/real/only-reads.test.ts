import { describe, expect, test } from 'vitest';
import { dovecotHere } from '../../servers/dovecot.ts';
import { MemoryInlet } from '../memory-inlet.ts';
import { bigLetter, dovecot, letter, letters, opened, person, wire } from './mailbox.ts';

/** All that a reader needs. What is not named here has no place in a session that only reads. */
const READS =
  /^(?:CAPABILITY|ID|NOOP|ENABLE|NAMESPACE|LIST|LSUB|XLIST|STATUS|EXAMINE|UNSELECT|IDLE|LOGOUT|(?:UID )?(?:FETCH|SEARCH)) ?/;
const SETS_SEEN = /\bBODY\[|\bRFC822(?!\.(?:SIZE|HEADER))\b|\bBINARY\[/;

describe.skipIf(!dovecotHere())('a visit only reads', () => {
  test('no command writes, and every mail is as unread and as new as before', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(60));
    server.maildir().lay([{ bytes: letter(61, 'Letter 61', 'x'.repeat(70_000)), at: Date.now() }]);
    server.maildir().lay([{ bytes: bigLetter(62, 'The roof is done.'), at: Date.now() }]);
    server.maildir().lay(letters(5, 101), 'Bills');
    const before = { inbox: server.maildir().names(), bills: server.maildir().names('Bills') };
    const relay = await wire(server.port);
    const inlet = new MemoryInlet();
    let nth = 0;
    inlet.judge = ({ isWhole }) => (['fetch', 'pass', isWhole ? 'fetch' : 'more'] as const)[nth++ % 3] ?? 'pass';
    const session = await opened(relay.port, inlet, { folders: ['INBOX', 'Bills', 'Not there'] });
    await session.describe();
    await session.poll();
    const news = session.waitForNews();
    await (await person(server)).append('INBOX', letter(63));
    await news;
    await session.poll();
    await session.close();
    const commands = commandsIn(relay.said());
    expect(commands.filter((one) => !READS.test(one) && !/^(?:LOGIN|AUTHENTICATE) /.test(one))).toEqual([]);
    expect(commands.filter((one) => SETS_SEEN.test(one))).toEqual([]);
    expect(commands.some((one) => one.startsWith('EXAMINE'))).toBe(true);
    expect(commands.some((one) => one.includes('BODY.PEEK['))).toBe(true);
    expect(server.maildir().names('Bills')).toEqual(before.bills);
    expect(server.maildir().names().map(bare)).toEqual(expect.arrayContaining(before.inbox.map(bare)));
    expect(
      server
        .maildir()
        .names()
        .filter((name) => /:2,.*S/.test(name)),
    ).toHaveLength(30);
  });
});

function commandsIn(said: string): string[] {
  return said
    .split('\r\n')
    .map((line) => /^[A-Za-z0-9]+ ([A-Z].*)$/.exec(line)?.[1])
    .filter((command) => command !== undefined);
}

function bare(name: string): string {
  return name.replace(/^(?:new|cur)\//, '').replace(/:2,.*$/, '');
}
