import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Rehearsal, type RehearsalOrder, type RehearsalWork, rehearse } from '../../../src/features/rehearse.ts';
import { inMailbox } from '../../support/mailbox.ts';
import type { TempVault } from '../../support/temp-vault.ts';
import { Bench, type Setting } from '../../support/workspace.ts';

/** A mail of a past day, as the user's server delivered it. */
export interface PastMail {
  /** `2026-03-10T09:00`, local. */
  readonly at: string;
  readonly from: string;
  /** The user, unless it says somebody else. */
  readonly to?: string;
  readonly subject: string;
  readonly text: string;
  /** Whether the server vouched for the sender. */
  readonly isVouched?: boolean;
}

/** The user of these tests. */
export const ROBIN = 'robin@sample.example';

/** Returns a mail's bytes. */
export function pastMail({ at, from, to = ROBIN, subject, text, isVouched = true }: PastMail): string {
  const domain = from.slice(from.lastIndexOf('@') + 1).replace('>', '');
  const id = createHash('sha256').update(`${at}${from}${subject}`).digest('hex').slice(0, 16);
  return [
    ...(isVouched ? [`Authentication-Results: mx.sample.example; dmarc=pass header.from=${domain}`] : []),
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${domain}>`,
    '',
    text,
    '',
  ].join('\n');
}

/** Returns a mailbox (mbox) of past mails. */
export function pastMailbox(mails: readonly PastMail[]): string {
  return mails.map((mail) => inMailbox(pastMail(mail))).join('');
}

/** Writes files beside the vault and returns their absolute paths. */
export function beside(vault: TempVault, files: Readonly<Record<string, string | Uint8Array>>): string[] {
  return Object.entries(files).map(([name, text]) => {
    const file = path.join(vault.home, 'outside', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  });
}

/** Writes a Maildir beside the vault and returns its absolute path. The servers of its mails may vouch for their senders. */
export function pastMaildir(folder: string, mails: readonly PastMail[]): string {
  fs.mkdirSync(path.join(folder, 'cur'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'new'));
  for (const [nth, mail] of mails.entries())
    fs.writeFileSync(path.join(folder, 'cur', `${1_735_689_600 + nth}.M1P2.host:2,S`), pastMail(mail));
  return folder;
}

/** Says nothing of how far it is. */
export const SILENT: RehearsalWork = {
  reading: () => {},
  fetching: () => {},
  evaluating: () => {},
  agree: async () => true,
  abort: new AbortController().signal,
};

/** Rehearses files beside a vault, as the command does. */
export async function rehearsed(
  vault: TempVault,
  files: readonly string[],
  order: Partial<RehearsalOrder> = {},
  { work, ...setting }: Setting & { readonly work?: Partial<RehearsalWork> } = {},
): Promise<Rehearsal> {
  const { ports } = await Bench.reading(vault, setting);
  return rehearse(ports, { files, since: null, env: process.env, ...order }, { ...SILENT, ...work });
}

/** Returns the hash and the time of every file below a folder. */
export function fingerprint(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const file = path.join(folder, name);
      const stat = fs.lstatSync(file);
      const hash = stat.isFile() ? createHash('sha256').update(fs.readFileSync(file)).digest('hex') : '';
      return `${name} ${stat.mtimeMs} ${hash}`;
    });
}
