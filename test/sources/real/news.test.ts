import { describe, expect, onTestFinished, test } from 'vitest';
import type { Session } from '../../../src/sources/source.ts';
import { dovecotHere } from '../../servers/dovecot.ts';
import { GreenMail, greenmailHere } from '../../servers/greenmail.ts';
import { PASSWORD, USER } from '../../servers/local-server.ts';
import { otherClient } from '../../servers/other-client.ts';
import { MemoryInlet } from '../memory-inlet.ts';
import { dovecot, letter, letters, numbers, opened, person, taken } from './mailbox.ts';

const SOON_MS = 10_000;

describe.skipIf(!dovecotHere())('news of a Dovecot', () => {
  test('a mail that comes in is there within a moment, again and again', async () => {
    const server = await dovecot();
    const inlet = new MemoryInlet();
    const session = await opened(server.port, inlet);
    await session.poll();
    const other = await person(server);
    const took: number[] = [];
    for (const nth of numbers(5))
      took.push(await between(session, async () => await other.append('INBOX', letter(nth))));
    expect(taken(inlet)).toEqual(numbers(5));
    console.log(`from delivery to put: ${took.map(Math.round).join(', ')} ms`);
  });

  test('a mail that is laid on the disk of the server is heard of as well', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(1));
    const inlet = new MemoryInlet();
    const session = await opened(server.port, inlet);
    await session.poll();
    await between(session, async () => server.maildir().lay([{ bytes: letter(2), at: Date.now() }]));
    expect(taken(inlet)).toEqual([1, 2]);
  });

  test('a mail that comes in between a visit and the wait for news is not missed', async () => {
    const server = await dovecot();
    const inlet = new MemoryInlet();
    const session = await opened(server.port, inlet);
    await session.poll();
    await (await person(server)).append('INBOX', letter(1));
    await within(session.waitForNews());
    await session.poll();
    expect(taken(inlet)).toEqual([1]);
  });

  test('a server without IDLE tells no news, and loses none', async () => {
    const server = await dovecot({ without: ['IDLE'] });
    const inlet = new MemoryInlet();
    const session = await opened(server.port, inlet);
    await session.poll();
    void session.waitForNews().catch(() => {});
    await (await person(server)).append('INBOX', letter(1));
    await session.poll();
    expect(taken(inlet)).toEqual([1]);
    expect(server.commands().filter((one) => one.startsWith('IDLE'))).toEqual([]);
  });
});

describe.skipIf(!greenmailHere())('news of a GreenMail', () => {
  test('a mail that comes in is there within a moment', async () => {
    const server = await GreenMail.start();
    onTestFinished(async () => await server.stop());
    const inlet = new MemoryInlet();
    const session = await opened(server.port, inlet);
    await session.poll();
    const other = await otherClient(server.port, { user: USER, pass: PASSWORD });
    await between(session, async () => await other.append('INBOX', letter(1)));
    expect(taken(inlet)).toEqual([1]);
  });
});

/** Waits for news while something is done, and then visits. Returns how long all that took from the doing on. */
async function between(session: Session, doing: () => Promise<unknown>): Promise<number> {
  const news = session.waitForNews();
  const begun = performance.now();
  await doing();
  await within(news);
  await session.poll();
  return performance.now() - begun;
}

async function within(news: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no news')), SOON_MS);
  await Promise.race([news, promise]).finally(() => clearTimeout(timer));
}
