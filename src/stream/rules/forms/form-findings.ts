import type { StreamEvent } from '../../../steward/ports/stream-event.ts';
import type { DateOrigin } from '../../dates/origin.ts';
import { type Finding, topicOf } from '../finding.ts';
import { hiddenFindings } from './hidden-findings.ts';
import { labelFindings } from './label-findings.ts';
import { struckFindings } from './struck-findings.ts';
import { tableFindings } from './table-findings.ts';

/**
 * Returns what the forms of a mail say: the labelled lines of its text, crossed-out days, and what it tells programs where its
 * text names the same.
 */
export function formsOf(event: StreamEvent, origin: DateOrigin): readonly Finding[] {
  return [
    ...labelFindings(event, origin),
    ...tableFindings(event, origin),
    ...struckFindings(event, origin),
    ...hiddenFindings(event),
  ];
}

/**
 * Returns the findings of sentences and of forms. Where both say the same, the number that the form names holds for both. A
 * day to pay by means nothing beside "paid", nor a time beside "cancelled", however their line is read.
 */
export function withForms(read: readonly Finding[], forms: readonly Finding[]): readonly Finding[] {
  const said = [...read, ...forms].filter(({ defeatedBy }) => defeatedBy === null);
  const isPaid = said.some((one) => topicOf(one) === 'payment');
  const isOff = said.some(({ set }) => set.state === 'archived');
  const [idle, kept] = parted(forms, ({ phraseId }) => (isPaid && isToPay(phraseId)) || (isOff && isWhen(phraseId)));
  const sentences = read.filter((finding) => !idle.some((form) => isSameLine(form, finding)));
  return [...withReferences(sentences, kept), ...kept];
}

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function withReferences(read: readonly Finding[], forms: readonly Finding[]): readonly Finding[] {
  const named = forms.filter(({ references, defeatedBy }) => (references ?? []).length > 0 && defeatedBy === null);
  return read.map((finding) => {
    const references = named.find((form) => isSame(form, finding))?.references;
    return references === undefined ? finding : { ...finding, references };
  });
}

/** "Due date: 3 December" is a line with a label, and reads as a sentence too. */
function isSameLine(form: Finding, { set: { due }, quote }: Finding): boolean {
  return due !== undefined && form.set.due === due && (form.quote.includes(quote) || quote.includes(form.quote));
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
