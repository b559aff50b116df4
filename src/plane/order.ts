import { z } from 'zod';
import { STATES } from '../vault/records/values.ts';
import { planeId } from './access.ts';

/** What an event note says that Plane is to be told: where, and which state the task has come to (null: as before). */
export const planeAction = z.object({ project_id: planeId, issue_id: planeId, state: z.enum(STATES).nullable() });
export type PlaneAction = z.infer<typeof planeAction>;

const optionalId = planeId.nullable();

/** What Plane is to be told of one event, and how far that has come. */
export const planeOrder = z.lazy(() =>
  z.object({
    /** The event note, vault-relative. */
    path: z.string(),
    action: planeAction,
    html: z.string(),
    /** `said`: comment and state stand in Plane. `unsaid`: they are taken back. */
    wants: z.enum(['said', 'unsaid']),
    /** Whether Plane is as wanted, as far as it can be. */
    done: z.boolean(),
    /** When the event was noted (epoch ms): what came first is said first. */
    at: z.number(),
    /** What has become of it in Plane; null before anything was asked. */
    facts: z
      .object({
        /** Whether a comment was sent, answered or not. */
        tried: z.boolean(),
        comment: optionalId,
        /** The state that the work item was in before. */
        former: optionalId,
        /** The state that it is moved to; null where it stays. */
        moved: optionalId,
      })
      .nullable(),
    /** Why it could not be carried out whole, for people; null where it was, or is still tried. */
    remark: z.string().nullable(),
    /** How often it failed in a row by itself, and when it is tried again (epoch ms). */
    tries: z.number().int().min(0),
    next: z.number(),
  }),
);
export type PlaneOrder = z.infer<typeof planeOrder>;

/** What was last seen of the work items of one project. */
export const planeSeen = z.lazy(() =>
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
  // What was never begun needs nothing to be taken back.
  const done = wants === 'unsaid' && order.facts === null;
  return { ...order, wants, done, remark: null, tries: 0, next: 0 };
}

/**
 * Returns an order with what is known of it by now. Once something is begun, there is something to be brought to its end,
 * even where a person took the event back just before.
 */
export function withFacts(order: PlaneOrder, facts: PlaneOrder['facts']): PlaneOrder {
  return { ...order, facts, done: facts === null && order.done };
}

const FIRST_PAUSE_MS = 20_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Returns how long to wait after so many failures, in ms. `chance` (0–1) spreads those who wait for the same server. */
export function pauseFor(tries: number, chance: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 20), LONGEST_PAUSE_MS);
  return Math.round(pause * (0.75 + 0.5 * chance));
}
