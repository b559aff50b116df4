import { z } from 'zod';
import type { StreamEvent } from '../steward/types.ts';
import { lazily, loadData } from '../vault/data.ts';
import { clipped } from '../vault/note-text.ts';
import { SENT } from '../vault/source-names.ts';
import { type DateOrigin, findNewDay, narrowOrigin } from './dates.ts';
import {
  dayClaim,
  findRequests,
  firstMatches,
  isNegated,
  makeFinding,
  type Passage,
  phrasePattern,
  plannedPhrase,
  type RuleFinding,
  shownSentence,
  splitEvent,
  withoutSalutation,
} from './rules.ts';
import { LANGUAGES } from './text.ts';

/*
 * In a mail that the user sent, "I" is the user. A deed that they report is read as in any mail. A promise or wish is
 * only ever asked about, and a request to others is noted on the task.
 */

const phrases = z.strictObject({ promise: z.string(), wish: z.string() });
const table = z.record(z.enum(LANGUAGES), phrases);

const known = lazily(() => {
  const all = Object.values(loadData('own-word.yaml', table));
  const anyOf = (name: keyof z.infer<typeof phrases>) => phrasePattern(all.map((each) => each[name]).join('|'));
  return { promise: anyOf('promise'), wish: anyOf('wish') };
});

/** Whether an event is a mail that the user sent. */
export function isOwnWord({ sourceType }: Pick<StreamEvent, 'sourceType'>): boolean {
  return sourceType === SENT;
}

type OnlyAsked = 'promise' | 'wish';
const CONFIDENCE = 0.8;
const MAX_SENTENCES = 40;

/**
 * Returns what a sent mail says about the days of the user's tasks, as findings that may only be asked about, and what it
 * asks of its readers, as the task's state.
 */
export function ownWordFindings(event: StreamEvent, origin: DateOrigin): readonly RuleFinding[] {
  return splitEvent(event)
    .slice(0, MAX_SENTENCES)
    .flatMap((passage) => {
      const day = dayFinding('wish', passage, origin) ?? dayFinding('promise', passage, origin);
      return day === null ? askedOfOthers(passage, origin) : [day];
    });
}

function dayFinding(kind: OnlyAsked, passage: Passage, origin: DateOrigin): RuleFinding | null {
  const { view } = passage;
  const [match] = firstMatches(view, known()[kind]);
  if (match === undefined) return null;
  const end = match.index + match[0].length;
  const phrase = plannedPhrase(view, match.index, end);
  const day = findNewDay(view.slice(end), narrowOrigin(view, origin));
  if (day === null || isNegated(phrase) || (origin.at !== null && day.day < origin.at.slice(0, 10))) return null;
  return makeFinding(dayClaim(day.day, day.time, `${kind}: by a day`), CONFIDENCE, phrase, passage);
}

const MAX_STATE = 160;

// The newest thing that the user asked for says how the task stands.
function askedOfOthers(passage: Passage, { at }: DateOrigin): RuleFinding[] {
  const said = clipped(withoutSalutation(shownSentence(passage.view)).trim(), MAX_STATE);
  const state = `Asked${at === null ? '' : ` on ${at.slice(0, 10)}`}: ${said}`;
  return findRequests(passage)
    .slice(0, 1)
    .map((finding) => ({
      ...finding,
      ...{ effect: 'mutation', class: 'context_edit', set: { current_state: state } },
      rawConfidence: CONFIDENCE,
    }));
}

/** Returns how a finding is only asked about; null if it may be more. */
export function findOnlyAsked({ phraseId }: Pick<RuleFinding, 'phraseId'>): OnlyAsked | null {
  return phraseId.startsWith('promise: ') ? 'promise' : phraseId.startsWith('wish: ') ? 'wish' : null;
}

/** Returns what the sentence of a quote only promises or wishes; null if it does neither. */
export function onlyAskedAt(event: StreamEvent, quote: string): OnlyAsked | null {
  const wanted = quote.replace(/\s+/g, ' ').trim();
  const passage = splitEvent(event).find(({ view }) => view.replace(/\s+/g, ' ').includes(wanted));
  if (passage === undefined) return null;
  if (firstMatches(passage.view, known().wish).length > 0 || /[?？]/u.test(passage.view)) return 'wish';
  return firstMatches(passage.view, known().promise).length > 0 ? 'promise' : null;
}
