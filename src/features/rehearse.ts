/*
 * A rehearsal (contract, section 18): what Steward would have done with the mail of a past year, compared with what the
 * user did. It only reads, and what it reads never becomes a signal.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Workspace } from '../daemon/context.ts';
import { rulesExtractor } from '../reading/read-event.ts';
import { prepareTables } from '../reading/rules.ts';
import { rankTargets } from '../reading/targets.ts';
import { splitSentences, stemmedWords, tellingWords } from '../reading/text.ts';
import { type PastOrder, readPast } from '../sources/past.ts';
import { round4 } from '../steward/gates.ts';
import { findMatter } from '../steward/sender.ts';
import {
  type ExtractionQuestion,
  type Extractor,
  type ExtractorResult,
  type StreamEvent,
  TARGET_FLOOR,
} from '../steward/types.ts';
import { type EventReading, extract, extractAnswered, questionFor } from '../streams/extract.ts';
import type { StreamFile } from '../streams/fetched-mail.ts';
import type { SignalDraft } from '../streams/signal.ts';
import { eventSource } from '../streams/signal.ts';
import { type Silence, silentEvent } from '../streams/state.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import { markedQuote } from '../vault/event-text.ts';
import { oneLine, sha256 } from '../vault/note-text.ts';
import { plainSender } from '../vault/source-names.ts';
import { inSlices, iso, localDate, Turns, utc } from '../vault/time.ts';
import {
  type ImportProgress,
  type ImportResult,
  momentOfEvent,
  OutsideReading,
  readOutside,
  spaceAt,
} from './import.ts';
import {
  type ExtraNames,
  isEnd,
  isUsers,
  type NotePast,
  PAST_SOURCES,
  type PastMove,
  type PastSource,
  PastVault,
  type RememberedNote,
  readGitPast,
  rememberNotes,
} from './past-vault.ts';
import {
  bestOutcome,
  didWords,
  type EvaluatedDraft,
  evaluateChange,
  evaluateDraft,
  type GatheredEvent,
  isInWindow,
  type RehearsalOutcome,
  type RehearsalTally,
  type RehearsedCase,
  type RehearsedChange,
  tallyCases,
  WINDOW_MS,
} from './rehearsal-evaluation.ts';
import { composeOffers, type Offers, type UnfoundEnd } from './rehearsal-offers.ts';
import { type EvaluatedParts, holdProgress, progressName, RehearsalProgress } from './rehearsal-progress.ts';

export interface RehearsalOrder {
  /** Files and Maildirs, by absolute path. */
  readonly files: readonly string[];
  /** The addresses from which the user sent mails in these files: those count as the user's own word. */
  readonly own?: readonly string[];
  /** A connected mailbox, by its name, and how it is reached; absent if none is read. It needs `since`. */
  readonly source?: Pick<PastOrder, 'name' | 'connect'>;
  /** Only events from then on (epoch ms); null for all. */
  readonly since: number | null;
  /** In which git is found. */
  readonly env: NodeJS.ProcessEnv;
  /** A model that reads the events; absent if the rules do. */
  readonly reader?: PaidReader;
  /** Where it is kept what was found out, and the version of the program; absent if nothing is kept. */
  readonly keep?: { readonly folder: string; readonly version: string; readonly isFresh: boolean };
}

/** A model that reads events within a budget. */
export interface PaidReader {
  readonly extractor: Extractor;
  /** Returns the most that a question can cost, in US dollars, with a second try after a reply that can't be used. */
  mostUsd(question: ExtractionQuestion): number;
  /**
   * Returns the answer to a question, or why there isn't one. `spent`: what this rehearsal has cost by then, in US
   * dollars.
   */
  ask(question: ExtractionQuestion, spent: number, abort: AbortSignal): Promise<Asked>;
}

/** The outcome of a question to a model. `usd`: its cost. `ends`: no further question may be asked. */
type Asked =
  | { readonly kind: 'answered'; readonly answer: ExtractorResult; readonly usd: number }
  | { readonly kind: 'unread'; readonly reason: string; readonly usd: number }
  | { readonly kind: 'ends'; readonly ended: Ended; readonly usd: number };

/** Why a rehearsal ended early. `waits`: it can go on later. */
interface Ended {
  readonly why: 'interrupted' | 'budget' | 'waits';
  /** As a sentence. */
  readonly reason: string;
}

/** The questions that a model would be asked. */
export interface PaidPlan {
  readonly name: string;
  /** How many events, how many of them still have to be asked about, and the most that this costs in US dollars. */
  readonly events: number;
  readonly questions: number;
  readonly mostUsd: number;
  readonly spentUsd: number;
}

/** Who hears how far a rehearsal is, and who may end it. */
export interface RehearsalWork {
  readonly reading: (progress: ImportProgress) => void;
  /** How many mails of a connected mailbox are read. */
  readonly fetching: (progress: { readonly name: string; readonly mails: number }) => void;
  readonly evaluating: (progress: { readonly done: number; readonly of: number; readonly at: number }) => void;
  /** Whether a model may be asked. */
  readonly agree: (plan: PaidPlan) => Promise<boolean>;
  /** Ends it: what was compared by then is reported. */
  readonly abort: AbortSignal;
}

/** From where the past of the tasks and matters is known. */
export interface PastKnown {
  /** How many ends of notes are dated by what. */
  readonly ends: Readonly<Record<PastSource, number>>;
  /** How many notes say when they were made, by what; the others count as there from the beginning. */
  readonly created: Readonly<Record<'created' | 'git' | 'file' | 'unknown', number>>;
  /** Whether changes of dates are known. */
  readonly hasGit: boolean;
}

export interface Rehearsal {
  /** False if it was ended early. */
  readonly complete: boolean;
  /** Why it was ended early; null if it wasn't. */
  readonly ended: Ended | null;
  /** Who read the events: `rules`, or the model's id. */
  readonly evaluator: string;
  /** What a model was asked in all runs of this rehearsal; null if the rules read. */
  readonly model: { readonly questions: number; readonly usd: number } | null;
  /** The first and the last day of the events; null without any. */
  readonly from: string | null;
  readonly to: string | null;
  readonly events: {
    readonly evaluated: number;
    /** Not evaluated, since it was ended before. */
    readonly left: number;
    /** How many of the evaluated ones were evaluated by an earlier run. */
    readonly resumed: number;
    /** Read a second time, as a copy in another file. */
    readonly copies: number;
    readonly earlier: number;
    readonly undated: number;
    readonly refused: number;
  };
  /** The evaluated events by what Steward would have done. Together they are all. */
  readonly would: Readonly<Record<'applied' | 'proposed' | 'asked' | 'setAside' | 'notRead', number>>;
  readonly tally: RehearsalTally;
  /** The completed tasks and matters that an event had named within fourteen days before. */
  readonly found: { readonly found: number; readonly missed: number };
  readonly past: PastKnown;
  readonly cases: readonly RehearsedCase[];
  readonly tasks: readonly RehearsedTask[];
  readonly offers: Offers;
  /** The first files and events that could not be read. */
  readonly troubles: readonly { readonly file: string; readonly place: string | null; readonly reason: string }[];
}

interface RehearsedTask {
  readonly note: string;
  readonly ended: { readonly at: string; readonly by: PastSource } | null;
  readonly created: { readonly at: string; readonly by: 'created' | 'git' | 'file' } | null;
}

const MOST_TROUBLES = 10;

/**
 * Rehearses a past: reads events where they are, and compares what Steward would have proposed with what the user did. Writes
 * nothing into the vault. Throws as `importFiles` and `readPast` do, `rehearsal-size` for more than fits into memory,
 * `rehearsal-declined`, `rehearsal-busy`, and the reason of who ends it while the events are read.
 */
export async function rehearse(space: Workspace, order: RehearsalOrder, work: RehearsalWork): Promise<Rehearsal> {
  const { keep, reader } = order;
  const release =
    keep === undefined || reader === undefined ? () => {} : holdProgress(progressFile(space, order, keep.folder));
  try {
    return await rehearseAlone(space, order, work);
  } finally {
    release();
  }
}

async function rehearseAlone(space: Workspace, order: RehearsalOrder, work: RehearsalWork): Promise<Rehearsal> {
  const { root, layout } = space.vault;
  const git = await readGitPast(root, [layout.folders.task, layout.folders.matter], order.env);
  const notes = rememberNotes(space, git);
  // Another process parses the events meanwhile.
  const [gathered] = await Promise.all([gather(space, order, work), inSlices(prepareTables())]);
  const progress = progressOf(space, notes, order);
  const walk = new Walk(space, notes, { progress, reader: order.reader ?? null });
  if (order.reader !== undefined) {
    if (progress.trouble !== null) throw notKept(progress.trouble);
    await agreeOn(walk, gathered.events, work);
  }
  const ended = await walk.all(gathered.events, work);
  if (ended === null) progress.finish();
  else progress.flush();
  const evaluated = gathered.events.slice(0, walk.evaluated.length);
  // Later ends may have been named by events that aren't evaluated yet.
  const until = ended === null ? space.context.now() : (evaluated.at(-1)?.at ?? 0);
  const missed = missedIn(space, notes, walk.evaluated, { from: order.since ?? 0, until });
  const cases = [...walk.cases, ...missed.cases].toSorted((one, other) => (one.at < other.at ? -1 : 1));
  const again = (events: readonly GatheredEvent[], extra: ExtraNames) => casesAgain(space, notes, events, extra);
  const left = gathered.events.length - evaluated.length;
  return {
    complete: ended === null,
    ended,
    evaluator: order.reader?.extractor.name ?? 'rules',
    model: order.reader === undefined ? null : { questions: walk.questions, usd: round4(walk.spentUsd) },
    from: evaluated[0] === undefined ? null : localDate(evaluated[0].at),
    to: evaluated.length === 0 ? null : localDate(evaluated.at(-1)?.at ?? 0),
    events: { ...gathered.counts, evaluated: evaluated.length, left, resumed: walk.resumed },
    would: countWould(walk.evaluated),
    tally: tallyCases(cases),
    found: { found: missed.found, missed: missed.cases.length },
    past: pastKnown(notes, git !== null),
    cases,
    tasks: tasksOf(notes),
    offers: await composeOffers(space, cases, { events: evaluated, unfound: missed.unfound, again }),
    troubles: [
      ...gathered.troubles,
      ...(progress.trouble === null ? [] : [{ file: 'The progress', place: null, reason: progress.trouble }]),
    ],
  };
}

function progressOf(
  space: Workspace,
  notes: ReadonlyMap<string, RememberedNote>,
  order: RehearsalOrder,
): RehearsalProgress {
  const { keep, reader } = order;
  const now = space.context.now();
  if (keep === undefined) return new RehearsalProgress({ file: null, binding: '' }, now);
  const name = reader?.extractor.name ?? 'rules';
  const file = progressFile(space, order, keep.folder);
  if (keep.isFresh) fs.rmSync(file, { force: true });
  return new RehearsalProgress({ file, binding: bindingOf(space, notes, `${keep.version} ${name}`) }, now);
}

function progressFile({ vault }: Workspace, { reader }: RehearsalOrder, folder: string): string {
  return path.join(folder, progressName(vault.root, reader?.extractor.name ?? 'rules'));
}

/** The kinds of notes by which an event is evaluated. */
const DECIDING = ['matter', 'task', 'signal', 'event', 'reversal', 'instinct', 'licence'] as const;

// An event is evaluated by the notes with their past, by what is learnt and allowed, and on a day: it may be too early to say.
function bindingOf(space: Workspace, notes: ReadonlyMap<string, RememberedNote>, program: string): string {
  const { catalogue } = space.vault;
  const hash = createHash('sha256').update(`${program}\n${localDate(space.context.now())}\n`);
  hash.update(JSON.stringify(space.context.settings));
  for (const { path: note, past } of [...notes.values()].map(({ record, past }) => ({ path: record.path, past })))
    hash.update(JSON.stringify([note, past]));
  for (const kind of DECIDING)
    for (const { path: note, fields } of catalogue.each(kind)) hash.update(JSON.stringify([note, fields]));
  return hash.digest('hex');
}

function notKept(trouble: string): StewardError {
  return new StewardError(
    {
      code: 'rehearsal-progress',
      message: `The model isn't asked: ${trouble}.`,
      hint: 'Make the folder writable, or set XDG_CACHE_HOME to another one.',
    },
    EXIT.tryAgain,
  );
}

async function agreeOn(walk: Walk, events: readonly GatheredEvent[], { agree, abort }: RehearsalWork): Promise<void> {
  const plan = await walk.plan(events, abort);
  if (plan.questions === 0 || (await agree(plan))) return;
  throw new StewardError(
    {
      code: 'rehearsal-declined',
      message: 'The model was not asked, and no comparison was made.',
      hint: 'Without `--evaluator`, the rules read the events at no cost.',
    },
    EXIT.refused,
  );
}

interface Gathered {
  /** In order of time. */
  readonly events: readonly GatheredEvent[];
  readonly counts: Omit<Rehearsal['events'], 'evaluated' | 'left' | 'resumed'>;
  readonly troubles: Rehearsal['troubles'];
}

/** How much text of events is kept in memory, in characters, and of how many events. */
const MAX_TEXT = 200_000_000;
const MAX_EVENTS = 200_000;
const DAY_MS = 86_400_000;

async function gather(space: Workspace, order: RehearsalOrder, work: RehearsalWork): Promise<Gathered> {
  using reading = new OutsideReading(space);
  const pile = new Pile(space.context.now(), order.since);
  const outside = { reading, tell: work.reading, abort: work.abort, own: (order.own ?? []).map(plainSender) };
  for await (const found of readOutside(space, order.files, outside))
    pile.add(found, { file: found.from, place: found.place });
  if (order.source !== undefined)
    await gatherMailbox(space, reading, { ...order.source, since: order.since }, pile, work);
  return { ...pile, events: pile.events.toSorted((one, other) => one.at - other.at) };
}

async function gatherMailbox(
  space: Workspace,
  reading: OutsideReading,
  { name, connect, since }: NonNullable<RehearsalOrder['source']> & Pick<RehearsalOrder, 'since'>,
  pile: Pile,
  { fetching, abort }: RehearsalWork,
): Promise<void> {
  if (since === null) throw noSince();
  // The server counts days in its own time zone.
  const order = { name, connect, since: utc(since - DAY_MS).slice(0, 10) };
  let mails = 0;
  const take = async ({ file, bytes }: StreamFile) => {
    for await (const found of reading.eventsOfMail(file, Buffer.from(bytes))) {
      const subject = found.what === 'event' ? `“${oneLine(found.event.subject, MAX_SUBJECT)}”` : null;
      pile.add(found, { file: name, place: found.place ?? subject });
    }
    mails += 1;
    fetching({ name, mails });
  };
  for (const { message } of await readPast(space, order, take, abort))
    pile.troubles.push({ file: name, place: null, reason: message });
}

function noSince(): StewardError {
  return new StewardError(
    {
      code: 'rehearsal-since',
      message: 'A rehearsal of a connected mailbox needs the day on which it begins.',
      hint: 'Add the day, such as `--since 2026-01-01`.',
    },
    EXIT.usage,
  );
}

/** The events that were read, and the counts of those that were left out. */
class Pile {
  readonly events: GatheredEvent[] = [];
  readonly counts = { copies: 0, earlier: 0, undated: 0, refused: 0 };
  readonly troubles: { file: string; place: string | null; reason: string }[] = [];
  readonly #now: number;
  readonly #since: number | null;
  #text = 0;

  constructor(now: number, since: number | null) {
    this.#now = now;
    this.#since = since;
  }

  /** Adds what was read at a place. Throws `rehearsal-size`. */
  add(found: ImportResult, { file, place }: Pick<GatheredEvent, 'file' | 'place'>): void {
    const { counts, troubles } = this;
    if (found.what === 'known') counts.copies += 1;
    else if (found.what === 'refused') {
      counts.refused += 1;
      if (troubles.length < MOST_TROUBLES) troubles.push({ file, place, reason: found.reason });
    } else this.#addEvent({ event: found.event, file, place });
  }

  #addEvent(one: Omit<GatheredEvent, 'at'>): void {
    const at = momentOfEvent(one.event);
    if (at === null || at > this.#now) this.counts.undated += 1;
    else if (this.#since !== null && at < this.#since) this.counts.earlier += 1;
    else {
      this.#text += one.event.text.length + one.event.quoted.length + (one.event.shown?.length ?? 0);
      if (this.#text > MAX_TEXT || this.events.length >= MAX_EVENTS) throw tooMuch();
      this.events.push({ at, ...one });
    }
  }
}

function tooMuch(): StewardError {
  return new StewardError({
    code: 'rehearsal-size',
    message: `A rehearsal takes at most ${MAX_EVENTS.toLocaleString('en')} events, and 200 million characters of text.`,
    hint: 'Give a later --since, or fewer files.',
  });
}

/** An event that was read, and what Steward would have done about it. */
interface EvaluatedEvent extends EvaluatedParts {
  readonly gathered: GatheredEvent;
}

type NamedNote = EvaluatedParts['named'][number];

/** How a walk differs from that of the rules over the vault as it is. */
interface WalkParts {
  readonly progress?: RehearsalProgress;
  readonly reader?: PaidReader | null;
  readonly extra?: ExtraNames;
}

/** Goes through events in order of time, and evaluates each on the vault as it was. */
class Walk {
  readonly #today: Workspace;
  readonly #space: Workspace;
  readonly #notes: ReadonlyMap<string, RememberedNote>;
  readonly #past: PastVault;
  readonly #now: number;
  readonly #progress: RehearsalProgress | null;
  readonly #reader: PaidReader | null;
  /** Who said what of which note → when (epoch ms). */
  readonly #said = new Map<string, number>();
  readonly evaluated: EvaluatedEvent[] = [];
  /** How many events were evaluated by an earlier run. */
  resumed = 0;
  /** How many questions were answered in all runs, and what they cost. */
  questions = 0;
  spentUsd = 0;

  constructor(
    space: Workspace,
    notes: ReadonlyMap<string, RememberedNote>,
    { progress, reader = null, extra }: WalkParts = {},
  ) {
    this.#today = space;
    this.#notes = notes;
    this.#past = new PastVault(space, notes, extra);
    this.#now = space.context.now();
    this.#progress = progress ?? null;
    this.#reader = reader;
    const models = { ...space.models, extractor: reader?.extractor ?? rulesExtractor(this.#past) };
    this.#space = { ...space, models, ingest: { ...space.ingest, targets: this.#past } };
  }

  get cases(): readonly RehearsedCase[] {
    return this.evaluated.flatMap(({ cases }) => cases);
  }

  /** Returns what the model would be asked about events, and counts what it was asked before. Asks nothing. */
  async plan(events: readonly GatheredEvent[], abort: AbortSignal): Promise<PaidPlan> {
    const [turns, past] = [new Turns(), new PastVault(this.#today, this.#notes)];
    const then = { ...this.#space, ingest: { ...this.#space.ingest, targets: past } };
    let [questions, mostUsd] = [0, 0];
    this.spentUsd = this.#progress?.spentUsd ?? 0;
    for (const { at, event } of events) {
      await turns.giveWay();
      abort.throwIfAborted();
      past.goTo(at);
      const question = paidQuestion(spaceAt(then, at), event);
      const known = question === null ? null : (this.#progress?.answer(keyOfQuestion(this.#space, question)) ?? null);
      const isKnown = (known?.answer ?? null) !== null;
      if (isKnown) this.questions += 1;
      if (question === null || isKnown) continue;
      questions += 1;
      mostUsd += this.#reader?.mostUsd(question) ?? 0;
    }
    const { name } = this.#space.models.extractor;
    return { name, events: events.length, questions, mostUsd, spentUsd: this.spentUsd };
  }

  /** Returns why it was ended before all were evaluated; null if all were. */
  async all(
    events: readonly GatheredEvent[],
    { evaluating, abort }: Pick<RehearsalWork, 'evaluating' | 'abort'>,
  ): Promise<Ended | null> {
    const turns = new Turns();
    for (const [nth, gathered] of events.entries()) {
      await turns.giveWay();
      if (abort.aborted) return INTERRUPTED;
      const known = this.#known(gathered);
      const parts = known ?? (await this.#evaluate(gathered, abort));
      if ('why' in parts) return parts;
      this.evaluated.push({ gathered, ...parts });
      evaluating({ done: nth + 1, of: events.length, at: gathered.at });
    }
    return null;
  }

  #known(gathered: GatheredEvent): EvaluatedParts | null {
    const known = this.#progress?.size === 0 ? null : (this.#progress?.event(keyOfEvent(gathered)) ?? null);
    if (known === null) return null;
    this.resumed += 1;
    for (const { source, notes, change } of known.cases) this.#isRepeat(source, notes, change, gathered.at);
    return known;
  }

  async #evaluate(gathered: GatheredEvent, abort: AbortSignal): Promise<EvaluatedParts | Ended> {
    const { at, event } = gathered;
    this.#past.goTo(at);
    const space = spaceAt(this.#space, at);
    const read = await this.#read(space, event, abort);
    if ('why' in read) return read;
    const then = { space, past: this.#past, notes: this.#notes };
    const cases = read.drafts.flatMap((draft) => {
      const evaluated = evaluateDraft(then, draft);
      return evaluated === null ? [] : [this.#case(gathered, draft, evaluated)];
    });
    const { silence } = read;
    const isUnread = silence?.kind === 'not-read';
    const parts = { cases, reason: silence?.reason ?? null, isUnread, named: this.#named(event, silence) };
    this.#progress?.keepEvent(keyOfEvent(gathered), parts);
    return parts;
  }

  async #read(
    space: Workspace,
    event: StreamEvent,
    abort: AbortSignal,
  ): Promise<Pick<EventReading, 'drafts' | 'silence'> | Ended> {
    const question = this.#reader === null ? null : paidQuestion(space, event);
    if (question === null || this.#reader === null) {
      const read = await extract(space, event, NEVER);
      return read.kind === 'waits' ? { drafts: [], silence: null } : read; // it asks no model, so it never waits
    }
    const key = keyOfQuestion(space, question);
    const known = this.#progress?.answer(key)?.answer ?? null;
    if (known === null) this.#progress?.reserve(key, this.#reader.mostUsd(question));
    const asked = known === null ? await this.#reader.ask(question, this.spentUsd, abort) : null;
    if (asked !== null) {
      this.spentUsd += asked.usd;
      const answer = asked.kind === 'answered' ? asked.answer : null;
      this.#progress?.keepAnswer(key, { answer, usd: asked.usd });
    }
    // Without its costs on disk, a later run couldn't keep to the budget.
    const trouble = asked === null ? null : (this.#progress?.trouble ?? null);
    if (trouble !== null) return { why: 'waits', reason: `It ended, since ${trouble}.` };
    if (asked?.kind === 'ends') return abort.aborted ? INTERRUPTED : asked.ended;
    if (asked?.kind === 'unread') return { drafts: [], silence: silentEvent(event, asked.reason, 'not-read') };
    if (asked !== null) this.questions += 1;
    const answer = known ?? (asked?.kind === 'answered' ? asked.answer : null);
    return answer === null ? { drafts: [], silence: null } : extractAnswered(space, event, answer);
  }

  #case({ at, event, file, place }: GatheredEvent, draft: SignalDraft, evaluated: EvaluatedDraft): RehearsedCase {
    const { change, failed, words, would, needsLicenceOnly } = evaluated;
    const { outcome, notes } = this.#compared(evaluated.notes, change, at);
    const source = eventSource(event);
    return {
      ...headOf(this.#space, event, notes[0]),
      at: iso(at),
      source,
      file,
      place,
      would,
      notes,
      change,
      words,
      quote: markedQuote(draft),
      confidence: Math.min(draft.target_confidence, draft.effect_confidence),
      why: failed.map(({ sentence }) => sentence),
      needsLicenceOnly,
      verdict: outcome.verdict,
      reason: outcome.reason,
      doneAt: outcome.at === null ? null : iso(outcome.at),
      by: outcome.by,
      isRepeat: this.#isRepeat(source, notes, change, at),
    };
  }

  // The note on which the user did it comes first.
  #compared(notes: readonly string[], change: RehearsedChange | null, at: number): Compared {
    const known = notes.flatMap((path) => {
      const past = this.#notes.get(path)?.past;
      return past === undefined || change === null
        ? []
        : [{ path, outcome: evaluateChange(change, past, at, this.#now) }];
    });
    const best = bestOutcome(known.map(({ outcome }) => outcome));
    const path = known.find(({ outcome }) => outcome === best)?.path;
    return { outcome: best, notes: path === undefined ? notes : [path, ...notes.filter((one) => one !== path)] };
  }

  #isRepeat(source: string, notes: readonly string[], change: RehearsedChange | null, at: number): boolean {
    const key = JSON.stringify([source, notes, change]);
    const before = this.#said.get(key);
    const isRepeat = before !== undefined && at - before <= WINDOW_MS;
    if (!isRepeat) this.#said.set(key, at);
    return isRepeat;
  }

  // An event that was looked into without result has its notes ranked already.
  #named(event: StreamEvent, silence: Silence | null): NamedNote[] {
    const ranked =
      silence !== null && silence.closest.length > 0
        ? silence.closest
        : rankTargets(this.#past.index, event, null).map(({ candidate, score, evidence }) => {
            return { note: candidate.path, score, evidence };
          });
    return ranked
      .filter(({ note, score, evidence }) => {
        const isTold = evidence.length > 1 || evidence.some((kind) => kind !== 'words' && kind !== 'sender');
        return score >= TARGET_FLOOR && isTold && this.#past.index.isOpen(note);
      })
      .slice(0, MOST_NAMED)
      .map(({ note, score }) => ({ note, score }));
  }
}

interface Compared {
  readonly outcome: RehearsalOutcome;
  readonly notes: readonly string[];
}

const NEVER = new AbortController().signal;
const MOST_NAMED = 3;
const INTERRUPTED: Ended = { why: 'interrupted', reason: 'You ended it.' };

// An event that can't be read at all is no question either.
function paidQuestion(space: Workspace, event: StreamEvent): ExtractionQuestion | null {
  return event.unread?.isWhole === true ? null : questionFor(space, event);
}

function keyOfQuestion({ models }: Workspace, question: ExtractionQuestion): string {
  return sha256(JSON.stringify([models.extractor.name, question]));
}

function keyOfEvent(gathered: GatheredEvent): string {
  return sha256(JSON.stringify(gathered));
}

function headOf(space: Workspace, event: StreamEvent, path: string | undefined) {
  const record = path === undefined ? undefined : space.vault.catalogue.get(path);
  const isTarget = record?.kind === 'task' || record?.kind === 'matter';
  const { from, fromName, subject, authentication } = event;
  return {
    from: from === null || fromName === null ? from : `${oneLine(fromName, MAX_NAME)} <${from}>`,
    subject: oneLine(subject, MAX_SUBJECT),
    authenticated: authentication.result,
    matter: isTarget ? (findMatter(space.vault.catalogue, record)?.name ?? null) : null,
  };
}

const [MAX_NAME, MAX_SUBJECT, MAX_SENTENCE] = [100, 160, 200];

/** Returns the cases of some events, by the rules, if notes had more names. */
async function casesAgain(
  space: Workspace,
  notes: ReadonlyMap<string, RememberedNote>,
  events: readonly GatheredEvent[],
  extra: ExtraNames,
): Promise<readonly RehearsedCase[]> {
  const walk = new Walk(space, notes, { extra });
  await walk.all(events, { evaluating: () => {}, abort: NEVER });
  return walk.cases;
}

function countWould(evaluated: readonly EvaluatedEvent[]): Rehearsal['would'] {
  const counts = { applied: 0, proposed: 0, asked: 0, setAside: 0, notRead: 0 };
  for (const { cases, isUnread } of evaluated) {
    const [first] = (['applied', 'proposed', 'asked'] as const).filter((would) =>
      cases.some((one) => one.would === would),
    );
    counts[first ?? (isUnread ? 'notRead' : 'setAside')] += 1;
  }
  return counts;
}

/** An end of a task or matter whose day is known. */
interface KnownEnd {
  readonly note: RememberedNote;
  readonly move: PastMove;
}

interface Missing {
  readonly found: number;
  readonly cases: readonly RehearsedCase[];
  readonly unfound: readonly UnfoundEnd[];
}

/**
 * Returns the ends of notes within fourteen days after an event that names the note: how many Steward would have proposed or
 * asked about, and those that it would have missed. An estimate: the event may have had nothing to do with it.
 */
function missedIn(
  space: Workspace,
  notes: ReadonlyMap<string, RememberedNote>,
  evaluated: readonly EvaluatedEvent[],
  span: Span,
): Missing {
  const about = Map.groupBy(
    evaluated.flatMap((one) => notesNamedBy(one).map((note) => ({ note, one }))),
    ({ note }) => note,
  );
  let found = 0;
  const cases: RehearsedCase[] = [];
  const unfound: UnfoundEnd[] = [];
  for (const { note, move } of knownEnds(notes, span)) {
    const events = (about.get(note.record.path) ?? [])
      .map(({ one }) => one)
      .filter((one) => isInWindow(one.gathered.at, move.at));
    if (events.some((one) => wouldFind(one, note.record.path, move))) found += 1;
    else {
      const { at } = move;
      unfound.push({ note: note.record.path, from: at - WINDOW_MS, until: at, doneAt: iso(at) });
      const [best] = events
        .filter(({ cases: own }) => !own.some(({ notes: all }) => all.includes(note.record.path)))
        .toSorted((one, other) => scoreOf(other, note) - scoreOf(one, note) || other.gathered.at - one.gathered.at);
      if (best !== undefined) cases.push(missedCase(space, best, note, move));
    }
  }
  return { found, cases, unfound };
}

function notesNamedBy({ named, cases }: EvaluatedEvent): readonly string[] {
  return [...new Set([...named.map(({ note }) => note), ...cases.flatMap(({ notes }) => notes)])];
}

/** The time in which ends of notes are looked at (epoch ms). */
interface Span {
  readonly from: number;
  readonly until: number;
}

// The last edit of a file may be of any later day.
function knownEnds(notes: ReadonlyMap<string, RememberedNote>, { from, until }: Span): KnownEnd[] {
  const isKnown = (move: PastMove) => {
    const { field, after, by, at } = move;
    return field === 'state' && isEnd(after) && isUsers(move) && by !== 'file' && at >= from && at <= until;
  };
  return [...notes.values()].flatMap((note) => note.past.moves.filter(isKnown).map((move) => ({ note, move })));
}

function wouldFind({ cases }: EvaluatedEvent, path: string, move: PastMove): boolean {
  return cases.some(
    ({ notes, change }) => notes.includes(path) && change?.field === 'state' && change.value === move.after,
  );
}

function scoreOf({ named }: EvaluatedEvent, { record }: RememberedNote): number {
  return named.find(({ note }) => note === record.path)?.score ?? 0;
}

function missedCase(space: Workspace, missed: EvaluatedEvent, note: RememberedNote, move: PastMove): RehearsedCase {
  const { gathered, reason } = missed;
  const { at, event, file, place } = gathered;
  const { path, kind, name } = note.record;
  const value = move.after ?? 'done';
  const licenceKind = kind === 'matter' ? 'matter' : value === 'archived' ? 'archived' : 'done';
  return {
    ...headOf(space, event, path),
    at: iso(at),
    source: eventSource(event),
    file,
    place,
    would: 'missed',
    notes: [path],
    change: { field: 'state', value, kind: licenceKind },
    words: `state open → ${value}`,
    quote: sentenceNaming(event, name),
    confidence: scoreOf(missed, note),
    why: [reason ?? 'something else was read in it'],
    needsLicenceOnly: false,
    verdict: 'missed',
    reason: didWords(move, at),
    doneAt: iso(move.at),
    by: move.by,
    isRepeat: false,
  };
}

function sentenceNaming({ text, subject }: StreamEvent, name: string): string {
  const words = new Set(tellingWords(name));
  let [best, most] = [subject, stemmedWords(subject).filter((word) => words.has(word)).length];
  for (const { start, end } of splitSentences(text).slice(0, MOST_SENTENCES)) {
    const sentence = text.slice(start, end);
    const shared = new Set(stemmedWords(sentence).filter((word) => words.has(word))).size;
    if (shared > most) [best, most] = [sentence, shared];
  }
  return oneLine(best, MAX_SENTENCE);
}

const MOST_SENTENCES = 100;

function pastKnown(notes: ReadonlyMap<string, RememberedNote>, hasGit: boolean): PastKnown {
  const ends = Object.fromEntries(PAST_SOURCES.map((by) => [by, 0])) as Record<PastSource, number>;
  const created = { created: 0, git: 0, file: 0, unknown: 0 };
  for (const { past } of notes.values()) {
    const end = endIn(past);
    if (end !== undefined) ends[end.by] += 1;
    created[past.created?.by ?? 'unknown'] += 1;
  }
  return { ends, created, hasGit };
}

function endIn({ moves }: NotePast): PastMove | undefined {
  return moves.findLast((move) => move.field === 'state' && isEnd(move.after) && isUsers(move));
}

function tasksOf(notes: ReadonlyMap<string, RememberedNote>): RehearsedTask[] {
  return [...notes].map(([note, { past }]) => {
    const end = endIn(past);
    const { created } = past;
    return {
      note,
      ended: end === undefined ? null : { at: iso(end.at), by: end.by },
      created: created === null ? null : { at: iso(created.at), by: created.by },
    };
  });
}
