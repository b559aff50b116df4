import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { concernedBy, isUpToDate, noteNow, outcomeNow, remarkOn } from '../steward/event-note.ts';
import { findingsByMatter, NO_ATTENTION, withDigest, withSection } from '../steward/inbox.ts';
import type { MatterFindings } from '../steward/inbox-words.ts';
import { isKnownNote } from '../steward/records.ts';
import type { DecisionReadAccess, DecisionWriteAccess } from '../steward/workspace.ts';
import { type Step, textStep } from '../vault/edit.ts';
import { KEPT_OPENING, WHY_LEFT } from '../vault/event-text.ts';
import { SETTINGS_FILE } from '../vault/layout.ts';
import { findPart, keptPart, noteText, type PartMarks } from '../vault/note-text.ts';
import type { VaultRecord } from '../vault/record.ts';
import { atOnce, forEachIsolated, nameTimeExact, stepsIsolated } from '../vault/time.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import type { RecordChange } from '../vault/vault.ts';
import type { Workspace } from './context.ts';
import { attentionNow } from './problems.ts';
import type { RetryQueue } from './queue.ts';
import type { Timers } from './timers.ts';

/**
 * Lets an event note say what has become of it: the fields that a person reads and the program's part of the body,
 * never what was recorded. Returns when to look again (epoch ms) if somebody is editing the note, else null. Leaves the
 * note as it is if it says so already.
 */
function followFlags(space: DecisionWriteAccess, path: string): number | null {
  const event = space.vault.catalogue.get(path);
  // Another machine follows its own notes: two that each know only their own answers would write against each other.
  if ((event?.kind !== 'event' && event?.kind !== 'reversal') || !isKnownNote(space, event)) return null;
  const now = outcomeNow(space, event);
  const remark = event.kind === 'event' ? remarkOn(space, event) : null;
  if (isUpToDate(event.fields, now, remark)) return null;
  space.transactions.finishHeldUp([path]);
  const note = space.notes.fresh(path);
  if (note === null) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  const text = noteNow(path, note.text, note.data, now, remark);
  if (text === null || text === note.text) return null;
  const id = `attention-${nameTimeExact(space.context.now())}-${event.name}`;
  return space.transactions.commit(id, [textStep(path, note.text, text)]) ? null : space.context.now() + 1000;
}

/** How far back a start looks for what ended while the program was away. */
const AWAY_MS = 60 * 24 * 60 * 60 * 1000;

/** Does the same for every event note that may be behind. One that is being edited is left for the next time. */
export function followAllFlags(space: DecisionWriteAccess): void {
  forEachIsolated(atOnce(mayBeBehind(space)), (path) => followFlags(space, path));
}

/**
 * Returns the paths of the event notes that say that they wait or that their question has passed, are ticked, were taken
 * back, or can be taken back no more since a moment (epoch ms): a crash or a long pause may come between. Pauses after each
 * small step.
 */
export function* mayBeBehind(space: DecisionReadAccess): Generator<void, ReadonlySet<string>> {
  const { catalogue } = space.vault;
  const asked = [catalogue.waiting('event'), catalogue.eventsThat('asking'), catalogue.eventsThat('passed')].flat();
  const found = new Set(asked.map(({ path }) => path));
  for (const reversal of catalogue.each('reversal')) {
    yield;
    for (const path of concernedBy(space, reversal)) found.add(path);
  }
  return found.union(yield* endedSince(space, space.context.now() - AWAY_MS));
}

// The work is proportional to what happened in that time.
function* endedSince(space: DecisionReadAccess, since: number): Generator<void, ReadonlySet<string>> {
  const found = new Set<string>();
  for (const record of space.vault.catalogue.chronicle.ended(since, space.context.now())) {
    yield;
    for (const path of concernedBy(space, record)) found.add(path);
  }
  return found;
}

/**
 * Does the same for the event notes that have invited to take something back until a moment since `since` (epoch ms).
 * Pauses after each small step.
 */
export function* followEnded(space: DecisionWriteAccess, since: number): Generator<void> {
  yield* stepsIsolated(yield* endedSince(space, since), (path) => followFlags(space, path));
}

/** Does the same for the event notes that a new or changed record concerns. */
export function followFlagsAround(space: DecisionWriteAccess, record: VaultRecord): void {
  forEachIsolated(concernedBy(space, record), (path) => followFlags(space, path));
}

interface FollowerParts {
  readonly space: DecisionWriteAccess;
  readonly retries: RetryQueue;
  readonly timers: Timers;
}

/** Keeps what event notes say of themselves true while the daemon runs: whether they wait, and what became of them. */
export class AttentionFollower {
  readonly #parts: FollowerParts;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Looks at every event note that says that it waits, is ticked, or was taken back: at a start, which reads all. */
  all(): void {
    this.#parts.retries.addSteps('attention', 'event', () => this.#all());
  }

  *#all(): Generator<void> {
    for (const path of yield* mayBeBehind(this.#parts.space)) {
      yield;
      this.#follow(path);
    }
  }

  /** Looks at the event notes that changes of the vault concern. */
  changed(changes: readonly RecordChange[]): void {
    const { space } = this.#parts;
    const records = changes.flatMap(({ before, after }) => [before, after]).filter((record) => record !== null);
    for (const path of new Set(records.flatMap((record) => concernedBy(space, record)))) this.#follow(path);
  }

  #follow(path: string): void {
    const { space, retries, timers } = this.#parts;
    retries.add(`attention ${path}`, path, async () => {
      const until = followFlags(space, path);
      if (until !== null) timers.at(until, () => this.#follow(path));
    });
  }
}

/**
 * Keeps the list of what waits, and the digest of what was seen, in `steward.md`: each between its marks, if those are
 * there. Returns when to look again (epoch ms) if somebody is editing the page, else null. Doesn't write if the list is
 * as it was.
 */
export function keepFrontPage(space: Workspace): number | null {
  const page = space.notes.fresh(SETTINGS_FILE);
  if (page === null) return null;
  return keepPage(space, page, withDigest(page.text, []) !== null ? atOnce(findingsByMatter(space)) : null);
}

// A page that is edited in the meantime is left as it is, and looked at again.
function keepPage(space: Workspace, page: NoteSnapshot, findings: readonly MatterFindings[] | null): number | null {
  const text = pageNow(space, page.text, findings);
  if (text === page.text) return null;
  const now = space.context.now();
  if (page.settledAt > now) return page.settledAt;
  space.transactions.finishHeldUp([page.path]);
  const id = `attention-${nameTimeExact(now)}-front-page`;
  return space.transactions.commit(id, [textStep(page.path, page.text, text)]) ? null : now + 1000;
}

function pageNow(space: Workspace, text: string, findings: readonly MatterFindings[] | null): string {
  const digest = withDigest(text, findings) ?? text;
  if (withSection(digest, NO_ATTENTION) === null) return digest;
  return withSection(digest, attentionNow(space)) ?? digest;
}

interface FrontPageParts {
  readonly space: Workspace;
  readonly retries: RetryQueue;
  readonly timers: Timers;
}

/** A look that takes longer than this, in ms, is not made again at once: in a large vault, the list may lag behind. */
const QUICK_MS = 20;
/** How much longer than the look itself the pause after it is. */
const PAUSE = 50;

/** Keeps the list in `steward.md` while the daemon runs. */
export class FrontPage {
  readonly #parts: FrontPageParts;
  #isQueued = false;
  /** Epoch milliseconds. */
  #notBefore = 0;

  constructor(parts: FrontPageParts) {
    this.#parts = parts;
  }

  /** Brings the list up to date, behind what is already to be done. */
  look(): void {
    const { space, timers } = this.#parts;
    if (this.#isQueued) return;
    this.#isQueued = true;
    if (space.context.now() >= this.#notBefore) this.#add();
    else timers.at(this.#notBefore, () => this.#add());
  }

  #add(): void {
    const { space, retries, timers } = this.#parts;
    retries.add('front page', SETTINGS_FILE, async () => {
      this.#isQueued = false;
      const began = performance.now();
      const until = keepFrontPage(space);
      const took = performance.now() - began;
      this.#notBefore = took > QUICK_MS ? space.context.now() + took * PAUSE : 0;
      if (until !== null) timers.at(until, () => this.look());
    });
  }
}

/** A note of which the program keeps a part up to date. It is in the root, where no note is a record. */
interface OwnPart {
  readonly path: string;
  /** What its part is called in its first mark. */
  readonly name: string;
}

/** A writer waits at most this long for the note to be quiet. */
const LONG_MS = 15_000;

/** The state of the note afterwards. `left`: somebody is typing in it, or it cannot be edited. */
export interface KeptNote {
  readonly path: string;
  readonly state: 'made' | 'changed' | 'unchanged' | 'left';
  readonly reason: string | null;
}

/**
 * Writes the program's part of a note, or makes the note. The text around the part stays byte for byte. Waits for a
 * note that is being edited, but not for ever.
 */
export function keepNote(space: DecisionWriteAccess, part: OwnPart, text: string): Promise<KeptNote> {
  return space.transactions.inTurn(part.path, () => keep(space, part, text));
}

async function keep(space: DecisionWriteAccess, part: OwnPart, text: string): Promise<KeptNote> {
  const { path: file } = part;
  const left = (reason: string): KeptNote => ({ path: file, state: 'left', reason });
  const kept = await space.transactions.attemptAsync([file], async (): Promise<KeptNote | null> => {
    const note = space.notes.fresh(file);
    if (note === null && fs.lstatSync(path.join(space.vault.root, file), { throwIfNoEntry: false }) !== undefined)
      return left(WHY_LEFT.unreadable);
    const after =
      note === null
        ? noteText({ steward: false }, `${KEPT_OPENING}\n\n${keptPart(marksOf(part), text)}`)
        : withBlock(note.text, marksOf(part), text);
    if (after === null) return left(WHY_LEFT.marks);
    if (note !== null && isTypedInto(note.text, marksOf(part))) return left(WHY_LEFT.typed);
    if (after === note?.text) return { path: file, state: 'unchanged', reason: null };
    const quietIn = (note?.settledAt ?? 0) - space.context.now();
    if (quietIn > LONG_MS) return left(WHY_LEFT.busy);
    if (quietIn > 0) {
      await wait(quietIn);
      return null;
    }
    const step = note === null ? created(file, after) : textStep(file, note.text, after);
    return written(space, part, step) ? { path: file, state: note === null ? 'made' : 'changed', reason: null } : null;
  });
  return kept ?? left(WHY_LEFT.busy);
}

/** Whether a note was left since somebody is typing in it just now. */
export function isBusy({ reason }: KeptNote): boolean {
  return reason === WHY_LEFT.busy;
}

/**
 * Returns a note without the program's part: what a person wrote around it. Null if the note has nothing else; the same text if
 * it has no such part, or a person wrote in it.
 */
export function withoutOwnPart(note: string, part: Pick<OwnPart, 'name'>): string | null {
  const marks = marksOf(part);
  const found = findPart(note, marks);
  if (found.kind !== 'found' || found.isOwn === false) return note;
  const rest = `${note.slice(0, found.start)}${note.slice(found.end)}`;
  return rest.trim() === noteText({ steward: false }, KEPT_OPENING).trim() ? null : rest;
}

function created(file: string, text: string): Step {
  return { do: 'create', path: file, text };
}

function written(space: DecisionWriteAccess, { name }: OwnPart, step: Step): boolean {
  const now = space.context.now();
  // Named like an action, so that what a crash leaves of it is kept in the same way.
  const id = `${name}-action-${nameTimeExact(now)}`;
  return space.transactions.commit(id, [step]);
}

/** Returns the note with the program's part replaced, or appended if missing; null if its marks are unclear. */
function withBlock(note: string, marks: PartMarks, text: string): string | null {
  const part = findPart(note, marks);
  const block = keptPart(marks, text);
  if (part.kind === 'absent') return `${note}${note.endsWith('\n') ? '\n' : '\n\n'}${block}\n`;
  return part.kind === 'found' ? `${note.slice(0, part.start)}${block}${note.slice(part.end)}` : null;
}

function marksOf({ name }: Pick<OwnPart, 'name'>): PartMarks {
  return { begin: `%% steward: ${name} %%`, end: '%% /steward %%' };
}

// If the line with the fingerprint is gone, somebody has deleted it.
function isTypedInto(note: string, marks: PartMarks): boolean {
  const part = findPart(note, marks);
  return part.kind === 'found' && part.isOwn === false;
}
