import type { PastAnswer } from '../steward/types.ts';
import { rememberedWords } from '../vault/event-text.ts';
import type { ChangeFit } from './learnt.ts';
import type { TargetCandidate, TargetIndex } from './targets.ts';

/*
 * The user's answers about earlier mails of a sender decide which notes come first: those that are proposed, asked
 * about or offered to a model. A right answer speaks for the whole matter, since its own task is mostly done by now. A
 * wrong one speaks against its own task alone. Neither is evidence: no change is made for it without asking (contract,
 * 6.22), so callers leave `targetEvidence` as it is.
 */

/** How often the user found the sender right about a task's matter, and wrong about the task. */
interface Remembered {
  readonly right: number;
  readonly wrong: number;
}

/** This many answers count like one: the first of them may have been chance. */
const FREE_ANSWERS = 2;
/** The odds of a note are at most doubled, or halved. */
const MOST = 2;

/** Returns what the user's answers say about a task. */
function rememberedOf(
  { path, matterPath }: Pick<TargetCandidate, 'path' | 'matterPath'>,
  answers: readonly PastAnswer[],
  index: TargetIndex,
): Remembered {
  const isOfMatter = (note: string) => note === matterPath || (index.get(note)?.matterPath ?? null) === matterPath;
  const isMeant = ({ note }: PastAnswer) => note === path || (matterPath !== null && isOfMatter(note));
  return {
    right: answers.filter((answer) => answer.isRight && isMeant(answer)).length,
    wrong: answers.filter(({ isRight, note }) => !isRight && note === path).length,
  };
}

/** Returns changes with the likelihood that they have for this sender, likeliest first. */
export function withAnswers(
  fits: readonly ChangeFit[],
  answers: readonly PastAnswer[],
  index: TargetIndex,
): readonly ChangeFit[] {
  if (answers.length === 0) return fits;
  return fits
    .map((fit) => ({ ...fit, likelihood: weighed(fit.likelihood, rememberedOf(fit.task, answers, index)) }))
    .toSorted((one, other) => other.likelihood - one.likelihood);
}

function weighed(likelihood: number, { right, wrong }: Remembered): number {
  const factor = Math.min(MOST, Math.max(1 / MOST, (FREE_ANSWERS + right) / (FREE_ANSWERS + wrong)));
  return (likelihood * factor) / (likelihood * factor + 1 - likelihood);
}

/** Returns the open matters and tasks about which the sender was right, the matters first. */
export function rightNotes(answers: readonly PastAnswer[], index: TargetIndex): readonly TargetCandidate[] {
  const right = answers.flatMap(({ note, isRight }) => (isRight ? (index.get(note) ?? []) : []));
  const matters = right.flatMap(({ matterPath }) => (matterPath === null ? [] : (index.get(matterPath) ?? [])));
  return [...new Set([...matters, ...right])].filter(({ path }) => index.isOpen(path));
}

/** Returns a sentence about the remembered answers on a task; null if there aren't any. */
export function rememberedSentence(
  task: TargetCandidate,
  answers: readonly PastAnswer[],
  index: TargetIndex,
): string | null {
  const { right, wrong } = rememberedOf(task, answers, index);
  return right + wrong === 0 ? null : rememberedWords(right, wrong);
}
