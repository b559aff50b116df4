import { describe, expect, onTestFinished, test } from 'vitest';
import type { Proof } from '../../servers/certificates.ts';
import { type Dovecot, dovecotHere } from '../../servers/dovecot.ts';
import { PASSWORD, USER } from '../../servers/local-server.ts';
import { TokenServer } from '../../servers/token-server.ts';
import { MemoryInlet } from '../memory-inlet.ts';
import { dovecot, failure, letters, numbers, taken, visited, wire } from './mailbox.ts';

describe.skipIf(!dovecotHere())('how a mail server lets us in', () => {
  test('a wrong password is tried exactly once', async () => {
    const server = await dovecot();
    const relay = await wire(server.port);
    expect(await failure(visited(relay.port, new MemoryInlet(), { secret: 'not-the-password' }))).toBe('refused');
    await expect.poll(() => server.logins()).toEqual({ refused: 1, granted: 0 });
    expect(relay.connections).toBe(1);
    expect(relay.said().match(/^\S+ (?:AUTHENTICATE|LOGIN) /gm)).toHaveLength(1);
  });

  test('a user who is not there is refused as well, once', async () => {
    const server = await dovecot();
    expect(await failure(visited(server.port, new MemoryInlet(), { user: 'nobody-here' }))).toBe('refused');
    await expect.poll(() => server.logins()).toEqual({ refused: 1, granted: 0 });
  });

  test('a slow refusal is a refusal', async () => {
    const server = await dovecot({ refusalDelaySeconds: 1 });
    expect(await failure(visited(server.port, new MemoryInlet(), { secret: 'not-the-password' }))).toBe('refused');
    await expect.poll(() => server.logins()).toEqual({ refused: 1, granted: 0 });
  });

  test.each(['tls', 'starttls'])('mails come over %s from a server that proves who it is', async (security) => {
    const server = await dovecot();
    onTestFinished(server.issuer.trust());
    server.maildir().lay(letters(3));
    const relay = await wire(portFor(server, security));
    const inlet = new MemoryInlet();
    expect(await visited(relay.port, inlet, { host: 'localhost', security })).toEqual([]);
    expect(taken(inlet)).toEqual(numbers(3));
    expect(relay.said()).not.toContain(PASSWORD);
  });

  test.each<[Proof | 'unknown', string]>([
    ['expired', 'tls'],
    ['expired', 'starttls'],
    ['wrong-name', 'tls'],
    ['wrong-name', 'starttls'],
    ['foreign', 'tls'],
    ['unknown', 'tls'],
    ['unknown', 'starttls'],
  ])('a certificate that is %s, over %s: no password is sent', async (proof, security) => {
    const server = await dovecot({}, proof === 'unknown' ? 'good' : proof);
    if (proof !== 'unknown') onTestFinished(server.issuer.trust());
    const inlet = new MemoryInlet();
    const visit = visited(portFor(server, security), inlet, { host: 'localhost', security });
    expect(await failure(visit)).toBe('certificate');
    expect(server.logins()).toEqual({ refused: 0, granted: 0 });
  });

  test('a token lets in, and one that is refused twice is a refusal', async () => {
    const tokens = await TokenServer.start();
    onTestFinished(async () => await tokens.stop());
    const server = await dovecot({ tokenPort: tokens.port });
    server.maildir().lay(letters(2));
    tokens.good.set('made-up-token', USER);
    const inlet = new MemoryInlet();
    expect(await visited(server.port, inlet, { auth: 'oauth2', secret: 'made-up-token' })).toEqual([]);
    expect(taken(inlet)).toEqual([1, 2]);
    tokens.asked = 0;
    expect(await failure(visited(server.port, inlet, { auth: 'oauth2', secret: 'old' }))).toBe('refused');
    expect(tokens.asked).toBeLessThanOrEqual(2);
  });
});

function portFor(server: Dovecot, security: string): number {
  return security === 'tls' ? server.tlsPort : server.port;
}
