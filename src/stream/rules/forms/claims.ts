import type { TopicName } from '../../languages/language-table.ts';
import { viewOf } from '../../mail/sentence.ts';
import { codesIn } from '../../money/reference.ts';
import { type Claim, type Finding, findingOf } from '../finding.ts';
import { shownSentence } from '../passage.ts';
import { stateClaim } from '../state-finding.ts';
import { TOPICS } from '../topics.ts';

/** What only a form says is put to a person, and never done alone. */
const MOST_OF_A_FORM = 0.84;

/** Where in an event's text a form stands, and what of it leads to a note. */
export interface Place {
  /** The subject or the body. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The words around it, by which the note is looked for. */
  readonly around: string;
  /** The numbers and codes of what it is about, as they are written. */
  readonly references: readonly string[];
  readonly isSubject: boolean;
}

/** Returns the claim that something was done or called off, by a form; null where the phrase table has no such topic. */
export function topicClaim(name: TopicName, form: string): Claim | null {
  const topic = TOPICS.find((one) => one.name === name);
  return topic === undefined ? null : stateClaim(topic, `form: ${name}: ${form}`);
}

/** Returns the claim that something is due on a day, by a form. */
export function dayClaim(day: string, form: string): Claim {
  const set = { due: day };
  return { effect: 'mutation', class: 'context_edit', set, phraseId: `form: date: ${form}`, verbs: [], otherVerbs: [] };
}

/** Returns the finding for what a form says at a place. */
export function formFinding(claim: Claim, confidence: number, place: Place, reason: string): Finding {
  const { text, start, end, around, isSubject } = place;
  const view = viewOf(text.slice(start, end));
  const phrase = { sentence: view, start: 0, end: view.length, bare: false, negative: false, ofFuture: false };
  const finding = findingOf(claim, Math.min(MOST_OF_A_FORM, confidence), phrase, {
    ...{ text, view, isSubject },
    sentence: { start, end },
  });
  const references = [...codesIn(place.references.join('\n'))];
  return { ...finding, sentence: shownSentence(viewOf(around)), reason, references };
}

/** Returns the finding as one that is not meant, and why. */
export function denied(finding: Finding, why: string): Finding {
  return { ...finding, rawConfidence: 0, defeatedBy: why };
}
