import type { Extracted, Meaning } from '../../steward/ports/extractor.ts';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import type { MatterRecord, TargetRecord } from '../../vault/index/record.ts';
import { OWN_HAND, VAULT_EDIT } from '../../vault/source-names.ts';
import { utc } from '../../vault/time.ts';
import { quoted } from '../../vault/words/reading-words.ts';
import type { EditKind } from './edit.ts';

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
