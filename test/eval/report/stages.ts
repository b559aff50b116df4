import type { MailAnswer } from '../compare/answer.ts';
import { CHANGES, type Change } from '../compare/changes.ts';
import { type Share, shareOf } from './share.ts';

/** How far what is expected comes: each stage as a share of the one before. */
export interface Stages {
  /** Something of this kind was noticed anywhere in the mail, of all that is expected. */
  readonly heard: Share;
  /** Of that, what was laid to the right note, if only as the likeliest of several. */
  readonly placed: Share;
  /** Of that, what was proposed rightly, whatever is quoted. */
  readonly proposed: Share;
  /** Of that, what would have been done without a person. */
  readonly acted: Share;
}

/** Returns the stages of each kind of change, and of all changes of notes together. */
export function stagesOf(answers: readonly MailAnswer[]): Readonly<Partial<Record<Change | 'changes', Stages>>> {
  const outcomes = answers.flatMap((each) => each.outcomes);
  const of = (counted: (change: Change) => boolean): Stages => {
    const all = outcomes.filter(({ change }) => counted(change));
    const heard = all.filter(({ isHeard }) => isHeard);
    const placed = heard.filter(({ isPlaced }) => isPlaced);
    const proposed = placed.filter(({ found }) => found.loose);
    const acted = proposed.filter(({ isActed }) => isActed);
    return {
      heard: shareOf(heard.length, all.length),
      placed: shareOf(placed.length, heard.length),
      proposed: shareOf(proposed.length, placed.length),
      acted: shareOf(acted.length, proposed.length),
    };
  };
  const there = CHANGES.filter((change) => outcomes.some((each) => each.change === change));
  return {
    changes: of((change) => change !== 'asks'),
    ...Object.fromEntries(there.map((change) => [change, of((one) => one === change)])),
  };
}
