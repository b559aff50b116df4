import type { EventRecord, MatterRecord, ReversalRecord, SignalRecord, TargetRecord } from '../vault/index/record.ts';
import { linkKey } from '../vault/links.ts';
import { EVENT_TYPES } from '../vault/records.ts';
import { channelOf, claimedPattern, isAgent, isOwnHand, plainSender, sourceKey } from '../vault/source-names.ts';
import type { SenderStanding } from '../vault/status-words.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import { EARNED_AFTER, type Witness } from './gates-sender-gate.ts';
import { instinctOf } from './learning/sources.ts';
import { HAND_COUNTS_FOR, handSays, type Instinct } from './learning.ts';
import type { Outcome } from './learning-outcomes.ts';
import { isOwnNote } from './ports/own-notes.ts';
import type { Records } from './ports.ts';
import { isReversed } from './proposals/reversed.ts';
import { answerOf, comesAfter, isPast, type Proposals, speakersOf } from './proposals.ts';
import { type Speaker, speakerOf, type TrustSpace } from './trust/speaker.ts';

/** How an event note says that a person made the proposed change by their own hand. */
export const BY_HAND = 'made by hand';

/** A decision that a person's own hand has shown to be right or wrong. */
export interface HandOutcome {
  readonly event: EventRecord;
  readonly outcome: Extract<Outcome, 'right' | 'dismissed' | 'contradicted'>;
}

/** Stands for the program among those who spoke about a field: no source has this name. */
const PROGRAM = '';

/**
 * Returns what a person's own hand says about the decisions on a note that nothing else has answered (contract, section
 * 7), judged by a snapshot of it. Of several decisions about one field, only the latest of each source is judged, and
 * none of before the program itself wrote it: that may have been put right so. What a stranger proposes later takes no
 * outcome from anybody, and what one repeats counts once.
 */
export function outcomesByHand(space: Proposals, target: TargetRecord, note: NoteSnapshot): HandOutcome[] {
  const events = space.vault.catalogue.eventsAbout(target.path).filter((event) => isPast(space, event));
  const decided = new Set<string>();
  return events
    .toSorted((one, other) => (comesAfter(one, other) ? -1 : 1))
    .flatMap((event): HandOutcome[] => {
      if (event.fields.dismisses !== null) return [];
      const fields = Object.keys(event.fields.changes);
      const isMade = event.fields.undo_recipe !== null || event.fields.confirms !== null;
      const speakers = speakersOf(event.fields.source_contributions);
      const isLatest = !fields.some((field) => [PROGRAM, ...speakers].some((one) => decided.has(`${field} ${one}`)));
      for (const field of fields) {
        for (const one of isMade ? [PROGRAM, ...speakers] : speakers) decided.add(`${field} ${one}`);
      }
      if (!isLatest || !isUnanswered(space, event) || isRestoredSince(space, event, events)) return [];
      const outcome = outcomeOf(space, event, { note, mtimeMs: target.stat.mtimeMs });
      return outcome === null ? [] : [{ event, outcome }];
    });
}

/** Whether an event is a decision of the program's own that has taught nothing, and that nobody has answered. */
export function isUnanswered(space: Proposals, event: EventRecord): boolean {
  const { type, taught, changes } = event.fields;
  if (taught !== null || Object.keys(changes).length === 0 || !EVENT_TYPES.some((one) => one === type)) return false;
  if (answerOf(space, event) !== null || isReversed(space, event)) return false;
  if (isTakenBackElsewhere(space, event) || isCountedElsewhere(space, event)) return false;
  return isOwnNote(space, event);
}

// Somebody has asked to have it taken back, and the reversal that does so, and teaches, may still be on its way here.
function isTakenBackElsewhere({ vault: { catalogue } }: Proposals, event: EventRecord): boolean {
  const reversals = catalogue.answersTo(event.name).filter((answer) => answer.kind === 'reversal');
  return reversals.some(({ fields: { outcome } }) => outcome === null || outcome === 'already-reversed');
}

// Two machines may act on one signal before either hears of the other. That is one act, and the later record of it
// counts, on the machine that wrote it: as when a hand has changed the note since, where only the latest is judged.
function isCountedElsewhere(space: Proposals, event: EventRecord): boolean {
  const { target_path: target, undo_recipe: recipe, signals } = event.fields;
  if (target === null || recipe === null) return false;
  const weighed = new Set(signals.map(linkKey));
  return space.vault.catalogue
    .eventsAbout(target)
    .filter(({ fields }) => fields.undo_recipe !== null && fields.signals.some((link) => weighed.has(linkKey(link))))
    .some((other) => comesAfter(other, event) && !isOwnNote(space, other));
}

// What an undo of an earlier action has given back since was not moved by a hand.
function isRestoredSince({ vault: { catalogue } }: Proposals, event: EventRecord, events: readonly EventRecord[]) {
  const at = Date.parse(event.fields.timestamp);
  const fields = Object.keys(event.fields.changes);
  return events
    .filter((other) => other !== event && fields.some((field) => Object.hasOwn(other.fields.changes, field)))
    .flatMap((other) => catalogue.answersTo(other.name))
    .some((answer) => answer.kind === 'reversal' && Date.parse(answer.fields.settled_at ?? '') >= at);
}

/** A note as it is, and when its file was last changed (epoch ms). */
interface Seen {
  readonly note: NoteSnapshot;
  readonly mtimeMs: number;
}

function outcomeOf(space: Proposals, event: EventRecord, { note, mtimeMs }: Seen): HandOutcome['outcome'] | null {
  const acted = event.fields.undo_recipe !== null;
  const { words } = space.vault.catalogue;
  const said = handSays({ changes: event.fields.changes, acted }, { fields: note.data, isWhole: true, words });
  if (said === 'right') return 'right';
  const at = Date.parse(event.fields.timestamp);
  if (said === null || changedBy(space, mtimeMs, at) - at >= HAND_COUNTS_FOR) return null;
  return acted ? 'contradicted' : 'dismissed';
}

// By then the hand had done it at the latest, also where the program was away. An older file was brought back by nobody knows
// whom, and nobody knows when.
function changedBy({ context }: Proposals, mtimeMs: number, decided: number): number {
  return mtimeMs >= decided ? Math.min(mtimeMs, context.now()) : context.now();
}

/** Whether a note still holds what an action wrote into it. */
export function stands({ vault }: Records, { fields }: EventRecord, { data }: NoteSnapshot): boolean {
  const { words } = vault.catalogue;
  return handSays({ changes: fields.changes, acted: true }, { fields: data, isWhole: true, words }) === null;
}

type Answerable = EventRecord | ReversalRecord;

/** Who speaks, as far as the standing depends on it. */
type Voice = Pick<Speaker, 'source' | 'pattern' | 'writer'>;

/** How well a source is known to a note, and what it has shown on the note's matter. */
interface Standing {
  readonly known: SenderStanding;
  /** How often the source was right on this matter, by a person's word. */
  readonly right: number;
}

/** Returns what a signal is worth to the sender gate of a note. */
export function witnessOf(space: TrustSpace, signal: SignalRecord, target: TargetRecord): Witness {
  const speaker = speakerOf(space, signal);
  const { source, pattern, vouched, server, writer, evidence, near, endsMatter } = speaker;
  return {
    ...{ source, sender: pattern === null ? source : claimedPattern(pattern) },
    ...standingOf(space, speaker, target),
    ...{ vouched, server, writer, evidence, near, endsMatter },
    targetConfidence: signal.fields.target_confidence,
    reading: writer === 'trusted' ? 1 : (signal.fields.effect_confidence_raw ?? 0),
    owed: writer === 'own' ? owedBy(instinctOf(space, source)) : 0,
    doubt: signal.fields.doubts[0] ?? null,
  };
}

/** So often a source must be right after an action of it was taken back, before it may act alone again. */
const CLEAN_AFTER = 20;

/** Returns how many right outcomes a source still lacks after a reversal; none where a person's pin vouches for it. */
export function owedBy({ rightSinceReversal, pinned, pinnedBy }: Instinct): number {
  const isVouchedFor = pinned && pinnedBy !== 'steward';
  return rightSinceReversal === null || isVouchedFor ? 0 : Math.max(0, CLEAN_AFTER - rightSinceReversal);
}

/** Returns how well a speaker is known to a task or matter. A trusted signal source, and a person's own hand, count as named; an agent names itself, so no name is its own. */
export function standingOf(space: TrustSpace, speaker: Voice, target: TargetRecord): Standing {
  const right = rightOutcomes(space, speaker.source, target);
  const isOwnNamed = isOwnHand(speaker.source) || (!isAgent(speaker.source) && names(space, target, speaker));
  const isNamed = speaker.writer === 'trusted' || (speaker.writer === 'own' && isOwnNamed);
  if (isNamed) return { known: 'named', right };
  const isEarned = speaker.writer === 'own' && right >= EARNED_AFTER && isMostlyRight(space, speaker.source);
  return { known: isEarned ? 'earned' : 'unknown', right };
}

/**
 * Returns how often a source was right on a matter: confirmations that stand, and decisions that a person's own hand or
 * a week's silence has borne out. Only notes that the program itself wrote count.
 */
export function rightOutcomes(space: TrustSpace, source: string, target: TargetRecord): number {
  const key = sourceKey(source);
  const isBearing = ({ fields }: EventRecord) =>
    Object.entries(fields.source_contributions).some(([one, share]) => share > 0 && sourceKey(one) === key);
  const rightOn = (path: string) =>
    space.vault.catalogue
      .eventsAbout(path)
      .filter((event) => isRight(event) && isBearing(event))
      .filter((event) => isOwnNote(space, event) && !isWithdrawn(space, event));
  return notesOf(space, target).reduce((sum, path) => sum + counted(rightOn(path)), 0);
}

// Whoever says the obvious is borne out without anybody having listened: a hand says so once for each note.
function counted(right: readonly EventRecord[]): number {
  const byHand = right.filter(({ fields }) => fields.taught_by === BY_HAND).length;
  return right.length - byHand + Math.min(1, byHand);
}

/** Undos of undos are followed this far; beyond it, what was taken back stays so. */
const MOST_UNDOS = 20;

// Anybody may drop a note that takes something back, and it errs on the safe side to believe it. A note that takes a
// reversal back would restore what the person withdrew, so that one must be the program's own.
function isWithdrawn(space: TrustSpace, event: Answerable, depth = 0): boolean {
  if (depth > MOST_UNDOS) return true;
  const isRestored = (reversal: Answerable) =>
    reversalsOf(space, reversal).some(
      (undoing) => isOwnNote(space, undoing) && !isWithdrawn(space, undoing, depth + 1),
    );
  return reversalsOf(space, event).some((reversal) => !isRestored(reversal));
}

function reversalsOf({ vault }: TrustSpace, { name }: Answerable): ReversalRecord[] {
  return vault.catalogue
    .answersTo(name)
    .filter((answer) => answer.kind === 'reversal')
    .filter(({ fields }) => fields.outcome === 'reversed');
}

// Whoever is wrong as often as right has earned nothing by the right ones.
function isMostlyRight(space: TrustSpace, source: string): boolean {
  const { observations, wrong } = instinctOf(space, source);
  return observations > wrong;
}

// A dismissal may be a file that somebody dropped, with whatever it says of itself.
function isRight({ fields }: EventRecord): boolean {
  if (fields.dismisses !== null) return false;
  return fields.taught === 'right' || (fields.confirms !== null && Object.keys(fields.changes).length > 0);
}

/** Returns the paths of a note's matter and of all its tasks; a task without a matter stands alone. */
export function notesOf({ vault: { catalogue } }: TrustSpace, target: TargetRecord): string[] {
  const matter = matterOf(catalogue, target);
  return matter === null ? [target.path] : [matter.path, ...catalogue.tasksOf(matter).map(({ path }) => path)];
}

/** Returns the matter that a note is, or belongs to. */
export function matterOf(catalogue: TrustSpace['vault']['catalogue'], target: TargetRecord): MatterRecord | null {
  return target.kind === 'matter' ? target : catalogue.matterOf(target);
}

/** Returns the senders that a note or its matter names, in lower case: addresses, `@domain`, IBANs, names. */
export function sendersOf({ vault: { catalogue } }: TrustSpace, target: TargetRecord): string[] {
  const accounts = target.kind === 'task' ? (target.fields.payment?.iban ?? []) : [];
  const named = [target, matterOf(catalogue, target)].flatMap((note) => note?.fields.senders ?? []);
  const written = [...named, ...accounts];
  return [...new Set(written.map(plainSender))].filter((sender) => sender !== '');
}

function names(space: TrustSpace, target: TargetRecord, { pattern }: Voice): boolean {
  if (pattern === null) return false;
  const sender = plainSender(claimedPattern(pattern));
  const domain = sender.includes('@') ? sender.slice(sender.lastIndexOf('@')) : null;
  return sendersOf(space, target).some(
    (one) => one !== '' && (one === sender || (one.startsWith('@') && one === domain)),
  );
}

/** The catalogue, without which nobody knows whose matter a note is. */
interface Matters {
  readonly vault: Pick<TrustSpace['vault'], 'catalogue'>;
}

/**
 * Returns why a source may not speak about a note at all, or null where it may: its matter says in `signal_sources` which
 * sources it hears, by channel or by channel and pattern, and this is none of them (contract, section 6).
 */
export function shutOut({ vault }: Matters, source: string, target: TargetRecord): string | null {
  const matter = matterOf(vault.catalogue, target);
  const heard = matter?.fields.signal_sources ?? [];
  const names = new Set([sourceKey(source), sourceKey(channelOf(source))]);
  if (matter === null || heard.length === 0 || heard.some((one) => names.has(sourceKey(one)))) return null;
  return `${matter.name} hears only ${heard.join(', ')} (signal_sources); ${source} is none of them.`;
}

/** Returns the sources of a `signal_sources` list whose channel nobody knows: they let nobody speak. */
export function unknownChannels(written: readonly string[], channels: Iterable<string>): string[] {
  const known = new Set([...channels].map(sourceKey));
  return written.filter((one) => !known.has(sourceKey(channelOf(one))));
}
