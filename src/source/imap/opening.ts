import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import type { Credential } from '../connector.ts';
import { SourceError } from '../failure.ts';
import { installCommand } from '../install-command.ts';
import type { ImapSettings } from '../source-note.ts';
import { away, failureOf, strange } from './failures.ts';
import { type ImapLimits, LINE_BYTES, LITERAL_BYTES } from './limits.ts';
import { Wire } from './wire.ts';

/** What a connection is made of. */
interface Way {
  readonly settings: ImapSettings;
  readonly credential: Credential;
  readonly limits: ImapLimits;
  readonly abort: AbortSignal;
}

/**
 * Connects and logs in. A password goes to the server once. A token that is refused is asked for once more, and only
 * another one is tried: it may have ended meanwhile. Throws a `SourceError`.
 */
export async function openWire(way: Way): Promise<Wire> {
  const secret = await way.credential.reveal();
  try {
    return await loggedIn(way, secret);
  } catch (error) {
    const next = await renewed(way, secret, error);
    if (next === null) throw error;
    return await loggedIn(way, next);
  }
}

async function renewed({ settings, credential }: Way, old: string, error: unknown): Promise<string | null> {
  if (settings.auth !== 'oauth2' || !(error instanceof SourceError) || error.kind !== 'refused') return null;
  const next = await credential.reveal();
  return next === old ? null : next;
}

async function loggedIn({ settings, limits, abort }: Way, secret: string): Promise<Wire> {
  if (abort.aborted) throw away('The visit was ended');
  const { ImapFlow: Client } = await library();
  const wire = new Wire((logger) => new Client({ ...optionsOf(settings, limits, secret), logger }), limits);
  const stop = () => wire.fail(away('The visit was ended'));
  abort.addEventListener('abort', stop, { once: true });
  wire.onEnd(() => abort.removeEventListener('abort', stop));
  const timer = setTimeout(() => wire.fail(away('The mail server does not answer in time')), limits.loginMs);
  try {
    await wire.ask((client) => client.connect());
    assertAsked(wire.client);
    return wire;
  } catch (error) {
    const reason = loginFailure(wire.client, settings, error);
    wire.fail(reason);
    throw reason;
  } finally {
    clearTimeout(timer);
  }
}

/** A server that lets anybody in without a password is not the one that was meant, or somebody stands before it. */
function assertAsked(client: ImapFlow): void {
  // The library keeps the words of a greeting that asks for a login, and none of one that does not.
  if (client.greeting === undefined) throw strange('The mail server asks for no password');
}

async function library(): Promise<typeof import('imapflow')> {
  try {
    return await import('imapflow');
  } catch (error) {
    const message = 'Mailboxes need a library that is not installed';
    throw new SourceError({ kind: 'setup', message, hint: `Run: ${installCommand('imapflow')}` }, { cause: error });
  }
}

function optionsOf(settings: ImapSettings, limits: ImapLimits, secret: string): ImapFlowOptions {
  const isLoopback = settings.security !== 'none' || LOOPBACK.test(settings.host);
  if (!isLoopback) throw setup('Without TLS only a server on this machine may be asked', 'Set security to tls.');
  if (secret === '') throw setup('The password is empty', 'Set it again; `steward source test NAME` then tries it.');
  return {
    host: settings.host.replace(/^\[|\]$/g, ''),
    port: settings.port,
    secure: settings.security === 'tls',
    doSTARTTLS: settings.security === 'starttls',
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    auth:
      settings.auth === 'oauth2' ? { user: settings.user, accessToken: secret } : { user: settings.user, pass: secret },
    clientInfo: { name: 'vault-steward' },
    // A few bytes must not become a flood, and one connection a folder is enough.
    disableCompression: true,
    disableAutoIdle: true,
    disableIMAP4rev2: true,
    disableBinary: true,
    maxIdleTime: limits.idleMs,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.greetingMs,
    // Each question has its own time (see `Wire`); this one ends a connection that died while it idled.
    socketTimeout: limits.idleMs + limits.connectMs,
    maxLineLength: LINE_BYTES,
    maxLiteralSize: LITERAL_BYTES,
    maxResponseSize: LINE_BYTES + LITERAL_BYTES,
    maxResponseTokens: MAX_TOKENS,
  };
}

const MAX_TOKENS = 100_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;
const TOKEN_LOGINS = ['AUTH=OAUTHBEARER', 'AUTH=XOAUTH2', 'AUTH=XOAUTH'];

/** Tells a server that cannot do what the note asks for from one that refuses. */
function loginFailure(client: ImapFlow, { security, auth }: ImapSettings, error: unknown): SourceError {
  const offers = (name: string) => client.capabilities.has(name);
  if (security === 'starttls' && !client.secureConnection && client.connectedAt !== null && isSilentOn(error))
    return setup(
      'The mail server offers no TLS at this port, so no password was sent',
      'Set security to tls and port to 993, or ask whoever runs the server.',
    );
  if (!isSilentOn(error)) return failureOf(error);
  if (auth === 'oauth2' && client.connectedAt !== null && !TOKEN_LOGINS.some(offers))
    return setup('The mail server takes no tokens', 'Set auth to password, or leave it out.');
  if (auth === 'password' && offers('LOGINDISABLED'))
    return setup('The mail server takes no password', 'Set auth to oauth2, or ask whoever runs the server.');
  return failureOf(error);
}

/** Whether the library gave up by itself: no answer of the server, of the network, or of TLS is behind it. */
function isSilentOn(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof SourceError) return false;
  return !('code' in error && typeof error.code === 'string') && !('responseStatus' in error);
}

function setup(message: string, hint: string): SourceError {
  return new SourceError({ kind: 'setup', message, hint });
}
