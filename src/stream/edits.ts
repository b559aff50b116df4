import { endOfLocalDay, parseLocalTime } from '../steward/local-time.ts';
import type { Extracted, Meaning, StreamEvent } from '../steward/ports.ts';
import type { FieldMapping, MatterRecord, TargetRecord, TaskRecord, VaultRecord } from '../vault/index/record.ts';
import { lastTicked } from '../vault/notes.ts';
import { bodyOf, keyPosition, type ParsedNote } from '../vault/parsed-note.ts';
import { quoted } from '../vault/reading-words.ts';
import { OWN_HAND, VAULT_EDIT } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';
import { cutAt, plainText } from './mail/plain-text.ts';

const MAX_QUOTE = 50;

/** Returns the line of a note that an edit has changed, as it reads and cut; null where it has no such line any more. */
export function quoteOf(kind: EditKind, note: ParsedNote, mapping: FieldMapping): string | null {
  const line = kind === 'boxes' ? lastTicked(bodyOf(note)) : fieldLine(note, namesOf(FIELD[kind], mapping));
  return line === null ? null : cutAt(plainText(line).trim(), MAX_QUOTE).trimEnd();
}

const FIELD = { done: 'state', completed: 'completedDate' } as const;

// Where a note has both, ours counts.
function namesOf(field: string, mapping: FieldMapping): string[] {
  const theirs = Object.entries(mapping).flatMap(([name, ours]) => (ours === field ? [name] : []));
  return [field, ...theirs];
}

function fieldLine(note: ParsedNote, names: readonly string[]): string | null {
  const name = names.find((one) => Object.hasOwn(note.data, one));
  const at = name === undefined ? null : keyPosition(note, name);
  return at === null ? null : (note.text.split('\n')[at.line - 1] ?? null);
}

/** An edit by hand, and what lies around it. */
export interface EditScene {
  readonly kind: EditKind;
  /** The note that was edited, as it is now. */
  readonly note: TargetRecord;
  /** The matter that it is or belongs to; null where there is none, or it has ended. */
  readonly matter: MatterRecord | null;
  /** How many tasks of the matter are open now. */
  readonly openTasks: number;
  /** Whether it may be asked if the matter is over: nothing asks so already. */
  readonly mayClose: boolean;
  /** The line that was changed, at most 50 characters of it. */
  readonly quote: string;
}

/** An edit as an event of the stream, and what it means. */
interface ReadEdit {
  readonly event: StreamEvent;
  readonly extracted: Extracted;
}

/** Returns what an edit by hand means; null where it concerns no note that a signal could be about. */
export function readEdit(scene: EditScene): ReadEdit | null {
  const { kind, note, matter, quote } = scene;
  const target = kind === 'completed' ? note : matter;
  if (target === null) return null;
  const meaning: Meaning = {
    ...{ target: target.path, candidates: [target.path], ambiguous: false, targetConfidence: 1 },
    ...{ targetEvidence: ['link'], targetNear: true, endsMatter: false, quote, effectConfidence: 1 },
    ...meant(scene),
  };
  const found = { skipped: null, rejected: [], unusable: null, usage: null, extractor: 'edits by hand (embedded)' };
  return { event: eventOf(scene), extracted: { meanings: [meaning], ...found } };
}

/** Whether an edit leaves nothing of its matter open: no task, no checkbox. */
export function leavesNothing({ matter, openTasks }: Pick<EditScene, 'matter' | 'openTasks'>): boolean {
  return matter !== null && openTasks === 0 && (matter.boxes?.open ?? 0) === 0;
}

function eventOf({ kind, note, quote }: EditScene): StreamEvent {
  return {
    ...{ path: note.path, sourceType: VAULT_EDIT, originAt: utc(note.stat.mtimeMs) },
    ...{ from: OWN_HAND, fromName: null, to: [], subject: HEADLINE[kind](note.name), text: quote, quoted: '' },
    ...{ bulk: false, bulkReason: null, ownNote: false, warnings: [], shown: null, doubts: [] },
    // Whoever writes into the vault could have made the change itself: there is nobody to be taken in.
    authentication: { result: 'pass', server: null, reason: 'it was seen in the note itself' },
  };
}

const HEADLINE: Readonly<Record<EditKind, (name: string) => string>> = {
  done: (name) => `${name} is done`,
  completed: (name) => `${name} has a completedDate and is still open`,
  boxes: (name) => `All checkboxes of ${name} are ticked`,
};

function meant(scene: EditScene): Pick<Meaning, 'proposal' | 'reasoning' | 'isNews'> {
  const { kind, note, matter } = scene;
  if (kind === 'completed') {
    return {
      proposal: doneOn(note),
      reasoning: `You gave ${quoted(note.name)} a completedDate, and its state is still open.`,
    };
  }
  const what =
    kind === 'done' ? `You ticked ${quoted(note.name)} as done.` : 'You ticked the last open checkbox of this matter.';
  const closes = scene.mayClose && leavesNothing(scene);
  if (!closes) return { proposal: null, isNews: true, reasoning: [what, leftOf(scene)].join(' ').trim() };
  const why = `All tasks and checkboxes of ${matterWords(matter)} are done, so it may be over.`;
  return { proposal: DONE, reasoning: `${what} ${why}` };
}

const DONE: NonNullable<Meaning['proposal']> = { class: 'state_change', set: { state: 'done' }, add: {}, remove: {} };

// The day stays as it was written: the program would write that of today.
function doneOn({ fields, kind }: TargetRecord): NonNullable<Meaning['proposal']> {
  const day = kind === 'task' ? fields.completedDate : null;
  return day === null ? DONE : { ...DONE, set: { ...DONE.set, completedDate: day } };
}

function leftOf({ matter, openTasks }: EditScene): string {
  const boxes = matter?.boxes?.open ?? 0;
  const parts = [
    ...(openTasks === 0 ? [] : [`${openTasks} ${openTasks === 1 ? 'task' : 'tasks'}`]),
    ...(boxes === 0 ? [] : [`${boxes} ${boxes === 1 ? 'checkbox' : 'checkboxes'}`]),
  ];
  const isOne = openTasks + boxes === 1;
  return parts.length === 0
    ? ''
    : `${parts.join(' and ')} of ${matterWords(matter)} ${isOne ? 'is' : 'are'} still open.`;
}

function matterWords(matter: MatterRecord | null): string {
  return matter === null ? 'its matter' : quoted(matter.name);
}

/**
 * What a hand has done to a note: ticked a task done, given an open one a `completedDate`, ticked the last open checkbox
 * of a matter.
 */
export type EditKind = 'done' | 'completed' | 'boxes';

/**
 * Returns what an edit says has happened, by the note as it was before and as it is now; null where it says nothing. LAW:
 * nothing for a note that was not there before, nor for an older file that came back. `now`: epoch ms.
 */
export function editOf(before: TargetRecord, after: TargetRecord, now: number): EditKind | null {
  if (after.stat.mtimeMs <= before.stat.mtimeMs || !isLiving(before)) return null;
  if (before.kind === 'task') return after.kind === 'task' ? taskEdit(before, after, now) : null;
  if (after.kind !== 'matter' || !isLiving(after)) return null;
  const [was, is] = [before.boxes ?? NO_BOXES, after.boxes ?? NO_BOXES];
  return was.open > 0 && is.open === 0 && is.ticked > was.ticked ? 'boxes' : null;
}

const NO_BOXES = { open: 0, ticked: 0 };

function taskEdit(before: TaskRecord, after: TaskRecord, now: number): EditKind | null {
  if (after.fields.state === 'done') return 'done';
  const { completedDate: day } = after.fields;
  const isNew = before.fields.completedDate === null && day !== null;
  return isLiving(after) && isNew && isPast(day, now) ? 'completed' : null;
}

// A day to come is a plan.
function isPast(day: string, now: number): boolean {
  const at = parseLocalTime(day);
  return at !== null && at < endOfLocalDay(now);
}

/** Whether an edit opens again what was over: a hand does so now and then, a whole vault that is set back does nothing else. */
export function isReopened(before: TargetRecord, after: TargetRecord): boolean {
  return !isLiving(before) && isLiving(after);
}

/** Whether a change of a record may be an edit that says something: the rest need not be remembered until it has come to rest. */
export function mayBeEdit(before: VaultRecord | null, after: VaultRecord | null): before is TargetRecord {
  if (before?.kind !== 'task' && before?.kind !== 'matter') return false;
  if (after?.kind === 'bad') return true; // half written: what it was before is known only now
  if (before.kind === 'task') return after?.kind === 'task' && isOtherTask(before, after);
  return after?.kind === 'matter' && (before.boxes?.open ?? 0) > (after.boxes?.open ?? 0);
}

function isOtherTask({ fields: one }: TaskRecord, { fields: other }: TaskRecord): boolean {
  return one.state !== other.state || one.completedDate !== other.completedDate;
}

function isLiving({ fields: { state } }: TargetRecord): boolean {
  return state === 'open' || state === 'snoozed';
}
