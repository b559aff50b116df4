import type { Meaning, StreamEvent } from '../steward/types.ts';
import { fitsBest, INCOMPLETE, learntWords, sentenceCase } from '../vault/event-text.ts';
import type { TargetEvidence } from '../vault/record.ts';
import { type Change, type ChangeFit, LEARNT_CEILING, type ReadingBasis, type Tiers } from './learnt.ts';
import { asksToCancel, isAddressedToProgram, PROGRAM_CEILING, type RuleFinding, round4 } from './rules.ts';
import { isBeside, rankTargets, type TargetIndex } from './targets.ts';

/** Returns the tiers that apply: those of the settings, or the reader's own. */
function tiersOf({ tiers, learnt }: ReadingBasis): Tiers {
  return tiers ?? { proposeFrom: learnt.least, askFrom: ASK_FROM };
}

const CHANGE_WORDS: Readonly<Record<Change, string>> = {
  done: 'done',
  cancelled: 'called off',
  moved: 'moved',
};

/** A task that is known by vague words alone, and fits less likely than this, is not meant. */
const PLAUSIBLE = 0.3;
/** Another task whose likelihood is this close cannot be told from the likeliest. */
const CLOSE = 0.6;

/**
 * Joins the meanings found by the rules with those learnt. A proposal of the rules is left out if its task hardly fits,
 * and a change that only fits is proposed as well. Both stay below the confidence needed to act.
 */
export function joined(
  byRules: readonly { readonly finding: RuleFinding; readonly meaning: Meaning }[],
  fits: readonly ChangeFit[],
  event: StreamEvent,
  known: ReadingBasis,
): readonly Meaning[] {
  const kept = byRules.flatMap(({ finding, meaning }) =>
    reviewed(meaning, fits, known).map((each) => ({ finding, meaning: each })),
  );
  const fresh = fits
    .filter((each) => !kept.some(({ meaning }) => isSaidBy(meaning, each)))
    .flatMap((each) => proposed(each, fits, event, known));
  const agreed = ({ meaning }: { readonly meaning: Meaning }) => ({
    ...meaning,
    ...disagreement(meaning, fits, known),
  });
  const unasked = withoutRivals([...kept.map(({ meaning }) => meaning), ...fresh]);
  const questions = questionsAbout(fits, unasked, event, known);
  const told = [...fresh, ...questions];
  const doubted = told.length > 0 || kept.length > 0 ? [] : doubtedQuestions(byRules, event);
  const still = kept.filter(({ finding, meaning }) => !told.some((each) => places(each, finding, meaning, known)));
  return [...withoutRivals([...still.map(agreed), ...fresh]), ...questions, ...doubted];
}

const UNIQUE: readonly TargetEvidence[] = ['link', 'reference'];
/**
 * The trained reader agrees about a sentence that says this at least this likely, and no other change likelier. How likely
 * "nothing" is comes from the words alone, before the trees: it counts only against a new day, which may be taken back.
 */
const AGREES = 0.3;
/** If a link or a reference names the note, it is enough that the sentence says so as likely as not. */
const AGREES_NAMED = 0.5;

// The phrases act only if the trained reader agrees (contract, 6.26): about what is said, and that no other note is likelier,
// unless a link or a reference names this one.
function disagreement(meaning: Meaning, fits: readonly ChangeFit[], known: ReadingBasis): Pick<Meaning, 'doubts'> {
  const { proposal, target, targetEvidence, quote, doubts = [] } = meaning;
  const task = known.index.get(target);
  if (proposal === null || task?.kind !== 'task') return {};
  const isNamed = targetEvidence.some((kind) => UNIQUE.includes(kind));
  const saysSo = ({ set, suggestion: { heard, effect, finding } }: ChangeFit) => {
    const { none, ...changes } = heard.effects;
    const least = Math.max(AGREES, ...Object.values(changes), effect === 'moved' ? none : 0);
    return (
      heard.effects[effect] >= (isNamed ? Math.min(least, AGREES_NAMED) : least) &&
      (Object.entries(set).every(([field, value]) => proposal.set[field] === value) ||
        // "Cancel the dentist" is done when the dentist is cancelled.
        (effect === 'cancelled' && proposal.set.state === 'done' && finding.quote === quote && asksToCancel(task.name)))
    );
  };
  // Likeliest first.
  const same = fits.filter(saysSo);
  const agrees = isNamed ? same.some(({ task }) => task.path === target) : same[0]?.task.path === target;
  return agrees ? {} : { doubts: [...doubts, INCOMPLETE.alone] };
}

/** A question costs a tap, a miss a search: of the mails of people that nothing was learnt from, a third of what is this likely is meant. */
const ASK_FROM = 0.3;
/** A mail leads to this many questions at most, each with this many notes to choose from. */
const MOST_QUESTIONS = 2;
const MOST_TO_CHOOSE = 5;
/** A note this much less likely than the likeliest is not offered along with it. */
const FAR_BEHIND = 0.05;

/**
 * Returns the questions of a mail, likeliest first: changes too unsure to be proposed and too likely to be set aside. Each
 * is about one saying and offers the notes that it may mean.
 */
function questionsAbout(
  fits: readonly ChangeFit[],
  told: readonly Meaning[],
  event: StreamEvent,
  known: ReadingBasis,
): Meaning[] {
  if (isAddressedToProgram(event)) return [];
  const { proposeFrom, askFrom } = tiersOf(known);
  const open = fits.filter(
    (each) => each.likelihood < proposeFrom && !told.some((meaning) => isSettledBy(meaning, each)),
  );
  const bySaying = [...Map.groupBy(open, ({ suggestion, set }) => JSON.stringify([suggestion.heard.at, set])).values()];
  return (
    bySaying
      .map((same) =>
        same.filter(({ likelihood }) => likelihood >= (same[0]?.likelihood ?? 1) * FAR_BEHIND).slice(0, MOST_TO_CHOOSE),
      )
      // One of the answers is right as likely as all of them together.
      .filter((same) => same.reduce((sum, { likelihood }) => sum + likelihood, 0) >= askFrom)
      .slice(0, MOST_QUESTIONS)
      .flatMap((same) => questionOf(same, event, known))
  );
}

/** A note this surely meant is asked about, though the trained reader would not say so. */
const SURE_NOTE = 0.6;

// The phrases read a change and the search finds its note, and only the trained reader is against it: without this
// question the change would be lost.
function doubtedQuestions(
  byRules: readonly { readonly finding: RuleFinding; readonly meaning: Meaning }[],
  event: StreamEvent,
): Meaning[] {
  if (isAddressedToProgram(event)) return [];
  const meant = byRules
    .map(({ meaning }) => meaning)
    .filter(
      ({ proposal, ambiguous, targetConfidence, targetNear }) =>
        proposal !== null && !ambiguous && targetNear && targetConfidence >= SURE_NOTE,
    );
  return meant.slice(0, 1).map((meaning) => ({ ...meaning, candidates: [meaning.target], ambiguous: true }));
}

// One sentence is about one note, and one note gets one answer for a field.
function isSettledBy({ proposal, target, candidates, quote }: Meaning, { task, set, suggestion }: ChangeFit): boolean {
  if (proposal === null) return false;
  const isSameNote = target === task.path || candidates.includes(task.path);
  const isSameField = Object.keys(set).some((field) => proposal.set[field] !== undefined);
  return isSameField && (isSameNote || quote === suggestion.finding.quote);
}

function questionOf(same: readonly ChangeFit[], event: StreamEvent, { index }: ReadingBasis): Meaning[] {
  const [best] = same;
  if (best === undefined) return [];
  const candidates = same.map(({ task }) => task.path);
  return [{ ...meaningOf(best, event, index), candidates, ambiguous: true }];
}

/** Whether what was learnt tells which task of a matter has the change of which the rules know no more than the matter. */
function places(
  { target, proposal }: Meaning,
  finding: RuleFinding,
  meaning: Meaning,
  { index }: ReadingBasis,
): boolean {
  const isUnplaced = finding.class !== null && meaning.proposal === null;
  if (!isUnplaced || index.get(target)?.matterPath !== meaning.target) return false;
  return Object.entries(finding.set).every(([field, value]) => proposal?.set[field] === value);
}

function isSaidBy(meaning: Meaning, fit: ChangeFit): boolean {
  return meaning.proposal !== null && (meaning.target === fit.task.path || leavesOpen(meaning, fit));
}

/** Which of several notes is meant is left to a person: what was learnt does not choose in their place. */
function leavesOpen({ ambiguous, candidates }: Meaning, { task }: ChangeFit): boolean {
  return ambiguous && candidates.includes(task.path);
}

/**
 * Leaves out a proposal of the rules for a task that they know by vague words alone, if the task hardly fits or another
 * fits well. It stays if the rules are sure of the task, or leave the choice to a person.
 */
function reviewed(meaning: Meaning, fits: readonly ChangeFit[], known: ReadingBasis): Meaning[] {
  const { index } = known;
  const [best] = fits;
  if (meaning.proposal === null || index.get(meaning.target)?.kind !== 'task' || best === undefined) return [meaning];
  if (meaning.targetConfidence > LEARNT_CEILING || leavesOpen(meaning, best)) return [meaning];
  const own = fits.find(({ task }) => task.path === meaning.target)?.likelihood ?? 0;
  const isOutdone = best.likelihood >= tiersOf(known).proposeFrom && best.likelihood > own;
  return isOutdone || (isVague(meaning) && own < PLAUSIBLE) ? [] : [meaning];
}

/** The note is known by its sender, or by words of its name, alone: no link, number, keyword or whole name leads to it. */
function isVague({ targetEvidence }: Meaning): boolean {
  return targetEvidence.every((kind) => kind === 'words' || kind === 'sender');
}

function proposed(own: ChangeFit, fits: readonly ChangeFit[], event: StreamEvent, known: ReadingBasis): Meaning[] {
  const { proposeFrom } = tiersOf(known);
  if (own.likelihood < proposeFrom) return [];
  const rival = fits.find((each) => each !== own && each.task !== own.task && each.suggestion === own.suggestion);
  const isClose = rival !== undefined && rival.likelihood >= own.likelihood * CLOSE && rival.likelihood >= proposeFrom;
  const candidates = [own.task.path, ...(rival === undefined ? [] : [rival.task.path])];
  return [{ ...meaningOf(own, event, known.index), candidates, ambiguous: isClose }];
}

/** Returns what a change means for its task alone. */
function meaningOf(
  { suggestion, task, set, likelihood: fit }: ChangeFit,
  event: StreamEvent,
  index: TargetIndex,
): Meaning {
  const { finding, heard, effect, isLearnt } = suggestion;
  const ranked = rankTargets(index, event, finding).find(({ candidate }) => candidate.path === task.path);
  const likely = round4(Math.min(LEARNT_CEILING, fit));
  const said = isLearnt ? learntWords(CHANGE_WORDS[effect], heard.effects[effect]) : finding.reason;
  return {
    target: task.path,
    candidates: [task.path],
    ambiguous: false,
    targetConfidence: likely,
    targetEvidence: ranked?.evidence ?? [],
    targetNear: ranked !== undefined && ranked.evidence.length > 0 && isBeside(task, event, finding, index),
    endsMatter: false,
    proposal: { class: finding.class ?? 'state_change', set, add: {}, remove: {} },
    quote: finding.quote,
    ...(finding.time === undefined ? {} : { time: finding.time }),
    effectConfidence: round4(Math.min(ceilingFor(event), isLearnt ? heard.effects[effect] : finding.rawConfidence)),
    reasoning: `${sentenceCase(said)}. ${fitsBest(task.name, likely)}`,
  };
}

/** Words addressed to a program make the whole event doubtful. */
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
