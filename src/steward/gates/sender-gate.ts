import type { AuthenticationResult, SenderStanding, TargetEvidence } from '../../vault/records/signal.ts';
import { isAgent, isOfNobody, isOwnHand } from '../../vault/source-names.ts';
import type { Gate } from './gate.ts';
import { clears } from './rounding.ts';
import { noVoucher } from './voucher-words.ts';

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
  if (agent !== undefined)
    return closed(`${agent.source} is an agent, and what an agent says is proposed at most.`, agent.right);
  const best = witnesses.toSorted((one, other) => standing(other) - standing(one))[0];
  if (best === undefined) return closed('no signal stands behind the decision.', 0);
  const unsure = witnesses.find(({ targetConfidence }) => !clears(targetConfidence, TARGET_SURE));
  const far = witnesses.find(({ near }) => !near);
  if (!isKnown(best) || !isVouched(best)) return closed(whyUnknown(best), best.right);
  if (best.doubt !== null) return closed(best.doubt, best.right);
  if (best.owed > 0)
    return closed(
      `an action of ${best.sender} was taken back; it must be right ${best.owed} more ${best.owed === 1 ? 'time' : 'times'}.`,
      best.right,
    );
  if (!isFoundTwice(best)) return closed(`${best.sender} is known, but ${foundBy(best)}.`, best.right);
  if (unsure !== undefined) {
    return closed(
      `that ${unsure.sender} means this note is only ${unsure.targetConfidence} sure, and ${TARGET_SURE} is needed.`,
      best.right,
    );
  }
  if (far !== undefined) {
    return closed(`what ${far.sender} says, and what leads to this note, stand in different passages.`, best.right);
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
    ? 'it was read surely.'
    : `it was read with ${figure}, and ${READING_SURE} is needed to act alone.`;
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
  if (isTrusted) return gate(true, 'a trusted signal source says that the affair has ended.');
  const held = right >= CLOSES_AFTER;
  return gate(
    held,
    `the source was right ${right === 1 ? 'once' : `${right} times`} on this matter, and ${CLOSES_AFTER} are needed to close it.`,
  );
}

function whyOpen(witnesses: readonly Witness[]): string {
  return witnesses.some(({ source }) => isOwnHand(source))
    ? 'what was ticked by hand says that this part is done, and whether the affair itself has ended is yours to say.'
    : 'nobody who is known and vouched for here says that the affair itself has ended.';
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
  if (one.writer === 'unknown')
    return 'the signal was not written by this program, and the settings trust no such source.';
  if (isOfNobody(one.source)) return 'it names no sender, so it is proposed at most.';
  const missing = isKnown(one)
    ? []
    : [
        `${one.sender} is not named by this note or its matter, and was right ${one.right} of ${EARNED_AFTER} times on this matter`,
      ];
  return `${[...missing, ...(isVouched(one) ? [] : [whyNotVouched(one)])].join('; ')}.`;
}

function whyNotVouched({ source, sender, vouched, server }: Witness): string {
  if (vouched === 'fail') return `${server ?? 'the mail server'} says that it is not from ${sender}`;
  return `${noVoucher(source)} says that it is from ${sender}`;
}

function whyKnown({ source, sender, known, right, writer, server }: Witness): string {
  if (writer === 'trusted') return `the settings trust signals of ${source}.`;
  if (isOwnHand(source)) return 'it was done by hand, in the vault itself.';
  const why = known === 'named' ? 'is named by this note or its matter' : `was right ${right} times on this matter`;
  return `${sender} ${why}, and ${server ?? 'its channel'} vouches for it.`;
}
