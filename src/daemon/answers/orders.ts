import { type Calibration, recorded } from '../../steward/learning/calibration.ts';
import { type Answer, type Answerable, type Door, ONLY_ASKED } from '../../undo/order.ts';
import { StewardError } from '../../vault/errors.ts';
import type { Catalogue } from '../../vault/index/catalogue.ts';
import type { EventRecord, MatterRecord, OrderRecord, ReversalRecord, VaultRecord } from '../../vault/index/record.ts';
import { linkTarget } from '../../vault/links.ts';
import { fold, stem } from '../../vault/note-names.ts';
import { changeLine } from '../../vault/note-text.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';
import type { NoteSnapshot } from '../../vault/transaction.ts';
import type { Vault } from '../../vault/watch.ts';
import type { ReadAccess } from '../context.ts';
import { targetPath } from '../effective-mode.ts';

/** Says that a proposal was confirmed or dismissed. `note`: the path of the answer note, or null in a dry run. */
export function carriedOut(
  event: EventRecord,
  outcome: 'confirmed' | 'dismissed',
  note: string | null,
  calibrations: readonly Calibration[],
): Answer {
  return {
    event: event.name,
    outcome,
    note,
    target: event.fields.target_path,
    changes: outcome === 'confirmed' ? event.fields.changes : {},
    calibration: recorded(calibrations).calibration,
    message: doneMessage(event, outcome),
    until: null,
  };
}

function doneMessage({ fields }: EventRecord, outcome: 'confirmed' | 'dismissed'): string {
  const proposes = Object.keys(fields.changes).length > 0;
  if (outcome === 'dismissed') return `${proposes ? 'The proposal' : 'It'} is closed; the note stays as it is.`;
  return proposes ? 'The change is made.' : 'It is settled; no change proposed.';
}

/** The same for a dry run. */
export function wouldCarryOut(event: EventRecord, outcome: 'confirmed' | 'dismissed'): Answer {
  return { ...carriedOut(event, outcome, null, []), message: ONLY_ASKED };
}

/** Says that the proposal no longer fits its note, and what the person can do next. */
export function conflict(event: EventRecord, reason: string, next: string): Answer {
  return unanswered(subjectOf(event), 'conflict', `Nothing was changed. ${reason} ${next}`);
}

/** Says that the event is no proposal that can still be answered. */
export function notOpen(event: EventRecord, reason: string): Answer {
  return unanswered(subjectOf(event), 'not-a-proposal', reason);
}

/** Says that the note is being edited; `until` is when to try again (epoch ms). */
export function beingEdited(event: EventRecord, until: number): Answer {
  const message = `${event.fields.target_path} is being edited; the answer is carried out as soon as the note is quiet.`;
  return unanswered(subjectOf(event), 'settling', message, until);
}

/** Says why an order was not carried out. `until` is when to try again (epoch ms), or null where that is pointless. */
export function unanswered(
  { event, target }: Pick<Answer, 'event' | 'target'>,
  outcome: Answer['outcome'],
  message: string,
  until: number | null = null,
): Answer {
  return { event, outcome, note: null, target, changes: {}, calibration: {}, message, until };
}

function subjectOf({ name, fields }: EventRecord): Pick<Answer, 'event' | 'target'> {
  return { event: name, target: fields.target_path };
}

/** The note that a proposal is about, as it is on disk now; null where it is gone or cannot be read. */
export function proposalNote(space: ReadAccess, event: EventRecord): NoteSnapshot | null {
  const path = targetPath(space.vault, event);
  return path === null ? null : space.notes.fresh(path);
}

/** Whether a person may still be typing in the note. Bytes that the proposal itself left there are not typing. */
export function isBeingTyped(event: EventRecord, note: NoteSnapshot, now: number): boolean {
  return note.sha !== event.fields.pending_patch?.after_sha256 && note.settledAt > now;
}

/** A person's order to confirm or dismiss a proposal. */
export interface AnswerOrder {
  readonly kind: 'confirm' | 'dismiss';
  readonly event: EventRecord;
  /** The note that a person says is meant, as a link; null where none is named. */
  readonly choose: string | null;
  readonly by: Door;
  /** The file that the person dropped; null where the answer came through another door. */
  readonly file: OrderRecord | null;
}

/**
 * Returns the event that a person means: a name, path or link of it or of the note that it is about, or any unambiguous part of
 * its name or of that note's title. Where several are meant so, the only one to which what is asked for can be done (`fits`).
 * Throws `event-unknown` and `event-ambiguous`.
 */
export function findEvent(vault: Vault, written: string, fits: (event: Answerable) => boolean): Answerable {
  const { catalogue } = vault;
  const exact = catalogue.resolve(written, ['event', 'reversal']);
  if (exact?.kind === 'event' || exact?.kind === 'reversal') return exact;
  const part = fold(linkTarget(written));
  const titled =
    exact?.kind === 'task' || exact?.kind === 'matter' ? catalogue.eventsAbout(exact.path).filter(fits) : [];
  const named = part === '' ? [] : eventsNamed(vault, part);
  const ending = named.filter(({ path }) => fold(stem(path)).endsWith(`-${part}`)).filter(fits);
  for (const some of [titled, named, ending]) if (some.length === 1 && some[0] !== undefined) return some[0];
  const about = part === '' || named.length > 0 ? [] : aboutTitled(vault, part);
  const [one, ...more] = about.filter(fits);
  const only = one ?? (about.length === 1 ? about[0] : undefined);
  if (only !== undefined && more.length === 0) return only;
  const meant = [titled, ending, named, one === undefined ? about : [one, ...more]].find((some) => some.length > 0);
  throw notOne(written, meant ?? []);
}

function eventsNamed({ catalogue }: Vault, part: string): Answerable[] {
  return [...catalogue.pathsOf('event'), ...catalogue.pathsOf('reversal')]
    .filter((path) => fold(stem(path)).includes(part))
    .flatMap((path) => catalogue.get(path) ?? [])
    .filter((record) => record.kind === 'event' || record.kind === 'reversal');
}

// The events about the notes in whose titles the part stands.
function aboutTitled({ catalogue }: Vault, part: string): Answerable[] {
  return [...catalogue.pathsOf('task'), ...catalogue.pathsOf('matter')]
    .filter((path) => words(fold(stem(path))).includes(words(part)))
    .flatMap((path) => catalogue.eventsAbout(path));
}

// `Pay notary deposit` and `pay-notary-deposit` are the same words.
function words(title: string): string {
  return title.replace(/[-_\s]+/g, ' ');
}

/** How many of the events that may be meant are listed. */
const MOST_LISTED = 10;

function notOne(written: string, meant: readonly Answerable[]): StewardError {
  if (meant.length === 0) {
    const message = `No event note fits "${written}", by its name or by the note it is about.`;
    return new StewardError({ code: 'event-unknown', message, hint: 'See `steward log` for the names.' });
  }
  const listed = meant
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, MOST_LISTED)
    .map((event) => {
      const change = event.kind === 'event' ? changeLine(event.fields.changes) : takesBack(event);
      return [shellWord(event.name), ...(change === null ? [] : [change])].join('  ');
    });
  return new StewardError({
    code: 'event-ambiguous',
    message: `"${written}" may mean ${meant.length} event notes.`,
    excerpt: [...listed, ...(meant.length > MOST_LISTED ? [`… and ${meant.length - MOST_LISTED} more`] : [])].join(
      '\n',
    ),
    hint: 'Name one of them, or say more of its name.',
  });
}

function takesBack({ fields: { reverses } }: ReversalRecord): string | null {
  return reverses === null ? null : `takes ${linkTarget(reverses)} back`;
}

/** Returns the matter that a person means, by slug, path, link or alias. Throws `matter-unknown`. */
export function findMatter(vault: Vault, written: string): MatterRecord {
  const found = vault.catalogue.resolve(written, ['matter']);
  if (found?.kind === 'matter') return found;
  throw new StewardError({
    code: 'matter-unknown',
    message: `There is no matter "${written}".`,
    hint: 'See `steward status --schedules` for the matters there are.',
  });
}

/**
 * Returns a test for whether an event is about a matter or one of its tasks. Every event passes where `written` is
 * null. Throws `matter-unknown`.
 */
export function aboutMatter(vault: Vault, written: string | null): (event: Answerable) => boolean {
  if (written === null) return () => true;
  const matter = findMatter(vault, written);
  const paths = new Set([matter.path, ...vault.catalogue.tasksOf(matter).map((task) => task.path)]);
  return (event) => notesAbout(vault, event).some((path) => paths.has(path));
}

/** Returns the notes that an event is about: its own, that of the event it answers, or all that could be meant. */
function notesAbout(vault: Vault, event: Answerable): string[] {
  const target = answeredTarget(vault, event);
  if (target !== null) return [target];
  const { catalogue } = vault;
  const candidates = event.kind === 'event' ? event.fields.candidates : [];
  return candidates.flatMap((link) => catalogue.resolve(link, ['task', 'matter'])?.path ?? []);
}

/** Returns the note that an event is about, or else the one that the event it answers is about; null for none. */
export function answeredTarget(vault: Vault, event: Answerable): string | null {
  const own = targetPath(vault, event);
  const answered = own === null ? answeredBy(vault, event) : null;
  return answered === null ? own : targetPath(vault, answered);
}

/** Returns the event that another one confirms, dismisses or takes back; null where it is no answer. */
function answeredBy({ catalogue }: Vault, event: Answerable): Answerable | null {
  const link = event.kind === 'event' ? (event.fields.confirms ?? event.fields.dismisses) : event.fields.reverses;
  const found = link === null ? null : catalogue.resolve(link, ['event', 'reversal']);
  return found?.kind === 'event' || found?.kind === 'reversal' ? found : null;
}

/**
 * Returns the record that a dropped file is about: the one its link names, or else the one that the tail of its own
 * name names, after one of the `verbs`. Null where there is no such record.
 */
export function recordMeant(
  catalogue: Catalogue,
  link: string | null,
  name: string,
  verbs: readonly string[],
): VaultRecord | null {
  const written = link ?? nameTail(name, verbs);
  return written === null ? null : catalogue.resolve(written, ['event', 'reversal']);
}

function nameTail(name: string, verbs: readonly string[]): string | null {
  const tail = new RegExp(`^(steward-action|signal-action)-(?:${verbs.join('|')})-(.+)$`, 'i').exec(name);
  return tail === null ? null : `${tail[1]}-${tail[2]}`;
}

/**
 * Returns the event that a reversal names in `reverses`, or else in the tail of its own name; null where there is none.
 */
export function namedEvent(catalogue: Catalogue, { path, name, fields }: ReversalRecord): Answerable | null {
  const found = recordMeant(catalogue, fields.reverses, name, ['reversed']);
  return (found?.kind === 'event' || found?.kind === 'reversal') && found.path !== path ? found : null;
}
