import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { imapSource } from '../../src/sources/imap.ts';
import { Issuer, type Proof } from '../servers/certificates.ts';
import { imapSettings, mailboxHouse, mailOf, openMailbox } from './mailbox-house.ts';
import { MemoryInlet } from './memory-inlet.ts';
import { ScriptedServer } from './scripted-server.ts';

let issuer: Issuer;
let distrust: () => void;

beforeAll(() => {
  issuer = new Issuer();
  distrust = issuer.trust();
});

afterAll(() => {
  distrust();
  issuer.remove();
});

function failing(server: ScriptedServer, fields: Readonly<Record<string, unknown>> = {}, secret?: () => string) {
  return openMailbox(server, new MemoryInlet(), fields, {}, secret).then(
    () => null,
    (error: unknown) => error,
  );
}

describe('a password', () => {
  test('that is wrong goes to the server once', async () => {
    const { server } = await mailboxHouse();
    const error = await failing(server, {}, () => 'wrong');
    expect(error).toMatchObject({ kind: 'refused', message: 'The mail server rejected the user name or the password' });
    expect(server.secrets).toEqual(['wrong']);
    await expect.poll(() => server.connections()).toBe(0);
  });

  test('that is wrong goes to a server once that knows LOGIN alone, or answers without a code', async () => {
    const { server } = await mailboxHouse();
    server.capabilities = ['IMAP4rev1'];
    expect(await failing(server, {}, () => 'wrong')).toMatchObject({ kind: 'refused' });
    server.instead(/^LOGIN/, (_, { tag }) => `${tag} NO Login failed.\r\n`);
    expect(await failing(server, {}, () => 'wrong')).toMatchObject({ kind: 'refused' });
    server.instead(/^LOGIN/, (_, { tag }) => `${tag} BAD no\r\n`);
    expect(await failing(server, {}, () => 'wrong')).toMatchObject({ kind: 'refused' });
    expect(server.secrets).toHaveLength(3);
  });

  test.each([
    ['NO [UNAVAILABLE] Temporary authentication failure', 'away'],
    ['NO [SERVERBUG] oops', 'away'],
    ['NO [INUSE] in use', 'busy'],
    ['NO [LIMIT] too many', 'busy'],
    ['NO [CONTACTADMIN] call us', 'busy'],
    ['NO [ALERT] Too many simultaneous connections. (Failure)', 'busy'],
    ['NO Temporary failure, try again later', 'busy'],
    ['NO [AUTHENTICATIONFAILED] Too many wrong passwords, try again later', 'refused'],
    ['NO Invalid credentials, try again', 'refused'],
    ['BYE going down', 'away'],
  ])('answered with %s is %s', async (answer, kind) => {
    const { server } = await mailboxHouse();
    server.instead(/^AUTHENTICATE/, (_, { tag }) => `${answer.startsWith('BYE') ? '*' : tag} ${answer}\r\n`);
    expect(await failing(server)).toMatchObject({ kind });
  });

  test('is not sent where the server wants none', async () => {
    const { server } = await mailboxHouse();
    server.greeting = '* PREAUTH welcome\r\n';
    expect(await failing(server)).toMatchObject({ kind: 'strange', message: 'The mail server asks for no password' });
    server.greeting = '* OK ready\r\n';
    server.capabilities = ['IMAP4rev1', 'LOGINDISABLED'];
    expect(await failing(server)).toMatchObject({ kind: 'setup', message: "The mail server doesn't accept passwords" });
    server.greeting = '* BYE too busy\r\n';
    expect(await failing(server)).toMatchObject({ kind: 'away' });
    expect(server.secrets).toEqual([]);
  });
});

describe('a token', () => {
  const oauth2 = { auth: 'oauth2' };

  test('logs in, and is asked for anew at each connection', async () => {
    const { server, inlet } = await mailboxHouse();
    server.folder().add(mailOf('a@x.example', 'one'));
    for (const token of ['first', 'second']) {
      server.password = token;
      await (await openMailbox(server, inlet, oauth2, {}, () => token)).poll();
    }
    expect(server.secrets).toEqual(['first', 'second']);
    expect(inlet.texts()).toHaveLength(1);
  });

  test('that is refused is asked for once more, and only another one is tried', async () => {
    const { server } = await mailboxHouse();
    server.password = 'new';
    const tokens = ['old', 'new'];
    expect(await failing(server, oauth2, () => tokens.shift() ?? '')).toBeNull();
    expect(server.secrets).toEqual(['old', 'new']);
    expect(await failing(server, oauth2, () => 'old')).toMatchObject({ kind: 'refused' });
    const more = ['x', 'y', 'z'];
    expect(await failing(server, oauth2, () => more.shift() ?? '')).toMatchObject({ kind: 'refused' });
    expect(server.secrets).toEqual(['old', 'new', 'old', 'x', 'y']);
  });

  test('that no server could read, or that the server does not take, is a matter of the setup', async () => {
    const { server } = await mailboxHouse();
    expect(await failing(server, oauth2, () => 'two\nlines')).toMatchObject({ kind: 'setup' });
    server.capabilities = ['IMAP4rev1', 'AUTH=PLAIN'];
    expect(await failing(server, oauth2)).toMatchObject({
      kind: 'setup',
      message: "The mail server doesn't accept tokens",
    });
    expect(await failing(server, {}, () => '')).toMatchObject({ kind: 'setup', message: 'The password is empty' });
    expect(server.secrets).toEqual([]);
  });
});

describe('TLS', () => {
  test.each(['tls', 'starttls'])('%s with a certificate that this machine can check', async (security) => {
    const server = await ScriptedServer.start({
      certificate: issuer.certificate(),
      starttls: security === 'starttls',
    });
    server.capabilities.push('STARTTLS');
    server.folder().add(mailOf('a@x.example', 'one'));
    const inlet = new MemoryInlet();
    await (await openMailbox(server, inlet, { security })).poll();
    expect(inlet.texts()).toHaveLength(1);
  });

  test.each<[Proof, string]>([
    ['expired', 'The certificate of the mail server has expired'],
    ['wrong-name', 'The certificate of the mail server is for another name'],
    ['own-signed', 'The mail server uses a self-signed certificate'],
    ['foreign', "This machine doesn't trust the issuer of the mail server's certificate"],
  ])('a certificate that is %s', async (proof, message) => {
    const certificate = issuer.certificate(proof);
    for (const starttls of [false, true]) {
      const server = await ScriptedServer.start({ certificate, starttls });
      server.capabilities.push('STARTTLS');
      const error = await failing(server, { security: starttls ? 'starttls' : 'tls' });
      expect(error).toMatchObject({ kind: 'certificate', message });
      expect(server.secrets).toEqual([]);
    }
  });

  test('what speaks no TLS at a port for TLS is strange', async () => {
    const { server } = await mailboxHouse();
    expect(await failing(server, { security: 'tls' })).toMatchObject({ kind: 'strange' });
  });
});

describe('no server', () => {
  test('nobody answers, or not in time', async () => {
    const { server, inlet } = await mailboxHouse();
    server.greeting = '';
    const slow = openMailbox(server, inlet, {}, { greetingMs: 30 });
    await expect(slow).rejects.toMatchObject({ kind: 'away', message: "The mail server didn't answer in time" });
    server.greeting = '* OK\r\n';
    server.instead(/^AUTHENTICATE/, () => null);
    await expect(openMailbox(server, inlet, {}, { loginMs: 50 })).rejects.toMatchObject({ kind: 'away' });
    await server.stop();
    expect(await failing(server)).toMatchObject({
      kind: 'away',
      message: 'The mail server refused the connection',
    });
  });

  test('what ends while it is used rejects all that waits', async () => {
    const { server, open } = await mailboxHouse();
    const session = await open();
    await session.poll();
    const news = session.waitForNews();
    await expect.poll(() => server.commands.at(-1)).toBe('IDLE');
    server.drop();
    await expect(news).rejects.toMatchObject({ kind: 'away' });
    await expect(session.poll()).rejects.toMatchObject({ kind: 'away' });
    await expect(session.waitForNews()).rejects.toMatchObject({ kind: 'away' });
    await session.close();
  });

  test('aborting ends what is under way, and lets nothing begin', async () => {
    const { server, inlet } = await mailboxHouse();
    const abort = new AbortController();
    const settings = imapSettings({ security: 'none', port: server.port });
    const connector = imapSource({ settings, credential: { reveal: async () => server.password } });
    const session = await connector.open(inlet, abort.signal);
    server.instead(/^STATUS/, () => null);
    const visit = session.poll();
    await expect.poll(() => server.commands.at(-1)).toMatch(/^STATUS/);
    abort.abort();
    await expect(visit).rejects.toMatchObject({ kind: 'away' });
    await expect(connector.open(inlet, abort.signal)).rejects.toMatchObject({ kind: 'away' });
    await expect.poll(() => server.connections()).toBe(0);
  });
});
