import type { Answer } from '../../undo/order.ts';
import type { Catalogue } from '../../vault/index/catalogue.ts';
import type { EventRecord, OrderRecord } from '../../vault/index/record.ts';
import { ORDER_OUTCOMES, type OrderOutcome } from '../../vault/records/answer-file.ts';
import type { Context, ReadAccess, WriteAccess } from '../context/ports.ts';
import { refusalStep } from './answer-note.ts';
import { answer } from './answer-proposal.ts';
import { unanswered } from './answer-result.ts';
import { recordMeant } from './find-note.ts';

/** What a dropped file asks for, as far as that is clear. */
export interface DroppedAnswer {
  readonly file: OrderRecord;
  readonly kind: 'confirm' | 'dismiss';
  readonly event: EventRecord | null;
  /** Why nothing can be done about it, or null. */
  readonly trouble: string | null;
}

/** Returns what a dropped file asks for: what its link says, or else what its own name says. */
export function readDroppedAnswer(catalogue: Catalogue, file: OrderRecord): DroppedAnswer {
  const { confirms, dismisses } = file.fields;
  const said = file.fields.type ?? file.name;
  const kind = /^(steward|signal)-action-dismissed\b/i.test(said) ? 'dismiss' : 'confirm';
  const wrong = kind === 'confirm' ? dismisses : confirms;
  if (wrong !== null) {
    return { file, kind, event: null, trouble: 'Its name or type and its link say two different things.' };
  }
  const link = kind === 'confirm' ? confirms : dismisses;
  const found = recordMeant(catalogue, link, file.name, ['confirmed', 'dismissed']);
  if (found === null) return { file, kind, event: null, trouble: null };
  if (found.kind === 'event') return { file, kind, event: found, trouble: null };
  return { file, kind, event: null, trouble: `${found.name} is no proposal.` };
}

/**
 * Carries out what a dropped file asks, and completes the file: it becomes the answer note, or says why it was refused
 * (contract, section 8). Waits while somebody may still be writing it.
 */
export function carryDroppedAnswer(space: WriteAccess, dropped: DroppedAnswer): Answer {
  space.transactions.finishHeldUp(notesOf(dropped));
  const until = quietAt(space, dropped);
  if (until > space.context.now()) return pending(dropped, until);
  if (dropped.event === null) return refused(space, dropped, 'refused', dropped.trouble ?? NO_PROPOSAL);
  const { kind, event, file } = dropped;
  const given = answer(space, { kind, event, choose: file.fields.choose, by: 'file', file });
  const outcome = ORDER_OUTCOMES.find((one) => one === given.outcome);
  if (given.note !== null || given.until !== null || outcome === undefined) return given;
  return refused(space, dropped, outcome, given.message);
}

function notesOf({ file, event }: DroppedAnswer): string[] {
  return event === null ? [file.path] : [file.path, event.path];
}

const NO_PROPOSAL = 'It names no event note of this vault; nothing was changed.';

// Notes are synced in any order. The proposal that a file names may still be on its way, so the file waits as long as
// for somebody typing. Its change time tells when it arrived.
function quietAt(space: ReadAccess, { file, event, trouble }: DroppedAnswer): number {
  const window = space.context.settings.settle_seconds * 1000;
  const typed = space.notes.fresh(file.path)?.settledAt ?? settledWithout(space.context, file);
  const { ctimeMs } = file.stat;
  const early = event === null && trouble === null && ctimeMs <= space.context.now() + window ? ctimeMs + window : 0;
  return Math.max(typed, early);
}

// An empty file has no frontmatter to read; a person may just have made it, and be about to write.
function settledWithout(context: Context, { stat }: OrderRecord): number {
  const window = context.settings.settle_seconds * 1000;
  return stat.mtimeMs > context.now() + window ? 0 : stat.mtimeMs + window;
}

function refused(space: WriteAccess, dropped: DroppedAnswer, outcome: OrderOutcome, message: string): Answer {
  const { file, event, trouble } = dropped;
  const answer = unanswered(subjectOf(dropped), outcome, message);
  const step = refusalStep(space, file, outcome, message, event !== null || trouble !== null);
  if (step === null) return answer;
  if (!space.transactions.commit(file.path, [step])) return pending(dropped, space.context.now() + 1000);
  space.context.emit({ what: 'refused', file: file.path, outcome, reason: message });
  return { ...answer, note: file.path };
}

function pending(dropped: DroppedAnswer, until: number): Answer {
  const message = `${dropped.file.path} is being written; it is read as soon as it is quiet.`;
  return unanswered(subjectOf(dropped), 'settling', message, until);
}

function subjectOf({ file, event }: DroppedAnswer): Pick<Answer, 'event' | 'target'> {
  return { event: event?.name ?? file.name, target: event?.fields.target_path ?? null };
}
