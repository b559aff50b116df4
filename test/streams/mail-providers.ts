import fs from 'node:fs';
import path from 'node:path';
import type { Authentication } from '../../src/steward/types.ts';
import { parseMail } from '../../src/streams/mail.ts';

/*
 * A mail as each provider of `data/providers.yaml` hands it over. The forms come from published headers, and for OpenDMARC from
 * its source: it inserts its header below the Received line of Postfix.
 */
const FOLDER = path.join(import.meta.dirname, 'mail-providers');

/** The mails: the name of each file, and what `trusted_mail_servers` says for it. */
export const PROVIDERS: readonly (readonly [file: string, trusted: string])[] = fs
  .readdirSync(FOLDER)
  .map((name) => path.basename(name, '.eml'))
  .map((file) => [file, file === 'opendmarc' ? 'opendmarc:mail.mailhome.example' : (file.split('-')[0] ?? '')]);

/** A mail taken apart: its headers from top to bottom, each with its folded lines, and its text. */
export interface OpenMail {
  readonly headers: readonly string[];
  readonly body: string;
}

/** Returns the mail of a provider. */
export function providerMail(file: string): OpenMail {
  const text = fs.readFileSync(path.join(FOLDER, `${file}.eml`), 'utf8').replaceAll('\n', '\r\n');
  const end = text.indexOf('\r\n\r\n');
  return { headers: text.slice(0, end).split(/\r\n(?![ \t])/), body: text.slice(end + 4) };
}

/** Whether a header says who sent the mail. */
export function isResults(header: string): boolean {
  return /^authentication-results:/i.test(header);
}

/** Returns what is read of a mail's sender. `trusted`: as in the settings. */
export async function authenticated({ headers, body }: OpenMail, ...trusted: string[]): Promise<Authentication> {
  const bytes = new TextEncoder().encode(`${headers.join('\r\n')}\r\n\r\n${body}`);
  const read = await parseMail('stream/a.eml', bytes, { sourceType: 'mail', trustedServers: trusted });
  if (!read.ok) throw new Error('The mail is unreadable.');
  return read.event.authentication;
}
