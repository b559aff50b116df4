import { dispositionOf } from '../../steward/changes/disposition.ts';
import { permitted } from '../../steward/changes/field-mapping.ts';
import { isHandsOff } from '../../steward/changes/opt-out.ts';
import type { MutationContext, Permission } from '../../steward/changes/permission.ts';
import { discretionGate, type Gate, type Mode, modeGate } from '../../steward/gates/gate.ts';
import { movedOnly, recorded } from '../../steward/learning/calibration.ts';
import { NOTHING_TAUGHT } from '../../steward/learning/lessons.ts';
import { thresholdOf } from '../../steward/learning/sources.ts';
import type { WeighedSignal } from '../../steward/ports/evaluator.ts';
import { withoutPending } from '../../steward/proposals/pending-flag.ts';
import { supersedes } from '../../steward/proposals/proposal-status.ts';
import { patchOf, recipeOf } from '../../undo/patch.ts';
import { StewardError } from '../../vault/errors.ts';
import { editFields } from '../../vault/frontmatter/edit.ts';
import { sha256 } from '../../vault/hash.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import { sourceKey } from '../../vault/note-names.ts';
import { localDate, utc } from '../../vault/time.ts';
import type { Step } from '../../vault/transaction/journal.ts';
import type { NoteReader, NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { followStep, textStep } from '../../vault/transaction/steps.ts';
import { type Refusal, type Reserved, refusalFor, releaseLook, reserveLook } from '../budget/reservation.ts';
import { modeOf, thresholdsOf } from '../context/effective-mode.ts';
import type { Context, IndexAccess, ModelAccess, ReadAccess, Workspace, WriteAccess } from '../context/ports.ts';
import { askWithinBudget, type Decider } from './ask-evaluator.ts';
import type { Decided, Decision, Draft } from './decision.ts';
import { type EventNote, eventNoteText, NO_MARKS, type NoteMarks } from './event-note.ts';
import { tickLesson } from './tick-lesson.ts';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Judges one note: reserve, decide, gate, and act, propose or record (contract, sections 5 and 6). `decide` is asked
 * on the note as it is now, and again where the note changed before the change was published.
 */
export async function decide(
  space: Workspace,
  target: TargetRecord,
  caller: Mode | null,
  type: EventNote['type'],
  judge: Decider,
): Promise<Decided> {
  let look: Reserved | null = null;
  const decided = await space.transactions.attemptAsync(async () => {
    // Each asking takes a place of its own. What asks nobody is one look, however often the note changes under it.
    if (look === null || judge.asks) look = reserveLook(space, target);
    if (!look.ok) return guarded(space, target, type, look.refusal, caller);
    const note = space.notes.fresh(target.path);
    const unfit = unfitNow(space.context, note);
    if (note === null || unfit !== null) {
      releaseLook(space.context, look.id); // nothing was asked
      return unfit ?? GONE;
    }
    const asked = await askWithinBudget(space, target, note, judge, look.id);
    if ('refusal' in asked) return guarded(space, target, type, asked.refusal, caller);
    const now = space.vault.catalogue.get(target.path);
    // While it was judged, it or its matter may have been taken out of the steward's hands.
    if ((now?.kind !== 'task' && now?.kind !== 'matter') || isHandsOff(space, now)) return GONE;
    return carried(space, drafted(space, now, note, asked, caller, look.gate));
  });
  return decided ?? { kind: 'settling', until: space.context.now() + 1000 };
}

const GONE: Decided = { kind: 'gone' };

function unfitNow(context: Context, note: NoteSnapshot | null): Decided | null {
  if (note === null) return GONE;
  return note.settledAt > context.now() ? { kind: 'settling', until: note.settledAt } : null;
}

/** What would come of a decision on the note as it is, each gate with its figures; changes nothing. */
export function preview(space: ModelAccess, target: TargetRecord, note: NoteSnapshot, decision: Decision): Draft {
  const room: Gate = {
    name: 'rate_guard',
    held: true,
    figure: null,
    threshold: 0,
    sentence: 'rate guard: there is room.',
  };
  return drafted(space, target, note, decision, null, refusalFor(space, target)?.gate ?? room);
}

function drafted(
  space: IndexAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  decision: Decision,
  caller: Mode | null,
  rate: Gate,
): Draft {
  const mode = modeOf(space.context, caller);
  const permission = permissionFor(space, target, note, decision);
  const gates = [
    discretionGate(contributing(decision), (source) => thresholdOf(space, source, target)),
    modeGate(mode, decision.confidence, thresholdsOf(space.context)),
    rate,
  ];
  return { mode, gates, decision, note, target, permission, outcome: dispositionOf(mode, gates, permission) };
}

/** The signals of the sources that bear something of the conclusion: the others open no gate for it. */
function contributing({ signals, contributions }: Decision): readonly WeighedSignal[] {
  const bearing = Object.entries(contributions).filter(([, share]) => share > 0);
  const sources = new Set(bearing.map(([source]) => sourceKey(source)));
  return signals.filter(({ sourceType }) => sources.has(sourceKey(sourceType)));
}

function permissionFor(space: IndexAccess, target: TargetRecord, note: NoteSnapshot, decision: Decision): Permission {
  const permission = permitted(decision, contextFor(space, target, note), space.context.settings.field_mapping);
  const leftToPerson = decision.again || decision.decision === 'needs_input';
  return permission.ok && leftToPerson ? { ...permission, needsPerson: true } : permission;
}

/** What the rules of writing need to know of a note. */
export function contextFor(space: IndexAccess, target: TargetRecord, note: NoteSnapshot): MutationContext {
  const { catalogue } = space.vault;
  return {
    kind: target.kind,
    fields: note.data,
    state: target.fields.state,
    stateField: target.kind === 'task' ? target.fields.state_field : 'state',
    editable: space.context.settings.editable_fields,
    protectedFields: space.context.settings.protected_fields,
    matterExists: (link) => catalogue.resolve(link, ['matter'])?.kind === 'matter',
    noteExists: (link) => catalogue.exists(link),
    today: localDate(space.context.now()),
  };
}

// The edit, the note, the intent. Null where the note changed before it could be published.
function carried(space: WriteAccess, asked: Draft): Decided | null {
  const now = space.context.now();
  const { draft, steps, marks } = prepared(space, asked, now);
  const event = space.transactions.eventPath(draft.decision.type, draft.target.path, now);
  const taught = draft.mode === 'shadow' ? NOTHING_TAUGHT : tickLesson(space, draft.decision, event, now);
  const text = eventNoteText({ ...noteFor(draft, now, marks), ...recorded(movedOnly(taught.calibrations)) });
  const stamps = draft.outcome === 'act' ? stampSteps(space.notes, draft.decision.signals, event, now) : [];
  // Where no edit compares the note with what was judged, that is done here.
  if (steps.length === 0 && space.notes.fresh(draft.note.path)?.sha !== draft.note.sha) return null;
  const created: Step = { do: 'create', path: event, text };
  if (!space.transactions.commit(event, [...steps, created, ...stamps, ...taught.steps])) return null;
  remember(space.context, draft.decision.signals, now);
  tell(space.context, draft, event);
  return { kind: ({ act: 'acted', propose: 'proposed', record: 'recorded' } as const)[draft.outcome], event };
}

interface Prepared {
  readonly draft: Draft;
  readonly steps: readonly Step[];
  readonly marks: NoteMarks;
}

// A field written in a way that cannot be edited to the byte is a refusal like any other, and stands in the event note.
function prepared(space: ReadAccess, draft: Draft, now: number): Prepared {
  try {
    return editOfNote(space, draft, now);
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    const refused: Draft = { ...draft, outcome: 'record', permission: { ok: false, reason: error.message } };
    return { draft: refused, steps: [], marks: { ...NO_MARKS, noteSha: draft.note.sha } };
  }
}

function editOfNote(space: ReadAccess, draft: Draft, now: number): Prepared {
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

function editing(draft: Draft, text: string, marks: Omit<NoteMarks, 'noteSha'>): Prepared {
  const { note } = draft;
  const steps = text === note.text ? [] : [textStep(note.path, note.text, text)];
  return { draft, steps, marks: { ...marks, noteSha: sha256(text) } };
}

// What an earlier proposal is overtaken by.
function lasting({ permission, decision }: Draft): { changes: object; signals: readonly string[] } {
  return { changes: permission.ok ? permission.changes : {}, signals: decision.signals.map((signal) => signal.id) };
}

function noteFor(draft: Draft, now: number, marks: NoteMarks): EventNote {
  const { decision, target, note, permission } = draft;
  return {
    type: decision.type,
    now,
    target: target.path,
    decision: decision.decision,
    confidence: decision.confidence,
    mode: draft.mode === 'shadow' ? 'shadow' : 'live',
    outcome: draft.outcome,
    priorState: target.fields.state,
    prior: note.data,
    changes: permission.ok ? permission.changes : {},
    evidence: decision.evidence,
    contributions: decision.contributions,
    signals: decision.signals.map((signal) => signal.path),
    signalsSummary: decision.signals.map((signal) => signal.headline ?? signal.quote ?? signal.id).join('; '),
    evaluator: decision.evaluator,
    usage: decision.usage ?? null,
    reasoning: decision.reasoning,
    gates: draft.gates,
    refusal: permission.ok ? null : permission.reason,
    person: personReason(draft),
    ...marks,
  };
}

// Why only a person decides it, whatever the gates say.
function personReason({ decision, permission }: Draft): string | null {
  if (!permission.ok || !permission.needsPerson) return null;
  if (decision.decision === 'needs_input') return 'something is asked of a person.';
  return decision.again
    ? 'the note was changed by hand since this was first proposed, so it is only proposed again.'
    : 'reopening is only ever proposed.';
}

/** The signals an action rests on, marked as applied in their own notes. */
export function stampSteps(
  notes: NoteReader,
  signals: readonly Pick<WeighedSignal, 'path'>[],
  event: string,
  now: number,
  status: 'applied' | 'skipped' = 'applied',
): Step[] {
  return signals.flatMap((signal) => {
    const step = followStep(notes, signal.path, ({ steward }) =>
      steward === false
        ? []
        : [
            { op: 'set', field: 'status', value: status },
            ...(status === 'applied' ? [{ op: 'set' as const, field: 'applied_at', value: utc(now) }] : []),
            { op: 'set', field: 'audit_record_path', value: event },
          ],
    );
    return step === null ? [] : [step];
  });
}

function remember(context: Context, signals: readonly WeighedSignal[], now: number): void {
  const weighed = context.state.get('weighed');
  for (const signal of signals) weighed[signal.id] = now;
  context.state.touch('weighed');
}

function tell(context: Context, draft: Draft, event: string): void {
  const refused = draft.gates.find((gate) => !gate.held);
  context.emit({
    what: ({ act: 'acted', propose: 'proposed', record: 'recorded' } as const)[draft.outcome],
    event,
    target: draft.target.path,
    decision: draft.decision.decision,
    confidence: draft.decision.confidence,
    changes: draft.permission.ok ? draft.permission.changes : {},
    reason: draft.permission.ok
      ? (refused?.sentence ?? personReason(draft) ?? 'every gate holds')
      : draft.permission.reason,
  });
}

// One event note for a target and a full window, not one a tick: until the window has room again.
function guarded(
  space: WriteAccess,
  target: TargetRecord,
  type: EventNote['type'],
  refusal: Refusal,
  caller: Mode | null,
): Decided {
  const said = space.context.state.get('guarded');
  const key = `${target.path} ${refusal.window}`;
  const until = said[key] ?? 0;
  // A window lasts a day at most: a moment further off was said by a clock that ran ahead.
  if (until > space.context.now() && until <= space.context.now() + DAY) return { kind: 'guarded', refusal };
  const note = space.notes.fresh(target.path);
  if (note === null) return GONE;
  const now = space.context.now();
  const event = space.transactions.eventPath(type, target.path, now);
  const mode = modeOf(space.context, caller) === 'shadow' ? 'shadow' : 'live';
  const text = eventNoteText({
    ...{ type, now, target: target.path, decision: 'rate_guarded', confidence: 0, mode, outcome: 'record' },
    ...{ priorState: target.fields.state, prior: note.data, changes: {}, evidence: [], contributions: {} },
    ...{ signals: [], signalsSummary: '', evaluator: 'none', gates: [refusal.gate], refusal: null, person: null },
    ...NO_MARKS,
    ...{
      noteSha: note.sha,
      reasoning: `Nothing was judged: ${refusal.code === 'budget' ? 'the budget for models is used up' : 'the rate guard had no room'}. The signals wait for a later tick.`,
    },
  });
  space.transactions.commit(event, [{ do: 'create', path: event, text }]);
  said[key] = refusal.freeAt;
  space.context.state.save('guarded'); // as lasting as the note: a crash must not write it twice
  return { kind: 'guarded', refusal };
}
