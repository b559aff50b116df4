import { StewardError } from '../vault/errors.ts';
import { isForged } from '../vault/event-text.ts';
import { same } from '../vault/frontmatter.ts';
import type { Catalogue } from '../vault/index.ts';
import { fold, stem } from '../vault/layout.ts';
import { linkTarget } from '../vault/links.ts';
import { changeLine, shellWord } from '../vault/note-text.ts';
import {
  type EventRecord,
  type MatterRecord,
  type MutationClass,
  nearest,
  type ReversalRecord,
  type VaultRecord,
} from '../vault/record.ts';
import { parseChannel, sourceKey } from '../vault/source-names.ts';
import type { Vault } from '../vault/vault.ts';
import { classOfField, ourName } from './change.ts';
import { clears } from './gates.ts';
import { openProposals } from './proposals.ts';
import { targetPath } from './records.ts';
import type { Answerable } from './types.ts';
import type { DecisionContext, DecisionReadAccess } from './workspace.ts';

/**
 * Returns the event that a person means: a name, path or link of it or of its note, or any unambiguous part of its name
 * or of that note's title. Of several, returns the only one to which the requested act can be done (`fits`). If names
 * end in the part, only those count: `t0` is the task of this name, not an hour in another event's name. Throws
 * `event-unknown` and `event-ambiguous`.
 */
export function findEvent(vault: Vault, written: string, fits: (event: Answerable) => boolean): Answerable {
  const { catalogue } = vault;
  const exact = catalogue.resolve(written, ['event', 'reversal']);
  if (exact?.kind === 'event' || exact?.kind === 'reversal') return exact;
  const part = fold(linkTarget(written));
  const titled =
    exact?.kind === 'task' || exact?.kind === 'matter' ? catalogue.eventsAbout(exact.path).filter(fits) : [];
  const holding = part === '' ? [] : eventsNamed(vault, part);
  const ending = holding.filter(({ path }) => fold(stem(path)).endsWith(`-${part}`));
  const named = ending.length > 0 ? ending : holding;
  const fitting = named.filter(fits);
  for (const some of [titled, named, fitting]) if (some.length === 1 && some[0] !== undefined) return some[0];
  const about = part === '' || named.length > 0 ? [] : aboutTitled(vault, part);
  const [one, ...more] = about.filter(fits);
  const only = one ?? (about.length === 1 ? about[0] : undefined);
  if (only !== undefined && more.length === 0) return only;
  for (const some of [titled, fitting, about.filter(fits)]) {
    const [first] = some.toSorted(byName);
    if (first !== undefined && some.every((other) => isSameChange(first, other))) return first;
  }
  const meant = [titled, fitting, named, one === undefined ? about : [one, ...more]].find((some) => some.length > 0);
  throw notOne(written, meant ?? []);
}

function eventsNamed({ catalogue }: Vault, part: string): Answerable[] {
  return [...catalogue.pathsOf('event'), ...catalogue.pathsOf('reversal')]
    .filter((path) => fold(stem(path)).includes(part))
    .flatMap((path) => catalogue.get(path) ?? [])
    .filter((record) => record.kind === 'event' || record.kind === 'reversal');
}

// The events about the notes with the part in their titles.
function aboutTitled(vault: Vault, part: string): Answerable[] {
  return notesTitled(vault, part).flatMap((path) => vault.catalogue.eventsAbout(path));
}

/** Returns the paths of the tasks and matters with these words in their titles, in any case, with blanks or hyphens. */
export function notesTitled({ catalogue }: Vault, part: string): string[] {
  const wanted = words(fold(part));
  const all = [...catalogue.pathsOf('task'), ...catalogue.pathsOf('matter')];
  return wanted === '' ? [] : all.filter((path) => words(fold(stem(path))).includes(wanted));
}

// `Pay notary deposit` and `pay-notary-deposit` are the same words.
function words(title: string): string {
  return title.replace(/[-_\s]+/g, ' ');
}

/** How many of the events that may be meant are listed. */
const MOST_LISTED = 10;

function byName(one: Answerable, other: Answerable): number {
  return one.name < other.name ? -1 : 1;
}

// Two mails may tell the same: whichever proposal is answered, the note gets the same change, and the other is settled by it.
function isSameChange(one: Answerable, other: Answerable): boolean {
  if (one.kind !== 'event' || other.kind !== 'event') return false;
  const values = ({ fields }: EventRecord) =>
    Object.fromEntries(Object.entries(fields.changes).map(([field, { after }]) => [field, after]));
  // Of a forged mail and one of the sender's own, only the user knows which is meant.
  if (isForged(one.fields.gates) !== isForged(other.fields.gates)) return false;
  return one.fields.target === other.fields.target && same(values(one), values(other));
}

function notOne(written: string, meant: readonly Answerable[]): StewardError {
  if (meant.length === 0) {
    const message = `No event note fits "${written}", by its name or by the note it is about.`;
    return new StewardError({ code: 'event-unknown', message, hint: 'See `steward log` for the names.' });
  }
  const listed = meant
    .toSorted(byName)
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
  return reverses === null ? null : `undoes ${linkTarget(reverses)}`;
}

/** Returns the name of the note that a mistyped one may mean: the only one with these words, or the one spelt most like it. */
export function suggestNote(vault: Vault, written: string, kinds: readonly ('matter' | 'task')[]): string | null {
  const all = kinds.flatMap((kind) => [...vault.catalogue.each(kind).map(({ name }) => name)]);
  const part = fold(words(written));
  const [only, ...others] = all.filter((name) => fold(words(name)).includes(part));
  return only !== undefined && others.length === 0 ? only : nearest(written, all);
}

/** Returns the matter that a person means, by slug, path, link or alias. Throws `matter-unknown`. */
export function findMatter(vault: Vault, written: string): MatterRecord {
  const found = vault.catalogue.resolve(written, ['matter']);
  if (found?.kind === 'matter') return found;
  const meant = suggestNote(vault, written, ['matter']);
  throw new StewardError({
    code: 'matter-unknown',
    message: `There is no matter "${written}".${meant === null ? '' : ` Did you mean "${meant}"?`}`,
    hint: 'See `steward status --schedules` for the matters there are.',
  });
}

/**
 * Returns a test for whether an event is about a matter or one of its tasks. Every event passes if `written` is null.
 * Throws `matter-unknown`.
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

/**
 * Returns the note that an event is about, or else the one that the event it answers is about; null if there isn't one.
 */
export function answeredTarget(vault: Vault, event: Answerable): string | null {
  const own = targetPath(vault, event);
  const answered = own === null ? answeredBy(vault, event) : null;
  return answered === null ? own : targetPath(vault, answered);
}

/** Returns the event that another one confirms, dismisses or takes back; null if it is no answer. */
function answeredBy({ catalogue }: Vault, event: Answerable): Answerable | null {
  const link = event.kind === 'event' ? (event.fields.confirms ?? event.fields.dismisses) : event.fields.reverses;
  const found = link === null ? null : catalogue.resolve(link, ['event', 'reversal']);
  return found?.kind === 'event' || found?.kind === 'reversal' ? found : null;
}

/**
 * Returns the record that a dropped file is about: by its link, or else by the tail of its own name, after one of the
 * `verbs`. Null if there is no such record.
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
 * Returns the event that a reversal names in `reverses`, or else in the tail of its own name; null if there isn't one.
 */
export function namedEvent(catalogue: Catalogue, { path, name, fields }: ReversalRecord): Answerable | null {
  const found = recordMeant(catalogue, fields.reverses, name, ['reversed']);
  return (found?.kind === 'event' || found?.kind === 'reversal') && found.path !== path ? found : null;
}

/** Which of the waiting proposals are meant. A part that is null excludes no event. */
export interface ProposalFilter {
  /** The matter itself, and its tasks. */
  readonly matter: string | null;
  /** Every field of the proposal is of this class. */
  readonly class: MutationClass | null;
  /** At least this sure, 0–1. */
  readonly minConfidence: number | null;
  /** One of the sources behind it: a channel with all who speak in it, or one of them. */
  readonly source: string | null;
}

/** Returns the waiting proposals that pass the filter, oldest first. Throws `matter-unknown`. */
export function chosenProposals(space: DecisionReadAccess, filter: ProposalFilter): EventRecord[] {
  const isAbout = aboutMatter(space.vault, filter.matter);
  return (
    openProposals(space)
      .map(({ event }) => event)
      // A finding without a signal is answered one by one: a mistake in bulk must not archive matters.
      .filter(({ fields }) => fields.perceived === null)
      .filter(isAbout)
      .filter((event) => filter.class === null || isOfClass(space.context, event, filter.class))
      .filter((event) => filter.minConfidence === null || clears(event.fields.confidence, filter.minConfidence))
      .filter((event) => filter.source === null || hasSource(event, filter.source))
  );
}

// A proposal that also changes a field of another class is not what was asked for.
function isOfClass({ settings }: DecisionContext, event: EventRecord, wanted: MutationClass): boolean {
  const fields = Object.keys(event.fields.changes);
  return fields.every((field) => classOfField(ourName(field, settings.field_mapping)) === wanted);
}

function hasSource({ fields }: EventRecord, wanted: string): boolean {
  const key = sourceKey(wanted);
  return Object.keys(fields.source_contributions).some((one) =>
    [sourceKey(one), sourceKey(parseChannel(one))].includes(key),
  );
}
