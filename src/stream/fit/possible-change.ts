import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import type { DateOrigin } from '../dates/origin.ts';
import type { TargetCandidate, TargetIndex } from '../targets/target-index.ts';
import { TOPICS } from '../trained/labels.ts';
import type { TrainedReader } from '../trained/trained-reader.ts';
import { candidatePool } from './candidate-pool.ts';
import { changeSaid } from './change-said.ts';
import { type Choice, Choices, type Same } from './choices.ts';
import { type Heard, hear, mailEffects } from './heard.ts';
import { mailWordsOf } from './mail-words.ts';
import { Remembered } from './remembered.ts';
import type { Found, Suggestion } from './suggestion.ts';
import { suggestionsIn } from './suggestions.ts';
import { TaskBook } from './task-book.ts';
import { type Ground, inQuestion, type TaskInQuestion, taskInMail } from './task-in-mail.ts';
import { type SentenceWords, sentenceWordsOf, taskInSentence } from './task-in-sentence.ts';
import type { TaskWords } from './task-words.ts';
import { rarityOf } from './words/rarity.ts';

/** A change of one task that a mail may mean. */
export interface PossibleChange {
  readonly task: TargetCandidate;
  /** What the task would be set to. */
  readonly set: Readonly<Record<string, string>>;
  /** What says it most clearly. */
  readonly suggestion: Suggestion;
  /** What is known of it, in numbers: always the same ones in the same order. */
  readonly values: readonly number[];
  /** What kind of deed the task asks for, as many numbers for each effect. */
  readonly deeds: readonly number[];
}

const DAY_MS = 86_400_000;
/** So many days make a new day half as near to the old one as ten less do. */
const NEAR_DAYS = 14;
const FAR_DAYS = 120;

/** Returns every change of an open task that an event may mean, with what is known of each. `book`: what is remembered of tasks. */
export function possibleChanges(
  event: StreamEvent,
  index: TargetIndex,
  found: Found,
  reader: TrainedReader,
  book = new TaskBook(reader),
): readonly PossibleChange[] {
  const all = hear(event, found.read, reader, book.heard);
  const suggestions = suggestionsIn(all, found);
  if (suggestions.length === 0) return [];
  const { ground, tasks } = groundOf(event, index, found.origin, book);
  const sentences = new Map(suggestions.map(({ heard }) => [heard, sentenceWordsOf(heard, ground)] as const));
  const mailSays = mailEffects(
    all.map(({ features }) => features),
    reader,
  );
  const choices = new Choices(suggestions, (same) => changeSaid(same, all, { event, mailSays }));
  return tasks.flatMap((task) => changesOf(task, choices.for(task.own), { ground, sentences }));
}

function groundOf(event: StreamEvent, index: TargetIndex, origin: DateOrigin, book: TaskBook) {
  const mail = mailWordsOf(event, index, origin);
  const tasks = candidatePool(event, index, mail.things.all)
    .filter(({ kind }) => kind === 'task')
    .map((task) => book.wordsOf(task, index));
  const ground: Ground = {
    ...{ index, mail, matters: new Remembered() },
    day: Date.parse((event.originAt ?? '').slice(0, 10)),
    rarityOfThings: rarityOf(tasks.map(({ things }) => things)),
  };
  const rarity = rarityOf(tasks.map(({ words }) => words));
  return { ground, tasks: tasks.map((own) => inQuestion(own, rarity)) };
}

interface Said {
  readonly ground: Ground;
  readonly sentences: ReadonlyMap<Heard, SentenceWords>;
}

/** Returns what a mail may mean for one task: each choice that it has, with what is known of it. */
function changesOf(
  task: TaskInQuestion,
  choices: readonly Choice[],
  { ground, sentences }: Said,
): readonly PossibleChange[] {
  if (choices.length === 0) return [];
  const { own } = task;
  const inMail = taskInMail(task, ground);
  const inMailValues = Object.values(inMail);
  const within = new Map<Heard, InSentence>();
  for (const [heard, words] of sentences) within.set(heard, taskInSentence(task, words, ground));
  return choices.map(({ set, same, said, saidValues, dayAt }) => {
    const inSentence = strongest(same, within);
    const values = inMailValues.concat(
      Object.values(inSentence),
      saidValues,
      newDay(dayAt, own, ground),
      together(inMail, inSentence),
    );
    return { task: own.task, set, suggestion: same[0], values, deeds: deedsOf(said, own.deeds) };
  });
}

type InMail = ReturnType<typeof taskInMail>;
type InSentence = ReturnType<typeof taskInSentence>;

/** Of several sentences that say the same, each counts by how surely it says so. */
function strongest(same: Same, within: ReadonlyMap<Heard, InSentence>) {
  const top = within.get(same[0].heard);
  const most = {
    ...{ inSentence: 0, ownInSentence: 0, matterInSentence: 0, thingsInSentence: 0, thingsSaid: 0 },
    ...{ otherThings: top?.otherThings ?? 0, otherNumber: top?.otherNumber ?? 0 },
    ...{ deed: top?.deed ?? 0, topDeed: top?.topDeed ?? 0, anyDeed: 0, anyTopDeed: 0 },
  };
  for (const { heard, effect } of same) {
    const values = within.get(heard);
    if (values === undefined) continue;
    const surely = Math.sqrt(heard.effects[effect]);
    most.inSentence = Math.max(most.inSentence, surely * values.inSentence);
    most.ownInSentence = Math.max(most.ownInSentence, surely * values.ownInSentence);
    most.matterInSentence = Math.max(most.matterInSentence, surely * values.matterInSentence);
    most.thingsInSentence = Math.max(most.thingsInSentence, surely * values.thingsInSentence);
    most.thingsSaid = Math.max(most.thingsSaid, surely * values.thingsSaid);
    most.anyDeed = Math.max(most.anyDeed, surely * values.deed);
    most.anyTopDeed = Math.max(most.anyTopDeed, surely * values.topDeed);
  }
  return most;
}

/** What tells more together than each by itself: that the sender is known, the name, the deed and the things. */
function together(inMail: InMail, inSentence: ReturnType<typeof strongest>): readonly number[] {
  const { exactSender, domainSender, matterBrand, brand, matterInSubject, matterInText } = inMail;
  const known = Math.max(exactSender, domainSender, matterBrand, brand, matterInSubject, matterInText);
  const name = Math.max(inSentence.inSentence, inMail.inSubject, inMail.ownInMail);
  const { deed } = inSentence;
  const { things } = inMail;
  return [known, known * deed, known * name, name * deed, things * deed, things * known, things * name];
}

function deedsOf({ isCancelled, isMoved }: Choice['said'], asked: TaskWords['deeds']): readonly number[] {
  const isDone = 1 - isCancelled - isMoved;
  const deeds: number[] = [];
  for (const topic of TOPICS) deeds.push(isCancelled * asked[topic], isMoved * asked[topic], isDone * asked[topic]);
  return deeds;
}

/** How near a new day lies to the task's own, 1 for the same; whether it lies before the mail, or long after. */
function newDay(at: number, { dayAt }: TaskWords, { day: ofMail }: Ground): readonly number[] {
  const apart = Math.abs(at - dayAt) / DAY_MS;
  const ahead = (at - ofMail) / DAY_MS;
  return [Number.isNaN(apart) ? 0 : Math.exp(-apart / NEAR_DAYS), Number(ahead < 0), Number(ahead > FAR_DAYS)];
}
