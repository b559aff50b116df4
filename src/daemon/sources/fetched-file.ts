import { z } from 'zod';
import { type FetchedFrom, fetchedMail } from '../../stream/mail/fetched/mark.ts';
import { runInWorker } from '../../vault/process/worker.ts';
import type { Seal } from '../../vault/seal.ts';
import { isSmall } from '../ingest/mail-reader.ts';

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
    const { textMail: shorten } = await import('../../stream/mail/fetched/text-mail.ts');
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
