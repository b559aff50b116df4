import { z } from 'zod';
import type { Capability, Own, Running } from '../daemon/capability.ts';
import type { Context, Workspace } from '../daemon/context.ts';
import { slice } from '../daemon/state.ts';
import { rememberTouches } from '../steward/findings.ts';
import { comesAfter, isWaiting, type Proposals } from '../steward/proposals.ts';
import { isOwnNote } from '../steward/records.ts';
import type { Settings } from '../steward/settings.ts';
import { findReader } from '../streams/kinds.ts';
import { type ItemsRead, retiredKey, STREAMS, type StreamRead } from '../streams/state.ts';
import { MAX_MAIL_BYTES } from '../streams/stream.ts';
import { sameStat } from '../vault/files.ts';
import { saysItWaits } from '../vault/index.ts';
import { fold, MAX_NOTE_BYTES, streamFilePath } from '../vault/layout.ts';
import { hasChosen } from '../vault/note-text.ts';
import { retire } from '../vault/publish.ts';
import { type EventRecord, isSiblingType, type SignalRecord } from '../vault/record.ts';
import { iso } from '../vault/time.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** After a longer pause the clock may be wrong, or the vault another's: nothing goes until a day has passed. */
const LONGEST_PAUSE_MS = 7 * DAY_MS;

/** When it was last looked which files may leave the vault (epoch ms), by which settings, and how many left then. */
const retentionState = z.lazy(() =>
  z.object({
    at: z.number(),
    settings: z.string(),
    streams: z.number().int(),
    events: z.number().int(),
    signals: z.number().int(),
  }),
);
type RetentionState = z.infer<typeof retentionState>;

const RETENTION = slice('retention', retentionState, () => ({
  at: 0,
  settings: '',
  streams: 0,
  events: 0,
  signals: 0,
}));

/** Lets what is settled and old leave the vault. */
export const retention = {
  name: 'retention',
  words: 'the retention',
  state: [RETENTION],
  /** How long things stay in the vault; null if everything is kept. */
  status: ({ context }: Workspace) => ({ retention: retentionStatus(context) }),
  start: (own) => new Retention(own),
} satisfies Capability;

class Retention implements Running {
  readonly #own: Own;
  #ranAt = 0;

  constructor(own: Own) {
    this.#own = own;
  }

  begin(): void {
    this.#run();
  }

  /** Runs if an hour has passed, in whichever direction the clock went, or if a round is due. */
  check(): void {
    const now = this.#own.space.context.now();
    if (Math.abs(now - this.#ranAt) >= HOUR_MS || (this.next() ?? now + 1) <= now) this.#run();
  }

  next(): number | null {
    const { settings, state } = this.#own.space.context;
    const round = isOn(settings) ? nextRound(settings, state.get(RETENTION)) : null;
    return round === null || round <= this.#ranAt ? null : round; // a round that is due is queued, or tried again
  }

  #run(): void {
    const { space, retries } = this.#own;
    this.#ranAt = space.context.now();
    retries.add('retention', '.', () => retireOld(space));
  }
}

type Days = Pick<Settings, 'keep_stream_days' | 'keep_event_days'>;

function isOn({ keep_stream_days: streams, keep_event_days: events }: Days): boolean {
  return streams !== null || events !== null;
}

function written({ keep_stream_days: streams, keep_event_days: events }: Days): string {
  return `${streams} ${events}`;
}

/** Returns when the next clean-up is due (epoch ms); null if these settings were not announced yet. */
function nextRound(settings: Days, known: RetentionState): number | null {
  return known.settings === written(settings) ? known.at + DAY_MS : null;
}

/**
 * The next step: to wait, to clean up, or only to announce a clean-up in a day. New settings, a long pause and a clock
 * that was set are announced first: a person who did not mean them has a day to take them back.
 */
function stepNow(settings: Days, known: RetentionState, now: number): 'wait' | 'announce' | 'round' {
  if (!isOn(settings)) return 'wait';
  const next = nextRound(settings, known);
  const passed = now - known.at;
  if (next === null || passed < 0 || passed > LONGEST_PAUSE_MS) return 'announce';
  return now < next ? 'wait' : 'round';
}

/** Returns the moment (epoch ms) before which a file is older than these days; null if all are kept. */
function oldBefore(days: number | null, now: number): number | null {
  return days === null ? null : now - days * DAY_MS;
}

/** How long things stay in the vault, as `status` shows it. */
export interface RetentionStatus {
  /** After how many days they leave; null if they are kept. */
  readonly streamDays: number | null;
  readonly eventDays: number | null;
  /** When the next clean-up is due; null if it isn't planned yet. */
  readonly next: string | null;
  /** How many files left in the last round. */
  readonly last: Pick<RetentionState, 'streams' | 'events' | 'signals'>;
}

/** Returns how long things stay in the vault; null if everything is kept. */
export function retentionStatus({ settings, state }: Context): RetentionStatus | null {
  if (!isOn(settings)) return null;
  const known = state.get(RETENTION);
  const { streams, events, signals } = known;
  const next = nextRound(settings, known);
  return {
    streamDays: settings.keep_stream_days,
    eventDays: settings.keep_event_days,
    next: next === null ? null : iso(next),
    last: { streams, events, signals },
  };
}

// Records that may leave the vault in time: those of decisions without a change, an answer or a lesson, with the
// signals that only they weighed. Everything that can be undone, waits, or counts for a licence stays.

/** Up to which moment (epoch ms) records are old. */
interface Before {
  readonly before: number;
}

/**
 * Returns which events of the same note may go, oldest first. It ends before one that must stay and is unanswered,
 * since perhaps only later events settle it.
 */
function eventsToGo(space: Proposals, event: EventRecord, old: Before): EventRecord[] {
  const going: EventRecord[] = [];
  for (const one of siblingsOf(space, event)) {
    if (isOver(space, one, old)) going.push(one);
    else if (isUnanswered(space, one)) break;
  }
  return going;
}

function siblingsOf({ vault: { catalogue } }: Proposals, event: EventRecord): EventRecord[] {
  const { target_path: path } = event.fields;
  const about = path === null ? [event] : catalogue.eventsAbout(path);
  return about.toSorted((one, other) => (comesAfter(one, other) ? 1 : -1));
}

function isUnanswered({ vault: { catalogue } }: Proposals, { name, fields }: EventRecord): boolean {
  return fields.undo_recipe === null && !isSiblingType(fields.type) && catalogue.answersTo(name).length === 0;
}

function isOver(space: Proposals, event: EventRecord, { before }: Before): boolean {
  const { fields, stat } = event;
  // The time is under the seal; a file that was touched or edited since is somebody's business still.
  const isOld = Date.parse(fields.timestamp) < before && stat.mtimeMs < before;
  if (!isOld || !isUnanswered(space, event) || hasTaught(event) || isAsked(event)) return false;
  return !isFlagged(space, event) && !saysItWaits(fields) && isOwnNote(space, event) && !isWaiting(space, event);
}

function hasTaught({ fields: { taught } }: EventRecord): boolean {
  return taught === 'right' || taught === 'wrong';
}

function isAsked({ fields }: EventRecord): boolean {
  const { confirm, dismiss, later, undo, deliberate, advice } = fields;
  return confirm || dismiss || later || undo || deliberate || hasChosen(fields) || advice !== null;
}

// The flag that it put into its note is taken away by what the event says of it.
function isFlagged({ vault: { catalogue } }: Proposals, { fields: { pending_patch: patch } }: EventRecord): boolean {
  const note = patch === null ? undefined : catalogue.get(catalogue.currentPath(patch.target));
  return (note?.kind === 'task' || note?.kind === 'matter') && note.fields.pending_confirmation;
}

function signalsToGo(
  space: Proposals,
  event: EventRecord,
  going: ReadonlySet<string>,
  { before }: Before,
): SignalRecord[] {
  return signalsOf(space, event).filter((signal) => {
    const naming = space.vault.catalogue.eventsOfSignal(signal.name);
    const isOld = Date.parse(signal.fields.created ?? '') < before && signal.stat.mtimeMs < before;
    const isDone = naming.every(({ path }) => going.has(path)) && naming.some(isWeighing);
    return isOld && isDone && isOwnNote(space, signal);
  });
}

/**
 * Whether an event can go without leaving behind a signal that would be weighed again: each is gone, settled, or named
 * by a record that stays.
 */
function leavesNoSignal(space: Proposals, event: EventRecord, going: ReadonlySet<string>): boolean {
  return signalsOf(space, event).every((signal) => {
    const { status, effect } = signal.fields;
    const naming = space.vault.catalogue.eventsOfSignal(signal.name);
    const isKept = naming.some((other) => !going.has(other.path) && isWeighing(other));
    return status !== 'unrouted' || effect === 'none' || isKept || !isWeighing(event);
  });
}

function signalsOf({ vault: { catalogue } }: Proposals, { fields }: EventRecord): SignalRecord[] {
  return fields.signals.flatMap((link) => {
    const found = catalogue.resolve(link, ['signal']);
    return found?.kind === 'signal' ? [found] : [];
  });
}

function isWeighing({ fields }: EventRecord): boolean {
  return fields.decision !== 'rate_guarded' && fields.candidates.length === 0;
}

function isOpenSignal(space: Proposals, signal: SignalRecord): boolean {
  const { status, effect } = signal.fields;
  const naming = space.vault.catalogue.eventsOfSignal(signal.name);
  const isUnweighed = status === 'unrouted' && effect !== 'none' && !naming.some(isWeighing);
  return isUnweighed || naming.some((event) => isWaiting(space, event) || isUndoable(space, event));
}

function isUndoable({ context }: Proposals, { fields: { undo_recipe: recipe } }: EventRecord): boolean {
  return recipe !== null && !(Date.parse(recipe.expires_at) < context.now());
}

interface Leaving {
  readonly streams: readonly { readonly file: string; readonly sha256: string }[];
  readonly events: readonly EventRecord[];
  readonly signals: readonly SignalRecord[];
}

type PlanSpace = Pick<Workspace, 'context' | 'vault' | 'notes' | 'proposals' | 'ingest'>;

/** How many records are looked at before other work has its turn. */
const AT_ONCE = 25;

/**
 * Returns what may leave the vault by its settings. Reads what is old, a little at a time, and doesn't change anything.
 */
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
  const read = space.context.state.get(STREAMS);
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

// A file of a kind without a reader waits for one, and a refused file waits for a person.
function isDone({ ingest }: PlanSpace, file: string, { refused, sha256, items }: StreamRead): boolean {
  const isUnderstood = items === null ? findReader(ingest.readers, file) !== null : isThrough(items);
  const isRead = refused === null && sha256 !== '' && isUnderstood;
  return isRead && !ingest.waiting.has(file);
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
      for (const one of [file, streamFilePath(file)]) open.add(fold(one));
    }
    looked += 1;
    if (looked % AT_ONCE === 0) await new Promise(setImmediate);
  }
  return open;
}

/**
 * Lets what is settled and older than the settings keep leave the vault, once a day: into the history, and after the undo
 * window for good. A day before the first time it is only said.
 */
export async function retireOld(space: Workspace): Promise<void> {
  const { settings, state, now } = space.context;
  const step = stepNow(settings, state.get(RETENTION), now());
  if (step === 'announce') announce(space);
  if (step === 'round') await round(space);
}

function announce({ context: { settings, state, now, emit } }: Workspace): void {
  const known = { ...state.get(RETENTION), at: now(), settings: written(settings) };
  state.set(RETENTION, known);
  const [streamDays, eventDays] = [settings.keep_stream_days, settings.keep_event_days];
  emit({ what: 'retention', streamDays, eventDays, from: nextRound(settings, known) ?? now() });
}

async function round(space: Workspace): Promise<void> {
  const { settings, state, now, emit } = space.context;
  const leaving = await leavingNow(space);
  rememberAll(space, leaving);
  // The signals first: only the records say that they were weighed.
  const signals = await goneOf(leaving.signals, (one) => retireNote(space, one));
  const events = await goneOf(leaving.events, (one) => retireNote(space, one));
  const streams = await goneOf(leaving.streams, (one) => retireStream(space, one));
  state.set(RETENTION, { at: now(), settings: written(settings), streams, events, signals });
  if (streams + events + signals > 0) emit({ what: 'retired', streams, events, signals });
}

// Durable before anything goes, so that what comes back after a crash is known as well.
function rememberAll(space: Workspace, { streams, events, signals }: Leaving): void {
  const { state, now } = space.context;
  if (events.length > 0) {
    rememberTouches(space, events);
    state.save('touched');
  }
  if (streams.length + signals.length === 0) return;
  const retired = state.get('retired');
  const weighed = state.get('weighed');
  for (const key of [...streams.map(({ sha256 }) => retiredKey(sha256)), ...signals.map(({ name }) => name)]) {
    retired[key] = now();
    state.touch('retired', key);
  }
  for (const { name } of signals) {
    weighed[name] ??= now();
    state.touch('weighed', name);
  }
  state.save('retired');
  state.save('weighed');
}

async function goneOf<Item>(items: readonly Item[], go: (item: Item) => Promise<boolean>): Promise<number> {
  let gone = 0;
  for (const item of items) {
    if (await go(item)) gone += 1;
    await new Promise(setImmediate);
  }
  return gone;
}

function retireStream(space: Workspace, { file, sha256 }: Leaving['streams'][number]): Promise<boolean> {
  return space.transactions.inTurn(sha256, async () => {
    return isGone(space, file, MAX_MAIL_BYTES, sha256);
  });
}

// A note that was changed since it was looked at stays.
function retireNote(space: Workspace, { path, stat }: EventRecord | SignalRecord): Promise<boolean> {
  return space.transactions.inTurn(path, async () => {
    space.transactions.finishHeldUp([path]);
    space.vault.look([path]);
    const now = space.vault.catalogue.get(path);
    const sha = space.notes.fresh(path)?.sha;
    if (now === undefined || sha === undefined || !sameStat(now.stat, stat)) return false;
    return isGone(space, path, MAX_NOTE_BYTES, sha);
  });
}

function isGone({ vault, transactions }: Workspace, file: string, maxBytes: number, sha256: string): boolean {
  transactions.demand();
  if (vault.away !== null) return false;
  const gone = retire(vault.root, vault.places, { file, maxBytes, fits: (found) => found === sha256 });
  if (gone) vault.lose([file]);
  return gone;
}
