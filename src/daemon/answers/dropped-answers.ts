import type { Answer } from '../../undo/order.ts';
import type { Catalogue } from '../../vault/index/catalogue.ts';
import type { EventRecord, OrderRecord } from '../../vault/index/record.ts';
import { linkKey } from '../../vault/links.ts';
import { ORDER_OUTCOMES, type OrderOutcome } from '../../vault/records/answer-file.ts';
import type { Context, ReadAccess, WriteAccess } from '../context/ports.ts';
import { refusalStep } from './answer-note.ts';
import { answer } from './answer-proposal.ts';

/** What a dropped file asks for, as far as it is clear. */
export interface DroppedAnswer {
  readonly file: OrderRecord;
  readonly kind: 'confirm' | 'dismiss';
  readonly event: EventRecord | null;
  /** Why it asks nothing that could be done, or null. */
  readonly trouble: string | null;
}

/** What a dropped file asks for: as its link says, or as its own name does. */
export function readDroppedAnswer(catalogue: Catalogue, file: OrderRecord): DroppedAnswer {
  const { confirms, dismisses } = file.fields;
  const said = file.fields.type ?? file.name;
  const kind = /^(steward|signal)-action-dismissed\b/i.test(said) ? 'dismiss' : 'confirm';
  const wrong = kind === 'confirm' ? dismisses : confirms;
  if (wrong !== null) {
    return { file, kind, event: null, trouble: 'Its name or type and its link say two different things.' };
  }
  const link = (kind === 'confirm' ? confirms : dismisses) ?? tailName(file.name);
  const found = link === null || linkKey(link) === '' ? null : catalogue.resolve(link, ['event', 'reversal']);
  if (found === null) return { file, kind, event: null, trouble: null };
  if (found.kind === 'event') return { file, kind, event: found, trouble: null };
  return { file, kind, event: null, trouble: `${found.name} is no proposal.` };
}

function tailName(name: string): string | null {
  const tail = /^(steward-action|signal-action)-(?:confirmed|dismissed)-(.+)$/i.exec(name);
  return tail === null ? null : `${tail[1]}-${tail[2]}`;
}

/**
 * Carries out what a dropped file asks, and completes the file: it becomes the sibling note, or says why it was
 * refused (contract, section 8). Waits while somebody may still be writing it.
 */
export function carryDroppedAnswer(space: WriteAccess, order: DroppedAnswer): Answer {
  space.transactions.finishHeldUp();
  const until = quietAt(space, order);
  if (until > space.context.now()) return pending(order, until);
  if (order.event === null) return refused(space, order, 'refused', order.trouble ?? NO_PROPOSAL);
  const { kind, event, file } = order;
  const given = answer(space, { kind, event, by: 'file', file });
  const outcome = ORDER_OUTCOMES.find((one) => one === given.outcome);
  if (given.note !== null || given.until !== null || outcome === undefined) return given;
  return refused(space, order, outcome, given.message);
}

const NO_PROPOSAL = 'It names no event note of this vault; nothing was changed.';

// Notes are synced in any order: the proposal a file is about may be on its way, and is waited for as long as for
// somebody typing. When the file came, its change time tells.
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

function refused(space: WriteAccess, order: DroppedAnswer, outcome: OrderOutcome, message: string): Answer {
  const { file, event, trouble } = order;
  const step = refusalStep(space, file, outcome, message, event !== null || trouble !== null);
  if (step === null) return { ...blank(order, message), outcome };
  if (!space.transactions.commit(file.path, [step])) return pending(order, space.context.now() + 1000);
  space.context.emit({ what: 'refused', file: file.path, outcome, reason: message });
  return { ...blank(order, message), outcome, note: file.path };
}

function pending(order: DroppedAnswer, until: number): Answer {
  const message = `${order.file.path} is being written just now; it is read as soon as it has been quiet.`;
  return { ...blank(order, message), outcome: 'settling', until };
}

function blank({ file, event }: DroppedAnswer, message: string): Answer {
  return {
    event: event?.name ?? file.name,
    outcome: 'refused',
    note: null,
    target: event?.fields.target_path ?? null,
    changes: {},
    calibration: {},
    message,
    until: null,
  };
}
