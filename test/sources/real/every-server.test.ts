import type { ImapFlow } from 'imapflow';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Dovecot, dovecotHere } from '../../servers/dovecot.ts';
import { GreenMail, greenmailHere } from '../../servers/greenmail.ts';
import { PASSWORD, USER } from '../../servers/local-server.ts';
import { otherClient, statusOf } from '../../servers/other-client.ts';
import { MemoryInlet } from '../memory-inlet.ts';
import { letter, numbers, opened, taken, visited, wire } from './mailbox.ts';

/** A server of any make. */
interface Server {
  readonly port: number;
  stop(): Promise<void>;
}

const hasDovecot = dovecotHere();
const MORE = ['IDLE', 'ESEARCH', 'ENABLE', 'UIDPLUS', 'SPECIAL-USE', 'LIST-STATUS', 'LIST-EXTENDED', 'LITERAL+', 'ID'];
const CHANGES = ['CONDSTORE', 'QRESYNC'];
const SERVERS: readonly (readonly [string, boolean, () => Promise<Server>])[] = [
  ['Dovecot', hasDovecot, async () => await Dovecot.start()],
  ['Dovecot without CONDSTORE', hasDovecot, async () => await Dovecot.start({ without: CHANGES })],
  ['Dovecot without IDLE', hasDovecot, async () => await Dovecot.start({ without: ['IDLE'] })],
  ['Dovecot with the least', hasDovecot, async () => await Dovecot.start({ without: [...CHANGES, ...MORE] })],
  ['Dovecot with another storage', hasDovecot, async () => await Dovecot.start({ storage: 'sdbox' })],
  ['GreenMail', greenmailHere(), async () => await GreenMail.start()],
];

for (const [name, isHere, start] of SERVERS) {
  describe.skipIf(!isHere)(name, () => {
    test('mails are taken once, through all that a person does to them', async () => {
      const server = await start();
      onTestFinished(async () => await server.stop());
      const other = await otherClient(server.port, { user: USER, pass: PASSWORD });
      await put(other, numbers(70));
      const relay = await wire(server.port);
      const inlet = new MemoryInlet();
      const session = await opened(relay.port, inlet);
      expect(await session.poll()).toEqual([]);
      expect(taken(inlet)).toEqual(numbers(70));
      // GreenMail gives mails without their last line end.
      expect(inlet.texts().map((text) => text.trimEnd())).toEqual(numbers(70).map((nth) => letter(nth).trimEnd()));

      relay.reset();
      expect(await session.poll()).toEqual([]);
      expect(relay.down).toBeLessThan(2000);

      await other.mailboxOpen('INBOX');
      await other.messageFlagsAdd('1:30', ['\\Seen']);
      await other.messageDelete('5:9');
      await put(other, [71, 72]);
      expect(await session.poll()).toEqual([]);
      expect(taken(inlet)).toEqual(numbers(72));
      expect(inlet.heads).toHaveLength(72);

      await session.close();
      await put(other, [73]);
      await visited(relay.port, inlet);
      expect(taken(inlet)).toEqual(numbers(73));
      expect((await statusOf(other, 'INBOX')).unseen).toBe(73 - 30);
    });

    test('what is there is described in a few lines', async () => {
      const server = await start();
      onTestFinished(async () => await server.stop());
      const other = await otherClient(server.port, { user: USER, pass: PASSWORD });
      await put(other, numbers(3));
      const session = await opened(server.port, new MemoryInlet());
      const lines = await session.describe();
      expect(lines.join('\n')).toContain('3 mails in INBOX');
      expect((await statusOf(other, 'INBOX')).unseen).toBe(3);
    });
  });
}

async function put(other: ImapFlow, which: readonly number[]): Promise<void> {
  for (const nth of which) await other.append('INBOX', letter(nth), [], new Date());
}
