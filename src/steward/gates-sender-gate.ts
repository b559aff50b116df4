import { channelOf, isAgent, isOfNobody, isOwnHand } from '../vault/source-names.ts';
import type { AuthenticationResult, SenderStanding, TargetEvidence } from '../vault/status-words.ts';
import { figureWords, type Gate } from './gates-gate.ts';
import { clears } from './gates-rounding.ts';

const BANKS: readonly string[] = ['bank', 'sure'];
const FILES: readonly string[] = ['slack', 'slack_channel', 'transcript', 'vexa', 'calendar', 'gcal', 'other'];

/** Returns who should have vouched for a sender of this source, and did not: the beginning of a sentence. */
export function noVoucher(source: string): string {
  const channel = channelOf(source);
  if (BANKS.includes(channel)) return 'no statement of an account in trusted_bank_accounts';
  // No server speaks for what lies in a file of these, whatever the settings trust.
  return FILES.includes(channel) ? 'nobody beside the file' : 'no trusted server';
}

/** Right outcomes on a matter after which an unnamed sender may act there, and a source may close the matter. */
export const EARNED_AFTER = 5;
const CLOSES_AFTER = 10;
/** How sure every contributing signal must be of its target. */
const TARGET_SURE = 0.85;
/** How sure the program must be of what it read. */
const READING_SURE = 0.85;

/** A contributing signal, as the sender gate looks at it. */
export interface Witness {
  readonly source: string;
  /** Whom the signal claims to be from: an address, or the source where there is none. */
  readonly sender: string;
  readonly known: SenderStanding;
  /** How often the source was right on this matter. */
  readonly right: number;
  /** How many right outcomes it still lacks since an action of it was taken back; 0 where none. */
  readonly owed: number;
  readonly vouched: AuthenticationResult;
  readonly server: string | null;
  /** Who wrote the signal note. */
  readonly writer: 'own' | 'trusted' | 'unknown';
  readonly evidence: readonly TargetEvidence[];
  readonly near: boolean;
  readonly targetConfidence: number;
  /** How sure the program is of what it read, before any trust; 1 where a trusted source says it. */
  readonly reading: number;
  readonly endsMatter: boolean;
  /** Why nothing is done on its word alone, a sentence; null where nothing speaks against it. */
  readonly doubt: string | null;
}

/**
 * Returns the gate that asks who may act alone (contract, section 6): at least one contributing signal is from a sender
 * that the note names or that has earned it here, for whom the channel vouches, and whose target was found by more than
 * one kind of evidence; and every contributing signal is sure of its target. LAW: where an agent is among them it is closed,
 * whoever else speaks, and whatever the settings, the notes or its outcomes say of that agent.
 */
export function senderGate(witnesses: readonly Witness[]): Gate {
  const agent = witnesses.find(({ source }) => isAgent(source));
  if (agent !== undefined) return closed(`${agent.source} is an agent, and agents only propose.`, agent.right);
  const best = witnesses.toSorted((one, other) => standing(other) - standing(one))[0];
  if (best === undefined) return closed('no signal stands behind the decision.', 0);
  const unsure = witnesses.find(({ targetConfidence }) => !clears(targetConfidence, TARGET_SURE));
  const far = witnesses.find(({ near }) => !near);
  if (!isKnown(best) || !isVouched(best)) return closed(whyUnknown(best), best.right);
  if (best.doubt !== null) return closed(best.doubt, best.right);
  if (best.owed > 0)
    return closed(
      `an action of ${best.sender} was taken back; ${best.owed} more right ${best.owed === 1 ? 'outcome' : 'outcomes'} needed.`,
      best.right,
    );
  if (!isFoundTwice(best)) return closed(`${best.sender} is known, but ${foundBy(best)}.`, best.right);
  if (unsure !== undefined) {
    return closed(
      `it is only ${figureWords(unsure.targetConfidence, TARGET_SURE)} sure that ${unsure.sender} means this note, ${TARGET_SURE} needed.`,
      best.right,
    );
  }
  if (far !== undefined) {
    return closed(`what ${far.sender} says stands in another passage than what leads to this note.`, best.right);
  }
  return {
    name: 'sender',
    held: true,
    figure: best.right,
    threshold: EARNED_AFTER,
    sentence: `sender: ${whyKnown(best)}`,
  };
}

/**
 * Returns the gate of what was read: a doubtful reading is never acted upon alone, whoever sent the mail. Of several
 * signals of senders that may act, one that was read surely is enough.
 */
export function readingGate(witnesses: readonly Witness[]): Gate {
  const licensed = witnesses.filter(mayAct);
  const read = (licensed.length > 0 ? licensed : witnesses).map(({ reading }) => reading);
  const figure = Math.max(0, ...read);
  const held = clears(figure, READING_SURE);
  const sentence = held
    ? 'the reading is sure.'
    : `the reading scored ${figureWords(figure, READING_SURE)}, ${READING_SURE} needed to act alone.`;
  return { name: 'reading', held, figure, threshold: READING_SURE, sentence: `reading: ${sentence}` };
}

/** What a decision that would close a matter rests on. */
interface Closing {
  readonly openTasks: number;
  readonly witnesses: readonly Witness[];
}

/**
 * Returns the gate of a decision that closes a matter by itself (contract, section 6): it has no open task, the signal
 * says that the affair itself has ended, and the source has been right ten times on it, or is a trusted one.
 */
export function closingGate({ openTasks, witnesses }: Closing): Gate {
  // Who could not act alone cannot end the affair, whoever else speaks beside them.
  const ending = witnesses.filter(
    (one) => one.endsMatter && isKnown(one) && isVouched(one) && one.doubt === null && isFoundTwice(one),
  );
  const right = Math.max(0, ...ending.map((one) => one.right));
  const isTrusted = ending.some(({ writer }) => writer === 'trusted');
  const gate = (held: boolean, sentence: string): Gate => {
    return { name: 'closing', held, figure: right, threshold: CLOSES_AFTER, sentence: `closing: ${sentence}` };
  };
  if (openTasks > 0) return gate(false, `the matter has ${openTasks} open ${openTasks === 1 ? 'task' : 'tasks'}.`);
  if (ending.length === 0) return gate(false, whyOpen(witnesses));
  if (isTrusted) return gate(true, 'a trusted source says that the whole affair has ended.');
  const held = right >= CLOSES_AFTER;
  return gate(
    held,
    `the source was right ${right === 1 ? 'once' : `${right} times`} on this matter; closing it needs ${CLOSES_AFTER}.`,
  );
}

function whyOpen(witnesses: readonly Witness[]): string {
  return witnesses.some(({ source }) => isOwnHand(source))
    ? 'the tick by hand ends this part; whether the whole affair has ended is yours to say.'
    : 'nobody known and vouched for says that the whole affair has ended.';
}

function closed(why: string, figure: number): Gate {
  return { name: 'sender', held: false, figure, threshold: EARNED_AFTER, sentence: `sender: ${why}` };
}

// The order in which witnesses are looked at: the one that comes closest to acting is named.
function standing(one: Witness): number {
  return (
    (isKnown(one) ? 8 : 0) +
    (isVouched(one) ? 4 : 0) +
    (one.doubt === null ? 2.5 : 0) +
    (one.owed === 0 ? 2 : 0) +
    (isFoundTwice(one) ? 1 : 0)
  );
}

function mayAct(one: Witness): boolean {
  return isKnown(one) && isVouched(one) && one.doubt === null && one.owed === 0 && isFoundTwice(one);
}

function isKnown({ known }: Witness): boolean {
  return known !== 'unknown';
}

function isVouched({ vouched }: Witness): boolean {
  return vouched === 'pass';
}

function isFoundTwice({ evidence }: Witness): boolean {
  return evidence.includes('link') || evidence.includes('reference') || evidence.length > 1;
}

function foundBy({ evidence: [only] }: Witness): string {
  if (only === undefined) return 'nothing that can be checked leads to this note';
  return only === 'words' ? 'only words in common lead to this note' : `only its ${only} leads to this note`;
}

function whyUnknown(one: Witness): string {
  if (one.writer === 'unknown') return 'somebody else wrote the signal, and the settings trust no such source.';
  if (isOfNobody(one.source)) return 'it names no sender, so it is only proposed.';
  const missing = isKnown(one)
    ? []
    : [
        `neither this note nor its matter names ${one.sender}, and it has ${one.right} of ${EARNED_AFTER} right outcomes here`,
      ];
  return `${[...missing, ...(isVouched(one) ? [] : [whyNotVouched(one)])].join('; ')}.`;
}

function whyNotVouched({ source, sender, vouched, server }: Witness): string {
  if (vouched === 'fail') return `${server ?? 'the mail server'} says that it is not from ${sender}`;
  return `${noVoucher(source)} vouches for ${sender}`;
}

function whyKnown({ source, sender, known, right, writer, server }: Witness): string {
  if (writer === 'trusted') return `the settings trust signals from ${source}.`;
  if (isOwnHand(source)) return 'it was done by hand in the vault.';
  const why =
    known === 'named' ? `this note or its matter names ${sender}` : `${sender} was right ${right} times on this matter`;
  return `${why}, and ${server ?? 'its channel'} vouches for it.`;
}
