import type { Meaning, StreamEvent } from '../steward/types.ts';
import { lazily } from '../vault/data.ts';
import { answerWords, INCOMPLETE, sentenceCase } from '../vault/event-text.ts';
import { listDoneForms } from './own-verb.ts';
import { separateOwnWords } from './own-words.ts';
import {
  assess,
  findRequests,
  findStates,
  listDeedWords,
  type Passage,
  phrasePatterns,
  spacedPattern,
  splitPassages,
} from './rules.ts';
import { rankTargets, type TargetIndex } from './targets.ts';
import { languageTables, patternOfAll, quoteAround, stemmedWords } from './text.ts';

/*
 * What a mail carries along is somebody else's word. It counts in two cases, and never without a person: a short answer
 * to a question that the mail quotes, and a mail that the user forwards to themselves.
 */

const cues = lazily(() => {
  const [yes, done] = [patternOfAll(({ spoken }) => spoken.yes), patternOfAll(({ spoken }) => spoken.allDone)];
  return {
    yes: spacedPattern(`^\\W*(?:${yes})`),
    done: spacedPattern(`^\\W*(?:(?:${yes})[,.!]* *)?(?:${done})`),
    future: spacedPattern(patternOfAll((language) => language.cues.future)),
    spokenRequests: phrasePatterns(languageTables().flatMap(({ spoken }) => spoken.requests)),
  };
});

/** A longer sentence says by itself what it means. */
const MOST_WORDS = 8;
/** A question further up the thread is an older one. */
const MOST_QUESTIONS = 8;
const CONFIDENCE = 0.8;
/** The note that a question names has at least this score. */
const LEAST_SCORE = 0.5;

/** A short answer, with what it means. */
interface Answer {
  readonly words: string;
  readonly meanings: readonly Meaning[];
}

/**
 * Returns what a short answer means together with the question that the mail quotes: at most a question to the user. Null
 * without such an answer.
 */
export function findAnswer(event: StreamEvent, index: TargetIndex): Answer | null {
  const [answer] = splitPassages(event.text, false);
  if (answer === undefined || event.quoted === '') return null;
  const isDone = cues().done.test(answer.view) || findStates(answer).some(({ defeatedBy }) => defeatedBy === null);
  if (!isAffirmation(answer, isDone)) return null;
  const words = event.text.slice(answer.sentence.start, answer.sentence.end);
  const meanings = answerMeanings(answer, isDone, event, index);
  // "The fee is paid" is news by itself. "Done" is nothing without a question.
  const isBare = cues().yes.test(answer.view) || cues().done.test(answer.view);
  return meanings.length > 0 || isBare ? { words, meanings } : null;
}

function answerMeanings(answer: Passage, isDone: boolean, event: StreamEvent, index: TargetIndex): readonly Meaning[] {
  const asked = splitPassages(plainQuoted(event.quoted), false)
    .slice(0, MOST_QUESTIONS)
    .filter((question) => /\?\s*$/.test(question.view) || isRequest(question));
  const meant = asked.flatMap((question) => {
    const path = taskAsked(question, isDone, event, index);
    return path === null ? [] : [{ path, question }];
  });
  const paths = [...new Set(meant.map(({ path }) => path))];
  const [first] = meant;
  if (first === undefined) return [];
  const { text, sentence } = answer;
  const said = first.question.view.replace(/\s+/g, ' ').trim();
  return [
    {
      ...{ target: first.path, candidates: paths, ambiguous: true, endsMatter: false },
      ...{ targetConfidence: CONFIDENCE, targetEvidence: ['words'], targetNear: false },
      proposal: { class: 'state_change', set: { state: 'done' }, add: {}, remove: {} },
      quote: quoteAround(text, sentence, sentence),
      effectConfidence: CONFIDENCE,
      reasoning: `${sentenceCase(answerWords(said))}.`,
      doubts: [INCOMPLETE.notOwn],
    },
  ];
}

function isAffirmation({ view }: Passage, isDone: boolean): boolean {
  if (stemmedWords(view).length > MOST_WORDS || /\?/.test(view) || !(isDone || cues().yes.test(view))) return false;
  // As one phrase, "ist erledigt" doesn't open a question, and "yes, but only half" is only a part.
  const phrase = { sentence: view, start: 0, end: view.length, bare: true, negative: false, ofFuture: false };
  return assess(phrase).defeat === null;
}

function isRequest(question: Passage): boolean {
  const { view } = question;
  return findRequests(question).length > 0 || cues().spokenRequests.some(({ pattern }) => view.search(pattern) >= 0);
}

/** Returns the task whose deed a question is about. "Yes" to a request is a promise, "done" isn't. */
function taskAsked(question: Passage, isDone: boolean, event: StreamEvent, index: TargetIndex): string | null {
  if (!isDone && (isRequest(question) || cues().future.test(question.view))) return null;
  const alone = { ...event, subject: '', text: question.view, quoted: '' };
  const [best, next] = rankTargets(index, alone, null).filter(({ candidate }) => candidate.kind === 'task');
  if (best === undefined || best.score < LEAST_SCORE || (next !== undefined && next.score === best.score)) return null;
  const { name, path } = best.candidate;
  const words = stemmedWords(question.view);
  const deeds = new Set([...listDeedWords(name), ...listDoneForms(name), ...stemmedWords(name)]);
  const shared = words.filter((word) => deeds.has(word)).length + findStates(question).length;
  return shared > 1 ? path : null;
}

function plainQuoted(quoted: string): string {
  return quoted.replace(/^[>|\s]*(?:>|\|)[>|]*[^\S\n]?/gmu, '');
}

const HEAD_LINE = /^[>\s*]*([^:\n]{1,24}):[^\S\n]+(\S.*)$/u;
const ADDRESS = /[^\s@<>"'(),;:[\]]{1,64}@[^\s@<>"'(),;:[\]]{1,255}/u;

/**
 * Returns the mail that the user forwarded to themselves, as the sender's own words; null if an event carries no such
 * mail. What is read in it isn't the user's word, nor is its sender authenticated.
 */
export function forwardedMail(event: StreamEvent): StreamEvent | null {
  const { from, to, quoted, text } = event;
  if (from === null || !to.includes(from) || quoted.trim() === '' || stemmedWords(text).length > MOST_NOTE) return null;
  const lines = quoted.split('\n');
  const first = lines.findIndex((line) => HEAD_LINE.test(line));
  const length = lines.slice(Math.max(0, first)).findIndex((line) => !HEAD_LINE.test(line));
  if (first === -1 || length < LEAST_HEAD) return null;
  const head = lines.slice(first, first + length);
  const author = head.map((line) => ADDRESS.exec(line)?.[0].toLowerCase()).find((one) => one !== undefined);
  const body = separateOwnWords(lines.slice(first + length).join('\n'));
  if (author === from || body.text === '') return null;
  return { ...event, from: author ?? null, fromName: null, subject: '', text: body.text, quoted: body.quoted, to: [] };
}

/** What a person writes above a mail that they forward, at most this many words, says nothing else. */
const MOST_NOTE = 12;
const LEAST_HEAD = 2;
