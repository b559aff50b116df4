import { eventsToGo, isOpenSignal, leavesNoSignal, signalsToGo } from '../../steward/retention-records.ts';
import { isInBatch } from '../../stream/batch-state.ts';
import type { ItemsRead } from '../../stream/items-read.ts';
import type { EventRecord, SignalRecord } from '../../vault/index/record.ts';
import { fold } from '../../vault/note-names.ts';
import { streamFileOf } from '../../vault/notes/stream-path.ts';
import type { StreamRead } from '../context/remembered/stream-read.ts';
import type { Workspace } from '../context.ts';
import { readerOf } from '../ingest/readers.ts';
import { oldBefore } from '../retention.ts';

/** What may leave the vault now. */
export interface Leaving {
  readonly streams: readonly { readonly file: string; readonly sha256: string }[];
  readonly events: readonly EventRecord[];
  readonly signals: readonly SignalRecord[];
}

type PlanSpace = Pick<Workspace, 'context' | 'vault' | 'notes' | 'proposals' | 'ingest'>;

/** How many records are looked at before other work has its turn. */
const AT_ONCE = 25;

/** Returns what may leave the vault by its settings. Reads what is old, a little at a time, and changes nothing. */
export async function leavingNow(space: PlanSpace): Promise<Leaving> {
  const { settings, now } = space.context;
  const [streams, events] = [oldBefore(settings.keep_stream_days, now()), oldBefore(settings.keep_event_days, now())];
  const records = events === null ? { events: [], signals: [] } : await oldRecords(space, events);
  return { ...records, streams: streams === null ? [] : await oldStreams(space, streams) };
}

async function oldRecords(space: PlanSpace, before: number): Promise<Pick<Leaving, 'events' | 'signals'>> {
  const found: EventRecord[] = [];
  const looked = new Set<string>();
  for (const hour of space.vault.catalogue.chronicle.oldestHours(before)) {
    for (const event of hour) {
      const about = fold(event.fields.target_path ?? event.path);
      if (!looked.has(about)) found.push(...eventsToGo(space, event, { before }));
      looked.add(about);
    }
    await new Promise(setImmediate);
  }
  const paths = new Set(found.map(({ path }) => path));
  const signals = found.flatMap((event) => signalsToGo(space, event, paths, { before }));
  return {
    events: found.filter((event) => leavesNoSignal(space, event, paths)),
    signals: [...new Map(signals.map((signal) => [signal.path, signal])).values()],
  };
}

async function oldStreams(space: PlanSpace, before: number): Promise<Leaving['streams']> {
  const read = space.context.state.get('streams');
  const old = [...space.vault.streams.keys()].flatMap((file) => {
    const known = read[file];
    return known !== undefined && known.at < before && isDone(space, file, known)
      ? [{ file, sha256: known.sha256 }]
      : [];
  });
  if (old.length === 0) return [];
  const open = await filesOfOpenSignals(space);
  return old.filter(({ file }) => !open.has(fold(file)));
}

// A file of a kind that nobody reads yet waits for a reader, and one that was refused for a person.
function isDone({ context, ingest }: PlanSpace, file: string, { refused, sha256, items }: StreamRead): boolean {
  const isUnderstood = items === null ? readerOf(ingest.readers, file) !== null : isThrough(items);
  const isRead = refused === null && sha256 !== '' && isUnderstood;
  return isRead && !ingest.waiting.has(file) && !isInBatch(context.state.get('batch'), file, sha256);
}

function isThrough({ isDone, refused, open }: ItemsRead): boolean {
  return isDone && refused === 0 && Object.keys(open).length === 0;
}

async function filesOfOpenSignals(space: PlanSpace): Promise<Set<string>> {
  const { catalogue } = space.vault;
  const open = new Set<string>();
  let looked = 0;
  for (const path of [...catalogue.pathsOf('signal')]) {
    const signal = catalogue.get(path);
    const file = signal?.kind === 'signal' ? signal.fields.source_event_path : null;
    if (signal?.kind === 'signal' && file !== null && isOpenSignal(space, signal)) {
      // A file may have a name that reads like that of an event in another.
      for (const one of [file, streamFileOf(file)]) open.add(fold(one));
    }
    looked += 1;
    if (looked % AT_ONCE === 0) await new Promise(setImmediate);
  }
  return open;
}
