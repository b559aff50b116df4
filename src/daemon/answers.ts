import { setTimeout as wait } from 'node:timers/promises';
import { type AnswerOrder, answer, clearFlag, previewAnswer, unanswered } from '../steward/answer.ts';
import { chosenProposals, findEvent, namedEvent, notesTitled, type ProposalFilter } from '../steward/find-event.ts';
import { answerLicence, waitingLicences } from '../steward/licence.ts';
import type { Gesture } from '../steward/outcomes.ts';
import { comesAfter, isChoice, isQuestion, isWaiting, mayMeanAnother } from '../steward/proposals.ts';
import { answeredTarget, eventTarget } from '../steward/records.ts';
import { settingName, type UnagreedSetting } from '../steward/settings.ts';
import { answerStopped } from '../steward/signals.ts';
import { answerSuspect } from '../steward/suspects.ts';
import { type Answerable, type AnsweredBy, type AnswerRecord, ONLY_ASKED, type UndoOrder } from '../steward/types.ts';
import type { DecisionContext, DecisionWriteAccess } from '../steward/workspace.ts';
import { previewUndo, undo } from '../undo/undo.ts';
import { StewardError } from '../vault/errors.ts';
import { fold, stem } from '../vault/layout.ts';
import { shellWord } from '../vault/note-text.ts';
import type { EventRecord, TargetRecord } from '../vault/record.ts';
import { answerArrival } from './adoption.ts';
import { followFlagsAround } from './managed-notes.ts';
import { answerUnfinished } from './unfinished.ts';

/** A request of `steward undo`. `last`: the newest n events that can still be taken back, instead of names. */
interface UndoRequest {
  readonly events: readonly string[];
  readonly last: number | null;
  readonly reason: string | null;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Through which door; absent: by a command. */
  readonly by?: AnsweredBy | undefined;
}

interface AnswerRequest {
  readonly kind: 'confirm' | 'dismiss';
  readonly events: readonly string[];
  /** All waiting proposals that pass it, instead of names. */
  readonly filter?: ProposalFilter | undefined;
  /** Which note is meant, for an event that may mean any of several. */
  readonly choose?: string | null | undefined;
  /** Whether to sign a licence for the sender as well. */
  readonly always?: boolean | undefined;
  /** Also what a sender proposes that the user's mail server has rejected. */
  readonly force?: boolean | undefined;
  /** Whether a dismissal means "not now"; absent: it does for a filter, and means "wrong" for names. */
  readonly later?: boolean | undefined;
  readonly dryRun: boolean;
  /** Through which door; absent: by a command. */
  readonly by?: AnsweredBy | undefined;
}

/**
 * Takes events back, one after the other, and returns an answer for each. Waits for a note that is being edited. Throws
 * `event-unknown`, `event-ambiguous` and `nothing-to-undo`.
 */
export async function undoAll(space: DecisionWriteAccess, request: UndoRequest): Promise<AnswerRecord[]> {
  const events =
    request.last === null ? request.events.map((name) => findUndoable(space, name)) : lastApplied(space, request.last);
  const answers: AnswerRecord[] = [];
  const gesture: Gesture = new Set();
  for (const event of events) {
    if (request.dryRun) answers.push(previewUndo(space, event, request.force));
    else {
      const { by = 'command' } = request;
      const order = { event, by, reason: request.reason, force: request.force, file: null, gesture };
      const given = await whenQuiet(space.context, () => undone(space, order, events.length > 1));
      followAnswer(space, given);
      answers.push(given);
    }
  }
  return answers;
}

/**
 * Confirms or dismisses proposals one by one, answers for stopped senders and suspicious mails, and completes or rolls
 * back unfinished actions, in the order named or oldest first. Returns an answer for each. One that fails does not stop
 * the rest; notes that are being edited are waited for at the end, all together. Throws `event-unknown`,
 * `event-ambiguous`, `not-a-proposal` and `matter-unknown`; if a single proposal was named, also what its answer
 * throws.
 */
export async function answerAll(space: DecisionWriteAccess, request: AnswerRequest): Promise<AnswerRecord[]> {
  const unfinished: (AnswerRecord | null)[] = [];
  for (const name of request.events) {
    const given =
      answerUnfinished(space, name, request) ??
      answerStopped(space, name, request) ??
      answerSuspect(space, name, request) ??
      licenceAnswered(space, name, request);
    unfinished.push(given ?? (await answerArrival(space, name, request)));
  }
  const rest = request.events.filter((_, at) => unfinished[at] === null);
  const answered = unfinished.filter((one) => one !== null);
  if (answered.length > 0 && rest.length === 0) return answered;
  return [...answered, ...(await answerProposals(space, { ...request, events: rest }))];
}

// A licence that waits is answered as a proposal is.
function licenceAnswered(
  space: DecisionWriteAccess,
  name: string,
  { kind, dryRun }: AnswerRequest,
): AnswerRecord | null {
  const key = fold(name.replace(/^\[\[|\]\]$/g, '').replace(/\.md$/i, ''));
  const setting = (space.context.unagreed?.() ?? []).find((one) => fold(settingName(one)) === key);
  if (setting !== undefined && kind === 'confirm') return agreed(space, setting, dryRun);
  const found = waitingLicences(space).find(({ record }) =>
    [record.name, record.path.replace(/\.md$/i, '')].map(fold).includes(key),
  );
  if (found === undefined) return null;
  const { record } = found;
  const outcome = kind === 'confirm' ? ('confirmed' as const) : ('dismissed' as const);
  const until = dryRun ? null : answerLicence(space, record, kind === 'confirm', 'inbox');
  if (until !== null)
    return unanswered(
      { event: record.name, target: record.path },
      'settling',
      `${record.path} is being edited.`,
      until,
    );
  const message = dryRun ? ONLY_ASKED : kind === 'confirm' ? 'The licence is signed.' : 'The licence is refused.';
  return {
    ...unanswered({ event: record.name, target: record.path }, outcome, message),
    note: dryRun ? null : record.path,
  };
}

function agreed({ context }: DecisionWriteAccess, setting: UnagreedSetting, dryRun: boolean): AnswerRecord {
  if (!dryRun) context.agree?.(setting);
  return unanswered(
    { event: settingName(setting), target: null },
    'confirmed',
    dryRun ? ONLY_ASKED : 'The setting counts from now on.',
  );
}

async function answerProposals(space: DecisionWriteAccess, request: AnswerRequest): Promise<AnswerRecord[]> {
  const { kind, filter, always = false, force = false, dryRun, by = 'command' } = request;
  const choose = request.choose == null ? null : noteChosen(space, request.choose);
  const later = kind === 'dismiss' && (request.later ?? filter !== undefined);
  const gesture: Gesture = new Set();
  const events =
    filter === undefined
      ? request.events.map((name) => demandProposal(findMeant(space, request, name)))
      : chosenProposals(space, filter);
  if (dryRun) return events.map((event) => previewAnswer(space, { kind, event, choose, force }));
  return answerEach(
    space,
    events.map((event) => ({ kind, event, choose, by, always, force, file: null, later, gesture })),
  );
}

// Typed by a person: a part of a title is enough if only one note has it.
function noteChosen({ vault }: DecisionWriteAccess, written: string): string {
  const named = vault.catalogue.resolve(written, ['task', 'matter']);
  if (named?.kind === 'task' || named?.kind === 'matter') return written;
  const [only = written, ...more] = notesTitled(vault, written);
  if (more.length === 0) return only;
  throw new StewardError({
    code: 'note-ambiguous',
    message: `${more.length + 1} notes have "${written}" in their title: ${[only, ...more.slice(0, 4)].map(stem).join(', ')}.`,
    hint: 'Give more of the title.',
  });
}

async function answerEach(space: DecisionWriteAccess, orders: readonly AnswerOrder[]): Promise<AnswerRecord[]> {
  const deadline = deadlineFor(space.context);
  const answers = new Map<AnswerOrder, AnswerRecord>();
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
function tried(space: DecisionWriteAccess, order: AnswerOrder, isOneOfMany: boolean): AnswerRecord {
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

function undone(
  space: DecisionWriteAccess,
  order: UndoOrder & { readonly event: Answerable },
  isOneOfMany: boolean,
): AnswerRecord {
  try {
    return undo(space, order);
  } catch (error) {
    if (!(error instanceof StewardError) || !isOneOfMany) throw error;
    return unanswered({ event: order.event.name, target: answeredTarget(order.event) }, 'refused', error.message);
  }
}

// The notes that the answer has closed say so at once, unless one is being edited or the disk refuses. The answer
// counts anyway: a daemon, or the next command, comes back to those notes.
function followAnswer(space: DecisionWriteAccess, given: AnswerRecord): void {
  try {
    const [record, target] = [given.note, given.target].map((path) => path && space.vault.catalogue.get(path));
    const isTarget = target && (target.kind === 'task' || target.kind === 'matter');
    if (record && record.kind !== 'reversal' && isTarget) clearFlag(space, target);
    // If another note was meant, the proposed one loses its flag.
    const proposed = proposedTarget(space, given);
    if (record && proposed !== null && proposed !== target) clearFlag(space, proposed);
    if (record) followFlagsAround(space, record);
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
  }
}

function proposedTarget({ vault }: DecisionWriteAccess, { event }: AnswerRecord): TargetRecord | null {
  const record = vault.catalogue.named(event).find(({ kind }) => kind === 'event');
  return record?.kind === 'event' ? eventTarget(vault, record) : null;
}

// A person at the command line waits out the settle window of a note, but not for ever.
function deadlineFor(context: DecisionContext): number {
  return context.now() + 2 * context.settings.settle_seconds * 1000 + 2000;
}

async function whenQuiet(context: DecisionContext, act: () => AnswerRecord): Promise<AnswerRecord> {
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
  return event.kind === 'event' && event.fields.undo_recipe !== null && event.fields.dismisses === null;
}

// A change comes before a dismissal where the words fit both.
function findUndoable(space: DecisionWriteAccess, name: string): Answerable {
  const fits = (event: Answerable) => isOwnDeed(event) && isUndoable(space, event);
  try {
    return findEvent(space.vault, name, fits);
  } catch (error) {
    const isDismissal = (event: Answerable) => event.kind === 'event' && event.fields.dismisses !== null;
    if (!(error instanceof StewardError)) throw error;
    try {
      return findEvent(space.vault, name, (event) => isDismissal(event) && isUndoable(space, event));
    } catch {
      throw error;
    }
  }
}

function isUndoable(space: DecisionWriteAccess, event: Answerable): boolean {
  return previewUndo(space, event, true).outcome === 'reversed';
}

// Of several events about a note, the one that waits is meant. If none waits, the user need not choose among those that don't.
function findMeant(space: DecisionWriteAccess, request: AnswerRequest, name: string): Answerable {
  const meant: Answerable[] = [];
  try {
    return findEvent(space.vault, name, (event) => isMeant(space, request, event) && meant.push(event) > 0);
  } catch (error) {
    if (!(error instanceof StewardError) || error.trouble.code !== 'event-ambiguous' || meant.length > 0) throw error;
    const verb = request.kind === 'confirm' ? 'be confirmed' : 'be dismissed';
    throw new StewardError({
      code: 'event-unknown',
      message: `No event about "${name}" waits to ${verb}.`,
      hint: '`steward log` lists what was answered; `steward undo NAME` undoes an answer, or an undo.',
    });
  }
}

// A question can only be dismissed. A note is chosen for a choice, or for a proposal that means another one.
function isMeant(space: DecisionWriteAccess, { kind, choose }: AnswerRequest, event: Answerable): boolean {
  if (event.kind !== 'event' || !isWaiting(space, event)) return false;
  if (kind === 'dismiss') return true;
  if (isQuestion(event)) return false;
  return (choose ?? null) === null ? !isChoice(event) : isChoice(event) || mayMeanAnother(space, event);
}

function demandProposal(event: Answerable): EventRecord {
  if (event.kind === 'event') return event;
  throw new StewardError({
    code: 'not-a-proposal',
    file: event.path,
    message: `${event.name} is a reversal, not a proposal.`,
    hint: `\`steward undo ${shellWord(event.name)}\` undoes it.`,
  });
}

// Whether an event can still be undone shows only in its note, so no more are tried than are wanted. What expires last was
// done last. An action that was undone and done again counts once, by the newest of its notes.
function lastApplied(space: DecisionWriteAccess, count: number): Answerable[] {
  const actions = new Set<string>();
  const applied = space.vault.catalogue.chronicle
    .undoableHours(space.context.now())
    .flatMap((hour) => hour.sort((a, b) => (expiresAfter(a, b) ? -1 : 1)))
    .filter((event) => (event.kind === 'reversal' || isOwnDeed(event)) && isUndoable(space, event))
    .filter((event) => isNew(actions, actionBehind(space, event)))
    .take(count)
    .toArray();
  if (applied.length > 0) return applied;
  throw new StewardError({
    code: 'nothing-to-undo',
    message: 'No change can be undone.',
    hint: 'See `steward log` for what happened.',
  });
}

/** Returns the paths of the event notes whose changes can still be undone, the newest first. Undos aren't among them. */
export function undoableChanges(space: DecisionWriteAccess): string[] {
  const actions = new Set<string>();
  return space.vault.catalogue.chronicle
    .undoableHours(space.context.now())
    .flatMap((hour) => hour.sort((a, b) => (expiresAfter(a, b) ? -1 : 1)))
    .filter((event) => isOwnDeed(event) && isUndoable(space, event) && isNew(actions, actionBehind(space, event)))
    .map(({ path }) => path)
    .toArray();
}

// A recipe's end has whole seconds. Within one, an undo comes after what it could take back.
function expiresAfter(one: Answerable, other: Answerable): boolean {
  const [end, otherEnd] = [one, other].map(({ fields }) => Date.parse(fields.undo_recipe?.expires_at ?? '') || 0);
  if (end !== otherEnd) return (end ?? 0) > (otherEnd ?? 0);
  if (one.kind === 'event' && other.kind === 'event') return comesAfter(one, other);
  return one.kind === other.kind ? one.name > other.name : one.kind === 'reversal';
}

function isNew(known: Set<string>, name: string): boolean {
  return known.size < known.add(name).size;
}

/** Returns the name of the action that a reversal takes back or brings back, over all reversals in between. */
function actionBehind(space: DecisionWriteAccess, event: Answerable): string {
  const seen = new Set<string>();
  let last = event;
  while (last.kind === 'reversal' && isNew(seen, last.path)) {
    last = namedEvent(space.vault.catalogue, last) ?? last;
  }
  return last.name;
}
