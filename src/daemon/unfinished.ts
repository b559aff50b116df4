import { z } from 'zod';
import { isProtected, mayBeWritten, ourName } from '../steward/change.ts';
import type { UnfinishedWaiting } from '../steward/inbox.ts';
import { type AnswerRecord, ONLY_ASKED } from '../steward/types.ts';
import type { DecisionWriteAccess } from '../steward/workspace.ts';
import { type Step, textStep } from '../vault/edit.ts';
import { noteBody, type ParsedNote, readNote, same } from '../vault/frontmatter.ts';
import { isUnknownEntry, type UnknownEntry } from '../vault/journal.ts';
import { MAX_NOTE_BYTES, plainPath, stem } from '../vault/layout.ts';
import { intentId, sha256, shellWord } from '../vault/note-text.ts';
import { retire } from '../vault/publish.ts';
import { readRecord, type VaultRecord } from '../vault/record.ts';

const SHA256 = /^[0-9a-f]{64}$/;
/** No action touches more notes. */
const MAX_STEPS = 1_000;

// The path as every part of the program spells it: inside the vault, without control characters.
const notePath = z.string().refine((path) => plainPath(path) === path && !/\p{Cc}/u.test(path));

const editStep = z.object({
  do: z.literal('edit'),
  path: notePath,
  before_sha256: z.string().regex(SHA256),
  after_sha256: z.string().regex(SHA256),
  text: z.string(),
});
const createStep = z.object({ do: z.literal('create'), path: notePath, text: z.string() });
const step = z.discriminatedUnion('do', [editStep.refine((one) => sha256(one.text) === one.after_sha256), createStep]);
const entry = z.object({
  at: z.string().optional().catch(undefined),
  steps: z.array(z.unknown()).min(1).max(MAX_STEPS),
});

/** A step of an entry that this version doesn't know as a whole, as far as it can be read. */
type EntryStep = z.infer<typeof step>;
type EntryEdit = z.infer<typeof editStep>;

/** The readable parts of such an entry. `unread`: how many of its steps can't be. */
interface EntrySteps {
  readonly at: string | null;
  readonly steps: readonly EntryStep[];
  readonly unread: number;
}

/** Returns the steps of an entry, read leniently; null if its deciding step can't be read. */
function readSteps(content: unknown): EntrySteps | null {
  const { data } = entry.safeParse(content);
  const read = data?.steps.map((one) => step.safeParse(one).data) ?? [];
  const steps = read.filter((one) => one !== undefined);
  if (data === undefined || read[0] === undefined) return null;
  return { at: momentIn(data.at), steps, unread: read.length - steps.length };
}

function momentIn(at: string | undefined): string | null {
  const ms = Date.parse(at ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

type Rules = Pick<DecisionWriteAccess, 'vault' | 'context'>;

const STAMPS: readonly string[] = ['status', 'applied_at', 'audit_record_path'];
/** The flag that a proposal sets on its note. */
const FLAG = 'pending_confirmation';

/** A change of a note's text, or the reason why an unfinished action may not make it. */
type Permitted =
  | { readonly ok: true; readonly fields: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Returns whether an entry that the program doesn't know as its own may change a note so: only what an undo recipe may
 * do. Anybody who can write into the vault may have planted it, and hopes for a yes.
 */
function permitChange(space: Rules, path: string, from: string, to: string): Permitted {
  const kind = space.vault.layout.kindOf(path);
  if (kind !== 'task' && kind !== 'matter' && kind !== 'signal')
    return no(`${path} isn't a task, matter or signal note`);
  const [before, after] = [readNote(path, Buffer.from(from)), readNote(path, Buffer.from(to))];
  if (!before.ok || !after.ok) return no(`${path} can't be read as a note, before or after`);
  if (before.note.data.steward === false) return no(`${path} says steward: false`);
  if (noteBody(before.note) !== noteBody(after.note)) return no(`it would change the text of ${path} below the fields`);
  const fields = changedFields(before.note, after.note);
  const forbidden = fields.find((field) => !(kind === 'signal' ? STAMPS.includes(field) : mayBeSet(space, field)));
  return forbidden === undefined ? { ok: true, fields } : no(`it would change the field ${forbidden} of ${path}`);
}

/** Whether a step creates the event note that an action of this name leaves, and has no other purpose. */
function isEventNote({ vault }: Rules, name: string, { do: kind, path, text }: EntryStep): boolean {
  if (kind !== 'create' || vault.layout.kindOf(path) !== 'event' || intentId(path) !== name) return false;
  return readNote(path, Buffer.from(text)).ok;
}

function mayBeSet({ context }: Rules, field: string): boolean {
  const { settings } = context;
  if (field === FLAG) return true;
  return (
    !isProtected(field, settings.protected_fields) && mayBeWritten(ourName(field, settings.field_mapping), settings)
  );
}

function changedFields({ data: before }: ParsedNote, { data: after }: ParsedNote): string[] {
  return Object.keys({ ...before, ...after }).filter((field) => !same(before[field] ?? null, after[field] ?? null));
}

function no(reason: string): Permitted {
  return { ok: false, reason };
}

type Plan =
  | { readonly ok: true; readonly steps: readonly Step[]; readonly removes: EntryStep | null; readonly words: string }
  | { readonly ok: false; readonly reason: string };

/** An action that an earlier, later or other program left unfinished, and what the person can do about it. */
interface Unfinished {
  readonly name: string;
  /** ISO, UTC; null if the entry doesn't say it. */
  readonly at: string | null;
  /** The note that the action is about, or null. */
  readonly target: string | null;
  /** The first sentence: why it waits. */
  readonly why: string;
  readonly complete: Plan;
  readonly rollBack: Plan;
}

interface ForeignEntry {
  readonly name: string;
  /** Tells it from another of its name. */
  readonly digest: string;
  /** The event note that it leads to, as the entry has it; null without one. */
  readonly record: VaultRecord | null;
}

/** Returns the entries of the journal that another key marked, in order of their names. */
export function foreignEntries(space: DecisionWriteAccess): ForeignEntry[] {
  return space.transactions
    .unknownEntries()
    .filter(({ trouble }) => trouble.code === 'journal-foreign')
    .map(({ name, content }) => ({
      name,
      digest: sha256(JSON.stringify(content)),
      record: recordIn(space, name, content),
    }));
}

function recordIn(space: DecisionWriteAccess, name: string, content: unknown): VaultRecord | null {
  const made = readSteps(content)?.steps.find((one) => isEventNote(space, name, one));
  if (made === undefined) return null;
  const { layout } = space.vault;
  const stat = { mtimeMs: 0, ctimeMs: 0, size: made.text.length, ino: 0 };
  return readRecord(layout, space.context.settings.field_mapping, made.path, stat, Buffer.from(made.text));
}

/**
 * Ends such an entry as a recovery ends its own: completes it if its deciding step happened, else takes it out of the
 * journal. An entry with which neither can be done stays, and waits for the person.
 */
export function settleForeign(space: DecisionWriteAccess, name: string): void {
  const entry = space.transactions.unknownEntries().find((one) => one.name === name);
  const read = entry === undefined ? null : readSteps(entry.content);
  if (entry === undefined || read === null) return;
  answerUnfinished(space, name, { kind: isDecided(space, name, read.steps) ? 'confirm' : 'dismiss', dryRun: false });
}

// One step that was made shows that the deciding one was.
function isDecided(space: DecisionWriteAccess, name: string, steps: readonly EntryStep[]): boolean {
  return steps.some((step) => {
    const text = space.notes.text(step.path);
    if (step.do === 'create') return isEventNote(space, name, step) && text !== null;
    return text !== null && sha256(text) === step.after_sha256;
  });
}

interface StepPlan {
  readonly steps: readonly Step[];
  readonly words: string | null;
  readonly problem: string | null;
}

const NOTHING: StepPlan = { steps: [], words: null, problem: null };
const UNREADABLE: Plan = { ok: false, reason: 'the entry is damaged, and its first step cannot be read' };

/** Returns what each answer to an entry of the journal would do now. Changes nothing. */
function planUnfinished(space: DecisionWriteAccess, { name, content, trouble }: UnknownEntry): Unfinished {
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
function completion(space: DecisionWriteAccess, name: string, steps: readonly EntryStep[], unread: number): Plan {
  const plans = steps.map((step) => (step.do === 'edit' ? toComplete(space, name, step) : toCreate(space, name, step)));
  const [first] = plans;
  if (first === undefined || first.problem !== null) return { ok: false, reason: first?.problem ?? 'it has no step' };
  const leftOut = plans.flatMap(({ problem }) => problem ?? []);
  if (unread > 0) leftOut.push(`${unread} of its steps can't be read`);
  const done = inWords(plans, 'changes no note: all of it was done already');
  const words = leftOut.length === 0 ? done : `${done}; leaves out: ${leftOut.join('; ')}`;
  return { ok: true, steps: plans.flatMap((plan) => plan.steps), removes: null, words };
}

function toComplete(space: DecisionWriteAccess, name: string, step: EntryEdit): StepPlan {
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
  return {
    ...NOTHING,
    steps: [made],
    words: `changes ${permitted.fields.length === 0 ? 'the spelling of fields' : permitted.fields.join(', ')} in ${path}`,
  };
}

function toCreate(space: DecisionWriteAccess, name: string, step: EntryStep): StepPlan {
  const { path, text } = step;
  if (!isEventNote(space, name, step)) return { ...NOTHING, problem: `${path} isn't the event note of this action` };
  if (space.notes.text(path) !== null) return NOTHING;
  return { ...NOTHING, steps: [{ do: 'create', path, text }], words: `writes the event note ${path}` };
}

function rollback(space: DecisionWriteAccess, name: string, steps: readonly EntryStep[]): Plan {
  const edits = steps.filter((step) => step.do === 'edit').map((step) => toRestore(space, name, step));
  const problem = edits.find((plan) => plan.problem !== null)?.problem ?? null;
  if (problem !== null) return { ok: false, reason: problem };
  const removes = steps.find((step) => isEventNote(space, name, step) && space.notes.text(step.path) !== null) ?? null;
  if (removes !== null && space.notes.text(removes.path) !== removes.text) {
    return {
      ok: false,
      reason: `its event note has been written to since; \`steward undo ${shellWord(stem(removes.path))}\` undoes the change`,
    };
  }
  const moved =
    removes === null ? [] : [{ ...NOTHING, words: `moves the event note ${removes.path} to .steward/history` }];
  const words = inWords([...edits, ...moved], 'changes no note: no part of it was done');
  return { ok: true, steps: edits.flatMap((plan) => plan.steps), removes, words };
}

function toRestore(space: DecisionWriteAccess, name: string, step: EntryEdit): StepPlan {
  const { path, before_sha256: before, after_sha256: after } = step;
  const now = textNow(space, path);
  if (typeof now === 'object' && now !== null) return { ...NOTHING, ...now };
  if (now !== null && sha256(now) === before) return NOTHING;
  if (now !== null && sha256(now) !== after) return { ...NOTHING, problem: `${path} has changed since` };
  const former = space.transactions.formerText(name, before);
  if (former === null) return { ...NOTHING, problem: `.steward/history doesn't have the earlier bytes of ${path}` };
  const permitted = permitChange(space, path, now ?? step.text, former);
  if (!permitted.ok) return { ...NOTHING, problem: permitted.reason };
  const made: Step = now === null ? { do: 'create', path, text: former } : textStep(path, now, former);
  return { ...NOTHING, steps: [made], words: `gives ${path} its earlier bytes back` };
}

function textNow({ notes }: DecisionWriteAccess, path: string): string | null | Pick<StepPlan, 'problem'> {
  const note = notes.fresh(path);
  if (note === null) return notes.text(path) === null ? null : { problem: `${path} can't be read just now` };
  return note.refusal === null ? note.text : { problem: note.refusal.message.replace(/\.$/, '') };
}

function inWords(plans: readonly StepPlan[], otherwise: string): string {
  const words = plans.flatMap((plan) => plan.words ?? []);
  return words.length === 0 ? otherwise : words.join(', ');
}

/** How many unfinished actions are listed: more than these were not left by an update. */
const MAX_LISTED = 50;

/** An order about an unfinished action: to complete it (`confirm`), or to roll it back (`dismiss`). */
interface UnfinishedOrder {
  readonly kind: 'confirm' | 'dismiss';
  readonly dryRun: boolean;
}

function listUnfinished(space: DecisionWriteAccess): Unfinished[] {
  if (space.problems.recovery.length === 0 || space.vault.away !== null) return [];
  return space.transactions
    .unknownEntries()
    .slice(0, MAX_LISTED)
    .map((entry) => planUnfinished(space, entry));
}

function findUnfinished(space: DecisionWriteAccess, name: string): Unfinished | null {
  return listUnfinished(space).find((one) => one.name === name) ?? null;
}

/** Returns an unfinished action as an entry of the list of what waits: what each answer would do, in one sentence each. */
export function waitingUnfinished(space: DecisionWriteAccess): UnfinishedWaiting[] {
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
export function answerUnfinished(
  space: DecisionWriteAccess,
  name: string,
  { kind, dryRun }: UnfinishedOrder,
): AnswerRecord | null {
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
    const done = answerWith(one, outcomes[kind], `This answer ${words}.`);
    if (dryRun) return { ...done, message: `${done.message} ${ONLY_ASKED}` };
    return carryOut(space, one, kind, plan) ? done : null;
  });
}

const outcomes = { confirm: 'confirmed', dismiss: 'dismissed' } as const;

function carryOut(
  space: DecisionWriteAccess,
  { name }: Unfinished,
  kind: UnfinishedOrder['kind'],
  plan: Plan,
): boolean {
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

function refused({ name, target, complete }: Unfinished, kind: UnfinishedOrder['kind'], reason: string): AnswerRecord {
  const other = kind === 'confirm' ? 'dismiss' : 'confirm';
  const isOther = kind === 'confirm' || complete.ok;
  const next = isOther ? ` \`steward ${other} ${shellWord(name)}\` is the other answer.` : '';
  return answerWith({ name, target }, 'refused', `No note was changed: ${reason}.${next}`);
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
  outcome: AnswerRecord['outcome'],
  message: string,
): AnswerRecord {
  return {
    event: name,
    outcome,
    note: null,
    target,
    changes: {},
    calibration: {},
    untaught: null,
    message,
    until: null,
  };
}
