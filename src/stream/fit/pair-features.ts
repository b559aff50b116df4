import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import type { Thing } from '../languages/things/things.ts';
import { phraseWords, tellingWords, wordsOf } from '../mail/word.ts';
import { codesIn } from '../money/reference.ts';
import { linksIn } from '../targets/link.ts';
import type { TargetCandidate, TargetIndex } from '../targets/target-index.ts';
import { TOPICS, type Topic } from '../trained/labels.ts';
import { senderWords } from './candidate-pool.ts';
import { changeIn, type Heard } from './heard.ts';
import type { Suggestion } from './suggestion.ts';
import { thingsNamed } from './things-named.ts';
import { shareOf, type Zone, zoneOf } from './words-in-common.ts';

/** A task that a suggestion may mean, with what is known of the two in numbers. */
export interface Pair {
  readonly task: TargetCandidate;
  /** In the order of `VALUES`. */
  readonly values: readonly number[];
}

/** What is asked about a suggestion and a task, in this order; the trainer and the reader share it. */
export const VALUES = [
  ...([
    'phrase',
    'isForm',
    'isDefeated',
    'effect',
    'none',
    'asks',
    'otherEffect',
    'support',
    'neighbours',
    'isSubject',
    'place',
  ] as const),
  ...(['otherSupport', 'denied', 'mailAsks', 'lead', 'isFirst'] as const),
  ...(['sentences', 'isDone', 'isCancelled', 'isMoved', 'isReply', 'words'] as const),
  ...([
    'link',
    'sender',
    'senderCount',
    'brand',
    'matterBrand',
    'inSentence',
    'inSubject',
    'inText',
    'ownInSentence',
    'ownInMail',
  ] as const),
  ...(['matterInSentence', 'matterInSubject', 'matterInText', 'keyword', 'reference', 'otherNumber'] as const),
  ...([
    'deed',
    'deedRank',
    'deedOfOthers',
    'siblings',
    'days',
    'isDayOfTask',
    'nameMargin',
    'deedMargin',
    'sumMargin',
    'matterMargin',
    'pool',
  ] as const),
  ...(['things', 'thingsInSentence', 'thingsOfSender', 'thingsOfMatter', 'otherThings'] as const),
] as const;
type Value = (typeof VALUES)[number];
type Known = Record<Value, number>;

type ThingSet = ReadonlySet<Thing>;

/** Everything that is asked of a mail once. */
interface Mail {
  readonly event: StreamEvent;
  readonly index: TargetIndex;
  readonly all: readonly Heard[];
  readonly pool: readonly TargetCandidate[];
  readonly subject: Zone;
  readonly text: Zone;
  readonly sender: Zone;
  readonly codes: ReadonlySet<string>;
  readonly things: { readonly subject: ThingSet; readonly text: ThingSet; readonly sender: ThingSet };
  readonly topicsOf: (name: string) => Readonly<Record<Topic, number>>;
}

/** Returns what is known of a mail for all its suggestions. `topicsOf` gives the topics of a task's name. */
export function mailOf(
  event: StreamEvent,
  index: TargetIndex,
  all: readonly Heard[],
  pool: readonly TargetCandidate[],
  topicsOf: Mail['topicsOf'],
): Mail {
  const { subject, text } = event;
  return {
    ...{ event, index, all, pool, topicsOf },
    ...{
      subject: zoneOf(subject),
      text: zoneOf(text),
      sender: zoneOf(senderWords(event)),
      codes: codesIn(`${subject}\n${text}`),
      things: { subject: thingsNamed(subject), text: thingsNamed(text), sender: thingsNamed(senderWords(event)) },
    },
  };
}

/** Returns the open tasks that a suggestion may mean, each with what is known of the two. */
export function pairsOf(suggestion: Suggestion, mail: Mail): readonly Pair[] {
  const tasks = mail.pool.filter(({ kind }) => kind === 'task');
  const sentence = zoneOf(suggestion.heard.passage.view);
  const rarity = rarityOf(tasks);
  const own = ofSuggestion(suggestion, mail);
  const known = tasks.map((task) => ({
    task,
    values: { ...own, ...ofTask(task, suggestion, sentence, rarity, mail) },
  }));
  return known.map(({ task, values }) => {
    const others = known.filter((each) => each.task !== task).map((each) => each.values);
    return { task, values: listed({ ...values, ...margins(values, others), pool: Math.log1p(tasks.length) }) };
  });
}

function listed(values: Known): readonly number[] {
  return VALUES.map((name) => values[name]);
}

type OfTask =
  | 'link'
  | 'sender'
  | 'senderCount'
  | 'brand'
  | 'matterBrand'
  | 'inSentence'
  | 'inSubject'
  | 'inText'
  | 'ownInSentence'
  | 'ownInMail'
  | 'matterInSentence'
  | 'matterInSubject'
  | 'matterInText'
  | 'keyword'
  | 'reference'
  | 'otherNumber'
  | 'deed'
  | 'deedRank'
  | 'siblings'
  | 'days'
  | 'isDayOfTask'
  | 'things'
  | 'thingsInSentence'
  | 'thingsOfSender'
  | 'thingsOfMatter'
  | 'otherThings';
type OfOthers = 'nameMargin' | 'deedMargin' | 'sumMargin' | 'matterMargin' | 'deedOfOthers' | 'pool';

function ofSuggestion(
  { effect, heard, finding, isLearnt }: Suggestion,
  { all, event }: Mail,
): Omit<Known, OfTask | OfOthers> {
  const { effects, passage, at } = heard;
  const others = all.filter((other) => other !== heard);
  const near = others.filter((other) => Math.abs(other.at - at) === 1);
  return {
    phrase: isLearnt ? 0 : finding.rawConfidence,
    isForm: Number(finding.phraseId.startsWith('form:')),
    isDefeated: Number(heard.isDefeated),
    ...{ effect: effects[effect], none: effects.none, asks: effects.asks },
    otherEffect: changeIn(effects) - effects[effect],
    support: Math.max(0, ...others.map((other) => other.effects[effect])),
    neighbours: Math.max(0, ...near.map((other) => changeIn(other.effects))),
    isSubject: Number(passage.isSubject),
    place: at,
    otherSupport: Math.max(0, ...others.map((other) => changeIn(other.effects) - other.effects[effect])),
    denied: all.filter((other) => other.isDefeated).length,
    mailAsks: Math.max(0, ...all.map((other) => other.effects.asks)),
    lead: effects[effect] - Math.max(0, ...others.map((other) => other.effects[effect])),
    isFirst: Number(at <= 2),
    sentences: all.length,
    ...{
      isDone: Number(effect === 'done'),
      isCancelled: Number(effect === 'cancelled'),
      isMoved: Number(effect === 'moved'),
    },
    isReply: Number(/^\s*(?:re|aw|sv|antw|rif|réf)\s*:/iu.test(event.subject)),
    words: passage.view.split(/\s+/).length,
  };
}

function ofTask(
  task: TargetCandidate,
  suggestion: Suggestion,
  sentence: Zone,
  rarity: Rarity,
  mail: Mail,
): Pick<Known, OfTask> {
  const { event, index } = mail;
  const matter = task.matterPath === null ? null : index.get(task.matterPath);
  const deeds = mail.topicsOf(task.name);
  const names = [task.name, ...task.aliases];
  const matterNames = matter === null ? [] : [matter.name, ...matter.aliases, ...matter.keywords];
  const matterWords = wordsIn(matterNames);
  const words = wordsIn(names);
  const ownWords = words.filter((word) => !matterWords.includes(word));
  return {
    link: Number(isLinked(task, mail)),
    ...senderOf(task, event, index),
    brand: coverage(wordsIn([...names, ...task.keywords]), mail.sender, rarity),
    matterBrand: coverage(matterWords, mail.sender, null),
    inSentence: coverage(words, sentence, rarity),
    inSubject: coverage(words, mail.subject, rarity),
    inText: coverage(words, mail.text, rarity),
    ownInSentence: coverage(ownWords, sentence, rarity),
    ownInMail: Math.max(coverage(ownWords, mail.subject, rarity), coverage(ownWords, mail.text, rarity)),
    matterInSentence: bestCoverage(matterNames, sentence),
    matterInSubject: bestCoverage(matterNames, mail.subject),
    matterInText: bestCoverage(matterNames, mail.text),
    keyword: bestCoverage(task.keywords, new Set([...mail.subject, ...mail.text])),
    reference: Number([...mail.codes].some((code) => isReferenceOf(code, task, index))),
    otherNumber: Number(hasOtherNumber(task, sentence, mail.subject)),
    deed: likeness(suggestion.heard.topics, deeds),
    deedRank: deeds[topTopic(suggestion.heard)],
    siblings: matter === null ? 0 : Math.log1p(index.openTasksOf(matter.path).length),
    ...daysOf(task, suggestion, event),
    ...thingsOf(names, matterNames, suggestion, mail),
  };
}

/** What everyday things the task and its matter share with the mail: "your hygienist" is the dentist's. */
function thingsOf(
  names: readonly string[],
  matterNames: readonly string[],
  { heard }: Suggestion,
  { things: { subject, text, sender } }: Mail,
) {
  const own = thingsNamed(names.join(' '));
  const sentence = thingsNamed(heard.passage.view);
  const ofMatter = thingsNamed(matterNames.join(' '));
  const near = sentence.union(subject);
  return {
    things: shared(own, near.union(text).union(sender)),
    thingsInSentence: shared(own, near),
    thingsOfSender: shared(own, sender),
    thingsOfMatter: shared(ofMatter, near.union(text).union(sender)),
    otherThings: Number(near.size > 0 && own.size > 0 && own.isDisjointFrom(near)),
  };
}

/** Returns which share of some things is among others, 0–1; -1 where there are none. */
function shared(own: ThingSet, others: ThingSet): number {
  return own.size === 0 ? -1 : own.intersection(others).size / own.size;
}

function isLinked(task: TargetCandidate, { event, index }: Mail): boolean {
  return [...linksIn(event.subject), ...linksIn(event.text)].some(({ target }) =>
    index.byLink(target).includes(task.path),
  );
}

/** 2 for the very address, 1 for the domain, 0 for neither; and how many notes list it. */
function senderOf(
  { path, matterPath }: TargetCandidate,
  { from }: StreamEvent,
  index: TargetIndex,
): Pick<Known, 'sender' | 'senderCount'> {
  const listing = index.listing(from ?? '');
  const own = listing.filter((each) => each.path === path || each.path === matterPath);
  const sender = own.length === 0 ? 0 : own.some(({ exact }) => exact) ? 2 : 1;
  return { sender, senderCount: listing.length };
}

type Rarity = ReadonlyMap<string, number>;

/** Returns how much each word of the tasks' names tells: the fewer names have it, the more. */
function rarityOf(tasks: readonly TargetCandidate[]): Rarity {
  const counts = new Map<string, number>();
  for (const { name, aliases } of tasks)
    for (const word of wordsIn([name, ...aliases])) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, Math.log(1 + tasks.length / count)]));
}

function wordsIn(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => [...zoneOf(tellingWords(name).join(' '))]))];
}

/** Returns which share of some words a part of the mail has, the rare ones counting more, 0–1. */
function coverage(words: readonly string[], zone: Zone, rarity: Rarity | null): number {
  let [said, all] = [0, 0];
  for (const word of words) {
    const weight = rarity?.get(word) ?? 1;
    all += weight;
    said += weight * shareOf(word, zone);
  }
  return all === 0 ? 0 : said / all;
}

function bestCoverage(names: readonly string[], zone: Zone): number {
  return Math.max(0, ...names.map((name) => coverage([...zoneOf(phraseWords(name).join(' '))], zone, null)));
}

function isReferenceOf(code: string, { path }: TargetCandidate, index: TargetIndex): boolean {
  return index.byReference(code) === path;
}

function hasOtherNumber({ name }: TargetCandidate, ...zones: readonly Zone[]): boolean {
  const own = wordsOf(name).filter(isNumber);
  const isMissing = own.some((word) => zones.every((zone) => !zone.has(word)));
  return isMissing && zones.some((zone) => [...zone].some((word) => isNumber(word) && !own.includes(word)));
}

function isNumber(word: string): boolean {
  return /^\d{3,}$/.test(word);
}

function likeness(one: Readonly<Record<Topic, number>>, other: Readonly<Record<Topic, number>>): number {
  const [a, b] = [TOPICS.map((topic) => Math.sqrt(one[topic])), TOPICS.map((topic) => Math.sqrt(other[topic]))];
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

function topTopic({ topics }: Heard): Topic {
  return TOPICS.reduce((best, topic) => (topics[topic] > topics[best] ? topic : best), TOPICS[0]);
}

const DAY_MS = 86_400_000;
const FAR = 60;

/** How many days the task's day lies from the mail's, at most sixty, -1 where it has none; and whether the mail's sentence names it. */
function daysOf(
  { due, scheduled }: TargetCandidate,
  { day }: Suggestion,
  { originAt }: StreamEvent,
): Pick<Known, 'days' | 'isDayOfTask'> {
  const planned = Date.parse((due ?? scheduled ?? '').slice(0, 10));
  const sent = Date.parse((originAt ?? '').slice(0, 10));
  if (Number.isNaN(planned) || Number.isNaN(sent)) return { days: -1, isDayOfTask: 0 };
  const isSame = day !== null && (due ?? scheduled ?? '').slice(0, 10) === day.slice(0, 10);
  return { days: Math.min(FAR, Math.abs(planned - sent) / DAY_MS), isDayOfTask: Number(isSame) };
}

function margins(
  own: Omit<Known, OfOthers>,
  others: readonly Omit<Known, OfOthers>[],
): Pick<Known, Exclude<OfOthers, 'pool'>> {
  const above = (score: (one: Omit<Known, OfOthers>) => number) => score(own) - Math.max(0, ...others.map(score));
  const name = (one: Omit<Known, OfOthers>) => one.inSentence + 0.9 * one.inSubject + 0.4 * one.inText;
  const matter = (one: Omit<Known, OfOthers>) =>
    one.sender + one.matterBrand + one.brand + one.matterInSentence + one.matterInSubject + 0.4 * one.matterInText;
  return {
    nameMargin: above(name),
    deedMargin: above(({ deed }) => deed),
    sumMargin: above((one) => name(one) + one.deed + matter(one) + one.reference + one.link),
    matterMargin: above(matter),
    deedOfOthers: Math.max(0, ...others.map(({ deed }) => deed)),
  };
}
