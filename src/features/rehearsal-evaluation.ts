import { z } from 'zod';
import type { Workspace } from '../daemon/context.ts';
import { isSameDate } from '../reading/targets.ts';
import { isStateField, mutationContext, ourName, permit, proposalChanges } from '../steward/change.ts';
import {
  effectiveThresholds,
  type Gate,
  modeGate,
  type Right,
  round4,
  signalGates,
  type Witness,
} from '../steward/gates.ts';
import { requiredConfidence } from '../steward/instinct.ts';
import { rightToAct } from '../steward/licence.ts';
import { kindOfChange, shutOut } from '../steward/sender.ts';
import type { StreamEvent } from '../steward/types.ts';
import type { SignalDraft } from '../streams/signal.ts';
import { isBoxHeadline } from '../vault/event-text.ts';
import { changeLine, gravestWarning } from '../vault/note-text.ts';
import {
  AUTHENTICATION_RESULTS,
  LICENCE_KINDS,
  type MutationProposal,
  parseState,
  stateMeant,
  TARGET_EVIDENCE,
} from '../vault/record.ts';
import { claimedPattern, sourceName } from '../vault/source-names.ts';
import { localDate, startOfDay } from '../vault/time.ts';
import {
  isEnd,
  isUsers,
  type NotePast,
  PAST_SOURCES,
  type PastMove,
  type PastSource,
  type PastVault,
  type RememberedNote,
  valueAt,
} from './past-vault.ts';
import { computeShare } from './report.ts';

/** Steward's decision in the mode `live` about one thing that an event says. */
export interface EvaluatedDraft {
  readonly would: 'applied' | 'proposed' | 'asked';
  /** The notes that it could be about, the likeliest first: one, unless the user would have been asked. */
  readonly notes: readonly string[];
  /** Null if it only asks the user for something. */
  readonly change: RehearsedChange | null;
  /** The change in one line: `state open → done`. */
  readonly words: string;
  /** The gates that failed, most serious first; none for a question. */
  readonly failed: readonly Gate[];
  /** Whether it would have been applied if its sender had had a licence. */
  readonly needsLicenceOnly: boolean;
}

/** The vault at the moment of an event. */
interface EvaluatedAt {
  /** Its clock shows that moment. */
  readonly space: Workspace;
  readonly past: PastVault;
  readonly notes: ReadonlyMap<string, RememberedNote>;
}

/** Returns what would have become of a signal; null if it would have asked without proposing a change. */
export function evaluateDraft(then: EvaluatedAt, draft: SignalDraft): EvaluatedDraft | null {
  const { space, past, notes } = then;
  if (draft.effect === 'none') return null;
  const source = sourceOfDraft(draft);
  const isHeard = (path: string) => {
    const note = notes.get(path);
    return note !== undefined && past.index.isOpen(path) && shutOut(space, source, note.record) === null;
  };
  const meant = draft.target_ambiguous ? draft.target_candidates : [draft.target_path];
  const heard = meant.filter(isHeard);
  const [path] = heard;
  const note = path === undefined ? undefined : notes.get(path);
  if (note === undefined) return null;
  const proposal = draft.mutation_proposal === null ? null : wholeProposal(draft.mutation_proposal);
  if (proposal === null || draft.effect === 'action')
    return { would: 'asked', notes: heard, change: null, words: askedWords(draft), ...NO_GATES };
  const permission = permissionThen(then, note, proposal);
  const change = changeIn(note, proposal);
  if (draft.target_ambiguous && change !== null)
    return { would: 'asked', notes: heard, change, words: `${change.field} → ${change.value}`, ...NO_GATES };
  if (!permission.ok || permission.edits.length === 0 || change === null) return null;
  const { completedDate: _, ...changes } = permission.changes;
  const words = changeLine(changes) ?? '';
  const right = rightThen(space, draft, note, change);
  const gates = gatesThen(then, draft, note, change, right);
  const licensed = gatesThen(then, draft, note, change, { ok: true, licence: null, sentence: '' });
  const isApplied = !permission.needsPerson && gates.every(({ held }) => held);
  const needsLicenceOnly = !permission.needsPerson && licensed.every(({ held }) => held);
  const failed = gates.filter(({ held }) => !held);
  return { would: isApplied ? 'applied' : 'proposed', notes: heard, change, words, failed, needsLicenceOnly };
}

function askedWords({ headline }: SignalDraft): string {
  return isBoxHeadline(headline) ? headline : 'something is asked of you';
}

const NO_GATES = { failed: [], needsLicenceOnly: false } as const;

/** Returns the sender of a signal, as what is learnt about it is called. */
function sourceOfDraft({ source_type: channel, pattern }: SignalDraft): string {
  return sourceName(channel, pattern);
}

function wholeProposal({
  class: name,
  set = {},
  add = {},
  remove = {},
}: NonNullable<SignalDraft['mutation_proposal']>) {
  const lists = (all: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(all).map(([field, members]) => [field, [...members]]));
  return { class: name, set: { ...set }, add: lists(add), remove: lists(remove) } satisfies MutationProposal;
}

// The note's fields as they were then, under its own names.
function permissionThen({ space }: EvaluatedAt, { record, data, past }: RememberedNote, proposal: MutationProposal) {
  const at = space.context.now();
  const state = parseState(valueAt(past, 'state', at, record.fields.state) ?? '') ?? record.fields.state;
  const context = mutationContext(space, record, data);
  const due = record.kind === 'task' ? valueAt(past, 'due', at, record.fields.due) : null;
  // Its day of completion came with its end.
  const isOpenAgain = isEnd(record.fields.state) && !isEnd(state);
  const written = Object.entries(data).flatMap(([name, value]): [string, typeof value][] => {
    const ours = ourName(name, space.context.settings.field_mapping);
    if (isOpenAgain && ours === 'completedDate') return [];
    return [[name, ours === 'due' ? due : value]];
  });
  const then = { ...Object.fromEntries(written), ...(isOpenAgain ? { [context.stateField]: state } : {}) };
  return permit(proposalChanges(proposal), { ...context, state, fields: then });
}

function changeIn({ record }: RememberedNote, proposal: MutationProposal): RehearsedChange | null {
  const all = proposalChanges(proposal).filter(({ field }) => field !== 'completedDate');
  const main = all.find(({ field }) => isStateField(field)) ?? all.find(({ field }) => field === 'due') ?? all[0];
  if (main === undefined) return null;
  const text = typeof main.value === 'string' ? main.value : JSON.stringify(main.value);
  const isState = isStateField(main.field);
  const value = isState ? (stateMeant(text, []) ?? text) : text;
  return { field: isState ? 'state' : main.field, value, kind: kindOfChange(record, main.field, value) };
}

function voiceOf(draft: SignalDraft) {
  const { source_type: channel, pattern, authenticated: vouched, target_evidence } = draft;
  const evidence = TARGET_EVIDENCE.filter((kind) => target_evidence.includes(kind));
  return { source: sourceOfDraft(draft), channel, pattern, writer: 'own' as const, vouched, evidence };
}

// A licence counts from the day on which it was signed.
function rightThen(space: Workspace, draft: SignalDraft, { record }: RememberedNote, { kind }: RehearsedChange): Right {
  const right = rightToAct(space, voiceOf(draft), record, kind);
  const licence = right.ok && right.licence !== null ? space.vault.catalogue.get(right.licence) : undefined;
  const signed = licence?.kind === 'licence' ? Date.parse(licence.fields.signed_at ?? '') : Number.NEGATIVE_INFINITY;
  return signed > space.context.now() ? { ok: false, sentence: 'its licence was signed later.' } : right;
}

function gatesThen(
  { space, past }: EvaluatedAt,
  draft: SignalDraft,
  { record }: RememberedNote,
  change: RehearsedChange,
  right: Right,
): readonly Gate[] {
  const voice = voiceOf(draft);
  const { source, pattern } = voice;
  const witness: Witness = {
    ...voice,
    sender: pattern === null ? source : claimedPattern(pattern),
    server: draft.authenticated_by,
    near: draft.target_near,
    targetConfidence: draft.target_confidence,
    reading: draft.effect_confidence_raw,
    effectConfidence: draft.effect_confidence,
    threshold: requiredConfidence(space, source, record, right.ok),
    silence: null,
    warning: gravestWarning(draft.warnings ?? []),
    endsMatter: draft.ends_matter === true,
    doubt: draft.doubts?.[0] ?? null,
  };
  const closes = record.kind === 'matter' && change.kind === 'matter';
  const confidence = round4(Math.min(draft.target_confidence, draft.effect_confidence));
  return [
    ...signalGates(witness, right, closes ? past.index.openTasksOf(record.path).length : null),
    modeGate('live', confidence, effectiveThresholds(space.context)),
  ];
}

/** An action of the user within this time after an event counts as being about it (contract, 18.7). */
const WINDOW_DAYS = 14;
const DAY_MS = 86_400_000;
export const WINDOW_MS = WINDOW_DAYS * DAY_MS;

/** Whether the user did something within 14 days after an event. The last day counts as a whole: notes have days without times. */
export function isInWindow(eventAt: number, doneAt: number): boolean {
  return doneAt > eventAt && doneAt < startOfDay(eventAt, WINDOW_DAYS + 1);
}

/** One change that an event means. */
const rehearsedChange = z
  .object({
    field: z.string(),
    /** As it would be written; a state by the program's own word. */
    value: z.string(),
    kind: z.enum(LICENCE_KINDS),
  })
  .readonly();
export type RehearsedChange = z.infer<typeof rehearsedChange>;

/** Whether the user did the same, something else, or it isn't known. */
export interface RehearsalOutcome {
  readonly verdict: 'right' | 'wrong' | 'unknown';
  /** Why, without a full stop: `you completed it on 2026-03-12, 2 days later`. */
  readonly reason: string;
  /** When the user did it (epoch ms); null if they didn't, or it isn't known. */
  readonly at: number | null;
  /** From where that is known. */
  readonly by: PastSource | null;
}

/** Returns what the user did about a change of a note that an event meant at a moment. All times in epoch ms. */
export function evaluateChange(change: RehearsedChange, past: NotePast, at: number, now: number): RehearsalOutcome {
  if (change.field === 'state') return outcomeOfState(change.value, past, at, now);
  if (change.field === 'due') return outcomeOfDue(change.value, past, at, now);
  return unknown(`the outcome of ${change.field} isn't compared`);
}

/** Returns the outcome of a question that offers several notes: that of the note on which the user did it. */
export function bestOutcome(outcomes: readonly RehearsalOutcome[]): RehearsalOutcome {
  const [first] = ['right', 'unknown', 'wrong'].flatMap(
    (verdict) => outcomes.find((outcome) => outcome.verdict === verdict) ?? [],
  );
  return first ?? unknown('it asks something of you');
}

function outcomeOfState(wanted: string, past: NotePast, at: number, now: number): RehearsalOutcome {
  const later = past.moves.filter((move) => move.field === 'state' && move.at > at && isUsers(move));
  const within = later.filter((move) => isInWindow(at, move.at));
  const made = within.find(({ after }) => after === wanted);
  if (made !== undefined) return { verdict: 'right', reason: didWords(made, at), at: made.at, by: made.by };
  const undone = outcomeOfUndone(past, at, ({ field, after }) => field === 'state' && after === wanted);
  if (undone !== null) return undone;
  const other = within.find(({ after }) => isEnd(after));
  if (other !== undefined) return { verdict: 'wrong', reason: didWords(other, at), at: other.at, by: other.by };
  const end = later.find(({ after }) => after === wanted);
  // The last edit of a file comes after its completion, by a day or by a year.
  if (end?.by === 'file') return unknown(`when you ${DID[wanted] ?? 'changed it'} isn't known`);
  if (end !== undefined) return { verdict: 'wrong', reason: `${didWords(end, at)}`, at: end.at, by: end.by };
  if (at + WINDOW_MS > now) return unknown(`it was less than ${WINDOW_DAYS} days ago`);
  return { verdict: 'wrong', reason: 'you left it open', at: null, by: null };
}

function outcomeOfDue(wanted: string, past: NotePast, at: number, now: number): RehearsalOutcome {
  const within = past.moves.filter((move) => isInWindow(at, move.at) && isUsers(move));
  const moved = within.filter(({ field }) => field === 'due');
  const made = moved.find(({ after }) => after !== null && isSameDate(after, wanted));
  if (made !== undefined) return { verdict: 'right', reason: didWords(made, at), at: made.at, by: made.by };
  const undone = outcomeOfUndone(past, at, ({ field, after }) => {
    return field === 'due' && after !== null && isSameDate(after, wanted);
  });
  if (undone !== null) return undone;
  const other = moved.at(-1);
  if (other !== undefined) return { verdict: 'wrong', reason: didWords(other, at), at: other.at, by: other.by };
  if (past.datesSince === null || past.datesSince > at) return unknown("its earlier date isn't known");
  if (within.some(({ after }) => isEnd(after))) return unknown('you closed it and left its date');
  if (at + WINDOW_MS > now) return unknown(`it was less than ${WINDOW_DAYS} days ago`);
  return { verdict: 'wrong', reason: 'you left its date', at: null, by: null };
}

// Whoever undid a change has said that it was wrong.
function outcomeOfUndone(past: NotePast, at: number, isMeant: (move: PastMove) => boolean): RehearsalOutcome | null {
  const undone = past.moves.find((move) => move.fate === 'undone' && isInWindow(at, move.at) && isMeant(move));
  return undone === undefined ? null : { verdict: 'wrong', reason: didWords(undone, at), at: undone.at, by: undone.by };
}

function unknown(reason: string): RehearsalOutcome {
  return { verdict: 'unknown', reason, at: null, by: null };
}

const DID: Readonly<Record<string, string>> = {
  done: 'completed it',
  archived: 'archived it',
  snoozed: 'snoozed it',
  open: 'opened it again',
};

/**
 * Returns what the user did, and how long after the event: `you completed it on 2026-03-12, 2 days later`. Of a change that was
 * undone: `Steward completed it on 2026-03-12, 2 days later, and you undid that`.
 */
export function didWords({ field, after, at, fate }: PastMove, since: number): string {
  const did = field === 'due' ? `moved it to ${after ?? 'no day'}` : (DID[after ?? ''] ?? 'changed it');
  const days = Math.round((Date.parse(localDate(at)) - Date.parse(localDate(since))) / DAY_MS);
  const later = days <= 0 ? 'the same day' : `${days} ${days === 1 ? 'day' : 'days'} later`;
  const words = `${did} on ${localDate(at)}, ${later}`;
  return fate === 'undone' ? `Steward ${words}, and you undid that` : `you ${words}`;
}

/** An event of a file, with its moment. */
export interface GatheredEvent {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly event: StreamEvent;
  readonly file: string;
  readonly place: string | null;
}

/** One event, and one thing that Steward would have done about it, or has missed. */
export const rehearsedCase = z
  .object({
    /** When the event happened: ISO, UTC. */
    at: z.string(),
    /** The sender as shown, and as what is learnt about it is called. */
    from: z.string().nullable(),
    source: z.string(),
    authenticated: z.enum(AUTHENTICATION_RESULTS),
    subject: z.string(),
    /** The absolute path of its file, or the name of its source; and where in it the event is, null if it is the whole file. */
    file: z.string(),
    place: z.string().nullable(),
    would: z.enum(['applied', 'proposed', 'asked', 'missed']),
    /** The notes that it could be about, the likeliest first. */
    notes: z.array(z.string()).readonly(),
    /** The name of the matter; null without a matter. */
    matter: z.string().nullable(),
    change: rehearsedChange.nullable(),
    /** The change in one line. */
    words: z.string(),
    /** The sentence that it rests on. */
    quote: z.string(),
    confidence: z.number(),
    /** Why it would only have been proposed, most serious first; why nothing was read in a missed one. */
    why: z.array(z.string()).readonly(),
    needsLicenceOnly: z.boolean(),
    verdict: z.enum(['right', 'wrong', 'unknown', 'missed']),
    reason: z.string(),
    /** When the user did it: ISO; null if they didn't, or it isn't known. */
    doneAt: z.string().nullable(),
    by: z.enum(PAST_SOURCES).nullable(),
    /** Whether its sender had said the same within fourteen days before: it isn't counted again. */
    isRepeat: z.boolean(),
  })
  .readonly();
export type RehearsedCase = z.infer<typeof rehearsedCase>;

export interface TallyRow {
  readonly name: string;
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  readonly unknown: number;
  /** The share of right ones among those that are known to be right or wrong; null if they are too few for a figure. */
  readonly share: ReturnType<typeof computeShare>;
}

/** The outcome of all cases. If a source says the same twice within fourteen days, it is counted once. */
export interface RehearsalTally {
  readonly total: TallyRow;
  readonly byWould: readonly TallyRow[];
  readonly bySender: readonly TallyRow[];
  readonly byMatter: readonly TallyRow[];
  readonly byKind: readonly TallyRow[];
}

/** Returns the cases of events that are about a line of a note, which Steward only shows. */
export function casesOfLines(cases: readonly RehearsedCase[]): readonly RehearsedCase[] {
  return cases.filter(({ words }) => isBoxHeadline(words));
}

/** From what touches notes most to what touches them least. */
const WOULD = ['applied', 'proposed', 'asked'] as const;

/** Fewer known cases give no figure. */
export const FEWEST_CASES = 10;

/** Returns the cases that count: those with a change that their sender has not said before. */
export function countedCases(cases: readonly RehearsedCase[]): readonly RehearsedCase[] {
  return cases.filter(({ change, isRepeat }) => change !== null && !isRepeat);
}

/** Returns what became of some cases, in total and by what they have in common. */
export function tallyCases(cases: readonly RehearsedCase[]): RehearsalTally {
  const counted = countedCases(cases);
  const by = (name: (one: RehearsedCase) => string) =>
    [...Map.groupBy(counted, name)]
      .map(([group, own]) => rowOf(group, own))
      .toSorted((one, other) => sizeOf(other) - sizeOf(one) || (one.name < other.name ? -1 : 1));
  return {
    total: rowOf('all', counted),
    byWould: WOULD.flatMap((would) => by(({ would: one }) => one).find(({ name }) => name === would) ?? []),
    bySender: by(({ source }) => source),
    byMatter: by(({ matter }) => matter ?? 'no matter'),
    byKind: by(({ change }) => change?.kind ?? ''),
  };
}

function rowOf(name: string, cases: readonly RehearsedCase[]): TallyRow {
  const count = (verdict: RehearsedCase['verdict']) => cases.filter((one) => one.verdict === verdict).length;
  const [right, wrong] = [count('right'), count('wrong')];
  const known = right + wrong;
  const share = known < FEWEST_CASES ? null : computeShare(right, known);
  return { name, right, wrong, missed: count('missed'), unknown: count('unknown'), share };
}

function sizeOf({ right, wrong, missed, unknown }: TallyRow): number {
  return right + wrong + missed + unknown;
}
