import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { type Claim, type Finding, findingOf } from '../rules/finding.ts';
import { newDayIn } from '../rules/new-day.ts';
import { shownSentence } from '../rules/passage.ts';
import { CHANGES, type Change } from '../trained/labels.ts';
import type { Heard } from './heard.ts';
import type { Suggestion } from './suggestion.ts';

/** Nothing is made of a sentence that is less likely to tell of a change, where only what was learnt speaks for it. */
const LEAST_HEARD = 0.2;
/** What was only learnt is proposed, and never acted upon. */
const LEARNT_CEILING = 0.84;
const MAX_SUGGESTIONS = 12;

/** Returns what the sentences of an event may say of some note: what the rules find, and what was learnt to be said so. */
export function suggestionsIn(
  event: StreamEvent,
  all: readonly Heard[],
  findings: readonly Finding[],
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
    return [...read, ...learnt.flatMap((effect) => learntIn(heard, effect, event))];
  });
  return suggested
    .toSorted((one, other) => other.heard.effects[other.effect] - one.heard.effects[one.effect])
    .slice(0, MAX_SUGGESTIONS);
}

function effectOf({ set }: Finding): Change {
  if (set.due !== undefined) return 'moved';
  return set.state === 'archived' ? 'cancelled' : 'done';
}

function learntIn(heard: Heard, effect: Change, event: StreamEvent): Suggestion[] {
  const { passage, effects } = heard;
  const moved = effect === 'moved' ? newDayIn(passage.view, { at: event.originAt, language: 'en' }) : null;
  if (effect === 'moved' && moved === null) return [];
  const { start, end } = moved ?? heard.span;
  const phrase = { sentence: passage.view, start, end, bare: true, negative: false, ofFuture: effect === 'moved' };
  const finding = findingOf(
    claimOf(effect, moved?.day ?? null),
    Math.min(LEARNT_CEILING, effects[effect]),
    phrase,
    passage,
  );
  return [{ effect, day: moved?.day ?? null, heard, finding, isLearnt: true }];
}

function claimOf(effect: Change, day: string | null): Claim {
  const set = day !== null ? { due: day } : { state: effect === 'done' ? 'done' : 'archived' };
  const name = day !== null ? ('context_edit' as const) : ('state_change' as const);
  return { effect: 'mutation', class: name, set, phraseId: `learnt: ${effect}`, verbs: [], otherVerbs: [] };
}
