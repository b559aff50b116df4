import type { StreamEvent } from '../steward/ports.ts';
import { dueBy } from './appointments-task-date.ts';
import { shownSentence } from './cues.ts';
import type { DateOrigin } from './dates.ts';
import type { Thing } from './languages/things/things.ts';
import { type Claim, type Finding, findingOf, newDayIn } from './rules.ts';
import { candidatePool, type MailWords, mailWordsOf, type Rarity, rarityOf } from './sentence-words.ts';
import type { TargetCandidate, TargetIndex } from './targets-target-index.ts';
import { changeIn, type Heard, hear, mailEffects, Remembered, TaskBook } from './task-book.ts';
import { bestCoverage, coverage, shareWithin, type TaskWords, type WeighedWords, weighedBy } from './task-words.ts';
import { type ThingSet, thingsNamed } from './things.ts';
import type { Fit, TrainedReader } from './trained/trained-reader.ts';
import { CHANGES, type Change, likelihood, type MailEffect, TOPICS, type Topic, treesScore } from './trained.ts';
import { MailZone } from './words-in-common.ts';

const REPLY = /^\s*(?:re|aw|sv|antw|rif|réf)\s*:/iu;
/** The addresses that machines write from. */
const MACHINE =
  /^(?:no-?_?reply|do-?not-?reply|notif|alert|info|service|support|help|hello|order|billing|booking|account|update|mail|news|team|kunden|rechnung|buchung|versand|contact|commande|reserva|pedido|ordini|klant|bestel)/iu;
const FIRST = 2;
const MANY_DENIED = 3;

/** A mail, and how likely it says each effect as a whole. */
interface MailSaid {
  readonly event: StreamEvent;
  readonly mailSays: Readonly<Record<MailEffect, number>>;
}

/** How surely a mail says a change of something, whatever it may be: the suggestions that say it, the surest first. */
export function changeSaid(
  suggestions: readonly [Suggestion, ...Suggestion[]],
  all: readonly Heard[],
  { event, mailSays }: MailSaid,
) {
  const [top, second] = suggestions;
  const { effect, heard } = top;
  const { effects, passage, at } = heard;
  const said = new Set(suggestions.map((each) => each.heard));
  const others = all.filter((other) => !said.has(other));
  const most = (of: (other: Heard) => number) => Math.max(0, ...others.map(of));
  return {
    always: 1,
    effect: logit(effects[effect]),
    mailEffect: logit(mailSays[effect]),
    mailNone: logit(mailSays.none),
    second: logit(second === undefined ? 0 : second.heard.effects[effect]),
    phrase: Math.max(...suggestions.map(({ isLearnt, finding }) => (isLearnt ? 0 : finding.rawConfidence))),
    isForm: Number(suggestions.some(({ finding }) => finding.phraseId.startsWith('form:'))),
    isDefeated: Number(heard.isDefeated),
    isCancelled: Number(effect === 'cancelled'),
    isMoved: Number(effect === 'moved'),
    none: effects.none,
    asks: effects.asks,
    otherEffect: changeIn(effects) - effects[effect],
    isSubject: Number(passage.isSubject),
    inSubject: Number(suggestions.some((each) => each.heard.passage.isSubject)),
    isFirst: Number(at <= FIRST),
    length: Math.log1p(passage.view.split(/\s+/).length),
    sentences: Math.log1p(all.length),
    isReply: Number(REPLY.test(event.subject)),
    isMachine: Number(MACHINE.test(event.from ?? '')),
    otherSupport: most((other) => changeIn(other.effects) - other.effects[effect]),
    lead: effects[effect] - most((other) => other.effects[effect]),
    denied: Math.min(MANY_DENIED, all.filter((other) => other.isDefeated).length),
    mailAsks: Math.max(0, ...all.map((other) => other.effects.asks)),
  };
}

function logit(likely: number): number {
  return Math.log((likely + 0.02) / (1.02 - likely));
}

/** Suggestions that would set a task to the same, the surest first. */
type Same = readonly [Suggestion, ...Suggestion[]];

/** How surely the mail says a change, whatever task it is of. */
type ChangeSaid = ReturnType<typeof changeSaid>;

/** What a mail may set a task to, with all that says so. */
export interface Choice {
  readonly set: Readonly<Record<string, string>>;
  readonly same: Same;
  readonly said: ChangeSaid;
  /** The numbers of `said`, in its order. */
  readonly saidValues: readonly number[];
  /** The new day (epoch ms); NaN for none. */
  readonly dayAt: number;
}

/** From here on the name of a task is surely about the end of something: what is cancelled is then done. */
const IS_ENDING = 0.5;

/** What a mail may set each of its tasks to. It is worked out once for all tasks of which the mail says the same. */
export class Choices {
  readonly #suggestions: readonly Suggestion[];
  readonly #saidOf: (same: Same) => ChangeSaid;
  readonly #saysDays: boolean;
  readonly #places: ReadonlyMap<Suggestion, number>;
  readonly #byTask = new Remembered<string, readonly Choice[]>();
  readonly #said = new Remembered<string, Pick<Choice, 'said' | 'saidValues'>>();

  constructor(suggestions: readonly Suggestion[], saidOf: (same: Same) => ChangeSaid) {
    this.#suggestions = suggestions;
    this.#saidOf = saidOf;
    this.#saysDays = suggestions.some(({ finding }) => finding.set.due !== undefined);
    this.#places = new Map(suggestions.map((each, at) => [each, at] as const));
  }

  /** Returns what a task may be set to. */
  for({ task, deeds }: TaskWords): readonly Choice[] {
    const isEnding = deeds.ending >= IS_ENDING;
    // The days of a task matter where the mail names a new one, and nowhere else.
    const days = this.#saysDays ? `${task.due} ${task.scheduled}` : '';
    return this.#byTask.of(`${isEnding} ${days}`, () => this.#choicesOf(task, isEnding));
  }

  #choicesOf(task: TargetCandidate, isEnding: boolean): readonly Choice[] {
    const fresh = this.#suggestions
      .map((suggestion) => ({ suggestion, set: setOf(suggestion, task, isEnding) }))
      .filter(({ set }) => !isAlreadySo(set, task));
    const bySet = Map.groupBy(fresh, ({ set }) => JSON.stringify(set));
    return [...bySet.values()].flatMap(([first, ...rest]) => {
      if (first === undefined) return [];
      const { suggestion, set } = first;
      const same: Same = [suggestion, ...rest.map((each) => each.suggestion)];
      const dayAt = suggestion.day === null ? Number.NaN : Date.parse(suggestion.day.slice(0, 10));
      return [{ set, same, dayAt, ...this.#saidIn(same) }];
    });
  }

  #saidIn(same: Same): Pick<Choice, 'said' | 'saidValues'> {
    return this.#said.of(same.map((each) => this.#places.get(each)).join(' '), () => {
      const said = this.#saidOf(same);
      return { said, saidValues: Object.values(said) };
    });
  }
}

/** A day that a task has is no new one: the mail confirms it, or reminds of it. */
function isAlreadySo({ due }: Choice['set'], task: TargetCandidate): boolean {
  const own = task.due ?? task.scheduled ?? '';
  return due !== undefined && own !== '' && own.slice(0, due.length) === due.slice(0, own.length);
}

/** "Cancel the broadband" is done, not called off, when it is cancelled; a task whose day has a time gets the new one with its time. */
function setOf(
  { effect, finding: { set, time } }: Suggestion,
  task: TargetCandidate,
  isEnding: boolean,
): Readonly<Record<string, string>> {
  if (effect === 'cancelled' && isEnding) return { state: 'done' };
  return set.due === undefined || time === undefined ? set : { ...set, due: dueBy(task, `${set.due}T${time}`) };
}

/** A change that an event may mean for a task, and how likely it is that it does. */
export interface Fitted extends PossibleChange {
  /** 0–1. */
  readonly likelihood: number;
}

/** A change among its rivals: what is known of it, and how it stands to them. */
export interface Ranked<C extends PossibleChange> {
  readonly change: C;
  readonly values: readonly number[];
}

/** So many changes of a mail are looked at closely. */
const CLOSER_LOOK = 8;
/** How far ahead a change without a rival is. */
const NO_RIVAL = 9;

/** Returns the changes that an event may mean, likeliest first. */
export function fitted(changes: readonly PossibleChange[], { weights, trees }: Fit): readonly Fitted[] {
  return ranked(changes, weights)
    .map(({ change, values }) => ({ ...change, likelihood: likelihood(treesScore(trees, values)) }))
    .toSorted((one, other) => other.likelihood - one.likelihood);
}

/** Returns the changes that weigh most, with how each stands to the others; "nothing is meant" weighs 0. */
export function ranked<C extends PossibleChange>(
  changes: readonly C[],
  weights: readonly number[],
): readonly Ranked<C>[] {
  const scored = changes
    .map((change) => ({ change, score: weighed(change, weights) }))
    .toSorted((one, other) => other.score - one.score || (one.change.task.path < other.change.task.path ? -1 : 1));
  const all = Math.exp(0) + scored.reduce((sum, { score }) => sum + Math.exp(score), 0);
  return scored.slice(0, CLOSER_LOOK).map(({ change, score }) => {
    const ahead = (isRival: (other: C) => boolean) => {
      const rival = scored.find((each) => each.change !== change && isRival(each.change));
      return rival === undefined ? NO_RIVAL : Math.min(NO_RIVAL, score - rival.score);
    };
    const standing = [
      ...[score, Math.exp(score) / all, 1 / all, Math.log1p(changes.length)],
      ahead(() => true),
      ahead(({ task }) => task !== change.task),
      ahead(({ task }) => task === change.task),
    ];
    return { change, values: [...standing, ...change.values] };
  });
}

/** Returns the sum of all numbers known of a change, each times its weight. */
function weighed({ values, deeds }: PossibleChange, weights: readonly number[]): number {
  let sum = 0;
  let at = 0;
  for (const known of [values, deeds])
    for (const value of known) {
      sum += value * (weights[at] ?? 0);
      at += 1;
    }
  return sum;
}

/** Nothing is made of a sentence that is less likely to tell of a change, where only what was learnt speaks for it. */
const LEAST_HEARD = 0.12;
/** What was only learnt is proposed, and never acted upon. */
const LEARNT_CEILING = 0.84;
const MAX_SUGGESTIONS = 16;

/** Returns what the sentences of an event may say of some note: what the rules find, and what was learnt to be said so. */
export function suggestionsIn(
  all: readonly Heard[],
  { findings, origin }: Pick<Found, 'findings' | 'origin'>,
): readonly Suggestion[] {
  const changes = findings.filter((finding) => finding.class !== null);
  const suggested = all.flatMap((heard) => {
    const sentence = shownSentence(heard.passage.view);
    const read = changes
      .filter((finding) => finding.sentence === sentence)
      .map((finding) => ({ effect: effectOf(finding), day: finding.set.due ?? null, heard, finding, isLearnt: false }));
    const learnt = CHANGES.filter(
      (effect) => heard.effects[effect] >= LEAST_HEARD && !read.some((one) => one.effect === effect),
    );
    return [...read, ...learnt.flatMap((effect) => learntIn(heard, effect, origin))];
  });
  return suggested
    .toSorted((one, other) => other.heard.effects[other.effect] - one.heard.effects[one.effect])
    .slice(0, MAX_SUGGESTIONS);
}

function effectOf({ set }: Finding): Change {
  if (set.due !== undefined) return 'moved';
  return set.state === 'archived' ? 'cancelled' : 'done';
}

function learntIn(heard: Heard, effect: Change, origin: DateOrigin): Suggestion[] {
  const { passage, effects } = heard;
  const moved = effect === 'moved' ? newDayIn(passage.view, origin) : null;
  if (effect === 'moved' && moved === null) return [];
  const { start, end } = moved ?? heard.span;
  const phrase = { sentence: passage.view, start, end, bare: true, negative: false, ofFuture: effect === 'moved' };
  const finding = findingOf(claimOf(effect, moved), Math.min(LEARNT_CEILING, effects[effect]), phrase, passage);
  return [{ effect, day: moved?.day ?? null, heard, finding, isLearnt: true }];
}

function timeOf(time: string | null): Pick<Claim, 'time'> {
  return time === null ? {} : { time };
}

function claimOf(effect: Change, moved: { readonly day: string; readonly time: string | null } | null): Claim {
  const set = moved !== null ? { due: moved.day } : { state: effect === 'done' ? 'done' : 'archived' };
  const name = moved !== null ? ('context_edit' as const) : ('state_change' as const);
  return {
    effect: 'mutation',
    class: name,
    set,
    ...timeOf(moved?.time ?? null),
    phraseId: `learnt: ${effect}`,
    verbs: [],
    otherVerbs: [],
  };
}

/** A task among all that a mail may be about. Its words count the more, the fewer of the others have them. */
interface TaskInQuestion {
  readonly own: TaskWords;
  readonly words: WeighedWords;
  readonly ownWords: WeighedWords;
}

/** Returns a task among all that a mail may be about. */
function inQuestion(own: TaskWords, rarity: Rarity<string>): TaskInQuestion {
  return { own, words: weighedBy(own.words, rarity), ownWords: weighedBy(own.ownWords, rarity) };
}

/** What a task is measured against: a mail, the notes, and how rare the things are that all tasks in question name. */
interface Ground {
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
function taskInMail({ own, words, ownWords }: TaskInQuestion, ground: Ground) {
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
function shared(own: ThingSet, others: ThingSet, { rarityOfThings }: Pick<Ground, 'rarityOfThings'>): number {
  let [said, all] = [0, 0];
  for (const thing of own) {
    const weight = rarityOfThings.get(thing) ?? 1;
    all += weight;
    if (others.has(thing)) said += weight;
  }
  return all === 0 ? 0 : said / all;
}

/** Returns whether a task's name has a number that some words lack, where they have another. */
function hasOtherNumber({ numbers: own }: TaskWords, zones: readonly MailZone[]): boolean {
  const isMissing = own.some((word) => zones.every(({ words }) => !words.has(word)));
  return isMissing && zones.some(({ numbers }) => numbers.some((word) => !own.includes(word)));
}

/** A sentence with what it names. */
interface SentenceWords {
  readonly heard: Heard;
  readonly zone: MailZone;
  readonly things: ThingSet;
  /** Those that it or the subject names. */
  readonly near: ThingSet;
  /** The kind of deed that it is most likely about. */
  readonly topTopic: Topic;
  /** Which share it has of the best name of each matter, by path; null for tasks without one. */
  readonly matters: Remembered<string | null, number>;
}

/** Returns a sentence with what it names. */
function sentenceWordsOf(heard: Heard, { mail }: Pick<Ground, 'mail'>): SentenceWords {
  const { view } = heard.passage;
  const things = thingsNamed(view, mail.language);
  return {
    ...{ heard, zone: new MailZone(view), things, near: things.union(mail.things.subject) },
    ...{ topTopic: topTopic(heard), matters: new Remembered() },
  };
}

/** What a task has in common with one sentence, each 0–1. */
function taskInSentence({ own, words, ownWords }: TaskInQuestion, sentence: SentenceWords, ground: Ground) {
  const { heard, zone, things, near, topTopic: top, matters } = sentence;
  return {
    inSentence: coverage(words, zone),
    ownInSentence: coverage(ownWords, zone),
    matterInSentence: matters.of(own.matter?.path ?? null, () => bestCoverage(own.matterNames, zone)),
    thingsInSentence: shared(own.things, things, ground),
    thingsSaid: shared(things, own.things, ground),
    otherThings: Number(near.size > 0 && own.things.size > 0 && own.things.isDisjointFrom(near)),
    otherNumber: Number(hasOtherNumber(own, [zone, ground.mail.subject])),
    deed: likeness(heard.topics, own.deeds),
    topDeed: own.deeds[top],
  };
}

function likeness(one: Readonly<Record<Topic, number>>, other: Readonly<Record<Topic, number>>): number {
  return TOPICS.reduce((sum, topic) => sum + Math.sqrt(one[topic] * other[topic]), 0);
}

function topTopic({ topics }: Heard): Topic {
  return TOPICS.reduce((best, topic) => (topics[topic] > topics[best] ? topic : best), TOPICS[0]);
}

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

/** So many days make a new day half as near to the old one as ten less do. */
const NEAR_DAYS_POSSIBLE_CHANGE = 14;
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
  return [
    Number.isNaN(apart) ? 0 : Math.exp(-apart / NEAR_DAYS_POSSIBLE_CHANGE),
    Number(ahead < 0),
    Number(ahead > FAR_DAYS),
  ];
}

/** What one sentence of a mail may say of some note, before it is known of which. */
interface Suggestion {
  readonly effect: Change;
  /** The day that something has moved to, with its time where it says one; null for the other effects. */
  readonly day: string | null;
  readonly heard: Heard;
  readonly finding: Finding;
  /** Neither the phrase table nor a form reads it so: it was only learnt. */
  readonly isLearnt: boolean;
}

/** What the rules find in an event. */
export interface Found {
  /** What is meant, weighed against each other. */
  readonly findings: readonly Finding[];
  /** All that was found, meant or not. */
  readonly read: readonly Finding[];
  /** When the event was written, and in which language. */
  readonly origin: DateOrigin;
}
