import { z } from 'zod';
import type { Arrival } from '../source/connector.ts';
import { genericName, genericText } from '../stream/generic.ts';
import { type FetchedFrom, fetchedMail } from '../stream/mail-fetched.ts';
import type { Seal } from '../vault/seal.ts';
import { runInWorker } from '../vault/worker-answer.ts';
import type { IndexAccess } from './context.ts';
import { expectFleeting } from './context-fleeting.ts';
import { isSmall } from './ingest/mail-reader.ts';
import type { SourceNote } from './sources.ts';

/** The limits of the worker process: it parses a mail twice. */
const MEMORY_MB = 512;
const LIMIT_SECONDS = 20;

const textMail = z.object({ bytes: z.instanceof(Uint8Array), whole: z.string() }).nullable();

/**
 * Returns a fetched mail as it is to be written to the vault-relative path `file`: marked, and only its text where the
 * source keeps no more. A mail whose text alone would be read in another way is kept whole; the mark says so. Rejects where
 * a name could not stand in the mark.
 */
export async function fetchedFile(from: FetchedFrom, file: string, bytes: Buffer, seal: Seal): Promise<Buffer> {
  const text = from.keep === 'text' ? await textOf(bytes) : null;
  if (text !== null) return fetchedMail({ ...from, identity: text.whole }, file, Buffer.from(text.bytes), seal);
  return fetchedMail({ ...from, keep: from.keep === 'text' ? 'mail' : from.keep }, file, bytes, seal);
}

async function textOf(bytes: Buffer): Promise<{ readonly bytes: Uint8Array; readonly whole: string } | null> {
  if (isSmall(bytes)) {
    const { textMail: shorten } = await import('../stream/mail/text-mail.ts');
    return shorten(bytes);
  }
  try {
    return await runInWorker({
      script: './text-worker',
      from: import.meta.url,
      data: { bytes: new Uint8Array(bytes) },
      message: textMail,
      memoryMb: MEMORY_MB,
      seconds: LIMIT_SECONDS,
    });
  } catch {
    return null; // kept whole, whoever reads it says what is wrong with it
  }
}

/** A file as it will lie in the vault. */
export interface StreamFile {
  /** Vault-relative. */
  readonly file: string;
  readonly bytes: Uint8Array | string;
}

/** How many digits of a key name a file. */
const DIGITS = 12;

/**
 * Returns the file of what a source brought, ready to be written; null where it brought only that it was there. The same
 * thing has the same name; `nth`, from 1 on, gives it others, where somebody else's file has it. Rejects with what the disk
 * refuses.
 */
export async function fileOf(
  { vault, context }: IndexAccess,
  note: SourceNote,
  { key, at, content }: Arrival,
  nth: number,
): Promise<StreamFile | null> {
  if (content === null) return null;
  const folder = `${vault.layout.folders.stream}/${note.name}`;
  if (content.kind === 'event') {
    const file = `${folder}/${genericName(note.name, content.event, nth)}`;
    return { file, bytes: genericText(content.event, note.name, file, context.seal) };
  }
  const day = at === null ? 'undated' : new Date(at).toISOString().slice(0, 10);
  const name = `${folder}/${day}-${key.slice(0, DIGITS)}${nth === 1 ? '' : `-${nth}`}`;
  if (content.kind === 'calendar') return { file: `${name}.ics`, bytes: content.bytes };
  const [file, from] = [`${name}.eml`, fetchedFrom(note)];
  const bytes = await fetchedFile(from, file, Buffer.from(content.bytes), context.seal);
  // Before it is there: what a crash leaves must not stay.
  if (from.keep === 'quote') expectFleeting(context, [file]);
  return { file, bytes };
}

function fetchedFrom({ name, settings }: SourceNote): FetchedFrom {
  if (settings.kind !== 'imap') return { source: name, server: null, keep: 'mail' };
  return { source: name, server: settings.mail_server, keep: settings.keep };
}
