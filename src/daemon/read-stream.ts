import { plainLine } from '../model/plain.ts';
import { ProviderError } from '../model/provider-error.ts';
import { mutationContext } from '../steward/changes/permission.ts';
import { permitProposal } from '../steward/changes.ts';
import { instinctOf } from '../steward/learning/sources.ts';
import { isOwnNote } from '../steward/ports/own-notes.ts';
import type { Extracted, ExtractionQuestion, Extractor, Meaning, StreamEvent } from '../steward/ports.ts';
import { standingOf } from '../steward/trust.ts';
import { admitted } from '../stream/admission.ts';
import { readAppointment } from '../stream/appointments.ts';
import { isInBatch } from '../stream/batch-state.ts';
import { checked } from '../stream/checking.ts';
import { distinctDrafts, draftsOf, type SignalDraft } from '../stream/draft.ts';
import { filesOf, kindOf } from '../stream/endings.ts';
import type { ItemKind } from '../stream/items.ts';
import { countsOf, type ItemCounts } from '../stream/items-read.ts';
import { oneLine } from '../stream/mail/plain-text.ts';
import { isInMaildir, isMailFile, MAX_MAIL_BYTES, sourceTypeOf } from '../stream/mail/source-type.ts';
import { readFetched, wholeSaid } from '../stream/mail-fetched.ts';
import { amountOf, moneyWords } from '../stream/money.ts';
import type { MailDoor } from '../stream/parse-mail.ts';
import { partsBeside, readPayment, vouchedPayment } from '../stream/payments.ts';
import { NO_FIT, readByPhrases, readByRules } from '../stream/rules-extractor.ts';
import { type Silence, silentEvent, silentFile } from '../stream/silence.ts';
import { silentReading } from '../stream/silent-reading.ts';
import { candidatesFor } from '../stream/targets.ts';
import { StewardError, systemCode } from '../vault/errors.ts';
import { type FileStat, fileError } from '../vault/files.ts';
import { sha256 } from '../vault/hash.ts';
import { itemIn, itemPath } from '../vault/notes/stream-path.ts';
import { readInside } from '../vault/slices.ts';
import { patternOf } from '../vault/source-names.ts';
import type { SenderStanding } from '../vault/status-words.ts';
import { localTime } from '../vault/time.ts';
import type { Vault } from '../vault/watch.ts';
import { statInside } from '../vault/watch-scan.ts';
import { backOff } from './budget/provider-backoff.ts';
import {
  type HoldingWindow,
  heldWords,
  recordUnanswered,
  recordUsage,
  releaseCost,
  reserveFor,
  whyNoQuestion,
} from './budget.ts';
import { NOBODY } from './context/remembered/stream-read.ts';
import type { Context, IndexAccess, Ingest, ModelAccess, ReadAccess, StreamReader, Workspace } from './context.ts';
import { expectFleeting } from './context-fleeting.ts';
import { reportFailure } from './decide/evaluator-choice.ts';
import type { EventlessStream, EventStream, FileForm, ItemStream, OpenedStream } from './ingest/opened.ts';
import { statedIn } from './ingest/plane-file.ts';
import { isUnderstandableNow, nameOf, readerOf, triedBy } from './ingest/readers.ts';
import { targetsOf } from './ingest/target-sync.ts';
import { EXTRACTION_FAULT } from './ingest.ts';
import { type ItemTaker, itemEvent, knownEvent, openItem, readItems, rememberAs, standingIn } from './ingest-items.ts';
import { kindsFor, ownZone, recognised } from './item-file.ts';
import { writeSignal } from './target-sync.ts';

/** An event that was read: the signals it gave, or the reason why there are none. */
interface Understood {
  readonly kind: 'understood';
  readonly drafts: readonly SignalDraft[];
  readonly reason: string | null;
  /** The same at length; null where there are signals. */
  readonly silence: Silence | null;
  /** Whether a model was asked. */
  readonly asked: boolean;
}

/** The model could not be asked: the event counts as unread. */
export interface Waits {
  readonly kind: 'waits';
  readonly reason: string;
  /** When to try again (epoch ms); null: when the model answers again. */
  readonly until: number | null;
  /** What has no room for the question until then; null where it waits for another reason. */
  readonly window: HoldingWindow | null;
}

/** How long a question waits that the provider rejects, in ms. */
const REJECTED_MS = 60 * 60 * 1000;

/** Reads one event with the extractor that the settings name, and checks a model's answer before it becomes signals. */
export async function extract(space: Workspace, event: StreamEvent, abort: AbortSignal): Promise<Understood | Waits> {
  const admission = admitted(event, new Date(space.context.now()));
  if (!admission.ok) return notAdmitted(event, admission.reason, false);
  const vouched = vouchedPayment(admission.event, space.context.settings.trusted_bank_accounts);
  const extracted = await extractedFrom(space, vouched, abort);
  return 'kind' in extracted ? extracted : understood(space, vouched, extracted);
}

/**
 * Returns what a model would be asked about an event; null where none is asked, or no note could be meant by the event.
 */
export function questionFor(space: Workspace, event: StreamEvent): ExtractionQuestion | null {
  const isAsked = space.models.extractor.asksModel && !tellsInFields(event);
  const admission = isAsked ? admitted(event, new Date(space.context.now())) : null;
  if (admission?.ok !== true) return null;
  const candidates = candidatesFor(targetsOf(space).index, admission.event);
  return candidates.length === 0 ? null : { event: admission.event, candidates, now: space.context.now() };
}

// What a channel tells by an id, or in fields, no model has to find out.
function tellsInFields({ about, appointment, payment }: StreamEvent): boolean {
  return [about, appointment, payment].some((one) => one !== undefined);
}

/** Reads an event by an answer that a model gave about it earlier; the answer is checked like any other. */
function extractAnswered(space: Workspace, event: StreamEvent, answer: Extracted): Understood {
  const admission = admitted(event, new Date(space.context.now()));
  if (!admission.ok) return notAdmitted(event, admission.reason, true);
  return understood(space, admission.event, verified(space, admission.event, answer));
}

function notAdmitted(event: StreamEvent, reason: string, asked: boolean): Understood {
  return { kind: 'understood', drafts: [], reason, silence: silentEvent(event, reason), asked };
}

function understood(space: Workspace, event: StreamEvent, extracted: Extracted): Understood {
  const struck = struckWords(extracted.rejected);
  const meanings = extracted.meanings.map((meaning, nth) => (nth === 0 ? withSentence(meaning, struck) : meaning));
  const drafts = draftsOf(event, { ...extracted, meanings }, targetsOf(space).index, {
    now: new Date(space.context.now()),
    confidenceOf: (source) => instinctOf(space, source).confidence,
    standingOf: (source, target) => standingOn(space, source, target),
    canVouch: event.isVouchable === true || canVouch(space.context),
  });
  const none = [extracted.skipped ?? 'nothing that changes a matter', struck].filter((part) => part !== '').join('. ');
  const asked = extracted.usage !== null;
  if (drafts.length > 0) return { kind: 'understood', drafts, reason: null, silence: null, asked };
  const silence = silentReading(event, extracted, none, targetsOf(space).index);
  return { kind: 'understood', drafts, reason: none, silence, asked };
}

// Also for a mail that came by another way: where somebody could be vouched for, one who is not is not that somebody.
function canVouch({ settings, state }: Workspace['context']): boolean {
  return settings.trusted_mail_servers.length > 0 || Object.values(state.get('sources')).some(({ vouches }) => vouches);
}

function standingOn(space: IndexAccess, source: string, path: string): SenderStanding {
  const target = space.vault.catalogue.get(path);
  if (target?.kind !== 'task' && target?.kind !== 'matter') return 'unknown';
  return standingOf(space, { source, pattern: patternOf(source), writer: 'own' }, target).known;
}

async function extractedFrom(space: Workspace, event: StreamEvent, abort: AbortSignal): Promise<Extracted | Waits> {
  const { extractor } = space.models;
  const targets = targetsOf(space);
  const stated = statedIn(event, targets.index);
  if (stated !== null) return permitted(space, stated);
  if (event.appointment !== undefined) {
    return permitted(space, readAppointment(event, targets.index, localTime(space.context.now()).slice(0, 16)));
  }
  if (event.payment !== undefined)
    return permitted(
      space,
      readPayment(event, targets.index, (task) => partsOf(space, event, task)),
    );
  const asked = { event, now: space.context.now() };
  // Where the channel names the note, the rules read its few words: no model has to find out what it is about.
  if (event.about !== undefined) return readByPhrases(event, targets.index);
  if (!extractor.asksModel) return extractor.extract({ ...asked, candidates: [] }, abort);
  const question = { ...asked, candidates: candidatesFor(targets.index, event) };
  if (question.candidates.length === 0) return { ...readByRules(event, targets), meanings: [], skipped: NO_FIT };
  const answer = await askModel(space, question, abort);
  if ('kind' in answer) return mayStandIn(space.context, abort) ? byRules(space, event, 'could not be asked') : answer;
  if (answer.unusable === null) return verified(space, event, answer);
  return { ...byRules(space, event, `gave no reply that could be used: ${answer.unusable}`), usage: answer.usage };
}

/** What other bank lines have paid of a task's sum, by the signals of the program's own. */
function partsOf(
  space: Workspace,
  { path: event, originAt: at, payment }: StreamEvent,
  path: string,
): readonly string[] {
  const { catalogue } = space.vault;
  const task = catalogue.get(path);
  const signals = task?.kind === 'task' ? catalogue.signalsFor(task) : [];
  const others = signals
    .filter((signal) => signal.fields.source_event_path !== event && isOwnNote(space, signal))
    .flatMap(({ fields: { paid, source_event_path: from, origin_at: told } }) =>
      paid === null ? [] : [{ file: fileOf(from ?? ''), day: (told ?? '').slice(0, 10), paid }],
    );
  const sum = payment === undefined ? null : amountOf(payment.amount, payment.currency);
  if (payment === undefined || sum === null) return [];
  return partsBeside({ file: fileOf(event), day: (at ?? payment.day).slice(0, 10), paid: moneyWords(sum) }, others);
}

/** The file of an event: `stream/bank/november.csv` of `stream/bank/november.csv#3f2a9c1b04de`. */
function fileOf(event: string): string {
  return event.replace(/#[^#/]*$/, '');
}

function verified(space: Workspace, event: StreamEvent, answer: Extracted): Extracted {
  return permitted(space, checked(answer, event, targetsOf(space).index));
}

function mayStandIn({ settings }: Context, abort: AbortSignal): boolean {
  return settings.evaluator_fallback === 'rules' && !abort.aborted;
}

/** Reads an event by the rules in place of the model. */
function byRules(space: Workspace, event: StreamEvent, why: string): Extracted {
  const instead = `rules (embedded; ${space.models.extractor.name} ${why.replace(/\.$/, '')})`;
  return { ...readByRules(event, targetsOf(space)), extractor: instead };
}

/** Asks within the budget and the provider's own limits: the estimate is set aside, then replaced by the real cost. */
async function askModel(
  space: Workspace,
  question: ExtractionQuestion,
  abort: AbortSignal,
): Promise<Extracted | Waits> {
  const {
    models: { extractor },
  } = space;
  const held = waitForRoom(space.context);
  if (held !== null) return held;
  const cost = reserveFor(space.context, matterOf(space, question), extractor.estimate?.(question) ?? null);
  if (!cost.ok) return waits(cost.refusal.reason, cost.refusal.freeAt, cost.refusal.window);
  try {
    const extracted = await extractor.extract(question, abort);
    recordUsage(space.context, cost.id, extracted.usage);
    space.problems.faults.delete(EXTRACTION_FAULT);
    return extracted;
  } catch (error) {
    if (!abort.aborted && !(error instanceof ProviderError)) throw error;
    return unanswered(space, extractor, error, cost.id, abort);
  }
}

function unanswered(
  space: ModelAccess,
  asked: Extractor,
  error: unknown,
  cost: number | null,
  abort: AbortSignal,
): Waits {
  const failure = error instanceof ProviderError ? error : null;
  if (failure === null) releaseCost(space.context, cost);
  else recordUnanswered(space.context, cost, failure);
  if (failure === null || abort.aborted) return waits('the program ends', null);
  if (failure.retryAfter !== undefined) backOff(space.context, failure.retryAfter);
  if (asked === space.models.extractor) reportFailure(space, EXTRACTION_FAULT, failure);
  if (failure.failure === 'rejected') return waits(failure.message, space.context.now() + REJECTED_MS);
  const isToWait = failure.retryAfter !== undefined || failure.failure === 'no-room';
  return (isToWait ? waitForRoom(space.context) : null) ?? waits(failure.message, null);
}

/** Why no question may be put now, and until when; null where one may. */
export function waitForRoom(context: Context): Waits | null {
  const held = whyNoQuestion(context);
  return held === null ? null : waits(heldWords(held, context.now()), held.freeAt, held.window);
}

/** The event is as unread as before, until then (epoch ms), or until the model answers again. */
function waits(reason: string, until: number | null, window: HoldingWindow | null = null): Waits {
  return { kind: 'waits', reason, until, window };
}

/** Returns the path of the matter that a question is asked for: that of the best candidate. */
export function matterOf(space: Workspace, { candidates }: ExtractionQuestion): string | null {
  const [best] = candidates;
  if (best === undefined || best.kind === 'matter') return best?.path ?? null;
  return targetsOf(space).index.get(best.path)?.matterPath ?? null;
}

/**
 * Keeps the proposals that a signal may make at all; the gates decide later whether they fit the note as it is then.
 */
function permitted(space: ReadAccess, extracted: Extracted): Extracted {
  return { ...extracted, meanings: extracted.meanings.map((meaning) => permittedMeaning(space, meaning)) };
}

function permittedMeaning(space: ReadAccess, meaning: Meaning): Meaning {
  const target = space.vault.catalogue.get(meaning.target);
  const note = space.notes.fresh(meaning.target);
  if (meaning.proposal === null || note === null) return meaning;
  if (target?.kind !== 'task' && target?.kind !== 'matter') return meaning;
  const permission = permitProposal(meaning.proposal, { ...mutationContext(space, target, note.data), state: 'open' });
  if (permission.ok) return meaning;
  return withSentence({ ...meaning, proposal: null }, `The change it proposed was struck out: ${permission.reason}`);
}

function withSentence(meaning: Meaning, sentence: string): Meaning {
  return { ...meaning, reasoning: `${meaning.reasoning} ${plainLine(sentence, 300)}`.trim() };
}

/** `Struck out of the reply: 2 × a quote that is not …`; empty where nothing was. */
function struckWords(rejected: readonly string[]): string {
  const kinds = Map.groupBy(rejected, (one) => one);
  const counted = [...kinds].map(([kind, all]) => `${all.length} × ${kind}`);
  return counted.length === 0 ? '' : `Struck out of the reply: ${counted.join(', ')}.`;
}

const MOST_REASON = 300;

/** An appointment that a mail carries, and the signals that it gave. */
interface ReadCarried {
  readonly stream: EventStream;
  readonly drafts: readonly SignalDraft[];
  /** Why it gave none; null where it gave some. */
  readonly silence: Silence | null;
}

/**
 * Reads the appointments that a mail carries. What was read before, from another mail or a calendar, is passed over; what was
 * read from this very mail is read again, and gives the same. No model is asked about them, so none has to wait.
 */
async function readCarried(space: Workspace, within: readonly EventStream[]): Promise<readonly ReadCarried[]> {
  const read: ReadCarried[] = [];
  for (const stream of within) {
    const standing = standingIn(space.ingest.known, stream.identity);
    if (standing.kind === 'known' && standing.as.path !== stream.event.path) continue;
    const { event } = knownEvent(targetsOf(space).index, stream, standing);
    const said = await extract(space, event, new AbortController().signal);
    if (said.kind === 'understood') read.push({ stream, drafts: said.drafts, silence: said.silence });
  }
  return read;
}

/** Remembers that an appointment of a mail was read. */
function rememberCarried({ known }: Pick<Ingest, 'known'>, { stream, drafts }: ReadCarried): void {
  const { event, identity } = stream;
  rememberAs(known, identity, { version: identity.version, path: event.path, gave: drafts.length > 0 });
}

/** Returns why a mail gave no signal, with why its appointments gave none. */
function silenceWith(silence: Silence | null, carried: readonly ReadCarried[]): Silence | null {
  const whys = carried.flatMap((one) => one.silence?.reason ?? []);
  if (silence === null || whys.length === 0) return silence;
  return { ...silence, reason: oneLine(`${silence.reason}. Its appointment: ${whys.join('; ')}`, MOST_REASON) };
}

/** What was read, and by whom. */
type Reading = Pick<Workspace, 'context' | 'ingest'>;

/**
 * Reads the bytes of a stream file and parses them. Returns its event, or the reason why it holds none, or that it holds
 * many; null where the file was read before in this form, or is gone. The path of an event in a file that holds many
 * gives that one. Throws what the disk refuses.
 */
export async function openStream(space: Workspace, file: string): Promise<OpenedStream | null> {
  const item = space.vault.streams.has(file) ? null : itemIn(file);
  if (item !== null) return openItem(space, item);
  const reader = readerOf(space.ingest.readers, file);
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

function strangeStream(space: Workspace, file: string, kinds: readonly ItemKind[]): EventlessStream {
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
    return { kind: 'none', form, skipped: null, refused: error.trouble.message, tried: nameOf(reader) };
  }
}

// Its bytes are of no use: a film that somebody dropped is not read into memory.
function unreadStream(space: Workspace, file: string): EventlessStream | null {
  const stat = statInside(space.vault.root, file);
  if (stat === null) return null;
  const skipped = `${filesOf(kindOf(file))} are not read; it stays there, and is read by a version that can`;
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
  const before = state.get('streams')[file];
  if (before?.sha256 !== sha256 || isUnderstandableNow(ingest.readers, file, before, settings)) return false;
  state.get('streams')[file] = { ...before, size, mtimeMs };
  state.touch('streams', file);
  return true;
}

/**
 * Returns why an event is not read once more: its bytes, or the event itself, were read under another name, or before
 * they left the vault. Null where they were not. Their signals exist, and what became of them stands.
 */
export function twinOf(ingest: Ingest, opened: EventStream): EventlessStream | null {
  return sameBytes(ingest, opened.form) ?? sameEvent(ingest, opened);
}

function sameBytes(ingest: Ingest, form: FileForm): EventlessStream | null {
  if (ingest.seen.isRetired(form.sha256)) return { kind: 'none', form, skipped: RETIRED, refused: null, tried: null };
  const twin = ingest.seen.of(form.sha256);
  return twin === null ? null : { kind: 'none', form, skipped: `it was read as ${twin}`, refused: null, tried: null };
}

// What gave nothing is read again where a person drops it once more: there may be a note for it by now.
function sameEvent(ingest: Ingest, { identity, event, form }: EventStream): EventlessStream | null {
  const standing = standingIn(ingest.known, identity);
  if (standing.kind !== 'known' || standing.as.path === event.path) return null;
  if (!standing.as.gave && !isInMaildir(event.path)) return null;
  const skipped = standing.isOutdated
    ? `a newer version of it was read as ${standing.as.path}`
    : `it was read as ${standing.as.path}`;
  return { kind: 'none', form, skipped, refused: null, tried: null };
}

const RETIRED = 'it was read before, and left the vault since (keep_stream_days)';

/** Whether an event of a file has still not been read, under its own name or another. */
export function isUnread(space: Workspace, file: string, opened: EventStream): boolean {
  return !wasRead(space, file, opened.form) && twinOf(space.ingest, opened) === null;
}

/** Whether the bytes on disk are no longer those that were opened. */
function isChanged(vault: Vault, file: string, { sha256: opened }: FileForm): boolean {
  if (itemIn(file) !== null && !vault.streams.has(file)) return false; // it is the same by its identity
  try {
    return sha256(readInside(vault.root, file, MAX_MAIL_BYTES).bytes) !== opened;
  } catch {
    return true; // gone, or no longer a file that is read
  }
}

/** Parses the bytes of a stream file by its reader. Never throws. */
export async function parsedStream(
  space: Workspace,
  reader: StreamReader,
  file: string,
  bytes: Buffer,
  form: FileForm,
): Promise<EventStream | EventlessStream> {
  const { mail, door, isVouchable } = arrivalOf(space, file, bytes);
  const parsed = await reader.read(file, mail, door);
  if (!parsed.ok) return { kind: 'none', form, skipped: null, refused: parsed.trouble.message, tried: nameOf(reader) };
  const { identity } = parsed;
  const event = isVouchable ? { ...parsed.event, isVouchable } : parsed.event;
  const within = (parsed.within ?? []).map((one) => itemEvent(file, one.event, one.identity, form.at));
  const stream = { kind: 'event' as const, event, form, identity, ...(within.length === 0 ? {} : { within }) };
  return knownEvent(targetsOf(space).index, stream, standingIn(space.ingest.known, identity));
}

/** A file's bytes as they are read, and the door by which they came in. */
interface Arrival {
  readonly mail: Buffer;
  readonly door: MailDoor;
  /** Whether the mailbox that it was fetched from names a server that says who sent a mail. */
  readonly isVouchable: boolean;
}

function fetchedAs(
  { context }: Pick<Workspace, 'context'>,
  file: string,
  bytes: Buffer,
): ReturnType<typeof readFetched> {
  return isMailFile(file) ? readFetched(bytes, file, context.seal) : null;
}

// The zone is asked for by the few mails that carry an appointment: to ask takes as long as to parse a short mail.
function ownCalendar(now: number): NonNullable<MailDoor['calendar']> {
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
  const sourceType = sourceTypeOf(file, true, vault.layout.folders.stream);
  const fetched = fetchedAs({ context }, file, bytes);
  if (fetched === null) {
    const whole = wholeSaid(bytes, seal) ?? undefined;
    const door = { sourceType, trustedServers: settings.trusted_mail_servers, whole, calendar };
    return { mail: bytes, door, isVouchable: false };
  }
  const trustedServers = fetched.server === null ? [] : [fetched.server];
  const door = { sourceType, trustedServers, whole: fetched.identity ?? undefined, calendar };
  return { mail: fetched.mail, door, isVouchable: fetched.server !== null };
}

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
