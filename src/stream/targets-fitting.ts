import type { StreamEvent } from '../steward/ports.ts';
import { spacedPattern } from './cues.ts';
import { patternOfAll, wordsOfAll } from './languages/union.ts';
import { asWritten, tellingWords, wordsOf } from './mail/word.ts';
import { ownSubject } from './mail-own-words.ts';
import { deedOf } from './money.ts';
import { thingsIn } from './rules.ts';
import { SCORE } from './targets/score.ts';
import type { TargetQuery } from './targets/target-query.ts';
import type { TargetCandidate, TargetIndex } from './targets-target-index.ts';

/** What leads from an event to a note. */
export interface Leads {
  /** As a person says them: `the sender`, `the name`. */
  readonly nouns: readonly string[];
  /** The words that both have, folded and stemmed. */
  readonly stems: readonly string[];
}

/** Returns leads that are no words in common. */
export function byNouns(...nouns: readonly string[]): Leads {
  return { nouns, stems: [] };
}

/** Returns what leads to a matter, said of one of its tasks. */
export function ofMatter({ nouns, stems }: Leads): Leads {
  return { nouns: nouns.map((noun) => noun.replace(/^(?:the (name|keyword)|a link)$/, wordsOfMatter)), stems };
}

function wordsOfMatter(noun: string, what?: string): string {
  return what === undefined ? `${noun} to the matter` : `the matter's ${what}`;
}

/** Returns what leads to a note, with the words as the event writes them. */
export function leadsIn({ nouns, stems }: Leads, { subject, text, spoken }: StreamEvent) {
  return { nouns, words: stems.length === 0 ? [] : asWritten(stems, `${subject} ${spoken?.room ?? ''} ${text}`) };
}

const MONEY_BACK = spacedPattern(patternOfAll(({ cues }) => cues.moneyBack));
const OF_A_MACHINE = spacedPattern(
  patternOfAll(({ cues }) => cues.machine),
  'giu',
);
const GENERIC: ReadonlySet<string> = new Set(wordsOfAll(({ names }) => names.generic).flatMap(wordsOf));
/** "For 2024" is said of many things in 2025; what was done two years ago is no news. */
const OLD_YEARS = 2;

/** Returns what a task's score is multiplied by, because the sentence speaks of something else: 1 where nothing shows it. */
export function misfitOf(task: TargetCandidate, query: TargetQuery, index: TargetIndex): number {
  const misfits: readonly (readonly [boolean, number])[] = [
    [asksForOther(task, query, index), SCORE.otherDeed],
    [query.clue?.onlyAsked === true && !asksForIt(task, query, index), SCORE.otherDeed],
    [hasOtherNumber(task, query), SCORE.otherNumber],
    [isLongAgo(task, query), SCORE.longAgo],
    [isPaymentGivenBack(task, query), SCORE.otherDeed],
    [isOfOtherThing(task, query, index), SCORE.otherThing],
  ];
  return misfits.reduce((factor, [isMisfit, each]) => (isMisfit ? factor * each : factor), 1);
}

/** The task asks for something else than what was done. */
function asksForOther(task: TargetCandidate, query: TargetQuery, index: TargetIndex): boolean {
  return index.telling(task.name).some((word) => query.otherVerbs.has(word)) && !asksForIt(task, query, index);
}

/** Returns whether a task's name has a verb of what the clue says was done. */
export function asksForIt({ name }: TargetCandidate, { verbs }: TargetQuery, index: TargetIndex): boolean {
  return index.telling(name).some((word) => verbs.has(word));
}

function hasOtherNumber({ name }: TargetCandidate, { sentence, subject }: TargetQuery): boolean {
  const own = wordsOf(name).filter(isTellingNumber);
  const isMissing = own.some((word) => !sentence.includes(word) && !subject.includes(word));
  return isMissing && sentence.some((word) => isTellingNumber(word) && !own.includes(word));
}

/** Matches years, invoice numbers and the like; days and hours have fewer digits. */
function isTellingNumber(word: string): boolean {
  return /^\d{3,}$/.test(word);
}

/** "Kaution haben wir 2019 erhalten" is no news, unless the task itself is of that year. */
function isLongAgo(task: TargetCandidate, { event, clue, sentence }: TargetQuery): boolean {
  if (clue?.class !== 'state_change' || event.originAt === null) return false;
  const written = Number(event.originAt.slice(0, 4));
  const years = sentence.filter((word) => /^(?:19|20)\d\d$/.test(word)).map(Number);
  const latest = Math.max(...years);
  return years.length > 0 && latest <= written - OLD_YEARS && !calledBy(task).has(String(latest));
}

/** What was paid comes back, so that it neither is to be paid any more, nor was called off. */
function isPaymentGivenBack({ name }: TargetCandidate, { event, clue }: TargetQuery): boolean {
  if (clue?.class !== 'state_change' || deedOf(name) !== 'out') return false;
  return MONEY_BACK.test(clue.sentence) || MONEY_BACK.test(event.subject);
}

/**
 * The sentence names something, and neither it nor the subject has any word of the task or its matter: the words that the
 * mail shares with the task stand where it speaks of something else.
 */
function isOfOtherThing(task: TargetCandidate, query: TargetQuery, index: TargetIndex): boolean {
  const { clue, event } = query;
  // A task with senders of its own is found by them: an invitation need not repeat its name.
  if (clue === null || clue.class === null || (clue.class === 'context_edit' && task.senders.length > 0)) return false;
  const own = ownWordsOf(task, query, index);
  const words = new Set(wordsOf(`${clue.sentence} ${ownSubject(event)}`));
  if (isOfMachine(`${clue.sentence} ${ownSubject(event)}`, own)) return true;
  if (own.length === 0 || own.some((word) => words.has(word))) return false;
  const sender = new Set(wordsOf(`${event.from ?? ''} ${event.fromName ?? ''}`));
  return thingsIn(clue.sentence).some((word) => !GENERIC.has(word) && !sender.has(word) && !/\d/.test(word));
}

/** Returns the words that tell a task from others; where its name has none, as "Pay the invoice", those of its name. */
function ownWordsOf(task: TargetCandidate, { verbs }: TargetQuery, index: TargetIndex): readonly string[] {
  const own = [...calledBy(task, index)].filter((word) => !GENERIC.has(word) && !verbs.has(word));
  const named = tellingWords(task.name).filter((word) => !verbs.has(word));
  return named.every((word) => GENERIC.has(word)) ? [...own, ...named] : own;
}

function isOfMachine(said: string, own: readonly string[]): boolean {
  const machine = (said.match(OF_A_MACHINE) ?? []).flatMap(wordsOf);
  return machine.length > 0 && !machine.some((word) => own.includes(word));
}

/** Returns the words by which a task or its matter can be called. */
function calledBy(task: TargetCandidate, index?: TargetIndex): ReadonlySet<string> {
  const matter = task.matterPath === null ? null : (index?.get(task.matterPath) ?? null);
  const notes = matter === null ? [task] : [task, matter];
  return new Set(notes.flatMap(({ name, aliases, keywords }) => [name, ...aliases, ...keywords]).flatMap(tellingWords));
}
