import { liveMark } from '../../vault/notes/escape.ts';
import type { Yaml } from '../../vault/records/values.ts';
import { localTime } from '../../vault/time.ts';
import { isDateOnly, parseLocalTime } from '../schedule/local-time.ts';
import { asWikilink, isWikilink } from './link.ts';

/** A value fit to be written, or the sentence that says why it is not. */
export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

const MAX_TEXT = 2000;
const MAX_CURRENT_STATE = 200;
const MAX_MEMBERS = 50;
const DATE_FIELDS: readonly string[] = ['due', 'scheduled', 'snoozed_until', 'next_check_after', 'completedDate'];
const PROSE_FIELDS: readonly string[] = ['summary', 'description', 'current_state', 'owner'];
const MANY_LINES: readonly string[] = ['summary', 'description'];

type Exists = (link: string) => boolean;

/** Returns the value of a `set`, checked by type, length and, for links, existence (contract, section 10). */
export function checkedValue(field: string, value: Yaml, before: Yaml, noteExists: Exists): Checked<Yaml> {
  if (DATE_FIELDS.includes(field)) return checkedDate(field, value);
  if (PROSE_FIELDS.includes(field)) return checkedText(field, value, noteExists);
  if (field === 'blocked_on') return checkedTextOrList(field, value, before, noteExists);
  return checkedLikeBefore(field, value, before, noteExists);
}

/** Returns the members of an `add` or `remove`: a text or a list of texts, each on one line. */
export function checkedMembers(field: string, value: Yaml): Checked<readonly string[]> {
  const members = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(members)) return refused(`${field}: members must be a list of texts.`);
  if (members.length > MAX_MEMBERS) return refused(`${field}: more than ${MAX_MEMBERS} members at once.`);
  const texts: string[] = [];
  for (const member of members) {
    if (typeof member !== 'string' || member.trim() === '') return refused(`${field}: each member must be a text.`);
    if (lengthOf(member) > MAX_TEXT) return refused(`${field}: a member is longer than ${MAX_TEXT} characters.`);
    if (hasControls(member, false)) return refused(`${field}: a member holds a line break or control character.`);
    const mark = markIn(member);
    if (mark !== null)
      return refused(`${field}: a member holds ${mark}; only plain text and links to notes are written.`);
    texts.push(member.trim());
  }
  return { ok: true, value: texts };
}

/** Returns the wikilink to write for a link, which must lead to an existing note. */
export function checkedLink(field: string, value: Yaml, exists: Exists, what: string): Checked<string> {
  const link = typeof value === 'string' ? asWikilink(value) : null;
  if (link === null || liveMark(link) !== null) return refused(`${field} must be a link to ${what}.`);
  return exists(link) ? { ok: true, value: link } : refused(`${field}: there is no ${what} ${link}.`);
}

/**
 * Returns a date or a local time as it is, and a time with an offset as local time: notes that people edit carry none.
 */
export function checkedDate(field: string, value: Yaml): Checked<string> {
  const text = typeof value === 'string' ? value.trim() : '';
  const at = parseLocalTime(text);
  if (at === null) return refused(`${field} must be a date (YYYY-MM-DD) or a time (YYYY-MM-DDTHH:mm:ss).`);
  return { ok: true, value: isDateOnly(text) ? text : localTime(at) };
}

function checkedText(field: string, value: Yaml, noteExists: Exists): Checked<string> {
  if (typeof value !== 'string' || value.trim() === '') return refused(`${field} must be a text.`);
  const limit = field === 'current_state' ? MAX_CURRENT_STATE : MAX_TEXT;
  if (lengthOf(value) > limit) return refused(`${field} is longer than ${limit} characters.`);
  const manyLines = MANY_LINES.includes(field);
  if (hasControls(value, manyLines)) return refused(`${field} holds a control character or a forbidden line break.`);
  const mark = markIn(value);
  if (mark !== null) return refused(`${field} holds ${mark}; only plain text is written.`);
  if (isWikilink(value) && !noteExists(value.trim())) return refused(`${field}: there is no note ${value.trim()}.`);
  return { ok: true, value };
}

/** A field that may hold one text or several keeps the form the note has. */
function checkedTextOrList(field: string, value: Yaml, before: Yaml, noteExists: Exists): Checked<Yaml> {
  if (!Array.isArray(value)) {
    const text = checkedText(field, value, noteExists);
    return text.ok && Array.isArray(before) ? { ok: true, value: [text.value] } : text;
  }
  const members = checkedMembers(field, value);
  if (!members.ok) return members;
  if (members.value.length === 0) return refused(`${field} must not be emptied; its members are removed by name.`);
  const missing = members.value.find((member) => isWikilink(member) && !noteExists(member));
  return missing === undefined ? members : refused(`${field}: there is no note ${missing}.`);
}

/** A field the settings list as editable: of the type the note has there, or any plain one where it has none. */
function checkedLikeBefore(field: string, value: Yaml, before: Yaml, noteExists: Exists): Checked<Yaml> {
  if (before !== null && kindOf(value) !== kindOf(before)) {
    return refused(`${field} holds a ${kindOf(before)} and cannot become a ${kindOf(value)}.`);
  }
  if (typeof value === 'string') return checkedText(field, value, noteExists);
  if (Array.isArray(value)) return checkedTextOrList(field, value, before, noteExists);
  const plain = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
  return plain ? { ok: true, value } : refused(`${field} must be a text, a number, a checkbox or a list of texts.`);
}

/** What makes a value more than plain text; null for plain text, and for a single link. */
function markIn(text: string): string | null {
  return text.includes('[[') && !isWikilink(text) ? 'a link within a text' : liveMark(text);
}

function kindOf(value: Yaml): string {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'nothing';
  if (typeof value === 'object') return 'mapping';
  return { string: 'text', number: 'number', boolean: 'checkbox' }[typeof value as 'string' | 'number' | 'boolean'];
}

/** Length as a person counts it: an emoji beyond the basic plane is one character, not two. */
function lengthOf(text: string): number {
  return [...text].length;
}

/** Control characters, line separators and halves of characters, which no note could hold as they are. */
function hasControls(text: string, manyLines: boolean): boolean {
  const rest = manyLines ? text.replace(/[\n\t]/g, '') : text;
  return /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(rest);
}

/** Returns a refusal with its reason. */
export function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
