import { type Diagnostic, diagnostic } from './errors.ts';
import { type Frontmatter, fieldPosition, type ParsedNote, unicodeEscape, type Yaml } from './frontmatter.ts';
import { isObject, readForeignJson } from './json.ts';

/*
 * The property `record` of an event note: values that only the program reads. A person sees one line instead of twenty
 * properties.
 *
 * It is a version and JSON: `1 {"says":"open proposal","seal":"…"}`. JSON in plain sight rather than a code, because
 * whoever opens the source may want to see what is kept about them, and because it survives editors that write the
 * frontmatter again. The seal is in it and covers the values, wherever they are: to edit the text, or to move values
 * out of it, gains nothing.
 */

/** The property of an event note with the values that only the program reads. */
export const RECORD = 'record';
const VERSION = 1;

/** The kinds of notes that keep a record: events with their answers, reversals, and orders that a person has dropped. */
export type ActionKind = 'event' | 'reversal' | 'order';

/** The fields that are kept in the record. Those that other programs read (contract, section 3) stay properties. */
const KEPT: Readonly<Record<ActionKind, ReadonlySet<string>>> = {
  event: new Set([
    ...['gates', 'perceived', 'usage', 'licence', 'considered', 'event_found'],
    ...['calibration', 'observations', 'lesson', 'taught', 'taught_by', 'taught_at'],
    ...['pending_patch', 'pending_cleared', 'note_sha256', 'says', 'adopted', 'seal'],
  ]),
  reversal: new Set(['conflicts', 'event_found', 'observations', 'lesson', 'says', 'adopted', 'seal']),
  order: new Set(['event_found']),
};

/** Whether a field of a note of this kind is kept in its record. */
export function isKeptInRecord(kind: ActionKind, field: string): boolean {
  return KEPT[kind].has(field);
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the properties of a note: those of the fields that only the program reads are one, the last. */
export function packRecord(kind: ActionKind, fields: Fields): Record<string, unknown> {
  const [inside, outside] = [entriesOf(fields, KEPT[kind], true), entriesOf(fields, KEPT[kind], false)];
  const kept = Object.fromEntries(inside);
  return { ...Object.fromEntries(outside), ...(inside.length === 0 ? {} : { [RECORD]: recordText(kept) }) };
}

/** Returns a note's properties without those that are read from its record alone. */
export function withoutRecord(kind: ActionKind, data: Frontmatter): Frontmatter {
  return Object.fromEntries(entriesOf(data, KEPT[kind], false).filter(([field]) => field !== RECORD));
}

function entriesOf<Value>(
  fields: Readonly<Record<string, Value>>,
  names: ReadonlySet<string>,
  isWanted: boolean,
): [string, Value][] {
  return Object.entries(fields).filter(([field]) => names.has(field) === isWanted);
}

type Read = { readonly ok: true; readonly data: Frontmatter } | { readonly ok: false; readonly trouble: Diagnostic };

/** Returns the fields of a note, those in its record included: properties of their names are ignored. `file`: for the diagnostic. */
export function unpackRecord(kind: ActionKind, file: string, note: ParsedNote): Read {
  const kept = readRecord(note.data);
  if (typeof kept === 'string')
    return { ok: false, trouble: { ...troubleOf(file, kept), ...fieldPosition(note, RECORD) } };
  const inside = Object.fromEntries(entriesOf(kept, KEPT[kind], true));
  return { ok: true, data: { ...withoutRecord(kind, note.data), ...inside } };
}

/** Returns the value of a field of an event note that only the program reads; null if absent. */
export function recordValue(data: Frontmatter, field: string): Yaml {
  const kept = readRecord(data);
  return typeof kept === 'object' ? (kept[field] ?? null) : null;
}

/**
 * Returns the edit that sets fields which only the program reads; the other values of the record stay. Empty if they have
 * these values already, or if the record can't be read.
 */
export function recordEdits(data: Frontmatter, values: Readonly<Record<string, Yaml>>): SetEdit[] {
  const kept = readRecord(data);
  if (typeof kept === 'string') return [];
  const changed = Object.entries(values).filter(
    ([field, value]) => JSON.stringify(kept[field] ?? null) !== JSON.stringify(value),
  );
  if (changed.length === 0) return [];
  return [{ op: 'set', field: RECORD, value: recordText({ ...kept, ...Object.fromEntries(changed) }) }];
}

interface SetEdit {
  readonly op: 'set';
  readonly field: string;
  readonly value: Yaml;
}

/** Whether a note has a record. An empty property counts as absent, as everywhere. */
export function hasRecord(data: Fields): boolean {
  return (data[RECORD] ?? '') !== '';
}

type Unread = 'newer' | 'broken';

function readRecord(data: Frontmatter): Frontmatter | Unread {
  if (!hasRecord(data)) return {};
  const written = data[RECORD];
  const [, version, json = ''] = (typeof written === 'string' ? FORM.exec(written) : null) ?? [];
  if (version === undefined) return 'broken';
  if (Number(version) > VERSION) return 'newer';
  const kept = readForeignJson(json);
  if (Number(version) < VERSION || !isObject(kept)) return 'broken';
  // A number beyond all bounds is null for the seal, so it is null for everybody.
  return JSON.parse(JSON.stringify(kept));
}

const FORM = /^(\d{1,6}) (.+)$/s;

function troubleOf(file: string, why: Unread): Diagnostic {
  if (why === 'newer') {
    return diagnostic({
      code: 'note-newer',
      file,
      message: `A newer version of Steward wrote the record of this note; this version reads format ${VERSION}.`,
      hint: 'Start the newer version. This one leaves the note as it is.',
    });
  }
  return diagnostic({
    code: 'field-invalid',
    file,
    message: 'The record of this note is damaged, so Steward ignores the note.',
    hint: `Put the line \`${RECORD}:\` back as it was, from your sync's history or a backup.`,
  });
}

function recordText(kept: Fields): string {
  return `${VERSION} ${JSON.stringify(kept).replace(LITERAL, (text) => text.replace(RISKY, escaped))}`;
}

const LITERAL = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/**
 * Texts that a program may take for a link, a template, a comment, HTML or code; invisible characters; and long runs of
 * blanks. Escaped as JSON does, it is only text to whoever reads the line.
 */
const RISKY =
  /[<>`\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\ufffe\uffff]|\[(?=\[)|\](?=[([])|!(?=\[)|\{(?=\{)|%(?=%)|~(?=~)|:(?=[:/])|(?<=mailto):|(?<=\s{15})\s/gu;

function escaped(character: string): string {
  return character.split('').map(unicodeEscape).join('');
}
