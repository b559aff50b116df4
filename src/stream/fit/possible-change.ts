import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { dueBy } from '../appointments/task-date.ts';
import type { DateOrigin } from '../dates/origin.ts';
import type { TargetCandidate, TargetIndex } from '../targets/target-index.ts';
import { TOPICS } from '../trained/labels.ts';
import type { TrainedReader } from '../trained/trained-reader.ts';
import { candidatePool } from './candidate-pool.ts';
import { changeSaid } from './change-said.ts';
import { type Heard, hear, topicsOf } from './heard.ts';
import { mailWordsOf, rarityOf } from './mail-words.ts';
import type { Found, Suggestion } from './suggestion.ts';
import { suggestionsIn } from './suggestions.ts';
import { type Ground, taskInMail } from './task-in-mail.ts';
import { type SentenceWords, sentenceWordsOf, taskInSentence } from './task-in-sentence.ts';
import { type TaskWords, taskWordsOf } from './task-words.ts';

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

/** Returns every change of an open task that an event may mean, with what is known of each. */
export function possibleChanges(
  event: StreamEvent,
  index: TargetIndex,
  found: Found,
  reader: TrainedReader,
): readonly PossibleChange[] {
  const all = hear(event, found.read, reader);
  const suggestions = suggestionsIn(all, found);
  if (suggestions.length === 0) return [];
  const { ground, tasks } = groundOf(event, index, found.origin, reader);
  const sentences = new Map(suggestions.map(({ heard }) => [heard, sentenceWordsOf(heard, ground)] as const));
  return tasks.flatMap((own) => changesOf(own, suggestions, { ground, sentences, all }));
}

function groundOf(event: StreamEvent, index: TargetIndex, origin: DateOrigin, reader: TrainedReader) {
  const mail = mailWordsOf(event, index, origin);
  const { subject, text, sender } = mail.things;
  const known = {
    deedsOf: (name: string) => topicsOf(name, reader),
    siblingsOf: remembered(
      (path) => new Set(index.openTasksOf(path).flatMap((task) => [...index.things.of(task.path)])),
    ),
  };
  const tasks = candidatePool(event, index, subject.union(text).union(sender))
    .filter(({ kind }) => kind === 'task')
    .map((task) => taskWordsOf(task, index, known));
  const ground: Ground = {
    ...{ event, index, mail },
    rarity: rarityOf(tasks.map(({ words }) => words)),
    rarityOfThings: rarityOf(tasks.map(({ things }) => things)),
  };
  return { ground, tasks };
}

/** Asks for each key but once. */
function remembered<T>(ask: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key) ?? ask(key);
    known.set(key, found);
    return found;
  };
}

interface Said {
  readonly ground: Ground;
  readonly sentences: ReadonlyMap<Heard, SentenceWords>;
  readonly all: readonly Heard[];
}

function changesOf(
  own: TaskWords,
  suggestions: readonly Suggestion[],
  { ground, sentences, all }: Said,
): PossibleChange[] {
  const inMail = taskInMail(own, ground);
  const fresh = suggestions.filter((suggestion) => !isAlreadySo(setOf(suggestion, own), own));
  const bySet = Map.groupBy(fresh, (suggestion) => JSON.stringify(setOf(suggestion, own)));
  return [...bySet.values()].flatMap(([first, ...rest]) => {
    if (first === undefined) return [];
    const within = [first, ...rest].flatMap(({ heard, effect }) => {
      const sentence = sentences.get(heard);
      return sentence === undefined
        ? []
        : [{ likely: heard.effects[effect], values: taskInSentence(own, sentence, ground) }];
    });
    const said = changeSaid([first, ...rest], all, ground.event);
    const values = valuesOf({ inMail, inSentence: strongest(within), said, day: newDay(first, own, ground.event) });
    const deeds = deedsOf(said, own.deeds);
    return [{ task: own.task, set: setOf(first, own), suggestion: first, values, deeds }];
  });
}

type InSentence = ReturnType<typeof taskInSentence>;

/** Of several sentences that say the same, each counts by how surely it says so. */
function strongest(within: readonly { readonly likely: number; readonly values: InSentence }[]) {
  const [top] = within;
  const most = (name: keyof InSentence) =>
    Math.max(0, ...within.map(({ likely, values }) => Math.sqrt(likely) * values[name]));
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
  readonly said: ReturnType<typeof changeSaid>;
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
  return [inMail, inSentence, said, day, together].flatMap((part) => Object.values(part));
}

function deedsOf({ isCancelled, isMoved }: Parts['said'], asked: TaskWords['deeds']): readonly number[] {
  const effects = [isCancelled, isMoved, 1 - isCancelled - isMoved];
  return TOPICS.flatMap((topic) => effects.map((effect) => effect * asked[topic]));
}

/** How near a new day lies to the task's own, 1 for the same; whether it lies before the mail, or long after. */
function newDay({ day }: Suggestion, { task }: TaskWords, { originAt }: StreamEvent) {
  const at = day === null ? Number.NaN : Date.parse(day.slice(0, 10));
  const apart = Math.abs(at - Date.parse((task.due ?? task.scheduled ?? '').slice(0, 10))) / DAY_MS;
  const ahead = (at - Date.parse((originAt ?? '').slice(0, 10))) / DAY_MS;
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
