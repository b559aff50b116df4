import { sha256 } from '../../vault/hash.ts';
import type { UnknownEntry } from '../../vault/journal.ts';
import { stem } from '../../vault/note-names.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';
import type { Step } from '../../vault/transaction/intent.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { WriteAccess } from '../context.ts';
import { type EntryEdit, type EntryStep, readSteps } from './entry-steps.ts';
import { isEventNote, type Permitted, permitChange } from './step-rules.ts';

/** What one answer to an unfinished action does, in words that follow "complete: " or "roll back: ". */
export type Plan =
  | { readonly ok: true; readonly steps: readonly Step[]; readonly removes: EntryStep | null; readonly words: string }
  | { readonly ok: false; readonly reason: string };

/** An action that an earlier, later or other program left unfinished, and what the person can do about it. */
export interface Unfinished {
  readonly name: string;
  /** ISO, UTC; null where the entry doesn't say it. */
  readonly at: string | null;
  /** The note that the action is about, or null. */
  readonly target: string | null;
  /** The first sentence: why it waits. */
  readonly why: string;
  readonly complete: Plan;
  readonly rollBack: Plan;
}

/** What planning one step came to. */
interface StepPlan {
  readonly steps: readonly Step[];
  readonly words: string | null;
  readonly problem: string | null;
}

const NOTHING: StepPlan = { steps: [], words: null, problem: null };
const UNREADABLE: Plan = { ok: false, reason: 'the entry is damaged, and its first step cannot be read' };

/** Returns what each answer to an entry of the journal would do now. Changes nothing. */
export function planUnfinished(space: WriteAccess, { name, content, trouble }: UnknownEntry): Unfinished {
  const read = readSteps(content);
  const base = { name, at: read?.at ?? null, why: trouble.message };
  if (read === null) return { ...base, target: null, complete: UNREADABLE, rollBack: UNREADABLE };
  const { steps, unread } = read;
  const edited = steps.find((step) => step.do === 'edit');
  return {
    ...base,
    target: edited?.path ?? null,
    complete: completion(space, name, steps, unread),
    rollBack: rollback(space, name, steps),
  };
}

// The first step decides: without it, or against the rules, nothing of the rest is made either.
function completion(space: WriteAccess, name: string, steps: readonly EntryStep[], unread: number): Plan {
  const plans = steps.map((step) => (step.do === 'edit' ? toComplete(space, name, step) : toCreate(space, name, step)));
  const [first] = plans;
  if (first === undefined || first.problem !== null) return { ok: false, reason: first?.problem ?? 'it has no step' };
  const leftOut = plans.flatMap(({ problem }) => problem ?? []);
  if (unread > 0) leftOut.push(`${unread} of its steps can't be read`);
  const done = inWords(plans, 'changes no note: all of it was done already');
  const words = leftOut.length === 0 ? done : `${done}; leaves out: ${leftOut.join('; ')}`;
  return { ok: true, steps: plans.flatMap((plan) => plan.steps), removes: null, words };
}

function toComplete(space: WriteAccess, name: string, step: EntryEdit): StepPlan {
  const { path, before_sha256: before, after_sha256: after, text } = step;
  const now = textNow(space, path);
  if (typeof now === 'object') return { ...NOTHING, ...now };
  if (now !== null && sha256(now) === after) return NOTHING;
  const from = now ?? space.transactions.formerText(name, before);
  if (from === null) return { ...NOTHING, problem: `${path} is gone` };
  if (sha256(from) !== before) return { ...NOTHING, problem: `${path} has changed since` };
  const permitted = permitChange(space, path, from, text);
  if (!permitted.ok) return { ...NOTHING, problem: permitted.reason };
  const made: Step = now === null ? { do: 'create', path, text } : textStep(path, now, text);
  return { ...NOTHING, steps: [made], words: `changes ${fieldWords(permitted)} in ${path}` };
}

function toCreate(space: WriteAccess, name: string, step: EntryStep): StepPlan {
  const { path, text } = step;
  if (!isEventNote(space, name, step)) return { ...NOTHING, problem: `${path} isn't the event note of this action` };
  if (space.notes.text(path) !== null) return NOTHING;
  return { ...NOTHING, steps: [{ do: 'create', path, text }], words: `writes the event note ${path}` };
}

function rollback(space: WriteAccess, name: string, steps: readonly EntryStep[]): Plan {
  const edits = steps.filter((step) => step.do === 'edit').map((step) => toRestore(space, name, step));
  const problem = edits.find((plan) => plan.problem !== null)?.problem ?? null;
  if (problem !== null) return { ok: false, reason: problem };
  const removes = steps.find((step) => isEventNote(space, name, step) && space.notes.text(step.path) !== null) ?? null;
  if (removes !== null && space.notes.text(removes.path) !== removes.text) {
    return {
      ok: false,
      reason: `its event note has been written to since; \`steward undo ${shellWord(stem(removes.path))}\` takes the change back`,
    };
  }
  const moved =
    removes === null ? [] : [{ ...NOTHING, words: `moves the event note ${removes.path} to .steward/history` }];
  const words = inWords([...edits, ...moved], 'changes no note: nothing of it was done');
  return { ok: true, steps: edits.flatMap((plan) => plan.steps), removes, words };
}

function toRestore(space: WriteAccess, name: string, step: EntryEdit): StepPlan {
  const { path, before_sha256: before, after_sha256: after } = step;
  const now = textNow(space, path);
  if (typeof now === 'object' && now !== null) return { ...NOTHING, ...now };
  if (now !== null && sha256(now) === before) return NOTHING;
  if (now !== null && sha256(now) !== after) return { ...NOTHING, problem: `${path} has changed since` };
  const former = space.transactions.formerText(name, before);
  if (former === null) return { ...NOTHING, problem: `.steward/history doesn't hold the earlier bytes of ${path}` };
  const permitted = permitChange(space, path, now ?? step.text, former);
  if (!permitted.ok) return { ...NOTHING, problem: permitted.reason };
  const made: Step = now === null ? { do: 'create', path, text: former } : textStep(path, now, former);
  return { ...NOTHING, steps: [made], words: `gives ${path} its earlier bytes back` };
}

/** Returns the text of a note as it is now, null where it is gone, or the problem with it. */
function textNow({ notes }: WriteAccess, path: string): string | null | Pick<StepPlan, 'problem'> {
  const note = notes.fresh(path);
  if (note === null) return notes.text(path) === null ? null : { problem: `${path} can't be read just now` };
  return note.refusal === null ? note.text : { problem: note.refusal.message.replace(/\.$/, '') };
}

function inWords(plans: readonly StepPlan[], otherwise: string): string {
  const words = plans.flatMap((plan) => plan.words ?? []);
  return words.length === 0 ? otherwise : words.join(', ');
}

function fieldWords({ fields }: Extract<Permitted, { ok: true }>): string {
  return fields.length === 0 ? 'the spelling of fields' : fields.join(', ');
}
