import type {
  EventRecord,
  MatterRecord,
  ReversalRecord,
  SignalRecord,
  TargetRecord,
} from '../../vault/index/record.ts';
import type { SenderStanding } from '../../vault/records/signal.ts';
import { claimedPattern, isAgent, isOwnHand, plainSender, sourceKey } from '../../vault/source-names.ts';
import { EARNED_AFTER, type Witness } from '../gates/sender-gate.ts';
import type { Instinct } from '../learning/instinct.ts';
import { instinctOf } from '../learning/sources.ts';
import { isOwnNote } from '../ports/own-notes.ts';
import { BY_HAND } from './by-hand.ts';
import { type Speaker, speakerOf, type TrustSpace } from './speaker.ts';

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
