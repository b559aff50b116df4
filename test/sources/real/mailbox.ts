import type { ImapFlow } from 'imapflow';
import { onTestFinished } from 'vitest';
import { imapSource } from '../../../src/sources/imap.ts';
import type { ImapLimits } from '../../../src/sources/imap-connection.ts';
import {
  type ImapSettings,
  type Session,
  SourceError,
  type SourceFailure,
  sourceSettings,
} from '../../../src/sources/source.ts';
import { Dovecot } from '../../servers/dovecot.ts';
import { PASSWORD, USER } from '../../servers/local-server.ts';
import { otherClient } from '../../servers/other-client.ts';
import { Relay } from '../../servers/relay.ts';
import type { MemoryInlet } from '../memory-inlet.ts';

const MINUTE = 60_000;
/** What a connector is told of a mailbox: the note's fields, the password or token, and how long it waits. */
type Told = Readonly<Record<string, unknown>> & { readonly secret?: string; readonly limits?: Partial<ImapLimits> };

/** A Dovecot that is stopped when the test ends. */
export async function dovecot(...options: Parameters<typeof Dovecot.start>): Promise<Dovecot> {
  const server = await Dovecot.start(...options);
  onTestFinished(async () => await server.stop());
  return server;
}

/** A wire to a port that is closed when the test ends. */
export async function wire(port: number): Promise<Relay> {
  const relay = await Relay.open(port);
  onTestFinished(async () => await relay.close());
  return relay;
}

/** Another mail program of the user of a Dovecot. */
export async function person({ port }: Dovecot): Promise<ImapFlow> {
  return await otherClient(port, { user: USER, pass: PASSWORD });
}

/** A session of the connector with a mailbox on this machine; closed when the test ends. */
export async function opened(
  port: number,
  inlet: MemoryInlet,
  { secret = PASSWORD, limits = {}, ...fields }: Told = {},
  abort: AbortSignal = new AbortController().signal,
): Promise<Session> {
  const credential = { reveal: async () => secret };
  const session = await imapSource({ settings: noted(port, fields), credential, limits }).open(inlet, abort);
  onTestFinished(async () => await session.close());
  return session;
}

/** One visit from connecting to closing. Returns what was wrong with parts of it. */
export async function visited(port: number, inlet: MemoryInlet, told: Told = {}): Promise<readonly string[]> {
  const session = await opened(port, inlet, told);
  try {
    return (await session.poll()).map(({ message }) => message);
  } finally {
    await session.close();
  }
}

/** Returns of which kind a failure is. Throws where it is none of a source. */
export async function failure(doing: Promise<unknown>): Promise<SourceFailure | 'none'> {
  try {
    await doing;
    return 'none';
  } catch (error) {
    if (error instanceof SourceError) return error.kind;
    throw error;
  }
}

/** A mail with a number of its own. */
export function letter(nth: number, subject = `Letter ${nth}`, body = 'Nothing of note.'): string {
  return [
    `Received: from mx.example by mail.example; ${nth}`,
    'From: Rosa Lind <rosa@gartenbau.example>',
    'To: ada@home.example',
    `Subject: ${subject}`,
    'Date: Fri, 20 Nov 2026 09:00:00 +0000',
    `Message-ID: <${nth}@gartenbau.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    body,
    '',
  ].join('\r\n');
}

/** A mail that is larger than any that is fetched whole, because of what is attached to it. */
export function bigLetter(nth: number, text: string): string {
  const head = letter(nth).split('\r\n\r\n')[0] ?? '';
  const attachment = `${'QUFB'.repeat(18)}\r\n`.repeat(150_000);
  const parts = [
    `--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}\r\n`,
    `--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment}`,
    '--b--\r\n',
  ];
  return `${head.replace(/^Content-Type:.*$/m, 'Content-Type: multipart/mixed; boundary=b')}\r\n\r\n${parts.join('')}`;
}

/** Letters from number 1 on, the newest of a minute ago and each a minute older than the one before. */
export function letters(count: number, from = 1): { bytes: string; at: number; isSeen: boolean }[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, nth) => ({
    bytes: letter(from + nth),
    at: now - (nth + 1) * MINUTE,
    isSeen: nth % 2 === 0,
  }));
}

/** The numbers of the letters that were taken, in order of number; one that was taken twice is there twice. */
export function taken(inlet: MemoryInlet): number[] {
  return inlet
    .texts()
    .map((text) => Number(/^Message-ID: <(\d+)@/m.exec(text)?.[1]))
    .sort((a, b) => a - b);
}

/** The numbers from one to another. */
export function numbers(to: number, from = 1): number[] {
  return Array.from({ length: to - from + 1 }, (_, nth) => from + nth);
}

function noted(port: number, fields: object): ImapSettings {
  const read = sourceSettings.parse({ kind: 'imap', host: '127.0.0.1', port, security: 'none', user: USER, ...fields });
  if (read.kind !== 'imap') throw new Error('not a mailbox');
  return read;
}
