import { type Overtaking, speakersOf, supersedes } from '../../steward/proposals/overtaking.ts';
import { withoutPending } from '../../steward/proposals/pending-flag.ts';
import { patchOf, recipeOf } from '../../undo/patch.ts';
import { isRefusal } from '../../vault/errors.ts';
import { editFields } from '../../vault/frontmatter/edit.ts';
import { sha256 } from '../../vault/hash.ts';
import type { Step } from '../../vault/transaction/intent.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { ReadAccess } from '../context/ports.ts';
import type { Draft } from './decision.ts';
import { NO_MARKS, type NoteMarks } from './event-note.ts';

/** How an event changes its note: the steps, and the marks that the event note keeps of them. */
interface NoteEdit {
  /** The draft that is carried out: as it was given, or refused because the note cannot be edited. */
  readonly draft: Draft;
  readonly steps: readonly Step[];
  readonly marks: NoteMarks;
}

/**
 * Returns how a draft changes its note: it makes the change, or sets or clears the flag of a proposal; `now` in epoch
 * ms. A field written in a way that cannot be edited to the byte is a refusal like any other, which the event note
 * records.
 */
export function editFor(space: ReadAccess, draft: Draft, now: number): NoteEdit {
  try {
    return editOfNote(space, draft, now);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const permission = { ok: false, reason: error.message, byHand: true } as const;
    return {
      draft: { ...draft, outcome: 'record', permission },
      steps: [],
      marks: { ...NO_MARKS, noteSha: draft.note.sha },
    };
  }
}

function editOfNote(space: ReadAccess, draft: Draft, now: number): NoteEdit {
  const { note, permission, mode } = draft;
  const bare =
    mode === 'shadow' ? note.text : withoutPending(space, note, (event) => supersedes(lasting(draft), event));
  const cleared = bare !== note.text;
  if (draft.outcome === 'act' && permission.ok) {
    const edited = editFields(note.path, bare, permission.edits);
    const recipe = recipeOf(patchOf(note.path, bare, edited.text, edited.patch), now);
    return editing(draft, edited.text, { ...NO_MARKS, recipe, cleared });
  }
  if (draft.outcome === 'propose' && note.data.pending_confirmation !== true) {
    const edited = editFields(note.path, note.text, [{ op: 'set', field: 'pending_confirmation', value: true }]);
    const pendingPatch = patchOf(note.path, note.text, edited.text, edited.patch);
    return editing(draft, edited.text, { ...NO_MARKS, pendingPatch });
  }
  if (draft.outcome === 'record' && cleared) return editing(draft, bare, { ...NO_MARKS, cleared });
  return editing(draft, note.text, NO_MARKS);
}

function editing(draft: Draft, text: string, marks: Omit<NoteMarks, 'noteSha'>): NoteEdit {
  const { note } = draft;
  if (text !== note.text && note.refusal !== null) throw note.refusal;
  const steps = text === note.text ? [] : [textStep(note.path, note.text, text)];
  return { draft, steps, marks: { ...marks, noteSha: sha256(text) } };
}

// By what a draft supersedes an earlier proposal.
function lasting({ permission, decision, outcome }: Draft): Overtaking {
  return {
    changes: permission.ok ? permission.changes : {},
    signals: decision.signals.map((signal) => signal.id),
    speakers: outcome === 'act' ? null : speakersOf(decision.contributions),
    perceived: null,
  };
}
