import type { DateOrigin } from '../dates/origin.ts';
import { type Claim, type Finding, findingOf } from '../rules/finding.ts';
import { newDayIn } from '../rules/new-day.ts';
import { shownSentence } from '../rules/passage.ts';
import { CHANGES, type Change } from '../trained/labels.ts';
import type { Heard } from './heard.ts';
import type { Found, Suggestion } from './suggestion.ts';

/** Nothing is made of a sentence that is less likely to tell of a change, where only what was learnt speaks for it. */
const LEAST_HEARD = 0.12;
/** What was only learnt is proposed, and never acted upon. */
const LEARNT_CEILING = 0.84;
const MAX_SUGGESTIONS = 16;

/** Returns what the sentences of an event may say of some note: what the rules find, and what was learnt to be said so. */
export function suggestionsIn(
  all: readonly Heard[],
  { findings, origin }: Pick<Found, 'findings' | 'origin'>,
): readonly Suggestion[] {
  const changes = findings.filter((finding) => finding.class !== null);
  const suggested = all.flatMap((heard) => {
    const sentence = shownSentence(heard.passage.view);
    const read = changes
      .filter((finding) => finding.sentence === sentence)
      .map((finding) => ({ effect: effectOf(finding), day: finding.set.due ?? null, heard, finding, isLearnt: false }));
    const learnt = CHANGES.filter(
      (effect) => heard.effects[effect] >= LEAST_HEARD && !read.some((one) => one.effect === effect),
    );
    return [...read, ...learnt.flatMap((effect) => learntIn(heard, effect, origin))];
  });
  return suggested
    .toSorted((one, other) => other.heard.effects[other.effect] - one.heard.effects[one.effect])
    .slice(0, MAX_SUGGESTIONS);
}

function effectOf({ set }: Finding): Change {
  if (set.due !== undefined) return 'moved';
  return set.state === 'archived' ? 'cancelled' : 'done';
}

function learntIn(heard: Heard, effect: Change, origin: DateOrigin): Suggestion[] {
  const { passage, effects } = heard;
  const moved = effect === 'moved' ? newDayIn(passage.view, origin) : null;
  if (effect === 'moved' && moved === null) return [];
  const { start, end } = moved ?? heard.span;
  const phrase = { sentence: passage.view, start, end, bare: true, negative: false, ofFuture: effect === 'moved' };
  const finding = findingOf(claimOf(effect, moved), Math.min(LEARNT_CEILING, effects[effect]), phrase, passage);
  return [{ effect, day: moved?.day ?? null, heard, finding, isLearnt: true }];
}

function timeOf(time: string | null): Pick<Claim, 'time'> {
  return time === null ? {} : { time };
}

function claimOf(effect: Change, moved: { readonly day: string; readonly time: string | null } | null): Claim {
  const set = moved !== null ? { due: moved.day } : { state: effect === 'done' ? 'done' : 'archived' };
  const name = moved !== null ? ('context_edit' as const) : ('state_change' as const);
  return {
    effect: 'mutation',
    class: name,
    set,
    ...timeOf(moved?.time ?? null),
    phraseId: `learnt: ${effect}`,
    verbs: [],
    otherVerbs: [],
  };
}
