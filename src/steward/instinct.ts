import type { FieldEdit } from '../vault/edit.ts';
import { instinctOpening, saidPrior } from '../vault/event-text.ts';
import { type BeforeAfter, type Changes, type Frontmatter, same, type Yaml } from '../vault/frontmatter.ts';
import { instinctSource } from '../vault/index.ts';
import { fold, stem } from '../vault/layout.ts';
import { brief, type HistoryRow, noteText, sha256, withHistory } from '../vault/note-text.ts';
import {
  type BadRecord,
  type InstinctFields,
  LEARNS_FROM,
  NO_WORDS,
  type StatusWords,
  stateMeant,
  type TargetRecord,
  type VaultRecord,
} from '../vault/record.ts';
import { isSenderNamed, parseChannel, parsePattern, SENT, sourceKey } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';
import { includesLink, isStateField, sameLink } from './change.ts';
import { clamp, discretionThreshold, round4 } from './gates.ts';
import type { Records } from './types.ts';

/**
 * The experience with one source, as figures. It moves by outcomes alone, which are what a person does about a proposal
 * or an action. Each outcome teaches once. The note of a confirmation, dismissal or reversal keeps what it taught
 * (`lesson`); an outcome by hand is marked on the event note (`taught`). Both are in one transaction with the lesson.
 */
export interface Instinct {
  readonly source: string;
  readonly prior: number;
  readonly confidence: number;
  /** How often it was right; discretion goes by it. */
  readonly observations: number;
  readonly wrong: number;
  /** Wrong outcomes since it was last right. */
  readonly wrongInARow: number;
  /** How often what it led to was taken back. */
  readonly reversals: number;
  readonly status: 'pending' | 'live' | 'pruned';
  readonly pinned: boolean;
  /** Whose word the pin is, or its absence; null if neither has decided it. */
  readonly pinnedBy: 'steward' | 'person' | null;
  /** Epoch milliseconds. */
  readonly lastNegativeAt: number | null;
}

/** The values that a person may write into an instinct note (contract, section 3); null if the note lacks them. */
interface InstinctEdit {
  readonly prior: number | null;
  readonly confidence: number | null;
  readonly pinned: boolean;
}

/** The prior of a channel (contract, section 7). */
export const PRIORS: ReadonlyMap<string, number> = new Map([
  ['gmail', 1.0],
  ['gmail_unknown', 0.7],
  ['mail', 0.9],
  ['slack', 0.95],
  ['slack_channel', 0.6],
  ['gcal', 0.8],
  ['calendar', 0.8],
  ['sure', 0.9],
  ['bank', 0.9],
  ['plane', 0.9],
  ['vexa', 0.85],
  ['transcript', 0.85],
  ['vault_edit', 0.95],
  [SENT, 0.95],
  ['agent', 0.7],
  ['other', 0.7],
]);

const LIVE_AFTER = 3;
const PRUNE_BELOW = 0.2;
const PRUNE_AFTER = 5;
const PIN_FROM = 0.9;
const PIN_AFTER = 10;
const PINNED_FLOOR = 0.5;
const REVERSAL = 0.1;
const WRONG = 0.05;
/** How much of what its patterns move a channel moves itself. */
const CHANNEL_SHARE = 0.2;

/** Returns the prior of a channel. One that is not in the table starts as `other`. */
export function channelPrior(channel: string): number {
  return PRIORS.get(channel.trim().toLowerCase()) ?? PRIORS.get('other') ?? 0.7;
}

/** Returns the instinct of a source without lessons. */
export function initialInstinct(source: string, prior: number = channelPrior(parseChannel(source))): Instinct {
  return {
    source,
    prior,
    confidence: prior,
    observations: 0,
    wrong: 0,
    wrongInARow: 0,
    reversals: 0,
    status: 'pending',
    pinned: false,
    pinnedBy: null,
    lastNegativeAt: null,
  };
}

/**
 * Returns the instinct of a source by its note. Without a note of its own a pattern starts at what its channel has
 * earned, and a channel at its prior.
 */
export function findInstinct(space: Records, source: string): Instinct {
  const record = space.vault.catalogue.instinctOf(source);
  if (record !== null) return instinctFrom(record.fields, source);
  if (parsePattern(source) === null) return initialInstinct(source);
  return initialInstinct(source, findInstinct(space, parseChannel(source)).confidence);
}

/** Returns the instinct of every source that has a note. */
export function knownInstincts({ vault: { catalogue } }: Records): Instinct[] {
  return catalogue
    .instincts()
    .filter((record) => catalogue.instinctOf(instinctSource(record))?.path === record.path)
    .map((record) => instinctFrom(record.fields, instinctSource(record)));
}

/** A sender with a licence for the change counts as having at least this many observations (contract, section 6). */
const LICENSED_COUNTS_AS = 20;

/**
 * Returns how sure a signal of a source must be to be acted upon; null if the source is silent. A task's own
 * `discretion_threshold` wins over its matter's, and either over what experience says.
 */
export function requiredConfidence(
  space: Records,
  source: string,
  target: TargetRecord | null,
  isLicensed = false,
): number | null {
  if (findSilence(space, source) !== null) return null;
  const matter = target?.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  const own = target?.fields.discretion_threshold ?? matter?.fields.discretion_threshold ?? null;
  const { observations } = findInstinct(space, source);
  return discretionThreshold(isLicensed ? Math.max(LICENSED_COUNTS_AS, observations) : observations, own);
}

/**
 * Returns why the signals of a source wait and are ignored, or null if they count. A pruned source is silent until a
 * person pins it. One whose note cannot be read is silent until the note is repaired: it may say anything.
 */
export function findSilence(space: Records, source: string): string | null {
  const record = space.vault.catalogue.instinctOf(source);
  if (record !== null) {
    return isPruned(space, source) ? `${source} is pruned; \`pinned: true\` in ${record.path} reads it again.` : null;
  }
  const named = [noteName(source), otherNoteName(source)].flatMap((name) => namesakes(space, name));
  const about = space.vault.catalogue.bad().filter((note) => isOf(note, source));
  const bad = [...named, ...about].find(({ kind }) => kind === 'bad');
  if (bad !== undefined) return `${bad.path} can't be read; ${source} waits until it is corrected.`;
  // A pattern without a note of its own is as silent as its channel, unless a note names it.
  const channel = parseChannel(source);
  if (parsePattern(source) === null || (isPruned(space, channel) && isNamedInOpenNote(space, source))) return null;
  return findSilence(space, channel);
}

/** Whether the signals of a source wait because it was wrong too often. A sender that an open note names never does. */
export function isPruned(space: Records, source: string): boolean {
  const record = space.vault.catalogue.instinctOf(source);
  if (record === null || instinctFrom(record.fields, source).status !== 'pruned') return false;
  return !isNamedInOpenNote(space, source);
}

/** Whether an open matter or task names the sender that a source is, or claims to be. */
export function isNamedInOpenNote({ vault: { catalogue } }: Records, source: string): boolean {
  const pattern = parsePattern(source);
  if (pattern === null) return false;
  const isOpen = ({ fields: { state } }: TargetRecord) => state === 'open' || state === 'snoozed';
  const isNamed = (written: readonly string[]) => isSenderNamed(written, pattern);
  return (
    catalogue.matters().some((matter) => isOpen(matter) && isNamed(matter.fields.senders)) ||
    catalogue.tasks().some((task) => isOpen(task) && isNamed([...task.fields.senders, ...ibansOf(task)]))
  );
}

function ibansOf({ fields: { payment } }: Extract<TargetRecord, { kind: 'task' }>): readonly string[] {
  const iban = payment?.iban ?? [];
  return typeof iban === 'string' ? [iban] : iban;
}

function isOf({ source: known }: BadRecord, source: string): boolean {
  return known !== undefined && sourceKey(known) === sourceKey(source);
}

// The notes of the instinct folder with this name, at any depth.
function namesakes({ vault }: Records, noteName: string): VaultRecord[] {
  const name = stem(noteName.endsWith('.md') ? noteName : `${noteName}.md`);
  return vault.catalogue.named(name).filter(({ path, name: own }) => {
    return vault.layout.folderKindOf(path) === 'instinct' && fold(own) === fold(name);
  });
}

/** Returns how far a signal is believed: effect_confidence = raw × the confidence in its source. */
export function effectConfidence(raw: number, instinct: Pick<Instinct, 'confidence'>): number {
  return round4(clamp(raw, 0, 1) * instinct.confidence);
}

/** Returns the instinct after it was right (contract, section 7). */
export function afterRight(instinct: Instinct): Instinct {
  const confidence = floored(instinct, 0.9 * instinct.confidence + 0.1);
  const after = { ...instinct, confidence, observations: instinct.observations + 1, wrongInARow: 0 };
  return settled(pinnedWhenSure(after));
}

/** Returns the text of a new instinct note, with what has just been learnt of its source. */
export function instinctNote(path: string, after: Instinct, rows: readonly HistoryRow[]): string {
  const { source } = after;
  const pattern = parsePattern(source);
  const named = { source_type: parseChannel(source), ...(pattern === null ? {} : { pattern }) };
  const fields = Object.entries(fieldsOf(after)).filter(([field, value]) => SHOWN.has(field) || needsField(value));
  const text = noteText({ type: 'instinct', ...named, ...Object.fromEntries(fields) }, '');
  return withHistory(path, text, rows, composeOpening(after));
}

/** Returns the first lines of an instinct note: what it measures, what that means, and what a person may edit. */
export function composeOpening({ source, observations: right, wrong, reversals, prior, status }: Instinct): string[] {
  const threshold = discretionThreshold(right, null);
  const named = { channel: parseChannel(source), speaker: parsePattern(source) };
  return instinctOpening({ ...named, right, wrong, reversals, prior, status, threshold });
}

/**
 * Returns the edits that take a note from one instinct to the next. Only fields that moved are written, so that an old
 * figure never overwrites what a person wrote. The effects of a person's own edit are written too. A note from before
 * only outcomes taught is written in full.
 */
export function instinctEdits(before: Instinct, after: Instinct, data: Frontmatter): FieldEdit[] {
  const former = fieldsOf(before);
  const isCarriedOver = data.learns_from == null && data.calibration_status != null;
  const edits = Object.entries(fieldsOf(after)).flatMap(([field, value]): FieldEdit[] => {
    const held = data[field] ?? null;
    const follows = FOLLOWING.has(field) && (held !== null || field === 'learns_from') && value !== held;
    if (value === held || (value === former[field] && !follows && !isCarriedOver)) return [];
    if (SHOWN.has(field) || needsField(value)) return [{ op: 'set', field, value }];
    return held === null ? [] : [{ op: 'delete', field }];
  });
  // A note that a person made is left as it is until something is learnt.
  const isLessonless = !isCarriedOver && edits.every(({ field }) => field === 'learns_from');
  return isLessonless ? [] : edits;
}

/** Returns a row of the history: the event, and the confidence before and after. */
export function makeHistoryRow(before: Instinct, after: Instinct, at: number, what: string): HistoryRow {
  const changes = [
    ...(before.status === after.status ? [] : [`now ${after.status}`]),
    ...(!before.pinned && after.pinned ? ['pinned'] : []),
  ];
  return {
    at: utc(at),
    what: [what, ...changes].join('; '),
    before: before.confidence,
    after: after.confidence,
    observations: after.observations,
  };
}

interface KnownNote {
  readonly data: Frontmatter;
  readonly rows: readonly HistoryRow[];
  readonly opening: readonly string[];
}

/** Returns the row that names a person's changes to the figures since the last row; empty without such changes. */
export function handRows(now: Instinct, { data, rows, opening }: KnownNote, at: number): HistoryRow[] {
  const last = rows.at(-1);
  const { confidence: after, observations } = now;
  if (last === undefined) {
    const isOwn = (data.learns_from ?? data.calibration_status ?? null) !== null;
    return isOwn ? [] : [{ at: utc(at), what: 'made by hand', before: after, after, observations }];
  }
  const prior = saidPrior(opening);
  const changes = [
    ...(last.observations === observations ? [] : [`observations ${last.observations} → ${observations}`]),
    ...(prior === null || prior === now.prior ? [] : [`prior ${prior} → ${now.prior}`]),
  ];
  if (last.after === after && changes.length === 0) return [];
  const what = ['edited by hand', ...(changes.length === 0 ? [] : [changes.join(', ')])].join(': ');
  return [{ at: utc(at), what, before: last.after, after, observations }];
}

/** Returns whether a person would see a difference. A move that only counts towards a later step makes no row. */
export function isVisible(before: Instinct, after: Instinct): boolean {
  const seen = ({ confidence, observations, wrong, reversals, status, pinned }: Instinct) =>
    JSON.stringify([confidence, observations, wrong, reversals, status, pinned]);
  return seen(before) !== seen(after);
}

/**
 * Returns the path of a source's note below the instinct folder, without `.md`: `mail`, or `mail/anna@notary.example`.
 * A source's name comes from outside: only plain letters stay.
 */
export function noteName(source: string): string {
  const pattern = parsePattern(source);
  const channel = plainName(parseChannel(source), /[^a-z0-9_-]+/g);
  return pattern === null ? channel : `${channel}/${plainName(pattern, /[^a-z0-9_@.+-]+/g)}`;
}

/** Returns the same if another source's note already has the plain name. */
export function otherNoteName(source: string): string {
  return `${noteName(source)}-${sha256(sourceKey(source)).slice(0, 8)}`;
}

/** Returns a source as a part of a file name. */
export function fileName(source: string): string {
  return noteName(source).replace('/', '-');
}

// A name that begins or ends with a dot would be hidden, or lose its ending.
function plainName(name: string, others: RegExp): string {
  const letters = name
    .toLowerCase()
    .replace(others, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, 60);
  const trimmed = letters.replace(/^[-.]+/, '').replace(/(?<![-.])[-.]+$/, '');
  return trimmed === '' ? 'other' : trimmed;
}

const SHOWN: ReadonlySet<string> = new Set([
  'prior',
  'confidence',
  'observations',
  'wrong',
  'reversals',
  'calibration_status',
  'pinned',
  'last_negative_at',
  'learns_from',
]);

/** Fields that follow from a person's edit of other fields. */
const FOLLOWING: ReadonlySet<string> = new Set(['calibration_status', 'pinned_by', 'learns_from']);

function fieldsOf(instinct: Instinct): Record<string, string | number | boolean | null> {
  const { lastNegativeAt } = instinct;
  return {
    prior: instinct.prior,
    confidence: instinct.confidence,
    observations: instinct.observations,
    wrong: instinct.wrong,
    reversals: instinct.reversals,
    calibration_status: instinct.status,
    pinned: instinct.pinned,
    last_negative_at: lastNegativeAt === null ? null : utc(lastNegativeAt),
    pinned_by: instinct.pinnedBy,
    wrong_in_a_row: instinct.wrongInARow,
    learns_from: LEARNS_FROM,
  };
}

// Zero, no and empty values need no field of their own.
function needsField(value: string | number | boolean | null): boolean {
  return value !== null && value !== false && value !== 0;
}

/**
 * Returns the instinct after what it led to was taken back: −0.1. Call once per reversal. `isNamed`: an open matter or task
 * names the sender, which is then never pruned.
 */
export function afterReversal(instinct: Instinct, now: number, isNamed = false): Instinct {
  return { ...afterWrong(instinct, REVERSAL, now, isNamed), reversals: instinct.reversals + 1 };
}

/** Returns the instinct after a proposal was dismissed as wrong, or a field was set otherwise by hand: −0.05. */
export function afterWrongOutcome(instinct: Instinct, now: number, isNamed = false): Instinct {
  return afterWrong(instinct, WRONG, now, isNamed);
}

/** The fields that a lesson moved in one note: their values before and after. */
export type ConfidenceMoves = Readonly<Record<string, BeforeAfter>>;

/**
 * Returns what a lesson moved; with the observations even if they didn't move, because they tell later whether the source
 * was right again since.
 */
export function movedFrom(before: Instinct, after: Instinct): ConfidenceMoves {
  const latter = fieldsOf(after);
  const moved = Object.entries(fieldsOf(before)).map(([field, value]): [string, BeforeAfter] => {
    return [field, { before: value, after: latter[field] ?? null }];
  });
  return Object.fromEntries(moved.filter(([field, { before: one, after: other }]) => one !== other || field === COUNT));
}

const COUNT = 'observations';

/**
 * Returns the instinct without a lesson: exactly as before it if it hasn't moved since, otherwise only the lesson's own
 * step is taken back.
 */
export function withoutLesson(instinct: Instinct, moved: ConfidenceMoves): Instinct {
  const now = fieldsOf(instinct);
  const isUntouched = (field: string) => moved[field] !== undefined && same(now[field] ?? null, moved[field].after);
  const figure = (field: string, held: number) => {
    if (isUntouched(field)) return Number(moved[field]?.before ?? 0);
    return held + Number(moved[field]?.before ?? 0) - Number(moved[field]?.after ?? 0);
  };
  const counted = (field: string, held: number) => Math.max(0, Math.round(figure(field, held)));
  const observations = counted(COUNT, instinct.observations);
  const wrong = counted('wrong', instinct.wrong);
  const wasRightSince = moved[COUNT] !== undefined && !isUntouched(COUNT);
  const wrongInARow = wasRightSince ? instinct.wrongInARow : counted('wrong_in_a_row', instinct.wrongInARow);
  const before: Instinct = {
    ...instinct,
    confidence: round4(clamp(figure('confidence', instinct.confidence), 0, 1)),
    ...{ observations, wrong, wrongInARow },
    reversals: counted('reversals', instinct.reversals),
    lastNegativeAt: isUntouched('last_negative_at')
      ? momentOrNull(moved.last_negative_at?.before)
      : instinct.lastNegativeAt,
    ...(isUntouched('pinned') ? { pinned: moved.pinned?.before === true } : {}),
    ...(isUntouched('pinned_by') ? { pinnedBy: pinnerOf(moved.pinned_by?.before) } : {}),
  };
  if (!isUntouched('calibration_status')) return before;
  const former = STATUSES.find((one) => one === moved.calibration_status?.before) ?? 'pending';
  return { ...before, status: Object.keys(moved).every(isUntouched) ? former : statusSince(before, former) };
}

// Other lessons since may have brought the source as far as the one that is undone.
function statusSince(before: Instinct, former: Instinct['status']): Instinct['status'] {
  if (before.status === 'pruned' && isHopeless(before) && !isPersonsPin(before)) return 'pruned';
  return former === 'pending' && hasSaid(before) ? 'live' : former;
}

const STATUSES = ['pending', 'live', 'pruned'] as const;

function momentOrNull(value: Yaml | undefined): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

function pinnerOf(value: Yaml | undefined): Instinct['pinnedBy'] {
  return PINNERS.find((who) => who === value) ?? null;
}

/**
 * Returns a channel after its patterns moved by `moved` together: it moves by a fifth of that. They never prune it, or
 * enough strangers could silence the honest senders there.
 */
export function afterPatterns(channel: Instinct, moved: number): Instinct {
  const lowest = Math.min(PRUNE_BELOW, channel.confidence);
  const confidence = Math.max(lowest, channel.confidence + CHANNEL_SHARE * moved);
  return settled({ ...channel, confidence: floored(channel, confidence) });
}

/**
 * Returns the instinct after a person edited its note, with the edit as written. A new pin is the person's: it has no
 * floor, is never pruned, and brings a pruned source back. A pin that a person took away never comes back by itself.
 */
export function afterEdit(instinct: Instinct, edit: InstinctEdit): Instinct {
  const isKept = edit.pinned === instinct.pinned;
  const edited: Instinct = {
    ...instinct,
    prior: clamp(edit.prior ?? instinct.prior, 0, 1),
    confidence: clamp(edit.confidence ?? instinct.confidence, 0, 1),
    pinned: edit.pinned,
    pinnedBy: isKept ? instinct.pinnedBy : 'person',
  };
  return isPersonsPin(edited) && edited.status === 'pruned' ? { ...edited, status: 'live' } : edited;
}

/**
 * Returns the instinct of a note of before only outcomes taught: its confidence up to its prior, and no pin that the
 * program would not set today (contract, section 7).
 */
export function carriedOver(instinct: Instinct): Instinct {
  const confidence = Math.min(instinct.confidence, instinct.prior);
  const pinHolds = instinct.pinnedBy !== 'steward' || (confidence >= PIN_FROM && instinct.observations >= PIN_AFTER);
  return pinHolds ? { ...instinct, confidence } : { ...instinct, confidence, pinned: false, pinnedBy: null };
}

/** Pending until three outcomes. Pruned below 0.2, or after five wrong ones without a right one, unless a person pinned it. */
function settled(instinct: Instinct, isNamed = false): Instinct {
  if (isHopeless(instinct) && !isPersonsPin(instinct) && !isNamed) {
    return { ...instinct, status: 'pruned', pinned: false, pinnedBy: instinct.pinned ? null : instinct.pinnedBy };
  }
  return instinct.status === 'pending' && hasSaid(instinct) ? { ...instinct, status: 'live' } : instinct;
}

function isHopeless({ confidence, wrongInARow }: Instinct): boolean {
  return confidence < PRUNE_BELOW || wrongInARow >= PRUNE_AFTER;
}

function hasSaid({ observations, wrong }: Instinct): boolean {
  return observations + wrong >= LIVE_AFTER;
}

/** From 0.9 on, with ten right outcomes, a source is pinned by the program, with a floor of 0.5. */
function pinnedWhenSure(instinct: Instinct): Instinct {
  const isSure = instinct.confidence >= PIN_FROM && instinct.observations >= PIN_AFTER;
  if (instinct.pinned || !isSure || instinct.pinnedBy === 'person' || instinct.status === 'pruned') return instinct;
  return { ...instinct, pinned: true, pinnedBy: 'steward' };
}

function isPersonsPin({ pinned, pinnedBy }: Instinct): boolean {
  return pinned && pinnedBy !== 'steward';
}

function afterWrong(instinct: Instinct, by: number, now: number, isNamed: boolean): Instinct {
  const confidence = floored(instinct, instinct.confidence - by);
  const [wrong, wrongInARow] = [instinct.wrong + 1, instinct.wrongInARow + 1];
  return settled({ ...instinct, confidence, wrong, wrongInARow, lastNegativeAt: now }, isNamed);
}

/** The floor never lifts a source: one that a person set below it stays there. */
function floored({ pinned, pinnedBy, confidence }: Instinct, figure: number): number {
  const floor = pinned && pinnedBy === 'steward' ? Math.min(PINNED_FLOOR, confidence) : 0;
  return round4(clamp(figure, floor, 1));
}

// A person's own hand counts as an answer in two places: when it is learnt from, and when one looks back. Both ask
// here, so that the report counts what teaches.

/** How long a decision can be shown wrong by hand: as long as it can be taken back. */
export const HAND_COUNTS_FOR = 7 * 24 * 60 * 60 * 1000;

/** A change that was decided: made (`acted`), or only proposed or recorded. */
interface Decided {
  readonly changes: Changes;
  readonly acted: boolean;
}

/** A note as it was seen after the decision. */
export interface LessonSight {
  readonly fields: Frontmatter;
  /** False if the record of the note may lack some fields: then an absent field is unknown. */
  readonly isWhole: boolean;
  readonly words?: StatusWords;
}

/**
 * Returns what a note says about a decision, if only a person has touched its fields since. `right`: it contains a
 * change that was not made. `otherwise`: it contains something else than what was made, or than what was found and
 * proposed. Null if it says neither.
 */
export function handSays({ changes, acted }: Decided, seen: LessonSight): 'right' | 'otherwise' | null {
  const moves = Object.entries(decidingChanges(changes)).map(([field, change]) => moveOf(field, change, seen));
  const known = moves.filter((move) => move !== 'unknown');
  if (acted) return known.every((move) => move === 'after') ? null : 'otherwise';
  if (known.some((move) => move === 'elsewhere')) return 'otherwise';
  return moves.length > 0 && moves.every((move) => move === 'after') ? 'right' : null;
}

/** `completedDate` only goes with the state: the person who made the change says on which day, or on none. */
function decidingChanges(changes: Changes): Changes {
  const others = Object.entries(changes).filter(([field]) => field !== 'completedDate');
  return others.length > 0 ? Object.fromEntries(others) : changes;
}

/** The value of a field: the one before the decision, the decided one, or another. */
type Move = 'before' | 'after' | 'elsewhere' | 'unknown';

function moveOf(field: string, { before, after }: BeforeAfter, seen: LessonSight): Move {
  const held = heldIn(seen, field);
  if (held === undefined) return 'unknown';
  const isShort = [held, before, after].every((value) => brief(value) === value);
  if (isShort && !isStateField(field) && (isList(field, before) || isList(field, after)))
    return memberMove(held, before, after);
  const isHeld = (value: Yaml) => isSame(field, held, value, seen.words ?? NO_WORDS);
  const [isAfter, isBefore] = [isHeld(after), isHeld(before)];
  if (isAfter && isBefore) return 'unknown'; // two long values with one beginning
  return isAfter ? 'after' : isBefore ? 'before' : 'elsewhere';
}

// A list has many members: a change of others says little about these, and a list is never elsewhere.
function memberMove(held: Yaml, before: Yaml, after: Yaml): Move {
  const [now, former, latter] = [membersOf(held), membersOf(before), membersOf(after)];
  const added = latter.filter((member) => !includesLink(former, member));
  const removed = former.filter((member) => !includesLink(latter, member));
  const isMade = added.every((one) => includesLink(now, one)) && !removed.some((one) => includesLink(now, one));
  return isMade ? 'after' : 'before';
}

// `state` and `status` count as one field. Every object answers to `constructor`, so only own keys count.
function heldIn({ fields, isWhole }: LessonSight, field: string): Yaml | undefined {
  const names = isStateField(field) ? [field, 'state', 'status'] : [field];
  const name = names.find((one) => Object.hasOwn(fields, one));
  if (name !== undefined) return fields[name] ?? null;
  return isWhole ? null : undefined;
}

function isList(field: string, value: Yaml): boolean {
  return field.startsWith('related_') || Array.isArray(value);
}

// Event notes cut long values short, so the shortened values are compared.
function isSame(field: string, one: Yaml, other: Yaml, words: StatusWords): boolean {
  if (same(brief(one), brief(other))) return true;
  if (isStateField(field)) {
    const state = stateMeant(one, words);
    return state !== null && state === stateMeant(other, words);
  }
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one.trim() === other.trim() || (one.includes('[[') && sameLink(one, other));
}

function membersOf(value: Yaml): readonly string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.filter((item) => item !== null).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}

/** Returns a source's instinct by its note's fields, with a person's edits as written (contract, section 3). */
export function instinctFrom(fields: InstinctFields, source: string): Instinct {
  const { prior, confidence, pinned } = fields;
  const left = instinctAsLeft(fields, source);
  if (!isOfOldRule(fields)) return afterEdit(left, { prior, confidence, pinned });
  // Its figures are the old rule's, not a person's; a pin may be, and so may the lack of one.
  const isOwnPin = pinned && fields.pinned_by === 'steward';
  return isOwnPin ? left : afterEdit(left, { prior: null, confidence: null, pinned });
}

/** Returns the instinct as the program left it in the note, before a person set or took away the pin. */
export function instinctAsLeft(fields: InstinctFields, source: string): Instinct {
  const lastNegative = fields.last_negative_at === null ? Number.NaN : Date.parse(fields.last_negative_at);
  const pinnedBy = pinnerOf(fields.pinned_by);
  const start = initialInstinct(source, fields.prior ?? undefined);
  const { observations, wrong_in_a_row: wrongInARow, reversals } = fields;
  const wrong = fields.wrong ?? reversals;
  const left: Instinct = {
    ...start,
    confidence: fields.confidence ?? start.confidence,
    observations,
    wrong,
    wrongInARow,
    reversals,
    status: fields.calibration_status ?? (observations + wrong >= 3 ? 'live' : 'pending'),
    pinned: pinnedBy === 'steward' || (pinnedBy === 'person' && fields.pinned),
    pinnedBy,
    lastNegativeAt: Number.isFinite(lastNegative) ? lastNegative : null,
  };
  return isOfOldRule(fields) ? carriedOver(left) : left;
}

const PINNERS = ['steward', 'person'] as const;

/**
 * Whether the program wrote a note's figures before only outcomes taught. A note that a person made has no status.
 */
export function isOfOldRule({ learns_from: rule, calibration_status: status, pattern }: InstinctFields): boolean {
  return rule === null && status !== null && pattern === null;
}

/** Returns a free path for the note of a source that has no note yet; null if a note in the way cannot be read. */
export function freePath(space: Records, source: string, taken: ReadonlySet<string>): string | null {
  const folder = space.vault.layout.folders.instinct;
  for (const name of [noteName(source), otherNoteName(source)]) {
    const path = `${folder}/${name}.md`;
    const records = namesakes(space, name).filter(
      (record) => parsePattern(source) === null || fold(record.path) === fold(path),
    );
    if (records.length === 0 && !taken.has(path)) return path;
    if (records.some((record) => record.kind === 'bad')) return null; // it may be the source's own note, to be repaired
  }
  return null;
}

/** Returns each source once, however it is spelled, the first spelling winning. */
export function distinct(sources: readonly string[]): string[] {
  return [...new Map(sources.toReversed().map((source) => [sourceKey(source), source])).values()].toReversed();
}

/** How far the confidence and the observations of one source moved. */
export interface Calibration {
  readonly source: string;
  readonly before: number;
  readonly after: number;
  readonly observations: { readonly before: number; readonly after: number };
}

/** Returns a calibration as a note shows it: `0.9 → 0.8`. */
function calibrationText(before: number, after: number): string {
  return `${before} → ${after}`;
}

/** Returns calibrations as a note records them: source → "before → after", observations only if they moved. */
export function recorded(calibrations: readonly Calibration[]): {
  readonly calibration: Readonly<Record<string, string>>;
  readonly observations?: Readonly<Record<string, string>>;
} {
  const calibration = calibrations.map((one) => [one.source, calibrationText(one.before, one.after)]);
  const counted = calibrations
    .filter(({ observations }) => observations.before !== observations.after)
    .map(({ source, observations }) => [source, calibrationText(observations.before, observations.after)]);
  const observations = counted.length === 0 ? {} : { observations: Object.fromEntries(counted) };
  return { calibration: Object.fromEntries(calibration), ...observations };
}
