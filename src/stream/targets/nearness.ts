import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { patternOfAll } from '../languages/union.ts';
import { tellingWords, wordsOf } from '../mail/word.ts';
import { codesIn } from '../money/reference.ts';
import { sentencesBefore, shownSentence } from '../rules/passage.ts';
import { wordPattern } from '../rules/pattern.ts';
import { thingsIn, withoutSalutation } from '../rules/small-words.ts';
import { linksIn } from './link.ts';
import type { TargetCandidate, TargetIndex } from './target-index.ts';
import type { Clue } from './target-query.ts';

/** Where a sentence or subject may speak of more than one thing. */
const SEVERAL = wordPattern(patternOfAll(({ names }) => names.several));
const SEVERAL_MARKS = /[&;+,]| \/ /u;

/**
 * Returns whether a note stands in the passage of a finding, or the event's sender belongs to that note alone. The passage
 * is the finding's sentence. It goes on in the sentence before it, and in the subject, as far as the finding's sentence
 * names nothing that is not named there: "It has been paid" rests on what stands before, "Invoice 114 is paid" does not.
 */
export function isBeside(note: TargetCandidate, event: StreamEvent, clue: Clue, index: TargetIndex): boolean {
  if (senderBelongsTo(note, event.from ?? '', index)) return true;
  return isShownIn(passageOf(event, shownSentence(clue.sentence), note), note, event, clue, index);
}

/** Every note that lists the sender is the note itself; the matter of which it is the only open task; or one of its tasks. */
function senderBelongsTo(note: TargetCandidate, sender: string, index: TargetIndex): boolean {
  const listing = index.listing(sender).map(({ path }) => path);
  const open = note.matterPath === null ? [] : index.openTasksOf(note.matterPath);
  const isOnly = open.length === 1 && open[0]?.path === note.path;
  const own = new Set([note.path, ...(isOnly ? [note.matterPath] : []), ...index.under(note.path)]);
  return listing.length > 0 && listing.every((path) => own.has(path));
}

function passageOf(event: StreamEvent, sentence: string, note: TargetCandidate): string {
  const things = thingsIn(sentence).filter((word) => !ownWords(note).has(word));
  const before = sentencesBefore(event, sentence);
  const [last] = before;
  const goesBack = last !== undefined && namesAll(last, things) && !namesSeveral(last);
  // Where the sentence names nothing, it speaks of what the paragraph has named so far, if that is anything.
  const sinceSubject =
    things.length > 0 ? things : before.flatMap(thingsIn).filter((word) => !ownWords(note).has(word));
  const isOfSubject = namesAll(event.subject, sinceSubject) && !namesSeveral(event.subject);
  return [sentence, ...(goesBack ? [last] : []), ...(isOfSubject ? [event.subject] : [])].join('\n');
}

function namesAll(text: string, things: readonly string[]): boolean {
  const words = new Set(wordsOf(text));
  return things.every((thing) => words.has(thing));
}

function namesSeveral(text: string): boolean {
  const said = withoutSalutation(text);
  return SEVERAL.test(said) || SEVERAL_MARKS.test(said);
}

function isShownIn(
  passage: string,
  note: TargetCandidate,
  { subject, text }: StreamEvent,
  clue: Clue,
  index: TargetIndex,
): boolean {
  const words = wordsOf(passage);
  if (linksIn(passage).some(({ target }) => isAlone(index.byLink(target), note))) return true;
  if ([...codesIn(passage)].some((code) => index.byReference(code) === note.path)) return true;
  if (index.phrasesIn(words).some(({ path }) => path === note.path)) return true;
  // Words in common: of those that the mail has, none stands only elsewhere, where it may be about another thing.
  const verbs = new Set(wordsOf(clue.verbs.join(' ')));
  const shown = new Set(wordsOf(`${subject} ${text}`));
  const common = [...ownWords(note)].filter((word) => shown.has(word) && !verbs.has(word));
  return common.length > 0 && common.every((word) => words.includes(word));
}

function isAlone(paths: readonly string[], { path }: TargetCandidate): boolean {
  return paths.length === 1 && paths[0] === path;
}

/** Returns the words by which a note can be called. */
function ownWords({ name, aliases, keywords }: TargetCandidate): ReadonlySet<string> {
  return new Set([name, ...aliases, ...keywords].flatMap(tellingWords));
}
