import { StewardError } from '../errors.ts';
import { type Frontmatter, valuesIn } from '../records/values.ts';
import type { FieldEntry } from './entries/field-entry.ts';
import { plainEntries } from './entries/plain-entries.ts';
import { BY_HAND, unsupported } from './entries/unsupported.ts';
import { yamlEntries } from './entries/yaml-entries.ts';
import { readNote } from './parse.ts';
import type { ParsedNote } from './parsed-note.ts';

/**
 * A note opened for editing: `head + body + tail` is the whole text, and `body` is the YAML between the fences. A note
 * without frontmatter is opened as if it had an empty one (`bare`).
 */
export interface NoteDocument {
  readonly file: string;
  readonly text: string;
  readonly bare: boolean;
  readonly head: string;
  readonly body: string;
  readonly tail: string;
  readonly eol: string;
  readonly data: Frontmatter;
  readonly entries: readonly FieldEntry[];
  /** The indent before each key; empty unless somebody indented the whole frontmatter. */
  readonly indent: string;
}

/**
 * Opens a note for editing.
 * @throws StewardError `edit-unreadable` where the note cannot be read, `edit-unsupported` where its frontmatter is
 * written in a way that cannot be edited exactly.
 */
export function openDocument(file: string, text: string): NoteDocument {
  const read = readNote(file, Buffer.from(text, 'utf8'));
  if (!read.ok) throw new StewardError({ ...read.trouble, code: 'edit-unreadable' });
  const { data, block } = read.note;
  const frame = block === null ? bareFrame(text) : frameAt(text, block.start, block.end, block.eol);
  demandSmall(file, data, frame.body);
  const entries = block === null ? [] : entriesOf(read.note, file, frame);
  demandApart(file, entries);
  demandSameNames(file, data, entries);
  return { file, text, ...frame, data, entries, indent: indentOf(frame.body, entries) };
}

// The `yaml` package sees only what js-yaml has accepted: deep nesting can end the whole process inside it.
function entriesOf(note: ParsedNote, file: string, { head, body }: Frame): readonly FieldEntry[] {
  return (note.isPlain ? plainEntries(body) : null) ?? yamlEntries(file, note.text, head.length, body);
}

/** Returns the whole note with another body; a note without frontmatter that gets no field stays as it is. */
export function withBody(document: NoteDocument, body: string): string {
  return document.bare && body === '' ? document.text : document.head + body + document.tail;
}

/** Returns the entry of a field, or null where the note has no such field. */
export function findField(document: NoteDocument, key: string): FieldEntry | null {
  return document.entries.find((entry) => entry.key === key) ?? null;
}

/** Returns the whole lines of an entry. */
export function sourceOf(document: NoteDocument, entry: FieldEntry): string {
  return document.body.slice(entry.start, entry.end);
}

/** Returns the body with other lines for these entries; '' removes one. */
export function replaced(document: NoteDocument, sources: ReadonlyMap<FieldEntry, string>): string {
  let body = '';
  let from = 0;
  for (const entry of document.entries) {
    body += document.body.slice(from, entry.start) + (sources.get(entry) ?? sourceOf(document, entry));
    from = entry.end;
  }
  return body + document.body.slice(from);
}

/** Where several keys share a line, or entries overlap, no entry can be cut out alone. */
function demandApart(file: string, entries: readonly FieldEntry[]): void {
  if (entries.every((entry, nth) => entry.start >= (entries[nth - 1]?.end ?? 0))) return;
  throw unsupported(file, 'The fields of the frontmatter do not stand on lines of their own.', BY_HAND);
}

/**
 * Both YAML readers must see the same fields. js-yaml takes a byte order mark before the first key as part of its name,
 * and `yaml` ignores it: an edit would change another field than the one that was read.
 */
function demandSameNames(file: string, data: Frontmatter, entries: readonly FieldEntry[]): void {
  const isKnown = entries.every(({ simple, key }) => !simple || Object.hasOwn(data, key));
  if (isKnown && new Set(entries.map(({ key }) => key)).size === entries.length) return;
  throw unsupported(file, 'The name of a field holds characters that cannot be seen.', BY_HAND);
}

/** An edit opens a note several times and must not block the program: each value or comment costs it some 50 µs. */
const MAX_VALUES = 1000;
const MAX_COMMENTS = 4000;

function demandSmall(file: string, data: Frontmatter, body: string): void {
  const comments = body.split('\n').filter((line) => line.trimStart().startsWith('#'));
  if (comments.length <= MAX_COMMENTS && valuesIn(data) <= MAX_VALUES) return;
  throw unsupported(file, 'The frontmatter holds too much to be edited.', BY_HAND);
}

type Frame = Pick<NoteDocument, 'bare' | 'head' | 'body' | 'tail' | 'eol'>;

function frameAt(text: string, start: number, end: number, eol: string): Frame {
  return { bare: false, head: text.slice(0, start), body: text.slice(start, end), tail: text.slice(end), eol };
}

function bareFrame(text: string): Frame {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  return { bare: true, head: `${bom}---${eol}`, body: '', tail: `---${eol}${text.slice(bom.length)}`, eol };
}

function indentOf(body: string, entries: readonly FieldEntry[]): string {
  const [first] = entries;
  return first === undefined ? '' : (/^ */.exec(body.slice(first.start))?.[0] ?? '');
}
