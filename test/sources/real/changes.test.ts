import { describe, expect, test } from 'vitest';
import { dovecotHere } from '../../servers/dovecot.ts';
import { statusOf } from '../../servers/other-client.ts';
import { MemoryInlet } from '../memory-inlet.ts';
import { dovecot, letter, letters, numbers, opened, person, taken, visited, wire } from './mailbox.ts';

describe.skipIf(!dovecotHere())('what others do to a mailbox', () => {
  test('a folder that is renamed is said, the others go on, and under its new name nothing is taken twice', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(3));
    server.maildir().lay(letters(60, 101), 'Bills');
    const inlet = new MemoryInlet();
    await visited(server.port, inlet, { folders: ['INBOX', 'Bills'] });
    expect(taken(inlet)).toEqual([...numbers(3), ...numbers(160, 101)]);
    await (await person(server)).mailboxRename('Bills', 'Old bills');
    server.maildir().lay(letters(1, 4));
    const said = await visited(server.port, inlet, { folders: ['Bills', 'INBOX'] });
    expect(said).toEqual([expect.stringContaining('Bills')]);
    expect(taken(inlet)).toEqual([...numbers(4), ...numbers(160, 101)]);
    server.maildir().lay(letters(1, 161), 'Old bills');
    const looked = inlet.heads.length;
    expect(await visited(server.port, inlet, { folders: ['Old bills', 'INBOX'] })).toEqual([]);
    expect(taken(inlet)).toEqual([...numbers(4), ...numbers(161, 101)]);
    expect(inlet.heads.length - looked).toBe(1);
  });

  test('a folder that is deleted is said each time, and read anew where one of that name comes', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(3), 'Bills');
    const inlet = new MemoryInlet();
    const session = await opened(server.port, inlet, { folders: ['Bills', 'INBOX'] });
    expect(await session.poll()).toEqual([]);
    const other = await person(server);
    await other.mailboxDelete('Bills');
    expect(await session.poll()).toHaveLength(1);
    expect(await session.poll()).toHaveLength(1);
    await other.mailboxCreate('Bills');
    await other.append('Bills', letter(4));
    expect(await session.poll()).toEqual([]);
    expect(taken(inlet)).toEqual(numbers(4));
  });

  test('flags that are changed elsewhere cost next to nothing', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(500));
    const relay = await wire(server.port);
    const inlet = new MemoryInlet();
    await visited(relay.port, inlet);
    const other = await person(server);
    await other.mailboxOpen('INBOX');
    await other.messageFlagsAdd('1:*', ['\\Seen', '\\Flagged']);
    await other.messageFlagsRemove('100:200', ['\\Seen']);
    relay.reset();
    await visited(relay.port, inlet);
    expect(relay.down).toBeLessThan(5000);
    expect(inlet.heads).toHaveLength(500);
  });

  test('a new numbering: mails that were taken are not taken again, new ones are', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(200));
    const inlet = new MemoryInlet();
    await visited(server.port, inlet);
    await server.halt();
    server.maildir().renumber();
    server.maildir().lay(letters(5, 201));
    await server.again();
    await visited(server.port, inlet);
    expect(taken(inlet)).toEqual(numbers(205));
    expect(inlet.heads).toHaveLength(205);
  });

  test('a mailbox that was emptied and filled anew with lower numbers', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(50));
    const inlet = new MemoryInlet();
    await visited(server.port, inlet);
    await server.halt();
    for (const name of server.maildir().names()) server.maildir().remove(name);
    server.maildir().renumber();
    server.maildir().lay(letters(10, 51));
    await server.again();
    await visited(server.port, inlet);
    expect(taken(inlet)).toEqual(numbers(60));
  });

  test('mails that are expunged while they are read are passed over', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(120));
    const other = await person(server);
    await other.mailboxOpen('INBOX');
    const inlet = new MemoryInlet();
    const first = Promise.withResolvers<void>();
    inlet.before = async () => {
      inlet.before = () => {};
      await other.messageDelete('60:90');
      first.resolve();
    };
    expect(await visited(server.port, inlet)).toEqual([]);
    await first.promise;
    expect((await statusOf(other, 'INBOX')).messages).toBe(89);
    expect(taken(inlet).length).toBeGreaterThanOrEqual(89);
    expect(new Set(taken(inlet)).size).toBe(taken(inlet).length);
    await other.append('INBOX', letter(121));
    await visited(server.port, inlet);
    expect(taken(inlet)).toContain(121);
  });

  test('a mail that is expunged between its header and its text is passed over', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(40));
    const other = await person(server);
    await other.mailboxOpen('INBOX');
    const inlet = new MemoryInlet();
    const checkRelevance = inlet.checkRelevance.bind(inlet);
    inlet.checkRelevance = async (head) => {
      if (inlet.heads.length === 0) await other.messageDelete('1:20');
      return await checkRelevance(head);
    };
    expect(await visited(server.port, inlet)).toEqual([]);
    expect(taken(inlet).length).toBeGreaterThanOrEqual(20);
    expect(await visited(server.port, inlet)).toEqual([]);
    expect(new Set(taken(inlet)).size).toBe(taken(inlet).length);
  });

  test('a mail that the server lists and has lost holds back no other', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(30));
    const inlet = new MemoryInlet();
    const checkRelevance = inlet.checkRelevance.bind(inlet);
    inlet.checkRelevance = async (head) => {
      if (inlet.heads.length === 0) server.maildir().remove(server.maildir().names()[10] ?? '');
      return await checkRelevance(head);
    };
    await visited(server.port, inlet).catch(() => {});
    await visited(server.port, inlet);
    await visited(server.port, inlet);
    expect(taken(inlet).length).toBeGreaterThanOrEqual(29);
  });
});
