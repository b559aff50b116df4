import { round4 } from '../steward/gates-rounding.ts';
import type { Extracted, Meaning, StreamEvent } from '../steward/ports.ts';
import { DOUBTS, quoted, sentenceCase } from '../vault/reading-words.ts';
import { plainText } from './mail/plain-text.ts';
import { locate, quoteAround, type Span } from './mail.ts';
import { ownSubject, sentencesOf, viewOf } from './mail-own-words.ts';
import { isAddressedToProgram, PROGRAM_CEILING, RIVAL_FACTOR } from './rules.ts';
import { isNear, NOT_ALONE, TARGET_FLOOR } from './targets/score.ts';
import { isBeside, MAX_CANDIDATES, type RankedTarget, rankTargets, sentenceEndsMatter } from './targets.ts';
import type { TargetCandidate, TargetIndex } from './targets-target-index.ts';

const MAX_SENTENCE = 300;

/**
 * Checks what a model read in an event (contract, section 10). Returns the meanings whose quote is in the event's own
 * words and whose note still exists. The search in the vault, not the model, decides whether a signal may be acted on by
 * itself. `rejected` lists what was dropped; the reasoning says what was lowered.
 */
export function checked(extracted: Extracted, event: StreamEvent, index: TargetIndex): Extracted {
  const rejected = [...extracted.rejected];
  const accepted: Meaning[] = [];
  for (const claimed of extracted.meanings) {
    const meaning = checkedMeaning(claimed, event, index);
    if (typeof meaning === 'string') rejected.push(meaning);
    else if (accepted.some(({ quote }) => quote === meaning.quote)) rejected.push('a quote that was given before');
    else accepted.push(meaning);
  }
  const meanings = accepted.map((meaning) => againstRivals(meaning, accepted));
  const none = meanings.length === 0 && extracted.meanings.length > 0;
  return { ...extracted, meanings, rejected, skipped: none ? 'nothing that can be believed' : extracted.skipped };
}

/** Returns the meaning as far as it can be believed, or why it is dropped. */
function checkedMeaning(claimed: Meaning, event: StreamEvent, index: TargetIndex): Meaning | string {
  const target = index.get(claimed.target);
  if (target === null) return 'a note that is gone';
  const quotation = quotationIn(event, claimed.quote);
  if (quotation === null) return 'a quote that is not in the words of its author';
  const clue = { sentence: quotation.sentence, verbs: [], otherVerbs: [], class: claimed.proposal?.class ?? null };
  const ranked = rankTargets(index, event, clue);
  const targetEvidence = evidenceOf(target, ranked);
  const meaning = {
    ...{ ...claimed, quote: quotation.quote, targetEvidence },
    targetNear: targetEvidence.length > 0 && isBeside(target, event, clue, index),
    endsMatter: sentenceEndsMatter(quotation.sentence, target),
  };
  const searched = againstSearch(meaning, target, ranked);
  const tasksOpen = target.kind === 'matter' && index.openTasksOf(target.path).length > 0;
  return againstProgram(forMatter(searched, target, tasksOpen), event);
}

/** A model's word for what leads to a note counts for nothing: the search must find the note by itself. */
function evidenceOf({ path }: TargetCandidate, ranked: readonly RankedTarget[]): Meaning['targetEvidence'] {
  return ranked.find(({ candidate, score }) => candidate.path === path && score >= TARGET_FLOOR)?.evidence ?? [];
}

interface Quotation {
  readonly quote: string;
  /** The sentence that the quote is from. */
  readonly sentence: string;
}

function quotationIn(event: StreamEvent, claimed: string): Quotation | null {
  const words = plainText(claimed);
  if (!/[\p{L}\p{N}]{2}/u.test(words)) return null;
  for (const text of [event.text, ownSubject(event)]) {
    const span = locate(words, text);
    if (span !== null) return { quote: quoteAround(text, span, span), sentence: sentenceAround(text, span) };
  }
  return null;
}

function sentenceAround(text: string, { start, end }: Span): string {
  const sentence = sentencesOf(text).find((each) => each.start < end && end <= each.end);
  const from = Math.min(start, sentence?.start ?? start);
  return viewOf(text.slice(from, Math.max(end, sentence?.end ?? end))).slice(0, MAX_SENTENCE);
}

/** The search and the model must agree before one mail is acted on by itself. What the search finds ambiguous stays so. */
function againstSearch(meaning: Meaning, target: TargetCandidate, ranked: readonly RankedTarget[]): Meaning {
  const fitting = ranked.filter(({ score }) => score >= TARGET_FLOOR);
  const [best] = fitting;
  const near = fitting.filter(({ score }) => isNear(best?.score ?? 0, score));
  const agrees = near.some(({ candidate }) => candidate.path === target.path);
  const ties = agrees ? near : [];
  const paths = [target.path, ...meaning.candidates, ...fitting.map(({ candidate }) => candidate.path)];
  const completed = { ...meaning, candidates: [...new Set(paths)].slice(0, MAX_CANDIDATES) };
  const other = ties.find(({ candidate }) => candidate.path !== target.path);
  if (other !== undefined) {
    return remarked(
      { ...completed, ambiguous: true },
      `The search finds that ${quoted(other.candidate.name)} fits nearly as well.`,
    );
  }
  if (agrees || completed.targetConfidence <= NOT_ALONE) return completed;
  const why = best === undefined ? 'finds nothing that fits' : `finds that ${quoted(best.candidate.name)} fits better`;
  return remarked({ ...completed, targetConfidence: NOT_ALONE }, `The search ${why}.`);
}

/** A matter is never due, and only its own end closes it, where none of its tasks is open. The gates ask who may close it. */
function forMatter(meaning: Meaning, { kind }: TargetCandidate, tasksOpen: boolean): Meaning {
  const { proposal } = meaning;
  if (kind === 'task' || proposal === null) return meaning;
  if (proposal.set.due !== undefined)
    return remarked({ ...meaning, proposal: null }, 'A matter has no date of its own.');
  if (proposal.class !== 'state_change') return meaning;
  if (tasksOpen) return remarked({ ...meaning, proposal: null }, 'It has open tasks, so no change is proposed.');
  if (!meaning.endsMatter)
    return remarked(
      { ...meaning, proposal: null },
      'It does not say that the matter itself has ended, so no change is proposed.',
    );
  return meaning;
}

function againstProgram(meaning: Meaning, event: StreamEvent): Meaning {
  if (meaning.effectConfidence <= PROGRAM_CEILING || !isAddressedToProgram(event)) return meaning;
  return remarked({ ...meaning, effectConfidence: PROGRAM_CEILING }, 'The mail holds words addressed to a program.');
}

/** Of two values for one field of one note, only one can be true. */
function againstRivals(meaning: Meaning, all: readonly Meaning[]): Meaning {
  const rival = all.find((other) => other !== meaning && other.target === meaning.target && clash(other, meaning));
  if (rival === undefined) return meaning;
  const effectConfidence = round4(meaning.effectConfidence * RIVAL_FACTOR);
  return remarked({ ...meaning, effectConfidence }, `${sentenceCase(DOUBTS.alsoSaid(rival.quote))}.`);
}

function clash(one: Meaning, other: Meaning): boolean {
  const [set, others] = [one.proposal?.set ?? {}, other.proposal?.set ?? {}];
  return Object.keys(set).some((field) => Object.hasOwn(others, field) && set[field] !== others[field]);
}

function remarked(meaning: Meaning, sentence: string): Meaning {
  return { ...meaning, reasoning: `${meaning.reasoning} ${sentence}` };
}
