import type { Meaning, StandingChange, StreamEvent } from '../steward/types.ts';
import { lazily } from '../vault/data.ts';
import { takenBackWords } from '../vault/event-text.ts';
import { listDoneForms } from './own-verb.ts';
import { assess, listDeedWords, type Passage, splitEvent, wordPattern } from './rules.ts';
import type { TargetCandidate, TargetIndex } from './targets.ts';
import { patternOfAll, quoteAround, stemmedWords, tellingWords } from './text.ts';

/*
 * A sender may take back what was changed on their word: "my last mail was wrong". The note is closed by then, so that the
 * search doesn't find it; their own earlier changes lead to it. That the earlier value comes back is only ever proposed.
 */

const cues = lazily(() => {
  const cue = (...names: readonly ('takenBack' | 'refersBack' | 'negation' | 'stillOpen')[]) =>
    wordPattern(names.map((name) => patternOfAll((language) => language.cues[name])).join('|'));
  return { retraction: cue('takenBack', 'refersBack'), denial: cue('negation', 'stillOpen') };
});

/** Its doubt keeps it a proposal, so that the gates needn't name any other reason. */
const CONFIDENCE = 0.9;
/** A mail has its retraction near the top. */
const MOST_SENTENCES = 12;
/** The share of a task's own words that a text must have to be about it. */
const LEAST_SHARE = 0.5;

/** Returns what an event takes back of the changes that were made on its sender's word and still stand. */
export function takenBack(
  event: StreamEvent,
  standing: (event: StreamEvent) => readonly StandingChange[],
  index: TargetIndex,
): readonly Meaning[] {
  const passages = splitEvent(event).slice(0, MOST_SENTENCES);
  const isRetracted = ({ view, isSubject }: Passage) => !isSubject && cues().retraction.test(view);
  if (!passages.some((passage) => isRetracted(passage) || cues().denial.test(passage.view))) return [];
  const made = standing(event);
  return made.flatMap((change) => {
    const task = index.get(change.note);
    if (task === null) return [];
    const about = passages.filter(({ view }) => isNamed(task, view));
    // "Correction: the fee was paid on Monday" gives the same news again.
    const stances = about.map((passage) => stanceOf(passage, change, task));
    if (stances.includes('said')) return [];
    const denied = about.find((_, nth) => stances[nth] === 'denied');
    const retracted = made.length === 1 || about.length > 0 ? passages.find(isRetracted) : undefined;
    const passage = denied ?? retracted;
    return passage === undefined ? [] : [meaningOf(passage, change, task)];
  });
}

const DENIED: readonly unknown[] = ['negated', 'still open', 'not yet so'];

/** Returns whether a sentence about a task says that its deed was done, or that it wasn't; null if it says neither. */
function stanceOf(
  { view }: Passage,
  { field, quote }: StandingChange,
  task: TargetCandidate,
): 'said' | 'denied' | null {
  if (field !== 'state') return null;
  const object = new Set(tellingWords(task.name));
  const words = [...listDeedWords(task.name), ...listDoneForms(task.name), ...tellingWords(quote)];
  const deeds = new Set(words.filter((word) => !object.has(word)));
  for (const match of view.matchAll(/[\p{L}\p{M}]+/gu)) {
    if (!stemmedWords(match[0]).some((word) => deeds.has(word))) continue;
    const [start, end] = [match.index, match.index + match[0].length];
    const { defeat, factor } = assess({ sentence: view, start, end, bare: false, negative: false, ofFuture: false });
    if (DENIED.includes(defeat)) return 'denied';
    if (defeat === null && factor === 1) return 'said';
  }
  return null;
}

/** Whether a text has enough of the words of a task's name that aren't its deed. */
function isNamed({ name }: TargetCandidate, view: string): boolean {
  const deeds = listDeedWords(name);
  const own = tellingWords(name).filter((word) => !deeds.has(word));
  const said = new Set(stemmedWords(view));
  return own.length > 0 && own.filter((word) => said.has(word)).length >= own.length * LEAST_SHARE;
}

function meaningOf({ text, sentence }: Passage, change: StandingChange, task: TargetCandidate): Meaning {
  const { field, before, quote, at } = change;
  return {
    ...{ target: task.path, candidates: [task.path], ambiguous: false, endsMatter: false },
    ...{ targetConfidence: CONFIDENCE, targetEvidence: ['words', 'sender'], targetNear: true },
    proposal: {
      class: field === 'due' ? 'context_edit' : 'state_change',
      ...{ set: { [field]: before }, add: {}, remove: {} },
    },
    quote: quoteAround(text, sentence, sentence),
    effectConfidence: CONFIDENCE,
    reasoning: takenBackWords(quote, at),
    doubts: [takenBackWords(quote, at)],
    takesBack: true,
  };
}
