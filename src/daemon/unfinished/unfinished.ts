import type { UnfinishedWaiting } from '../../steward/attention-waiting.ts';
import { type Answer, ONLY_ASKED } from '../../undo/order.ts';
import { MAX_NOTE_BYTES } from '../../vault/frontmatter-parse.ts';
import { sha256 } from '../../vault/hash.ts';
import { isUnknownEntry } from '../../vault/journal.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';
import { retire } from '../../vault/transaction/retire.ts';
import type { WriteAccess } from '../context.ts';
import { type Plan, planUnfinished, type Unfinished } from './plans.ts';

/** How many unfinished actions are listed: more than these were not left by an update. */
const MAX_LISTED = 50;

/** An order about an unfinished action: to complete it (`confirm`), or to roll it back (`dismiss`). */
interface UnfinishedOrder {
  readonly kind: 'confirm' | 'dismiss';
  readonly dryRun: boolean;
}

/** Returns the unfinished actions that wait for the person, in order of their names. */
function listUnfinished(space: WriteAccess): Unfinished[] {
  if (space.problems.recovery.length === 0 || space.vault.away !== null) return [];
  return space.transactions
    .unknownEntries()
    .slice(0, MAX_LISTED)
    .map((entry) => planUnfinished(space, entry));
}

/** Returns the unfinished action of a name, or null. */
function findUnfinished(space: WriteAccess, name: string): Unfinished | null {
  return listUnfinished(space).find((one) => one.name === name) ?? null;
}

/** Returns an unfinished action as an entry of the list of what waits: what each answer would do, in one sentence each. */
export function waitingUnfinished(space: WriteAccess): UnfinishedWaiting[] {
  return listUnfinished(space).map((one) => ({
    event: one.name,
    target: one.target,
    change: `${one.why} Complete: ${planWords(one.complete)}. Roll back: ${rollbackWords(one)}.`,
    since: one.at,
    answers: [...(one.complete.ok ? (['confirm'] as const) : []), ...(mayDismiss(one) ? (['dismiss'] as const) : [])],
  }));
}

/**
 * Completes an unfinished action or rolls it back, as the person says, and moves its entry into the history. An action
 * for which neither can be done changes no note: to dismiss it only moves the entry. Answering again after a crash finds
 * done what was done.
 */
export function answerUnfinished(space: WriteAccess, name: string, { kind, dryRun }: UnfinishedOrder): Answer | null {
  const found = findUnfinished(space, name);
  if (found === null) return null;
  const notes = found.target === null ? [] : [found.target];
  return space.transactions.attempt(notes, () => {
    const one = findUnfinished(space, name);
    if (one === null) return null;
    const plan = kind === 'confirm' ? one.complete : one.rollBack;
    const isOnlyAside = !plan.ok && kind === 'dismiss' && !one.complete.ok;
    if (!plan.ok && !isOnlyAside) return refused(one, kind, plan.reason);
    const words = kind === 'confirm' ? planWords(one.complete) : rollbackWords(one);
    const done = answerWith(one, outcomes[kind], sentence(words));
    if (dryRun) return { ...done, message: `${done.message} ${ONLY_ASKED}` };
    return carryOut(space, one, kind, plan) ? done : null;
  });
}

function sentence(words: string): string {
  return `This answer ${words}.`;
}

const outcomes = { confirm: 'confirmed', dismiss: 'dismissed' } as const;

function carryOut(space: WriteAccess, { name }: Unfinished, kind: UnfinishedOrder['kind'], plan: Plan): boolean {
  const { transactions, vault, problems } = space;
  // Under another name than its own: the entry stays until all of it is done.
  const id = `${kind === 'confirm' ? 'completed' : 'rolled-back'}-${name}`;
  if (plan.ok && !transactions.commit(id, plan.steps)) return false;
  if (plan.ok && plan.removes !== null) {
    const { path: file, text } = plan.removes;
    retire(vault.root, vault.places, { file, fits: (sha) => sha === sha256(text), maxBytes: MAX_NOTE_BYTES });
    void vault.look([file]);
  }
  transactions.setAside(name);
  problems.recovery = problems.recovery.filter((trouble) => !isUnknownEntry(trouble, name));
  return true;
}

function refused({ name, target, complete }: Unfinished, kind: UnfinishedOrder['kind'], reason: string): Answer {
  const other = kind === 'confirm' ? 'dismiss' : 'confirm';
  const isOther = kind === 'confirm' || complete.ok;
  const next = isOther ? ` \`steward ${other} ${shellWord(name)}\` is the other answer.` : '';
  return answerWith({ name, target }, 'refused', `Nothing was changed: ${reason}.${next}`);
}

function mayDismiss({ complete, rollBack }: Unfinished): boolean {
  return rollBack.ok || !complete.ok;
}

function planWords(plan: Plan): string {
  return plan.ok ? plan.words : `is not possible, since ${plan.reason}`;
}

function rollbackWords(one: Unfinished): string {
  if (one.rollBack.ok || one.complete.ok) return planWords(one.rollBack);
  return `changes no note, since ${one.rollBack.reason}; keeps the entry in .steward/history`;
}

function answerWith(
  { name, target }: Pick<Unfinished, 'name' | 'target'>,
  outcome: Answer['outcome'],
  message: string,
): Answer {
  return { event: name, outcome, note: null, target, changes: {}, calibration: {}, message, until: null };
}
