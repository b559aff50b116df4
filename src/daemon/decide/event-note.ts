import type { PlaneAction } from '../../plane/order.ts';
import type { Gate } from '../../steward/gates/gate.ts';
import { reasonIn } from '../../steward/gates/refusal-words.ts';
import type { Usage } from '../../steward/ports/evaluator.ts';
import { sealEvent } from '../../vault/index/seals.ts';
import { wikilink } from '../../vault/links.ts';
import { stem } from '../../vault/note-names.ts';
import { briefly, brieflyAll, changeLine, clipped, fieldLine, noteText, oneLine } from '../../vault/notes/note-text.ts';
import { NOBODY_SPOKE, type SaidBy, spokenFields } from '../../vault/notes/spoken.ts';
import type { EventOutcome, EvidenceItem, UndoRecipe, VaultPatch } from '../../vault/records/event.ts';
import type { RecordedGate } from '../../vault/records/gate.ts';
import type { Changes } from '../../vault/records/mutation.ts';
import type { Frontmatter } from '../../vault/records/values.ts';
import type { Seal } from '../../vault/seal.ts';
import { utc } from '../../vault/time.ts';
import { type Becoming, boxFields, EVENT_CLASSES, saysField, undoable } from '../../vault/words/becoming.ts';
import { type EventTelling, eventBody, type Standing } from '../../vault/words/event-words.ts';
import { withPlaneRevert } from '../plane/plane-action.ts';

/** Everything an event note says of one action, proposal or record. */
export interface EventNote extends NoteMarks {
  readonly type: 'steward-action' | 'signal-action';
  readonly now: number;
  readonly target: string;
  /** The link to its matter; absent where there is none. */
  readonly matter?: string;
  readonly decision: string;
  readonly confidence: number;
  readonly mode: 'shadow' | 'live';
  readonly outcome: 'act' | 'propose' | 'record';
  /** Whether a person is asked for something though no change is proposed. */
  readonly asks?: boolean;
  readonly spoken?: Spoken;
  /** What the program found by itself, without a signal, as one text that can be compared; absent for anything else. */
  readonly perceived?: string;
  /** What Plane is to be told of it; absent or null where nothing. */
  readonly plane?: PlaneAction | null;
  readonly priorState: string;
  readonly prior: Frontmatter;
  readonly changes: Changes;
  readonly evidence: readonly EvidenceItem[];
  readonly contributions: Readonly<Record<string, number>>;
  /** Signal notes, by vault-relative path. */
  readonly signals: readonly string[];
  readonly signalsSummary: string;
  readonly evaluator: string;
  /** The tokens and cost of the model; absent where none was asked. */
  readonly usage?: Usage | null;
  readonly reasoning: string;
  readonly gates: readonly Gate[];
  /** Why the proposed change may not be made at all, or null. */
  readonly refusal: string | null;
  /** Why only a person may decide it, so that it is proposed even if every gate holds; null where no person has to. */
  readonly person: string | null;
}

/** Who spoke and in which words, where the signals say so. */
export interface Spoken extends SaidBy {
  /** What is odd about the sender or the text: sentences. */
  readonly warnings: readonly string[];
  /** The accounts in which mails lie that the vault does not keep; absent where it keeps all. */
  readonly accounts?: readonly string[];
}

/** What an event did to the bytes of its target. */
export interface NoteMarks {
  /** Removes the flag that this event set. */
  readonly pendingPatch: VaultPatch | null;
  /** Whether this event removed the flag of a proposal that it supersedes. */
  readonly cleared: boolean;
  readonly recipe: UndoRecipe | null;
  /** SHA-256 of the note as this event leaves it. */
  readonly noteSha: string;
}

/** The marks of an event that did nothing to the note. */
export const NO_MARKS = { pendingPatch: null, cleared: false, recipe: null };

/** The longest text of signals in a field. */
const MAX_TEXT = 4000;

function shortened({ source, ref, note }: EvidenceItem): EvidenceItem {
  return { source, ref: clipped(ref, 500), note: clipped(note, 500) };
}

function standingOf({ outcome, changes, asks }: EventNote): Standing {
  if (outcome === 'act') return 'acted';
  if (Object.keys(changes).length > 0) return 'proposal';
  return asks === true ? 'question' : 'record';
}

const OUTCOME: Readonly<Record<Standing, EventOutcome>> = {
  acted: 'acted',
  proposal: 'proposed',
  question: 'recorded',
  record: 'recorded',
};

/**
 * Returns the text of an event note: first what a person reads or ticks, then the frontmatter for programs with the
 * program's mark, then a body for people. `path`: where the note will be.
 */
export function eventNoteText(note: EventNote, path: string, seal: Seal): string {
  const standing = standingOf(note);
  const waits = standing === 'proposal' || standing === 'question';
  const now = becomingOf(note, standing);
  const said = spokenFields(note.spoken ?? NOBODY_SPOKE);
  const frontmatter = {
    ...boxFields(now),
    change: lineOf(note, standing),
    ...said,
    waiting: waits,
    outcome: OUTCOME[standing],
    cssclasses: EVENT_CLASSES,
    type: note.type,
    timestamp: utc(note.now),
    ...(note.matter === undefined ? {} : { matter: note.matter }),
    target: wikilink(note.target),
    target_path: note.target,
    decision: note.decision,
    confidence: note.confidence,
    mode: note.mode,
    prior_state: note.priorState,
    prior_frontmatter: brieflyAll(note.prior),
    // A proposal's values are compared with the note's before it is confirmed; an action's exact ones are in its
    // recipe.
    changes: note.outcome === 'act' ? briefly(note.changes) : note.changes,
    evidence: note.evidence.map(shortened),
    source_contributions: note.contributions,
    signals: note.signals.map(wikilink),
    signals_summary: clipped(oneLine(note.signalsSummary), MAX_TEXT),
    ...(note.perceived === undefined ? {} : { perceived: note.perceived }),
    evaluator: note.evaluator,
    ...(note.usage == null ? {} : { usage: note.usage }),
    gates: recordedGates(note),
    pending_confirmation: waits,
    ...(note.pendingPatch === null ? {} : { pending_patch: note.pendingPatch }),
    ...(note.cleared ? { pending_cleared: true } : {}),
    note_sha256: note.noteSha,
    ...saysField(now),
    plane_action: note.plane ?? null,
    undo_recipe: withPlaneRevert(note.recipe, note.plane ?? null, path),
  };
  return noteText(sealEvent(seal, path, frontmatter), eventBody(tellingOf(note, standing, said), now));
}

function becomingOf({ recipe }: EventNote, standing: Standing): Becoming {
  if (standing === 'proposal' || standing === 'question') return { kind: 'open', asks: standing };
  return standing === 'acted' ? undoable('change', recipe) : { kind: 'nothing' };
}

function tellingOf(note: EventNote, standing: Standing, said: SaidBy): EventTelling {
  return {
    ...{ standing, target: stem(note.target), decision: note.decision, confidence: note.confidence, mode: note.mode },
    ...{ changes: note.changes, isPerceived: note.perceived !== undefined, from: said.from, quote: said.quote },
    ...{ summary: note.signalsSummary, reasoning: note.reasoning, warnings: note.spoken?.warnings ?? [] },
    ...{ accounts: note.spoken?.accounts ?? [], gates: recordedGates(note), refusal: note.refusal },
    ...{ evaluator: note.evaluator, signals: note.signals.map(stem) },
  };
}

function lineOf(note: EventNote, standing: Standing): string | null {
  const line = changeLine(note.changes);
  if (line === null) return standing === 'question' ? questionLine(note) : null;
  return note.perceived === undefined ? line : fieldLine(`${line}: ${note.reasoning}`);
}

function questionLine({ signalsSummary, reasoning }: EventNote): string | null {
  return fieldLine(signalsSummary) ?? fieldLine(reasoning);
}

/** The gates as they are recorded: the measured ones, and those of the rules of writing that refused. */
function recordedGates({ gates, refusal, person }: EventNote): RecordedGate[] {
  const ruled = { figure: null, threshold: null, held: false };
  return [
    ...gates.map(recordedGate),
    ...(refusal === null ? [] : [{ gate: 'writing', ...ruled, reason: refusal }]),
    ...(person === null ? [] : [{ gate: 'person', ...ruled, reason: person }]),
  ];
}

/** Returns a gate as an event note records it. */
export function recordedGate({ name, figure, threshold, held, sentence }: Gate): RecordedGate {
  return { gate: name, figure, threshold, held, reason: reasonIn(sentence) };
}
