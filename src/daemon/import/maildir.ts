import fs from 'node:fs';
import path from 'node:path';
import { openFile } from '../../vault/disk/copy-whole.ts';
import type { IndexAccess } from '../context/ports.ts';
import type { Waits } from '../ingest/extract-signals.ts';
import type { StreamResult } from '../ingest/stream-file.ts';
import { type ImportCounts, NO_COUNTS, withRefused } from './counts.ts';
import type { ImportAccess, Imported, ImportWork } from './imported.ts';
import { placed, placeInStream } from './placing.ts';
import type { Pace } from './progress.ts';
import { type ImportSource, isPassedOver, type MaildirMail } from './sources.ts';
import { whyUnread } from './understanding.ts';

/** A Maildir that was named to be imported. */
type Maildir = ImportSource & { readonly mails: readonly MaildirMail[] };

const EMPTY = new Uint8Array();

/**
 * Copies the mails of a Maildir below a folder of its name, in `cur` and `new` as they lie, and extracts their signals. A mail
 * whose flags have changed since it was copied has another name, and is not copied again.
 */
export async function importMaildir(
  space: ImportAccess,
  maildir: Maildir,
  work: ImportWork,
  pace: Pace,
): Promise<Imported> {
  const folder = folderOf(space, maildir.from);
  const there = mailsIn(space, folder);
  const signals: string[] = [];
  let [counts, done, bytes] = [NO_COUNTS, 0, 0];
  for (const mail of maildir.mails) {
    if (work.abort.aborted) break;
    const from = path.join(maildir.from, mail.box, mail.name);
    const wanted = there.get(uniqueName(mail.name)) ?? `${folder}/${mail.box}/${mail.name}`;
    const result = await readMail(space, { ...mail, from, wanted }, work);
    counts = counted(counts, mail.name, result);
    if (result !== null && 'signals' in result) signals.push(...result.signals);
    [done, bytes] = [done + 1, bytes + mail.size];
    pace.read(folder, bytes, counts);
  }
  return {
    ...{ from: maildir.from, file: folder, signals, items: counts, complete: done === maildir.mails.length },
    reason: maildir.mails.length === 0 ? 'it holds no mails' : null,
    understood: counts.refused === 0,
  };
}

/** A mail that is to be read, and the name that it should have in the vault. */
type Wanted = MaildirMail & { readonly from: string; readonly wanted: string };

/** Why a mail is not even put into the vault. */
interface Unread {
  readonly kind: 'unread';
  readonly reason: string;
}

async function readMail(
  space: ImportAccess,
  mail: Wanted,
  work: ImportWork,
): Promise<StreamResult | Waits | Unread | null> {
  const reason = isPassedOver(mail.name)
    ? 'it has a name that is never read'
    : whyUnread(space.ingest.readers, mail.wanted, mail.size, EMPTY);
  if (reason !== null) return { kind: 'unread', reason };
  const file = await placedMail(space, mail, work.abort);
  space.vault.look([file]);
  return work.read(file, undefined);
}

async function placedMail(
  { vault, transactions }: ImportAccess,
  { from, wanted }: Wanted,
  abort: AbortSignal,
): Promise<string> {
  const own = placeInStream(vault, from);
  if (own !== null) return own;
  const source = await openFile(from);
  try {
    return await placed(
      vault,
      { from, source, wanted },
      { copied: () => {}, abort, demand: () => transactions.demand() },
    );
  } finally {
    await source.handle.close();
  }
}

function counted(counts: ImportCounts, place: string, result: StreamResult | Waits | Unread | null): ImportCounts {
  if (result === null) return { ...counts, known: counts.known + 1 };
  if (result.kind === 'unread') return withRefused(counts, place, result.reason);
  if (result.kind === 'read' && !result.understood) return withRefused(counts, place, result.reason ?? 'it is no mail');
  const read = { ...counts, read: counts.read + 1 };
  if (result.kind === 'waits') return { ...read, waiting: counts.waiting + 1 };
  if (result.signals.length === 0) return { ...read, none: counts.none + 1 };
  return { ...read, signals: counts.signals + result.signals.length };
}

/** Returns the folder of the vault in which the mails of a Maildir lie, or are to lie. */
export function folderOf(space: IndexAccess, from: string): string {
  // Maildir folders below another begin with a dot, and are hidden by it.
  const name = path.basename(from).replace(/^\.+/, '') || 'Maildir';
  return ownFolder(space, from) ?? `${space.vault.layout.folders.stream}/${name}`;
}

/** A Maildir that lies in the stream folder already. */
function ownFolder({ vault }: IndexAccess, from: string): string | null {
  const folder = path.relative(fs.realpathSync.native(vault.root), fs.realpathSync.native(from));
  return vault.layout.folderKindOf(`${folder}/`) === 'stream' && folder !== vault.layout.folders.stream ? folder : null;
}

/** The mails that lie in a folder of the vault, by the part of their names that stays. */
function mailsIn({ vault }: ImportAccess, folder: string): Map<string, string> {
  const files = [...vault.streams.keys()].filter((file) => file.startsWith(`${folder}/`));
  return new Map(files.map((file) => [uniqueName(path.posix.basename(file)), file]));
}

// `1735689600.M1P2.host:2,S`: behind `:2,` (on some disks another mark) are flags, which change.
function uniqueName(name: string): string {
  return name.replace(/[:;!_-]2,[A-Za-z]*$/, '');
}
