import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import type { ImapFlow } from 'imapflow';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Proof } from './certificates.ts';
import { Dovecot, dovecotHere } from './dovecot.ts';
import { GreenMail, greenmailHere } from './greenmail.ts';
import { PASSWORD, USER } from './local-server.ts';
import { otherClient, statusOf } from './other-client.ts';
import { Radicale, radicaleHere } from './radicale.ts';
import { Relay } from './relay.ts';
import { TokenServer } from './token-server.ts';

const MAIL =
  'From: Rosa <rosa@gartenbau.example>\r\nSubject: Hello\r\nMessage-ID: <1@gartenbau.example>\r\n\r\nDone.\r\n';

const SERVERS = { Dovecot: dovecotHere(), Radicale: radicaleHere(), GreenMail: greenmailHere() };
const missing = Object.entries(SERVERS).flatMap(([name, isHere]) => (isHere ? [] : [name]));
if (missing.length > 0)
  console.log(`*** NO ${missing.join(', NO ').toUpperCase()} on this machine: what is tested with it is left out. ***`);

describe.skipIf(!dovecotHere())('Dovecot', () => {
  test('starts, answers, stops, and leaves no process and no file', async () => {
    const server = await started();
    const client = await connected(server.port);
    expect(client.capabilities.has('CONDSTORE')).toBe(true);
    await client.logout();
    await server.stop();
    expect(server.isRunning).toBe(false);
    expect(fs.existsSync(server.folder)).toBe(false);
    await expect(connected(server.port)).rejects.toThrow();
  });

  test('holds back what it is told to', async () => {
    const server = await started({ without: ['IDLE', 'CONDSTORE', 'QRESYNC'] });
    const client = await connected(server.port);
    expect(['IDLE', 'CONDSTORE', 'QRESYNC', 'UIDPLUS'].map((name) => client.capabilities.has(name))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test('shows mails that are laid on its disk, and what clients asked for', async () => {
    const server = await started();
    const at = Date.parse('2026-11-20T09:00:00Z');
    server.maildir().lay([{ bytes: MAIL, at }]);
    server.maildir().lay([{ bytes: MAIL, at, isSeen: true }], 'Bills');
    const client = await connected(server.port);
    expect(await statusOf(client, 'INBOX')).toMatchObject({ messages: 1, unseen: 1 });
    expect(await statusOf(client, 'Bills')).toMatchObject({ messages: 1, unseen: 0 });
    await client.mailboxOpen('INBOX');
    expect(await client.fetchOne('*', { internalDate: true })).toMatchObject({ internalDate: new Date(at) });
    await client.logout();
    const asked = server.commands().map((one) => one.split(' ')[0]);
    expect(asked.filter((one) => ['STATUS', 'SELECT', 'FETCH'].includes(one ?? ''))).toEqual([
      ...['STATUS', 'STATUS', 'SELECT', 'FETCH'],
    ]);
    expect(server.maildir().names('Bills')[0]).toMatch(/:2,S$/);
  });

  test('numbers a folder anew', async () => {
    const server = await started();
    server.maildir().lay([{ bytes: MAIL, at: Date.parse('2026-11-20T09:00:00Z') }]);
    const seen = await numbering(server);
    await server.halt();
    server.maildir().renumber();
    await server.again();
    expect(await numbering(server)).toEqual({ uidValidity: (seen.uidValidity ?? 0n) + 1n, uidNext: 2, messages: 1 });
  });

  test('is killed at once, and started again with what it had', async () => {
    const server = await started();
    const client = await connected(server.port);
    await client.append('INBOX', MAIL);
    const closed = new Promise((resolve) => client.once('close', resolve));
    await server.kill();
    await closed;
    expect(server.isRunning).toBe(false);
    await server.again();
    expect(await numbering(server)).toMatchObject({ messages: 1 });
  });

  test('counts logins that it grants and refuses', async () => {
    const server = await started();
    await expect(connected(server.port, { user: USER, pass: 'wrong' })).rejects.toThrow();
    await connected(server.port);
    await expect.poll(() => server.logins()).toEqual({ refused: 1, granted: 1 });
  });

  test('takes a token that is good, and no other', async () => {
    const tokens = await TokenServer.start();
    onTestFinished(async () => await tokens.stop());
    tokens.good.set('made-up-token', USER);
    const server = await started({ tokenPort: tokens.port });
    await otherClient(server.port, { user: USER, accessToken: 'made-up-token' });
    await expect(otherClient(server.port, { user: USER, accessToken: 'another' })).rejects.toThrow();
    expect(tokens.asked).toBeGreaterThanOrEqual(2);
  });

  test.each<[Proof, string | null]>([
    ['good', null],
    ['expired', 'CERT_HAS_EXPIRED'],
    ['wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['foreign', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ])('shows a certificate that is %s', async (proof, code) => {
    const server = await started({}, proof);
    const shown = await handshake(server.tlsPort, server.issuer.cert);
    expect(shown).toBe(code);
  });

  test('keeps its mails in another form', async () => {
    const server = await started({ storage: 'sdbox' });
    const client = await connected(server.port);
    await client.append('INBOX', MAIL);
    expect(await statusOf(client, 'INBOX')).toMatchObject({ messages: 1 });
  });
});

describe.skipIf(!radicaleHere())('Radicale', () => {
  test('starts, answers, stops, and leaves no process and no file', async () => {
    const server = await Radicale.start();
    onTestFinished(async () => await server.stop());
    await server.calendar('home', 'Home');
    const entry = ['BEGIN:VEVENT', 'UID:one', 'DTSTAMP:20261101T080000Z', 'DTSTART:20261201T090000Z', 'END:VEVENT'];
    const whole = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:made up', ...entry, 'END:VCALENDAR', ''].join('\r\n');
    await server.put('home', 'one', whole);
    expect(await (await server.ask('GET', 'home/one.ics')).text()).toContain('DTSTART:20261201T090000Z');
    await server.again();
    await server.remove('home', 'one');
    await expect(server.ask('GET', 'home/one.ics')).rejects.toThrow('404');
    await server.stop();
    expect([server.isRunning, fs.existsSync(server.folder)]).toEqual([false, false]);
  });
});

describe.skipIf(!greenmailHere())('GreenMail', () => {
  test('starts, answers without CONDSTORE, stops, and leaves no process and no file', async () => {
    const server = await GreenMail.start();
    onTestFinished(async () => await server.stop());
    const client = await connected(server.port, { user: server.user, pass: server.password });
    await client.append('INBOX', MAIL);
    expect(await statusOf(client, 'INBOX')).toMatchObject({ messages: 1 });
    expect(client.capabilities.has('CONDSTORE')).toBe(false);
    await server.stop();
    expect([server.isRunning, fs.existsSync(server.folder)]).toEqual([false, false]);
  });
});

describe('the relay', () => {
  test('counts both ways, and can cut, stall and drip', async () => {
    const echo = net.createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
    onTestFinished(() => void echo.close());
    await new Promise((resolve) => echo.once('listening', resolve));
    const address = echo.address();
    const relay = await Relay.open(typeof address === 'object' ? (address?.port ?? 0) : 0);
    onTestFinished(async () => await relay.close());
    const socket = net.connect(relay.port, '127.0.0.1');
    let heard = '';
    socket.on('data', (bytes) => {
      heard += String(bytes);
    });
    socket.write('hello');
    await expect.poll(() => heard).toBe('hello');
    expect([relay.connections, relay.up, relay.down, relay.said()]).toEqual([1, 5, 5, 'hello']);
    relay.drip(1, 5);
    socket.write('drop by drop');
    await expect.poll(() => heard.length).toBeGreaterThan(6);
    expect(heard.length).toBeLessThan(17);
    relay.stall();
    relay.flow();
    await expect.poll(() => heard).toBe('hellodrop by drop');
    expect(await relay.flood('* noise\r\n', 3)).toBe(27);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    relay.cut();
    await ended;
  });
});

async function started(traits: Parameters<typeof Dovecot.start>[0] = {}, proof: Proof = 'good'): Promise<Dovecot> {
  const server = await Dovecot.start(traits, proof);
  onTestFinished(async () => await server.stop());
  return server;
}

async function connected(port: number, auth = { user: USER, pass: PASSWORD }): Promise<ImapFlow> {
  return await otherClient(port, auth);
}

async function numbering({ port }: Dovecot) {
  const client = await connected(port);
  const { uidValidity, uidNext, messages } = await statusOf(client, 'INBOX');
  await client.logout();
  return { uidValidity, uidNext, messages };
}

async function handshake(port: number, ca: string): Promise<string | null> {
  const socket = tls.connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
  const code = await new Promise<string | null>((resolve) => {
    socket.once('secureConnect', () => resolve(null));
    socket.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
  });
  socket.destroy();
  return code;
}
