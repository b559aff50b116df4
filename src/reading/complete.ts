import type { Meaning, StreamEvent } from '../steward/types.ts';
import { lazily } from '../vault/data.ts';
import { INCOMPLETE } from '../vault/event-text.ts';
import { findAmounts, type Money, plainReference, referencesKnown, sameCurrency } from './money.ts';
import { listDoneForms, listWords, separateVerb } from './own-verb.ts';
import {
  findDayTriggers,
  findThings,
  listDeedWords,
  namingWords,
  type Passage,
  shownSentence,
  spacedPattern,
  splitEvent,
  withoutDeeds,
  withoutSalutation,
  wordPattern,
} from './rules.ts';
import type { TargetCandidate } from './targets.ts';
import { findLinks, type LanguageTable, patternOfAll, plainView, stem, stemmedWords, wordsOfAll } from './text.ts';

/*
 * A reading is complete if its sentence is near the beginning and about this note alone, and no other sentence of the
 * sender limits it (contract, 6.25). Words that can't be placed are a doubt: then the change is only proposed. So these
 * checks may err in one direction only, and need not understand what they stop at.
 */

/** The sentence must be among this many of the sender's first sentences, or begin within this many characters. */
const FIRST_SENTENCES = 5;
const FIRST_CHARACTERS = 600;
/** A first line with at most this many words is a greeting. */
const GREETING_WORDS = 6;

const cues = lazily(() => {
  const cueOf = (...names: readonly (keyof LanguageTable['cues'])[]) =>
    wordPattern(names.map((name) => patternOfAll((language) => language.cues[name])).join('|'));
  return {
    neutral: wordPattern(
      patternOfAll((language) => language.cues.neutral),
      'giu',
    ),
    /** When, how and by which means: "this morning", "by bank transfer". It neither names nor limits anything. */
    circumstances: spacedPattern(
      patternOfAll((language) => language.cues.circumstances),
      'giu',
    ),
    /** "Please", which asks the reader to keep a day and names nothing. */
    polite: wordPattern(
      patternOfAll((language) => language.cues.request),
      'giu',
    ),
    limits: cueOf('negation', 'partial', 'stillOpen', 'goneWrong', 'takenBack', 'moneyBack', 'undone'),
    hedge: cueOf('hedge'),
    wanted: cueOf('future', 'request'),
    refersBack: cueOf('refersBack'),
    // At the beginning, or behind a few words: "At least that is". Before a capital it is a German article: "Das Protokoll".
    pointsBack: new RegExp(
      `^\\W*(?:\\p{L}+ ){0,3}(?:${patternOfAll((language) => language.cues.pointsBack)})(?![\\p{L}\\p{N}]| (?-i:\\p{Lu}))`,
      'iu',
    ),
    days: new Set(
      wordsOfAll(({ days }) => [...days.months, ...days.weekdays].join(' ').replace(/[|()?:]/g, ' ')).map(stem),
    ),
  };
});

/**
 * Returns why what a mail or message says about a note is not complete enough to act on, as a sentence; null if it is.
 * `matter`: the note's, if it is a task.
 */
export function whyIncomplete(
  event: StreamEvent,
  { quote, proposal }: Pick<Meaning, 'quote' | 'proposal'>,
  target: TargetCandidate,
  matter: TargetCandidate | null,
): string | null {
  const all = splitEvent(event);
  const claim = claimAmong(all, quote);
  if (claim === null) return INCOMPLETE.notOwn;
  const body = all.filter(({ isSubject }) => !isSubject);
  const at = body.indexOf(claim);
  if (!isNearTop(body, at)) return INCOMPLETE.farDown;
  const parts = claimParts(claim, proposal?.set.due !== undefined, target, matter, event);
  const lead = leadInto(body, at, parts);
  if (lead !== null) return INCOMPLETE.introduced(lead);
  const strange = strangeWord(parts);
  if (strange !== null) return INCOMPLETE.about(strange);
  const goesOn = parts.behind.find((clause) => cues().pointsBack.test(clause) || cues().limits.test(clause));
  if (goesOn !== undefined) return INCOMPLETE.limited(goesOn.trim());
  const limit = body.find(
    (other, nth) =>
      other !== claim && nth !== greetingAt(body) && (limits(other, claim, body) || wants(other, claim, target)),
  );
  if (limit !== undefined) return INCOMPLETE.limited(shownSentence(limit.view).slice(0, 80));
  const amount = otherAmount(claim, target);
  return amount === null ? null : INCOMPLETE.amount;
}

function claimAmong(all: readonly Passage[], quote: string): Passage | null {
  const wanted = quote.replace(/\s+/g, ' ').trim();
  const has = ({ text, sentence }: Passage) =>
    text.slice(sentence.start, sentence.end).replace(/\s+/g, ' ').includes(wanted);
  return all.find((one) => !one.isSubject && has(one)) ?? all.find(has) ?? null;
}

function isNearTop(body: readonly Passage[], at: number): boolean {
  const own = at - (greetingAt(body) === null ? 0 : 1);
  return at === -1 || own < FIRST_SENTENCES || (body[at]?.sentence.start ?? 0) < FIRST_CHARACTERS;
}

/** Returns which passage greets the reader: the first, if it is short and ends like a greeting; else null. */
function greetingAt([first]: readonly Passage[]): 0 | null {
  const words = first === undefined ? [] : stemmedWords(first.view);
  return words.length > 0 && words.length <= GREETING_WORDS && /[,!:]\s*$/.test(first?.view ?? '') ? 0 : null;
}

/** Whether a sentence begins with a salutation. Behind another one, it begins a letter to somebody else. */
function isGreeted({ text, sentence }: Passage): boolean {
  const said = text.slice(sentence.start, sentence.end);
  return withoutSalutation(said) !== said;
}

/** Returns the words that introduce a sentence as somebody's, to somebody else, a sample or a list; null if none do. */
function leadInto(body: readonly Passage[], at: number, parts: ClaimParts): string | null {
  const claim = body[at];
  const before = body[at - 1];
  if (claim === undefined) return null;
  const other = body.slice(0, at + 1).filter(isGreeted)[1];
  if (other !== undefined) return other.text.slice(other.sentence.start, other.sentence.end).trim();
  const within = /^([^:]{0,200}[^:\d\s]):\s/.exec(ownPart(claim))?.[1];
  // "Good news: " introduces nobody else's words.
  if (within !== undefined && namingWords(placed(within, ' ')).length > 0) return within.trim();
  if (before === undefined || at - 1 === greetingAt(body)) return null;
  return /:\s*$/.test(before.view) || goesOnFrom(before, claim, parts) ? before.view.trim() : null;
}

/**
 * Whether a sentence may be the rest of the line above it. Such a line is "I hope to write to you: The deposit", and
 * the next one "for Alder Lane has been paid". A line that begins with a label, comes before a list, or is a paragraph
 * by itself has been cut off there. A paragraph may be a heading: it goes on if it breaks off, or if the claim doesn't
 * name anything by itself.
 */
function goesOnFrom(before: Passage, claim: Passage, parts: ClaimParts): boolean {
  const above = before.text.slice(before.sentence.start, claim.sentence.start);
  const isListed = LISTED.test(before.view) && LISTED.test(claim.view);
  if (isListed || !above.includes('\n') || /[.!?…]["'”’»)\]*_\s]*$/u.test(before.view)) return false;
  if (!/\n[^\S\n]*\n/.test(above)) return true;
  return breaksOff(before.view) || !namesItself(parts);
}

/** Whether a line ends in a small word, or goes on in prose behind a colon. */
function breaksOff(view: string): boolean {
  const last = /(\p{L}+)[^\p{L}\p{N}]*$/u.exec(view)?.[1];
  const said = /:\s+(\S.*)$/s.exec(view)?.[1] ?? '';
  const isProse = stemmedWords(said).some((word) => /\p{L}/u.test(word) && namingWords(word).length === 0);
  return isProse || (last !== undefined && namingWords(last).length === 0);
}

/** Whether a claim names something of its note: more than a day. */
function namesItself({ own, known }: ClaimParts): boolean {
  return namingWords(withoutDeeds(own)).some((word) => known.has(word) && !cues().days.has(word));
}

const LISTED = /^\s*(?:[-*•–]|\d{1,2}[.)])\s/;

/**
 * Whether another sentence may limit or take back the claim: it refers back, speaks of the same thing behind it, or denies
 * something nearby. Far away it must be about the same thing: the notices below a mail are full of "not".
 */
function limits(other: Passage, claim: Passage, body: readonly Passage[]): boolean {
  const [nth, at] = [body.indexOf(other), body.indexOf(claim)];
  const view = placed(other.view, '_');
  const own = new Set(findThings(claim.view));
  const isAboutSame = findThings(other.view).some((word) => own.has(word));
  const apart = at === -1 ? 0 : emptyLinesBetween(other, claim);
  const pointsBack = clausesOf(view).some((clause) => cues().pointsBack.test(clause));
  if (cues().refersBack.test(view) || (nth > at && apart < 2 && (isAboutSame || pointsBack))) return true;
  if (apart === 0 && (LONG_NUMBER.test(view) || cues().hedge.test(view))) return true;
  return cues().limits.test(view) && (apart < 2 || isAboutSame);
}

/** Whether a later sentence still wants the deed that the task asks for: "We now need your signature too." */
function wants({ sentence, view }: Passage, claim: Passage, { name }: TargetCandidate): boolean {
  const deeds = new Set([...listDeedWords(name), ...listDoneForms(name)]);
  const isBehind = claim.isSubject || sentence.start > claim.sentence.start;
  return isBehind && cues().wanted.test(placed(view, '_')) && stemmedWords(view).some((word) => deeds.has(stem(word)));
}

function placed(view: string, mask: string): string {
  const { neutral, circumstances } = cues();
  return view
    .replace(neutral, (words) => mask.repeat(words.length))
    .replace(circumstances, (words) => mask.repeat(words.length));
}

/**
 * Returns a sentence without the words that say that a day is new, "has been pushed back to", and without "please". In
 * news that something is done, "please" is a doubt: that may be a request. Words between them, such as whose appointment
 * it is, are kept.
 */
function withoutTriggers(view: string): string {
  return findDayTriggers(view)
    .reduce((rest, { match }) => rest.replace(match[0], ` ${match.groups?.gap ?? ''} `), view)
    .replace(cues().polite, ' ');
}

/** Returns the verbs of a task as they are split in "reichen Sie die Belege ein", as stems. */
function separatedVerbs(name: string): readonly string[] {
  return listWords(name).flatMap(separateVerb).map(stem);
}

/** A sum or a number of something else: "4000 are missing". Years, days and hours are shorter, or no number of their own. */
const LONG_NUMBER = /(?<![\p{L}\p{N}.,:/-])(?!(?:19|20)\d\d(?!\d))\d[\d.,' ]{0,9}\d\d(?![\d:])/u;

function emptyLinesBetween(one: Passage, other: Passage): number {
  const [first, second] = one.sentence.start < other.sentence.start ? [one, other] : [other, one];
  const between = first.text.slice(first.sentence.end, second.sentence.start + 2);
  return (between.match(/\n\s*\n/g) ?? []).length;
}

/** The sentence of a claim: from its object to its verb, and what a comma sets apart behind them. */
interface ClaimParts {
  readonly own: string;
  readonly behind: readonly string[];
  /** The words of the notes, of the sender and of the deed. */
  readonly known: ReadonlySet<string>;
  /** The numbers and codes of the notes, also of their bodies, in the form in which they are compared. */
  readonly codes: ReadonlySet<string>;
}

function claimParts(
  passage: Passage,
  isOfDay: boolean,
  target: TargetCandidate,
  matter: TargetCandidate | null,
  { from, fromName }: StreamEvent,
): ClaimParts {
  const said = passage.text.slice(passage.sentence.start, passage.sentence.end);
  const notes = matter === null ? [target] : [target, matter];
  const named = [
    ...notes.flatMap(({ name, aliases, keywords, summary }) => [name, ...aliases, ...keywords, summary]),
    ...[from ?? '', fromName ?? ''],
    ...findLinks(said).map((link) => link.target),
  ];
  const known = new Set([
    ...named.flatMap(namingWords),
    ...listDeedWords(target.name),
    ...listDoneForms(target.name),
    ...(isOfDay ? separatedVerbs(target.name) : []),
    ...cues().days,
  ]);
  const codes = new Set(notes.flatMap((one) => [...referencesKnown(one)]));
  const own = ownPart(passage);
  const clauses = clausesOf(placed(isOfDay ? withoutTriggers(own) : own, ' '));
  const isOfClaim = (clause: string) =>
    withoutDeeds(clause) !== clause || namingWords(clause).some((word) => known.has(word));
  const [first, last] = [clauses.findIndex(isOfClaim), clauses.findLastIndex(isOfClaim)];
  if (first === -1) return { own: clauses.join(' '), behind: [], known, codes };
  return { own: clauses.slice(first, last + 1).join(' '), behind: clauses.slice(last + 1), known, codes };
}

/**
 * Returns a word by which a claim names something that neither the notes nor the sender name; null if there isn't one.
 * Such a word is another head noun ("the boiler cover"), place, person or part. Deeds, small words and days don't
 * count.
 */
function strangeWord({ own, known, codes }: ClaimParts): string | null {
  const words = withoutDeeds(own).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}’'-]*/gu) ?? [];
  const isStrange = (word: string) => namingWords(word).some((one) => !known.has(one));
  const strange = words.filter((word) => isStrange(word) && !codes.has(plainReference(word)));
  return strange.find(isName) ?? longest(strange);
}

// A name or a German noun says most about the sentence.
function isName(word: string): boolean {
  return /^(?:\p{Lu}.{3,}|.*\d.*)$/su.test(word);
}

function longest(words: readonly string[]): string | null {
  return words.reduce<string | null>((best, word) => (word.length > (best?.length ?? 0) ? word : best), null);
}

/** A sentence without its "Dear Sam," or "Hola, Robin:"; which of these greets is seen from the line breaks. */
function ownPart({ text, sentence }: Passage): string {
  return plainView(withoutSalutation(text.slice(sentence.start, sentence.end)));
}

// A comma within a number or a date doesn't end a clause.
function clausesOf(view: string): readonly string[] {
  return view.split(/[;:()]|,(?!\d)| [-–—] /u);
}

/** Returns an amount in the claim that differs from the one that the note names; null if there isn't one. */
function otherAmount({ view }: Passage, { name, keywords, summary }: TargetCandidate): Money | null {
  const named = findAmounts([name, ...keywords, summary].join(' · '));
  if (named.length === 0) return null;
  const isNamed = (said: Money) => named.some((one) => sameCurrency(one, said) && one.thousandths === said.thousandths);
  return findAmounts(view).find((said) => !isNamed(said)) ?? null;
}
