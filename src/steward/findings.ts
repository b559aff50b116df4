import { ONLY_ASKED_BY_MAIL, SEEN, settleQuestion } from '../vault/event-text.ts';
import { clipped, fieldLine, noteMoment, sha256 } from '../vault/note-text.ts';
import type { EventRecord, MatterRecord, SignalRecord, TargetRecord, TaskRecord } from '../vault/record.ts';
import { claimedPattern, isOwnHand, isSenderNamed, sourceName } from '../vault/source-names.ts';
import { inSlices, localDate, Turns } from '../vault/time.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import { askWithinBudget, type DecisionRecord, permissionFor } from './decide.ts';
import { type EventNote, eventNoteText, keptFile, NO_MARKS } from './event-note.ts';
import { currentMode } from './gates.ts';
import { Heap } from './heap.ts';
import { collectMemory } from './memory.ts';
import {
  type Blocker,
  booked,
  byPressure,
  dayWords,
  isUnjudged,
  isUntold,
  LOOK_AROUND_MS,
  MOST_A_DAY,
  type NoteSight,
  type Perception,
  perceive,
  roomOn,
  type SeenNote,
  SILENT_MS,
} from './perceive.ts';
import {
  blockedText,
  findAnswer,
  findingKey,
  isChoice,
  isLiving,
  isQuestion,
  isWaiting,
  judgedKey,
  type NoteFinding,
  putOffReason,
  settleKey,
  waitingAbout,
} from './proposals.ts';
import type { Slot } from './rate-guard.ts';
import { isKnownNote, matterField } from './records.ts';
import { identifySpeaker, listSenders, sentAt } from './sender.ts';
import { isQuiet } from './settings.ts';
import { findMatterPath, type Refusal, releaseSlot, reserveSlot } from './spending.ts';
import { type EvaluatorQuestion, type Perceiving, type ReadMail, UnansweredError } from './types.ts';
import type {
  DecisionContext,
  DecisionIndexAccess,
  DecisionModelAccess,
  DecisionReadAccess,
  DecisionWorkspace,
  DecisionWriteAccess,
} from './workspace.ts';

/**
 * Looks at a note for which there is no signal, and remembers what it shows. Does next to nothing if neither the note,
 * nor what is around it, nor the day that matters has changed since the last look. Asks no question.
 */
export function look(space: DecisionIndexAccess, target: TargetRecord, touches: Touches): void {
  const { state, settings, now } = space.context;
  if (space.vault.away !== null || isQuiet(settings, now())) return;
  const memory = state.get('perception');
  const perceived = state.get('perceived');
  const known = perceived[target.path];
  // A first look in the future was made by a wrong clock.
  if (memory.since === null || memory.since > now()) {
    memory.since = now();
    state.touch('perception');
  }
  if (known === undefined && isPlain(target, now())) return;
  if (!mayPerceive(space, target)) {
    if (known !== undefined) forget(space.context, target.path);
    return;
  }
  const stamp = stampOf(space, target);
  if (known !== undefined && known.stamp === stamp && isSoundAt(known, now())) return;
  const seen = seenNow(space, target, known, { stamp, perceived: perceivedNow(space, target, touches) });
  if (seen.found === null && !seen.isHigh && isYoung(target, now())) {
    if (known !== undefined) forget(space.context, target.path);
    return;
  }
  perceived[target.path] = seen;
  state.touchLater('perceived', target.path);
}

/**
 * Looks at every note when the program meets a vault: findings needn't wait for the first check of each matter. Has no
 * effect after that. Pauses after each note.
 */
export function* lookAtAll(space: DecisionIndexAccess): Generator<void> {
  const { state, settings, now } = space.context;
  const memory = state.get('perception');
  if (memory.since !== null || space.vault.away !== null || isQuiet(settings, now())) return;
  memory.since = now();
  state.touch('perception');
  const touches = new Touches(space);
  for (const notes of [space.vault.catalogue.each('task'), space.vault.catalogue.each('matter')]) {
    for (const note of notes) {
      look(space, note, touches);
      yield;
    }
  }
}

/** Returns what a note shows by itself now. */
export function perceivedNow(
  space: DecisionIndexAccess,
  target: TargetRecord,
  touches = new Touches(space),
): Perception {
  return perceive(sightOf(space, target, touches), space.context.now());
}

/** Returns why a note is not looked at without a signal, in a few words; null if it is. */
export function whyUnseen(space: DecisionIndexAccess, target: TargetRecord): string | null {
  const { vault, context } = space;
  if (vault.away !== null) return 'the vault is away';
  return putOffReason(space, target) ?? (isQuiet(context.settings, context.now()) ? 'quiet hours' : null);
}

function mayPerceive(space: DecisionIndexAccess, target: TargetRecord): boolean {
  return whyUnseen(space, target) === null;
}

/**
 * Puts to the person what looks have found and they have not been told: the most pressing first, and no more in a day
 * than a person can take. With a model, it is asked first. `isAsked`: a person asked for it, so that the first look around
 * is over. Returns the event notes that were written.
 */
export async function putFindings(space: DecisionWorkspace, isAsked: boolean, abort: AbortSignal): Promise<string[]> {
  if ((!isAsked && isLookingAround(space.context)) || !hasRoom(space)) return [];
  // One after the other, so that the day's account is exact; a tick does not wait for many answers.
  return space.transactions.inTurn(TURN, () => putInTurn(space, isAsked ? MOST_A_DAY.questions : MOST_AT_ONCE, abort));
}

/** A question to the person about one note. */
interface Entry {
  readonly verdict: Pick<DecisionRecord, 'decision' | 'confidence' | 'reasoning' | 'evaluator' | 'usage'>;
  /** Its identity, as one text that can be compared. */
  readonly key: string;
  /** The mail that it is about: a yes closes the note. Null for a question of a model, which proposes no change. */
  readonly mail: ReadMail | null;
}

/**
 * Writes the event note that asks a person. The note itself stays as it is in every mode, without a flag: a question is
 * no decision. Returns its path; null if the note has changed in the meantime.
 */
function writeEntry(space: DecisionWriteAccess, target: TargetRecord, note: NoteSnapshot, asked: Entry): string | null {
  const now = space.context.now();
  const event = space.transactions.eventPath('steward-action', target.path, now);
  const text = eventNoteText(entryNote(space, target, note, asked, now), event, space.context.seal);
  if (space.notes.fresh(note.path)?.sha !== note.sha) return null;
  if (!space.transactions.commit(event, [{ do: 'create', path: event, text }])) return null;
  space.context.emit({ what: 'perceived', event, target: target.path, sentence: asked.verdict.reasoning });
  return event;
}

function entryNote(
  space: DecisionWriteAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  { verdict, key, mail }: Entry,
  now: number,
): EventNote {
  const isLive = currentMode(space.context, null) !== 'shadow';
  const permission = mail === null ? null : permissionFor(space, target, note, closing(verdict));
  const changes = permission?.ok ? permission.changes : {};
  const said = { from: mail?.from ?? null, quote: mail?.subject ?? null };
  return {
    type: 'steward-action',
    now,
    target: target.path,
    decision: verdict.decision,
    confidence: verdict.confidence,
    mode: isLive ? 'live' : 'shadow',
    outcome: isLive ? 'propose' : 'record',
    asks: true,
    spoken: { ...said, warnings: [], mail: keptFile(space, mail?.file ?? null) },
    perceived: key,
    priorState: target.fields.state,
    prior: note.data,
    changes,
    evidence:
      mail === null ? [] : [{ source: sourceName('mail', mail.from), ref: mail.file, note: mail.subject ?? '' }],
    contributions: {},
    signals: [],
    signalsSummary: '',
    evaluator: verdict.evaluator,
    usage: verdict.usage ?? null,
    reasoning: verdict.reasoning,
    gates: [],
    refusal: null,
    person: mail === null ? null : ONLY_ASKED_BY_MAIL,
    ...NO_MARKS,
    ...matterField(space.vault, target.path),
    noteSha: note.sha,
  };
}

function closing(verdict: Entry['verdict']): DecisionRecord {
  return {
    ...{ type: 'steward-action', evidence: [], contributions: {}, proposal: null, signals: [], again: false },
    ...verdict,
    changes: [{ field: 'state', op: 'set', value: 'done' }],
  };
}

/** How long ago a mail may have come for it to be asked whether it settles what is late (ms). */
const RECENT_MS = 30 * 24 * 60 * 60 * 1000;

/** The mails that were read of each address, newest first. */
interface Correspondence {
  readonly mails: ReadonlyMap<string, readonly ReadMail[]>;
  /** The files of the mails of which it is known already what they mean: their change was made, or waits for an answer. */
  readonly understood: ReadonlySet<string>;
}

const NO_MAILS: Correspondence = { mails: new Map(), understood: new Set() };

/** Returns every mail that was read, with a signal or without, by its sender. Pauses after each. */
function* correspondence(space: DecisionReadAccess): Generator<void, Correspondence> {
  const { silentMails } = space.context;
  const mails = silentMails === undefined ? [] : [...(yield* silentMails())];
  const understood = new Set<string>();
  for (const signal of space.vault.catalogue.each('signal')) {
    const mail = mailBehind(space, signal);
    if (mail !== null) mails.push(mail);
    if (mail !== null && isUnderstood(space, signal)) understood.add(mail.file);
    yield;
  }
  const newestFirst = mails.toSorted((one, other) => other.at - one.at);
  return { mails: Map.groupBy(newestFirst, ({ from }) => from), understood };
}

// A signal that the user has dismissed may have meant something else. With a choice, any note could have been chosen.
function isUnderstood(space: DecisionReadAccess, signal: SignalRecord): boolean {
  return space.vault.catalogue.eventsOfSignal(signal.name).some((event) => {
    if (event.fields.dismisses !== null || !isKnownNote(space, event)) return false;
    if (isChoice(event)) return true;
    if (Object.keys(event.fields.changes).length === 0) return false;
    return (findAnswer(space, event)?.fields.dismisses ?? null) === null;
  });
}

// A note that the program did not write is no evidence of who wrote what.
function mailBehind(space: DecisionIndexAccess, signal: SignalRecord): ReadMail | null {
  const { pattern, vouched, writer } = identifySpeaker(space, signal);
  const at = sentAt(signal);
  const from = pattern === null ? null : claimedPattern(pattern);
  if (writer === 'unknown' || vouched === 'fail' || at === null || from?.includes('@') !== true) return null;
  const { headline, source_event_path: file } = signal.fields;
  const subject = headline === null ? null : fieldLine(headline);
  return { from, at, subject, file: file ?? signal.path, isVouched: vouched === 'pass' };
}

/**
 * Returns the last mail that was read from a person named by a note or its matter; null if there isn't one. `isMeant`:
 * which mails count.
 */
function lastMail(
  space: DecisionIndexAccess,
  target: TargetRecord,
  { mails }: Correspondence,
  isMeant: (mail: ReadMail) => boolean = () => true,
): ReadMail | null {
  const named = listSenders(space, target);
  const now = space.context.now();
  return [...mails.keys()]
    .filter((from) => isSenderNamed(named, from))
    .flatMap((from) => mails.get(from)?.find((mail) => mail.at <= now && isMeant(mail)) ?? [])
    .reduce<ReadMail | null>((last, one) => (last === null || one.at > last.at ? one : last), null);
}

/**
 * Returns one sentence on the last mail from a person named by a note or its matter, based on all that was read; null
 * if they name no person.
 */
function mailFact(space: DecisionIndexAccess, target: TargetRecord, mails: Correspondence): string | null {
  const last = lastMail(space, target, mails);
  const now = space.context.now();
  const [sender] = listSenders(space, target);
  if (last !== null) return `The last mail of ${last.from} was sent on ${dayWords(last.at, now)}.`;
  const { since } = space.context.state.get('perception');
  if (sender === undefined || since === null) return null;
  return `No mail of ${clipped(fieldLine(sender) ?? '', MAX_NAME)} was read since ${dayWords(since, now)}.`;
}

const MAX_NAME = 60;

/**
 * Returns the question whether the last mail of a person named by the note settles it. Null unless the note is late,
 * and that mail was neither asked about nor understood before.
 */
function settlingQuestion(
  space: DecisionReadAccess,
  { target, perceived: { findings } }: Subject,
  mails: Correspondence,
): Entry | null {
  const mail = lastMail(space, target, mails, ({ file }) => !mails.understood.has(file));
  const now = space.context.now();
  const isLate = findings.some(({ kind }) => kind === 'overdue' || kind === 'silent');
  if (mail === null || !isLate || now - mail.at > RECENT_MS || isDecidedOn(space, target, mail)) return null;
  const key = settleKey(mail.file);
  const { catalogue } = space.vault;
  const matter = target.kind === 'task' ? catalogue.matterOf(target) : target;
  const around = matter === null ? [target] : [matter, ...catalogue.tasksOf(matter)];
  if (around.some((note) => isTold(space, note, key))) return null;
  const words = { ...mail, day: dayWords(mail.at, now) };
  const reasoning = settleQuestion(words, findings.map(lastingFact));
  const verdict = {
    decision: 'likely_done',
    confidence: 0.5,
    reasoning,
    evaluator: 'none: a person says whether a mail settles it',
  };
  return { verdict, key, mail };
}

// The question is read on later days, too.
function lastingFact({ kind, of, sentence }: NoteFinding): string {
  if (kind === 'overdue') return SEEN.wasDue(of);
  return kind === 'silent' ? SEEN.wasUntouched(of) : sentence;
}

// The mail's meaning for this very note was proposed, made or answered already.
function isDecidedOn(space: DecisionReadAccess, target: TargetRecord, { file }: ReadMail): boolean {
  const { catalogue } = space.vault;
  const signals = catalogue.signalsFor(target).filter(({ fields }) => fields.source_event_path === file);
  return signals.some(({ name }) =>
    catalogue.eventsOfSignal(name).some(({ fields }) => Object.keys(fields.changes).length > 0),
  );
}

/**
 * A note that was not evaluated, and the notes to which the reason applies: every note, those of its matter, or it
 * alone. `refused`: the provider did not take this question, and would not take it the next time either.
 */
interface Unjudged {
  readonly holds: 'all' | 'matter' | 'note' | 'refused';
}

/**
 * Returns what the evaluator makes of a note for which there is no signal, or that it could not be asked. A question to a
 * model is reserved like any other.
 */
async function decideSignal(
  space: DecisionModelAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  perceived: Perception,
  mails: Correspondence,
  abort: AbortSignal,
): Promise<DecisionRecord | Unjudged> {
  const question = questionOf(space, target, note, perceived, mails);
  if (!space.models.evaluator.asksModel) return decisionOn(space, question, abort);
  const place = reserveSlot(space, target, []);
  if (!place.ok) return heldBy(place.refusal);
  if (abort.aborted) {
    releaseSlot(space.context, place.slot);
    return { holds: 'all' };
  }
  const decider = {
    decide: (_: NoteSnapshot, slot: Slot | null) => decisionOn(space, { ...question, slot }, abort),
    estimate: () => space.models.evaluator.estimate?.(question) ?? null,
    signals: [],
  };
  try {
    const asked = await askWithinBudget(space, target, note, decider, place.slot);
    return 'refusal' in asked ? heldBy(asked.refusal) : asked;
  } catch (error) {
    // The failure was reported at the time of the question.
    if (error instanceof UnansweredError) return { holds: isOfOne(error) ? 'refused' : 'all' };
    throw error;
  }
}

// A refusal for one note may not apply to the next.
function heldBy({ window }: Refusal): Unjudged {
  if (window === 'task' || window === 'task_reserved') return { holds: 'note' };
  return {
    holds: window === 'matter' || window === 'matter_reserved' || window.includes('per_matter') ? 'matter' : 'all',
  };
}

function isOfOne(error: UnansweredError): boolean {
  return OF_ONE.includes(error.failure);
}

const OF_ONE: readonly UnansweredError['failure'][] = ['rejected', 'too-long', 'unrecorded'];

async function decisionOn(
  space: DecisionModelAccess,
  question: EvaluatorQuestion,
  abort: AbortSignal,
): Promise<DecisionRecord> {
  const { evaluator } = space.models;
  const verdict = await space.models.evaluate(question, abort);
  const name = evaluator.asksModel ? evaluator.name : 'rules (embedded, no model was asked)';
  return {
    type: 'steward-action',
    decision: verdict.decision,
    confidence: verdict.confidence,
    reasoning: verdict.reasoning,
    evidence: [],
    contributions: {},
    changes: [],
    proposal: null,
    evaluator: verdict.evaluator ?? name,
    signals: [],
    again: false,
    usage: verdict.usage ?? null,
  };
}

function questionOf(
  space: DecisionModelAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  { findings }: Perception,
  mails: Correspondence,
): EvaluatorQuestion & { readonly perceiving: Perceiving } {
  const matter = target.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  const fact = mailFact(space, target, mails);
  const { kind, path, name } = target;
  return {
    target: { kind, path, name, state: target.fields.state, fields: note.data, matter: matter?.name ?? null },
    signals: [],
    memory: collectMemory(space, target, []),
    perceiving: {
      facts: [...findings.map(({ sentence }) => sentence), ...(fact === null ? [] : [fact])],
      matter: matter === null ? null : (space.notes.fresh(matter.path)?.data ?? null),
    },
    now: space.context.now(),
  };
}

/** Returns what is known of a note without any signal. The work is proportional to its matter. */
function sightOf(space: DecisionIndexAccess, target: TargetRecord, touches: Touches): NoteSight {
  const untouchedSince = silentSince(space, target, touches);
  const isTask = target.kind === 'task';
  return {
    state: target.fields.state,
    due: isTask ? target.fields.due : null,
    scheduled: isTask ? target.fields.scheduled : null,
    snoozedUntil: isTask ? target.fields.snoozed_until : null,
    blockers: blockersOf(space, target),
    blockedOn: isTask ? blockedText(target.fields.blocked_on) : '',
    tasks: isTask ? null : tasksIn(space, target),
    untouchedSince,
    of: untouchedSince === null ? '' : localDate(untouchedSince),
  };
}

/**
 * Returns what a look depends on besides the time, as text that can be compared. As long as it is the same, the note
 * and its matter are as they were, and so is what it waits for. Reads no file.
 */
function stampOf(space: DecisionIndexAccess, target: TargetRecord): string {
  const matter = target.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  const tasks = target.kind === 'matter' ? space.vault.catalogue.tasksOf(target) : [];
  const open = tasks.filter(isLiving).length;
  const blockers = blockersOf(space, target).map(({ isOver }) => Number(isOver));
  return [statText(target), matter === null ? '' : statText(matter), blockers.join(''), tasks.length, open].join('|');
}

function statText({ stat }: TargetRecord): string {
  return `${Math.round(stat.mtimeMs)}:${stat.size}`;
}

// A link to neither a task nor a matter has no known state: its target may well be open.
function blockersOf({ vault }: DecisionIndexAccess, target: TargetRecord): Blocker[] {
  if (target.kind === 'matter') return [];
  return target.fields.blocked_on.map((link) => {
    const found = vault.catalogue.resolve(link, ['task', 'matter']);
    const isRecord = found?.kind === 'task' || found?.kind === 'matter';
    return isRecord
      ? { name: found.name, isOver: !isLiving(found), at: found.stat.mtimeMs }
      : { name: link, isOver: false, at: 0 };
  });
}

function tasksIn({ vault }: DecisionIndexAccess, target: Exclude<TargetRecord, TaskRecord>): NoteSight['tasks'] {
  const tasks = vault.catalogue.tasksOf(target);
  const restingSince = Math.max(target.stat.mtimeMs, ...tasks.map(({ stat }) => stat.mtimeMs));
  return { count: tasks.length, open: tasks.filter(isLiving).length, restingSince };
}

// If a whole affair is silent, its matter alone speaks for it, not each of its tasks. A task with a day speaks for
// itself: before that day it is waited for, and after it the affair is not over.
function silentSince(space: DecisionIndexAccess, target: TargetRecord, touches: Touches): number | null {
  const { catalogue } = space.vault;
  if (target.kind === 'matter') return catalogue.tasksOf(target).some(isDated) ? null : touches.ofMatter(target);
  const matter = catalogue.matterOf(target);
  const isSpokenFor = matter !== null && matter.fields.surface_class !== 'none' && touches.isSilent(matter);
  return isSpokenFor ? null : touches.of(target);
}

function isDated(task: TaskRecord): boolean {
  const { due, scheduled, snoozed_until: snoozedUntil } = task.fields;
  return isLiving(task) && [due, scheduled, snoozedUntil].some((day) => day !== null);
}

/**
 * Remembers when the notes were last touched that records are about which are about to leave the vault: they would seem
 * silent for longer than they are.
 */
export function rememberTouches(
  { vault: { catalogue }, context }: DecisionIndexAccess,
  events: readonly EventRecord[],
): void {
  const touched = context.state.get('touched');
  for (const { name, fields } of events) {
    if (fields.perceived !== null || fields.target_path === null) continue;
    const path = catalogue.currentPath(fields.target_path);
    touched[path] = Math.max(touched[path] ?? 0, noteMoment(name, fields.timestamp));
    context.state.touch('touched', path);
  }
}

/**
 * When notes were last touched: by a change of the file, a signal, an event or a person's answer to one. A finding of
 * the program itself is no touch. Worked out once for each note of a check.
 */
export class Touches {
  readonly #space: DecisionIndexAccess;
  readonly #known = new Map<string, number>();

  constructor(space: DecisionIndexAccess) {
    this.#space = space;
  }

  /** When a note was last touched (epoch ms). */
  of(target: TargetRecord): number {
    const known = this.#known.get(target.path) ?? this.#touchOf(target);
    this.#known.set(target.path, known);
    return known;
  }

  /** When a matter or any of its tasks was last touched (epoch ms). */
  ofMatter(matter: MatterRecord): number {
    return Math.max(this.of(matter), ...this.#space.vault.catalogue.tasksOf(matter).map((task) => this.of(task)));
  }

  /** Whether a matter and its tasks have been unchanged for so long that it counts as silent. */
  isSilent(matter: MatterRecord): boolean {
    const limit = this.#space.context.now() - SILENT_MS;
    if (matter.stat.mtimeMs > limit) return false;
    return this.ofMatter(matter) <= limit;
  }

  // The signals and events are looked up only if the file itself is old: else they cannot matter.
  #touchOf(target: TargetRecord): number {
    const now = this.#space.context.now();
    const { path, stat } = target;
    if (stat.mtimeMs > now - SILENT_MS) return Math.min(stat.mtimeMs, now);
    const { catalogue } = this.#space.vault;
    const events = catalogue.eventsAbout(path).filter(({ fields }) => fields.perceived === null);
    const moments = [
      this.#space.context.state.get('touched')[path] ?? 0,
      ...catalogue.signalsFor(target).flatMap((signal) => sentAt(signal) ?? []),
      ...events.map(({ name, fields }) => noteMoment(name, fields.timestamp)),
    ];
    // A moment in the future was stamped by a wrong clock.
    return Math.max(stat.mtimeMs, ...moments.filter((at) => at <= now));
  }
}

/**
 * Returns the notes of which a person, or a model, is still to hear, by path. Pauses after each note that is gone over: all
 * are at the first time, and with a model once a day.
 */
function openNotes({
  context,
  models,
}: DecisionIndexAccess & { models: { evaluator: { asksModel: boolean } } }): Generator<
  void,
  ReadonlyMap<string, SeenNote>
> {
  const { seen } = context.state;
  if (!models.evaluator.asksModel) return seen.ask('untold', isUntold);
  const date = localDate(context.now());
  return seen.ask(`unjudged on ${date}`, (one) => isUnjudged(one, date));
}

function forget({ state }: DecisionContext, path: string): void {
  delete state.get('perceived')[path];
  state.touchLater('perceived', path);
}

// Most tasks have no finding, whatever is around them: these are known without a closer look.
function isPlain(target: TargetRecord, now: number): boolean {
  if (target.kind === 'matter' || !isYoung(target, now)) return false;
  const { state, surface_class: surface, due, blocked_on: blockers } = target.fields;
  return state === 'open' && surface !== 'high' && due === null && blockers.length === 0;
}

// The look at such a note is repeated in no time, so it needn't be remembered.
function isYoung({ stat }: TargetRecord, now: number): boolean {
  return stat.mtimeMs > now - SILENT_MS;
}

// A look from a time that has not come yet was made by a wrong clock.
function isSoundAt({ at, next }: SeenNote, now: number): boolean {
  return at <= now && (next === null || now < next);
}

function seenNow(
  { context }: DecisionIndexAccess,
  target: TargetRecord,
  known: SeenNote | undefined,
  { stamp, perceived: { findings, stage, next } }: { stamp: string; perceived: Perception },
): SeenNote {
  const [first] = findings;
  return {
    at: context.now(),
    next,
    stamp,
    stage,
    isHigh: target.fields.surface_class === 'high',
    found: first === undefined ? null : { kind: first.kind, of: first.of, step: first.step, since: first.since },
    told: known?.told ?? null,
    judged: known?.judged ?? null,
  };
}

const TURN = '.steward/state/perception.json';
/** How many notes one tick puts to a model, so that it keeps no other waiting. */
const MOST_AT_ONCE = 4;

async function putInTurn(space: DecisionWorkspace, most: number, abort: AbortSignal): Promise<string[]> {
  const events: string[] = [];
  const asked = () => space.context.state.get('perception').day.questions;
  const before = asked();
  const full = new Set<string | null>();
  const open = await inSlices(mostPressing(await inSlices(openNotes(space))));
  const turns = new Turns();
  let mails: Correspondence | null = null;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path } = next;
    await turns.giveWay();
    if (abort.aborted || !hasRoom(space) || asked() - before >= most) break;
    const matter = matterOf(space, path);
    if (full.has(matter)) continue;
    mails ??= await inSlices(correspondence(space));
    const put = await space.transactions.inTurn(path, () => putOne(space, path, mails ?? NO_MAILS, abort));
    if (typeof put === 'string') events.push(put);
    if (put === null || typeof put === 'string') continue;
    if (put.holds === 'all') break;
    if (put.holds === 'matter') full.add(matter);
  }
  return events;
}

// Of many that are open a day has room for few, so they are not all put in order.
function* mostPressing(
  open: ReadonlyMap<string, SeenNote>,
): Generator<void, Heap<{ path: string; seen: SeenNote; nth: number }>> {
  const heap = new Heap<{ path: string; seen: SeenNote; nth: number }>(
    (one, other) => byPressure(one.seen, other.seen) || one.nth - other.nth,
  );
  for (const [path, seen] of open) {
    heap.push({ path, seen, nth: heap.size });
    yield;
  }
  return heap;
}

function matterOf({ vault }: DecisionWorkspace, path: string): string | null {
  const note = vault.catalogue.get(path);
  return note?.kind === 'task' || note?.kind === 'matter' ? findMatterPath(vault, note) : null;
}

function isLookingAround({ state, now }: DecisionContext): boolean {
  const { since } = state.get('perception');
  return since === null || now() < since + LOOK_AROUND_MS;
}

function hasRoom({ context, models }: DecisionWorkspace): boolean {
  const room = roomOn(context.state.get('perception'), localDate(context.now()));
  return room.entries > 0 && (!models.evaluator.asksModel || room.questions > 0);
}

/** The event note that was written, or why there was no evaluation; null if there is no finding to put, or not now. */
type Put = string | Unjudged | null;

async function putOne(space: DecisionWorkspace, path: string, mails: Correspondence, abort: AbortSignal): Promise<Put> {
  space.transactions.finishHeldUp([path]);
  const target = space.vault.catalogue.get(path);
  if (target?.kind !== 'task' && target?.kind !== 'matter') return null;
  look(space, target, new Touches(space)); // it may have changed since it was looked at
  const seen = space.context.state.get('perceived')[path];
  const note = space.notes.fresh(path);
  if (seen === undefined || note === null || note.settledAt > space.context.now()) return null;
  if (!mayPerceive(space, target) || isElsewhereAsked(space, target)) return null;
  const perceived = perceivedNow(space, target);
  return space.models.evaluator.asksModel
    ? putJudged(space, { target, note, seen, perceived }, mails, abort)
    : putRuled(space, { target, note, seen, perceived }, mails);
}

/** A note that is looked at, and what it shows. */
interface Subject {
  readonly target: TargetRecord;
  readonly note: NoteSnapshot;
  readonly seen: SeenNote;
  readonly perceived: Perception;
}

// The findings of the rules are only listed; a mail that may settle the note is asked about.
function putRuled(space: DecisionWorkspace, subject: Subject, mails: Correspondence): string | null {
  const { target, seen, perceived } = subject;
  const [first] = perceived.findings;
  if (first === undefined || seen.told === findingKey(first)) return null;
  const question = settlingQuestion(space, subject, mails);
  const event = question === null ? null : ask(space, subject, question);
  if (question === null || event !== null) remember(space.context, target.path, { told: findingKey(first) });
  return event;
}

async function putJudged(
  space: DecisionWorkspace,
  subject: Subject,
  mails: Correspondence,
  abort: AbortSignal,
): Promise<Put> {
  const { target, note, seen, perceived } = subject;
  const print = printOf(space, target, note, perceived);
  const judged = { date: localDate(space.context.now()), stamp: seen.stamp, stage: seen.stage, print };
  const isKnown = seen.judged?.print === print || isTold(space, target, judgedKey(print));
  if (isKnown || isDeclined(space, target, perceived)) {
    remember(space.context, target.path, { judged: { ...judged, date: seen.judged?.date ?? '' } });
    return null;
  }
  const [first] = perceived.findings;
  const told = { judged, ...(first === undefined ? {} : { told: findingKey(first) }) };
  const question = settlingQuestion(space, subject, mails);
  if (question !== null) {
    const event = ask(space, subject, question);
    if (event !== null) remember(space.context, target.path, told);
    return event;
  }
  const verdict = await decideSignal(space, target, note, perceived, mails, abort);
  const isRefused = 'holds' in verdict && verdict.holds === 'refused';
  if (isRefused) remember(space.context, target.path, { judged: { ...judged, stamp: '', print: '' } });
  if (isRefused || !('holds' in verdict)) book(space.context, 'questions');
  if ('holds' in verdict) return verdict;
  remember(space.context, target.path, told);
  return isConcrete(verdict) ? ask(space, subject, { verdict, key: judgedKey(print), mail: null }) : null;
}

// If neither note, matter nor stage has changed, a second evaluation would say the same.
function printOf(space: DecisionReadAccess, target: TargetRecord, note: NoteSnapshot, { stage }: Perception): string {
  const matter = target.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  const around = matter === null ? '' : (space.notes.fresh(matter.path)?.sha ?? '');
  return sha256(JSON.stringify([note.sha, around, stage]));
}

function ask(space: DecisionWorkspace, { target, note }: Subject, question: Entry): string | null {
  const event = writeEntry(space, target, note, question);
  if (event !== null) book(space.context, 'entries');
  return event;
}

// All else that a model says of a note is a finding (contract, section 17).
function isConcrete({ decision, reasoning }: DecisionRecord): boolean {
  return decision === 'needs_input' && reasoning.includes('?');
}

// As lasting as the note: a crash must not put it twice.
function book({ state, now }: DecisionContext, what: 'entries' | 'questions'): void {
  const memory = state.get('perception');
  memory.day = booked(memory, localDate(now()), what);
  state.save('perception');
}

function remember({ state }: DecisionContext, path: string, what: Partial<Pick<SeenNote, 'told' | 'judged'>>): void {
  const perceived = state.get('perceived');
  const known = perceived[path];
  if (known === undefined) return;
  perceived[path] = { ...known, ...what };
  state.touch('perceived', path);
}

// If the state was lost, the notes remember: the program's own entry, or one of another machine that still waits.
function isTold(space: DecisionReadAccess, target: TargetRecord, key: string): boolean {
  return space.vault.catalogue
    .eventsAbout(target.path)
    .some((event) => event.fields.perceived === key && (isKnownNote(space, event) || isWaiting(space, event)));
}

// Whether the affair is over was asked when the last of it was ticked by hand, and the person said no.
function isDeclined(
  space: DecisionReadAccess,
  target: TargetRecord,
  { findings: [first, ...others] }: Perception,
): boolean {
  if (first?.kind !== 'tasks_done' || others.length > 0 || target.kind !== 'matter') return false;
  const { catalogue } = space.vault;
  const touched = Math.max(...catalogue.tasksOf(target).map(({ stat }) => stat.mtimeMs));
  return catalogue
    .eventsAbout(target.path)
    .filter(
      ({ fields }) => Object.keys(fields.source_contributions).some(isOwnHand) && fields.changes.state !== undefined,
    )
    .filter(({ name, fields }) => noteMoment(name, fields.timestamp) > touched)
    .some((event) => (findAnswer(space, event)?.fields.dismisses ?? null) !== null);
}

// A person with an open question about this note already sees it: one thing at a time.
function isElsewhereAsked(space: DecisionReadAccess, target: TargetRecord): boolean {
  if (waitingAbout(space, target.path).some(({ event }) => event.fields.perceived === null)) return true;
  return space.vault.catalogue
    .eventsAbout(target.path)
    .some((event) => isOtherQuestion(event) && isWaiting(space, event));
}

function isOtherQuestion(event: EventRecord): boolean {
  return event.fields.perceived === null && isQuestion(event) && !isChoice(event);
}
