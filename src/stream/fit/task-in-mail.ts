import type { Thing } from '../languages/things/things.ts';
import type { TargetIndex } from '../targets/target-index.ts';
import type { ThingSet } from '../things/things-named.ts';
import type { MailWords } from './mail-words.ts';
import type { Remembered } from './remembered.ts';
import { shareWithin, type TaskWords } from './task-words.ts';
import type { Rarity } from './words/rarity.ts';
import { bestCoverage, coverage, type WeighedWords, weighedBy } from './words/weighed-words.ts';
import type { MailZone } from './words/words-in-common.ts';

/** A task among all that a mail may be about. Its words count the more, the fewer of the others have them. */
export interface TaskInQuestion {
  readonly own: TaskWords;
  readonly words: WeighedWords;
  readonly ownWords: WeighedWords;
}

/** Returns a task among all that a mail may be about. */
export function inQuestion(own: TaskWords, rarity: Rarity<string>): TaskInQuestion {
  return { own, words: weighedBy(own.words, rarity), ownWords: weighedBy(own.ownWords, rarity) };
}

/** What a task is measured against: a mail, the notes, and how rare the things are that all tasks in question name. */
export interface Ground {
  readonly index: TargetIndex;
  readonly mail: MailWords;
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
export function taskInMail({ own, words, ownWords }: TaskInQuestion, ground: Ground) {
  const { mail } = ground;
  const { things } = mail;
  const sender = senderKnown(own, ground);
  const matter = ground.matters.of(own.matter?.path ?? null, () => matterInMail(own, ground));
  const apart = Math.abs(own.dayAt - ground.day) / DAY_MS;
  // Written out name by name: an object that is put together from others is slow to make, and a mail takes up to ninety.
  return {
    link: Number(mail.notes.linked.has(own.task.path)),
    exactSender: sender.exactSender,
    domainSender: sender.domainSender,
    soleSender: sender.soleSender,
    siblings: matter.siblings,
    matterBrand: matter.matterBrand,
    matterInSubject: matter.matterInSubject,
    matterInText: matter.matterInText,
    brand: coverage(words, mail.sender),
    inSubject: coverage(words, mail.subject),
    inText: coverage(words, mail.text),
    ownInMail: Math.max(coverage(ownWords, mail.subject), coverage(ownWords, mail.text)),
    keyword: Math.max(bestCoverage(own.keywords, mail.subject), bestCoverage(own.keywords, mail.text)),
    reference: Number(mail.notes.referenced.has(own.task.path)),
    // How near the task's day lies to the mail's, 1 for the same; whether it has none; and whether the mail names it.
    nearDay: Number.isNaN(apart) ? 0 : Math.exp(-apart / NEAR_DAYS),
    hasNoDay: Number(Number.isNaN(apart)),
    dayInMail: Number(mail.days.has(own.day)),
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

/** How surely the mail comes from somebody whom a task, or its matter, lists. */
function senderKnown({ task }: TaskWords, { mail: { notes } }: Ground) {
  const own = notes.listing.filter(({ path }) => path === task.path || path === task.matterPath);
  const isExact = own.some(({ exact }) => exact);
  return {
    exactSender: Number(isExact),
    domainSender: Number(own.length > 0 && !isExact),
    soleSender: Number(own.length > 0 && notes.isListedOnce),
  };
}

function matterInMail({ matter, matterWords, matterNames }: TaskWords, { index, mail }: Ground) {
  return {
    siblings: matter === null ? 1 : 1 / Math.max(1, index.openTasksOf(matter.path).length),
    matterBrand: coverage(matterWords, mail.sender),
    matterInSubject: bestCoverage(matterNames, mail.subject),
    matterInText: bestCoverage(matterNames, mail.text),
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
export function hasOtherNumber({ numbers: own }: TaskWords, zones: readonly MailZone[]): boolean {
  const isMissing = own.some((word) => zones.every(({ words }) => !words.has(word)));
  return isMissing && zones.some(({ numbers }) => numbers.some((word) => !own.includes(word)));
}
