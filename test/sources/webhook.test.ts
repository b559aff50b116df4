import { execFile } from 'node:child_process';
import net from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { webhookSource } from '../../src/sources/webhook.ts';
import { Clock } from '../support/clock.ts';
import { Hook, statusOf, TestCredential, TICKET, TOKEN } from './hook.ts';
import { MemoryInlet } from './memory-inlet.ts';

const run = promisify(execFile);

describe('an event that is handed in', () => {
  test('is answered when it is put, with its own time or that at which it came', async () => {
    const clock = new Clock();
    const inlet = new MemoryInlet(clock.now);
    const put = Promise.withResolvers<void>();
    inlet.before = () => put.promise;
    const hook = await Hook.open(inlet);
    const asked = Math.floor(clock.now() / 1000) * 1000;
    let isAnswered = false;
    const answered = hook.post(TICKET).finally(() => {
      isAnswered = true;
    });
    await hook.raw('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(isAnswered).toBe(false);
    put.resolve();
    const answer = await answered;
    expect([answer.status, await answer.json()]).toEqual([202, { message: 'Accepted.', taken: 1, known: 0 }]);
    const [arrival] = inlet.arrivals;
    expect(arrival).toMatchObject({ content: { kind: 'event', event: { ...TICKET } } });
    expect((arrival?.at ?? 0) % 1000).toBe(0);
    expect(arrival?.at).toBeGreaterThanOrEqual(asked);
    expect(arrival?.at).toBeLessThanOrEqual(clock.now());
    expect(arrival?.key).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is known by its id when it comes once more', async () => {
    const inlet = new MemoryInlet();
    const hook = await Hook.open(inlet);
    expect((await hook.post(TICKET)).status).toBe(202);
    const again = await hook.post({ ...TICKET, text: 'other words' });
    expect([again.status, await again.json()]).toEqual([200, expect.objectContaining({ taken: 0, known: 1 })]);
    expect(inlet.arrivals).toHaveLength(1);
  });

  test('gets its id from the Idempotency-Key where it has none', async () => {
    const inlet = new MemoryInlet();
    const hook = await Hook.open(inlet);
    const { id: _, ...bare } = TICKET;
    const key = { 'idempotency-key': 'press-1' };
    expect((await hook.post(bare)).status).toBe(422);
    expect((await hook.post(bare, key)).status).toBe(202);
    expect((await hook.post(bare, key)).status).toBe(200);
    expect((await hook.post([bare, { ...bare, title: 'another' }, TICKET], key)).status).toBe(202);
    const ids = inlet.arrivals.map(({ content }) => (content?.kind === 'event' ? content.event.id : ''));
    expect(ids).toEqual(['press-1', 'press-1/1', 'press-1/2', 'ticket-17']);
  });

  test('comes in a list, all of it or none', async () => {
    const inlet = new MemoryInlet();
    const hook = await Hook.open(inlet);
    const list = [TICKET, { ...TICKET, id: 'ticket-18' }, TICKET];
    const answer = await hook.post(list);
    expect([answer.status, inlet.arrivals.length]).toEqual([202, 2]);
    const bad = await hook.post([
      { ...TICKET, id: '19' },
      { ...TICKET, id: '20', time: 'noon' },
    ]);
    expect(await bad.text()).toMatch(/Event 2: time must be a time with its zone/);
    expect([bad.status, inlet.arrivals.length]).toEqual([422, 2]);
    expect((await hook.post([])).status).toBe(422);
    expect((await hook.post(Array.from({ length: 51 }, (_, id) => ({ ...TICKET, id: `${id}` })))).status).toBe(422);
  });

  test('that the disk refuses is not taken, and is asked for again', async () => {
    const inlet = new MemoryInlet();
    inlet.before = () => Promise.reject(new Error('/secret/place is away'));
    const hook = await Hook.open(inlet);
    const answer = await hook.post(TICKET);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await answer.text()).not.toContain('secret');
    inlet.before = () => undefined;
    expect((await hook.post(TICKET)).status).toBe(202);
  });

  test('can be sent with the line that describes it', async () => {
    const inlet = new MemoryInlet();
    const hook = await Hook.open(inlet);
    const [, curl = ''] = await hook.session.describe();
    const { stdout } = await run('/bin/sh', ['-c', curl], { env: { ...process.env, TOKEN } });
    expect(JSON.parse(stdout)).toMatchObject({ taken: 1 });
    expect(inlet.arrivals).toHaveLength(1);
    expect(curl).not.toContain(TOKEN);
  });
});

describe('a request that is refused', () => {
  const own = `Authorization: Bearer ${TOKEN}`;
  const json = 'Content-Type: application/json';
  test.each([
    ['no token', ['Host: localhost', json, 'Content-Length: 0'], 401],
    ['a wrong token', ['Host: localhost', 'Authorization: Bearer nonsense', 'Content-Length: 0'], 401],
    ['no host', [own, json, 'Content-Length: 0'], 400],
    ['a host of somebody else', ['Host: rebound.example:8377', own, json, 'Content-Length: 0'], 400],
    ['an origin', ['Host: localhost', 'Origin: http://localhost:8377', own, json, 'Content-Length: 0'], 400],
    ['another type', ['Host: [::1]:8377', own, 'Content-Type: text/plain', 'Content-Length: 0'], 415],
    ['a compressed body', ['Host: localhost', own, json, 'Content-Encoding: gzip', 'Content-Length: 0'], 415],
    ['no length', ['Host: localhost', own, json, 'Transfer-Encoding: chunked'], 411],
    ['too much', ['Host: 127.0.0.1', own, json, 'Content-Length: 9000000'], 413],
    ['nothing', ['Host: localhost', own, json, 'Content-Length: 0'], 400],
  ])('for %s', async (_, head, status) => {
    const hook = await Hook.open();
    const said = await hook.head(...head);
    expect(statusOf(said)).toBe(status);
    expect(said).not.toContain(TOKEN);
    expect(said).toMatch(/\r\nConnection: close/i);
    expect(JSON.parse(said.slice(said.indexOf('\r\n\r\n'))).message).toMatch(/^[A-Z].*[.]$/);
  });

  test('for another place or method, with the right one', async () => {
    const hook = await Hook.open();
    const ask = (path: string, method: string) => fetch(new URL(path, hook.url), { method });
    expect((await ask('/', 'GET')).status).toBe(404);
    expect((await ask('/events?x=1', 'POST')).status).toBe(404);
    const other = await ask('/events', 'GET');
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await ask('/health', 'POST')).status).toBe(405);
  });

  test('health is answered without a token, and says nothing', async () => {
    const hook = await Hook.open();
    const answer = await fetch(new URL('/health', hook.url));
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test('for a field, which is named without its value', async () => {
    const hook = await Hook.open();
    const answer = await hook.post({ ...TICKET, payment: { amount: 'seventeen-hundred', currency: 'EUR' } });
    expect(answer.status).toBe(422);
    const { message } = (await answer.json()) as { message: string };
    expect(message).toBe('The event: payment.amount must be a sum such as -12.50.');
  });

  test('for more than sixty in a minute or a thousand in an hour, with the time to wait', async () => {
    const clock = new Clock();
    const hook = await Hook.open(new MemoryInlet(clock.now));
    for (let nth = 0; nth < 60; nth += 1) await (await hook.post(TICKET)).arrayBuffer();
    const answer = await hook.post(TICKET);
    expect(answer.status).toBe(429);
    // A busy machine needs a few seconds for sixty requests.
    expect(answer.headers.get('retry-after')).toMatch(/^(?:5\d|60)$/);
    clock.move(60_000);
    expect((await hook.post(TICKET)).status).toBe(200);
  });

  test('for a body over 256 KiB that is sent whole: its sender gets to read why', async () => {
    const hook = await Hook.open();
    const answer = await hook.post({ ...TICKET, text: 'x'.repeat(300_000) });
    expect(answer.status).toBe(413);
  });
});

describe('the token', () => {
  test('that could be guessed is refused at the start, and says how to make one', async () => {
    const credential = new TestCredential();
    credential.token = 'short-token';
    const opened = Hook.open(new MemoryInlet(), credential);
    await expect(opened).rejects.toMatchObject({
      kind: 'setup',
      hint: expect.stringContaining('openssl rand -hex 24'),
    });
    await expect(opened).rejects.not.toThrow(/short-token/);
  });

  test('that was changed holds after a minute, and is asked for once a minute at most', async () => {
    const clock = new Clock();
    const credential = new TestCredential();
    const hook = await Hook.open(new MemoryInlet(clock.now), credential);
    credential.token = 'another-made-up-0123456789abcdef';
    expect((await hook.post(TICKET)).status).toBe(202);
    clock.move(60_000);
    const all = await Promise.all([hook.post(TICKET), hook.post(TICKET)]);
    expect(all.map(({ status }) => status)).toEqual([401, 401]);
    expect((await hook.post(TICKET, { authorization: `Bearer ${credential.token}` })).status).toBe(200);
    expect(credential.asked).toBe(2);
  });

  test('that is gone ends the session, and the sender is told to wait', async () => {
    const clock = new Clock();
    const credential = new TestCredential();
    const hook = await Hook.open(new MemoryInlet(clock.now), credential);
    credential.token = '';
    clock.move(60_000);
    const news = hook.session.waitForNews();
    expect((await hook.post(TICKET)).status).toBe(503);
    await expect(news).rejects.toMatchObject({ kind: 'setup' });
  });

  test('that was wrong is told to a person, until an hour has passed without one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const clock = new Clock();
      const hook = await Hook.open(new MemoryInlet(clock.now));
      expect(await hook.session.poll()).toEqual([]);
      const news = hook.session.waitForNews();
      await hook.raw('POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
      await news;
      expect(await hook.session.poll()).toMatchObject([
        { message: expect.stringContaining('once with a wrong token') },
      ]);
      const over = hook.session.waitForNews();
      clock.move(3_600_000);
      vi.advanceTimersByTime(3_600_000);
      await over;
      expect(await hook.session.poll()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the port', () => {
  test('that is taken is said, with who might have it', async () => {
    const hook = await Hook.open();
    await expect(Hook.open(new MemoryInlet(), new TestCredential(), hook.port)).rejects.toMatchObject({
      kind: 'setup',
      message: `Port ${hook.port} of this machine is in use.`,
      hint: expect.stringContaining(`ss -ltnp 'sport = :${hook.port}'`),
    });
  });

  test('is free again when the session is closed or aborted, whoever is connected', async () => {
    const abort = new AbortController();
    const parts = { settings: { port: 0 }, credential: new TestCredential() };
    const session = await webhookSource(parts).open(new MemoryInlet(), abort.signal);
    const [address = ''] = await session.describe();
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(address)?.[1]);
    const socket = net.connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    abort.abort();
    await ended;
    const next = await Hook.open(new MemoryInlet(), new TestCredential(), port);
    expect(next.port).toBe(port);
    await session.close();
  });
});

test('an event that cannot be kept is told to the person, until one is kept again', async () => {
  const inlet = new MemoryInlet();
  const hook = await Hook.open(inlet);
  inlet.before = () => Promise.reject(new Error('stream/hook is no folder'));
  const news = hook.session.waitForNews();
  expect((await hook.post(TICKET)).status).toBe(503);
  await news;
  expect(await hook.session.poll()).toMatchObject([
    { message: "The last event couldn't be stored: stream/hook is no folder." },
  ]);
  inlet.before = () => {};
  expect((await hook.post(TICKET)).status).toBe(202);
  await hook.session.waitForNews();
  expect(await hook.session.poll()).toEqual([]);
});

test('a program that would rather speak HTTP/2 is answered all the same', async () => {
  const inlet = new MemoryInlet();
  const hook = await Hook.open(inlet);
  const body = JSON.stringify(TICKET);
  const own = [`Authorization: Bearer ${TOKEN}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
  const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'];
  const said = await hook.raw(['POST /events HTTP/1.1', 'Host: localhost', ...upgrade, ...own, '', body].join('\r\n'));
  expect(statusOf(said)).toBe(202);
  expect(inlet.arrivals).toHaveLength(1);
});

test('an error that nobody foresaw in answering a request is a problem, until a request is answered again', async () => {
  const inlet = new MemoryInlet();
  const hook = await Hook.open(inlet);
  vi.spyOn(inlet, 'now').mockImplementationOnce(() => {
    throw new TypeError(`not foreseen ${TOKEN}`);
  });
  expect((await hook.post(TICKET)).status).toBe(500);
  expect(await hook.session.poll()).toEqual([
    expect.objectContaining({
      message: 'A request ended with an unexpected error (TypeError); no event was accepted.',
    }),
  ]);
  expect((await hook.post(TICKET)).status).toBe(202);
  expect(await hook.session.poll()).toEqual([]);
});
