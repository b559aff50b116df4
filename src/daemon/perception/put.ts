import { isChoice, isQuestion } from '../../steward/attention/asking.ts';
import { isWaiting } from '../../steward/attention/standing.ts';
import { judgedKey, keyOf } from '../../steward/perception/finding.ts';
import { booked, byPressure, LOOK_AROUND_MS, MOST_A_DAY, roomOn, type Seen } from '../../steward/perception/memory.ts';
import type { Perceived } from '../../steward/perception/perceive.ts';
import { isKnownNote } from '../../steward/ports/own-notes.ts';
import { answerOf, waitingAbout } from '../../steward/proposals/proposal-status.ts';
import { inSlices, Turns } from '../../vault/disk/slices.ts';
import { sha256 } from '../../vault/hash.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import { isOwnHand } from '../../vault/source-names.ts';
import { localDate } from '../../vault/time.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { matterPathOf } from '../budget/guard-place.ts';
import type { Context, ReadAccess, Workspace } from '../context/ports.ts';
import type { Decision } from '../decide/decision.ts';
import { Heap } from '../runtime/heap.ts';
import { type Noticed, writeEntry } from './entry.ts';
import { judgeAlone, type Unjudged } from './judge.ts';
import { look, mayPerceive, openNotes, perceivedNow } from './look.ts';
import { Touches } from './touches.ts';

/**
 * Puts to the person what looks have found and they have not been told: the most pressing first, and no more in a day
 * than a person can take. With a model, it is asked first. `isAsked`: a person asked for it, so that the first look around
 * is over. Returns the event notes that were written.
 */
export async function putFindings(space: Workspace, isAsked: boolean, abort: AbortSignal): Promise<string[]> {
  if ((!isAsked && isLookingAround(space.context)) || !hasRoom(space)) return [];
  // One after the other, so that the day's account is exact; a tick does not wait for many answers.
  return space.transactions.inTurn(TURN, () => putInTurn(space, isAsked ? MOST_A_DAY.questions : MOST_AT_ONCE, abort));
}

const TURN = '.steward/state/perception.json';
/** How many notes one tick puts to a model, so that it keeps no other waiting. */
const MOST_AT_ONCE = 4;

async function putInTurn(space: Workspace, most: number, abort: AbortSignal): Promise<string[]> {
  const events: string[] = [];
  const asked = () => space.context.state.get('perception').day.questions;
  const before = asked();
  const full = new Set<string | null>();
  const open = await inSlices(mostPressing(await inSlices(openNotes(space))));
  const turns = new Turns();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path } = next;
    await turns.giveWay();
    if (abort.aborted || !hasRoom(space) || asked() - before >= most) break;
    const matter = matterOf(space, path);
    if (full.has(matter)) continue;
    const put = await space.transactions.inTurn(path, () => putOne(space, path, abort));
    if (typeof put === 'string') events.push(put);
    if (put === null || typeof put === 'string') continue;
    if (put.holds === 'all') break;
    if (put.holds === 'matter') full.add(matter);
  }
  return events;
}

// Of many that are open a day has room for few, so they are not all put in order.
function* mostPressing(
  open: ReadonlyMap<string, Seen>,
): Generator<void, Heap<{ path: string; seen: Seen; nth: number }>> {
  const heap = new Heap<{ path: string; seen: Seen; nth: number }>(
    (one, other) => byPressure(one.seen, other.seen) || one.nth - other.nth,
  );
  for (const [path, seen] of open) {
    heap.push({ path, seen, nth: heap.size });
    yield;
  }
  return heap;
}

function matterOf({ vault }: Workspace, path: string): string | null {
  const note = vault.catalogue.get(path);
  return note?.kind === 'task' || note?.kind === 'matter' ? matterPathOf(vault, note) : null;
}

function isLookingAround({ state, now }: Context): boolean {
  const { since } = state.get('perception');
  return since === null || now() < since + LOOK_AROUND_MS;
}

function hasRoom({ context, models }: Workspace): boolean {
  const room = roomOn(context.state.get('perception'), localDate(context.now()));
  return room.entries > 0 && (!models.evaluator.asksModel || room.questions > 0);
}

/** The event note that was written, or why nobody judged; null where there is nothing to put, or not now. */
type Put = string | Unjudged | null;

async function putOne(space: Workspace, path: string, abort: AbortSignal): Promise<Put> {
  space.transactions.finishHeldUp([path]);
  const target = space.vault.catalogue.get(path);
  if (target?.kind !== 'task' && target?.kind !== 'matter') return null;
  look(space, target, new Touches(space)); // it may have changed since it was looked at
  const seen = space.context.state.get('perceived')[path];
  const note = space.notes.fresh(path);
  if (seen === undefined || note === null || note.settledAt > space.context.now()) return null;
  if (!mayPerceive(space, target) || isElsewhereAsked(space, target)) return null;
  const perceived = perceivedNow(space, target);
  return space.models.evaluator.asksModel
    ? putJudged(space, { target, note, seen, perceived }, abort)
    : putRuled(space, { target, note, seen, perceived }, abort);
}

/** A note that is looked at, and what it shows. */
interface Subject {
  readonly target: TargetRecord;
  readonly note: NoteSnapshot;
  readonly seen: Seen;
  readonly perceived: Perceived;
}

async function putRuled(space: Workspace, subject: Subject, abort: AbortSignal): Promise<Put> {
  const { target, note, seen, perceived } = subject;
  const [first] = perceived.findings;
  if (first === undefined) return null;
  const key = keyOf(first);
  if (seen.told === key) return null;
  const verdict =
    isTold(space, target, key) || isDeclined(space, target, perceived)
      ? null
      : await judgeAlone(space, target, note, perceived, abort);
  if (verdict !== null && 'holds' in verdict) return verdict;
  const event = verdict === null ? null : put(space, subject, verdict, key);
  if (verdict === null || event !== null) remember(space.context, target.path, { told: key });
  return event;
}

async function putJudged(space: Workspace, subject: Subject, abort: AbortSignal): Promise<Put> {
  const { target, note, seen, perceived } = subject;
  const print = printOf(space, target, note, perceived);
  const judged = { date: localDate(space.context.now()), stamp: seen.stamp, stage: seen.stage, print };
  const isKnown = seen.judged?.print === print || isTold(space, target, judgedKey(print));
  if (isKnown || isDeclined(space, target, perceived)) {
    remember(space.context, target.path, { judged: { ...judged, date: seen.judged?.date ?? '' } });
    return null;
  }
  const verdict = await judgeAlone(space, target, note, perceived, abort);
  const isRefused = 'holds' in verdict && verdict.holds === 'refused';
  if (isRefused) remember(space.context, target.path, { judged: { ...judged, stamp: '', print: '' } });
  if (isRefused || !('holds' in verdict)) book(space.context, 'questions');
  if ('holds' in verdict) return verdict;
  const [first] = perceived.findings;
  remember(space.context, target.path, { judged, ...(first === undefined ? {} : { told: keyOf(first) }) });
  return put(space, subject, verdict, judgedKey(print));
}

// Neither note, matter nor stage has changed: then nothing else could be said of it.
function printOf(space: ReadAccess, target: TargetRecord, note: NoteSnapshot, { stage }: Perceived): string {
  const matter = target.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  const around = matter === null ? '' : (space.notes.fresh(matter.path)?.sha ?? '');
  return sha256(JSON.stringify([note.sha, around, stage]));
}

function put(space: Workspace, { target, note }: Subject, verdict: Decision, key: string): string | null {
  const decision = attentionFor(verdict.decision);
  if (decision === null) return null;
  const event = writeEntry(space, target, note, { decision, verdict, key });
  if (event !== null) book(space.context, 'entries');
  return event;
}

// That a thing seems done, without anybody having said so, is for a person to say.
function attentionFor(decision: string): Noticed['decision'] | null {
  if (decision === 'stale_archive_candidate') return decision;
  return decision === 'needs_input' || decision === 'likely_done' ? 'needs_input' : null;
}

// As lasting as the note: a crash must not put it twice.
function book({ state, now }: Context, what: 'entries' | 'questions'): void {
  const memory = state.get('perception');
  memory.day = booked(memory, localDate(now()), what);
  state.save('perception');
}

function remember({ state }: Context, path: string, what: Partial<Pick<Seen, 'told' | 'judged'>>): void {
  const perceived = state.get('perceived');
  const known = perceived[path];
  if (known === undefined) return;
  perceived[path] = { ...known, ...what };
  state.touch('perceived', path);
}

// The notes remember, where the state was lost: the program's own entry, or one of another machine that still waits.
function isTold(space: ReadAccess, target: TargetRecord, key: string): boolean {
  return space.vault.catalogue
    .eventsAbout(target.path)
    .some((event) => event.fields.perceived === key && (isKnownNote(space, event) || isWaiting(space, event)));
}

// Whether the affair is over was asked when the last of it was ticked by hand, and the person said no.
function isDeclined(space: ReadAccess, target: TargetRecord, { findings: [first, ...others] }: Perceived): boolean {
  if (first?.kind !== 'tasks_done' || others.length > 0 || target.kind !== 'matter') return false;
  const { catalogue } = space.vault;
  const touched = Math.max(...catalogue.tasksOf(target).map(({ stat }) => stat.mtimeMs));
  return catalogue
    .eventsAbout(target.path)
    .filter(
      ({ fields }) => Object.keys(fields.source_contributions).some(isOwnHand) && fields.changes.state !== undefined,
    )
    .filter(({ name, fields }) => momentOf(name, fields.timestamp) > touched)
    .some((event) => (answerOf(space, event)?.fields.dismisses ?? null) !== null);
}

// Whoever has something about this note before them already sees it: one thing at a time.
function isElsewhereAsked(space: ReadAccess, target: TargetRecord): boolean {
  if (waitingAbout(space, target.path).some(({ event }) => event.fields.perceived === null)) return true;
  return space.vault.catalogue
    .eventsAbout(target.path)
    .some((event) => isOtherQuestion(event) && isWaiting(space, event));
}

function isOtherQuestion(event: EventRecord): boolean {
  return event.fields.perceived === null && isQuestion(event) && !isChoice(event);
}
