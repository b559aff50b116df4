import type { StreamEvent } from '../../../steward/ports/stream-event.ts';
import type { DateOrigin } from '../../dates/origin.ts';
import { type Finding, topicOf } from '../finding.ts';
import { hiddenFindings } from './hidden-findings.ts';
import { labelFindings } from './label-findings.ts';
import { struckFindings } from './struck-findings.ts';
import { tableFindings } from './table-findings.ts';

/**
 * Returns what the forms of a mail say: the labelled lines of its text, crossed-out days, and what it tells programs where its
 * text names the same. `read`: what its sentences say; a day to pay by means nothing beside "paid", nor a time beside
 * "cancelled".
 */
export function formsOf(event: StreamEvent, read: readonly Finding[], origin: DateOrigin): readonly Finding[] {
  const found = [
    ...labelFindings(event, origin),
    ...tableFindings(event, origin),
    ...struckFindings(event, origin),
    ...hiddenFindings(event),
  ];
  const said = [...read, ...found].filter(({ defeatedBy }) => defeatedBy === null);
  const isPaid = said.some((one) => topicOf(one) === 'payment');
  const isOff = said.some(({ set }) => set.state === 'archived');
  return found.filter(({ phraseId }) => !(isPaid && isToPay(phraseId)) && !(isOff && isWhen(phraseId)));
}

/** Returns the findings of sentences and of forms. Where both say the same, the number that the form names holds for both. */
export function withForms(read: readonly Finding[], forms: readonly Finding[]): readonly Finding[] {
  const named = forms.filter(({ references, defeatedBy }) => (references ?? []).length > 0 && defeatedBy === null);
  const completed = read.map((finding) => {
    const references = named.find((form) => isSame(form, finding))?.references;
    return references === undefined ? finding : { ...finding, references };
  });
  return [...completed, ...forms];
}

function isSame(one: Finding, other: Finding): boolean {
  const [first, second] = [one, other].map(({ effect, set }) => JSON.stringify([effect, set]));
  return first === second && topicOf(one) === topicOf(other);
}

function isToPay(phraseId: string): boolean {
  return /^form: date: (?:due|invoice due|order due)$/.test(phraseId);
}

function isWhen(phraseId: string): boolean {
  return phraseId === 'form: date: when';
}
