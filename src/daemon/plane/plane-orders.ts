import { commentHtml } from '../../plane/comment.ts';
import { newOrder, type PlaneOrder, planeAction, wanting } from '../../plane/order.ts';
import { isKnownNote, isOwnNote } from '../../steward/ports/own-notes.ts';
import { isReversed } from '../../steward/proposals/reversed.ts';
import type { EventRecord, ReversalRecord } from '../../vault/index/record.ts';
import { changeLine } from '../../vault/notes/note-text.ts';
import { modeOf } from '../context/effective-mode.ts';
import type { IndexAccess } from '../context/ports.ts';

/** How long an order is remembered after its event. An event that is older is no order any more. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
/** How far undos of undos are followed. */
const MOST_UNDOS = 20;

/**
 * Follows an event or a reversal: what Plane is to be told of it is put among the orders. The notes are what orders it, so
 * that a crash before this loses nothing: a start asks again. Only notes that the program wrote itself order anything.
 * Returns the name of an event that was taken back before anything of it was said; else null.
 */
export function takeOrder(space: IndexAccess, record: EventRecord | ReversalRecord): string | null {
  const event = record.kind === 'event' ? record : rootOf(space, record);
  const action = planeAction.safeParse(event?.fields.plane_action);
  if (event === null || !action.success || !isOwnNote(space, event)) return null;
  const at = Date.parse(event.fields.timestamp);
  if (!(space.context.now() - at < KEEP_MS)) return null;
  const orders = space.context.state.get('plane');
  const wants = isReversed(space, event) ? 'unsaid' : 'said';
  const before = orders[event.name];
  const after =
    before === undefined
      ? newOrder({ path: event.path, action: action.data, html: htmlOf(space, event), wants, at })
      : wanting(before, wants);
  if (after === before) return null;
  orders[event.name] = after;
  space.context.state.touch('plane', event.name);
  return after.done ? event.name : null;
}

/** Forgets the orders that are over for good. */
export function forgetOldOrders({ context }: Pick<IndexAccess, 'context'>): void {
  const orders = context.state.get('plane');
  const old = Object.entries(orders).filter(([, { done, at }]) => done && context.now() - at >= KEEP_MS);
  for (const [event] of old) {
    delete orders[event];
    context.state.touch('plane', event);
  }
}

/** Takes up every order that the notes give. */
export function takeAllOrders(space: IndexAccess): void {
  for (const event of space.vault.catalogue.eventsThat('told')) takeOrder(space, event);
}

/** An order that is still to be carried out, by the name of its event. */
export type OpenOrder = readonly [event: string, order: PlaneOrder];

/** Returns the orders that are still to be carried out, the oldest first. */
export function openOrders({ context }: Pick<IndexAccess, 'context'>): readonly OpenOrder[] {
  return Object.entries(context.state.get('plane'))
    .filter(([, { done }]) => !done)
    .sort(([, one], [, other]) => one.at - other.at);
}

/**
 * Returns the orders whose turn it is, the oldest of each work item, some perhaps only after a pause. In shadow nothing new
 * is said; what a person takes back is taken back.
 */
export function ordersInTurn(space: Pick<IndexAccess, 'context'>): readonly OpenOrder[] {
  const isShadow = modeOf(space.context, null) === 'shadow';
  const oldest = new Map<string, OpenOrder>();
  for (const open of openOrders(space).filter(([, { wants }]) => !isShadow || wants === 'unsaid')) {
    const { issue_id: item } = open[1].action;
    if (!oldest.has(item)) oldest.set(item, open);
  }
  return [...oldest.values()];
}

/** Returns the reversals that took an event back, as far as the program made or carried them out. */
export function reversalsOf(space: IndexAccess, event: string): ReversalRecord[] {
  return space.vault.catalogue
    .answersTo(event)
    .filter((answer) => answer.kind === 'reversal')
    .filter((reversal) => reversal.fields.outcome === 'reversed' && isKnownNote(space, reversal));
}

function rootOf(space: IndexAccess, reversal: ReversalRecord): EventRecord | null {
  let link = reversal.fields.reverses;
  for (let depth = 0; link !== null && depth < MOST_UNDOS; depth += 1) {
    const found = space.vault.catalogue.resolve(link, ['event', 'reversal']);
    if (found?.kind === 'event') return found;
    link = found?.kind === 'reversal' ? found.fields.reverses : null;
  }
  return null;
}

// Who spoke stands in the proposal, where a person has confirmed one.
function htmlOf(space: IndexAccess, event: EventRecord): string {
  const { confirms } = event.fields;
  const proposal = confirms === null ? null : space.vault.catalogue.resolve(confirms, ['event']);
  const { from, quote } = proposal?.kind === 'event' ? proposal.fields : event.fields;
  return commentHtml({ change: changeLine(event.fields.changes) ?? event.fields.decision, from, quote });
}
