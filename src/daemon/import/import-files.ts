import path from 'node:path';
import type { StreamRead } from '../context/remembered/stream-read.ts';
import type { Waits } from '../ingest/extract-signals.ts';
import type { StreamResult } from '../ingest/stream-file.ts';
import { countsIn } from './counts.ts';
import { type ImportAccess, type Imported, type ImportWork, PLAIN } from './imported.ts';
import { importMaildir } from './maildir.ts';
import { headOf, openSource } from './open-source.ts';
import { demandRoom, placed, placeInStream, type Watch } from './placing.ts';
import { Pace } from './progress.ts';
import { type ImportSource, sourceAt } from './sources.ts';
import { whyUnread } from './understanding.ts';

/**
 * Copies files and Maildirs, given by absolute paths, into the stream folder and extracts their signals. What no reader
 * understands is not put there. Throws `import-name`, `import-missing`, `import-folder` and `disk-full` before anything is
 * done, or what the disk refuses.
 */
export async function importFiles(
  space: ImportAccess,
  files: readonly string[],
  work: ImportWork,
): Promise<Imported[]> {
  const sources: ImportSource[] = [];
  for (const from of files) sources.push(await sourceAt(from));
  demandRoom(space.vault, sources);
  const pace = new Pace(
    sources.map(({ size }) => size),
    work.tell,
  );
  const imported: Imported[] = [];
  for (const source of sources) {
    pace.begin(source.from);
    imported.push(await importSource(space, source, work, pace));
  }
  return imported;
}

async function importSource(
  space: ImportAccess,
  source: ImportSource,
  work: ImportWork,
  pace: Pace,
): Promise<Imported> {
  if (work.abort.aborted) return notBegun(source.from);
  try {
    const { mails } = source;
    return mails === null
      ? await importFile(space, source, work, pace)
      : await importMaildir(space, { ...source, mails }, work, pace);
  } catch (error) {
    if (work.abort.aborted) return notBegun(source.from);
    throw error;
  }
}

async function importFile(space: ImportAccess, { from, size }: ImportSource, work: ImportWork, pace: Pace) {
  const there = await placedOrRefused(space, from, {
    copied: (bytes) => pace.copied(bytes),
    abort: work.abort,
    demand: () => space.transactions.demand(),
  });
  if (there.refused !== null) return { ...PLAIN, from, file: null, reason: there.refused, understood: false };
  const { file } = there;
  const { state } = space.context;
  pace.read(file, 0, { read: 0, signals: 0 });
  const before = state.get('streams')[file];
  space.vault.look([file]);
  const result = await readHere(file, work, pace);
  const read = state.get('streams')[file];
  if (read?.items != null) return { from, file, ...cameFromMany(result, read, read.items) };
  if (result === 'ended') return { ...PLAIN, from, file, reason: ENDED, complete: false };
  const came = importedAs(result, before);
  pace.read(file, size, { read: 1, signals: came.signals.length });
  return { from, file, ...came };
}

const ENDED = 'it was ended before';

// What is read of a file with many events when it is ended stays read.
async function readHere(
  file: string,
  { read, abort }: ImportWork,
  pace: Pace,
): Promise<StreamResult | Waits | 'ended' | null> {
  try {
    return await read(file, (progress) => pace.read(file, progress.bytes ?? 0, progress));
  } catch (error) {
    if (abort.aborted) return 'ended';
    throw error;
  }
}

function cameFromMany(
  result: StreamResult | Waits | 'ended' | null,
  read: StreamRead,
  { isDone }: NonNullable<StreamRead['items']>,
): Came {
  return {
    signals: result !== null && result !== 'ended' && result.kind === 'read' ? result.signals : [],
    reason: read.refused ?? (result === null && isDone ? 'it was read before' : null),
    understood: read.refused === null,
    complete: result !== 'ended' && (result !== null || isDone),
    items: countsIn(read),
  };
}

/** Where a file lies in the vault, or why it is not put there. */
type Placed = { readonly file: string; readonly refused: null } | { readonly file: null; readonly refused: string };

async function placedOrRefused({ vault, ingest }: ImportAccess, from: string, watch: Watch): Promise<Placed> {
  // What a person has put there stays, whatever it is.
  const own = placeInStream(vault, from);
  if (own !== null) return { file: own, refused: null };
  const source = await openSource(from);
  try {
    const wanted = `${vault.layout.folders.stream}/${path.basename(from)}`;
    const why = whyUnread(ingest.readers, wanted, source.stat.size, await headOf(source));
    if (why !== null) return { file: null, refused: why };
    return { file: await placed(vault, { from, source, wanted }, watch), refused: null };
  } finally {
    await source.handle.close();
  }
}

type Came = Omit<Imported, 'from' | 'file'>;

function importedAs(result: StreamResult | Waits | null, before: StreamRead | undefined): Came {
  if (result === null) return importedBefore(before);
  if (result.kind === 'waits') return { ...PLAIN, reason: `not read yet: ${result.reason}` };
  const { signals, reason, understood } = result;
  return { ...PLAIN, signals, reason, understood };
}

function importedBefore(before: StreamRead | undefined): Came {
  if (before === undefined) return { ...PLAIN, reason: 'nothing new' };
  if (before.tried === null) return { ...PLAIN, reason: 'it was read before' };
  return { ...PLAIN, reason: before.refused ?? before.skipped, understood: false };
}

function notBegun(from: string): Imported {
  return { ...PLAIN, from, file: null, reason: ENDED, complete: false };
}
