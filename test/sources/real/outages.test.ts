import { describe, expect, test } from 'vitest';
import { dovecotHere } from '../../servers/dovecot.ts';
import { MemoryInlet } from '../memory-inlet.ts';
import { dovecot, failure, letters, numbers, opened, person, taken, visited, wire } from './mailbox.ts';

const MAILS = 400;

describe.skipIf(!dovecotHere())('a mail server that goes away', () => {
  test('killed in the midst of a visit and started again: every mail is there once', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(MAILS));
    const inlet = new MemoryInlet();
    let puts = 0;
    inlet.before = async () => {
      puts += 1;
      if (puts === 2) await server.kill();
    };
    expect(await failure(visited(server.port, inlet))).toBe('away');
    const before = taken(inlet).length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(MAILS);
    expect(await failure(visited(server.port, inlet))).toBe('away');
    await server.again();
    const looked = inlet.heads.length;
    expect(await visited(server.port, inlet)).toEqual([]);
    expect(taken(inlet)).toEqual(numbers(MAILS));
    expect(inlet.heads.length - looked).toBe(MAILS - before);
  });

  test('cut at any place: every mail is there once, and what was put is not fetched again', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(MAILS));
    const relay = await wire(server.port);
    const inlet = new MemoryInlet();
    let at = 10;
    let cuts = 0;
    while (taken(inlet).length < MAILS && cuts < 60) {
      relay.cutAfter(at);
      const kind = await failure(visited(relay.port, inlet));
      if (kind === 'none') break;
      expect(kind).toBe('away');
      cuts += 1;
      at = Math.ceil(at * 1.35);
    }
    expect(cuts).toBeGreaterThan(10);
    expect(await visited(relay.port, inlet)).toEqual([]);
    expect(taken(inlet)).toEqual(numbers(MAILS));
  });

  test('a connection that waits for news hears of its end at once', async () => {
    const server = await dovecot();
    const relay = await wire(server.port);
    const session = await opened(relay.port, new MemoryInlet());
    await session.poll();
    const waits = failure(session.waitForNews());
    relay.cut();
    expect(await waits).toBe('away');
    expect(await failure(session.poll())).toBe('away');
  });

  test('a server that stands still holds nobody who wants to end', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(MAILS));
    const inlet = new MemoryInlet();
    const ending = new AbortController();
    const session = await opened(server.port, inlet, {}, ending.signal);
    inlet.before = () => server.freeze();
    const visit = failure(session.poll());
    await expect.poll(() => taken(inlet).length).toBeGreaterThan(0);
    const begun = performance.now();
    ending.abort();
    expect(await visit).toBe('away');
    expect(performance.now() - begun).toBeLessThan(2000);
    server.thaw();
    inlet.before = () => {};
    await visited(server.port, inlet);
    expect(taken(inlet)).toEqual(numbers(MAILS));
  });

  test('a disk that refuses leaves the cursor where it was', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(120));
    const inlet = new MemoryInlet();
    let puts = 0;
    inlet.before = () => {
      puts += 1;
      if (puts === 2) throw new Error('no space left');
    };
    await expect(visited(server.port, inlet)).rejects.toThrow('no space left');
    await visited(server.port, inlet);
    expect(taken(inlet)).toEqual(numbers(120));
  });

  test('an orderly end is an end as well', async () => {
    const server = await dovecot();
    const session = await opened(server.port, new MemoryInlet());
    await session.poll();
    const waits = failure(session.waitForNews());
    await server.halt();
    expect(await waits).toBe('away');
    await server.again();
    await (await person(server)).logout();
  });
});
