import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { dueBy } from '../appointments/task-date.ts';
import type { DateOrigin } from '../dates/origin.ts';
import type { TargetCandidate, TargetIndex } from '../targets/target-index.ts';
import { TOPICS } from '../trained/labels.ts';
import type { TrainedReader } from '../trained/trained-reader.ts';
import { candidatePool } from './candidate-pool.ts';
import { changeSaid } from './change-said.ts';
import { type Heard, hear, mailEffects } from './heard.ts';
import { mailWordsOf } from './mail-words.ts';
import { rarityOf } from './rarity.ts';
import { Remembered } from './remembered.ts';
import type { Found, Suggestion } from './suggestion.ts';
import { suggestionsIn } from './suggestions.ts';
import { TaskBook } from './task-book.ts';
import { type Ground, taskInMail } from './task-in-mail.ts';
import { type SentenceWords, sentenceWordsOf, taskInSentence } from './task-in-sentence.ts';
import type { TaskWords } from './task-words.ts';

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

/** From here on the name of a task is surely about the end of something: what is cancelled is then done. */
const IS_ENDING = 0.5;
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
  const places = new Map(suggestions.map((each, at) => [each, at] as const));
  const known = new Remembered<string, ChangeSaid>();
  const saidIn = (same: Same) =>
    known.of(same.map((each) => places.get(each)).join(' '), () => {
      const said = changeSaid(same, all, { event, mailSays });
      return { ...said, values: Object.values(said) };
    });
  return tasks.flatMap((own) => changesOf(own, suggestions, { ground, sentences, saidIn }));
}

function groundOf(event: StreamEvent, index: TargetIndex, origin: DateOrigin, book: TaskBook) {
  const mail = mailWordsOf(event, index, origin);
  const tasks = candidatePool(event, index, mail.things.all)
    .filter(({ kind }) => kind === 'task')
    .map((task) => book.wordsOf(task, index));
  const ground: Ground = {
    ...{ index, mail, matters: new Remembered() },
    day: Date.parse((event.originAt ?? '').slice(0, 10)),
    rarity: rarityOf(tasks.map(({ words }) => words)),
    rarityOfThings: rarityOf(tasks.map(({ things }) => things)),
  };
  return { ground, tasks };
}

/** Suggestions that would set a task to the same, the surest first. */
type Same = readonly [Suggestion, ...Suggestion[]];

interface Said {
  readonly ground: Ground;
  readonly sentences: ReadonlyMap<Heard, SentenceWords>;
  readonly saidIn: (same: Same) => ChangeSaid;
}

/** How surely the mail says a change, the same for all tasks that would be set to the same. */
type ChangeSaid = ReturnType<typeof changeSaid> & { readonly values: readonly number[] };

function changesOf(
  own: TaskWords,
  suggestions: readonly Suggestion[],
  { ground, sentences, saidIn }: Said,
): PossibleChange[] {
  const inMail = taskInMail(own, ground);
  const within = new Map([...sentences].map(([heard, words]) => [heard, taskInSentence(own, words, ground)]));
  const fresh = suggestions
    .map((suggestion) => ({ suggestion, set: setOf(suggestion, own) }))
    .filter(({ set }) => !isAlreadySo(set, own));
  const bySet = Map.groupBy(fresh, ({ set }) => JSON.stringify(set));
  return [...bySet.values()].flatMap(([first, ...rest]) => {
    if (first === undefined) return [];
    const { suggestion, set } = first;
    const same: Same = [suggestion, ...rest.map((each) => each.suggestion)];
    const inSentence = strongest(
      same.flatMap(({ heard, effect }) => {
        const values = within.get(heard);
        return values === undefined ? [] : [{ likely: heard.effects[effect], values }];
      }),
    );
    const said = saidIn(same);
    const values = valuesOf({ inMail, inSentence, said, day: newDay(suggestion, own, ground) });
    return [{ task: own.task, set, suggestion, values, deeds: deedsOf(said, own.deeds) }];
  });
}

type InSentence = ReturnType<typeof taskInSentence>;

/** Of several sentences that say the same, each counts by how surely it says so. */
function strongest(within: readonly { readonly likely: number; readonly values: InSentence }[]) {
  const [top] = within;
  const most = (name: keyof InSentence) =>
    within.reduce((best, { likely, values }) => Math.max(best, Math.sqrt(likely) * values[name]), 0);
  return {
    inSentence: most('inSentence'),
    ownInSentence: most('ownInSentence'),
    matterInSentence: most('matterInSentence'),
    thingsInSentence: most('thingsInSentence'),
    thingsSaid: most('thingsSaid'),
    otherThings: top?.values.otherThings ?? 0,
    otherNumber: top?.values.otherNumber ?? 0,
    deed: top?.values.deed ?? 0,
    topDeed: top?.values.topDeed ?? 0,
    anyDeed: most('deed'),
    anyTopDeed: most('topDeed'),
  };
}

interface Parts {
  readonly inMail: ReturnType<typeof taskInMail>;
  readonly inSentence: ReturnType<typeof strongest>;
  readonly said: ChangeSaid;
  readonly day: ReturnType<typeof newDay>;
}

function valuesOf({ inMail, inSentence, said, day }: Parts): readonly number[] {
  const known = Math.max(
    ...[inMail.exactSender, inMail.domainSender, inMail.matterBrand, inMail.brand],
    ...[inMail.matterInSubject, inMail.matterInText],
  );
  const name = Math.max(inSentence.inSentence, inMail.inSubject, inMail.ownInMail);
  const deed = inSentence.deed;
  const together = {
    ...{ known, knownDeed: known * deed, knownName: known * name, nameDeed: name * deed },
    ...{ thingsDeed: inMail.things * deed, thingsKnown: inMail.things * known, thingsName: inMail.things * name },
  };
  return [
    ...[...Object.values(inMail), ...Object.values(inSentence), ...said.values],
    ...[...Object.values(day), ...Object.values(together)],
  ];
}

function deedsOf({ isCancelled, isMoved }: Parts['said'], asked: TaskWords['deeds']): readonly number[] {
  const isDone = 1 - isCancelled - isMoved;
  const deeds: number[] = [];
  for (const topic of TOPICS) deeds.push(isCancelled * asked[topic], isMoved * asked[topic], isDone * asked[topic]);
  return deeds;
}

/** How near a new day lies to the task's own, 1 for the same; whether it lies before the mail, or long after. */
function newDay({ day }: Suggestion, { task }: TaskWords, { day: ofMail }: Ground) {
  const at = day === null ? Number.NaN : Date.parse(day.slice(0, 10));
  const apart = Math.abs(at - Date.parse((task.due ?? task.scheduled ?? '').slice(0, 10))) / DAY_MS;
  const ahead = (at - ofMail) / DAY_MS;
  return {
    nearOldDay: Number.isNaN(apart) ? 0 : Math.exp(-apart / NEAR_DAYS),
    isPast: Number(ahead < 0),
    isFarAhead: Number(ahead > FAR_DAYS),
  };
}

/** A day that a task has is no new one: the mail confirms it, or reminds of it. */
function isAlreadySo({ due }: PossibleChange['set'], { task }: TaskWords): boolean {
  const own = task.due ?? task.scheduled ?? '';
  return due !== undefined && own !== '' && own.slice(0, due.length) === due.slice(0, own.length);
}

/** "Cancel the broadband" is done, not called off, when it is cancelled; a task whose day has a time gets the new one with its time. */
function setOf({ effect, finding: { set, time } }: Suggestion, { task, deeds }: TaskWords): PossibleChange['set'] {
  if (effect === 'cancelled' && deeds.ending >= IS_ENDING) return { state: 'done' };
  return set.due === undefined || time === undefined ? set : { ...set, due: dueBy(task, `${set.due}T${time}`) };
}
