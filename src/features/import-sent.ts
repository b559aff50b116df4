import path from 'node:path';
import type { Workspace } from '../daemon/context.ts';
import { checkRelevance } from '../sources/relevance.ts';
import { fetchedFile } from '../streams/fetched-mail.ts';
import { isMailFile, MAX_MAIL_BYTES } from '../streams/stream.ts';
import { createWhole, loadSystemCalls, openAsFolderAndSources, readBytes } from '../vault/files.ts';
import { sha256 } from '../vault/note-text.ts';
import { OWN_FILES, plainSender } from '../vault/source-names.ts';
import { type ImportedFile, type ImportSource, type ImportWork, NO_COUNTS, sourceAt } from './import.ts';

/** Reads mails that the user says they sent. */
type SentAccess = Parameters<typeof checkRelevance>[0] & Pick<Workspace, 'vault' | 'transactions'>;

/** How many digits of a hash name a file. */
const DIGITS = 12;
const NOTHING = 'it says nothing about an open note, or is not from that address';
const NO_MAIL = 'only single mails (.eml), folders of them and Maildirs can be imported as sent mails';

/**
 * Reads mails from an address that the user says is theirs, as their own word. Only those that say something about an open
 * note come into the vault, marked for their place. Throws as `importFiles` does.
 */
export async function importSent(
  space: SentAccess,
  files: readonly string[],
  address: string,
  work: ImportWork,
): Promise<ImportedFile[]> {
  const sources: ImportSource[] = [];
  for (const from of files) sources.push(await sourceAt(from));
  const imported: ImportedFile[] = [];
  for (const source of sources) imported.push(await importOne(space, source, plainSender(address), work));
  return imported;
}

async function importOne(
  space: SentAccess,
  { from, mails }: ImportSource,
  address: string,
  work: ImportWork,
): Promise<ImportedFile> {
  const plain = { from, file: null, signals: [], understood: true, unread: false, complete: true, items: null };
  if (mails === null && !isMailFile(from)) return { ...plain, reason: NO_MAIL, understood: false };
  const paths = mails === null ? [from] : mails.map(({ place }) => path.join(from, place));
  const signals: string[] = [];
  let [read, gave] = [0, 0];
  let file: string | null = null;
  for (const mail of paths) {
    if (work.abort.aborted) break;
    const placed = await placeSent(space, mail, address);
    const result = placed === null ? null : await work.read(placed, undefined);
    if (result?.kind === 'read') signals.push(...result.signals);
    const isKept = result?.kind === 'waits' || (result?.kind === 'read' && result.signals.length > 0);
    if (isKept) [file, gave] = [placed, gave + 1];
    read += 1;
  }
  const items = mails === null ? null : { ...NO_COUNTS, read, none: read - gave, signals: signals.length };
  return {
    ...plain,
    file,
    signals,
    reason: signals.length > 0 ? null : NOTHING,
    complete: read === paths.length,
    items,
  };
}

/** Puts a mail into the vault if it is the user's and concerns an open note. Returns its place there, else null. */
async function placeSent(space: SentAccess, from: string, address: string): Promise<string | null> {
  const { vault, context, transactions } = space;
  const { bytes } = readBytes(from, MAX_MAIL_BYTES);
  const relevance = await checkRelevance(space, { bytes, isWhole: true, isSent: true }, [address]);
  if (relevance !== 'fetch') return null;
  const file = `${vault.layout.folders.stream}/${OWN_FILES}/${sha256(bytes).slice(0, DIGITS)}.eml`;
  const origin = { source: OWN_FILES, server: null, keep: 'mail', isSent: true } as const;
  const marked = await fetchedFile(origin, file, bytes, context.seal);
  transactions.demand();
  createWhole(vault.root, vault.places.tmp, file, marked, (part, folder) =>
    openAsFolderAndSources(part, folder, [from], loadSystemCalls()),
  );
  vault.look([file]);
  return file;
}
