import { phraseWords, tellingWords, wordsOf } from './mail/word.ts';
import type { Rarity } from './sentence-words.ts';
import type { TargetCandidate, TargetIndex } from './targets-target-index.ts';
import type { ThingSet } from './things.ts';
import type { Topic } from './trained.ts';
import { isNumber, type MailZone, shareOf, type Zone, zoneOf } from './words-in-common.ts';

/** Words, and how much each of them counts. */
export interface WeighedWords {
  readonly words: readonly string[];
  readonly weights: readonly number[];
  /** All weights together. */
  readonly sum: number;
}

/** Returns words of which the rare ones count more; without a rarity each counts 1. */
export function weighedBy(words: readonly string[], rarity: Rarity<string> | null): WeighedWords {
  const weights = words.map((word) => rarity?.get(word) ?? 1);
  return { words, weights, sum: weights.reduce((sum, weight) => sum + weight, 0) };
}

/** Returns which share of some words a part of a mail has, 0–1. */
export function coverage({ words, weights, sum }: WeighedWords, zone: MailZone): number {
  if (sum === 0) return 0;
  let said = 0;
  for (let nth = 0; nth < words.length; nth += 1) said += (weights[nth] ?? 0) * zone.shareOf(words[nth] ?? '');
  return said / sum;
}

/** Returns which share a part of a mail has of that name of which it has most, 0–1. */
export function bestCoverage(names: readonly WeighedWords[], zone: MailZone): number {
  let most = 0;
  for (const name of names) most = Math.max(most, coverage(name, zone));
  return most;
}

/** The words by which a task and its matter go, and what they name. */
export interface TaskWords {
  readonly task: TargetCandidate;
  readonly matter: TargetCandidate | null;
  readonly words: readonly string[];
  /** Those that its matter does not have as well. */
  readonly ownWords: readonly string[];
  readonly matterWords: WeighedWords;
  /** Each name of the matter as a whole. */
  readonly matterNames: readonly WeighedWords[];
  readonly keywords: readonly WeighedWords[];
  readonly things: ThingSet;
  readonly thingsOfMatter: ThingSet;
  /** Those of all open tasks of its matter. */
  readonly thingsOfSiblings: ThingSet;
  /** The words of the task and its matter. */
  readonly zone: Zone;
  /** The numbers in its name. */
  readonly numbers: readonly string[];
  /** The day that it is due, or else planned for, as `2026-12-04`; '' for none. */
  readonly day: string;
  /** The same in epoch ms; NaN for none. */
  readonly dayAt: number;
  /** What kind of deed the name asks for. */
  readonly deeds: Readonly<Record<Topic, number>>;
}

const NONE: ThingSet = new Set();

/** What is asked once for all tasks of a mail. */
interface NamesKnown {
  /** The kinds of deed that a name may ask for. */
  readonly deedsOf: (name: string) => TaskWords['deeds'];
  /** The things that the open tasks of a matter name. */
  readonly siblingsOf: (matterPath: string) => ThingSet;
}

/** Returns the words of a task, and what they name. */
export function taskWordsOf(task: TargetCandidate, index: TargetIndex, { deedsOf, siblingsOf }: NamesKnown): TaskWords {
  const matter = task.matterPath === null ? null : index.get(task.matterPath);
  const names = [task.name, ...task.aliases];
  const matterNames = matter === null ? [] : [matter.name, ...matter.aliases, ...matter.keywords];
  const [words, matterWords] = [wordsIn(names), wordsIn(matterNames)];
  const day = (task.due ?? task.scheduled ?? '').slice(0, 10);
  return {
    ...{ task, matter, words, day, dayAt: Date.parse(day) },
    ownWords: words.filter((word) => !matterWords.includes(word)),
    matterWords: weighedBy(matterWords, null),
    matterNames: matterNames.map(phraseOf),
    keywords: task.keywords.map(phraseOf),
    things: index.things.of(task.path),
    thingsOfMatter: matter === null ? NONE : index.things.of(matter.path),
    thingsOfSiblings: matter === null ? NONE : siblingsOf(matter.path),
    zone: new Set([...words, ...matterWords]),
    numbers: wordsOf(task.name).filter(isNumber),
    deeds: deedsOf(task.name),
  };
}

/** Returns which share of some words other words have, 0–1. */
export function shareWithin(words: Iterable<string>, zone: Zone): number {
  let [said, all] = [0, 0];
  for (const word of words) {
    all += 1;
    said += shareOf(word, zone);
  }
  return all === 0 ? 0 : said / all;
}

function wordsIn(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => [...zoneOf(tellingWords(name).join(' '))]))];
}

function phraseOf(name: string): WeighedWords {
  return weighedBy([...zoneOf(phraseWords(name).join(' '))], null);
}
