import net from 'node:net';
import { expect, onTestFinished, vi } from 'vitest';
import { Hook, statusOf, TestCredential, TICKET, TOKEN } from '../sources/hook.ts';
import { MemoryInlet } from '../sources/memory-inlet.ts';
import { Clock } from '../support/clock.ts';
import { attack } from './attack.ts';

const USER = { attacker: 'another local user' } as const;
const PAGE = { attacker: 'another program' } as const;
const PHONE = { attacker: 'a sender' } as const;

const LENGTH = Buffer.byteLength(JSON.stringify(TICKET));
const OWN = [`Authorization: Bearer ${TOKEN}`, 'Content-Type: application/json', `Content-Length: ${LENGTH}`];

/** A connection on which nothing whole is ever said. */
function dripping(hook: Hook, said: string): Promise<{ ended: Promise<string> }> {
  const socket = net.connect(hook.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket
    .on('error', () => undefined)
    .on('data', (part) => {
      answer += part;
    });
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)));
  return new Promise((resolve) => socket.once('connect', () => socket.write(said, () => resolve({ ended }))));
}

attack(
  {
    ...USER,
    means: 'one token after the other at the port, as fast as it answers',
    loss: 'the token is found, or the phone that has it is held back',
    defence: 'a token has at least 32 characters, wrong ones delay nothing, and a person is told of them',
  },
  async () => {
    const inlet = new MemoryInlet();
    const hook = await Hook.open(inlet);
    const guesses = Array.from({ length: 12 }, (_, nth) => hook.post(TICKET, { authorization: `Bearer guess-${nth}` }));
    const phone = await hook.post(TICKET);
    expect(phone.status).toBe(202);
    const answers = await Promise.all(guesses);
    expect(answers.map(({ status }) => status)).toEqual(guesses.map(() => 401));
    const said = (await Promise.all(answers.map((one) => one.text()))).join('\n');
    expect(said).not.toMatch(/guess-|made-up/);
    const [problem] = await hook.session.poll();
    expect(problem?.message).toBe('Somebody asked the webhook 12 times with a wrong token or without one.');
    expect(inlet.arrivals).toHaveLength(1);
  },
);

attack(
  {
    ...USER,
    means: 'sixteen connections on which heads and bodies drip for ever',
    loss: 'nobody else is heard any more',
    defence: 'a request is there as a whole after 15 s, or its connection is ended',
  },
  async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const inlet = new MemoryInlet();
    const hook = await Hook.open(inlet);
    const half = ['POST /events HTTP/1.1', 'Host: localhost', ...OWN, '', '{'].join('\r\n');
    const drips = await Promise.all(
      Array.from({ length: 16 }, (_, nth) => dripping(hook, nth % 2 === 0 ? 'POST /events HTTP/1.1\r\nX: y' : half)),
    );
    await expect(hook.post(TICKET)).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(15_000);
    const ended = await Promise.all(drips.map((one) => one.ended));
    expect(new Set(ended.map(statusOf))).toEqual(new Set([408]));
    expect((await hook.post(TICKET)).status).toBe(202);
    expect(inlet.arrivals).toHaveLength(1);
  },
);

attack(
  {
    ...USER,
    means: 'heads without end, two lengths at once, a second request behind the first, JSON as deep as it is long',
    loss: 'memory, the daemon, or an event that nobody with the token sent',
    defence: 'heads of 8 KiB, bodies of 256 KiB, one request a connection, a strict parser',
  },
  async () => {
    const inlet = new MemoryInlet();
    const hook = await Hook.open(inlet);
    expect(statusOf(await hook.head('Host: localhost', `X: ${'x'.repeat(10_000)}`))).toBe(431);
    expect(statusOf(await hook.head('Host: localhost', ...OWN, 'Transfer-Encoding: chunked'))).toBe(400);
    expect(statusOf(await hook.head('Host: localhost', 'Content-Length: 1', 'Content-Length: 2'))).toBe(400);
    expect(statusOf(await hook.raw('\u0016\u0003\u0001\u0002\u0000'))).toBe(400);
    expect(statusOf(await hook.head('Host: localhost', 'Upgrade: websocket', 'Connection: Upgrade'))).toBe(401);
    const request = ['Host: localhost', ...OWN, '', JSON.stringify(TICKET)].join('\r\n');
    const behind = request.replace(TICKET.id, 'ticket-18');
    const two = await hook.raw(`POST /events HTTP/1.1\r\n${request}POST /events HTTP/1.1\r\n${behind}`);
    expect(two.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    const deep = '['.repeat(120_000);
    const answer = await fetch(hook.url, {
      method: 'POST',
      body: deep,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect((await hook.post({ ...TICKET, __proto__: { id: 'x' }, constructor: 1 })).status).toBe(422);
    expect(inlet.arrivals).toHaveLength(1);
  },
);

attack(
  {
    ...USER,
    means: 'a program of their own at the port before the daemon starts',
    loss: 'it is taken for the webhook, and gets events and the token',
    defence: 'that the port is taken is trouble of the source, which says not to send a token there',
  },
  async () => {
    const squatter = net.createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void squatter.close());
    await new Promise((resolve) => squatter.once('listening', resolve));
    const address = squatter.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    await expect(Hook.open(new MemoryInlet(), new TestCredential(), port)).rejects.toMatchObject({
      kind: 'setup',
      hint: expect.stringContaining("Don't send a token there until you know"),
    });
  },
);

attack(
  {
    ...PAGE,
    means: "a web page in the person's browser that posts forms, asks first, or has its own name lead to 127.0.0.1",
    loss: 'events from any page that is open, or a page that learns what is there',
    defence: 'another host name, an Origin and another content type are refused, and nothing is allowed to pages',
  },
  async () => {
    const inlet = new MemoryInlet();
    const hook = await Hook.open(inlet);
    const rebound = await hook.head(`Host: rebound.example:${hook.port}`, ...OWN, '', JSON.stringify(TICKET));
    const page = await hook.head('Host: localhost', 'Origin: https://page.example', ...OWN, '', JSON.stringify(TICKET));
    const nobody = await hook.head('Host: localhost', 'Origin: null', ...OWN, '', JSON.stringify(TICKET));
    const form = await hook.head('Host: localhost', OWN[0] ?? '', 'Content-Type: text/plain', 'Content-Length: 0');
    const site = await hook.raw('GET /health HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n');
    const first = await hook.raw(
      'OPTIONS /events HTTP/1.1\r\nHost: localhost\r\nAccess-Control-Request-Method: POST\r\n\r\n',
    );
    const all = [rebound, page, nobody, form, site, first];
    expect(all.map(statusOf)).toEqual([400, 400, 400, 415, 400, 405]);
    expect(all.join('\n')).not.toMatch(/access-control|page\.example|rebound/i);
    expect(inlet.arrivals).toEqual([]);
  },
);

attack(
  {
    ...PHONE,
    means: 'a phone with the token that was stolen, and sends all it can',
    loss: 'the vault is filled, or the thief goes on after the token was changed',
    defence: 'sixty requests a minute and a thousand an hour; another token holds after a minute at most',
  },
  async () => {
    const clock = new Clock();
    const credential = new TestCredential();
    const inlet = new MemoryInlet(clock.now);
    const hook = await Hook.open(inlet, credential);
    const send = async (nth: number) => (await hook.post({ ...TICKET, id: `${nth}` })).status;
    let taken = 0;
    for (let minute = 0; minute < 20; minute += 1) {
      for (let nth = 0; nth < 61; nth += 1) if ((await send(minute * 100 + nth)) === 202) taken += 1;
      clock.move(60_000);
    }
    expect([taken, inlet.arrivals.length]).toEqual([1000, 1000]);
    credential.token = 'another-made-up-0123456789abcdef';
    clock.move(3_600_000);
    expect(await send(1_000_000)).toBe(401);
  },
);
