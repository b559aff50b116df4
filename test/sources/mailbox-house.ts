import { expect, onTestFinished } from 'vitest';
import { imapSource, type MailboxSession } from '../../src/sources/imap.ts';
import type { ImapLimits } from '../../src/sources/imap-connection.ts';
import { type ImapSettings, sourceSettings } from '../../src/sources/source.ts';
import { MemoryInlet } from './memory-inlet.ts';
import { PASSWORD, ScriptedServer, USER } from './scripted-server.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A scripted server with an inlet beside it. */
export interface MailboxHouse {
  readonly server: ScriptedServer;
  readonly inlet: MemoryInlet;
  /** Connects; closed again when the test ends. */
  readonly open: (fields?: Fields, limits?: Partial<ImapLimits>, secret?: () => string) => Promise<MailboxSession>;
}

/** Settings as a note would have them. */
export function imapSettings(fields: Fields): ImapSettings {
  const settings = sourceSettings.parse({ kind: 'imap', host: 'localhost', user: USER, ...fields });
  if (settings.kind !== 'imap') throw new Error('not a mailbox');
  return settings;
}

/** Connects to a server on this machine; closed again when the test ends. */
export async function openMailbox(
  server: ScriptedServer,
  inlet: MemoryInlet,
  fields: Fields = {},
  limits: Partial<ImapLimits> = {},
  secret: () => string = () => PASSWORD,
): Promise<MailboxSession> {
  const settings = imapSettings({ security: 'none', ...fields, port: server.port });
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const connector = imapSource({ settings, credential: { reveal: async () => secret() }, limits });
  const session = await connector.open(inlet, abort.signal);
  onTestFinished(() => session.close());
  return session;
}

/** What a client may say that only reads. */
const READING =
  /^(?:CAPABILITY|ID|NAMESPACE|ENABLE|AUTHENTICATE|LOGIN|LIST|LSUB|STATUS|EXAMINE|UID SEARCH|(?:UID )?FETCH|NOOP|IDLE|LOGOUT|STARTTLS)\b/;

/** Returns the commands that could change anything in the mailbox, or mark a mail as seen. */
export function writesIn(commands: readonly string[]): readonly string[] {
  return commands.filter((command) => !READING.test(command) || /\bBODY\[|\bRFC822(?!\.SIZE)/i.test(command));
}

/** After each test that uses it, nothing that writes has reached the server. */
export async function mailboxHouse(): Promise<MailboxHouse> {
  const server = await ScriptedServer.start();
  onTestFinished(() => expect(writesIn(server.commands)).toEqual([]));
  const inlet = new MemoryInlet();
  return { server, inlet, open: (fields, limits, secret) => openMailbox(server, inlet, fields, limits, secret) };
}

/** A mail of somebody about something, as long as it has to be. */
export function mailOf(from: string, subject: string, text = 'Hello', headers: readonly string[] = []): string {
  const lines = [`From: ${from}`, `To: ${USER}`, `Subject: ${subject}`, ...headers, '', text, ''];
  return lines.join('\r\n');
}
