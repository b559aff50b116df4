import type { HiddenThing, StreamEvent } from '../../../steward/ports/stream-event.ts';
import { wordsOf } from '../../mail/word.ts';
import type { Place } from './claims.ts';

/** A hidden thing with where the text names it, and by what. */
export interface NamedThing {
  readonly by: 'reference' | 'name' | 'party';
  readonly words: string;
  readonly place: Place;
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly isSubject: boolean;
}

const MOST_LINES = 400;
const MOST_SHOWN_LINES = 4;
const MOST_LINE = 300;

/** Returns where the subject or the text of a mail names a hidden thing, by the surest sign of it; null where neither does. */
export function placeInText(thing: HiddenThing, event: StreamEvent): NamedThing | null {
  const lines = linesOf(event);
  const references = thing.references.filter((one) => lines.some(({ text }) => hasCode(text, one)));
  const signs = [
    ...references.map((words) => ({ by: 'reference' as const, words })),
    ...thing.names.map((words) => ({ by: 'name' as const, words })),
    ...thing.parties.map((words) => ({ by: 'party' as const, words })),
  ];
  const names = (line: Line, { by, words }: (typeof signs)[number]) =>
    by === 'reference' ? hasCode(line.text, words) : hasWords(line.text, words);
  for (const sign of signs) {
    const line = lines.findLast((one) => names(one, sign));
    if (line === undefined) continue;
    const others = lines.filter(
      (one) => one !== line && signs.some((other) => other.by !== 'party' && names(one, other)),
    );
    const around = [line, ...others.slice(0, MOST_SHOWN_LINES)].map(({ text }) => text.trim()).join(' ');
    return { ...sign, place: placeOf(line, event, around, references) };
  }
  return null;
}

function placeOf(line: Line, event: StreamEvent, around: string, references: readonly string[]): Place {
  const { start, isSubject } = line;
  const text = isSubject ? event.subject : event.text;
  return { text, start, end: start + line.text.length, around, references, isSubject };
}

function linesOf({ subject, text }: StreamEvent): readonly Line[] {
  const lines: Line[] = subject.trim() === '' ? [] : [{ text: subject, start: 0, isSubject: true }];
  let start = 0;
  for (const line of text.split('\n').slice(0, MOST_LINES)) {
    if (line.trim() !== '') lines.push({ text: line.slice(0, MOST_LINE), start, isSubject: false });
    start += line.length + 1;
  }
  return lines;
}

/** Whether a line has a number or code as one that stands by itself, however its groups are kept apart. */
function hasCode(line: string, reference: string): boolean {
  const wanted = groupsOf(reference);
  return wanted.length > 0 && isWithin(groupsOf(line), wanted);
}

function groupsOf(text: string): readonly string[] {
  return text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function hasWords(line: string, name: string): boolean {
  const wanted = wordsOf(name);
  return wanted.length > 0 && isWithin(wordsOf(line), wanted);
}

function isWithin(all: readonly string[], wanted: readonly string[]): boolean {
  return all.some((_, at) => wanted.every((word, nth) => all[at + nth] === word));
}
