import type { TargetIndex } from '../../../src/reading/targets.ts';
import type { SignalDraft } from '../../../src/streams/signal.ts';
import type { Expected, MailCase } from '../case.ts';

/** What happens to a note; `asks` is a request that changes none, `other` what no case expects. */
export const CHANGES = ['done', 'due', 'archived', 'asks', 'other'] as const;

/** One of them. */
export type Change = (typeof CHANGES)[number];

type FieldsSet = Readonly<Record<string, unknown>> | null;

/** Returns what the fields that are set come to; null stands for a request. */
export function changeOf(set: FieldsSet): Change {
  if (set === null) return 'asks';
  if ('due' in set) return 'due';
  return set.state === 'done' || set.state === 'archived' ? set.state : 'other';
}

/** Returns what a signal comes to. */
export function changeIn({ effect, mutation_proposal: proposal }: SignalDraft): Change {
  return effect === 'mutation' ? changeOf(proposal?.set ?? {}) : 'asks';
}

/** Returns whether a signal is about the note that is meant. A request may be about any matter. */
export function isAbout(draft: SignalDraft, { note, set }: Expected): boolean {
  return nameOf(draft.target_path) === note || (set === null && draft.target_kind === 'matter');
}

/** Returns whether a signal says what is expected of the note that is meant, whatever it quotes. */
export function saysSo(draft: SignalDraft, expected: Expected, index: TargetIndex): boolean {
  if (!isAbout(draft, expected)) return false;
  if (expected.set === null) return draft.effect === 'action';
  return isSame(draft.mutation_proposal?.set ?? {}, expected.set, hasTime(draft, index));
}

/** Returns whether two quotes share words in one of the texts of a mail. */
export function overlaps(one: string, other: string, texts: readonly string[]): boolean {
  return texts.some((text) => {
    const [ones, others] = [placesOf(one, text), placesOf(other, text)];
    return ones.some((a) => others.some((b) => a < b + other.length && b < a + one.length));
  });
}

/** Returns the texts of a mail in which a quote may stand, as it was written and as it was read. */
export function textsOf({ subject, text, html, ics }: MailCase, read: string): readonly string[] {
  return [`${subject}\n${text}`, `${subject}\n${read}`, html, ics];
}

/** Returns the name of the note at a path. */
export function nameOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.md$/, '');
}

/** Only a task whose day has a time keeps one: of any other the day is all that counts. */
function hasTime({ target_path: path }: SignalDraft, index: TargetIndex): boolean {
  return (index.get(path)?.due ?? '').length > 10;
}

function isSame(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, string>>, toTheMinute: boolean) {
  const [fields, others] = [Object.entries(one), Object.keys(other)];
  const as = (field: string, value: unknown) =>
    field === 'due' ? String(value).slice(0, toTheMinute ? 16 : 10) : value;
  return (
    fields.length === others.length && fields.every(([field, value]) => as(field, other[field]) === as(field, value))
  );
}

function placesOf(quote: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(quote); quote !== '' && at >= 0; at = text.indexOf(quote, at + 1)) places.push(at);
  return places;
}
