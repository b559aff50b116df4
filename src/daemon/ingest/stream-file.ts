import type { Extracted } from '../../steward/ports/extractor.ts';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { isInBatch } from '../../stream/batch-state.ts';
import { distinctDrafts } from '../../stream/draft.ts';
import { kindOf } from '../../stream/endings.ts';
import { countsOf, type ItemCounts } from '../../stream/items/items-read.ts';
import { type Silence, silentFile } from '../../stream/silence.ts';
import { itemIn, itemPath } from '../../vault/notes/stream-path.ts';
import { localTime } from '../../vault/time.ts';
import type { Context, Workspace } from '../context/ports.ts';
import { NOBODY } from '../context/remembered/stream-read.ts';
import { readCarried, rememberCarried, silenceWith } from './carried.ts';
import { extract, extractAnswered, type Understood, type Waits, waits } from './extract-signals.ts';
import { rememberAs } from './items/known-standing.ts';
import { type ItemTaker, readItems } from './items/read-items.ts';
import type { EventlessStream, EventStream, FileForm, ItemStream, OpenedStream } from './opened.ts';
import { isChanged, openStream, twinOf, wasRead } from './opened-stream.ts';
import { writeSignal } from './signal-note.ts';

/** How often a file that waits for a batch is checked for still being in it, in ms. */
const BATCH_PAUSE_MS = 60 * 60 * 1000;

/** What reading one stream file came to. */
export interface StreamResult {
  readonly kind: 'read';
  readonly file: string;
  /** The signal notes written, by vault-relative path. */
  readonly signals: readonly string[];
  /** Why there are none: nothing in it for the vault, or the file cannot be read. Null where there are some. */
  readonly reason: string | null;
  /** Whether a reader understood the file. */
  readonly understood: boolean;
  /** What became of its events; null of a file with one. */
  readonly items: ItemCounts | null;
}

/** How an event becomes signals, or why it must wait; `form` is that of the file it was parsed from. */
type Understanding = (event: StreamEvent, form: FileForm) => Promise<Understood | Waits>;

/**
 * Opens one stream file, reads it and writes the signals it holds. The file itself stays as it is. Returns null where
 * it was read before in this form, or is gone; and `waits` where a model should be asked and cannot be: then the file
 * counts as unread. `onProgress` is told how far the reading of a file that holds many events is. Throws what the disk
 * refuses, and where the reading of such a file is aborted.
 */
export async function readStream(
  space: Workspace,
  file: string,
  abort: AbortSignal,
  onProgress?: ItemTaker['onProgress'],
): Promise<StreamResult | Waits | null> {
  return readOpened(space, file, await openStream(space, file), abort, onProgress);
}

/** Does the same with a file that is already open; `opened` is what `openStream` returned for it. */
export async function readOpened(
  space: Workspace,
  file: string,
  opened: OpenedStream | null,
  abort: AbortSignal,
  onProgress?: ItemTaker['onProgress'],
): Promise<StreamResult | Waits | null> {
  if (opened?.kind === 'items') return readMany(space, opened, { ...takerHere(space, abort), onProgress });
  return readBy(space, file, opened, async (event, form) => {
    // Whoever has the rules read need not wait for what a model may say.
    const waiting = space.models.extractor.asksModel ? waitForBatch(space.context, file, form) : null;
    return waiting ?? extract(space, event, abort);
  });
}

/** Reads the events of a file that holds many. Returns null where nothing has changed since it was read to its end. */
export async function readMany(space: Workspace, stream: ItemStream, taker: ItemTaker): Promise<StreamResult | null> {
  const { file } = stream;
  const result = await readItems(space, stream, taker);
  if (result === null) return null;
  const { read, signals } = result;
  const items = read.items === null ? null : countsOf(read.items);
  const reason = read.refused;
  if (items !== null) space.context.emit({ what: 'items-read', file, signals: signals.length, items, reason });
  return { kind: 'read', file, signals, reason, understood: read.tried === null, items };
}

// One after the other, also where a model is asked: what must wait stays open, and is taken up the next time.
function takerHere(space: Workspace, abort: AbortSignal): ItemTaker {
  return {
    take: async (opened) => signalsIn(await readOpened(space, opened.event.path, opened, abort)),
    again: async (path) => signalsIn(await readStream(space, path, abort)),
    abort,
  };
}

/** Returns the signal notes that a reading wrote. */
export function signalsIn(result: StreamResult | Waits | null): readonly string[] {
  return result?.kind === 'read' ? result.signals : [];
}

/** Opens one stream file and reads it by the answer that a model gave about its bytes with the hash `sha256`. */
export async function readAnswered(
  space: Workspace,
  file: string,
  sha256: string,
  answer: Extracted,
): Promise<StreamResult | Waits | null> {
  return readBy(space, file, await openStream(space, file), async (event, form) =>
    form.sha256 === sha256 ? extractAnswered(space, event, answer) : CHANGED,
  );
}

/** Why a file in this form has to wait: a batch that is under way asks about it. Null where none does. */
export function waitForBatch(context: Context, file: string, { sha256 }: Pick<FileForm, 'sha256'>): Waits | null {
  const batch = context.state.get('batch');
  if (!isInBatch(batch, file, sha256)) return null;
  return waits(`asked in a batch, since ${localTime(batch.at).slice(11, 16)}`, context.now() + BATCH_PAUSE_MS);
}

async function readBy(
  space: Workspace,
  file: string,
  opened: OpenedStream | null,
  understand: Understanding,
): Promise<StreamResult | Waits | null> {
  if (opened === null || opened.kind === 'items') return null;
  if (opened.kind === 'none') return silent(space, file, opened);
  // A model may be reading the same event under another name just now.
  return space.transactions.inTurn(opened.identity.key, async () => {
    if (wasRead(space, file, opened.form)) return null;
    if (wasTaken(space, opened)) return closeItem(space, file);
    const twin = twinOf(space.ingest, opened);
    return twin === null ? readEvent(space, opened, understand) : silent(space, file, twin);
  });
}

/** Whether an event of a file that holds many was read as such: it was taken twice, or a crash came before it was closed. */
function wasTaken({ vault, ingest }: Workspace, { event: { path }, identity }: EventStream): boolean {
  if (vault.streams.has(path) || itemIn(path) === null) return false;
  return ingest.known.of(identity).some((one) => one.version === identity.version && one.path === path);
}

function closeItem({ context: { state } }: Workspace, path: string): null {
  const item = itemIn(path);
  if (item === null) return null;
  delete state.get('streams')[item.file]?.items?.open[item.id];
  state.touch('streams', item.file);
  return null;
}

async function readEvent(
  space: Workspace,
  opened: EventStream,
  understand: Understanding,
): Promise<StreamResult | Waits> {
  const { event, form, identity } = opened;
  const file = event.path;
  const read = await understand(event, form);
  if (read.kind === 'waits') return read;
  // Signals of bytes that are gone would stand next to those of the bytes that replaced them.
  if (isChanged(space.vault, file, form)) return CHANGED;
  const carried = await readCarried(space, opened.within ?? []);
  const drafts = distinctDrafts([...read.drafts, ...carried.flatMap((one) => one.drafts)]);
  const signals = drafts.flatMap((draft) => writeSignal(space, draft) ?? []);
  // A signal that a crash has left there counts, although it is not written now.
  const gave = drafts.length;
  const silence = gave === 0 ? silenceWith(read.silence, carried) : null;
  if (silence !== null) keepSilence(space, file, silence);
  rememberAs(space.ingest.known, identity, { version: identity.version, path: file, gave: gave > 0 });
  for (const one of carried) rememberCarried(space.ingest, one);
  const skipped = gave > 0 ? null : (silence?.reason ?? read.reason);
  const result = concluded(space, file, { form, skipped, refused: null, tried: null }, { signals, gave });
  // Asked again after a crash, a model would cost again, and may choose other words: another signal of the same event.
  if (read.asked) {
    space.ingest.known.flush();
    space.context.state.save('streams');
  }
  return result;
}

const CHANGED: Waits = { kind: 'waits', reason: 'it was changed meanwhile', until: 0, window: null };

function silent(space: Workspace, file: string, stream: EventlessStream): StreamResult {
  const { tried, refused, skipped } = stream;
  const kind = refused !== null ? 'unreadable' : tried !== null ? 'unread-kind' : 'same-bytes';
  // Asked again, a file of an unread kind has nothing new to say.
  const isKnown = space.context.state.get('streams')[file]?.tried === NOBODY && kind === 'unread-kind';
  if (!isKnown) keepSilence(space, file, silentFile(kind, refused ?? skipped ?? ''));
  return concluded(space, file, stream, { signals: [], gave: 0 });
}

function keepSilence({ ingest, context }: Workspace, file: string, silence: Silence): void {
  ingest.trail.add({ at: context.now(), file, ...silence });
}

/** The signal notes that were written now, and how many there are of the event. */
interface Given {
  readonly signals: readonly string[];
  readonly gave: number;
}

function concluded(
  space: Workspace,
  file: string,
  { form, skipped, refused, tried }: Omit<EventlessStream, 'kind'>,
  { signals, gave }: Given,
): StreamResult {
  const item = space.vault.streams.has(file) ? null : itemIn(file);
  if (item !== null) return concludedItem(space, item, { signals, gave }, skipped);
  space.context.state.get('streams')[file] = {
    ...{ ...form, signals: gave },
    ...{ skipped, refused, tried, items: null },
  };
  space.context.state.touch('streams', file);
  if (gave > 0) space.ingest.seen.add(form.sha256, file);
  const reason = refused ?? skipped;
  if (tried === NOBODY) sayUnread(space, file);
  else space.context.emit({ what: 'stream-read', file, signals: signals.length, reason });
  return { kind: 'read', file, signals, reason, understood: tried === null, items: null };
}

function concludedItem(
  { context: { state } }: Workspace,
  { file, id }: { readonly file: string; readonly id: string },
  { signals, gave }: Given,
  reason: string | null,
): StreamResult {
  const read = state.get('streams')[file];
  if (read?.items != null) {
    delete read.items.open[id];
    if (gave === 0) read.items.none += 1;
    read.signals += gave;
    state.touch('streams', file);
  }
  return { kind: 'read', file: itemPath(file, id), signals, reason, understood: true, items: null };
}

function sayUnread({ ingest: { unreadKinds }, context }: Workspace, file: string): void {
  const kind = kindOf(file);
  if (unreadKinds.has(kind)) return;
  unreadKinds.add(kind);
  context.emit({ what: 'kind-unread', file, kind });
}
