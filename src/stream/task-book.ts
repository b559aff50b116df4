import type { StreamEvent } from '../steward/ports.ts';
import { assess, type Passage, passagesOf, shownSentence } from './cues.ts';
import type { Silence } from './event-findings.ts';
import { SentenceMemory } from './language.ts';
import type { Finding } from './rules.ts';
import type { TargetCandidate, TargetIndex } from './targets-target-index.ts';
import { type TaskWords, taskWordsOf } from './task-words.ts';
import type { ThingSet } from './things.ts';
import type { TrainedReader } from './trained/trained-reader.ts';
import {
  BUCKETS,
  CHANGES,
  type Change,
  EFFECTS,
  type Effect,
  type LinearModel,
  likelihood,
  MAIL_EFFECTS,
  type MailEffect,
  probabilities,
  sentenceFeatures,
  TOPICS,
  type Topic,
  treesScore,
} from './trained.ts';

/** A sentence with how likely it says that something was done, called off or moved. */
export interface Heard {
  readonly passage: Passage;
  /** Which sentence of the mail it is, from 0, the subject's first. */
  readonly at: number;
  /** How likely the sentence says each effect, 0–1. */
  readonly effects: Readonly<Record<Effect, number>>;
  /** How likely it is about each kind of deed, 0–1. */
  readonly topics: Readonly<Record<Topic, number>>;
  /** The words that say it most clearly. */
  readonly span: TellingSpan;
  /** Its words and letters, as numbers. */
  readonly features: readonly number[];
  /** The sentence has words that speak against it: it is negated, asked, only in part. */
  readonly isDefeated: boolean;
}

/** Where the words stand, at most six in a row, that tell of a change most clearly, and how likely they alone do. */
interface TellingSpan {
  readonly start: number;
  readonly end: number;
  readonly change: number;
}

/** A sentence less likely than this to tell of a change, by its words and letters alone, is not looked at further. */
const LEAST_LIKELY = 0.08;
/** How many sentences are listened to: what matters stands at the beginning. */
const MAX_SENTENCES = 80;
/** So many sentences say what a mail is about. */
const SENTENCES_OF_MAIL = 24;
/** How many words in a row are shown as those that say it. */
const WINDOW = 6;
const DEFEATS = ['question', 'negated', 'condition', 'not yet so', 'request', 'only in part', 'still open'] as const;
const NOTHING = record(TOPICS, []);

/** What is heard in a sentence, whichever mail has it. */
type Saying = Omit<Heard, 'passage' | 'at'>;

/** Returns how likely each sentence of an event tells of each effect. `read`: all that the rules find, meant or not. */
export function hear(
  event: StreamEvent,
  read: readonly Finding[],
  reader: TrainedReader,
  remembered: SentenceMemory<Saying>,
): readonly Heard[] {
  const bySentence = Map.groupBy(read, ({ sentence }) => sentence);
  return passagesOf(event)
    .slice(0, MAX_SENTENCES)
    .map((passage, at) => {
      const { view } = passage;
      const ofThis = bySentence.get(shownSentence(view)) ?? [];
      // What the rules find hangs on the mail: on when it was written, and in which language.
      const saying =
        ofThis.length > 0
          ? sayingOf(view, ofThis, reader)
          : (remembered.get(view) ?? remembered.put(view, sayingOf(view, ofThis, reader)));
      return { passage, at, ...saying };
    });
}

function sayingOf(view: string, read: readonly Finding[], reader: TrainedReader): Saying {
  const features = sentenceFeatures(view);
  const first = record(EFFECTS, probabilities(reader.effects, features));
  const whole = { start: 0, end: view.length, change: 0 };
  if (changeIn(first) < LEAST_LIKELY && read.length === 0)
    return {
      effects: { ...first, done: 0, cancelled: 0, moved: 0 },
      topics: NOTHING,
      features,
      span: whole,
      isDefeated: false,
    };
  const span = tellingSpan(view, reader.effects);
  const cues = cuesOf(view, first, span, read);
  const topics = record(TOPICS, probabilities(reader.topics, features));
  const likely = Object.fromEntries(
    CHANGES.map((change) => [change, likelihood(treesScore(reader.changes[change], cues))]),
  );
  return {
    effects: { ...first, ...likely },
    topics,
    features,
    span,
    isDefeated: read.some(({ defeatedBy }) => defeatedBy !== null),
  };
}

/** Returns what is asked about a sentence besides its words and letters, as numbers; the trainer and the reader share it. */
export function cuesOf(
  view: string,
  first: Readonly<Record<Effect, number>>,
  span: TellingSpan,
  read: readonly Finding[],
): readonly number[] {
  const asserted = read.filter(({ defeatedBy }) => defeatedBy === null);
  const surest = (isOne: (finding: Finding) => boolean) =>
    Math.max(0, ...asserted.filter(isOne).map(({ rawConfidence }) => rawConfidence));
  return [
    ...EFFECTS.map((effect) => Math.log(first[effect] + 1e-4)),
    span.change,
    ...against(view, span),
    ...against(view, { start: view.length, end: view.length }),
    surest(({ set }) => set.state === 'done'),
    surest(({ set }) => set.state === 'archived'),
    surest(({ set }) => set.due !== undefined),
    surest(({ class: name }) => name === null),
    read.length - asserted.length,
    view.split(/\s+/).length,
  ];
}

/** What speaks against the words at a place being meant: each way to be defeated, and what is left of a doubtful one. */
function against(view: string, { start, end }: Pick<TellingSpan, 'start' | 'end'>): readonly number[] {
  const { defeat, factor } = assess({ sentence: view, start, end, bare: true, negative: false, ofFuture: false });
  return [...DEFEATS.map((one) => Number(defeat === one)), factor];
}

/** Returns the words of a sentence, at most six in a row, that tell of a change most clearly. */
export function tellingSpan(view: string, effects: LinearModel): TellingSpan {
  const words = [...view.matchAll(/\S+/gu)].map(({ index, 0: word }) => ({ start: index, end: index + word.length }));
  const starts = words.slice(0, Math.min(40, Math.max(1, words.length - WINDOW + 1)));
  const spans = starts.map(({ start }, at) => {
    const end = words[Math.min(words.length, at + WINDOW) - 1]?.end ?? start;
    return {
      start,
      end,
      change: changeIn(record(EFFECTS, probabilities(effects, sentenceFeatures(view.slice(start, end))))),
    };
  });
  return spans.reduce((best, each) => (each.change > best.change ? each : best), {
    start: 0,
    end: view.length,
    change: -1,
  });
}

/** Returns how likely a mail as a whole says each effect, given the words and letters of its sentences. */
export function mailEffects(
  sentences: readonly (readonly number[])[],
  { mails }: Pick<TrainedReader, 'mails'>,
): Readonly<Record<MailEffect, number>> {
  return record(MAIL_EFFECTS, probabilities(mails, mailFeatures(sentences)));
}

/** Returns the features of a mail: those of its first sentences, each once, and those of its subject once more as the subject's. */
export function mailFeatures(sentences: readonly (readonly number[])[]): readonly number[] {
  const [subject = []] = sentences;
  const ofSubject = subject.map((feature) => (feature * 5 + 3) % BUCKETS);
  // A sentence that the mail repeats has the same list of features, and adds none.
  const distinct = [...new Set(sentences.slice(0, SENTENCES_OF_MAIL))];
  return [...new Set([...distinct.flat(), ...ofSubject])];
}

/** Returns how likely a sentence tells of any change, 0–1. */
export function changeIn(effects: Readonly<Record<Change, number>>): number {
  return Math.min(1, effects.done + effects.cancelled + effects.moved);
}

/** Returns the topics of the name of a task. */
export function topicsOf(name: string, { topics }: Pick<TrainedReader, 'topics'>): Readonly<Record<Topic, number>> {
  return record(TOPICS, probabilities(topics, sentenceFeatures(name)));
}

/** Returns some values under their keys. */
export function record<K extends string>(keys: readonly K[], values: readonly number[]): Readonly<Record<K, number>> {
  return Object.fromEntries(keys.map((key, at) => [key, values[at] ?? 0])) as Record<K, number>;
}

/** What was worked out for each of some keys, asked once for each; all is forgotten where there are too many. */
export class Remembered<Key, Value> {
  readonly #known = new Map<Key, Value>();
  readonly #most: number;

  /** `most`: how many values are kept. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** Returns the value of a key, by `work` where it is not known. */
  of(key: Key, work: () => Value): Value {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const value = work();
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(key, value);
    return value;
  }

  /** Forgets all. */
  clear(): void {
    this.#known.clear();
  }
}

/** So many tasks are remembered: mails are about the same ones again and again. */
const MOST_TASKS = 2_000;

/**
 * What is remembered from mail to mail. The words of the tasks that mails were measured against last, as long as no note
 * changes: they are the same for every mail, and made anew for each they took a third of the time that a mail takes. And
 * what was found out about the last sentences by their words alone.
 */
export class TaskBook {
  readonly silence: Silence = new SentenceMemory();
  readonly heard = new SentenceMemory<Saying>();
  readonly #reader: TrainedReader;
  #index: TargetIndex | null = null;
  #revision = 0;
  readonly #words = new Remembered<TargetCandidate, TaskWords>(MOST_TASKS);
  readonly #siblings = new Remembered<string, ThingSet>(MOST_TASKS);

  constructor(reader: TrainedReader) {
    this.#reader = reader;
  }

  /** Returns the words of a task, and what they name. */
  wordsOf(task: TargetCandidate, index: TargetIndex): TaskWords {
    this.#follow(index);
    return this.#words.of(task, () =>
      taskWordsOf(task, index, {
        deedsOf: (name) => topicsOf(name, this.#reader),
        siblingsOf: (matter) => this.#siblings.of(matter, () => thingsOfTasks(matter, index)),
      }),
    );
  }

  #follow(index: TargetIndex): void {
    if (this.#index === index && this.#revision === index.revision) return;
    this.#index = index;
    this.#revision = index.revision;
    this.#words.clear();
    this.#siblings.clear();
  }
}

function thingsOfTasks(matter: string, index: TargetIndex): ThingSet {
  return new Set(index.openTasksOf(matter).flatMap((task) => [...index.things.of(task.path)]));
}
