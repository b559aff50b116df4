import { describe, expect, test } from 'vitest';
import { dovecotHere } from '../../servers/dovecot.ts';
import { MemoryInlet } from '../memory-inlet.ts';
import { dovecot, failure, letters, numbers, opened, taken, visited, wire } from './mailbox.ts';

const MAILS = 120;
const MIB = 1024 * 1024;

describe.skipIf(!dovecotHere())('a wire that is slow, silent or loud', () => {
  test('answers that come drop by drop: it is given up in time, and later all is there once', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(MAILS));
    const relay = await wire(server.port);
    const inlet = new MemoryInlet();
    relay.drip(1, 5);
    expect(await failure(visited(relay.port, inlet, { limits: { loginMs: 600 } }))).toBe('away');
    relay.flow();
    const session = await opened(relay.port, inlet, { limits: { batchMs: 1000 } });
    inlet.before = () => relay.drip(1, 5);
    expect(await failure(session.poll())).toBe('away');
    relay.flow();
    inlet.before = () => {};
    await visited(relay.port, inlet);
    expect(taken(inlet)).toEqual(numbers(MAILS));
  });

  test('a slow line is no reason to give up', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(20));
    const relay = await wire(server.port);
    relay.drip(400, 5);
    const inlet = new MemoryInlet();
    expect(await visited(relay.port, inlet)).toEqual([]);
    expect(taken(inlet)).toEqual(numbers(20));
  });

  test('a wire that falls silent before the greeting, and in the midst of a visit', async () => {
    const server = await dovecot();
    server.maildir().lay(letters(MAILS));
    const relay = await wire(server.port);
    const inlet = new MemoryInlet();
    relay.stall();
    expect(await failure(visited(relay.port, inlet, { limits: { greetingMs: 300 } }))).toBe('away');
    relay.flow();
    const session = await opened(relay.port, inlet, { limits: { batchMs: 500 } });
    inlet.before = () => relay.stall();
    expect(await failure(session.poll())).toBe('away');
    relay.flow();
    inlet.before = () => {};
    await visited(relay.port, inlet);
    expect(taken(inlet)).toEqual(numbers(MAILS));
  });

  test('a connection that died while nothing was asked is given up soon, not after the time of a whole batch', async () => {
    const server = await dovecot();
    const relay = await wire(server.port);
    const session = await opened(relay.port, new MemoryInlet(), { limits: { signMs: 300 } });
    await session.poll();
    relay.stall();
    expect(await failure(session.poll())).toBe('away');
  });

  test.each<[string, string]>([
    ['lines that tell nothing', `* OK ${'noise '.repeat(100)}\r\n`],
    ['a line without an end', 'x'.repeat(16_384)],
    ['news that are none', '* 9 EXISTS\r\n* 9 RECENT\r\n'.repeat(200)],
    ['a mail that nobody asked for', `* 1 FETCH (UID 1 BODY[] {99999999}\r\n${'x'.repeat(60_000)}`],
  ])('a flood of %s ends the connection and costs little', async (_, piece) => {
    const server = await dovecot();
    server.maildir().lay(letters(3));
    const relay = await wire(server.port);
    const inlet = new MemoryInlet();
    const session = await opened(relay.port, inlet);
    await session.poll();
    const news = failure(session.waitForNews());
    const before = process.memoryUsage().rss;
    const took = await relay.flood(piece, (64 * MIB) / piece.length);
    expect(['strange', 'none']).toContain(await news);
    expect(['strange', 'away']).toContain(await failure(session.poll()));
    expect(took).toBeLessThan(40 * MIB);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
    await visited(relay.port, inlet);
    expect(taken(inlet)).toEqual(numbers(3));
  });
});
