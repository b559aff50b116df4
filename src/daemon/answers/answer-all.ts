import { setTimeout as wait } from 'node:timers/promises';
import { isChoice, isQuestion, isWaiting } from '../../steward/attention.ts';
import { comesAfter } from '../../steward/proposals.ts';
import { type Answer, type Answerable, type Door, targetOf, type UndoOrder } from '../../undo/order.ts';
import { previewUndo, undo } from '../../undo/undo.ts';
import { StewardError } from '../../vault/errors.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';
import { followFlagsAround } from '../attention.ts';
import type { Context, WriteAccess } from '../context.ts';
import { answerUnfinished } from '../unfinished/unfinished.ts';
import { answer, clearFlag, previewAnswer } from './answer.ts';
import { type AnswerOrder, findEvent, unanswered } from './orders.ts';
import { chosenProposals, type ProposalFilter } from './proposal-filter.ts';

/** What `steward undo` asks for. `last`: the newest n events that can still be taken back, instead of names. */
interface UndoRequest {
  readonly events: readonly string[];
  readonly last: number | null;
  readonly reason: string | null;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Through which door; a command where it is absent. */
  readonly by?: Door;
}

/** What `steward confirm` and `steward dismiss` ask for. */
interface AnswerRequest {
  readonly kind: 'confirm' | 'dismiss';
  readonly events: readonly string[];
  /** All waiting proposals that pass it, instead of names. */
  readonly filter?: ProposalFilter | undefined;
  /** Which note is meant, for an event that may mean any of several. */
  readonly choose?: string | null | undefined;
  readonly dryRun: boolean;
  /** Through which door; a command where it is absent. */
  readonly by?: Door;
}

/**
 * Takes events back, one after the other, and returns an answer for each. Waits for a note that is being edited. Throws
 * `event-unknown`, `event-ambiguous` and `nothing-to-undo`.
 */
export async function undoAll(space: WriteAccess, request: UndoRequest): Promise<Answer[]> {
  const events =
    request.last === null
      ? request.events.map((name) =>
          findEvent(space.vault, name, (event) => isOwnDeed(event) && isUndoable(space, event)),
        )
      : lastApplied(space, request.last);
  const answers: Answer[] = [];
  for (const event of events) {
    if (request.dryRun) answers.push(previewUndo(space, event, request.force));
    else {
      const { by = 'command' } = request;
      const order = { event, by, reason: request.reason, force: request.force, file: null };
      const given = await whenQuiet(space.context, () => undone(space, order, events.length > 1));
      followAnswer(space, given);
      answers.push(given);
    }
  }
  return answers;
}

/**
 * Confirms or dismisses proposals one by one, and completes or rolls back unfinished actions, in the order named or oldest first, and returns an answer for each. One
 * that fails does not hold up the rest; notes that are being edited are waited for at the end, all together. Throws
 * `event-unknown`, `event-ambiguous`, `not-a-proposal` and `matter-unknown`; where a single proposal was named, also
 * what its answer throws.
 */
export async function answerAll(space: WriteAccess, request: AnswerRequest): Promise<Answer[]> {
  const unfinished = request.events.map((name) => answerUnfinished(space, name, request));
  const rest = request.events.filter((_, at) => unfinished[at] === null);
  const answered = unfinished.filter((one) => one !== null);
  if (answered.length > 0 && rest.length === 0) return answered;
  return [...answered, ...(await answerProposals(space, { ...request, events: rest }))];
}

async function answerProposals(space: WriteAccess, request: AnswerRequest): Promise<Answer[]> {
  const { kind, filter, choose = null, dryRun, by = 'command' } = request;
  const events =
    filter === undefined
      ? request.events.map((name) =>
          demandProposal(findEvent(space.vault, name, (event) => isMeant(space, request, event))),
        )
      : chosenProposals(space, filter);
  if (dryRun) return events.map((event) => previewAnswer(space, { kind, event, choose }));
  return answerEach(
    space,
    events.map((event) => ({ kind, event, choose, by, file: null })),
  );
}

async function answerEach(space: WriteAccess, orders: readonly AnswerOrder[]): Promise<Answer[]> {
  const deadline = deadlineFor(space.context);
  const answers = new Map<AnswerOrder, Answer>();
  for (let left = orders; left.length > 0; ) {
    for (const order of left) {
      answers.set(order, tried(space, order, orders.length > 1));
      await new Promise(setImmediate); // so that a large batch does not block everything else
    }
    const untilOf = (order: AnswerOrder) => answers.get(order)?.until ?? null;
    left = left.filter((order) => (untilOf(order) ?? Number.POSITIVE_INFINITY) <= deadline);
    const next = Math.min(...left.map((order) => untilOf(order) ?? deadline));
    if (left.length > 0) await wait(Math.max(20, next - space.context.now()));
  }
  return orders.flatMap((order) => answers.get(order) ?? []);
}

// In a batch, a failure is reported among the answers; a single order throws.
function tried(space: WriteAccess, order: AnswerOrder, isOneOfMany: boolean): Answer {
  try {
    const given = answer(space, order);
    followAnswer(space, given);
    return given;
  } catch (error) {
    if (!(error instanceof StewardError) || !isOneOfMany) throw error;
    const { name, fields } = order.event;
    return unanswered({ event: name, target: fields.target_path }, 'refused', error.message);
  }
}

function undone(space: WriteAccess, order: UndoOrder & { readonly event: Answerable }, isOneOfMany: boolean): Answer {
  try {
    return undo(space, order);
  } catch (error) {
    if (!(error instanceof StewardError) || !isOneOfMany) throw error;
    return unanswered({ event: order.event.name, target: targetOf(order.event) }, 'refused', error.message);
  }
}

// What the answer has closed says so at once, as far as nobody is editing it and the disk lets it: the answer is given
// all the same, and a daemon, or the next command, comes back to it.
function followAnswer(space: WriteAccess, given: Answer): void {
  try {
    const [record, target] = [given.note, given.target].map((path) => path && space.vault.catalogue.get(path));
    const isTarget = target && (target.kind === 'task' || target.kind === 'matter');
    if (record && record.kind !== 'reversal' && isTarget) clearFlag(space, target);
    if (record) followFlagsAround(space, record);
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
  }
}

// A person at the command line waits out the settle window of a note, but not for ever.
function deadlineFor(context: Context): number {
  return context.now() + 2 * context.settings.settle_seconds * 1000 + 2000;
}

async function whenQuiet(context: Context, act: () => Answer): Promise<Answer> {
  const deadline = deadlineFor(context);
  for (;;) {
    const given = act();
    if (given.until === null || given.until > deadline) return given;
    await wait(Math.max(20, given.until - context.now()));
  }
}

// A proposal is taken back by what confirmed it. A reversal is named in full: else the same words twice would make the change
// again.
function isOwnDeed(event: Answerable): boolean {
  return event.kind === 'event' && event.fields.undo_recipe !== null;
}

function isUndoable(space: WriteAccess, event: Answerable): boolean {
  return previewUndo(space, event, true).outcome === 'reversed';
}

// A question can only be dismissed, and a choice be confirmed only with the note that is chosen.
function isMeant(space: WriteAccess, { kind, choose }: AnswerRequest, event: Answerable): boolean {
  if (event.kind !== 'event' || !isWaiting(space, event)) return false;
  return kind === 'dismiss' || (!isQuestion(event) && isChoice(event) === ((choose ?? null) !== null));
}

function demandProposal(event: Answerable): EventRecord {
  if (event.kind === 'event') return event;
  throw new StewardError({
    code: 'not-a-proposal',
    file: event.path,
    message: `${event.name} is a reversal, not a proposal.`,
    hint: `\`steward undo ${shellWord(event.name)}\` takes it back.`,
  });
}

// Whether an event can still be taken back shows only in its note, so no more are tried than are wanted. What expires
// last was done last.
function lastApplied(space: WriteAccess, count: number): Answerable[] {
  const applied = space.vault.catalogue.chronicle
    .undoableHours(space.context.now())
    .flatMap((hour) => hour.sort((a, b) => (comesAfter(a, b) ? -1 : 1)))
    .filter((event) => isUndoable(space, event))
    .take(count)
    .toArray();
  if (applied.length > 0) return applied;
  throw new StewardError({
    code: 'nothing-to-undo',
    message: 'No action can be taken back any more.',
    hint: 'See `steward log` for what happened.',
  });
}
