import { editedText, type FieldEdit } from '../../vault/frontmatter/edit.ts';
import { readNote } from '../../vault/frontmatter/parse.ts';
import { withPart } from '../../vault/notes/kept-part.ts';
import type { EventFields } from '../../vault/records/event.ts';
import type { Frontmatter, Yaml } from '../../vault/records/values.ts';
import { type Becoming, BOXES, becomingKey, becomingWords, boxesFor, NOW_PART } from '../../vault/words/becoming.ts';
import type { EventNow } from './outcome-now.ts';

/** The fields in which an event note says what has become of it, as its record has them. */
type Said = Pick<EventFields, 'says'> &
  Partial<Pick<EventFields, 'waiting' | 'pending_confirmation' | 'remark'>> & { readonly outcome: string | null };

/** Whether a note says already what has become of it: most do, and are not read again. */
export function saysSo(fields: Said, { flags, becoming }: EventNow, remark: string | null): boolean {
  if ((fields.remark ?? null) !== remark) return false;
  // A note of an earlier version has no such part.
  if (becoming !== null && fields.says !== null && fields.says !== becomingKey(becoming)) return false;
  if (flags === null) return true;
  const { outcome, waiting, pending_confirmation: pending } = fields;
  const isSaid = outcome === flags.outcome || (outcome === null && FIRST.includes(flags.outcome));
  return isSaid && waiting === flags.waits && pending === flags.waits;
}

/** Returns an event note that says what has become of it: flat fields, boxes and the program's part of the body. */
export function noteNow(path: string, text: string, data: Frontmatter, now: EventNow, remark: string | null) {
  const edited = editedText(path, text, [...nowEdits(data, now), ...edit(data, 'remark', remark)]);
  if (edited === null || now.becoming === null || !hasPart(data)) return edited;
  const told = withPart(edited, NOW_PART, becomingWords(now.becoming)) ?? edited;
  return withBoxes(path, told, now.becoming);
}

/** Returns the edits of the flat fields by which a note says what has become of it, without the boxes it gets anew. */
export function nowEdits(data: Frontmatter, { flags, becoming }: EventNow): FieldEdit[] {
  const flat = flags === null ? [] : flagEdits(data, flags);
  if (becoming === null || !hasPart(data)) return flat;
  return [...flat, ...edit(data, 'says', becomingKey(becoming)), ...idleBoxes(data, becoming)];
}

/** Whether a note has a part of the program's own in its body: those of earlier versions have none. */
function hasPart(data: Frontmatter): boolean {
  return typeof data.says === 'string';
}

/** What an event is before anybody has answered: no reason for a new field in a note of an earlier version. */
const FIRST: readonly Yaml[] = ['proposed', 'acted', 'recorded'];

function flagEdits(data: Frontmatter, { waits, outcome }: NonNullable<EventNow['flags']>): FieldEdit[] {
  const flag = (field: string) => edit(data, field, waits || Object.hasOwn(data, field) ? waits : null);
  const isSaid = Object.hasOwn(data, 'outcome') || !FIRST.includes(outcome);
  return [...flag('waiting'), ...flag('pending_confirmation'), ...edit(data, 'outcome', isSaid ? outcome : null)];
}

function edit(data: Frontmatter, field: string, value: Yaml): FieldEdit[] {
  if ((data[field] ?? null) === value) return [];
  return value === null ? [{ op: 'delete', field }] : [{ op: 'set', field, value }];
}

/** `force` is also what a reversal records of itself, so it is no box that comes and goes. */
const COMING_AND_GOING = BOXES.filter((box) => box !== 'force');

// What a person has ticked or written stays.
function idleBoxes(data: Frontmatter, becoming: Becoming): FieldEdit[] {
  const meant = boxesFor(becoming);
  return COMING_AND_GOING.filter((box) => !meant.includes(box) && isIdle(data, box)).map((field) => {
    return { op: 'delete', field };
  });
}

function isIdle(data: Frontmatter, box: string): boolean {
  if (!Object.hasOwn(data, box)) return false;
  const value = data[box] ?? null;
  return value === false || value === null || value === '';
}

// A box that can mean something again stands where a new note has it: in front.
function withBoxes(path: string, text: string, becoming: Becoming): string {
  const read = readNote(path, Buffer.from(text));
  if (!read.ok || read.note.block === null) return text;
  const { data, block } = read.note;
  const missing = COMING_AND_GOING.filter((box) => boxesFor(becoming).includes(box) && !Object.hasOwn(data, box));
  const lines = missing.map((box) => `${box}: ${box === 'choose' ? '""' : 'false'}${block.eol}`).join('');
  return text.slice(0, block.start) + lines + text.slice(block.start);
}
