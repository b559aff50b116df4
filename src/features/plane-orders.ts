import { z } from 'zod';
import type { IndexAccess } from '../daemon/context.ts';
import { entriesSlice } from '../daemon/state.ts';
import { currentMode } from '../steward/gates.ts';
import { isReversed } from '../steward/proposals.ts';
import { isKnownNote, isOwnNote } from '../steward/records.ts';
import { changeLine } from '../vault/note-text.ts';
import { type EventRecord, type ReversalRecord, STATES, uuid } from '../vault/record.ts';

// Orders to Plane, as the event notes give them, and how far each has come.

const optionalId = uuid.nullable();

/** What an event note says that Plane is to be told: where, and which state the task has come to (null: as before). */
const planeAction = z.lazy(() => z.object({ project_id: uuid, issue_id: uuid, state: z.enum(STATES).nullable() }));
export type PlaneAction = z.infer<typeof planeAction>;

/** What Plane is to be told of one event, and how far that has come. */
const planeOrder = z.lazy(() =>
  z.object({
    /** The event note, vault-relative. */
    path: z.string(),
    action: planeAction,
    html: z.string(),
    /** `said`: comment and state are in Plane. `unsaid`: they are taken back. */
    wants: z.enum(['said', 'unsaid']),
    /** Whether Plane is as wanted, as far as it can be. */
    done: z.boolean(),
    /** When the event was noted (epoch ms): what came first is said first. */
    at: z.number(),
    /** The known result in Plane; null before anything was asked. */
    facts: z
      .object({
        /** Whether a comment was sent, answered or not. */
        tried: z.boolean(),
        comment: optionalId,
        /** The state that the work item was in before. */
        former: optionalId,
        /** The state that it is moved to; null if it stays. */
        moved: optionalId,
      })
      .nullable(),
    /** Why it could not be fully carried out, for people; null if it was, or is still tried. */
    remark: z.string().nullable(),
    /** How often it failed in a row by itself, and when it is tried again (epoch ms). */
    tries: z.number().int().min(0),
    next: z.number(),
  }),
);
export type PlaneOrder = z.infer<typeof planeOrder>;

/** The work items of one project, as they were last seen. */
const planeSeen = z.lazy(() =>
  z.object({
    /** The newest change that was looked at (epoch ms, by the server's clock). */
    since: z.number(),
    items: z.record(
      z.string(),
      z.object({ state: optionalId, due: z.string().nullable(), updated: z.string().nullable() }),
    ),
  }),
);
export type PlaneSeen = z.infer<typeof planeSeen>;

/**
 * Returns a new order. One that is taken back before anything is known of it may have been carried out by a program that
 * has lost what it knew: its comment is looked for.
 */
export function newOrder(told: Pick<PlaneOrder, 'path' | 'action' | 'html' | 'wants' | 'at'>): PlaneOrder {
  const facts = told.wants === 'unsaid' ? { tried: true, comment: null, former: null, moved: null } : null;
  return { ...told, done: false, facts, remark: null, tries: 0, next: 0 };
}

/** Returns an order that now wants something else; the same order where it wants that already. */
export function wanting(order: PlaneOrder, wants: PlaneOrder['wants']): PlaneOrder {
  if (order.wants === wants) return order;
  // An order that was never begun need not be taken back.
  const done = wants === 'unsaid' && order.facts === null;
  return { ...order, wants, done, remark: null, tries: 0, next: 0 };
}

/**
 * Returns an order with what is known of it by now. Once an order is begun, it must be finished, even if a person took
 * the event back just before.
 */
export function withFacts(order: PlaneOrder, facts: PlaneOrder['facts']): PlaneOrder {
  return { ...order, facts, done: facts === null && order.done };
}

/** Event note's name → the order to Plane about it. */
export const PLANE_ORDERS = entriesSlice('plane', planeOrder);

/** Plane project → what was last seen there. */
export const PLANE_SEEN = entriesSlice('plane-seen', planeSeen);

/** How long an order is remembered after its event. An event that is older is no order any more. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
/** How far undos of undos are followed. */
const MOST_UNDOS = 20;

/**
 * Follows an event or a reversal: puts what Plane must learn of it among the orders. The notes are what orders it, so a
 * crash before this loses no order: they are asked again at the next start. Only notes that the program wrote itself
 * order anything. Returns the name of an event that was taken back before anything of it was said; else null.
 */
export function takeOrder(space: IndexAccess, record: EventRecord | ReversalRecord): string | null {
  const event = record.kind === 'event' ? record : rootOf(space, record);
  const action = planeAction.safeParse(event?.fields.plane_action);
  if (event === null || !action.success || !isOwnNote(space, event)) return null;
  const at = Date.parse(event.fields.timestamp);
  if (!(space.context.now() - at < KEEP_MS)) return null;
  const orders = space.context.state.get(PLANE_ORDERS);
  const wants = isReversed(space, event) ? 'unsaid' : 'said';
  const before = orders[event.name];
  const after =
    before === undefined
      ? newOrder({ path: event.path, action: action.data, html: htmlOf(space, event), wants, at })
      : wanting(before, wants);
  if (after === before) return null;
  orders[event.name] = after;
  space.context.state.touch(PLANE_ORDERS, event.name);
  return after.done ? event.name : null;
}

/** Forgets the orders that are over for good. */
export function forgetOldOrders({ context }: Pick<IndexAccess, 'context'>): void {
  const orders = context.state.get(PLANE_ORDERS);
  const old = Object.entries(orders).filter(([, { done, at }]) => done && context.now() - at >= KEEP_MS);
  for (const [event] of old) {
    delete orders[event];
    context.state.touch(PLANE_ORDERS, event);
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
  return Object.entries(context.state.get(PLANE_ORDERS))
    .filter(([, { done }]) => !done)
    .sort(([, one], [, other]) => one.at - other.at);
}

/**
 * Returns the orders whose turn it is, the oldest of each work item, some perhaps only after a pause. In shadow nothing new
 * is said; what a person takes back is taken back.
 */
export function ordersInTurn(space: Pick<IndexAccess, 'context'>): readonly OpenOrder[] {
  const isShadow = currentMode(space.context, null) === 'shadow';
  const oldest = new Map<string, OpenOrder>();
  for (const open of openOrders(space).filter(([, { wants }]) => !isShadow || wants === 'unsaid')) {
    const { issue_id: item } = open[1].action;
    if (!oldest.has(item)) oldest.set(item, open);
  }
  return [...oldest.values()];
}

/** Returns the reversals that took an event back, as far as the program made or carried them out. */
export function findReversals(space: IndexAccess, event: string): ReversalRecord[] {
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

// If a person has confirmed a proposal, the proposal says who spoke.
function htmlOf(space: IndexAccess, event: EventRecord): string {
  const { confirms } = event.fields;
  const proposal = confirms === null ? null : space.vault.catalogue.resolve(confirms, ['event']);
  const { from, quote } = proposal?.kind === 'event' ? proposal.fields : event.fields;
  return commentHtml({ change: changeLine(event.fields.changes) ?? event.fields.decision, from, quote });
}

interface Told {
  readonly change: string;
  readonly from: string | null;
  readonly quote: string | null;
}

const MAX_TEXT_COMMENT = 1000;
const LIVE: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns the HTML of a comment. Plane stores what it is sent as it is, so that no text of a note may be markup. */
export function commentHtml({ change, from, quote }: Told): string {
  const by = from === null ? '' : ` From ${escaped(from)}.`;
  const said = quote === null ? '' : `<blockquote>${escaped(quote)}</blockquote>`;
  return `<p>${escaped(change)}.${by} Noted by vault-steward.</p>${said}`;
}

function escaped(text: string): string {
  return text
    .slice(0, MAX_TEXT_COMMENT)
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[&<>"']/g, (one) => LIVE[one] ?? '');
}
