import { describe, expect } from 'vitest';
import { MBOX } from '../../src/streams/kinds.ts';
import { unquoted } from '../../src/streams/mbox.ts';
import type { ByteSource, Item, ReadContext } from '../../src/streams/stream.ts';
import { type ReadItem, readAll, sourceOf } from '../streams/read-all.ts';
import { inMailbox } from '../support/mailbox.ts';
import { bestTime } from '../support/own-time.ts';
import { attack } from './attack.ts';

const MIB = 1024 * 1024;
const SERVER = 'mx.home.example';
const VOUCHED = `Authentication-Results: ${SERVER}; dmarc=pass header.from=notary.example\n`;
const DEED = `From: anna@notary.example\nSubject: The deed\nMessage-ID: <deed@notary.example>\nDate: Thu, 1 Mar 2035 08:00:00 +0000\n\nThe deed has been signed.\n`;
const FORGED = `From thief@evil.example Thu Mar  1 08:00:00 2035\n${VOUCHED}${DEED}`;

async function readBox(...mails: readonly string[]): Promise<ReadItem[]> {
  return readAll(MBOX, Buffer.from(mails.join('')), { trustedServers: [SERVER] });
}

const sendersOf = (items: readonly ReadItem[]) =>
  items.map(({ content }) => (content.what === 'event' ? content.event.from : content.what));
const identityOf = ({ content }: ReadItem) => (content.what === 'event' ? content.identity : null);

describe('a mail that is to keep another from being read', () => {
  for (const [means, forged] of [
    ['other words', DEED.replace('been signed', 'been put off')],
    ['an earlier date', DEED.replace('2035', '2001')],
    ['another subject', DEED.replace('The deed', 'Holidays')],
    ['another sender', DEED.replace('anna@', 'eve@')],
    ['its words made a quotation', DEED.replace('The deed has', '> The deed has')],
    ['a mark that it is from a list', `List-Id: <all.lists.example>\n${DEED}`],
    ['several Message-IDs', `Message-ID: <other@evil.example>\n${DEED}`],
  ] as const) {
    attack(
      {
        attacker: 'a sender',
        means: `the Message-ID of a mail that is to come, with ${means}`,
        loss: 'the mail counts as read before it was',
        defence: 'what decides how a mail is read is part of its identity',
      },
      async () => {
        const [first, second] = await readBox(inMailbox(forged), inMailbox(DEED));
        expect(identityOf(first as ReadItem)).not.toEqual(identityOf(second as ReadItem));
      },
    );
  }

  attack(
    {
      attacker: 'a sender',
      means: 'a Content-Length that reaches over the mails behind',
      loss: 'they are taken for its own text',
      defence: 'a count is believed only where the mails before and behind have one that is right',
    },
    async () => {
      const next = inMailbox('From: lena@garden.example\n\nThe hedge has been cut.');
      const last = inMailbox('From: sam@home.example\n\nhi');
      for (const more of [0, 1, next.length]) {
        const mail = `From: thief@evil.example\nContent-Length: ${3 + more}\n\nhi\n`;
        const items = await readBox(inMailbox(mail), next, last);
        expect(sendersOf(items)).toEqual(['thief@evil.example', 'lena@garden.example', 'sam@home.example']);
      }
    },
  );
});

describe('a mail within a mail', () => {
  attack(
    {
      attacker: 'a sender',
      means: 'a text that looks like the next mail of the mailbox, vouched for by a trusted server',
      loss: 'it is taken for a mail of its own, and acted upon',
      defence: 'mail programs quote such lines, and they stay part of the text',
    },
    async () => {
      const items = await readBox(inMailbox(`From: thief@evil.example\n\nhi\n\n${FORGED}`), inMailbox(DEED));
      expect(sendersOf(items)).toEqual(['thief@evil.example', 'anna@notary.example']);
      expect(items[1]?.content).toMatchObject({ event: { authentication: { result: 'none' } } });
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'the same in a mailbox whose program does not quote, and counts bytes instead',
      loss: 'it is taken for a mail of its own, and acted upon',
      defence: 'the counted bytes are one mail, which is doubted since another seems to begin in it',
    },
    async () => {
      const counted = (from: string, body: string) =>
        `From ${from} Thu Mar  1 08:00:00 2035\nFrom: ${from}\nContent-Length: ${body.length}\n\n${body}\n`;
      const items = await readBox(
        counted('thief@evil.example', `hi\n\n${FORGED}`),
        counted('sam@home.example', 'hi\n'),
      );
      expect(sendersOf(items)).toEqual(['thief@evil.example', 'sam@home.example']);
      expect(items[0]?.content).toMatchObject({
        event: { authentication: { result: 'none' }, doubts: [expect.stringContaining('Another mail seems to begin')] },
      });
    },
  );
});

describe('a mailbox that is made to be slow or large', () => {
  for (const [means, line] of [
    ['beginnings that are none', '\n\nFrom \n'],
    ['postmarks without a mail', '\n\nFrom a@b.example Thu Mar  1 08:00:00 2035\nx'],
    ['empty mails', 'From a@b.example Thu Mar  1 08:00:00 2035\n\n'],
    ['one line of quotation marks', '>'],
    ['quoted lines', '>From \n'],
    ['blank lines', '\n'],
    ['line ends of the other kind', '\r\n'],
  ] as const) {
    attack(
      {
        attacker: 'a sync peer',
        means: `a mailbox of nothing but ${means}`,
        loss: 'nothing else is read while it lasts',
        defence: 'it takes time in proportion to its size',
      },
      async () => {
        const read = await MBOX.load();
        const timeOf = (size: number) => {
          const start = 'From a@b.example Thu Mar  1 08:00:00 2035\nFrom: a@b.example\n\n';
          const bytes = Buffer.from(`${start}${line.repeat(size / line.length)}>From `);
          return bestTime(() => {
            unquoted(bytes, 0);
            for (const _ of syncItems(read(sourceOf(bytes), 0, DOOR)));
          });
        };
        expect(timeOf(2 * MIB)).toBeLessThan(8 * timeOf(MIB / 2) + 100);
      },
    );
  }

  attack(
    {
      attacker: 'a sender',
      means: 'one mail of 600 MB among others',
      loss: 'the process that reads the mailbox ends for want of memory',
      defence: 'at no time more than a mail of the largest size is in memory, and the others are read',
    },
    async () => {
      const [before, after] = [
        Buffer.from(inMailbox(DEED)),
        Buffer.from(`\n\n${inMailbox('From: sam@home.example\n\nhi')}`),
      ];
      const source = new Hollow(before, 600 * MIB, after);
      const items: string[] = [];
      for (const item of syncItems((await MBOX.load())(source, 0, DOOR))) {
        const content = await item.read();
        items.push(content.what === 'refused' ? content.reason : content.what);
      }
      expect(items).toEqual(['event', 'The mail has 600.0 MiB; at most 10 MiB are read.', 'event']);
      expect(source.most).toBeLessThan(2 * MIB);
    },
  );
});

/** A mailbox with a mail in its middle that takes no place anywhere. */
class Hollow implements ByteSource {
  readonly size: number;
  most = 0;
  readonly #parts: readonly [Buffer, Buffer];

  constructor(before: Buffer, hollow: number, after: Buffer) {
    const head = Buffer.from('From a@b.example Thu Mar  1 08:00:00 2035\nFrom: a@b.example\n\n');
    this.#parts = [Buffer.concat([before, head]), after];
    this.size = before.length + head.length + hollow + after.length;
  }

  read(at: number, length: number): Uint8Array {
    this.most = Math.max(this.most, length);
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.size - at)), 'x');
    const [before, after] = this.#parts;
    if (at < before.length) before.copy(bytes, 0, at);
    const start = this.size - after.length;
    if (at + bytes.length > start) after.copy(bytes, Math.max(0, start - at), Math.max(0, at - start));
    return bytes;
  }
}

/** The items of a reader that needs to wait for nothing. */
function syncItems(items: Iterable<Item> | AsyncIterable<Item>): Iterable<Item> {
  if (!(Symbol.iterator in items)) throw new Error('it waits');
  return items;
}

const DOOR: ReadContext = { file: 'stream/a.mbox', sourceType: 'mail', trustedServers: [], zone: 'UTC', now: 0 };
