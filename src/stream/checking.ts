import type { Extracted, Meaning } from '../steward/ports/extractor.ts';
import type { StreamEvent } from '../steward/ports/stream-event.ts';
import { plainText } from './mail/plain-text.ts';
import { placeOf, quoteAround } from './mail/quote.ts';
import { type Sentence, sentencesOf, viewOf } from './mail/sentence.ts';
import { ownSubject } from './rules/finding.ts';
import { isAddressedToProgram, PROGRAM_CEILING, RIVAL_FACTOR, rounded } from './rules/weighing.ts';
import {
  AMBIGUITY_BAND,
  MAX_CANDIDATES,
  NOT_ALONE,
  type RankedTarget,
  rankTargets,
  TARGET_FLOOR,
} from './targets/target.ts';
import type { TargetCandidate, TargetIndex } from './targets/target-index.ts';

const MAX_SENTENCE = 300;

/**
 * What of a model's reading stands (contract, section 10): meanings whose quote is in the event's own words, for notes
 * that are still there. Whether a note may be acted upon alone is for the search in the vault to say, not for the model.
 * What is struck out is counted, what is lowered is said in the reasoning.
 */
export function checked(extracted: Extracted, event: StreamEvent, index: TargetIndex): Extracted {
  const rejected = [...extracted.rejected];
  const standing: Meaning[] = [];
  for (const claimed of extracted.meanings) {
    const meaning = checkedMeaning(claimed, event, index);
    if (typeof meaning === 'string') rejected.push(meaning);
    else if (standing.some(({ quote }) => quote === meaning.quote)) rejected.push('a quote that was given before');
    else standing.push(meaning);
  }
  const meanings = standing.map((meaning) => againstRivals(meaning, standing));
  const none = meanings.length === 0 && extracted.meanings.length > 0;
  return { ...extracted, meanings, rejected, skipped: none ? 'nothing that can be believed' : extracted.skipped };
}

/** The meaning as it may be believed, or why it is struck out. */
function checkedMeaning(claimed: Meaning, event: StreamEvent, index: TargetIndex): Meaning | string {
  const target = index.get(claimed.target);
  if (target === null) return 'a note that is gone';
  const quoted = quotedIn(event, claimed.quote);
  if (quoted === null) return 'a quote that is not in the words of its author';
  const clue = { sentence: quoted.sentence, verbs: [], otherVerbs: [], class: claimed.proposal?.class ?? null };
  const placed = againstSearch({ ...claimed, quote: quoted.quote }, target, rankTargets(index, event, clue));
  const tasksOpen = target.kind === 'matter' && index.openTasksOf(target.path).length > 0;
  return againstProgram(forMatter(placed, target, tasksOpen), event);
}

interface Quoted {
  readonly quote: string;
  /** The sentence it stands in. */
  readonly sentence: string;
}

function quotedIn(event: StreamEvent, claimed: string): Quoted | null {
  const words = plainText(claimed);
  if (!/[\p{L}\p{N}]{2}/u.test(words)) return null;
  for (const text of [event.text, ownSubject(event)]) {
    const place = placeOf(words, text);
    if (place !== null)
      return { quote: quoteAround(text, place.start, place.end, place), sentence: around(text, place) };
  }
  return null;
}

function around(text: string, { start, end }: Sentence): string {
  const sentence = sentencesOf(text).find((each) => each.start < end && end <= each.end);
  const from = Math.min(start, sentence?.start ?? start);
  return viewOf(text.slice(from, Math.max(end, sentence?.end ?? end))).slice(0, MAX_SENTENCE);
}

/** The search and the model must agree before one mail is acted upon alone; what the search cannot tell apart stays so. */
function againstSearch(meaning: Meaning, target: TargetCandidate, ranked: readonly RankedTarget[]): Meaning {
  const fitting = ranked.filter(({ score }) => score >= TARGET_FLOOR);
  const [best] = fitting;
  const near = fitting.filter(({ score }) => (best?.score ?? 0) - score <= AMBIGUITY_BAND + 1e-9);
  const isNear = near.some(({ candidate }) => candidate.path === target.path);
  const ties = isNear ? near : [];
  const paths = [target.path, ...meaning.candidates, ...fitting.map(({ candidate }) => candidate.path)];
  const found = { ...meaning, candidates: [...new Set(paths)].slice(0, MAX_CANDIDATES) };
  const other = ties.find(({ candidate }) => candidate.path !== target.path);
  if (other !== undefined) {
    return said({ ...found, ambiguous: true }, `The search finds that "${other.candidate.name}" fits nearly as well.`);
  }
  if (isNear || found.targetConfidence <= NOT_ALONE) return found;
  const why = best === undefined ? 'finds nothing that fits' : `finds that "${best.candidate.name}" fits better`;
  return said({ ...found, targetConfidence: NOT_ALONE }, `The search ${why}.`);
}

/** A matter has no day on which it is due, and no single mail closes it. */
function forMatter(meaning: Meaning, { kind }: TargetCandidate, tasksOpen: boolean): Meaning {
  const { proposal } = meaning;
  if (kind === 'task' || proposal === null) return meaning;
  if (proposal.set.due !== undefined) return said({ ...meaning, proposal: null }, 'A matter has no date of its own.');
  if (proposal.class !== 'state_change') return meaning;
  if (tasksOpen) return said({ ...meaning, proposal: null }, 'It has open tasks, so no change is proposed.');
  return { ...meaning, targetConfidence: Math.min(meaning.targetConfidence, NOT_ALONE) };
}

function againstProgram(meaning: Meaning, event: StreamEvent): Meaning {
  if (meaning.effectConfidence <= PROGRAM_CEILING || !isAddressedToProgram(event)) return meaning;
  return said({ ...meaning, effectConfidence: PROGRAM_CEILING }, 'The mail holds words addressed to a program.');
}

/** Two values for one field of one note: only one of them can be true. */
function againstRivals(meaning: Meaning, all: readonly Meaning[]): Meaning {
  const rival = all.find((other) => other !== meaning && other.target === meaning.target && clash(other, meaning));
  if (rival === undefined) return meaning;
  const effectConfidence = rounded(meaning.effectConfidence * RIVAL_FACTOR);
  return said({ ...meaning, effectConfidence }, `The same mail also says "${rival.quote}".`);
}

function clash(one: Meaning, other: Meaning): boolean {
  const [set, others] = [one.proposal?.set ?? {}, other.proposal?.set ?? {}];
  return Object.keys(set).some((field) => Object.hasOwn(others, field) && set[field] !== others[field]);
}

function said(meaning: Meaning, sentence: string): Meaning {
  return { ...meaning, reasoning: `${meaning.reasoning} ${sentence}` };
}
