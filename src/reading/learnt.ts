import { inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { isMail, type StreamEvent } from '../steward/types.ts';
import { lazily, loadData } from '../vault/data.ts';
import { type DateOrigin, findDatePlaces, findNewDay } from './dates.ts';
import { findCodes } from './money.ts';
import {
  assess,
  type Claim,
  dayClaim,
  makeFinding,
  type Passage,
  type RuleFinding,
  shownSentence,
  splitEvent,
  withoutLinks,
} from './rules.ts';
import { dueBy, type TargetCandidate, type TargetIndex } from './targets.ts';
import {
  findLinks,
  type Language,
  phraseWords,
  stem,
  stemmedWords,
  TextMemory,
  type Thing,
  type ThingSet,
  tellingWords,
  thingsNamed,
  thingsOfSender,
  withoutAccents,
} from './text.ts';

/** What becomes of a change that a mail likely means, by its likelihood (0–1). Below `askFrom` it is set aside. */
export interface Tiers {
  readonly proposeFrom: number;
  readonly askFrom: number;
}

/** What mails can be read with: the notes that they could be about, and what was learnt of mails. */
export interface ReadingBasis {
  readonly index: TargetIndex;
  readonly learnt: TrainedReader;
  /** What is remembered of tasks from mail to mail; absent where a mail is read by itself. */
  readonly book?: TaskBook;
  /** From which likelihood on a change is proposed, or asked about; absent if the defaults apply. */
  readonly tiers?: Tiers;
}

/** What the rules find in an event. */
interface RuleFindings {
  /** What is meant, weighed against each other. */
  readonly findings: readonly RuleFinding[];
  /** All that was found, meant or not. */
  readonly read: readonly RuleFinding[];
  /** When the event was written, and in which language. */
  readonly origin: DateOrigin;
  /** Whether a sentence is in a language that is read. */
  readonly isReadSentence: (sentence: string) => boolean;
}

/** Finds the changes of tasks that a mail may mean, likeliest first. Nothing for what is no mail. */
export function findFits(
  event: StreamEvent,
  found: RuleFindings,
  { index, learnt, book }: ReadingBasis,
): readonly ChangeFit[] {
  return isRead(event, found) ? fitted(possibleChanges(event, index, found, learnt, book), learnt.fit) : [];
}

function isRead(event: StreamEvent, { origin }: RuleFindings): boolean {
  return isMail(event) && event.about === undefined && origin.language !== 'other';
}

/** A change that an event may mean for a task, and how likely it is that it does. */
export interface ChangeFit extends PossibleChange {
  /** 0–1. */
  readonly likelihood: number;
}

/** A change among its rivals: what is known of it, and how it stands to them. */
export interface RankedChange<C extends PossibleChange> {
  readonly change: C;
  readonly values: readonly number[];
}

/** So many changes of a mail are looked at closely. */
const CLOSER_LOOK = 8;
/** How far ahead a change without a rival is. */
const NO_RIVAL = 9;

/** Returns the changes that an event may mean, likeliest first. */
function fitted(changes: readonly PossibleChange[], { weights, trees }: Fit): readonly ChangeFit[] {
  return ranked(changes, weights)
    .map(({ change, values }) => ({ ...change, likelihood: likelihood(treesScore(trees, values)) }))
    .toSorted((one, other) => other.likelihood - one.likelihood);
}

/** Returns the changes that weigh most, with how each stands to the others; "nothing is meant" weighs 0. */
export function ranked<C extends PossibleChange>(
  changes: readonly C[],
  weights: readonly number[],
): readonly RankedChange<C>[] {
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
  found: RuleFindings,
  reader: TrainedReader,
  book = new TaskBook(reader),
): readonly PossibleChange[] {
  const all = sentenceEffects(event, found.read, reader);
  const suggestions = findSuggestions(all, found);
  if (suggestions.length === 0) return [];
  const { ground, tasks } = groundOf(event, index, found.origin, book);
  const heard = new Map(suggestions.map((one) => [one.heard.passage.view, one.heard]));
  const sentences = [...heard.values()].map((one) => sentenceWordsOf(one, ground));
  const features = all.map((each) => each.features);
  const mail = { event, all, whole: mailEffects(features, reader), choices: new Map<string, readonly Choice[]>() };
  return tasks.flatMap((task) => changesOf(task, choicesFor(task.own, suggestions, mail), ground, sentences));
}

/**
 * Returns the open notes that an event could mean at all, those first whose change the event says most likely, by what was
 * learnt. Where the event is not read by what was learnt, those first that its links, its sender and its words lead to.
 */
export function notesByFit(
  event: StreamEvent,
  found: RuleFindings,
  { index, learnt, book }: ReadingBasis,
): readonly TargetCandidate[] {
  const changes = isRead(event, found) ? possibleChanges(event, index, found, learnt, book) : [];
  const scores = new Map<TargetCandidate, number>();
  for (const change of changes) {
    const known = scores.get(change.task) ?? Number.NEGATIVE_INFINITY;
    scores.set(change.task, Math.max(known, weighed(change, learnt.fit.weights)));
  }
  const likely = [...scores].toSorted(([, one], [, other]) => other - one).map(([task]) => task);
  const { things } = mailWordsOf(event, index, found.origin);
  return [...new Set([...likely, ...candidatePool(event, index, things.all)])];
}

function groundOf(event: StreamEvent, index: TargetIndex, origin: DateOrigin, book: TaskBook) {
  const mail = mailWordsOf(event, index, origin);
  const tasks = candidatePool(event, index, mail.things.all)
    .filter(({ kind }) => kind === 'task')
    .map((task) => book.wordsOf(task, index));
  const known = {
    mail,
    day: Date.parse((event.originAt ?? '').slice(0, 10)),
    rarityOfThings: rarityOf(tasks.map(({ things }) => things)),
  };
  const matters = new Set(tasks.map(({ matter }) => matter));
  const ground: Ground = { ...known, matters: new Map([...matters].map((one) => [one, matterInMail(one, known)])) };
  const rarity = rarityOf(tasks.map(({ words }) => words));
  return { ground, tasks: tasks.map((own) => inQuestion(own, rarity)) };
}

/** Returns what a mail may mean for one task: each choice that it has, with what is known of it. */
function changesOf(
  task: TaskInQuestion,
  choices: readonly Choice[],
  ground: Ground,
  sentences: readonly SentenceWords[],
): readonly PossibleChange[] {
  if (choices.length === 0) return [];
  const { own } = task;
  const inMail = taskInMail(task, ground);
  const within = new Map(sentences.map((one) => [one.heard.passage.view, taskInSentence(task, one, ground)]));
  const known = Object.values(inMail);
  return choices.map(({ set, same, said, dayAt }) => {
    const inSentence = strongest(same, within);
    // Joined by `push`, the engine keeps them as plain numbers, which makes weighing them cheap.
    const values: number[] = [];
    for (const part of [known, Object.values(inSentence), said, newDay(dayAt, own, ground)]) values.push(...part);
    values.push(...together(inMail, inSentence));
    return { task: own.task, set, suggestion: same[0], values, deeds: own.deedsFor[same[0].effect] };
  });
}

type InMail = ReturnType<typeof taskInMail>;
type InSentence = ReturnType<typeof taskInSentence>;

/** Of several sentences that say the same, each counts by how surely it says so. */
function strongest(same: Same, within: ReadonlyMap<string, InSentence>) {
  const top = within.get(same[0].heard.passage.view);
  const most = {
    inSentence: 0,
    ownInSentence: 0,
    matterInSentence: 0,
    thingsInSentence: 0,
    thingsSaid: 0,
    otherThings: top?.otherThings ?? 0,
    otherNumber: top?.otherNumber ?? 0,
    deed: top?.deed ?? 0,
    topDeed: top?.topDeed ?? 0,
    anyDeed: 0,
    anyTopDeed: 0,
  };
  for (const { heard, effect } of same) {
    const values = within.get(heard.passage.view);
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

/** Returns the deeds that a task asks for, each at the place of the effect. */
function deedsOf(effect: Change, asked: TaskWords['deeds']): readonly number[] {
  return TOPICS.flatMap((topic) => PLACES.map((place) => (place === effect ? asked[topic] : 0)));
}

const PLACES: readonly Change[] = ['cancelled', 'moved', 'done'];

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
  readonly heard: SentenceEffects;
  readonly finding: RuleFinding;
  /** Neither the phrase table nor a form reads it so: it was only learnt. */
  readonly isLearnt: boolean;
}

/** Nothing is made of a sentence that is less likely to tell of a change, where only what was learnt speaks for it. */
const LEAST_HEARD = 0.12;
/** What was only learnt is proposed, and never acted upon. */
export const LEARNT_CEILING = 0.84;
const MAX_SUGGESTIONS = 16;

/** Returns what the sentences of an event may say of some note: what the rules find, and what was learnt to be said so. */
export function findSuggestions(
  all: readonly SentenceEffects[],
  { findings, origin, isReadSentence }: Pick<RuleFindings, 'findings' | 'origin' | 'isReadSentence'>,
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
    if (learnt.length === 0 || !isReadSentence(sentence)) return read;
    return [...read, ...learnt.flatMap((effect) => learntIn(heard, effect, origin))];
  });
  return suggested
    .toSorted((one, other) => other.heard.effects[other.effect] - one.heard.effects[one.effect])
    .slice(0, MAX_SUGGESTIONS);
}

function effectOf({ set }: RuleFinding): Change {
  if (set.due !== undefined) return 'moved';
  return set.state === 'archived' ? 'cancelled' : 'done';
}

function learntIn(heard: SentenceEffects, effect: Change, origin: DateOrigin): Suggestion[] {
  const { passage, effects } = heard;
  const moved = effect === 'moved' ? findNewDay(passage.view, origin) : null;
  if (effect === 'moved' && moved === null) return [];
  const { start, end } = moved ?? heard.span;
  const phrase = { sentence: passage.view, start, end, bare: true, negative: false, ofFuture: effect === 'moved' };
  const claim = moved === null ? stateClaim(effect) : dayClaim(moved.day, moved.time, 'learnt: moved');
  const finding = makeFinding(claim, Math.min(LEARNT_CEILING, effects[effect]), phrase, passage);
  return [{ effect, day: moved?.day ?? null, heard, finding, isLearnt: true }];
}

function stateClaim(effect: Change): Claim {
  const set = { state: effect === 'done' ? 'done' : 'archived' };
  return { effect: 'mutation', class: 'state_change', set, phraseId: `learnt: ${effect}`, verbs: [], otherVerbs: [] };
}

/** Suggestions that would set a task to the same, the surest first. */
type Same = readonly [Suggestion, ...Suggestion[]];

/** What a mail may set a task to, with all that says so. */
interface Choice {
  readonly set: Readonly<Record<string, string>>;
  readonly same: Same;
  /** How surely it says so, in numbers. */
  readonly said: readonly number[];
  /** The new day (epoch ms); NaN for none. */
  readonly dayAt: number;
}

/** From here on the name of a task is surely about the end of something: what is cancelled is then done. */
const IS_ENDING = 0.5;

/** Returns what a mail may set a task to. */
function choicesFor(
  { task, deeds }: TaskWords,
  suggestions: readonly Suggestion[],
  mail: MailEffects,
): readonly Choice[] {
  const fresh = suggestions
    .map((suggestion, nth) => ({ suggestion, nth, set: setOf(suggestion, task, deeds.ending >= IS_ENDING) }))
    .filter(({ set }) => !isAlreadySo(set, task));
  // Most tasks have the same choices.
  const key = fresh.map(({ nth, set }) => `${nth} ${set.state ?? set.due}`).join();
  const known = mail.choices.get(key) ?? choicesAmong(fresh, mail);
  mail.choices.set(key, known);
  return known;
}

function choicesAmong(
  fresh: readonly { readonly suggestion: Suggestion; readonly set: Choice['set'] }[],
  mail: MailEffects,
): readonly Choice[] {
  const bySet = Map.groupBy(fresh, ({ set }) => JSON.stringify(set));
  return [...bySet.values()].flatMap(([first, ...rest]) => {
    if (first === undefined) return [];
    const { suggestion, set } = first;
    const same: Same = [suggestion, ...rest.map((each) => each.suggestion)];
    const dayAt = suggestion.day === null ? Number.NaN : Date.parse(suggestion.day.slice(0, 10));
    return [{ set, same, said: Object.values(changeSaid(same, mail)), dayAt }];
  });
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

const REPLY = /^\s*(?:re|aw|sv|antw|rif|réf)\s*:/iu;
/** The addresses that machines write from. */
const MACHINE =
  /^(?:no-?_?reply|do-?not-?reply|notif|alert|info|service|support|help|hello|order|billing|booking|account|update|mail|news|team|kunden|rechnung|buchung|versand|contact|commande|reserva|pedido|ordini|klant|bestel)/iu;
const FIRST = 2;
const MANY_DENIED = 3;

/** A mail with the effects of its sentences, and of the mail as a whole. */
interface MailEffects {
  readonly event: StreamEvent;
  readonly all: readonly SentenceEffects[];
  readonly whole: Readonly<Record<MailEffect, number>>;
  /** What it may set tasks to, as far as that is worked out, by what it would be. */
  readonly choices: Map<string, readonly Choice[]>;
}

/** How surely a mail says a change of something, whatever it may be: the suggestions that say it, the surest first. */
function changeSaid(suggestions: Same, { event, all, whole }: MailEffects) {
  const [top, second] = suggestions;
  const { effect, heard } = top;
  const { effects, passage, at } = heard;
  const said = new Set(suggestions.map((each) => each.heard));
  const others = all.filter((other) => !said.has(other));
  const most = (of: (other: SentenceEffects) => number) => Math.max(0, ...others.map(of));
  return {
    always: 1,
    effect: logit(effects[effect]),
    mailEffect: logit(whole[effect]),
    mailNone: logit(whole.none),
    second: logit(second === undefined ? 0 : second.heard.effects[effect]),
    phrase: Math.max(...suggestions.map(({ isLearnt, finding }) => (isLearnt ? 0 : finding.rawConfidence))),
    isForm: Number(suggestions.some(({ finding }) => finding.phraseId.startsWith('form:'))),
    isDefeated: Number(heard.isDefeated),
    isCancelled: Number(effect === 'cancelled'),
    isMoved: Number(effect === 'moved'),
    none: effects.none,
    asks: effects.asks,
    otherEffect: strongestChange(effects) - effects[effect],
    isSubject: Number(passage.isSubject),
    inSubject: Number(suggestions.some((each) => each.heard.passage.isSubject)),
    isFirst: Number(at <= FIRST),
    length: Math.log1p(passage.view.split(/\s+/).length),
    sentences: Math.log1p(all.length),
    isReply: Number(REPLY.test(event.subject)),
    isMachine: Number(MACHINE.test(event.from ?? '')),
    otherSupport: most((other) => strongestChange(other.effects) - other.effects[effect]),
    lead: effects[effect] - most((other) => other.effects[effect]),
    denied: Math.min(MANY_DENIED, all.filter((other) => other.isDefeated).length),
    mailAsks: Math.max(0, ...all.map((other) => other.effects.asks)),
  };
}

function logit(likely: number): number {
  return Math.log((likely + 0.02) / (1.02 - likely));
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
  readonly mail: MailWords;
  readonly rarityOfThings: Rarity<Thing>;
  /** What the mail has of the matters of those tasks. */
  readonly matters: ReadonlyMap<MatterWords, InMatter>;
  /** The day that the mail is of (epoch ms); NaN where it has none. */
  readonly day: number;
}

const DAY_MS = 86_400_000;
/** So many days make an appointment half as near as a week less does. */
const NEAR_DAYS = 7;

/** What a task has in common with a mail as a whole, each 0–1 where nothing else is said. */
function taskInMail({ own, words, ownWords }: TaskInQuestion, ground: Ground) {
  const { mail } = ground;
  const { things } = mail;
  const sender = senderKnown(own, ground);
  const matter = ground.matters.get(own.matter) ?? matterInMail(own.matter, ground);
  const apart = Math.abs(own.dayAt - ground.day) / DAY_MS;
  return {
    link: Number(mail.notes.linked.has(own.task.path)),
    exactSender: sender.exactSender,
    domainSender: sender.domainSender,
    soleSender: sender.soleSender,
    siblings: own.matter.siblings,
    matterBrand: matter.brand,
    matterInSubject: matter.inSubject,
    matterInText: matter.inText,
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
    thingsOfMatter: matter.things,
    thingsOfSiblings: matter.thingsOfTasks,
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

type InMatter = ReturnType<typeof matterInMail>;

/** What a matter has in common with a mail, for all of its tasks. */
function matterInMail({ words, names, things, thingsOfTasks }: MatterWords, ground: Omit<Ground, 'matters'>) {
  const { mail } = ground;
  return {
    brand: coverage(words, mail.sender),
    inSubject: bestCoverage(names, mail.subject),
    inText: bestCoverage(names, mail.text),
    things: shared(things, mail.things.all, ground),
    thingsOfTasks: shared(mail.things.near, thingsOfTasks, ground),
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
  readonly heard: SentenceEffects;
  readonly zone: MailZone;
  readonly things: ThingSet;
  /** Those that it or the subject names. */
  readonly near: ThingSet;
  /** How much it has of the name of each matter. */
  readonly matters: ReadonlyMap<MatterWords, number>;
  /** The kind of deed that it is most likely about. */
  readonly topTopic: Topic;
}

/** Returns a sentence with what it names. */
function sentenceWordsOf(heard: SentenceEffects, { mail, matters }: Pick<Ground, 'mail' | 'matters'>): SentenceWords {
  const { view } = heard.passage;
  const things = thingsNamed(view, mail.language);
  const zone = new MailZone(view);
  return {
    heard,
    zone,
    things,
    near: things.union(mail.things.subject),
    matters: new Map([...matters.keys()].map((matter) => [matter, bestCoverage(matter.names, zone)])),
    topTopic: topTopic(heard),
  };
}

/** What a task has in common with one sentence, each 0–1. */
function taskInSentence({ own, words, ownWords }: TaskInQuestion, sentence: SentenceWords, ground: Ground) {
  const { heard, zone, things, near, topTopic: top } = sentence;
  return {
    inSentence: coverage(words, zone),
    ownInSentence: coverage(ownWords, zone),
    matterInSentence: sentence.matters.get(own.matter) ?? 0,
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

function topTopic({ topics }: SentenceEffects): Topic {
  return TOPICS.reduce((best, topic) => (topics[topic] > topics[best] ? topic : best), TOPICS[0]);
}

/** The words of a mail, each part for itself, and what they name. */
interface MailWords {
  readonly language: Language | null;
  readonly subject: MailZone;
  readonly text: MailZone;
  readonly sender: MailZone;
  readonly things: ThingsOfMail;
  readonly notes: NotesOfMail;
  /** The days it speaks of, as `2026-12-04`. */
  readonly days: ReadonlySet<string>;
}

/** The notes that a mail leads to by itself. */
interface NotesOfMail {
  /** By its links, by path. */
  readonly linked: ReadonlySet<string>;
  /** By a reference number that no other open note has, by path; null for one that leads to none. */
  readonly referenced: ReadonlySet<string | null>;
  /** Those that list its sender. */
  readonly listing: ReturnType<TargetIndex['listing']>;
  /** Whether one note alone does. */
  readonly isListedOnce: boolean;
}

/** The things that the parts of a mail name. */
interface ThingsOfMail {
  readonly subject: ThingSet;
  readonly text: ThingSet;
  readonly sender: ThingSet;
  /** Those of its subject and text. */
  readonly near: ThingSet;
  readonly all: ThingSet;
}

/** Words further on in a mail are small print. */
const MAX_TEXT_MAIL_WORDS = 4_000;
const MAX_LINES = 60;

/** Returns the words of a mail and what they name. */
function mailWordsOf(event: StreamEvent, index: TargetIndex, origin: DateOrigin): MailWords {
  const { subject } = event;
  const text = event.text.slice(0, MAX_TEXT_MAIL_WORDS);
  const language = origin.language === 'other' ? null : origin.language;
  const sender = senderWords(event);
  const lines = [subject, ...text.split('\n').slice(0, MAX_LINES)];
  const listing = index.listing(event.from ?? '');
  return {
    language,
    ...{ subject: new MailZone(subject), text: new MailZone(text), sender: new MailZone(sender) },
    things: thingsOfMail(thingsNamed(subject, language), thingsNamed(text, language), thingsOfSender(sender, language)),
    days: new Set(
      lines.flatMap((line) => findDatePlaces(line, origin).flatMap(({ date }) => (date === null ? [] : [date.day]))),
    ),
    notes: {
      linked: new Set([...findLinks(subject), ...findLinks(text)].flatMap(({ target }) => index.byLink(target))),
      referenced: new Set([...findCodes(`${subject}\n${text}`)].map((code) => index.byReference(code))),
      listing,
      isListedOnce: new Set(listing.map(({ path }) => path)).size === 1,
    },
  };
}

function thingsOfMail(subject: ThingSet, text: ThingSet, sender: ThingSet): ThingsOfMail {
  const near = subject.union(text);
  return { subject, text, sender, near, all: near.union(sender) };
}

const MAX_CANDIDATES = 40;
const MAX_TASKS_OF_MATTER = 25;
const MAX_ALIKE = 30;
const MAX_POOL = 90;
const MAX_TEXT = 800;

/** Returns the open notes that an event could mean at all: by link, sender, name, keyword, reference, words or things named, and their matters' tasks. */
function candidatePool(event: StreamEvent, index: TargetIndex, named: ThingSet): readonly TargetCandidate[] {
  const found = new Set<string>();
  for (const { target } of [...findLinks(event.subject), ...findLinks(event.text)])
    for (const path of index.byLink(target)) found.add(path);
  for (const { path } of index.bySender(event.from ?? '')) found.add(path);
  for (const { path } of index.phrasesIn(stemmedWords(`${event.subject} \n ${event.text}`))) found.add(path);
  const asked = [`${event.subject} ${senderWords(event)}`, event.subject, event.text.slice(0, MAX_TEXT)];
  for (const text of asked) for (const { path } of index.search(text)) found.add(path);
  const notes = [...found].flatMap((path) => index.get(path) ?? []).slice(0, MAX_CANDIDATES);
  const matters = new Set(notes.map((note) => (note.kind === 'matter' ? note.path : note.matterPath)));
  const tasks = [...matters].flatMap((path) =>
    path === null ? [] : index.openTasksOf(path).toSorted(byPath).slice(0, MAX_TASKS_OF_MATTER),
  );
  const above = [...matters].flatMap((path) => (path === null ? [] : (index.get(path) ?? [])));
  const alike = index.things.naming(named).flatMap((path) => index.get(path) ?? []);
  const all = new Map([...notes, ...alike.slice(0, MAX_ALIKE), ...tasks, ...above].map((note) => [note.path, note]));
  return [...all.values()].filter((note) => index.isOpen(note.path)).slice(0, MAX_POOL);
}

function byPath(one: TargetCandidate, other: TargetCandidate): number {
  return one.path < other.path ? -1 : 1;
}

/** Returns the words by which a sender goes: the display name, and those of the domain. */
function senderWords({ from, fromName }: StreamEvent): string {
  const [local = '', domain = ''] = (from ?? '').split('@');
  const labels = domain.split('.').slice(0, -1).join(' ').replaceAll('-', ' ');
  return `${fromName ?? ''} ${local.replace(/[._+-]/g, ' ')} ${labels}`;
}

/** The words by which a task and its matter go, and what they name. */
interface TaskWords {
  readonly task: TargetCandidate;
  readonly matter: MatterWords;
  readonly words: readonly string[];
  /** Those that its matter does not have as well. */
  readonly ownWords: readonly string[];
  readonly keywords: readonly WeighedWords[];
  readonly things: ThingSet;
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
  /** The same as numbers of a change with an effect. */
  readonly deedsFor: Readonly<Record<Change, readonly number[]>>;
}

/** The words by which a matter goes, and what it and its tasks name. */
interface MatterWords {
  readonly words: WeighedWords;
  /** Each of its names as a whole. */
  readonly names: readonly WeighedWords[];
  readonly things: ThingSet;
  /** Those of all its open tasks. */
  readonly thingsOfTasks: ThingSet;
  /** 1 divided by how many open tasks it has. */
  readonly siblings: number;
}

const NO_THINGS: ThingSet = new Set();
const NO_MATTER: MatterWords = {
  words: weighedBy([], null),
  names: [],
  things: NO_THINGS,
  thingsOfTasks: NO_THINGS,
  siblings: 1,
};

function matterWordsOf(matter: TargetCandidate, index: TargetIndex): MatterWords {
  const names = [matter.name, ...matter.aliases, ...matter.keywords];
  const tasks = index.openTasksOf(matter.path);
  return {
    words: weighedBy(tellingWordsIn(names), null),
    names: names.map(phraseOf),
    things: index.things.of(matter.path),
    thingsOfTasks: new Set(tasks.flatMap((task) => [...index.things.of(task.path)])),
    siblings: 1 / Math.max(1, tasks.length),
  };
}

function taskWordsOf(
  task: TargetCandidate,
  matter: MatterWords,
  things: ThingSet,
  deeds: TaskWords['deeds'],
): TaskWords {
  const words = tellingWordsIn([task.name, ...task.aliases]);
  const day = (task.due ?? task.scheduled ?? '').slice(0, 10);
  return {
    task,
    matter,
    words,
    day,
    dayAt: Date.parse(day),
    ownWords: words.filter((word) => !matter.words.words.includes(word)),
    keywords: task.keywords.map(phraseOf),
    things,
    zone: new Set([...words, ...matter.words.words]),
    numbers: stemmedWords(task.name).filter(isNumber),
    deeds,
    deedsFor: { done: deedsOf('done', deeds), cancelled: deedsOf('cancelled', deeds), moved: deedsOf('moved', deeds) },
  };
}

/** Returns which share of some words other words have, 0–1. */
function shareWithin(words: Iterable<string>, zone: Zone): number {
  let [said, all] = [0, 0];
  for (const word of words) {
    all += 1;
    said += shareOf(word, zone);
  }
  return all === 0 ? 0 : said / all;
}

function tellingWordsIn(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => [...zoneOf(tellingWords(name).join(' '))]))];
}

function phraseOf(name: string): WeighedWords {
  return weighedBy([...zoneOf(phraseWords(name).join(' '))], null);
}

/** So many tasks are remembered: mails are about the same ones again and again. */
const MOST_TASKS = 2_000;

/**
 * The words of the tasks that mails were measured against last, as long as no note changes. They are the same for every mail;
 * worked out for each mail, they take a third of the time that a mail takes.
 */
export class TaskBook {
  readonly #reader: TrainedReader;
  #index: TargetIndex | null = null;
  #revision = 0;
  readonly #words = new Map<TargetCandidate, TaskWords>();
  readonly #matters = new Map<string, MatterWords>();

  constructor(reader: TrainedReader) {
    this.#reader = reader;
  }

  /** Returns the words of a task, and what they name. */
  wordsOf(task: TargetCandidate, index: TargetIndex): TaskWords {
    if (this.#index !== index || this.#revision !== index.revision || this.#words.size >= MOST_TASKS) {
      this.#index = index;
      this.#revision = index.revision;
      this.#words.clear();
      this.#matters.clear();
    }
    const known = this.#words.get(task);
    if (known !== undefined) return known;
    const matter = this.#matterOf(task, index);
    const words = taskWordsOf(task, matter, index.things.of(task.path), scoreTopics(task.name, this.#reader));
    this.#words.set(task, words);
    return words;
  }

  #matterOf({ matterPath }: TargetCandidate, index: TargetIndex): MatterWords {
    const matter = matterPath === null ? null : index.get(matterPath);
    if (matter === null) return NO_MATTER;
    const known = this.#matters.get(matter.path) ?? matterWordsOf(matter, index);
    this.#matters.set(matter.path, known);
    return known;
  }
}

/** How much each word, or thing, of some tasks tells: the fewer of them have it, the more. */
type Rarity<K> = ReadonlyMap<K, number>;

/** Returns the rarity of the words, or things, that some tasks have, each task's in a list of their own. */
function rarityOf<K>(owned: readonly Iterable<K>[]): Rarity<K> {
  const counts = new Map<K, number>();
  for (const own of owned) for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1);
  return new Map([...counts].map(([one, count]) => [one, Math.log(1 + owned.length / count)]));
}

/** Words, and how much each of them counts. */
interface WeighedWords {
  readonly words: readonly string[];
  readonly weights: readonly number[];
  /** All weights together. */
  readonly sum: number;
}

/** Returns words of which the rare ones count more; without a rarity each counts 1. */
function weighedBy(words: readonly string[], rarity: Rarity<string> | null): WeighedWords {
  const weights = words.map((word) => rarity?.get(word) ?? 1);
  return { words, weights, sum: weights.reduce((sum, weight) => sum + weight, 0) };
}

/** Returns which share of some words a part of a mail has, 0–1. */
function coverage({ words, weights, sum }: WeighedWords, zone: MailZone): number {
  if (sum === 0) return 0;
  let said = 0;
  for (let nth = 0; nth < words.length; nth += 1) said += (weights[nth] ?? 0) * zone.shareOf(words[nth] ?? '');
  return said / sum;
}

/** Returns which share a part of a mail has of that name of which it has most, 0–1. */
function bestCoverage(names: readonly WeighedWords[], zone: MailZone): number {
  let most = 0;
  for (const name of names) most = Math.max(most, coverage(name, zone));
  return most;
}

const LETTERS = /[\p{L}\p{N}]+/gu;
const SHORTEST_PART = 4;
const PART_COUNTS = 0.7;

/** Words, folded without accents, each once. */
type Zone = ReadonlySet<string>;

/** The words of a part of a mail that many tasks are measured against: how much it has of a word is worked out once. */
class MailZone {
  readonly words: Zone;
  /** Those of its words that are numbers. */
  readonly numbers: readonly string[];
  readonly #shares = new Map<string, number>();

  constructor(text: string) {
    this.words = zoneOf(text);
    this.numbers = [...this.words].filter(isNumber);
  }

  /** Returns how much of a word it has, 0–1. */
  shareOf(word: string): number {
    const known = this.#shares.get(word);
    if (known !== undefined) return known;
    const share = shareOf(word, this.words);
    this.#shares.set(word, share);
    return share;
  }
}

/** Whether a word is a number that tells tasks apart: an invoice, a flat, a year. */
function isNumber(word: string): boolean {
  return /^\d{3,}$/.test(word);
}

/** Returns the words of a text without accents, each once, in order. */
function zoneOf(text: string): Zone {
  return new Set((withoutAccents(text).toLowerCase().match(LETTERS) ?? []).map(stem));
}

/**
 * Returns how much of a word a part of a mail has, 0–1: all of it, or a word that is made with it or begins like it, as
 * "Stromrechnung" has "Strom", and "insured" begins like "insurance".
 */
function shareOf(word: string, zone: Zone): number {
  if (zone.has(word)) return 1;
  if (word.length < SHORTEST_PART || /\d/.test(word)) return 0;
  for (const other of zone) if (isAkin(word, other)) return PART_COUNTS;
  return 0;
}

function isAkin(one: string, other: string): boolean {
  if (other.length < SHORTEST_PART) return false;
  if (one.includes(other) || other.includes(one)) return true;
  const shared = sharedBeginning(one, other);
  return shared >= 5 && shared >= 0.6 * Math.max(one.length, other.length);
}

function sharedBeginning(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/**
 * A decision in a tree: which value is looked at, where it parts, and to which node a value above that leads; one up to there
 * leads to the next node. A leaf has what it adds alone.
 */
export type Node = readonly [number, number, number] | readonly [number];

/** Many small trees that each add a little to a score, as they are learnt and stored. */
export interface TreeList {
  readonly base: number;
  readonly trees: readonly (readonly Node[])[];
}

/** Returns the score of some values: the higher, the likelier. `likelihood` makes a probability of it. */
export function treesScore(list: TreeList, values: readonly number[]): number {
  const { roots, values: tested, edges, above } = columnsOf(list);
  let score = list.base;
  for (const root of roots) {
    let at = root;
    while (above[at] !== LEAF)
      at = (values[tested[at] as number] ?? 0) <= (edges[at] as number) ? at + 1 : (above[at] as number);
    score += edges[at] as number;
  }
  return score;
}

/**
 * The nodes of all trees of a list, one tree after the other, as columns of numbers. Walking the trees is the innermost
 * loop of reading, and takes a third of the time in this form. `edges`: of a leaf, what it adds.
 */
interface Columns {
  readonly roots: Int32Array;
  readonly values: Int32Array;
  readonly edges: Float64Array;
  /** Where a node goes on for a value above its edge; `LEAF`: it is a leaf. */
  readonly above: Int32Array;
}

const LEAF = -1;
const columns = new WeakMap<TreeList, Columns>();

function columnsOf(list: TreeList): Columns {
  const known = columns.get(list);
  if (known !== undefined) return known;
  const roots: number[] = [];
  const nodes: { readonly value: number; readonly edge: number; readonly above: number }[] = [];
  for (const tree of list.trees) {
    const root = nodes.length;
    roots.push(root);
    for (const [value, edge, above] of tree) {
      const isLeaf = edge === undefined || above === undefined;
      nodes.push(isLeaf ? { value: 0, edge: value, above: LEAF } : { value, edge, above: root + above });
    }
  }
  const made = {
    roots: Int32Array.from(roots),
    values: Int32Array.from(nodes, ({ value }) => value),
    edges: Float64Array.from(nodes, ({ edge }) => edge),
    above: Int32Array.from(nodes, ({ above }) => above),
  };
  columns.set(list, made);
  return made;
}

/** Returns the probability, 0–1, that a score stands for. */
export function likelihood(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

/** What a sentence says has become of something that its reader would have on a list. */
export const EFFECTS = ['done', 'cancelled', 'moved', 'asks', 'none'] as const;
export type Effect = (typeof EFFECTS)[number];

/** The effects that change a note. */
export const CHANGES = ['done', 'cancelled', 'moved'] as const;
export type Change = (typeof CHANGES)[number];

/** What a mail as a whole says has become of something on its reader's list. */
export const MAIL_EFFECTS = ['done', 'cancelled', 'moved', 'none'] as const;
export type MailEffect = (typeof MAIL_EFFECTS)[number];

/** What kind of deed a sentence, or the name of a task, is about. */
export const TOPICS = [
  ...([
    'payment',
    'refund',
    'dispatch',
    'delivery',
    'order',
    'signature',
    'booking',
    'appointment',
    'renewal',
  ] as const),
  ...(['ending', 'submission', 'approval', 'registration', 'work', 'returning', 'pickup', 'reply', 'other'] as const),
] as const;
export type Topic = (typeof TOPICS)[number];

/** Tells sentences apart by the sum of what each of their features says for a class. */
export interface LinearModel {
  readonly classes: readonly string[];
  readonly bias: readonly number[];
  /** What a weight of 1 stands for. */
  readonly scale: number;
  /** As many weights for each class, one class after the other; features that are a whole turn apart share one. */
  readonly weights: Int8Array;
}

/** Returns the probability of each class, in their order; together 1. `features`: whole numbers, each once. */
export function probabilities(model: LinearModel, features: readonly number[]): readonly number[] {
  const count = model.classes.length;
  const rows = rowsOf(model);
  const sums = new Int32Array(count);
  for (const feature of features) {
    const row = (feature * count) % rows.length;
    for (let nth = 0; nth < count; nth += 1) sums[nth] = (sums[nth] as number) + (rows[row + nth] as number);
  }
  const share = model.scale / Math.sqrt(Math.max(1, features.length));
  return softmax(model.bias.map((bias, nth) => (sums[nth] ?? 0) * share + bias));
}

const rowsOfModels = new WeakMap<Int8Array, Int8Array>();

/** The weights of a model, those of one feature next to each other: they are looked up together, for every word. */
function rowsOf({ weights, classes }: LinearModel): Int8Array {
  const known = rowsOfModels.get(weights);
  if (known !== undefined) return known;
  const width = weights.length / classes.length;
  const rows = weights.map((_, at) => weights[(at % classes.length) * width + Math.floor(at / classes.length)] ?? 0);
  rowsOfModels.set(weights, rows);
  return rows;
}

/** Returns shares that grow with the exponential of the scores; together 1. */
export function softmax(scores: readonly number[]): readonly number[] {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((total, each) => total + each, 0);
  return powers.map((power) => power / sum);
}

/** So many features are told apart; a feature is a hash, and two that fall together are one. */
export const BUCKETS = 1 << 15;

/** Longer sentences are lists and legal texts; what counts of them stands at the beginning. */
const MAX_CHARACTERS = 400;
const WORDS = /[\p{L}\p{M}]+|\p{N}+(?:[.,:/-]\p{N}+)*|[€$£%?!:→]/gu;
const SHORTEST_RUN = 3;
const LONGEST_RUN = 5;

/**
 * Returns the features of a sentence, as numbers below `BUCKETS`, each once: its words, every two and three words in a row,
 * every run of three to five letters of a word, how it begins and ends. Numbers and sums count by their form alone.
 */
export function sentenceFeatures(sentence: string): readonly number[] {
  return featuresOf(wordsIn(sentence));
}

function featuresOf(words: readonly string[]): readonly number[] {
  const found = new Set<number>();
  const last = words.length - 1;
  for (const [at, word] of words.entries()) {
    const { whole, runs } = wordFeatures(word);
    found.add(whole);
    found.add(hashOf(`2 ${word} ${words[at + 1] ?? '.'}`));
    if (at + 1 <= last) found.add(hashOf(`3 ${word} ${words[at + 1]} ${words[at + 2] ?? '.'}`));
    if (at + 2 <= last) found.add(hashOf(`s ${word} ${words[at + 2]}`));
    for (const run of runs) found.add(run);
  }
  found.add(hashOf(`first ${words[0] ?? ''}`));
  found.add(hashOf(`last ${words[last] ?? ''}`));
  found.add(hashOf(`length ${Math.min(6, Math.floor(Math.log2(words.length + 1)))}`));
  return [...found];
}

/** Returns the words of a sentence, folded; numbers as `0`, dates and times as `0-0` and the like. */
function wordsIn(sentence: string): readonly string[] {
  const folded = sentence
    .slice(0, MAX_CHARACTERS)
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?<!\S)\S+@\S+|https?:\S+/g, ' @ ');
  return (folded.match(WORDS) ?? []).map((word) => (/^\p{N}/u.test(word) ? word.replace(/\p{N}+/gu, '0') : word));
}

interface WordFeatures {
  readonly whole: number;
  readonly runs: readonly number[];
}

const featuresOfWords = new TextMemory<WordFeatures>(10_000);

/** Returns the features of one word: itself, and its runs of letters. */
function wordFeatures(word: string): WordFeatures {
  const known = featuresOfWords.get(word);
  if (known !== undefined) return known;
  const shown = `<${word}>`;
  const runs: number[] = [];
  for (let length = SHORTEST_RUN; length <= LONGEST_RUN; length += 1) {
    for (let at = 0; at + length <= shown.length; at += 1) runs.push(hashOf(shown.slice(at, at + length)));
  }
  return featuresOfWords.keep(word, { whole: hashOf(`w ${word}`), runs });
}

/** FNV-1a, folded to the number of buckets. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & (BUCKETS - 1);
}

/** What was learnt of mails (train/README.md). */
export interface TrainedReader {
  /** Tells by words and letters what a sentence says has become of something. */
  readonly effects: LinearModel;
  /** Tells by the words and letters of all its sentences what a mail says. */
  readonly mails: LinearModel;
  /** Tell, with the cues of the sentence besides, how likely it says each change. */
  readonly changes: Readonly<Record<Change, TreeList>>;
  /** Tells which kind of deed a sentence, or the name of a task, is about. */
  readonly topics: LinearModel;
  readonly fit: Fit;
  /** Of a fit at least this likely a change is proposed, 0–1. */
  readonly least: number;
}

/** Tells how likely a mail means a change of a task. */
interface Fit {
  /** What each thing known of a change weighs, against what is known of the other changes. */
  readonly weights: readonly number[];
  /** Tell from what is known of those that weigh most how likely each is meant. */
  readonly trees: TreeList;
}

const number = z.number();
const linear = z.strictObject({ bias: z.array(number), scale: number.positive(), weights: z.base64() });
const decision = z.tuple([number.int().min(0), number, number.int().min(1)]).readonly();
const node = z.union([decision, z.tuple([number]).readonly()]);
const tree = z.array(node).min(1).readonly().refine(isDownward, 'a node leads back, or out of its tree');
const trees = z.strictObject({ base: number, trees: z.array(tree).readonly() });
const file = z.strictObject({
  /** Of all that it was learnt from, and of the code that did. */
  made_from: z.string(),
  effects: linear,
  mails: linear,
  topics: linear,
  changes: z.strictObject({ done: trees, cancelled: trees, moved: trees }),
  fit: z.strictObject({ weights: z.array(number).readonly(), trees }),
  least: number.min(0).max(1),
});
export type ReaderFile = z.infer<typeof file>;

/** Returns the reader that comes with the program. It is read once, for all vaults. */
export const storedReader = lazily((): TrainedReader => makeReader(loadData('reader.json', file)));

/** Returns the reader that the content of a file holds. Throws an Error that says what is wrong where it holds none. */
export function parseReader(content: unknown): TrainedReader {
  const read = file.safeParse(content);
  if (!read.success) throw new Error(`what was learnt of mails cannot be read: ${z.prettifyError(read.error)}`);
  return makeReader(read.data);
}

/** Returns the reader that a file holds. Throws an Error where its parts have not the right length. */
export function makeReader({ effects, mails, changes, topics, fit, least }: ReaderFile): TrainedReader {
  return {
    effects: linearOf(effects, EFFECTS),
    mails: linearOf(mails, MAIL_EFFECTS),
    changes,
    topics: linearOf(topics, TOPICS),
    fit,
    least,
  };
}

function linearOf({ bias, scale, weights }: ReaderFile['effects'], classes: readonly string[]): LinearModel {
  const bytes = unpacked(weights, classes.length * BUCKETS);
  const isWhole = bytes.length > 0 && bytes.length % classes.length === 0 && bias.length === classes.length;
  if (!isWhole) throw new Error(`what was learnt of mails has not as many weights for each of ${classes.join(', ')}`);
  return { classes, bias, scale, weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length) };
}

function unpacked(weights: string, maxOutputLength: number): Buffer {
  try {
    return inflateRawSync(Buffer.from(weights, 'base64'), { maxOutputLength });
  } catch (cause) {
    throw new Error('what was learnt of mails cannot be unpacked', { cause });
  }
}

/** Whether each node of a tree leads to later ones in it alone, so that whoever follows it comes to a leaf. */
function isDownward(nodes: readonly z.infer<typeof node>[]): boolean {
  return nodes.every(([, , above], at) => above === undefined || (above > at + 1 && above < nodes.length));
}

/** A sentence with how likely it says that something was done, called off or moved. */
interface SentenceEffects {
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
/** So many of the words of a sentence may be the first of those. */
const MOST_STARTS = 40;
const DEFEATS = ['question', 'negated', 'condition', 'not yet so', 'request', 'only in part', 'still open'] as const;
const NOTHING = record(TOPICS, []);

/** Returns how likely each sentence of an event tells of each effect. `read`: all that the rules find, meant or not. */
export function sentenceEffects(
  event: StreamEvent,
  read: readonly RuleFinding[],
  reader: TrainedReader,
): readonly SentenceEffects[] {
  const bySentence = Map.groupBy(read, ({ sentence }) => sentence);
  return splitEvent(event)
    .slice(0, MAX_SENTENCES)
    .map((passage, at) => effectsIn(passage, at, bySentence.get(shownSentence(passage.view)) ?? [], reader));
}

function effectsIn(passage: Passage, at: number, read: readonly RuleFinding[], reader: TrainedReader): SentenceEffects {
  return { passage, at, ...(read.length > 0 ? heardIn(passage.view, read, reader) : heardAlone(passage.view, reader)) };
}

type Heard = Omit<SentenceEffects, 'passage' | 'at'>;

const heardBefore = new WeakMap<TrainedReader, TextMemory<Heard>>();

/** Returns what a sentence says in which the rules find nothing. */
function heardAlone(view: string, reader: TrainedReader): Heard {
  const before = heardBefore.get(reader) ?? new TextMemory<Heard>(2_000);
  heardBefore.set(reader, before);
  return before.get(view) ?? before.keep(view, heardIn(view, [], reader));
}

function heardIn(view: string, read: readonly RuleFinding[], reader: TrainedReader): Heard {
  const features = sentenceFeatures(withoutLinks(view));
  const first = record(EFFECTS, probabilities(reader.effects, features));
  if (strongestChange(first) < LEAST_LIKELY && read.length === 0) {
    const effects = { ...first, done: 0, cancelled: 0, moved: 0 };
    const span = { start: 0, end: view.length, change: 0 };
    return { effects, topics: NOTHING, features, span, isDefeated: false };
  }
  const span = tellingSpan(view, reader.effects);
  const cues = scoreCues(view, first, span, read);
  const likely = record(
    CHANGES,
    CHANGES.map((change) => likelihood(treesScore(reader.changes[change], cues))),
  );
  return {
    effects: { ...first, ...likely },
    topics: record(TOPICS, probabilities(reader.topics, features)),
    features,
    span,
    isDefeated: read.some(({ defeatedBy }) => defeatedBy !== null),
  };
}

/** Returns what is asked about a sentence besides its words and letters, as numbers; the trainer and the reader share it. */
export function scoreCues(
  view: string,
  first: Readonly<Record<Effect, number>>,
  span: TellingSpan,
  read: readonly RuleFinding[],
): readonly number[] {
  const asserted = read.filter(({ defeatedBy }) => defeatedBy === null);
  const surest = (isOne: (finding: RuleFinding) => boolean) =>
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
  const starts = words.slice(0, Math.min(MOST_STARTS, Math.max(1, words.length - WINDOW + 1)));
  // A window has the words of its parts: they are read once, not once for each window.
  const read = words.slice(0, starts.length + WINDOW).map(({ start, end }) => wordsIn(view.slice(start, end)));
  const spans = starts.map(({ start }, at) => {
    const end = words[Math.min(words.length, at + WINDOW) - 1]?.end ?? start;
    const said = end - start > MAX_CHARACTERS ? wordsIn(view.slice(start, end)) : read.slice(at, at + WINDOW).flat();
    return { start, end, change: strongestChange(record(EFFECTS, probabilities(effects, featuresOf(said)))) };
  });
  return spans.reduce((best, each) => (each.change > best.change ? each : best), {
    start: 0,
    end: view.length,
    change: -1,
  });
}

/** Returns how likely a mail as a whole says each effect, given the words and letters of its sentences. */
function mailEffects(
  sentences: readonly (readonly number[])[],
  { mails }: Pick<TrainedReader, 'mails'>,
): Readonly<Record<MailEffect, number>> {
  return record(MAIL_EFFECTS, probabilities(mails, mailFeatures(sentences)));
}

/** Returns the features of a mail: those of its first sentences, each once, and those of its subject once more as the subject's. */
export function mailFeatures(sentences: readonly (readonly number[])[]): readonly number[] {
  const [subject = []] = sentences;
  const ofSubject = subject.map((feature) => (feature * 5 + 3) % BUCKETS);
  return [...new Set([...sentences.slice(0, SENTENCES_OF_MAIL).flat(), ...ofSubject])];
}

/** Returns how likely a sentence tells of any change, 0–1. */
export function strongestChange(effects: Readonly<Record<Change, number>>): number {
  return Math.min(1, effects.done + effects.cancelled + effects.moved);
}

/** Returns the topics of the name of a task. */
export function scoreTopics(name: string, { topics }: Pick<TrainedReader, 'topics'>): Readonly<Record<Topic, number>> {
  return record(TOPICS, probabilities(topics, sentenceFeatures(name)));
}

/** Returns some values under their keys. */
export function record<K extends string>(keys: readonly K[], values: readonly number[]): Readonly<Record<K, number>> {
  return Object.fromEntries(keys.map((key, at) => [key, values[at] ?? 0])) as Record<K, number>;
}
