import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { appendFields, type EditStep, editFields, type Intent, type Step } from './edit.ts';
import { awayRefusal, type Diagnostic, EXIT, StewardError, systemCode } from './errors.ts';
import {
  canCreate,
  createWhole,
  demandNoLink,
  editRefusal,
  type FileBytes,
  fileError,
  insideVault,
  isElsewhere,
  openAsFolderAndSources,
  ownPlacesRefusal,
  readBytes,
  type SystemCalls,
} from './files.ts';
import { type Frontmatter, readNote, same, type Yaml } from './frontmatter.ts';
import type { Journal, UnknownEntry } from './journal.ts';
import {
  type FolderKind,
  type Layout,
  MAX_NOTE_BYTES,
  OWN_FOLDER,
  type OwnPlaces,
  RECORD_KINDS,
  type RecordKind,
  staysInside,
  stem,
  streamFilePath,
} from './layout.ts';
import { linkTarget } from './links.ts';
import { lockHolder } from './lock.ts';
import { EventNames, intentId, monthFolder, sha256, withHistory, withPart, writtenPlaces } from './note-text.ts';
import type { DisplacedFiles, Edition, Publisher } from './publish.ts';
import { FORMATS } from './record.ts';
import { iso, KeyedMutex, nameTime } from './time.ts';

// Carries out actions: one intent at a time, each step on the note as it is on disk now.

/** How many signals of an event are asked; one that has more says the same of fewer people. */
const MOST_SIGNALS = 50;

const link = z.string().nullable().catch(null);
const about = z.object({
  target_path: link,
  source_event_path: link,
  signals: z.array(z.string()).catch([]),
  target_candidates: z.array(z.string()).catch([]),
});

/**
 * Returns the vault-relative paths of what a note of the program's is about, as its text names them: its target, the
 * stream file it comes from, its signals. `signalsNamed` returns the possible paths of signals of a name.
 */
export function listEditSources(
  file: string,
  text: string,
  signalsNamed: (name: string) => readonly string[],
): string[] {
  const read = readNote(file, Buffer.from(text));
  const { data: fields } = about.safeParse(read.ok ? read.note.data : {});
  if (fields === undefined) return [];
  const { source_event_path: event } = fields;
  const notes = [fields.target_path, ...fields.target_candidates].flatMap((one) => one ?? []);
  const named = fields.signals.slice(0, MOST_SIGNALS).flatMap((one) => signalsNamed(stem(linkTarget(one))));
  const found = [
    ...notes.map((one) => `${linkTarget(one)}.md`),
    // A file may have a name that reads like that of an event in another.
    ...(event === null ? [] : new Set([event, streamFilePath(event)])),
    ...named,
  ];
  return found.filter(staysInside);
}

/** How often a following edit is made again on a note that somebody keeps writing. */
const TRIES = 5;
/** How long (ms) a note that is just being written may delay an action; after that it is left as it is. */
const PATIENCE_MS = 60_000;

/** The parts of the vault that a transaction needs. */
export interface TransactionVault extends NotePlacesVault {
  /** Where files are written before they get their name. */
  readonly tmp: string;
  count(kind: RecordKind): number;
  /** Reads these files again. */
  look(files: readonly string[]): void;
  /** Lists the vault again, soon. */
  sweep(): void;
}

interface StepExecutorParts {
  readonly vault: TransactionVault;
  readonly publisher: Publisher;
  readonly displaced: DisplacedFiles;
  readonly own: OwnWrites;
  /** Throws if the vault is no longer this process's to write to. */
  readonly demand: () => void;
  /** Loaded when first called. */
  readonly system: () => SystemCalls | null;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Carries out the single steps of an intent on disk, and tells which of them happened. */
class StepExecutor {
  readonly #parts: StepExecutorParts;

  constructor(parts: StepExecutorParts) {
    this.#parts = parts;
  }

  /**
   * Creates a new note, whole, and never in the place of another: false if the name is taken. Only users who may read
   * the notes it is about can read it. Throws `vault-away` if its folder held notes and is gone: no folder is created
   * in the empty place of a vault that went away. Throws `lock-lost` if another process has the vault by now.
   */
  create(file: string, text: string): boolean {
    return this.#create(file, text, this.#parts.demand);
  }

  /** Makes sure that `create` can be carried out later. Returns false if the name is taken. Throws as `create` does. */
  reserve(file: string, text: string): boolean {
    const { root, layout, tmp } = this.#parts.vault;
    const kind = layout.folderKindOf(file);
    if (kind !== null) this.#demandFolder(kind);
    return canCreate(root, tmp, file, text);
  }

  /**
   * Makes a deciding edit exactly as it was decided. False if the note has changed since: nothing was written. Throws
   * the system's error if the disk refuses, and `lock-lost` if another process has the vault by now.
   */
  edit(intent: Intent, step: EditStep): boolean {
    return this.#edit(intent, step, this.#parts.demand);
  }

  #edit(intent: Intent, step: EditStep, mayPublish?: () => void): boolean {
    const { publisher, displaced, own } = this.#parts;
    const result = publisher.publish(editionOf(intent, step), mayPublish);
    if (result.done) {
      own.remember(step.path, step.after_sha256);
      displaced.keepWatch(step.path, result.displaced, step.before_sha256, result.apart);
    } else for (const file of result.found) displaced.report(step.path, file);
    return result.done;
  }

  /**
   * Carries out a step after the deciding one. It must end done, whoever else wrote to the note in the meantime, and is
   * never done twice. It is completed even if the vault was lost since the decision. Throws `note-busy` if somebody
   * keeps writing to the note.
   */
  follow(intent: Intent, step: Step): void {
    if (step.do === 'create') {
      this.#create(step.path, step.text);
      return;
    }
    const now = this.currentSha(step.path);
    if (now === null || now === step.after_sha256) return; // null: what is there is not a note, and stays as it is
    if (this.#edit(intent, step)) return;
    this.#editAgain(intent, step);
  }

  /** Does the same for a step that a crash or the disk may have cut off half way. */
  finish(intent: Intent, step: Step): void {
    if (step.do === 'edit') this.resolveEdit(intent, step, false);
    this.follow(intent, step);
  }

  /**
   * Whether an intent's deciding step happened. It may be long past: then one of the others shows that it did. An edit
   * that was cut off is put in order on the way.
   */
  wasDecided(intent: Intent): boolean {
    const [first, ...rest] = intent.steps;
    if (first === undefined) return false;
    const beyond = rest.some((step) => this.#isDone(intent, step));
    if (first.do === 'create') return beyond || this.#exists(first.path);
    return this.resolveEdit(intent, first, !beyond) || beyond;
  }

  /**
   * Puts an edit that was cut off in order, and returns whether it reached its note: the bytes it displaced are kept or
   * go back. `first`: no other step of the intent happened yet.
   */
  resolveEdit(intent: Intent, step: EditStep, first: boolean): boolean {
    const { publisher, displaced } = this.#parts;
    const resolution = publisher.resolve(editionOf(intent, step), first);
    if (resolution.displaced !== null) {
      displaced.keepWatch(step.path, resolution.displaced, step.before_sha256, resolution.apart);
    }
    if (resolution.found !== null) displaced.report(step.path, resolution.found);
    return resolution.published;
  }

  #create(file: string, text: string, mayAppear: () => void = () => {}): boolean {
    const { root, layout, tmp } = this.#parts.vault;
    const kind = layout.folderKindOf(file);
    if (kind !== null) this.#demandFolder(kind);
    // No other note has the name of an event or a signal.
    if (kind !== 'event' && kind !== 'signal' && isElsewhere(root, file)) throw elsewhere(file);
    return createWhole(root, tmp, file, text, (part, place) => {
      const sources = listEditSources(file, text, (name) => this.#signalsNamed(name)).map((one) =>
        path.join(root, one),
      );
      openAsFolderAndSources(part, place, sources, this.#parts.system());
      mayAppear();
    });
  }

  // The places to which a person has moved it; as long as the vault is not read, those in which it was written.
  #signalsNamed(name: string): string[] {
    const { layout, named } = this.#parts.vault;
    const moved = named(name).filter((file) => layout.folderKindOf(file) === 'signal');
    return [...new Set([...writtenPlaces(layout.folders.signal, name), ...moved])];
  }

  #demandFolder(kind: FolderKind): void {
    const { vault } = this.#parts;
    const folder = vault.layout.folders[kind];
    const record = RECORD_KINDS.find((one) => one === kind);
    const count = record === undefined ? 0 : vault.count(record);
    if (count > 0 && !fs.existsSync(path.join(vault.root, folder))) {
      vault.sweep(); // the watcher may have missed its disappearance
      throw awayRefusal(`the folder ${folder}, which had ${count} notes, has vanished`);
    }
  }

  #isDone(intent: Intent, step: Step): boolean {
    if (step.do === 'edit') return this.currentSha(step.path) === step.after_sha256;
    return intentId(step.path) === intent.id && this.#exists(step.path);
  }

  #editAgain(intent: Intent, step: EditStep): void {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const note = this.#currentNote(intent, step.path);
      if (note === null || !isStillExpected(note.data, step)) return;
      const text = madeAgain(step, note.text);
      if (text === note.text) return;
      const retry = { ...step, before_sha256: sha256(note.text), after_sha256: sha256(text), text };
      if (this.#edit(intent, retry)) return;
    }
    throw busy(step.path);
  }

  #currentNote(intent: Intent, file: string): { data: Frontmatter; text: string } | null {
    const bytes = this.#currentBytes(file);
    const read = bytes === null ? null : readNote(file, bytes);
    if (read?.ok === false && this.#isBeingWritten(intent, read.trouble)) throw busy(file);
    return read?.ok ? read.note : null;
  }

  #isBeingWritten(intent: Intent, { code }: Diagnostic): boolean {
    const halfWritten = code === 'note-empty' || code === 'frontmatter-unclosed';
    return halfWritten && this.#parts.now() - Date.parse(intent.at) < PATIENCE_MS;
  }

  #exists(file: string): boolean {
    return fs.existsSync(path.join(this.#parts.vault.root, file));
  }

  /** Returns the hash of a note's present bytes; null if it is gone, or no note. */
  currentSha(file: string): string | null {
    const bytes = this.#currentBytes(file);
    return bytes === null ? null : sha256(bytes);
  }

  #currentBytes(file: string): Buffer | null {
    try {
      return readBytes(insideVault(this.#parts.vault.root, file), MAX_NOTE_BYTES).bytes;
    } catch (error) {
      if (systemCode(error) === 'ENOENT' || error instanceof StewardError) return null;
      throw error;
    }
  }
}

function editionOf(intent: Intent, step: EditStep): Edition {
  return {
    path: step.path,
    beforeSha256: step.before_sha256,
    bytes: Buffer.from(step.text),
    keepAs: intent.id,
    keptBefore: intent.kept_before ?? 0,
  };
}

function madeAgain(step: EditStep, text: string): string {
  if (step.append !== undefined) return appendFields(step.path, text, step.append);
  if (step.again === undefined) return text;
  const edited = editFields(step.path, text, step.again).text;
  const told = step.part === undefined ? edited : (withPart(edited, step.part.marks, step.part.text) ?? edited);
  return withHistory(step.path, told, step.history ?? [], step.opening);
}

// A field without the value that the edit was decided on belongs to the person now, or we have already written it.
function isStillExpected(data: Frontmatter, step: EditStep): boolean {
  return Object.entries(step.expects ?? {}).every(([field, value]) => same(data[field] ?? null, value as Yaml));
}

// A note written in its place would be a second one, or replace the first.
function elsewhere(file: string): StewardError {
  return new StewardError(
    {
      code: 'note-away',
      file,
      message: `${file} is not on this device: a sync tool keeps it elsewhere.`,
      hint: 'Download it in your sync tool; then Steward tries again.',
    },
    EXIT.tryAgain,
  );
}

function busy(file: string): StewardError {
  return new StewardError({
    code: 'note-busy',
    file,
    message: `${file} is being written again and again.`,
    hint: 'Steward completes the action when the note stops changing.',
  });
}

/** The kinds of notes that gather, month by month. */
type MonthlyKind = 'signal' | 'event';

/** The parts of a vault that are needed to find a place for a new note. */
interface NotePlacesVault {
  readonly root: string;
  readonly layout: Layout;
  /** Returns the paths of the records of this name, wherever they lie. */
  named(name: string): readonly string[];
}

/** Where new signals and event notes lie. */
export class NotePlaces {
  readonly #vault: NotePlacesVault;
  readonly #names: EventNames;

  constructor(vault: NotePlacesVault) {
    this.#vault = vault;
    this.#names = new EventNames((name) => vault.named(name).length === 0);
  }

  /** Returns the vault-relative path of a new note of a name. */
  placeOf(kind: MonthlyKind, name: string): string {
    return `${this.folderOf(kind, name)}/${name}.md`;
  }

  /** Returns the folder in which a new note of a name lies, vault-relative. */
  folderOf(kind: MonthlyKind, name: string): string {
    const { root, layout } = this.#vault;
    const folder = layout.folders[kind];
    const month = monthFolder(folder, name);
    return isFolderOrFree(path.join(root, month)) ? month : folder;
  }

  /** Returns the path of a new event note of a type about a target. No note anywhere has its name. `now` in epoch ms. */
  ofEvent(type: string, target: string, now: number): string {
    return this.placeOf('event', this.#names.free(type, target, now));
  }
}

// A file or a link in the place of a month may be anybody's: then the month's notes are next to it.
function isFolderOrFree(place: string): boolean {
  try {
    const stat = fs.lstatSync(place, { throwIfNoEntry: false });
    return stat === undefined || stat.isDirectory();
  } catch {
    return true; // whoever writes there is told why it cannot be done
  }
}

/** A note as it is on disk at this moment: the basis of a judgement, compared again before publishing. */
export interface NoteSnapshot {
  readonly path: string;
  readonly text: string;
  readonly data: Frontmatter;
  readonly sha: string;
  /** When the note will have been quiet for the settle window, in epoch ms; in the past where it has been. */
  readonly settledAt: number;
  /** Why it must not be edited, judged by how it is on the disk; null if it may. */
  readonly refusal: StewardError | null;
}

/** Reads notes as they are at this moment, whatever the catalogue holds. */
export interface NoteReader {
  /**
   * Returns a whole note; null if it is gone, cannot be read, or is only half written. If an action waits to write it,
   * the note as it will be: what is written next goes on top of that.
   */
  fresh(path: string): NoteSnapshot | null;
  /** Returns a note's text, whole or not; null if it is gone or cannot be read. */
  text(path: string): string | null;
}

/** Errors that mean that the note is gone. Any other is one of the disk or the process, and the work is retried. */
const GONE: ReadonlySet<string | null> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** The notes of the vault at `root`. Both methods throw a system error that is not about the note itself. */
export class DiskNotes implements NoteReader {
  readonly #root: string;
  readonly #own: OwnWrites;
  readonly #heldUp: HeldUp;
  readonly #settleMs: () => number;
  readonly #now: () => number;

  /** `settleMs`: how long a note must have been quiet before it counts as settled. */
  constructor(parts: { root: string; own: OwnWrites; heldUp: HeldUp; settleMs: () => number; now: () => number }) {
    this.#root = parts.root;
    this.#own = parts.own;
    this.#heldUp = parts.heldUp;
    this.#settleMs = parts.settleMs;
    this.#now = parts.now;
  }

  fresh(path: string): NoteSnapshot | null {
    const found = this.#found(path);
    const file = found?.file ?? null;
    const sha = file === null ? null : sha256(file.bytes);
    const refusal = found === null ? null : editRefusal(path, found.place, found.file);
    const pending = this.#heldUp.pending(path, sha);
    if (pending !== null)
      return wholeNote(path, Buffer.from(pending.text), { sha: pending.sha, settledAt: 0, refusal });
    if (file === null || sha === null) return null;
    return wholeNote(path, file.bytes, { sha, settledAt: this.#settledAt(path, sha, file.stat.mtimeMs), refusal });
  }

  text(path: string): string | null {
    return this.#found(path)?.file.bytes.toString('utf8') ?? null;
  }

  #found(path: string): { readonly place: string; readonly file: FileBytes } | null {
    try {
      const place = insideVault(this.#root, path);
      return { place, file: readBytes(place, MAX_NOTE_BYTES) };
    } catch (error) {
      if (error instanceof StewardError || GONE.has(systemCode(error))) return null;
      throw fileError(error, path);
    }
  }

  // The program's own last edit does not count as typing. A time far in the future is a wrong clock, not a fresh edit.
  #settledAt(path: string, sha: string, mtimeMs: number): number {
    const window = this.#settleMs();
    if (this.#own.isOurs(path, sha) || mtimeMs > this.#now() + window) return 0;
    return mtimeMs + window;
  }
}

function wholeNote(
  path: string,
  bytes: Buffer,
  found: Pick<NoteSnapshot, 'sha' | 'settledAt' | 'refusal'>,
): NoteSnapshot | null {
  const read = readNote(path, bytes);
  return read.ok ? { path, text: read.note.text, data: read.note.data, ...found } : null;
}

/**
 * The program's own last text of each note, so that its own edit does not count as somebody typing. Bounded: the oldest
 * are dropped, which at worst means waiting out a quiet window.
 */
export class OwnWrites {
  readonly #shas = new Map<string, string>();
  static readonly #MAX = 2_000;

  /** Remembers the SHA-256 of the bytes just written into a note. */
  remember(path: string, sha: string): void {
    this.#shas.delete(path);
    this.#shas.set(path, sha);
    if (this.#shas.size <= OwnWrites.#MAX) return;
    const oldest = this.#shas.keys().next();
    if (!oldest.done) this.#shas.delete(oldest.value);
  }

  /** Whether the bytes now in a note are the ones the program put there. */
  isOurs(path: string, sha: string): boolean {
    return this.#shas.get(path) === sha;
  }
}

/** An action that the disk refuses to finish. */
interface DelayedAction {
  readonly intent: Intent;
  /** The steps that are still to be made; those that are done are never made again. */
  readonly left: readonly Step[];
}

/** A note's text as it will be, once what waits for it is written, and the hash of its bytes. */
interface PendingText {
  readonly text: string;
  readonly sha: string;
}

/**
 * The actions that wait for the disk, in the order in which they were decided. Each blocks only the notes that it still
 * has to write.
 */
export class HeldUp {
  readonly #held = new Map<string, DelayedAction>();

  /** Keeps an action, or what is left of one that was kept before. */
  keep(intent: Intent, left: readonly Step[]): void {
    this.#held.set(intent.id, { intent, left });
  }

  /** Forgets an action that is finished or withdrawn. */
  forget(id: string): void {
    this.#held.delete(id);
  }

  /** Returns the steps that an action still has to make; null for one that is not held up. */
  leftOf(id: string): readonly Step[] | null {
    return this.#held.get(id)?.left ?? null;
  }

  /** Whether an action is held up that is known to have been decided. */
  isDecided(id: string): boolean {
    return this.#held.get(id)?.intent.decided === true;
  }

  /** Returns all actions that are held up, the first decided first. */
  all(): DelayedAction[] {
    return [...this.#held.values()];
  }

  /** Returns the notes that wait to be written. */
  notes(): Set<string> {
    return new Set(this.all().flatMap(heldBack));
  }

  /**
   * Returns what a note will hold, given the hash of what is in it now (null if there is no note). Null if no action
   * waits to write it, or if somebody has changed it since: then its text is unknown until it is written.
   */
  pending(note: string, now: string | null): PendingText | null {
    let pending: PendingText | null = null;
    let sha = now;
    for (const step of this.all().flatMap(({ left }) => left)) {
      const fits = step.path === note && (step.do === 'edit' ? step.before_sha256 : null) === sha;
      if (!fits) continue;
      sha = sha256(step.text);
      pending = { text: step.text, sha };
    }
    return pending;
  }
}

// Until its event note is there, what an action has done can't be seen: so it blocks all notes that it touches.
function heldBack({ intent, left }: DelayedAction): string[] {
  const isRecorded = !left.some((step) => step.do === 'create' && intentId(step.path) === intent.id);
  return (isRecorded ? left : [...intent.steps, ...left]).map((step) => step.path);
}

/** Returns intents in the order in which they were decided: one that edits what another leaves comes after it. */
export function inOrder(intents: readonly Intent[]): Intent[] {
  const byTime = intents.toSorted((one, other) => (one.at === other.at ? 0 : one.at < other.at ? -1 : 1));
  const leaves = new Map(byTime.flatMap((intent) => intent.steps.map((step) => [resultOf(step), intent] as const)));
  const ordered = new Set<Intent>();
  const visited = new Set<Intent>();
  const visit = (intent: Intent): void => {
    if (visited.has(intent)) return;
    visited.add(intent);
    for (const step of intent.steps) {
      const before = step.do === 'edit' ? leaves.get(`${step.before_sha256} ${step.path}`) : undefined;
      if (before !== undefined) visit(before);
    }
    ordered.add(intent);
  };
  for (const intent of byTime) visit(intent);
  return [...ordered];
}

function resultOf(step: Step): string {
  return `${step.do === 'edit' ? step.after_sha256 : sha256(step.text)} ${step.path}`;
}

/**
 * Called with the problems that delay decided actions just now, each note or place once; with an empty list if all is
 * finished.
 */
export type HeldUpListener = (diagnostics: readonly Diagnostic[]) => void;

interface FinisherParts {
  readonly journal: Journal;
  readonly steps: StepExecutor;
  readonly heldUp: HeldUp;
  readonly listener: HeldUpListener;
  readonly look: (notes: readonly string[]) => void;
}

interface Resolved {
  readonly finished: readonly string[];
  readonly withdrawn: readonly string[];
  readonly heldUp: readonly string[];
}

/**
 * Brings decided actions to their end, at once or when the disk lets them. Each step is tried, so that one note that
 * cannot be written holds up no other.
 */
class Finisher {
  readonly #parts: FinisherParts;
  /** Why each action is held up, by intent. */
  readonly #reasons = new Map<string, Diagnostic>();

  constructor(parts: FinisherParts) {
    this.#parts = parts;
  }

  /** Makes what follows the deciding step of an action, or holds up what the disk refuses. */
  finish(intent: Intent, steps: readonly Step[]): void {
    const { steps: executor, heldUp } = this.#parts;
    this.#carryOn({ ...intent, decided: true }, steps, heldUp.notes(), (step) => executor.follow(intent, step));
  }

  /** Takes an intent that decided nothing out of the journal, before anything else is decided about its notes. */
  withdraw(intent: Intent): void {
    try {
      this.#close(intent);
    } catch (error) {
      this.holdUp(intent, error);
    }
  }

  /** Holds up an intent of which the disk does not let us know whether it was decided. */
  holdUp(intent: Intent, error: unknown): void {
    this.#keep(intent, intent.steps, fileError(error, journalFile(intent)).trouble);
  }

  /** Tries everything again that is held up. */
  retry(): void {
    this.resolveAll(this.#parts.heldUp.all().map(({ intent }) => intent));
  }

  /**
   * Resolves intents that a crash or a failing disk cut off, in the order in which they were decided: finishes each
   * whose deciding step happened, withdraws the others. May itself be cut off at any point and called again.
   */
  resolveAll(intents: readonly Intent[]): Resolved {
    const resolved = { finished: [] as string[], withdrawn: [] as string[], heldUp: [] as string[] };
    const blocked = new Set<string>();
    for (const intent of inOrder(intents)) {
      resolved[this.#resolve(intent, blocked)].push(intent.id);
      for (const step of this.#parts.heldUp.leftOf(intent.id) ?? []) blocked.add(step.path);
    }
    return resolved;
  }

  /** Returns the error of work about a note that has to wait for an earlier action: `held-up` (exit 75). */
  waitsFor(note: string): StewardError {
    const reason = this.#reasonFor(note);
    return new StewardError(
      {
        code: 'held-up',
        file: reason?.file ?? note,
        message: `An earlier action about ${note} is not finished: ${reason?.message ?? 'the disk refuses.'}`,
        hint: reason?.hint ?? 'Check the file and its folder; Steward tries again automatically.',
      },
      EXIT.tryAgain,
    );
  }

  #resolve(intent: Intent, blocked: ReadonlySet<string>): keyof Resolved {
    const { steps, heldUp } = this.#parts;
    const left = heldUp.isDecided(intent.id) ? heldUp.leftOf(intent.id) : null;
    try {
      if (left === null && intent.decided !== true && !steps.wasDecided(intent)) {
        this.#close(intent);
        return 'withdrawn';
      }
    } catch (error) {
      this.holdUp(intent, error);
      return 'heldUp';
    }
    const finish = (step: Step) => steps.finish(intent, step);
    const isDone = this.#carryOn({ ...intent, decided: true }, left ?? intent.steps.slice(1), blocked, finish);
    return isDone ? 'finished' : 'heldUp';
  }

  // The event note comes first: what follows refers to it. A note that an earlier action waits for has its turn later.
  #carryOn(intent: Intent, steps: readonly Step[], blocked: ReadonlySet<string>, make: (step: Step) => void): boolean {
    const left: Step[] = [];
    let reason: Diagnostic | null = null;
    for (const step of steps) {
      const isBehind = left.some(({ path }) => isRecord(intent, path));
      const failed: Diagnostic | null = isBehind
        ? reason
        : blocked.has(step.path)
          ? this.#reasonFor(step.path)
          : refusal(step, make);
      if (failed === null) continue;
      reason ??= failed;
      left.push(step);
    }
    return reason === null ? this.#isClosed(intent) : this.#keep(intent, left, reason);
  }

  #isClosed(intent: Intent): boolean {
    try {
      this.#close(intent);
      return true;
    } catch (error) {
      return this.#keep(intent, [], fileError(error, journalFile(intent)).trouble);
    }
  }

  #close(intent: Intent): void {
    this.#parts.journal.close(intent.id);
    this.#parts.heldUp.forget(intent.id);
    if (this.#reasons.delete(intent.id)) this.#tell();
    // Also if the action was not decided: a note whose name was free for an instant has come back.
    this.#parts.look(intent.steps.map((step) => step.path));
  }

  #keep(intent: Intent, left: readonly Step[], reason: Diagnostic): false {
    const isNews = this.#parts.heldUp.leftOf(intent.id)?.length !== left.length;
    this.#parts.heldUp.keep(intent, left);
    this.#reasons.set(intent.id, reason);
    if (isNews) this.#writeLeft(intent, left);
    this.#tell();
    if (isNews) this.#parts.look(intent.steps.map((step) => step.path));
    return false;
  }

  // A finished step is not repeated after a restart: a person may have deleted its note since.
  #writeLeft(intent: Intent, left: readonly Step[]): void {
    const [first] = intent.steps;
    if (intent.decided !== true || first === undefined) return;
    try {
      this.#parts.journal.open({ ...intent, steps: [first, ...left] });
    } catch {
      // The whole intent stays in the journal, and each of its steps can be seen to be done.
    }
  }

  #tell(): void {
    const lines = [...this.#reasons.values()].map((reason) => ({ ...reason, message: waiting(reason) }));
    this.#parts.listener([...new Map(lines.map((line) => [line.message, line])).values()]);
  }

  #reasonFor(note: string): Diagnostic | null {
    const holder = this.#parts.heldUp.all().find(({ left }) => left.some((step) => step.path === note));
    return (holder && this.#reasons.get(holder.intent.id)) ?? null;
  }
}

function isRecord(intent: Intent, path: string): boolean {
  return intentId(path) === intent.id;
}

/** Returns the journal file of an intent, relative to the vault. */
function journalFile(intent: Intent): string {
  return `.steward/journal/${intent.id}.json`;
}

function refusal(step: Step, make: (step: Step) => void): Diagnostic | null {
  try {
    make(step);
    return null;
  } catch (error) {
    return fileError(error, step.path).trouble;
  }
}

function waiting({ message }: Diagnostic): string {
  return `${message.replace(/\.$/, '')}; what an action still has to do there waits, and the rest goes on.`;
}

/**
 * Throws `no-permission` or `read-only` (exit 75) if the system says beforehand that a folder can't be written to. A
 * folder that is not there yet passes: it is made.
 */
function demandFolder(root: string, folder: string): void {
  const code = refusalWritable(path.join(root, folder));
  if (code !== null) throw refused(folder, code, `Steward may not write into ${folder} (${code}).`);
}

/** Throws if a file, or a link out of the vault, is in the place of a folder. */
function demandNoOther(root: string, folder: string): void {
  if (fs.lstatSync(path.join(root, folder), { throwIfNoEntry: false }) === undefined) return;
  if (fs.statSync(insideVault(root, folder)).isDirectory()) return;
  const hint = 'Move the file away. Steward tries again automatically.';
  throw new StewardError({ code: 'file-error', file: folder, message: `${folder} isn't a folder.`, hint });
}

/** Runs some work that fails with what the disk says about a file (exit 75). */
function orTryAgain<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof StewardError && error.exit === EXIT.tryAgain) throw error;
    throw new StewardError(fileError(error, file).trouble, EXIT.tryAgain, { cause: error });
  }
}

/** The same for a note that may not be changed by anybody: it is write-protected, or is on a read-only disk. */
function demandNote(root: string, note: string): void {
  const code = refusalWritable(path.join(root, note));
  // A note without write permission is replaced anyway, if its folder may be written to.
  if (code !== null && code !== 'EACCES') throw refused(note, code, `${note} may not be changed (${code}).`);
}

function refusalWritable(place: string): string | null {
  try {
    fs.accessSync(place, fs.constants.W_OK);
    return null;
  } catch (error) {
    const code = systemCode(error);
    return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? code : null;
  }
}

function refused(file: string, code: string, message: string): StewardError {
  const hint =
    'Let the user who runs the daemon write there: check its permissions, its mount and its write protection (lsattr).';
  return new StewardError(
    { code: code === 'EROFS' ? 'read-only' : 'no-permission', file, message, hint },
    EXIT.tryAgain,
  );
}

/** How often a judgement is made again if the note changed before its change could be published. */
const ATTEMPTS = 3;

interface TransactionParts extends StepExecutorParts {
  readonly journal: Journal;
  readonly listener: HeldUpListener;
  readonly heldUp: HeldUp;
}

/**
 * Everything that is written into the vault's notes: one intent at a time, journalled before its deciding step, and all
 * or nothing across a crash. An intent that the disk interrupts after its deciding step waits alone: it blocks only the
 * notes that it still has to write. It is tried again until it is finished.
 */
export class Transactions {
  readonly #parts: TransactionParts;
  readonly #places: NotePlaces;
  readonly #steps: StepExecutor;
  readonly #mutex = new KeyedMutex();
  readonly #finisher: Finisher;

  constructor(parts: TransactionParts) {
    this.#parts = parts;
    this.#places = new NotePlaces(parts.vault);
    this.#steps = new StepExecutor(parts);
    const { journal, heldUp, listener, vault } = parts;
    const look = (notes: readonly string[]) => vault.look(notes);
    this.#finisher = new Finisher({ journal, steps: this.#steps, heldUp, listener, look });
  }

  /** Returns a path for a new event note of a type about a target. `now` in epoch ms. */
  eventPath(type: string, target: string, now: number): string {
    return this.#places.ofEvent(type, target, now);
  }

  signalPath(name: string): string {
    return this.#places.placeOf('signal', name);
  }

  /** Throws `lock-lost` (75) if another process has the vault by now: then this one may not decide or write. */
  demand(): void {
    this.#parts.demand();
  }

  /**
   * Creates a new note, whole; false if the name is taken. Throws `vault-away` if its folder is gone, and `lock-lost`.
   */
  create(file: string, text: string): boolean {
    this.demand();
    this.#demandOwnPlaces();
    return this.#steps.create(file, text);
  }

  /** Runs one piece of work for a key (a note, some bytes) at a time, in the order of the calls. */
  inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(key, work);
  }

  /**
   * Judges and commits, and judges again if a note changed before its change could be published: then `judge` returns
   * null. Returns null if the note keeps changing. `notes`: what it is about, as for `finishHeldUp`, whose errors it
   * throws.
   */
  attempt<Result>(notes: readonly string[], judge: () => Result | null): Result | null {
    this.finishHeldUp(notes);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const result = judge();
      if (result !== null) return result;
    }
    return null;
  }

  /** The same for a judgement that waits for somebody's answer. */
  async attemptAsync<Result>(notes: readonly string[], judge: () => Promise<Result | null>): Promise<Result | null> {
    this.finishHeldUp(notes);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const result = await judge();
      if (result !== null) return result;
    }
    return null;
  }

  /**
   * Throws (exit 75) if the system says beforehand that an action on this note could not be carried out and recorded:
   * so that no judgement is paid for in vain. `note`: the note to change, or null.
   */
  demandRoom(note: string | null): void {
    const { root, layout } = this.#parts.vault;
    this.#demandPlaces();
    for (const folder of [layout.folders.event, this.#places.folderOf('event', nameTime(this.#parts.now()))]) {
      demandFolder(root, folder);
      orTryAgain(folder, () => demandNoOther(root, folder));
    }
    if (note !== null) demandNote(root, note);
  }

  /**
   * Carries out one action: journal, the deciding step, the rest, journal closed. `note` is the note that records it,
   * or the id under which it is journalled. False if a note changed in between: nothing was written, and the caller
   * must judge again. Throws if the disk refuses before anything was decided, or an earlier action waits for one of the
   * notes. After the deciding step the action counts as done: steps that the disk refuses stay in the journal, show in
   * `status`, and are made as soon as the disk lets them.
   */
  commit(note: string, steps: readonly Step[]): boolean {
    const [first, ...rest] = steps;
    if (first === undefined) return true;
    this.demand();
    this.#demandOwnPlaces();
    const intent = this.#intentOf(note, [first, ...rest]);
    this.#demandPlaces();
    this.#demandRecord(intent);
    this.#demandFree(first, rest);
    this.#demandName(intent, first);
    this.#writeDown(intent);
    if (!this.#isReserved(intent, rest) || !this.#decide(intent, first)) {
      this.#finisher.withdraw(intent);
      return false;
    }
    this.#finisher.finish(intent, rest);
    return true;
  }

  /**
   * Finishes what the disk interrupted half way and concerns these notes, before anything new is decided about them.
   * Throws `held-up` (exit 75) while the disk still refuses, and `lock-lost` if the vault is another process's by now.
   */
  finishHeldUp(notes: readonly string[]): void {
    this.demand();
    const concerned = () => notes.find((note) => this.#parts.heldUp.notes().has(note));
    if (concerned() === undefined) return;
    this.#finisher.retry();
    const note = concerned();
    if (note !== undefined) throw this.#finisher.waitsFor(note);
  }

  /** Resolves intents that were cut off, as `Finisher` does, and returns what became of them. Throws `lock-lost`. */
  resolveAll(intents: readonly Intent[]): ReturnType<Finisher['resolveAll']> {
    this.demand();
    return this.#finisher.resolveAll(intents);
  }

  /** Returns the entries of the journal that wait for the person, in order of their names. */
  unknownEntries(): UnknownEntry[] {
    return this.#parts.journal.unknown();
  }

  /**
   * Returns the bytes of a note that the history keeps under an action's name, by their hash; null if it has no such
   * bytes.
   */
  formerText(name: string, sha: string): string | null {
    return this.#parts.publisher.formerText(name, sha);
  }

  /** Moves an entry that the person has answered out of the journal, into the history. Throws `lock-lost`. */
  setAside(name: string): void {
    this.demand();
    this.#demandOwnPlaces();
    this.#parts.journal.setAside(name, this.#parts.publisher.history);
  }

  // Later steps may be written on top of what waits; the deciding step may not, nor a step that starts from other
  // bytes.
  #demandFree(first: Step, rest: readonly Step[]): void {
    const { heldUp } = this.#parts;
    const waiting = heldUp.notes();
    const concerned = [first, ...rest].filter((step) => waiting.has(step.path));
    if (concerned.length === 0) return;
    this.#finisher.retry();
    const still = heldUp.notes();
    const other = concerned.find((step) => still.has(step.path) && (step === first || !this.#fitsPending(step)));
    if (other !== undefined) throw this.#finisher.waitsFor(other.path);
  }

  // Under the name of one that waits, it would take that one's place in the journal.
  #demandName({ id }: Intent, first: Step): void {
    const isTaken = () => this.#parts.heldUp.leftOf(id) !== null;
    if (!isTaken()) return;
    this.#finisher.retry();
    if (isTaken()) throw this.#finisher.waitsFor(first.path);
  }

  #fitsPending(step: Step): boolean {
    const now = this.#steps.currentSha(step.path);
    return step.do === 'edit' && this.#parts.heldUp.pending(step.path, now)?.sha === step.before_sha256;
  }

  #demandPlaces(): void {
    for (const folder of OWN_PLACES) demandFolder(this.#parts.vault.root, folder);
  }

  // An action is not carried out if the note that records it cannot be made, or cannot be completed.
  #demandRecord(intent: Intent): void {
    const { root } = this.#parts.vault;
    for (const step of intent.steps.filter((one) => isRecord(intent, one.path))) {
      demandFolder(root, path.posix.dirname(step.path));
      demandNote(root, step.path);
    }
  }

  // After the journal, which shows that there is room, and before the first change.
  #isReserved(intent: Intent, rest: readonly Step[]): boolean {
    const records = rest.filter((step) => step.do === 'create' && isRecord(intent, step.path));
    try {
      return records.every(({ path: file, text }) => orTryAgain(file, () => this.#steps.reserve(file, text)));
    } catch (error) {
      this.#finisher.withdraw(intent);
      throw error;
    }
  }

  // A link swapped in a moment ago: a person's former text would be moved to wherever it leads.
  #demandOwnPlaces(): void {
    const refusal = ownPlacesRefusal(this.#parts.vault.root);
    if (refusal === null) return;
    this.#parts.vault.sweep();
    throw awayRefusal(refusal.trouble.message.replace(/\.$/, ''));
  }

  #intentOf(note: string, steps: Intent['steps']): Intent {
    const id = intentId(note);
    const at = iso(this.#parts.now()); // to the millisecond: it says which came first
    return { schemaVersion: FORMATS.journal.version, id, at, kept_before: this.#parts.publisher.keptUnder(id), steps };
  }

  #writeDown(intent: Intent): void {
    try {
      this.#parts.journal.open(intent);
    } catch (error) {
      this.#finisher.withdraw(intent);
      throw fileError(error, journalFile(intent));
    }
  }

  #decide(intent: Intent, step: Step): boolean {
    try {
      return step.do === 'edit' ? this.#steps.edit(intent, step) : this.create(step.path, step.text);
    } catch (error) {
      if (this.#wasDecidedAnyway(intent)) return true;
      // Refused before the note changed: the intent is withdrawn, so that it cannot be finished half a day later.
      this.#finisher.withdraw(intent);
      throw fileError(error, step.path);
    }
  }

  // The disk may refuse after the deciding moment: the swap was made, and reading its result failed.
  #wasDecidedAnyway(intent: Intent): boolean {
    try {
      return this.#steps.wasDecided(intent);
    } catch (error) {
      this.#finisher.holdUp(intent, error);
      throw fileError(error, journalFile(intent));
    }
  }
}

/** The folders that every action needs. */
const OWN_PLACES = ['journal', 'tmp', 'history'].map((name) => `${OWN_FOLDER}/${name}`);

/** The results of the intents that a crash left in progress, by id, and the journal files that cannot be read. */
interface Recovered {
  readonly finished: readonly string[];
  readonly withdrawn: readonly string[];
  readonly bad: readonly Diagnostic[];
}

interface RecoveryParts {
  readonly transactions: Transactions;
  readonly journal: Journal;
  readonly displaced: DisplacedFiles;
  readonly places: OwnPlaces;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Resolves what a crash or a failing disk left in progress. */
export class Recovery {
  readonly #parts: RecoveryParts;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  get isPending(): boolean {
    return this.#parts.journal.pending().intents.length > 0;
  }

  /**
   * Finishes each journalled intent whose deciding step happened, withdraws the others, and empties `.steward/tmp`. May
   * itself be killed at any point and run again. An intent that the disk refuses is kept, and blocks the notes that it
   * still has to write.
   */
  run(): Recovered {
    const { journal, transactions, displaced } = this.#parts;
    const { intents, bad } = journal.pending();
    const { finished, withdrawn, heldUp } = transactions.resolveAll(intents);
    displaced.resume();
    // The parts of an unfinished intent are needed to tell what became of it.
    if (heldUp.length === 0) this.#sweepTemporary();
    return { finished, withdrawn, bad };
  }

  #sweepTemporary(): void {
    const { tmp, state, journal, cache, own } = this.#parts.places;
    for (const folder of [tmp, state, journal, cache]) demandNoLink(folder); // what is deleted must be ours
    for (const file of filesIn(tmp)) this.#drop(file);
    for (const file of [...filesIn(state), ...filesIn(journal), ...filesIn(cache)]) {
      if (/\.\d+$|\.part$/.test(file)) fs.rmSync(file, { force: true });
    }
    for (const file of filesIn(own)) if (this.#isDeadLock(file)) fs.rmSync(file, { force: true });
  }

  // A note's part without a journal entry may be the former text of the note: it is kept until the undo window closes.
  #drop(file: string): void {
    const name = path.basename(file);
    // A second name of a note has only the bytes of the note.
    const isNotePart = /\.[0-9a-f]{8}\.part$/.test(name) && fs.lstatSync(file).nlink === 1;
    const { history } = this.#parts.places;
    if (isNotePart) fs.renameSync(file, path.join(history, `${name}.${this.#parts.now()}.md`));
    else fs.rmSync(file, { force: true, recursive: true });
  }

  // Left by a process that was killed while it took the lock.
  #isDeadLock(file: string): boolean {
    return /^lock\..*\.part$/.test(path.basename(file)) && lockHolder(file, this.#parts.now()) === null;
  }
}

function filesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
