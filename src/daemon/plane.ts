import { planeId } from '../plane/access.ts';
import { newOrder, type PlaneOrder, planeAction, wanting } from '../plane/order.ts';
import { commentHtml, PlaneClient, type PlaneFailure } from '../plane/plane.ts';
import { isKnownNote, isOwnNote } from '../steward/ports/own-notes.ts';
import { isReversed } from '../steward/proposals/reversed.ts';
import { type Diagnostic, diagnostic } from '../vault/errors.ts';
import type { EventRecord, MatterRecord, ReversalRecord } from '../vault/index/record.ts';
import { changeLine } from '../vault/note-text.ts';
import type { IndexAccess } from './context.ts';
import { modeOf } from './effective-mode.ts';

/** What `doctor` says of Plane: one line, and what is wrong; null where the environment says nothing of it. */
interface PlaneCheck {
  readonly found: string;
  readonly trouble: readonly Diagnostic[];
}

/** How many projects are asked for. */
const MOST_PROJECTS = 20;

/** Tries the key, the workspace and each project that a matter names. Reads only. */
export async function checkPlane(space: IndexAccess): Promise<PlaneCheck | null> {
  const { env, now } = space.context;
  if (env.plane == null) return (env.planeMissing ?? []).length === 0 ? null : partly(env.planeMissing ?? []);
  const client = new PlaneClient(env.plane, now, new AbortController().signal);
  const where = `${client.host}, workspace ${env.plane.workspace}`;
  const wrong = await accessTrouble(client, env.plane.workspace);
  if (wrong !== null) return { found: `${where} (it cannot be used)`, trouble: [wrong] };
  const named = projectsOf(space).slice(0, MOST_PROJECTS);
  const found = await Promise.all(named.map(([project, matter]) => projectTrouble(client, project, matter)));
  const trouble = found.flatMap((one) => one ?? []);
  return { found: `${where} (${named.length - trouble.length} of ${named.length} projects can be used)`, trouble };
}

function partly(missing: readonly string[]): PlaneCheck {
  const names = missing.join(' and ');
  const message = `Plane is not used: ${names} ${missing.length === 1 ? 'is' : 'are'} missing.`;
  const hint = 'Set PLANE_API_KEY, PLANE_BASE_URL and PLANE_WORKSPACE, or none of them.';
  return { found: 'not used', trouble: [diagnostic({ code: 'plane-partly', message, hint })] };
}

// A wrong key and a foreign workspace are refused alike: only whether the key is somebody's tells them apart.
async function accessTrouble(client: PlaneClient, workspace: string): Promise<Diagnostic | null> {
  const asked = await client.workspace();
  if (asked.ok) return null;
  const { failure } = asked;
  if (failure.kind !== 'forbidden' && failure.kind !== 'missing') return troubleOf(failure);
  const me = await client.me();
  if (!me.ok && (me.failure.kind === 'key' || me.failure.kind === 'forbidden')) {
    return diagnostic({
      code: 'plane-key',
      message: 'Plane does not accept the key.',
      hint: 'Make a new key in Plane and set PLANE_API_KEY to it.',
    });
  }
  if (!me.ok) return troubleOf(failure);
  return diagnostic({
    code: 'plane-workspace',
    message: `The key is good, but not for the workspace ${workspace}.`,
    hint: 'Set PLANE_WORKSPACE to the slug of a workspace that the owner of the key belongs to.',
  });
}

async function projectTrouble(client: PlaneClient, project: string, matter: MatterRecord): Promise<Diagnostic | null> {
  const asked = await client.project(project);
  if (asked.ok) return null;
  const { kind } = asked.failure;
  if (kind !== 'missing' && kind !== 'forbidden') return troubleOf(asked.failure);
  return diagnostic({
    code: 'plane-project',
    file: matter.path,
    message: kind === 'missing' ? 'Plane knows no such project.' : 'The key is not allowed into this project of Plane.',
    hint:
      kind === 'missing'
        ? 'Copy plane_project_id from the address of the project in Plane.'
        : 'Let the owner of the key join the project, or mend plane_project_id.',
  });
}

function troubleOf({ kind, message, hint }: PlaneFailure): Diagnostic {
  return diagnostic({ code: `plane-${kind}`, message, hint });
}

function projectsOf({ vault }: IndexAccess): (readonly [string, MatterRecord])[] {
  const named = vault.catalogue.matters().flatMap((matter) => {
    const project = planeId.safeParse(matter.fields.plane_project_id);
    return project.success ? [[project.data, matter] as const] : [];
  });
  return [...new Map(named)];
}

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
