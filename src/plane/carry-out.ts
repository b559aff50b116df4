import type { PlaneAction, PlaneOrder } from './order.ts';
import {
  type ItemPlace,
  type Outcome,
  OWN_SOURCE,
  type PlaneClient,
  type PlaneFailure,
  stateToMoveTo,
} from './plane.ts';

type Facts = NonNullable<PlaneOrder['facts']>;

/** What carrying out an order needs: the server, the event's name as external id, and where what is learnt is kept. */
interface Carrying {
  readonly client: PlaneClient;
  readonly event: string;
  /** Puts what is known so far on disk, before anything is done that rests on it. */
  readonly keep: (facts: Facts | null) => void;
}

/** What came of an order: carried out, with a remark where not all of it could be; or a failure, to be tried again. */
export type Carried =
  | { readonly done: true; readonly remark: string | null }
  | { readonly done: false; readonly failure: PlaneFailure };

/**
 * Brings Plane to what an order wants. Each step is made so that it can be made again: what it rests on is kept first, a
 * comment has the event as its external id, and a state is moved only from where it was found.
 */
export async function carryOut(carrying: Carrying, order: PlaneOrder): Promise<Carried> {
  const place = { project: order.action.project_id, item: order.action.issue_id };
  return order.wants === 'said' ? say(carrying, place, order) : unsay(carrying, place, order);
}

async function say(carrying: Carrying, place: ItemPlace, { action, html, facts: known }: PlaneOrder): Promise<Carried> {
  const item = await carrying.client.workItem(place);
  if (!item.ok) return givenUp(item.failure, 'Plane knows no such work item: nothing was said there.');
  const planned = known ?? (await planOf(carrying, place, action, item.value.state));
  if ('ok' in planned) return { done: false, failure: planned.failure };
  carrying.keep(planned);
  const commented = await commentOnce(carrying, place, html, planned);
  if (!commented.ok) return givenUp(commented.failure, 'Plane does not accept the comment.');
  const facts = { ...planned, tried: true, comment: commented.value.id };
  // Somebody has carried this out before and what was kept of it is lost: the state may have been moved again since.
  if (commented.value.wasThere && !planned.tried) {
    carrying.keep({ ...facts, former: null, moved: null });
    return { done: true, remark: null };
  }
  carrying.keep(facts);
  return moveOnce(carrying, place, facts, item.value.state);
}

async function planOf(
  { client }: Carrying,
  { project }: ItemPlace,
  { state }: PlaneAction,
  current: string | null,
): Promise<Facts | Extract<Outcome<never>, { ok: false }>> {
  const facts = { tried: false, comment: null, former: current, moved: null };
  if (state === null) return facts;
  const states = await client.states(project, current);
  return states.ok ? { ...facts, moved: stateToMoveTo(states.value, current, state) } : states;
}

// An earlier post may have been written though its answer was a failure, or never came: it is looked for first.
async function commentOnce(
  { client, event, keep }: Carrying,
  place: ItemPlace,
  html: string,
  facts: Facts,
): Promise<Outcome<{ id: string; wasThere: boolean }>> {
  if (facts.comment !== null) return { ok: true, value: { id: facts.comment, wasThere: false } };
  const found = facts.tried ? await client.ownComment(place, event) : null;
  if (found !== null && !found.ok) return found;
  if (found !== null && found.value !== null) return { ok: true, value: { id: found.value.id, wasThere: true } };
  keep({ ...facts, tried: true });
  return client.comment(place, { html, externalId: event });
}

async function moveOnce(
  { client, keep }: Carrying,
  place: ItemPlace,
  facts: Facts,
  current: string | null,
): Promise<Carried> {
  const { moved, former } = facts;
  if (moved === null || current === moved) return { done: true, remark: null };
  if (current !== former) {
    keep({ ...facts, moved: null });
    return { done: true, remark: 'Somebody has moved the work item meanwhile: its state is left as it is.' };
  }
  const sent = await client.move(place, moved);
  if (sent.ok) return { done: true, remark: null };
  if (sent.failure.kind === 'refused') {
    client.forgetStates(place.project);
    keep({ ...facts, moved: null });
  }
  return givenUp(sent.failure, 'Plane does not accept the state: the work item stays in the one it is in.');
}

async function unsay(carrying: Carrying, place: ItemPlace, { action, facts }: PlaneOrder): Promise<Carried> {
  if (facts === null) return { done: true, remark: null };
  const deleted = await uncomment(carrying, place, facts);
  if (!deleted.ok) return givenUp(deleted.failure, GONE);
  const carried = await moveBack(carrying, place, facts);
  if (!carried.done) return carried;
  carrying.keep(null);
  const isForgotten = deleted.value && action.state !== null && facts.former === null;
  return isForgotten ? { done: true, remark: FORGOTTEN } : carried;
}

const FORGOTTEN = 'What state the work item was in before is not remembered any more: its state is left as it is.';

const GONE = 'The work item is gone from Plane: there is nothing to take back.';

// Returns whether there was a comment. From here on nobody knows whether the comment stands, until an answer says so: whoever says it again looks first.
async function uncomment({ client, event, keep }: Carrying, place: ItemPlace, facts: Facts): Promise<Outcome<boolean>> {
  if (facts.comment !== null) {
    keep({ ...facts, comment: null, tried: true });
    return client.uncomment(place, facts.comment);
  }
  if (!facts.tried) return { ok: true, value: false };
  const found = await client.ownComment(place, event);
  if (!found.ok) return found;
  return found.value === null ? { ok: true, value: false } : client.uncomment(place, found.value.id);
}

// Only from the state that we set: whoever has moved it since has decided.
async function moveBack({ client }: Carrying, place: ItemPlace, { moved, former }: Facts): Promise<Carried> {
  if (moved === null || former === null) return { done: true, remark: null };
  const item = await client.workItem(place);
  if (!item.ok) return givenUp(item.failure, GONE);
  if (item.value.state === former) return { done: true, remark: null };
  if (item.value.state !== moved) {
    return { done: true, remark: 'Somebody has moved the work item since: its state in Plane is left as it is.' };
  }
  const sent = await client.move(place, former);
  return sent.ok
    ? { done: true, remark: null }
    : givenUp(sent.failure, 'Plane does not accept the former state: the work item stays in the one it is in.');
}

// What no further try could change is over, and said. Everything else is tried again.
function givenUp(failure: PlaneFailure, remark: string): Carried {
  const isOver = failure.kind === 'missing' || failure.kind === 'refused';
  return isOver ? { done: true, remark } : { done: false, failure };
}

/** Whether a comment was made by this program. */
export function isOwnComment(comment: { readonly external_source: string | null }): boolean {
  return comment.external_source === OWN_SOURCE;
}
