import type { EventRecord, SignalRecord } from '../vault/index/record.ts';
import { nameKey, saysItWaits } from '../vault/index-keys.ts';
import { stem } from '../vault/note-names.ts';
import { linkTo } from '../vault/notes.ts';
import { DIGEST } from '../vault/reading-words.ts';
import { isSiblingType } from '../vault/records.ts';
import { localDate } from '../vault/time.ts';
import { byPressure, FINDING_KINDS, type FindingKind, type Seen } from './perception.ts';
import { isKnownNote } from './ports/own-notes.ts';
import {
  answerOf,
  comesAfter,
  isPast,
  type ProposalStatus,
  type Proposals,
  passedReason,
  proposalStatus,
} from './proposals.ts';

/** A part of a note that the program keeps: between two marks, each alone on its line and there once. */
interface MarkedPart {
  readonly begin: string;
  readonly end: string;
  /** Whether a line between the marks is one that the program wrote. What a person adds to it makes it theirs. */
  readonly isOwn: (line: string) => boolean;
}

/**
 * Returns a note's text with these lines between the marks, and every other byte as it was; null where the marks do not
 * stand there once each, on lines of their own. What somebody wrote between them moves below them.
 */
export function withLines(text: string, { begin, end, isOwn }: MarkedPart, lines: readonly string[]): string | null {
  const [first, last] = [lineOf(text, begin), lineOf(text, end)];
  if (first === null || last === null || last < first) return null;
  const from = first + begin.length;
  const eol = text.startsWith('\r\n', from) ? '\r\n' : '\n';
  const strangers = text
    .slice(from, last)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !isOwn(line));
  const below = strangers.length === 0 ? '' : `${eol}${eol}${strangers.join(eol)}`;
  return `${text.slice(0, from)}${eol}${lines.join(eol)}${eol}${end}${below}${text.slice(last + end.length)}`;
}

// Where a mark stands alone on its line; null where it does so nowhere, or more than once: then nobody knows which is meant.
function lineOf(text: string, mark: string): number | null {
  const [only, ...more] = [...text.matchAll(new RegExp(`^${mark}(?=[ \\t]*\\r?$)`, 'gm'))];
  return only === undefined || more.length > 0 ? null : only.index;
}

/** A note that shows something by itself, as it was last seen. */
export interface Shown {
  readonly path: string;
  readonly seen: Seen;
  readonly found: NonNullable<Seen['found']>;
}

/** How many notes the digest names. */
const MOST_NAMED = 10;

/** How the digest counts each kind. */
const COUNTED: Readonly<Record<FindingKind, string>> = {
  overdue: 'overdue',
  snooze_over: 'snooze over',
  unblocked: 'free to go on',
  tasks_done: 'all tasks done',
  silent: 'silent for weeks',
};
/** As earlier versions wrote it. */
const FORMER_NOTHING = 'Nothing is overdue, and nothing has been silent for weeks.';

const PART = {
  begin: '<!-- steward:seen -->',
  end: '<!-- /steward:seen -->',
  isOwn: (line: string) => OWN_LINE.test(line),
};
const KINDS = Object.values(COUNTED).join('|');
const OWN_LINE = new RegExp(
  `^(?:${[DIGEST.nothing, DIGEST.notYet, FORMER_NOTHING].join('|').replaceAll('.', '\\.')}|(?:${KINDS}): \\d+(?: · (?:${KINDS}): \\d+)*|- .* · (?:${KINDS}|silent)(?: since \\d{4}-\\d\\d-\\d\\d)?|- and \\d+ more)$`,
);

/**
 * Returns a note's text with what all looks have found between its two marks: how many of each kind, and the most pressing.
 * It names days, not spans: so it changes only where something has. `shown` is null where there was no look yet. Null where
 * the marks are not there as they should be.
 */
export function withDigest(text: string, shown: readonly Shown[] | null): string | null {
  return withLines(text, PART, digestOf(shown));
}

function digestOf(shown: readonly Shown[] | null): string[] {
  if (shown === null) return [DIGEST.notYet];
  if (shown.length === 0) return [DIGEST.nothing];
  const counts = FINDING_KINDS.map((kind) => ({
    kind,
    number: shown.filter(({ found }) => found.kind === kind).length,
  }));
  const counted = counts.filter(({ number }) => number > 0).map(({ kind, number }) => `${COUNTED[kind]}: ${number}`);
  const more = shown.length - MOST_NAMED;
  const lines = mostPressing(shown).map(lineOfDigest);
  return [counted.join(' · '), '', ...lines, ...(more > 0 ? [`- and ${more} more`] : [])];
}

// Not all put in order: a large vault may have a hundred thousand that are overdue.
function mostPressing(shown: readonly Shown[]): Shown[] {
  const first: Shown[] = [];
  for (const one of shown) {
    const last = first[MOST_NAMED - 1];
    if (last !== undefined && inOrder(last, one) < 0) continue;
    first.push(one);
    first.sort(inOrder).splice(MOST_NAMED);
  }
  return first;
}

function inOrder(one: Shown, other: Shown): number {
  return byPressure(one.seen, other.seen) || (one.path < other.path ? -1 : 1);
}

function lineOfDigest({ path, found: { kind, since } }: Shown): string {
  if (kind === 'unblocked') return `- ${linkTo(stem(path))} · ${COUNTED[kind]}`;
  return `- ${linkTo(stem(path))} · ${kind === 'silent' ? 'silent' : COUNTED[kind]} since ${localDate(since)}`;
}

/** Whether an event asks which of several notes a signal is about. */
export function isChoice({ fields }: EventRecord): boolean {
  return fields.candidates.length > 0 && !isSiblingType(fields.type);
}

/** Whether an event asks a person for something and proposes no change: a question, to which "seen" is the answer. */
export function isQuestion(event: EventRecord): boolean {
  const { fields } = event;
  const isBare = Object.keys(fields.changes).length === 0 && fields.undo_recipe === null;
  const asks = fields.waiting || fields.decision === 'needs_input';
  return isBare && asks && !isChoice(event) && !isSiblingType(fields.type);
}

/** Returns what has become of a question or a choice, in the words for a proposal. */
function askStatus(space: Proposals, event: EventRecord): ProposalStatus {
  const answer = answerOf(space, event);
  if (answer !== null) return { kind: answer.fields.dismisses === null ? 'confirmed' : 'dismissed', by: answer };
  return isChoice(event) ? choiceStatus(space, event) : questionStatus(space, event);
}

/** Returns the signal that a choice is about; null where it is gone. */
export function signalOf(space: Proposals, event: EventRecord): SignalRecord | null {
  const [link] = event.fields.signals;
  const found = link === undefined ? null : space.vault.catalogue.resolve(link, ['signal']);
  return found?.kind === 'signal' ? found : null;
}

/** Whether a signal may be about any of several notes, and nobody has said yet which. */
export function isUndecided({ fields }: SignalRecord): boolean {
  return fields.target_ambiguous && fields.status === 'unrouted' && fields.effect !== 'none' && fields.steward;
}

/** Returns whether a link leads to a matter or task that has not ended. */
export function leadsToOpen({ vault }: Proposals, link: string): boolean {
  const found = vault.catalogue.resolve(link, ['task', 'matter']);
  if (found?.kind !== 'task' && found?.kind !== 'matter') return false;
  return found.fields.state !== 'done' && found.fields.state !== 'archived';
}

function choiceStatus(space: Proposals, event: EventRecord): ProposalStatus {
  const signal = signalOf(space, event);
  if (signal === null) return { kind: 'settled', reason: 'its signal is no longer there' };
  if (!isUndecided(signal)) return { kind: 'settled', reason: 'its signal has found its note' };
  const isOpen = event.fields.candidates.some((link) => leadsToOpen(space, link));
  return isOpen ? { kind: 'waiting' } : { kind: 'settled', reason: 'every note it could mean is closed' };
}

function questionStatus(space: Proposals, event: EventRecord): ProposalStatus {
  const { catalogue } = space.vault;
  const { target_path: path } = event.fields;
  const note = path === null ? undefined : catalogue.get(catalogue.currentPath(path));
  if (note?.kind === 'task' || note?.kind === 'matter') {
    const { state } = note.fields;
    if (state === 'done' || state === 'archived') return { kind: 'settled', reason: `it is ${state} since` };
  } else if (note === undefined) return { kind: 'settled', reason: 'its note is no longer there' };
  const passed = passedReason(space, event, shaNow(space, event, note.path));
  if (passed !== null) return { kind: 'settled', reason: passed };
  const by = weighedSince(space, event) ?? perceivedSince(space, event);
  return by === null ? { kind: 'waiting' } : { kind: 'superseded', by };
}

// Read only where it is asked for: what a model found is about the note as it was.
function shaNow(space: Proposals, { fields }: EventRecord, path: string): string | null {
  return fields.perceived === null ? null : (space.notes.fresh(path)?.sha ?? null);
}

// Of what the program found by itself about a note, only the latest waits.
function perceivedSince(space: Proposals, event: EventRecord): EventRecord | null {
  if (event.fields.perceived === null) return null;
  const later = space.vault.catalogue
    .eventsAbout(event.fields.target_path ?? '')
    .filter((other) => other.path !== event.path && other.fields.perceived !== null)
    .filter((other) => isPast(space, other) && comesAfter(other, event) && isKnownNote(space, other));
  return later.toSorted((one, other) => (comesAfter(one, other) ? 1 : -1))[0] ?? null;
}

// The first later event about the same note that weighed one of the same signals.
function weighedSince(space: Proposals, event: EventRecord): EventRecord | null {
  const { catalogue } = space.vault;
  const about = catalogue.currentPath(event.fields.target_path ?? '');
  const later = event.fields.signals
    .flatMap((link) => catalogue.eventsOfSignal(nameKey(link)))
    .filter((other) => other.path !== event.path && other.fields.decision !== 'rate_guarded' && !isChoice(other))
    .filter((other) => catalogue.currentPath(other.fields.target_path ?? '') === about)
    .filter((other) => isPast(space, other) && comesAfter(other, event) && isKnownNote(space, other));
  return later.toSorted((one, other) => (comesAfter(one, other) ? 1 : -1))[0] ?? null;
}

/** Returns what has become of an event that waits, or waited, for a person: a proposal, a question or a choice. */
export function standingOf(space: Proposals, event: EventRecord): ProposalStatus {
  if (!isChoice(event) && !isQuestion(event)) return proposalStatus(space, event);
  const status = askStatus(space, event);
  // A question whose note says that it is closed stays closed; in a vault of before, none has ever waited.
  return status.kind === 'waiting' && !saysItWaits(event.fields) ? { kind: 'none' } : status;
}

/** Whether an event still waits for a person: nothing has answered, overtaken or settled it. */
export function isWaiting(space: Proposals, event: EventRecord): boolean {
  const { kind } = standingOf(space, event);
  return kind === 'waiting' || kind === 'stale';
}
