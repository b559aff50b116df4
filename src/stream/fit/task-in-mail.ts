import type { Thing } from '../languages/things/things.ts';
import type { TargetIndex } from '../targets/target-index.ts';
import type { ThingSet } from '../things/things-named.ts';
import type { MailWords } from './mail-words.ts';
import type { Rarity } from './rarity.ts';
import type { Remembered } from './remembered.ts';
import { bestCoverage, coverage, isNumber, shareWithin, type TaskWords } from './task-words.ts';
import type { Zone } from './words-in-common.ts';

/** What a task is measured against: a mail, the notes, and how rare the words of all tasks in question are. */
export interface Ground {
  readonly index: TargetIndex;
  readonly mail: MailWords;
  readonly rarity: Rarity<string>;
  readonly rarityOfThings: Rarity<Thing>;
  /** The day that the mail is of (epoch ms); NaN where it has none. */
  readonly day: number;
  /** What the mail has in common with each matter, by path; null for tasks without one. */
  readonly matters: Remembered<string | null, MatterInMail>;
}

/** What a matter has in common with a mail, the same for all its tasks. */
type MatterInMail = ReturnType<typeof matterInMail>;

const DAY_MS = 86_400_000;
/** So many days make an appointment half as near as a week less does. */
const NEAR_DAYS = 7;

/** What a task has in common with a mail as a whole, each 0–1 where nothing else is said. */
export function taskInMail(own: TaskWords, ground: Ground) {
  const { mail, rarity } = ground;
  const { things } = mail;
  const known = matterKnown(own, ground);
  return {
    link: Number(mail.notes.linked.has(own.task.path)),
    ...known,
    brand: coverage(own.words, mail.sender, rarity),
    inSubject: coverage(own.words, mail.subject, rarity),
    inText: coverage(own.words, mail.text, rarity),
    ownInMail: Math.max(coverage(own.ownWords, mail.subject, rarity), coverage(own.ownWords, mail.text, rarity)),
    keyword: Math.max(bestCoverage(own.keywords, mail.subject), bestCoverage(own.keywords, mail.text)),
    reference: Number(mail.notes.referenced.has(own.task.path)),
    ...daysOf(own, ground),
    things: shared(own.things, things.all, ground),
    thingsInSubject: shared(own.things, things.subject, ground),
    thingsOfSender: shared(own.things, things.sender, ground),
    thingsOfMatter: shared(own.thingsOfMatter, things.all, ground),
    thingsOfSiblings: shared(things.near, own.thingsOfSiblings, ground),
    subjectSaid: shared(things.subject, own.things, ground),
    subjectWords: shareWithin(mail.subject.words, own.zone),
    hasNoThing: Number(own.things.size === 0),
  };
}

/** How surely the mail comes from, or names, the matter of a task. */
function matterKnown(words: TaskWords, ground: Ground) {
  const { task, matter } = words;
  const { listing } = ground.mail.notes;
  const own = listing.filter(({ path }) => path === task.path || path === task.matterPath);
  const isExact = own.some(({ exact }) => exact);
  return {
    exactSender: Number(isExact),
    domainSender: Number(own.length > 0 && !isExact),
    soleSender: Number(own.length > 0 && new Set(listing.map(({ path }) => path)).size === 1),
    ...ground.matters.of(matter?.path ?? null, () => matterInMail(words, ground)),
  };
}

function matterInMail({ matter, matterWords, matterNames }: TaskWords, { index, mail }: Ground) {
  return {
    siblings: matter === null ? 1 : 1 / Math.max(1, index.openTasksOf(matter.path).length),
    matterBrand: coverage(matterWords, mail.sender, null),
    matterInSubject: bestCoverage(matterNames, mail.subject),
    matterInText: bestCoverage(matterNames, mail.text),
  };
}

/** How near the task's day lies to the mail's, 1 for the same; whether it has none; and whether the mail names it. */
function daysOf({ task: { due, scheduled } }: TaskWords, { day: ofMail, mail }: Ground) {
  const day = (due ?? scheduled ?? '').slice(0, 10);
  const apart = Math.abs(Date.parse(day) - ofMail) / DAY_MS;
  return {
    nearDay: Number.isNaN(apart) ? 0 : Math.exp(-apart / NEAR_DAYS),
    hasNoDay: Number(Number.isNaN(apart)),
    dayInMail: Number(mail.days.has(day)),
  };
}

/** Returns which share of some things is among others, the rare ones counting more, 0–1. */
export function shared(own: ThingSet, others: ThingSet, { rarityOfThings }: Pick<Ground, 'rarityOfThings'>): number {
  let [said, all] = [0, 0];
  for (const thing of own) {
    const weight = rarityOfThings.get(thing) ?? 1;
    all += weight;
    if (others.has(thing)) said += weight;
  }
  return all === 0 ? 0 : said / all;
}

/** Returns whether a task's name has a number that some words lack, where they have another. */
export function hasOtherNumber({ numbers: own }: TaskWords, zones: readonly Zone[]): boolean {
  const isMissing = own.some((word) => zones.every((zone) => !zone.has(word)));
  return isMissing && zones.some((zone) => [...zone].some((word) => isNumber(word) && !own.includes(word)));
}
