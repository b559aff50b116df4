import { round4 } from '../steward/gates-rounding.ts';
import { isMail, type Meaning, type StreamEvent } from '../steward/ports.ts';
import { fitsBest, learntWords, sentenceCase } from '../vault/reading-words.ts';
import { type Fitted, type Found, fitted, possibleChanges } from './fit.ts';
import type { LanguageMemory } from './language.ts';
import { type Finding, isAddressedToProgram, PROGRAM_CEILING } from './rules.ts';
import { isBeside, rankTargets } from './targets.ts';
import type { TargetIndex } from './targets-target-index.ts';
import type { TaskBook } from './task-book.ts';
import type { TrainedReader } from './trained/trained-reader.ts';
import type { Change } from './trained.ts';

/** What mails can be read with: the notes that they could be about, and what was learnt of mails. */
export interface Known {
  readonly index: TargetIndex;
  readonly learnt: TrainedReader;
  /** What is remembered of tasks from mail to mail; absent where a mail is read by itself. */
  readonly book?: TaskBook;
  /** In what languages sentences and short texts were found to be. */
  readonly languages?: LanguageMemory;
}

/** What a sentence is read as, for a person. */
const EFFECTS: Readonly<Record<Change, string>> = { done: 'done', cancelled: 'called off', moved: 'moved' };

/** What was learnt proposes at most: below the gates' 0.85 nothing acts alone (contract, section 6). */
const LEARNT_CEILING = 0.84;
/** What is known by vague words alone, and fits less likely than this, is not meant. */
const PLAUSIBLE = 0.3;
/** Another task whose likelihood is this close cannot be told from the likeliest. */
const CLOSE = 0.6;

/** Finds the changes of tasks that a mail may mean, likeliest first. Nothing for what is no mail. */
export function fitsIn(event: StreamEvent, found: Found, { index, learnt, book }: Known): readonly Fitted[] {
  const isRead = isMail(event) && event.about === undefined && found.origin.language !== 'other';
  return isRead ? fitted(possibleChanges(event, index, found, learnt, book), learnt.fit) : [];
}

/**
 * Joins what the rules mean with what was learnt. What the rules propose for a task that hardly fits is left out, and what
 * only fits is proposed beside it. Both stay below what may be acted upon.
 */
export function joined(
  byRules: readonly { readonly finding: Finding; readonly meaning: Meaning }[],
  fits: readonly Fitted[],
  event: StreamEvent,
  known: Known,
): readonly Meaning[] {
  const kept = byRules.flatMap(({ finding, meaning }) =>
    reviewed(meaning, fits, known).map((each) => ({ finding, meaning: each })),
  );
  const fresh = fits
    .filter((each) => !kept.some(({ meaning }) => isSaidBy(meaning, each)))
    .flatMap((each) => proposed(each, fits, event, known));
  const still = kept.filter(({ finding, meaning }) => !fresh.some((each) => places(each, finding, meaning, known)));
  return withoutRivals([...still.map(({ meaning }) => meaning), ...fresh]);
}

/** Whether what was learnt tells which task of a matter has the change of which the rules know no more than the matter. */
function places({ target, proposal }: Meaning, finding: Finding, meaning: Meaning, { index }: Known): boolean {
  const isUnplaced = finding.class !== null && meaning.proposal === null;
  if (!isUnplaced || index.get(target)?.matterPath !== meaning.target) return false;
  return Object.entries(finding.set).every(([field, value]) => proposal?.set[field] === value);
}

function isSaidBy(meaning: Meaning, fit: Fitted): boolean {
  return meaning.proposal !== null && (meaning.target === fit.task.path || leavesOpen(meaning, fit));
}

/** Which of several notes is meant is left to a person: what was learnt does not choose in their place. */
function leavesOpen({ ambiguous, candidates }: Meaning, { task }: Fitted): boolean {
  return ambiguous && candidates.includes(task.path);
}

/**
 * What the rules propose for a task that they know by vague words alone and that hardly fits, or while another fits well, is
 * left out. Where they are sure of the task, or leave the choice to a person, it stays.
 */
function reviewed(meaning: Meaning, fits: readonly Fitted[], { learnt, index }: Known): Meaning[] {
  const [best] = fits;
  if (meaning.proposal === null || index.get(meaning.target)?.kind !== 'task' || best === undefined) return [meaning];
  if (meaning.targetConfidence > LEARNT_CEILING || leavesOpen(meaning, best)) return [meaning];
  const own = fits.find(({ task }) => task.path === meaning.target)?.likelihood ?? 0;
  const isOutdone = best.likelihood >= learnt.least && best.likelihood > own;
  return isOutdone || (isVague(meaning) && own < PLAUSIBLE) ? [] : [meaning];
}

/** The note is known by its sender, or by words of its name, alone: no link, number, keyword or whole name leads to it. */
function isVague({ targetEvidence }: Meaning): boolean {
  return targetEvidence.every((kind) => kind === 'words' || kind === 'sender');
}

function proposed(own: Fitted, fits: readonly Fitted[], event: StreamEvent, { index, learnt }: Known): Meaning[] {
  if (own.likelihood < learnt.least) return [];
  const { suggestion, task, set } = own;
  const { finding, heard, effect, isLearnt } = suggestion;
  const name = finding.class ?? 'state_change';
  const ranked = rankTargets(index, event, finding).find(({ candidate }) => candidate.path === task.path);
  const likely = round4(Math.min(LEARNT_CEILING, own.likelihood));
  const rival = fits.find((each) => each !== own && each.task !== task && each.suggestion === suggestion);
  const said = isLearnt ? learntWords(EFFECTS[effect], heard.effects[effect]) : finding.reason;
  return [
    {
      ...{ target: task.path, candidates: [task.path, ...(rival === undefined ? [] : [rival.task.path])] },
      ambiguous: rival !== undefined && rival.likelihood >= own.likelihood * CLOSE && rival.likelihood >= learnt.least,
      ...{ targetConfidence: likely, targetEvidence: ranked?.evidence ?? [] },
      targetNear: ranked !== undefined && ranked.evidence.length > 0 && isBeside(task, event, finding, index),
      ...{ endsMatter: false, proposal: { class: name, set, add: {}, remove: {} }, quote: finding.quote },
      ...(finding.time === undefined ? {} : { time: finding.time }),
      effectConfidence: round4(Math.min(ceilingFor(event), isLearnt ? heard.effects[effect] : finding.rawConfidence)),
      reasoning: `${sentenceCase(said)}. ${fitsBest(task.name, likely)}`,
    },
  ];
}

/** Words addressed to a program make all that stands beside them doubtful. */
function ceilingFor(event: StreamEvent): number {
  return isAddressedToProgram(event) ? PROGRAM_CEILING : LEARNT_CEILING;
}

/** Of two changes of the same field of one note only the likelier is proposed, unless the rules found both. */
function withoutRivals(meanings: readonly Meaning[]): readonly Meaning[] {
  return meanings.filter(
    (meaning, at) => !meanings.some((other, nth) => nth !== at && isCoveredBy(meaning, at, other, nth)),
  );
}

function isCoveredBy(meaning: Meaning, at: number, other: Meaning, nth: number): boolean {
  if (meaning.proposal === null || other.proposal === null || meaning.target !== other.target) return false;
  if (!Object.keys(meaning.proposal.set).some((field) => other.proposal?.set[field] !== undefined)) return false;
  const [one, two] = [surety(meaning), surety(other)];
  return two > one || (two === one && nth < at);
}

function surety({ targetConfidence, effectConfidence }: Meaning): number {
  return targetConfidence * effectConfidence;
}
