import type { IndexAccess, Ingest, StreamReader, Workspace } from '../daemon/context.ts';
import type { TargetIndex } from '../reading/targets.ts';
import { expectFleeting } from '../steward/event-note.ts';
import { addUnread, OTHER_REASONS, receivedWords } from '../steward/inbox-words.ts';
import { withdrawSteps } from '../steward/signals.ts';
import { noteSuspect, type SuspectMail } from '../steward/suspects.ts';
import { isMail, type StreamEvent } from '../steward/types.ts';
import { StewardError, systemCode } from '../vault/errors.ts';
import { sentenceCase } from '../vault/event-text.ts';
import { type FileStat, fileError, readInside, statInside } from '../vault/files.ts';
import { fold, itemPath, parseItemPath, stem } from '../vault/layout.ts';
import { MAIL_WARNINGS, oneLine, rejectedWords, sha256 } from '../vault/note-text.ts';
import { isOwnSignal } from '../vault/seal.ts';
import { addressFirst, SENT } from '../vault/source-names.ts';
import { nameTimeExact } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';
import { extract, isPast, MAX_REASON, type ModelWait } from './extract.ts';
import { readFetched, wholeSaid } from './fetched-mail.ts';
import {
  type EventlessStream,
  type EventStream,
  type FileForm,
  type ItemStream,
  type ItemTaker,
  itemEvent,
  knownEvent,
  type OpenedStream,
  openItem,
  ownZone,
  readItems,
  recognised,
} from './items.ts';
import { findReader, isUnderstandableNow, kindsFor, readerName, triedBy } from './kinds.ts';
import type { MailContext } from './mail.ts';
import { lookAlikeWarning } from './mail-sender.ts';
import { distinctDrafts, type SignalDraft, writeSignal } from './signal.ts';
import {
  countItems,
  fileKind,
  findVersion,
  type ItemCounts,
  identityId,
  kindFiles,
  rememberAs,
  type Silence,
  STREAMS,
  silentFile,
} from './state.ts';
import {
  findSourceType,
  isInMaildir,
  isMailFile,
  MAX_MAIL_BYTES,
  NOBODY,
  type StreamKind,
  senderPattern,
} from './stream.ts';
import { syncTargets } from './target-sync.ts';

/** An appointment that a mail carries, and the signals that it gave. */
interface AppointmentReading {
  readonly stream: EventStream;
  readonly drafts: readonly SignalDraft[];
  /** Why it gave no signal; null if it gave some. */
  readonly silence: Silence | null;
}

/**
 * Reads the appointments that a mail carries. Those that were read before, from another mail or a calendar, are
 * skipped. Those that were read from this very mail are read again, with the same result. They need no model, so they
 * don't wait.
 */
async function readCarried(space: Workspace, within: readonly EventStream[]): Promise<readonly AppointmentReading[]> {
  const read: AppointmentReading[] = [];
  for (const stream of within) {
    const standing = findVersion(space.ingest.known, stream.identity);
    if (standing.kind === 'known' && standing.as.path !== stream.event.path) continue;
    const { event } = knownEvent(syncTargets(space).index, stream, standing);
    const said = await extract(space, event, new AbortController().signal);
    if (said.kind === 'understood') read.push({ stream, drafts: said.drafts, silence: said.silence });
  }
  return read;
}

function rememberCarried({ known }: Pick<Ingest, 'known'>, { stream, drafts }: AppointmentReading): void {
  const { event, identity } = stream;
  rememberAs(known, identity, { version: identity.version, path: event.path, gave: drafts.length > 0 });
}

function silenceWith(silence: Silence | null, carried: readonly AppointmentReading[]): Silence | null {
  const whys = carried.flatMap((one) => one.silence?.reason ?? []);
  if (silence === null || whys.length === 0) return silence;
  return { ...silence, reason: oneLine(`${silence.reason}. Its appointment: ${whys.join('; ')}`, MAX_REASON) };
}

type Reading = Pick<Workspace, 'context' | 'ingest'>;

/**
 * Reads the bytes of a stream file and parses them. Returns its event, or the reason why it contains no event, or that
 * it contains many; null if the file was read before in this form, or is gone. The path of an event in a file that
 * contains many gives that one. Throws what the disk refuses.
 */
export async function openStream(space: Workspace, file: string): Promise<OpenedStream | null> {
  const item = space.vault.streams.has(file) ? null : parseItemPath(file);
  if (item !== null) return openItem(space, item);
  const reader = findReader(space.ingest.readers, file);
  return reader === null ? openMany(space, file) : openOne(space, file, reader);
}

function openMany(space: Workspace, file: string): ItemStream | EventlessStream | null {
  const kinds = kindsFor(file);
  if (kinds.length === 0) return unreadStream(space, file);
  try {
    const itemKind = recognised(space.vault.root, file, kinds);
    return itemKind === null ? strangeStream(space, file, kinds) : { kind: 'items', file, itemKind };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error instanceof StewardError ? error : fileError(error, file);
  }
}

function strangeStream(space: Workspace, file: string, kinds: readonly StreamKind[]): EventlessStream {
  const titles = kinds.map(({ title }) => title).join(', nor as ');
  const skipped = `it cannot be read as ${titles}; it stays there, and is read by a version that can`;
  const form = unopenedForm(space, space.vault.streams.get(file));
  return {
    kind: 'none',
    form,
    skipped,
    refused: null,
    tried: triedBy(space.ingest.readers, file, space.context.settings),
  };
}

async function openOne(space: Workspace, file: string, reader: StreamReader): Promise<OpenedStream | null> {
  try {
    const { bytes, stat } = readInside(space.vault.root, file, MAX_MAIL_BYTES);
    if (fetchedAs(space, file, bytes)?.keep === 'quote') expectFleeting(space.context, [file]);
    const form = { size: stat.size, mtimeMs: stat.mtimeMs, sha256: sha256(bytes), at: space.context.now() };
    if (wasRead(space, file, form)) return null;
    const twin = sameBytes(space.ingest, form);
    if (twin !== null) return twin;
    const opened = await parsedStream(space, reader, file, bytes, form);
    return opened.kind === 'event' ? (sameEvent(space.ingest, opened) ?? opened) : opened;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null; // gone while it waited its turn
    if (!(error instanceof StewardError)) throw fileError(error, file);
    const form = unopenedForm(space, space.vault.streams.get(file));
    return { kind: 'none', form, skipped: null, refused: error.trouble.message, tried: readerName(reader) };
  }
}

// Its bytes are of no use: a film that somebody dropped is not read into memory.
function unreadStream(space: Workspace, file: string): EventlessStream | null {
  const stat = statInside(space.vault.root, file);
  if (stat === null) return null;
  const skipped = `${kindFiles(fileKind(file))} are not read; it stays there, and is read by a version that can`;
  return { kind: 'none', form: unopenedForm(space, stat), skipped, refused: null, tried: NOBODY };
}

function unopenedForm({ context }: Workspace, stat: Pick<FileStat, 'size' | 'mtimeMs'> | undefined): FileForm {
  return { size: stat?.size ?? 0, mtimeMs: stat?.mtimeMs ?? 0, sha256: '', at: context.now() };
}

/**
 * Whether a file was read before with these bytes, by a reader that is no older than the one there is now. Then its size
 * and time are remembered as they are now.
 */
export function wasRead(
  { context: { state, settings }, ingest }: Reading,
  file: string,
  { size, mtimeMs, sha256 }: FileForm,
): boolean {
  const before = state.get(STREAMS)[file];
  if (before?.sha256 !== sha256 || isUnderstandableNow(ingest.readers, file, before, settings)) return false;
  state.get(STREAMS)[file] = { ...before, size, mtimeMs };
  state.touch(STREAMS, file);
  return true;
}

/**
 * Returns why an event is not read once more: its bytes, or the event itself, were read under another name, or before
 * they left the vault. Null if they were not. Its signals exist, and their outcome stays.
 */
export function findTwin(ingest: Ingest, opened: EventStream): EventlessStream | null {
  return sameBytes(ingest, opened.form) ?? sameEvent(ingest, opened);
}

function sameBytes(ingest: Ingest, form: FileForm): EventlessStream | null {
  if (ingest.seen.isRetired(form.sha256)) return secondCopy(form, '', RETIRED);
  const twin = ingest.seen.of(form.sha256);
  return twin === null ? null : secondCopy(form, twin, `it was read as ${twin}`);
}

function secondCopy(form: FileForm, copyOf: string, skipped: string): EventlessStream {
  return { kind: 'none', form, skipped, copyOf, refused: null, tried: null };
}

// An event that gave no signal is read again if a person drops it once more: there may be a note for it by now.
function sameEvent(ingest: Ingest, { identity, event, form }: EventStream): EventlessStream | null {
  const standing = findVersion(ingest.known, identity);
  if (standing.kind !== 'known' || standing.as.path === event.path) return null;
  if (!standing.as.gave && !isInMaildir(event.path)) return null;
  const skipped = standing.isOutdated
    ? `a newer version of it was read as ${standing.as.path}`
    : `it was read as ${standing.as.path}`;
  return secondCopy(form, standing.as.path, skipped);
}

const RETIRED = 'it was read before, and left the vault since (keep_stream_days)';

/** Whether the bytes on disk are no longer those that were opened. */
function isChanged(vault: Vault, file: string, { sha256: opened }: FileForm): boolean {
  if (parseItemPath(file) !== null && !vault.streams.has(file)) return false; // it is the same by its identity
  try {
    return sha256(readInside(vault.root, file, MAX_MAIL_BYTES).bytes) !== opened;
  } catch {
    return true; // gone, or no longer a file that is read
  }
}

export async function parsedStream(
  space: Workspace,
  reader: StreamReader,
  file: string,
  bytes: Buffer,
  form: FileForm,
): Promise<EventStream | EventlessStream> {
  const { mail, door } = arrivalOf(space, file, bytes);
  const parsed = await reader.read(file, mail, door);
  if (!parsed.ok)
    return { kind: 'none', form, skipped: null, refused: parsed.trouble.message, tried: readerName(reader) };
  const { identity, event } = parsed;
  const within = (parsed.within ?? []).map((one) => itemEvent(file, one.event, one.identity, form.at));
  const stream = { kind: 'event' as const, event, form, identity, ...(within.length === 0 ? {} : { within }) };
  return knownEvent(syncTargets(space).index, stream, findVersion(space.ingest.known, identity));
}

/** A file's bytes as they are read, and the door by which they came in. */
interface Arrival {
  readonly mail: Buffer;
  readonly door: MailContext;
}

function fetchedAs(
  { context }: Pick<Workspace, 'context'>,
  file: string,
  bytes: Buffer,
): ReturnType<typeof readFetched> {
  return isMailFile(file) ? readFetched(bytes, file, context.seal) : null;
}

// The zone is asked for by the few mails that carry an appointment: to ask takes as long as to parse a short mail.
function ownCalendar(now: number): NonNullable<MailContext['calendar']> {
  return {
    get zone() {
      return ownZone();
    },
    now,
  };
}

// A mail that the program fetched itself comes in by its account's own server alone.
function arrivalOf({ context, vault }: IndexAccess, file: string, bytes: Buffer): Arrival {
  const { seal, settings } = context;
  const calendar = ownCalendar(context.now());
  const sourceType = findSourceType(file, true, vault.layout.folders.stream);
  const fetched = fetchedAs({ context }, file, bytes);
  if (fetched === null) {
    const whole = wholeSaid(bytes, seal) ?? undefined;
    const door = { sourceType, trustedServers: settings.trusted_mail_servers, whole, calendar };
    return { mail: bytes, door };
  }
  const whole = fetched.identity ?? undefined;
  // An invitation in it may be another's.
  if (fetched.isSent)
    return { mail: fetched.mail, door: { sourceType: SENT, trustedServers: [], whole, sentFolder: fetched.source } };
  const trustedServers = fetched.server === null ? [] : [fetched.server];
  const door = { sourceType, trustedServers, whole, calendar };
  return { mail: fetched.mail, door };
}

export interface StreamResult {
  readonly kind: 'read';
  readonly file: string;
  /** The signal notes written, by vault-relative path. */
  readonly signals: readonly string[];
  /** Why it gave no signal: no content for the vault, or an unreadable file. Null if it gave some. */
  readonly reason: string | null;
  /** Whether a reader understood the file. */
  readonly understood: boolean;
  /** Whether `reason` is why its words couldn't be read; what they say is not known then. */
  readonly unread: boolean;
  /** The counts of its events; null for a file with one event. */
  readonly items: ItemCounts | null;
}

/**
 * Opens one stream file, reads it and writes its signals. The file itself stays as it is. Returns null if it was read
 * before in this form, or is gone; and `waits` if a model should be asked and cannot be: then the file counts as
 * unread. `onProgress` receives the progress of the reading of a file that contains many events. Throws what the disk
 * refuses, and if the reading of such a file is aborted.
 */
export async function readStream(
  space: Workspace,
  file: string,
  abort: AbortSignal,
  onProgress?: ItemTaker['onProgress'],
): Promise<StreamResult | ModelWait | null> {
  return readOpened(space, file, await openStream(space, file), abort, onProgress);
}

/** Does the same with a file that is already open; `opened` is what `openStream` returned for it. */
export async function readOpened(
  space: Workspace,
  file: string,
  opened: OpenedStream | null,
  abort: AbortSignal,
  onProgress?: ItemTaker['onProgress'],
): Promise<StreamResult | ModelWait | null> {
  if (opened?.kind === 'items') return readMany(space, opened, { ...takerHere(space, abort), onProgress });
  if (opened === null) return null;
  if (opened.kind === 'none') return silent(space, file, opened);
  // A model may be reading the same event under another name just now.
  return space.transactions.inTurn(opened.identity.key, async () => {
    if (wasRead(space, file, opened.form)) return null;
    if (wasTaken(space, opened)) return closeItem(space, file);
    const twin = findTwin(space.ingest, opened);
    return twin === null ? readEvent(space, opened, abort) : silent(space, file, twin);
  });
}

/** Reads the events of a file that contains many. Returns null if it is unchanged since it was read to its end. */
export async function readMany(space: Workspace, stream: ItemStream, taker: ItemTaker): Promise<StreamResult | null> {
  const { file } = stream;
  const result = await readItems(space, stream, taker);
  if (result === null) return null;
  const { read, signals } = result;
  const items = read.items === null ? null : countItems(read.items);
  const reason = read.refused;
  if (items !== null) space.context.emit({ what: 'items-read', file, signals: signals.length, items, reason });
  return { kind: 'read', file, signals, reason, understood: read.tried === null, unread: false, items };
}

// One after the other, even if a model is asked: events that must wait stay open, and are taken up the next time.
function takerHere(space: Workspace, abort: AbortSignal): ItemTaker {
  return {
    take: async (opened) => listSignals(await readOpened(space, opened.event.path, opened, abort)),
    again: async (path) => listSignals(await readStream(space, path, abort)),
    abort,
  };
}

/** Returns the signal notes that a reading wrote. */
export function listSignals(result: StreamResult | ModelWait | null): readonly string[] {
  return result?.kind === 'read' ? result.signals : [];
}

function wasTaken({ vault, ingest }: Workspace, { event: { path }, identity }: EventStream): boolean {
  if (vault.streams.has(path) || parseItemPath(path) === null) return false;
  return ingest.known.of(identity).some((one) => one.version === identity.version && one.path === path);
}

function closeItem({ context: { state } }: Workspace, path: string): null {
  const item = parseItemPath(path);
  if (item === null) return null;
  delete state.get(STREAMS)[item.file]?.items?.open[item.id];
  state.touch(STREAMS, item.file);
  return null;
}

async function readEvent(space: Workspace, opened: EventStream, abort: AbortSignal): Promise<StreamResult | ModelWait> {
  const { event, form, identity } = opened;
  const file = event.path;
  const read = await extract(space, event, abort);
  if (read.kind === 'waits') return read;
  // Signals of the former bytes would be next to those of the bytes that replaced them.
  if (isChanged(space.vault, file, form)) return CHANGED;
  const carried = await readCarried(space, opened.within ?? []);
  const drafts = distinctDrafts([...read.drafts, ...carried.flatMap((one) => one.drafts)]);
  const signals = drafts.flatMap((draft) => writeSignal(space, draft) ?? []);
  followReading(space, opened, drafts);
  // A signal that a crash has left there counts, although it is not written now.
  const gave = drafts.length;
  const silence = gave === 0 ? silenceWith(read.silence, carried) : null;
  // News without a request asks the person no question that could warn of its sender.
  const suspicion = drafts.every(({ status }) => status === 'skipped')
    ? suspicionIn(event, syncTargets(space).index, new Date(space.context.now()))
    : null;
  if (suspicion !== null) noteSuspect(space.context, suspicion);
  // The user's own mail about no open note leaves no trace: not even the reason.
  if (event.sourceType === SENT && gave === 0) expectFleeting(space.context, [file]);
  else if (silence !== null) keepSilence(space, file, silence);
  rememberAs(space.ingest.known, identity, { version: identity.version, path: file, gave: gave > 0 });
  for (const one of carried) rememberCarried(space.ingest, one);
  const skipped = gave > 0 ? null : (silence?.reason ?? read.reason);
  const unread = silence?.kind === 'not-read' ? silence.reason : null;
  const about = event.sourceType === SENT && gave === 0 ? null : aboutWords(event);
  const given = { signals, gave, unread, event: identityId(identity), about };
  const result = concluded(space, file, { form, skipped, refused: null, tried: null }, given);
  // Asked again after a crash, a model would cost again, and may choose other words: another signal of the same event.
  if (read.asked) {
    space.ingest.known.flush();
    space.context.state.save(STREAMS);
  }
  return result;
}

// A mail may have been read while it was being written: signals that the whole mail doesn't give are withdrawn.
function followReading(space: Workspace, { event, form }: EventStream, drafts: readonly SignalDraft[]): void {
  const { context, vault } = space;
  const before = context.state.get(STREAMS)[event.path];
  if (before === undefined || before.sha256 === form.sha256 || event.originAt === null) return;
  const said = new Set(drafts.map(({ id }) => fold(id)));
  const earlier = vault.catalogue.signals().filter((signal) => {
    const { source_event_path: path, origin_at: at, pattern } = signal.fields;
    const isSameMessage = path === event.path && at === event.originAt && pattern === senderPattern(event);
    return isSameMessage && isOwnSignal(context.seal, signal);
  });
  const gone = earlier.filter(({ name, fields }) => fields.status === 'unrouted' && !said.has(fold(name)));
  const again = earlier.filter(({ name, fields }) => fields.withdrawn && said.has(fold(name)));
  const steps = [...withdrawSteps(space, gone, true), ...withdrawSteps(space, again, false)];
  if (steps.length === 0) return;
  space.transactions.commit(`attention-${nameTimeExact(context.now())}-${stem(event.path)}`, steps);
  vault.look([...gone, ...again].map(({ path }) => path));
}

const CHANGED: ModelWait = { kind: 'waits', reason: 'it was changed while being read', until: 0, window: null };

function silent(space: Workspace, file: string, stream: EventlessStream): StreamResult {
  const { tried, refused, skipped } = stream;
  const kind = refused !== null ? 'unreadable' : tried !== null ? 'unread-kind' : 'same-bytes';
  // A file of an unread kind is not asked again.
  const isKnown = space.context.state.get(STREAMS)[file]?.tried === NOBODY && kind === 'unread-kind';
  if (!isKnown) keepSilence(space, file, silentFile(kind, refused ?? skipped ?? ''));
  return concluded(space, file, stream, { signals: [], gave: 0, unread: null });
}

function keepSilence({ ingest, context }: Workspace, file: string, silence: Silence): void {
  ingest.trail.add({ at: context.now(), file, ...silence });
}

/** The signal notes that were written now, and how many there are of the event. */
interface Given {
  readonly signals: readonly string[];
  readonly gave: number;
  /** Why its words couldn't be read; null if they were, or if it gave signals anyway. */
  readonly unread: string | null;
  /** The id of the event; absent without one. */
  readonly event?: string;
  /** The event as a person names it; absent if it isn't known, or leaves no trace. */
  readonly about?: string | null;
}

function concluded(
  space: Workspace,
  file: string,
  { form, skipped, copyOf, refused, tried }: Omit<EventlessStream, 'kind'>,
  given: Given,
): StreamResult {
  const { signals, gave, unread, event, about = null } = given;
  const item = space.vault.streams.has(file) ? null : parseItemPath(file);
  if (item !== null) return concludedItem(space, item, given, { reason: skipped, isCopy: copyOf !== undefined });
  space.context.state.get(STREAMS)[file] = {
    ...form,
    signals: gave,
    skipped,
    ...(unread === null ? {} : { isUnread: true }),
    ...(copyOf === undefined ? {} : { copyOf }),
    ...(event === undefined ? {} : { event }),
    refused,
    tried,
    items: null,
  };
  space.context.state.touch(STREAMS, file);
  if (gave > 0) space.ingest.seen.add(form.sha256, file);
  const reason = refused ?? skipped;
  if (tried === NOBODY) sayUnread(space, file);
  else space.context.emit({ what: 'stream-read', file, about, signals: signals.length, reason });
  return { kind: 'read', file, signals, reason, understood: tried === null, unread: unread !== null, items: null };
}

function concludedItem(
  { context: { state } }: Workspace,
  { file, id }: { readonly file: string; readonly id: string },
  { signals, gave, unread }: Given,
  { reason, isCopy }: { readonly reason: string | null; readonly isCopy: boolean },
): StreamResult {
  const read = state.get(STREAMS)[file];
  if (read?.items != null) {
    delete read.items.open[id];
    if (isCopy) {
      read.items.read -= 1;
      read.items.known += 1;
    } else if (unread !== null) read.items.unread = addUnread(read.items.unread, unread);
    else if (gave === 0) {
      read.items.none += 1;
      read.items.aside = addUnread(read.items.aside, reason ?? OTHER_REASONS);
    }
    read.signals += gave;
    state.touch(STREAMS, file);
  }
  const path = itemPath(file, id);
  return { kind: 'read', file: path, signals, reason, understood: true, unread: unread !== null, items: null };
}

function sayUnread({ ingest: { unreadKinds }, context }: Workspace, file: string): void {
  const kind = fileKind(file);
  if (unreadKinds.has(kind)) return;
  unreadKinds.add(kind);
  context.emit({ what: 'kind-unread', file, kind });
}

function aboutWords(event: StreamEvent): string | null {
  const { sourceType: source, subject } = event;
  return receivedWords({
    source,
    from: shownSender(event),
    subject: subject === '' ? null : oneLine(subject, MAX_SUBJECT),
  });
}

function shownSender({ from, fromName }: StreamEvent): string | null {
  return from === null ? null : oneLine(addressFirst(fromName === null ? from : `${fromName} <${from}>`), MAX_SHOWN);
}

const MAX_SHOWN = 200;
const MAX_SUBJECT = 120;
/** A sender's name has room for a few addresses. */
const ADDRESS = /[^\s@<>"'(),;:[\]]{1,64}@[^\s@<>"'(),;:[\]]{1,255}/gu;

/**
 * Returns what is suspicious about an event: its sender pretends to be one that the vault names, or it gives orders to
 * Steward. Null if it is in order, or old: an old mailbox gives no warnings.
 */
function suspicionIn(event: StreamEvent, index: TargetIndex, now: Date): SuspectMail | null {
  if (event.ownNote || event.sourceType === SENT || isPast(event, now)) return null;
  const { from, subject, path, warnings } = event;
  const shown = {
    from: shownSender(event),
    subject: oneLine(subject, MAX_SUBJECT),
    file: path,
  };
  const pretence = from === null || !isMail(event) ? null : pretenceOf(event, from, index);
  if (pretence !== null) return { ...shown, ...pretence };
  if (!warnings.includes(MAIL_WARNINGS.orders)) return null;
  return { ...shown, kind: 'orders', pretends: null, warning: MAIL_WARNINGS.orders };
}

// Counted by the sender that the vault names: an impostor can write from any number of addresses.
function pretenceOf(
  { fromName, authentication }: StreamEvent,
  from: string,
  index: TargetIndex,
): Pick<SuspectMail, 'kind' | 'pretends' | 'warning'> | null {
  const listed = index.listing(from);
  if (authentication.result === 'fail' && listed.length > 0) {
    const pretends = listed.some(({ exact }) => exact) ? from : from.slice(from.lastIndexOf('@'));
    const warning = sentenceCase(rejectedWords(oneLine(from, MAX_SHOWN)));
    return { kind: 'rejected', pretends, warning };
  }
  const twin = index.lookAlike(from);
  if (twin !== null) return { kind: 'look-alike', pretends: twin, warning: lookAlikeWarning(twin) };
  const named = (
    oneLine(fromName ?? '', MAX_SHOWN)
      .normalize('NFKC')
      .toLowerCase()
      .match(ADDRESS) ?? []
  ).find((address) => address !== from && index.knowsSender(address));
  if (named === undefined) return null;
  return { kind: 'shown-name', pretends: named, warning: MAIL_WARNINGS.otherName(named, oneLine(from, MAX_SHOWN)) };
}
