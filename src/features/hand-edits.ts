import { z } from 'zod';
import type { Capability, Own, Running } from '../daemon/capability.ts';
import type { IndexAccess, ReadAccess, Workspace, WriteAccess } from '../daemon/context.ts';
import type { RetryQueue } from '../daemon/queue.ts';
import { endQuiet } from '../daemon/schedule.ts';
import { slice } from '../daemon/state.ts';
import type { Timers } from '../daemon/timers.ts';
import { isStateField } from '../steward/change.ts';
import { listUndos } from '../steward/field-edits.ts';
import { findInstinct } from '../steward/instinct.ts';
import { senderStanding } from '../steward/licence.ts';
import { isHandsOff, isLiving, waitingAbout } from '../steward/proposals.ts';
import { sentAt } from '../steward/sender.ts';
import { isListenedTo } from '../steward/signals.ts';
import type { ExtractorResult, Meaning, StreamEvent } from '../steward/types.ts';
import { isUnread } from '../vault/cache.ts';
import { quoted } from '../vault/event-text.ts';
import { keyPosition, noteBody, type ParsedNote, readNote } from '../vault/frontmatter.ts';
import { cutAt, isNamedAfter, lastTicked, plainText } from '../vault/note-text.ts';
import {
  type EventRecord,
  type FieldMapping,
  type FieldRecipe,
  type MatterRecord,
  type ReversalRecord,
  type StatusWords,
  stateMeant,
  type TargetRecord,
  type TaskRecord,
  type VaultRecord,
} from '../vault/record.ts';
import { OWN_HAND, parsePattern, VAULT_EDIT } from '../vault/source-names.ts';
import { endOfLocalDay, localDate, parseLocalTime, utc } from '../vault/time.ts';
import type { RecordChange } from '../vault/vault.ts';

/** How many edits are taken up at once: more than a person makes in half a minute. */
export const MOST_AT_ONCE = 20;
/** After so long (ms) there is room for one more. */
const ONE_MORE_MS = 3_000;
const MOST_A_DAY = 300;

/** How many edits were heard today, and how many were too many. */
const editsState = z.lazy(() =>
  z.object({
    /** `YYYY-MM-DD`, local. */
    date: z.string(),
    heard: z.number().int().min(0),
    passed: z.number().int().min(0),
    /** How many were heard at once, as of a moment (epoch ms): it wears off. */
    level: z.number().min(0),
    at: z.number(),
  }),
);
type EditsState = z.infer<typeof editsState>;

function emptyEdits(): EditsState {
  return { date: '', heard: 0, passed: 0, level: 0, at: 0 };
}

/** Returns how many edits may be heard at a moment (epoch ms; `date`: its local day). LAW: never more than `MOST_AT_ONCE`. */
export function roomFor(state: EditsState, now: number, date: string): number {
  const today = state.date === date ? state.heard : 0;
  return Math.max(0, Math.min(Math.floor(MOST_AT_ONCE - levelAt(state, now)), MOST_A_DAY - today));
}

/** Returns the account after edits were taken up, or skipped, at a moment. */
export function booked(
  state: EditsState,
  now: number,
  date: string,
  one: { heard: number; passed: number },
): EditsState {
  const { heard, passed } = state.date === date ? state : { heard: 0, passed: 0 };
  return {
    date,
    heard: heard + one.heard,
    passed: passed + one.passed,
    level: levelAt(state, now) + one.heard,
    at: now,
  };
}

// A moment to come was set by a wrong clock.
function levelAt({ level, at }: EditsState, now: number): number {
  return at > now ? 0 : Math.max(0, level - (now - at) / ONE_MORE_MS);
}

export const EDITS = slice('edits', editsState, emptyEdits);

/** An edit is read after this many settle windows: a sync may bring the record of who made it a little later. */
const RESTS = 3;
/** Where a record that may tell who made it cannot be read, it is looked at again then (ms). */
const UNREAD_MS = 30_000;
/** How many notes are remembered at a time until they have come to rest. */
const MOST_KEPT = 1_000;
const NEVER = Number.POSITIVE_INFINITY;

/** A note as it was before somebody changed it, and when it is looked at (epoch ms). */
interface Pending {
  readonly before: TargetRecord;
  readonly at: number;
}

/** A note that has come to rest; `edited` is null if it is gone. */
interface Due {
  readonly path: string;
  readonly pending: Pending;
  readonly edited: Edited | null;
}

/** Edits that a person makes in notes. */
export const handEdits = {
  name: 'edits',
  words: 'reading your edits',
  state: [EDITS],
  follows: ['task', 'matter', 'bad'],
  status: editsStatus,
  start: (own) => new Edits(own),
} satisfies Capability;

function editsStatus({ context: { state, now } }: Workspace): { readonly edits: Pick<EditsState, 'heard' | 'passed'> } {
  const { date, heard, passed } = state.get(EDITS);
  return { edits: date === localDate(now()) ? { heard, passed } : { heard: 0, passed: 0 } };
}

/** A person's own edits as a stream: each is read once its note has come to rest. */
class Edits implements Running {
  readonly #space: Workspace;
  readonly #retries: RetryQueue;
  readonly #timers: Timers;
  readonly #schedules: Own['schedules'];
  readonly #pending = new Map<string, Pending>();
  #isSet = false;
  #over = 0;

  constructor(parts: Pick<Own, 'space' | 'retries' | 'timers' | 'schedules'>) {
    this.#space = parts.space;
    this.#retries = parts.retries;
    this.#timers = parts.timers;
    this.#schedules = parts.schedules;
  }

  /** Takes up what was edited while the program was away: what the records held then is known from their cache. */
  begin(): void {
    const { vault } = this.#space;
    const now = this.#space.context.now();
    // Counted from the change, not from the start: with frequent restarts, they would never be taken up.
    const restsAt = ({ after }: RecordChange) =>
      Math.min(now, after === null ? now : Math.max(after.stat.mtimeMs, after.stat.ctimeMs)) + this.#restMs();
    this.#remember(vault.editedMeanwhile, restsAt);
    vault.editedMeanwhile = [];
  }

  /** Remembers what notes were like before they changed. Of several changes of a note the first counts. */
  changed(changes: readonly RecordChange[]): void {
    const at = this.#space.context.now() + this.#restMs();
    this.#remember(changes, () => at);
  }

  #remember(changes: readonly RecordChange[], restsAt: (change: RecordChange) => number): void {
    for (const change of changes) {
      const { path, before, after } = change;
      const known = this.#pending.get(path);
      const was = known?.before ?? (mayBeEdit(before, after) ? before : null);
      if (was === null) continue;
      if (known !== undefined || this.#pending.size < MOST_KEPT)
        this.#pending.set(path, { before: was, at: restsAt(change) });
      else this.#over += 1;
    }
    this.#wait();
  }

  /** Whether an edit of a note is still to be heard: until then it must be known what the note was like before. */
  needsBefore(path: string): boolean {
    return this.#pending.has(path);
  }

  /** Reads what has come to rest, whatever the timer says. */
  check(): void {
    if (this.#firstRest() <= this.#space.context.now()) this.#retries.add('edits', '.', () => this.#hear());
    this.#wait();
  }

  #wait(): void {
    const next = this.#firstRest();
    if (this.#isSet || next === NEVER) return;
    this.#isSet = true;
    this.#timers.at(next, () => {
      this.#isSet = false;
      this.check();
    });
  }

  #firstRest(): number {
    return [...this.#pending.values()].reduce((first, { at }) => Math.min(first, at), NEVER);
  }

  async #hear(): Promise<void> {
    const writer = await loadWriter();
    const due = this.#due();
    const edited = due.flatMap((one) => one.edited ?? []);
    const awoken = hearEdits(this.#space, edited, this.#over, writer);
    this.#over = 0;
    for (const { path, pending } of due) if (this.#pending.get(path) === pending) this.#pending.delete(path);
    for (const matter of new Set(awoken)) this.#schedules.follow(matter);
    this.#wait();
  }

  #due(): Due[] {
    const now = this.#space.context.now();
    return [...this.#pending].flatMap(([path, pending]) =>
      pending.at > now ? [] : (this.#rested(path, pending) ?? []),
    );
  }

  // A note that is being typed in is looked at later, and one that is half written once it is whole. A deleted one says
  // no more.
  #rested(path: string, pending: Pending): Due | null {
    const { context, vault, notes } = this.#space;
    const after = vault.catalogue.get(vault.catalogue.currentPath(path));
    if (after?.kind === 'bad') {
      this.#pending.set(path, { ...pending, at: NEVER });
      return null;
    }
    if (after?.kind !== 'task' && after?.kind !== 'matter') return { path, pending, edited: null };
    if (isStillUnread(this.#space, after, pending.before.stat.mtimeMs)) {
      this.#pending.set(path, { ...pending, at: context.now() + UNREAD_MS });
      return null;
    }
    const { settledAt } = notes.fresh(after.path) ?? { settledAt: 0 };
    if (settledAt <= context.now()) return { path, pending, edited: { before: pending.before, after } };
    this.#pending.set(path, { ...pending, at: settledAt });
    return null;
  }

  #restMs(): number {
    return RESTS * this.#space.context.settings.settle_seconds * 1000;
  }
}

type SignalWriter = Awaited<ReturnType<typeof loadWriter>>;

// Loaded with the first edit: it brings the index of everything that an event could be about.
async function loadWriter() {
  const [{ makeDrafts, writeSignal }, { syncTargets }] = await Promise.all([
    import('../streams/signal.ts'),
    import('../streams/target-sync.ts'),
  ]);
  return { draftsOf: makeDrafts, writeSignal, targetsOf: syncTargets };
}

/** A note that was changed, as it was before and as it is now. */
interface Edited {
  readonly before: TargetRecord;
  readonly after: TargetRecord;
}

/**
 * Writes the signals of what persons have done to some notes by hand, and returns the matters whose quiet that ends. The
 * program's own writes, and edits that are told of already, give none; of very many at once only some are heard, and the
 * rest is counted. `over`: how many more notes were changed, of which nothing else is known.
 */
function hearEdits(space: Workspace, edited: readonly Edited[], over: number, writer: SignalWriter): MatterRecord[] {
  const scenes = scenesOf(space, edited);
  const { state, now } = space.context;
  const date = localDate(now());
  const isSetBack = scenes.length > MOST_AT_ONCE && edited.filter(isBack).length * 5 >= edited.length;
  const room = isSetBack ? 0 : roomFor(state.get(EDITS), now(), date);
  const heard = scenes.toSorted((one, other) => weightOf(other) - weightOf(one)).slice(0, room);
  const passed = scenes.length - heard.length + over;
  if (heard.length + passed > 0)
    state.set(EDITS, booked(state.get(EDITS), now(), date, { heard: heard.length, passed }));
  const awoken = heard.flatMap((scene) => hear(space, scene, writer));
  if (passed > 0) space.context.emit({ what: 'edits-passed', edits: passed, reason: isSetBack ? SET_BACK : TOO_MANY });
  return awoken;
}

const SET_BACK = 'many notes were set back at once';
const TOO_MANY = 'too many came at once; the notes themselves are as they were left';

function isBack({ before, after }: Edited): boolean {
  return isReopened(before, after);
}

function weightOf(scene: EditScene): number {
  return Number(scene.kind === 'completed' || (scene.mayClose && leavesNothing(scene)));
}

// Several edits may have left nothing of their matter open: the last one asks whether it is over.
function scenesOf(space: ReadAccess, edited: readonly Edited[]): EditScene[] {
  const asked = new Set<string>();
  return edited
    .toSorted((one, other) => other.after.stat.mtimeMs - one.after.stat.mtimeMs)
    .flatMap((one) => sceneOf(space, one) ?? [])
    .map((scene) => {
      const mayClose = scene.matter !== null && scene.mayClose && !asked.has(scene.matter.path);
      if (scene.matter !== null && scene.kind !== 'completed') asked.add(scene.matter.path);
      return { ...scene, mayClose };
    });
}

function sceneOf(space: ReadAccess, { before, after }: Edited): EditScene | null {
  const kind = classifyEdit(before, after, space.context.now());
  if (kind === null || isHandsOff(space, after)) return null;
  const since = before.stat.mtimeMs;
  if (isWrittenByProgram(space, { kind, after, since })) return null;
  const quote = quoteIn(space, kind, after);
  const matter = livingMatter(space, after);
  const target = kind === 'completed' ? after : matter;
  if (quote === null || target === null || isHeard(space, { target, note: after, quote, since })) return null;
  return { kind, note: after, matter, quote, ...openIn(space, matter) };
}

function quoteIn({ vault, notes }: ReadAccess, kind: EditKind, { path }: TargetRecord): string | null {
  const text = notes.text(path);
  const read = text === null ? null : readNote(path, Buffer.from(text));
  return read?.ok ? quoteEdit(kind, read.note, vault.mapping) : null;
}

function livingMatter({ vault }: IndexAccess, note: TargetRecord): MatterRecord | null {
  const matter = note.kind === 'matter' ? note : vault.catalogue.matterOf(note);
  return matter !== null && isLiving(matter) ? matter : null;
}

function openIn(space: ReadAccess, matter: MatterRecord | null): Pick<EditScene, 'openTasks' | 'mayClose'> {
  if (matter === null) return { openTasks: 0, mayClose: false };
  const openTasks = space.vault.catalogue.tasksOf(matter).filter(isLiving).length;
  const isAsked = waitingAbout(space, matter.path).some(({ event }) => event.fields.changes.state !== undefined);
  return { openTasks, mayClose: !isAsked };
}

/** Writes the signal of one edit. A closing or a change follows from the note itself; news ends the quiet of its matter. */
function hear(
  space: WriteAccess & Pick<Workspace, 'ingest'>,
  scene: EditScene,
  { draftsOf, writeSignal, targetsOf }: SignalWriter,
): MatterRecord[] {
  const read = readEdit(scene);
  if (read === null) return [];
  const { context, vault } = space;
  const drafts = draftsOf(read.event, read.extracted, targetsOf(space).index, {
    now: new Date(context.now()),
    confidenceOf: (source) => findInstinct(space, source).confidence,
    standingOf: (source, path) => {
      const note = vault.catalogue.get(path);
      const isTarget = note?.kind === 'task' || note?.kind === 'matter';
      return isTarget
        ? senderStanding(space, { source, pattern: parsePattern(source), writer: 'own' }, note)
        : 'unknown';
    },
  });
  return drafts.flatMap((draft) => {
    const path = writeSignal(space, draft);
    const signal = path === null ? undefined : vault.catalogue.get(path);
    if (signal?.kind !== 'signal' || scene.matter === null) return [];
    if (!isListenedTo(space, signal, scene.matter)) return [];
    endQuiet(space, scene.matter);
    return [scene.matter];
  });
}

/** By how much the clocks of two machines may differ, in ms. */
const CLOCKS_APART_MS = 2 * 60 * 1000;

/**
 * Whether the record that says who changed a note may be among those that the disk can't give now. Until they can be
 * read, the change may be a program's. `since`: when the change was not there yet (epoch ms).
 */
function isStillUnread({ vault: { catalogue, layout } }: IndexAccess, note: TargetRecord, since: number): boolean {
  return catalogue
    .bad()
    .filter((record) => isUnread(record) && layout.kindOf(record.path) === 'event')
    .some(({ name, stat }) => isNamedAfter(name, note.path) && stat.mtimeMs > since - CLOCKS_APART_MS);
}

const MAX_QUOTE = 50;

/** Returns the line of a note that an edit has changed, as it reads and cut; null if it has no such line any more. */
export function quoteEdit(kind: EditKind, note: ParsedNote, mapping: FieldMapping): string | null {
  const line = kind === 'boxes' ? lastTicked(noteBody(note)) : fieldLine(note, namesOf(FIELD[kind], mapping));
  return line === null ? null : cutAt(plainText(line).trim(), MAX_QUOTE).trimEnd();
}

const FIELD = { done: 'state', completed: 'completedDate' } as const;

// If a note has both, ours counts.
function namesOf(field: string, mapping: FieldMapping): string[] {
  const theirs = Object.entries(mapping).flatMap(([name, ours]) => (ours === field ? [name] : []));
  return [field, ...theirs];
}

function fieldLine(note: ParsedNote, names: readonly string[]): string | null {
  const name = names.find((one) => Object.hasOwn(note.data, one));
  const at = name === undefined ? null : keyPosition(note, name);
  return at === null ? null : (note.text.split('\n')[at.line - 1] ?? null);
}

interface EditScene {
  readonly kind: EditKind;
  /** The note that was edited, as it is now. */
  readonly note: TargetRecord;
  /** The matter that it is or belongs to; null without a matter, or if it has ended. */
  readonly matter: MatterRecord | null;
  readonly openTasks: number;
  /** Whether it may be asked if the matter is over: nothing asks so already. */
  readonly mayClose: boolean;
  /** The line that was changed, at most 50 characters of it. */
  readonly quote: string;
}

interface ReadEdit {
  readonly event: StreamEvent;
  readonly extracted: ExtractorResult;
}

/** Returns what an edit by hand means; null if it concerns no note that a signal could be about. */
function readEdit(scene: EditScene): ReadEdit | null {
  const { kind, note, matter, quote } = scene;
  const target = kind === 'completed' ? note : matter;
  if (target === null) return null;
  const meaning: Meaning = {
    ...{ target: target.path, candidates: [target.path], ambiguous: false, targetConfidence: 1 },
    ...{ targetEvidence: ['link'], targetNear: true, endsMatter: false, quote, effectConfidence: 1 },
    ...meant(scene),
  };
  const found = { skipped: null, rejected: [], unusable: null, usage: null, extractor: 'edits by hand (embedded)' };
  return { event: eventOf(scene), extracted: { meanings: [meaning], ...found } };
}

function leavesNothing({ matter, openTasks }: Pick<EditScene, 'matter' | 'openTasks'>): boolean {
  return matter !== null && openTasks === 0 && (matter.boxes?.open ?? 0) === 0;
}

function eventOf({ kind, note, quote }: EditScene): StreamEvent {
  return {
    ...{ path: note.path, sourceType: VAULT_EDIT, originAt: utc(note.stat.mtimeMs) },
    ...{ from: OWN_HAND, fromName: null, to: [], subject: HEADLINE[kind](note.name), text: quote, quoted: '' },
    ...{ bulk: false, bulkReason: null, ownNote: false, warnings: [], shown: null, doubts: [] },
    // Anyone who writes into the vault could have made the change itself, so there is no sender to authenticate.
    authentication: { result: 'pass', server: null, reason: 'it was seen in the note itself' },
  };
}

const HEADLINE: Readonly<Record<EditKind, (name: string) => string>> = {
  done: (name) => `${name} is done`,
  completed: (name) => `${name} has a completedDate and is still open`,
  boxes: (name) => `All checkboxes of ${name} are ticked`,
};

function meant(scene: EditScene): Pick<Meaning, 'proposal' | 'reasoning' | 'isNews'> {
  const { kind, note, matter } = scene;
  if (kind === 'completed') {
    return {
      proposal: doneOn(note),
      reasoning: `You gave ${quoted(note.name)} a completedDate, and its state is still open.`,
    };
  }
  const what =
    kind === 'done' ? `You ticked ${quoted(note.name)} as done.` : 'You ticked the last open checkbox of this matter.';
  const closes = scene.mayClose && leavesNothing(scene);
  if (!closes) return { proposal: null, isNews: true, reasoning: [what, leftOf(scene)].join(' ').trim() };
  const why = `All tasks and checkboxes of ${matterWords(matter)} are done, so it may be over.`;
  return { proposal: DONE, reasoning: `${what} ${why}` };
}

const DONE: NonNullable<Meaning['proposal']> = { class: 'state_change', set: { state: 'done' }, add: {}, remove: {} };

// The day stays as it was written: the program would write that of today.
function doneOn({ fields, kind }: TargetRecord): NonNullable<Meaning['proposal']> {
  const day = kind === 'task' ? fields.completedDate : null;
  return day === null ? DONE : { ...DONE, set: { ...DONE.set, completedDate: day } };
}

function leftOf({ matter, openTasks }: EditScene): string {
  const boxes = matter?.boxes?.open ?? 0;
  const parts = [
    ...(openTasks === 0 ? [] : [`${openTasks} ${openTasks === 1 ? 'task' : 'tasks'}`]),
    ...(boxes === 0 ? [] : [`${boxes} ${boxes === 1 ? 'checkbox' : 'checkboxes'}`]),
  ];
  const isOne = openTasks + boxes === 1;
  return parts.length === 0
    ? ''
    : `${parts.join(' and ')} of ${matterWords(matter)} ${isOne ? 'is' : 'are'} still open.`;
}

function matterWords(matter: MatterRecord | null): string {
  return matter === null ? 'its matter' : quoted(matter.name);
}

type EditKind = 'done' | 'completed' | 'boxes';

/**
 * Returns what an edit says has happened, by the note as it was before and as it is now; null if it says neither. LAW:
 * null for a note that was not there before, and for an older file that came back. `now`: epoch ms.
 */
export function classifyEdit(before: TargetRecord, after: TargetRecord, now: number): EditKind | null {
  if (after.stat.mtimeMs <= before.stat.mtimeMs || !isLiving(before)) return null;
  if (before.kind === 'task') return after.kind === 'task' ? taskEdit(before, after, now) : null;
  if (after.kind !== 'matter' || !isLiving(after)) return null;
  const [was, is] = [before.boxes ?? NO_BOXES, after.boxes ?? NO_BOXES];
  return was.open > 0 && is.open === 0 && is.ticked > was.ticked ? 'boxes' : null;
}

const NO_BOXES = { open: 0, ticked: 0 };

function taskEdit(before: TaskRecord, after: TaskRecord, now: number): EditKind | null {
  if (after.fields.state === 'done') return 'done';
  const { completedDate: day } = after.fields;
  const isNew = before.fields.completedDate === null && day !== null;
  return isLiving(after) && isNew && isPast(day, now) ? 'completed' : null;
}

// A day to come is a plan.
function isPast(day: string, now: number): boolean {
  const at = parseLocalTime(day);
  return at !== null && at < endOfLocalDay(now);
}

/**
 * Whether an edit reopens what was over. A person does so now and then; if a whole vault is set back, most edits do.
 */
export function isReopened(before: TargetRecord, after: TargetRecord): boolean {
  return !isLiving(before) && isLiving(after);
}

/** Whether a change of a record may be an edit that says something: the rest need not be remembered until it has come to rest. */
export function mayBeEdit(before: VaultRecord | null, after: VaultRecord | null): before is TargetRecord {
  if (before?.kind !== 'task' && before?.kind !== 'matter') return false;
  if (after?.kind === 'bad') return true; // half written: what it was before is known only now
  if (before.kind === 'task')
    return (
      after?.kind === 'task' &&
      (before.fields.state !== after.fields.state || before.fields.completedDate !== after.fields.completedDate)
    );
  return after?.kind === 'matter' && (before.boxes?.open ?? 0) > (after.boxes?.open ?? 0);
}

/** An edit that was probably made by hand, and when the change was not there yet (epoch ms). */
interface Suspect {
  readonly kind: EditKind;
  readonly after: TargetRecord;
  readonly since: number;
}

/**
 * Whether a program has written what a note now holds: this one or another that steward the vault, by an action, a
 * confirmation or an undo. Each leaves a record, which a sync brings along. It is believed whoever wrote it: at worst an
 * edit is not heard.
 */
function isWrittenByProgram({ vault: { catalogue } }: IndexAccess, { kind, after, since }: Suspect): boolean {
  const records = catalogue.eventsAbout(after.path).flatMap((event) => [event, ...listUndos(catalogue, event)]);
  return records.some((record) => {
    const fields = Object.entries(record.fields.undo_recipe?.vault_patch.fields ?? {});
    return (
      writtenAt(record) > since - CLOCKS_APART_MS &&
      fields.some(([field, recipe]) => isIt(kind, after, field, recipe, catalogue.words))
    );
  });
}

function writtenAt(record: EventRecord | ReversalRecord): number {
  return Date.parse((record.kind === 'event' ? record.fields.timestamp : record.fields.settled_at) ?? '');
}

function isIt(
  kind: EditKind,
  { fields }: TargetRecord,
  field: string,
  { after }: FieldRecipe,
  words: StatusWords,
): boolean {
  if (kind === 'done') return isStateField(field) && stateMeant(after, words) === fields.state;
  return kind === 'completed' && field === 'completedDate' && after !== null;
}

/** Whether a signal tells of this very edit already, from before a crash or from another machine. */
function isHeard(
  { vault: { catalogue } }: IndexAccess,
  { target, note, quote, since }: { target: TargetRecord; note: TargetRecord; quote: string; since: number },
): boolean {
  return catalogue.signalsFor(target).some((signal) => {
    const { source_type: channel, source_event_path: path, raw_quote: said } = signal.fields;
    if (channel !== VAULT_EDIT || said !== quote || path === null) return false;
    return catalogue.currentPath(path) === note.path && (sentAt(signal) ?? 0) >= Math.floor(since / 1000) * 1000;
  });
}
