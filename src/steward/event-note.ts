import path from 'node:path';
import { type EditStep, editedText, type FieldEdit, followStep } from '../vault/edit.ts';
import {
  type AnswerState,
  BOXES,
  becomingKey,
  becomingWords,
  boxesFor,
  boxFields,
  EVENT_CLASSES,
  type EventRole,
  type EventTelling,
  eventBody,
  gateWarning,
  isForged,
  markedQuote,
  NOW_PART,
  REMARKS,
  saysField,
  undoable,
  undoableKind,
} from '../vault/event-text.ts';
import { type Changes, type Frontmatter, readNote, type Yaml } from '../vault/frontmatter.ts';
import { saysItPassed, saysItWaits } from '../vault/index.ts';
import { stem, streamFilePath } from '../vault/layout.ts';
import { nameKey, pathLink, wikilink } from '../vault/links.ts';
import {
  briefly,
  brieflyAll,
  changeLine,
  clipped,
  fieldLine,
  findChosen,
  hasChosen,
  joinLines,
  NOBODY_SPOKE,
  noteMoment,
  noteText,
  type SaidBy,
  spokenFields,
  withPart,
} from '../vault/note-text.ts';
import {
  type EventFields,
  type EventOutcome,
  type EventRecord,
  type EvidenceItem,
  isSiblingType,
  type MatterRecord,
  type RecordedGate,
  type ReversalRecord,
  type SignalRecord,
  stateMeant,
  type TargetRecord,
  type UndoRecipe,
  type VaultPatch,
  type VaultRecord,
} from '../vault/record.ts';
import { recordEdits, recordValue } from '../vault/record-text.ts';
import { type Seal, sealEvent } from '../vault/seal.ts';
import { addressFirst, isOfBookings, NOBODY } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';
import { ourName } from './change.ts';
import { extractReason, type Gate } from './gates.ts';
import { licenceTerms } from './licence.ts';
import {
  handsOffReason,
  isAnswerOnly,
  isChoice,
  isQuestion,
  isReversed,
  mayMeanAnother,
  type ProposalState,
  proposalState,
  reversalHolding,
  waitingAbout,
} from './proposals.ts';
import { answeredTarget } from './records.ts';
import { identifySpeaker } from './sender.ts';
import type { ExternalEffect, Usage } from './types.ts';
import type { DecisionContext, DecisionIndexAccess, DecisionReadAccess } from './workspace.ts';

/** Everything an event note says of one action, proposal or record. */
export interface EventNote extends NoteMarks {
  readonly type: 'steward-action' | 'signal-action';
  readonly now: number;
  readonly target: string;
  /** The link to it; by its name alone if no link is given. */
  readonly targetLink?: string;
  /** The link to its matter; absent if there isn't one. */
  readonly matter?: string;
  readonly decision: string;
  readonly confidence: number;
  readonly mode: 'shadow' | 'live';
  readonly outcome: 'act' | 'propose' | 'record';
  /** Whether a person is asked for something though no change is proposed. */
  readonly asks?: boolean;
  /** Whether the box `always` would sign a licence for its sender. */
  readonly licensable?: boolean;
  readonly spoken?: Spoken;
  /**
   * The finding of the program itself, without a signal, as one text that can be compared; absent for anything else.
   */
  readonly perceived?: string;
  readonly effect?: ExternalEffect | null;
  readonly priorState: string;
  readonly prior: Frontmatter;
  readonly changes: Changes;
  readonly evidence: readonly EvidenceItem[];
  readonly contributions: Readonly<Record<string, number>>;
  /** Signal notes, by vault-relative path. */
  readonly signals: readonly string[];
  /** All signals that were evaluated together, by path; absent if they are those above. */
  readonly considered?: readonly string[];
  /** The note of the licence under which it acted; absent or null if there isn't one. */
  readonly licence?: string | null;
  readonly signalsSummary: string;
  readonly evaluator: string;
  /** The tokens and cost of the model; absent if no model was asked. */
  readonly usage?: Usage | null;
  readonly reasoning: string;
  readonly gates: readonly Gate[];
  /** Why the proposed change may not be made at all, or null. */
  readonly refusal: string | null;
  /**
   * Why only a person may decide it, so that it is proposed even if every gate passed; null if the gates may decide.
   */
  readonly person: string | null;
}

interface Spoken extends SaidBy {
  /** The stream file that was read, if the vault keeps it; else null. */
  readonly mail: string | null;
  /** Anomalies of the sender or the text, as sentences. */
  readonly warnings: readonly string[];
  /** The accounts of the mails that the vault does not keep; absent if it keeps all. */
  readonly accounts?: readonly string[];
}

/** The effects of an event on the bytes of its target. */
export interface NoteMarks {
  readonly pendingPatch: VaultPatch | null;
  /** Whether this event removed the flag of a proposal that it supersedes. */
  readonly cleared: boolean;
  readonly recipe: UndoRecipe | null;
  /** SHA-256 of the note as this event leaves it. */
  readonly noteSha: string;
}

/** The marks of an event that had no effect on the note. */
export const NO_MARKS = { pendingPatch: null, cleared: false, recipe: null };

/**
 * Returns the text of an event note: first what a person reads or ticks, then the frontmatter for programs with the
 * program's mark, then a body for people. `path`: where the note will be.
 */
export function eventNoteText(note: EventNote, path: string, seal: Seal): string {
  const standing = stateOf(note);
  const waits = standing === 'proposal' || standing === 'question';
  const now = becomingOf(note, standing);
  const said = spokenFields(note.spoken ?? NOBODY_SPOKE);
  const recorded = recordedGates(note);
  const frontmatter = {
    ...warningField(recorded),
    ...boxFields(now),
    change: lineOf(note, standing),
    ...said,
    waiting: waits,
    outcome: OUTCOME[standing],
    cssclasses: EVENT_CLASSES,
    ...mailField(note.spoken?.mail ?? null),
    type: note.type,
    timestamp: utc(note.now),
    ...(note.matter === undefined ? {} : { matter: note.matter }),
    target: note.targetLink ?? wikilink(note.target),
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
    ...(leftOut(note).length === 0 ? {} : { considered: (note.considered ?? []).map(wikilink) }),
    ...(note.licence == null ? {} : { licence: wikilink(note.licence) }),
    signals_summary: clipped(joinLines(note.signalsSummary), MAX_TEXT),
    ...(note.perceived === undefined ? {} : { perceived: note.perceived }),
    evaluator: note.evaluator,
    ...(note.usage == null ? {} : { usage: note.usage }),
    gates: recorded,
    pending_confirmation: waits,
    ...(note.pendingPatch === null ? {} : { pending_patch: note.pendingPatch }),
    ...(note.cleared ? { pending_cleared: true } : {}),
    note_sha256: note.noteSha,
    ...saysField(now),
    plane_action: note.effect?.action ?? null,
    undo_recipe: withRevert(note.recipe, note.effect ?? null, path),
  };
  return noteText(sealEvent(seal, path, frontmatter), eventBody(tellingOfEventNote(note, standing, said), now));
}

const OUTCOME: Readonly<Record<EventRole, EventOutcome>> = {
  acted: 'acted',
  proposal: 'proposed',
  question: 'recorded',
  record: 'recorded',
};

function stateOf({ outcome, changes, asks }: EventNote): EventRole {
  if (outcome === 'act') return 'acted';
  if (Object.keys(changes).length > 0) return 'proposal';
  return asks === true ? 'question' : 'record';
}

function leftOut({ signals, considered = [] }: EventNote): string[] {
  return considered.filter((path) => !signals.includes(path));
}

/** The longest text of signals in a field. */
const MAX_TEXT = 4000;

function shortened({ source, ref, note }: EvidenceItem): EvidenceItem {
  return {
    source,
    ref: clipped(ABSOLUTE.test(ref) ? ref.replace(/^.*[\\/]/s, '') : ref, 500),
    note: clipped(note, 500),
  };
}

/** How a path begins that names folders of this machine: others who share the vault only see the file's name. */
const ABSOLUTE = /^(?:file:|~?[\\/]|[a-z]:[\\/])/i;

function becomingOf({ recipe, licensable, gates }: EventNote, standing: EventRole): AnswerState {
  const isAsked = standing === 'proposal' || standing === 'question';
  if (isAsked && isForged(gates.map(recordedGate))) return { kind: 'open', asks: 'forged' };
  if (standing === 'proposal' && licensable === true) return { kind: 'open', asks: 'licensable' };
  if (standing === 'proposal' || standing === 'question') return { kind: 'open', asks: standing };
  return standing === 'acted' ? undoable('change', recipe) : { kind: 'nothing' };
}

function tellingOfEventNote(note: EventNote, standing: EventRole, said: SaidBy): EventTelling {
  return {
    standing,
    target: stem(note.target),
    decision: note.decision,
    confidence: note.confidence,
    mode: note.mode,
    changes: note.changes,
    isPerceived: note.perceived !== undefined,
    from: said.from,
    isBooking: isOfBookings(note.contributions),
    quote: said.quote,
    summary: note.signalsSummary,
    reasoning: withoutOthers(note),
    warnings: note.spoken?.warnings ?? [],
    mail: note.spoken?.mail ?? null,
    accounts: note.spoken?.accounts ?? [],
    gates: recordedGates(note),
    refusal: note.refusal,
    evaluator: note.evaluator,
    signals: note.signals.map(stem),
  };
}

// The reasons may name signals that the note isn't based on. It links none of them, so that it isn't found as theirs.
function withoutOthers({ reasoning, signals, considered = [] }: EventNote): string {
  const others = considered.filter((path) => !signals.includes(path));
  return others.reduce((text, path) => text.replaceAll(` [[${stem(path)}]]`, ''), reasoning);
}

function lineOf(note: EventNote, standing: EventRole): string | null {
  const line = changeLine(note.changes);
  if (line !== null) return note.perceived === undefined ? line : fieldLine(`${line}: ${note.reasoning}`);
  return standing === 'question' ? (fieldLine(note.signalsSummary) ?? fieldLine(note.reasoning)) : null;
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
  return { gate: name, figure, threshold, held, reason: extractReason(sentence) };
}

/** The most warnings about the senders that are shown. */
const MAX_WARNINGS = 3;

/** Returns who spoke in some signals, and in which words: the strongest signal, and how many other senders there are. */
export function spokenBy(space: DecisionIndexAccess, signals: readonly { readonly path: string }[]): Spoken {
  const strength = (signal: SignalRecord) =>
    Math.min(signal.fields.target_confidence, identifySpeaker(space, signal).effectConfidence);
  const found = signals
    .flatMap(({ path }) => {
      const signal = space.vault.catalogue.get(path);
      return signal?.kind === 'signal' ? [{ fields: signal.fields, strength: strength(signal) }] : [];
    })
    .sort((one, other) => other.strength - one.strength)
    .map(({ fields }) => fields);
  const [strongest] = found;
  const senders = new Set(found.map(senderOf));
  return {
    from: strongest === undefined ? null : senderOf(strongest),
    others: Math.max(0, senders.size - 1),
    warnings: [...new Set(found.flatMap(({ warnings }) => warnings))].slice(0, MAX_WARNINGS),
    accounts: [...new Set(found.flatMap((one) => findAccount(space.context, one.source_event_path) ?? []))],
    quote: (strongest === undefined ? null : markedQuote(strongest)) ?? strongest?.headline ?? null,
    mail: keptFile(space, strongest?.source_event_path ?? null),
  };
}

/** Returns the stream file with an event, if the vault keeps it; else null. */
export function keptFile({ vault }: DecisionIndexAccess, event: string | null): string | null {
  const file = event === null ? null : streamFilePath(event);
  return file !== null && vault.streams.has(file) ? file : null;
}

/**
 * Returns the field that names, before all others, the problem with the sender or the words; empty if there isn't one.
 */
export function warningField(gates: readonly RecordedGate[]): { readonly warning?: string } {
  const warning = fieldLine(gateWarning(gates) ?? '');
  return warning === null ? {} : { warning };
}

/** Returns the field that links to the file that was read; empty without one, or if its name would break the link. */
export function mailField(file: string | null): { readonly mail?: string } {
  return file === null || /[[\]|#^]/.test(file) ? {} : { mail: pathLink(file) };
}

// Without a name, only the channel is known.
function senderOf({ from, pattern, source_type: channel }: SignalRecord['fields']): string {
  return from === null ? (pattern === null || pattern === NOBODY ? channel : pattern) : addressFirst(from);
}

/** Returns what a change of a note also does in another system; null for a matter, and if it has no effect there. */
export function externalEffect(
  space: DecisionIndexAccess,
  target: TargetRecord,
  changes: Changes,
): ExternalEffect | null {
  const { settings, external } = space.context;
  if (external == null || target.kind !== 'task') return null;
  const change = Object.entries(changes).find(([field]) => ourName(field, settings.field_mapping) === 'state')?.[1];
  return external.effect(target, stateMeant(change?.after, space.vault.catalogue.words));
}

/** Returns an event's recipe with what would be taken back elsewhere. `path`: where the event note will be. */
export function withRevert(recipe: UndoRecipe | null, effect: ExternalEffect | null, path: string): UndoRecipe | null {
  return recipe === null || effect === null ? recipe : { ...recipe, plane_revert: effect.revert(stem(path)) };
}

interface EventOutcomeNow {
  /** The flat fields; null for a note whose fields are never moved: the record of an answer, and a reversal. */
  readonly flags: { readonly waits: boolean; readonly outcome: EventOutcome } | null;
  /** The program's part of the body; null if it stays as it is. */
  readonly becoming: AnswerState | null;
}

/** Returns what has become of an event, as its note should say it. */
export function outcomeNow(space: DecisionReadAccess, event: EventRecord | ReversalRecord): EventOutcomeNow {
  // The record of an answer is an answer because of its outcome.
  if (event.kind === 'reversal' || isSiblingType(event.fields.type))
    return { flags: null, becoming: madeNow(space, event) };
  if (event.fields.undo_recipe !== null) {
    return closed(isReversed(space, event) ? 'reversed' : 'acted', madeNow(space, event));
  }
  const status = proposalState(space, event);
  switch (status.kind) {
    case 'none':
      // One that was closed before stays as it is.
      return saysItWaits(event.fields) ? closed('recorded', { kind: 'nothing' }) : { flags: null, becoming: null };
    case 'waiting':
    case 'stale':
      return openNow(space, event);
    case 'confirmed':
      return confirmedNow(space, status.by);
    case 'dismissed':
      return closed('dismissed', {
        ...{ kind: 'dismissed', by: status.by.name, at: timeOf(status.by) },
        ...{ later: status.by.fields.later, until: undoableUntil(space, status.by) },
      });
    case 'superseded':
      return closed('superseded', { kind: 'superseded', by: status.by.name });
    case 'settled':
      // A person's own hand has overtaken a proposal; the occasion of a question has passed.
      return closed(isChoice(event) || isQuestion(event) ? 'expired' : 'superseded', settled(status));
  }
}

/**
 * Returns what an event note should say once Steward has left the vault (epoch ms): answers and undos have no effect
 * then.
 */
export function outcomeWithoutSteward(space: DecisionReadAccess, event: EventRecord | ReversalRecord, at: number) {
  const now = outcomeNow(space, event);
  switch (now.becoming?.kind) {
    case 'open':
      return closed('expired', { kind: 'left', at, isAsked: true });
    case 'undoable':
    case 'forcible':
      return { ...now, becoming: { kind: 'left', at, isAsked: false } } satisfies EventOutcomeNow;
    case 'confirmed':
    case 'dismissed':
      return { ...now, becoming: { ...now.becoming, until: null } } satisfies EventOutcomeNow;
    default:
      return now;
  }
}

type RecordedOutcome = Pick<EventFields, 'says'> &
  Partial<Pick<EventFields, 'waiting' | 'pending_confirmation' | 'remark'>> & { readonly outcome: string | null };

/** Whether a note says already what has become of it: most do, and are not read again. */
export function isUpToDate(
  fields: RecordedOutcome,
  { flags, becoming }: EventOutcomeNow,
  remark: string | null,
): boolean {
  if ((fields.remark ?? null) !== remark) return false;
  // A note that is only a record has no such part.
  if (becoming !== null && fields.says !== null && fields.says !== becomingKey(becoming)) return false;
  if (flags === null) return true;
  const { outcome, waiting, pending_confirmation: pending } = fields;
  return outcome === flags.outcome && waiting === flags.waits && pending === flags.waits;
}

/** Returns an event note that says what has become of it: flat fields, boxes and the program's part of the body. */
export function noteNow(path: string, text: string, data: Frontmatter, now: EventOutcomeNow, remark: string | null) {
  const edited = editedText(path, text, [...nowEdits(data, now), ...edit(data, 'remark', remark)]);
  if (edited === null || now.becoming === null || !hasPart(data)) return edited;
  const told = withPart(edited, NOW_PART, becomingWords(now.becoming)) ?? edited;
  return withBoxes(path, told, now.becoming);
}

function nowEdits(data: Frontmatter, { flags, becoming }: EventOutcomeNow): FieldEdit[] {
  const flat = flags === null ? [] : flagEdits(data, flags);
  if (becoming === null || !hasPart(data)) return flat;
  return [...flat, ...recordEdits(data, { says: becomingKey(becoming) }), ...idleBoxes(data, becoming)];
}

/** Whether a note's body has a part of the program's own: a note that is only a record has none. */
function hasPart(data: Frontmatter): boolean {
  return recordValue(data, 'says') !== null;
}

function flagEdits(data: Frontmatter, { waits, outcome }: NonNullable<EventOutcomeNow['flags']>): FieldEdit[] {
  const flag = (field: string) => edit(data, field, waits || Object.hasOwn(data, field) ? waits : null);
  return [...flag('waiting'), ...flag('pending_confirmation'), ...edit(data, 'outcome', outcome)];
}

function edit(data: Frontmatter, field: string, value: Yaml): FieldEdit[] {
  if ((data[field] ?? null) === value) return [];
  return value === null ? [{ op: 'delete', field }] : [{ op: 'set', field, value }];
}

/** `force` is also what a reversal records of itself, so it is no box that comes and goes. */
const COMING_AND_GOING = BOXES.filter((box) => box !== 'force');

// Ticks and words of a person stay.
function idleBoxes(data: Frontmatter, becoming: AnswerState): FieldEdit[] {
  const meant = boxesFor(becoming);
  return COMING_AND_GOING.filter((box) => !meant.includes(box) && isIdle(data, box)).map((field) => {
    return { op: 'delete', field };
  });
}

function isIdle(data: Frontmatter, box: string): boolean {
  if (!Object.hasOwn(data, box)) return false;
  const value = data[box] ?? null;
  return value === false || value === null || value === '';
}

// A box that can mean something again goes to its place in a new note: to the front.
function withBoxes(path: string, text: string, becoming: AnswerState): string {
  const read = readNote(path, Buffer.from(text));
  if (!read.ok || read.note.block === null) return text;
  const { data, block } = read.note;
  const missing = COMING_AND_GOING.filter((box) => boxesFor(becoming).includes(box) && !Object.hasOwn(data, box));
  const lines = missing.map((box) => `${box}: ${box === 'choose' ? '""' : 'false'}${block.eol}`).join('');
  return text.slice(0, block.start) + lines + text.slice(block.start);
}

function closed(outcome: EventOutcome, becoming: AnswerState): EventOutcomeNow {
  return { flags: { waits: false, outcome }, becoming };
}

function openNow(space: DecisionReadAccess, event: EventRecord): EventOutcomeNow {
  const proposal = licenceTerms(space, event) === null ? 'proposal' : 'licensable';
  const kind = isChoice(event) ? 'choice' : isQuestion(event) ? 'question' : proposal;
  const outcome = kind === 'question' ? 'recorded' : 'proposed';
  const asks = isForged(event.fields.gates) ? 'forged' : kind;
  return { flags: { waits: true, outcome }, becoming: { kind: 'open', asks } };
}

function confirmedNow(space: DecisionReadAccess, answer: EventRecord): EventOutcomeNow {
  const made = madeNow(space, answer);
  if (made.kind === 'reversed' || isReversed(space, answer)) return closed('reversed', made);
  const until = undoableUntil(space, answer);
  return closed('confirmed', { kind: 'confirmed', by: answer.name, at: timeOf(answer), until });
}

/** Returns until when an answer can be taken back (epoch ms); null if it can't, or no longer. */
function undoableUntil(space: DecisionReadAccess, answer: EventRecord): number | null {
  const made = madeNow(space, answer);
  return made.kind === 'undoable' ? made.until : null;
}

function settled({ reason, by, isMade }: Extract<ProposalState, { kind: 'settled' }>): AnswerState {
  return { kind: 'settled', by: by?.name ?? null, reason, isMade: isMade === true };
}

/** The outcome of something that was made: a change, the record of an answer, a reversal. */
function madeNow(space: DecisionReadAccess, event: EventRecord | ReversalRecord): AnswerState {
  const reversal = reversalHolding(space, event);
  if (reversal !== null) return { kind: 'reversed', by: reversal.name, at: timeOf(reversal) };
  if (event.kind === 'reversal' && event.fields.outcome === 'conflict') return conflictNow(space, event);
  return stillOpen(space, undoable(undoableKind(event.kind, event.fields.undo_recipe), event.fields.undo_recipe));
}

// Once it was taken back after all, force has no use any more.
function conflictNow(space: DecisionReadAccess, { fields }: ReversalRecord): AnswerState {
  const { reverses } = fields;
  const subject = reverses === null ? null : space.vault.catalogue.resolve(reverses, ['event', 'reversal']);
  if (subject?.kind !== 'event' && subject?.kind !== 'reversal') return { kind: 'nothing' };
  const reversal = reversalHolding(space, subject);
  if (reversal !== null) return { kind: 'reversed', by: reversal.name, at: timeOf(reversal) };
  const until = Date.parse(subject.fields.undo_recipe?.expires_at ?? '');
  const isOpen = !Number.isNaN(until) && !fields.force;
  return isOpen ? stillOpen(space, { kind: 'forcible', until }) : { kind: 'nothing' };
}

function stillOpen(space: DecisionReadAccess, becoming: AnswerState): AnswerState {
  const isOver = 'until' in becoming && becoming.until !== null && becoming.until < space.context.now();
  return isOver ? { kind: 'over', until: becoming.until } : becoming;
}

function timeOf({ name, kind, fields }: EventRecord | ReversalRecord): number {
  return noteMoment(name, kind === 'event' ? fields.timestamp : fields.settled_at);
}

/** Returns why an answer in an event note has no effect there; null if it may have one, or if there is no answer. */
export function remarkOn(space: DecisionReadAccess, event: EventRecord): string | null {
  const { type, confirm, undo, undo_recipe: recipe } = event.fields;
  const declined = isDeclined(event);
  if (isSiblingType(type) || !(confirm || declined || undo || hasChosen(event.fields))) return null;
  if (recipe !== null) return confirm || declined ? REMARKS.isMade : null;
  const status = proposalState(space, event);
  switch (status.kind) {
    case 'none':
      return undo ? REMARKS.changedNothing : REMARKS.nothingProposed;
    case 'waiting':
    case 'stale':
      return remarkOnOpen(space, event);
    default:
      return remarkOnClosed(event, status);
  }
}

/** Returns the matter or task that a person has chosen, or why it cannot be the one. */
export function chosenTarget(space: DecisionReadAccess, choose: string): TargetRecord | string {
  const found = space.vault.catalogue.resolve(choose, ['task', 'matter']);
  if (found?.kind !== 'task' && found?.kind !== 'matter') return REMARKS.noSuchNote;
  return handsOffReason(space, found) ?? found;
}

/** Whether a person has ticked that a proposal is not to be made, for good or for now. */
function isDeclined({ fields: { dismiss, later } }: EventRecord): boolean {
  return dismiss || later;
}

function remarkOnOpen(space: DecisionReadAccess, event: EventRecord): string | null {
  const { confirm, dismiss, later, undo } = event.fields;
  const declined = isDeclined(event);
  if (later && (confirm || dismiss)) return REMARKS.oneBox;
  if (confirm && dismiss) return REMARKS.both;
  if (undo && !isReopened(space, event)) return REMARKS.changedNothingYet;
  if (isQuestion(event) && !hasChosen(event.fields)) return confirm ? REMARKS.onlySeen : null;
  if (!isChoice(event) && !hasChosen(event.fields)) return null;
  if (!isChoice(event) && !mayMeanAnother(space, event)) return REMARKS.onlyOne;
  if (declined) return hasChosen(event.fields) ? REMARKS.chosenAndDismissed : null;
  if (!hasChosen(event.fields)) return REMARKS.which;
  const choose = findChosen(event.fields);
  if (choose === null) return REMARKS.several;
  const chosen = chosenTarget(space, choose);
  return typeof chosen === 'string' ? chosen : null;
}

function remarkOnClosed(
  event: EventRecord,
  status: Exclude<ProposalState, { kind: 'none' | 'waiting' | 'stale' }>,
): string | null {
  const { confirm, undo } = event.fields;
  const declined = isDeclined(event);
  if (status.kind === 'confirmed') return declined ? REMARKS.confirmed(status.by.name) : null;
  if (undo && !(status.kind === 'dismissed' && isAnswerOnly(status.by))) return REMARKS.changedNothing;
  if (status.kind === 'dismissed') return confirm ? REMARKS.dismissed(status.by.name) : null;
  if (!confirm && !declined) return null;
  return status.kind === 'settled' ? REMARKS.settled(status.reason) : REMARKS.superseded(status.by.name);
}

/** Returns the step by which an answer closes the event note it answers; null if the note stays as it is. */
export function closingStep(
  space: DecisionReadAccess,
  event: EventRecord,
  outcome: EventOutcome,
  becoming: AnswerState,
): EditStep | null {
  const now = { flags: { waits: false, outcome }, becoming };
  return followStep(space.notes, event.path, (data) => nowEdits(data, now), {
    marks: NOW_PART,
    text: becomingWords(becoming),
  });
}

/** Whether the answer to an event was taken back, so that it waits again. */
function isReopened(space: DecisionReadAccess, event: EventRecord): boolean {
  const answers = space.vault.catalogue.answersTo(event.name);
  return answers.some((answer) => isAnswerOnly(answer) && isReversed(space, answer));
}

/** The boxes by which a person answers an open event. */
const ANSWERS = ['confirm', 'always', 'dismiss', 'later', 'choose'] as const;

/**
 * Returns the step by which an event note waits again, since its answer is taken back: without the ticks that gave the
 * answer, which would give it again. Null if the note can't be edited, or needs no edit. The rest of what it says follows.
 * `waits`: false if something else has closed it.
 */
export function reopeningStep(space: DecisionReadAccess, event: EventRecord, waits: boolean): EditStep | null {
  const flags = waits ? openNow(space, event).flags : null;
  return followStep(space.notes, event.path, (data) => [
    ...ANSWERS.filter((box) => Object.hasOwn(data, box) && !isIdle(data, box)).map((field): FieldEdit => {
      return { op: 'set', field, value: field === 'choose' ? '' : false };
    }),
    ...(flags === null ? [] : flagEdits(data, flags)),
  ]);
}

/** Returns the paths of the event notes of which a record may have changed what has become of them. */
export function concernedBy(space: DecisionReadAccess, record: VaultRecord): string[] {
  return [...new Set(concerned(space, record).map(({ path }) => path))];
}

// A finding on a task rests on its matter as well.
function foundUnder({ vault: { catalogue } }: DecisionReadAccess, matter: MatterRecord): EventRecord[] {
  return catalogue.waiting('event').filter(({ fields: { perceived, target_path: path } }) => {
    const note = perceived === null || path === null ? undefined : catalogue.get(catalogue.currentPath(path));
    return note?.kind === 'task' && catalogue.matterOf(note)?.path === matter.path;
  });
}

function concerned(space: DecisionReadAccess, record: VaultRecord): (EventRecord | ReversalRecord)[] {
  const { catalogue } = space.vault;
  switch (record.kind) {
    case 'event': {
      const { confirms, dismisses, target_path: target, signals } = record.fields;
      return [
        record,
        ...answered(space, confirms ?? dismisses),
        ...(target === null ? [] : waitingOf(catalogue.eventsAbout(target))),
        ...waitingOf(signals.flatMap((signal) => catalogue.eventsOfSignal(nameKey(signal)))),
      ];
    }
    case 'reversal': {
      const undone = answered(space, record.fields.reverses);
      return [record, ...undone, ...undone.flatMap((one) => reopenable(space, answeredTarget(one)))];
    }
    case 'signal':
      // A signal that was withdrawn may count again, and with it a proposal that was closed.
      return catalogue.eventsOfSignal(record.name);
    case 'task':
    case 'matter':
      return [
        ...waitingOf(catalogue.eventsAbout(record.path)),
        ...reopenable(space, record.path),
        ...catalogue.passedChoices(record.name),
        ...(record.kind === 'matter' ? foundUnder(space, record) : []),
      ];
    default:
      return [];
  }
}

// A note that was closed and is open again may have opened what was asked and proposed about it.
function reopenable(space: DecisionReadAccess, path: string | null): EventRecord[] {
  if (path === null) return [];
  const passed = space.vault.catalogue.eventsAbout(path).filter(({ fields }) => saysItPassed(fields));
  return [...passed, ...waitingAbout(space, path).map(({ event }) => event)];
}

function waitingOf(events: readonly EventRecord[]): EventRecord[] {
  return events.filter(({ fields }) => saysItWaits(fields));
}

// Taking back a confirmation, or a reversal, is about the event that it answers in turn.
function answered(space: DecisionReadAccess, link: string | null, depth = 0): (EventRecord | ReversalRecord)[] {
  const found = link === null ? null : space.vault.catalogue.resolve(link, ['event', 'reversal']);
  if (found === null || depth > MOST_ANSWERS) return [];
  if (found.kind === 'reversal') return [found, ...answered(space, found.fields.reverses, depth + 1)];
  const { confirms, dismisses } = found.kind === 'event' ? found.fields : { confirms: null, dismisses: null };
  return found.kind === 'event' ? [found, ...answered(space, confirms ?? dismisses, depth + 1)] : [];
}

/** How far a chain of answers to answers is followed. */
const MOST_ANSWERS = 20;

/**
 * Remembers, on disk, that these files are to be deleted once they have been read. Called before they are written, so
 * that a crash leaves no mail behind. Throws what the disk refuses.
 */
export function expectFleeting({ state, now }: Pick<DecisionContext, 'state' | 'now'>, files: readonly string[]): void {
  const here = state.get('fleeting');
  const fresh = files.filter((file) => !Object.hasOwn(here, file));
  if (fresh.length === 0) return;
  for (const file of fresh) {
    here[file] = now();
    state.touch('fleeting', file);
  }
  state.save('fleeting');
}

/**
 * Returns the account of the mail at this path, or of the mail that carried its event, if the vault does not keep it;
 * else null.
 */
export function findAccount({ state }: Pick<DecisionContext, 'state'>, event: string | null): string | null {
  const [here, cleared] = [state.get('fleeting'), state.get('cleared')];
  const file = event === null ? null : streamFilePath(event);
  if (file === null || !(Object.hasOwn(here, file) || Object.hasOwn(cleared, file))) return null;
  return path.posix.basename(path.posix.dirname(file));
}
