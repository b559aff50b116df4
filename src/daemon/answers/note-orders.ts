import { isChoice } from '../../steward/attention/asking.ts';
import { isWaiting } from '../../steward/attention/standing.ts';
import { isKnownNote } from '../../steward/ports/own-notes.ts';
import { type Answer, type Answerable, targetOf, type UndoOrder } from '../../undo/order.ts';
import type { Catalogue } from '../../vault/index/catalogue.ts';
import type { EventRecord, OrderRecord, ReversalRecord, VaultRecord } from '../../vault/index/record.ts';
import { isChosenIn } from '../../vault/notes/choice-list.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';
import { saysForcible } from '../../vault/words/becoming.ts';
import { remarkOn } from '../attention/remark.ts';
import type { ReadAccess } from '../context/ports.ts';
import { unanswered } from './answer-result.ts';
import { type DroppedAnswer, readDroppedAnswer } from './dropped-answers.ts';
import { namedEvent } from './find-note.ts';

/** What a person asked for by ticking a box or dropping a file. */
export type Order =
  | { readonly kind: 'undo'; readonly path: string; readonly order: UndoOrder }
  | { readonly kind: 'confirm' | 'dismiss'; readonly path: string; readonly event: EventRecord }
  | { readonly kind: 'file'; readonly path: string; readonly order: DroppedAnswer };

/**
 * Returns the order that a note holds, or null. `before` is the note as it was known before: a box whose tick was
 * answered already asks for nothing until it is ticked again.
 */
export function orderOf(space: ReadAccess, before: VaultRecord | null, after: VaultRecord | null): Order | null {
  const { catalogue } = space.vault;
  switch (after?.kind) {
    case 'reversal':
      return reversalOrder(catalogue, before, after);
    case 'order':
      return fileOrder(catalogue, after);
    case 'event':
      return undoTicked(catalogue, before, after) ?? answerTicked(space, after);
    default:
      return null;
  }
}

// Read once: an answer stands, unless the file was refused because the event it names had not arrived yet.
function fileOrder(catalogue: Catalogue, file: OrderRecord): Order | null {
  const order = readDroppedAnswer(catalogue, file);
  const cameEarly = file.fields.event_found === false && order.event !== null;
  return file.fields.outcome === null || cameEarly ? { kind: 'file', path: file.path, order } : null;
}

function reversalOrder(catalogue: Catalogue, before: VaultRecord | null, after: ReversalRecord): Order | null {
  if (after.fields.outcome !== null && !cameEarly(catalogue, after))
    return forceTicked(catalogue, before, after) ?? undoTicked(catalogue, before, after);
  const { reason, force } = after.fields;
  const order = { event: namedEvent(catalogue, after), by: 'file' as const, reason, force, file: after };
  return { kind: 'undo', path: after.path, order };
}

// After a conflict a person may still have it taken back. What was forced from the beginning is not tried once more.
function forceTicked(catalogue: Catalogue, before: VaultRecord | null, after: ReversalRecord): Order | null {
  const { outcome, force, reason } = after.fields;
  const event = outcome === 'conflict' && force && couldForce(before, after) ? namedEvent(catalogue, after) : null;
  if (event === null) return null;
  return { kind: 'undo', path: after.path, order: { event, by: 'checkbox', reason, force: true, file: null } };
}

// At a start nothing is known of before: as long as a conflict is not answered, the note itself says that it can be forced.
function couldForce(before: VaultRecord | null, { fields: { says } }: ReversalRecord): boolean {
  if (before === null) return says !== null && saysForcible(says);
  return before.kind === 'reversal' && before.fields.outcome === 'conflict' && !before.fields.force;
}

// It was refused because it named nothing, and the event that it names has arrived since.
function cameEarly(catalogue: Catalogue, reversal: ReversalRecord): boolean {
  return reversal.fields.event_found === false && namedEvent(catalogue, reversal) !== null;
}

function undoTicked(catalogue: Catalogue, before: VaultRecord | null, after: Answerable): Order | null {
  if (!after.fields.undo || isUnmade(catalogue, after)) return null;
  const wasTicked = before?.kind === after.kind && before.fields.undo;
  const answered = reversalsOf(catalogue, after).length > 0;
  // A box that was ticked when first seen, or is still ticked, has its answer already.
  if (answered && (before === null || wasTicked)) return null;
  const order = { event: after, by: 'checkbox' as const, reason: null, force: false, file: null };
  return { kind: 'undo', path: after.path, order };
}

// Where nothing was changed, neither by the event nor by its answers, there is nothing to take back: the note says so.
function isUnmade(catalogue: Catalogue, event: Answerable): boolean {
  if (event.kind !== 'event' || event.fields.undo_recipe !== null) return false;
  return catalogue.answersTo(event.name).every(({ fields }) => fields.undo_recipe === null);
}

// A confirmed proposal is undone at its confirmation, so the reversal answers the confirmation.
function reversalsOf(catalogue: Catalogue, event: Answerable): VaultRecord[] {
  const answers = catalogue.answersTo(event.name);
  const confirmations = answers.filter((answer) => answer.kind === 'event');
  const all = [...answers, ...confirmations.flatMap((answer) => catalogue.answersTo(answer.name))];
  return all.filter((answer) => answer.kind === 'reversal');
}

function answerTicked(space: ReadAccess, event: EventRecord): Order | null {
  const { dismiss } = event.fields;
  const confirm = isChoice(event) ? isChosenIn(event.fields) : event.fields.confirm;
  // With both ticked the order is unclear: it waits until one is unticked. The note itself says why.
  if (confirm === dismiss || !isWaiting(space, event) || remarkOn(space, event) !== null) return null;
  return { kind: confirm ? 'confirm' : 'dismiss', path: event.path, event };
}

/**
 * Returns why a box or a dropped file answers nothing here, as an answer; null where it may. In a shared vault either may
 * be anybody's, and so may the note that it answers: what such a note would write is believed only where the program
 * wrote it. Whoever means it all the same says so by name.
 */
export function strangersNote(space: ReadAccess, order: Order): Answer | null {
  const event = order.kind === 'undo' || order.kind === 'file' ? order.order.event : order.event;
  if (event === null || isKnownNote(space, event)) return null;
  const command = `steward --vault ${shellWord(space.vault.root)} ${order.kind === 'file' ? order.order.kind : order.kind} ${shellWord(event.name)}`;
  const message = `${event.name} was not written by this program on this machine, or was changed since. If you mean it, run: ${command}`;
  return unanswered({ event: event.name, target: targetOf(event) }, 'refused', message);
}
