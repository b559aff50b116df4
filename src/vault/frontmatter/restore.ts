import type { FieldRecipe } from '../records/event.ts';
import type { Yaml } from '../records/values.ts';
import { type NoteDocument, openDocument, sourceOf, withBody } from './document.ts';
import { readNote } from './parse.ts';
import {
  belowFences,
  demandFieldName,
  type Edited,
  type FieldPatch,
  reopened,
  reopenedText,
  verified,
} from './verify.ts';

/**
 * Returns the note with each field of the patch put back from its former bytes (a removed entry where it stood), and
 * the inverse patch, so that taking back can itself be taken back. Fields the patch does not name keep their value.
 * @throws StewardError as `editFields` does.
 */
export function restoreFields(file: string, text: string, patch: FieldPatch): Edited {
  const before = openDocument(file, text);
  const steps = Object.entries(patch.fields);
  for (const [field] of steps) demandFieldName(file, field);
  const restored = reopened(before, restoredBody(before, patch));
  const after = patch.created_frontmatter === true ? withoutFrontmatter(restored) : restored;
  return verified(before, after, new Map(steps.map(([field, recipe]) => [field, formerValue(recipe)])));
}

/**
 * Whether the patch restores an edited note to the byte. The other checks of `restoreFields` need not be made again:
 * the former note was opened before, and compared with the edited one in every way.
 */
export function isRestoredTo(former: NoteDocument, edited: NoteDocument, patch: FieldPatch): boolean {
  if (patch.created_frontmatter === true) return restoreFields(edited.file, edited.text, patch).text === former.text;
  return withBody(edited, restoredBody(edited, patch)) === former.text;
}

function restoredBody(document: NoteDocument, patch: FieldPatch): string {
  return joined(putBack(piecesOf(document), Object.entries(patch.fields)));
}

function formerValue(recipe: FieldRecipe): Yaml | undefined {
  return recipe.before_source === null ? undefined : recipe.before;
}

/**
 * The body cut into entries and the text between them (no key). All fields are put back in these pieces before the
 * note is read again: halfway, a block scalar that keeps its blank lines (`|+`) could absorb those of its neighbour.
 */
interface Piece {
  readonly key: string | null;
  readonly source: string;
}

type Step = readonly [field: string, recipe: FieldRecipe];

function piecesOf(document: NoteDocument): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const entry of document.entries) {
    pieces.push({ key: null, source: document.body.slice(from, entry.start) });
    pieces.push({ key: entry.key, source: sourceOf(document, entry) });
    from = entry.end;
  }
  return [...pieces, { key: null, source: document.body.slice(from) }];
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map(({ source }) => source).join('');
}

/**
 * Removes the entries that were not there first: the position of a returning entry is recorded as if they were gone.
 */
function putBack(pieces: readonly Piece[], steps: readonly Step[]): readonly Piece[] {
  const sources = new Map(steps.map(([field, recipe]) => [field, recipe.before_source]));
  const present = new Set(pieces.map(({ key }) => key));
  const kept = pieces.flatMap((piece) => pieceBack(piece, sources));
  const absent = steps.filter(([field, recipe]) => recipe.before_source !== null && !present.has(field));
  return inOrderOfPosition(absent).reduce(inserted, kept);
}

function pieceBack(piece: Piece, sources: ReadonlyMap<string, string | null>): Piece | [] {
  const source = piece.key === null ? undefined : sources.get(piece.key);
  if (source === undefined) return piece;
  return source === null ? [] : { ...piece, source };
}

/** Orders entries so that each comes after the one it stood behind. */
function inOrderOfPosition(absent: readonly Step[]): readonly Step[] {
  const waiting = new Map(absent);
  const ordered: Step[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].find(([, { behind }]) => !waiting.has(splitBehind(behind).key)) ?? [...waiting][0];
    if (ready === undefined) break;
    waiting.delete(ready[0]);
    ordered.push(ready);
  }
  return ordered;
}

/** Inserts an entry at its former position, or at the end where the one it stood behind is gone. */
function inserted(pieces: readonly Piece[], [field, { before_source, behind }]: Step): readonly Piece[] {
  const piece: Piece = { key: field, source: before_source ?? '' };
  const { key, between } = splitBehind(behind);
  const at = key === '' ? 0 : pieces.findIndex((one) => one.key === key) + 1;
  if (behind === undefined || (key !== '' && at === 0)) return [...pieces, piece];
  const next = pieces.findIndex((one, nth) => nth >= at && one.key !== null);
  const until = next === -1 ? pieces.length : next;
  const gap = joined(pieces.slice(at, until));
  const above = gap.startsWith(between) ? between : '';
  const halves: Piece[] = [{ key: null, source: above }, piece, { key: null, source: gap.slice(above.length) }];
  return [...pieces.slice(0, at), ...halves, ...pieces.slice(until)];
}

/**
 * `behind` is the key of the entry before, followed on further lines by the comments and blank lines between the two:
 * without them, an entry below a comment could not be put back exactly where it stood.
 */
function splitBehind(behind = ''): { key: string; between: string } {
  const [key = ''] = behind.split('\n', 1);
  return { key, between: behind.slice(key.length + 1) };
}

/** Removes the fences that an edit made, unless somebody has put a field between them since. */
function withoutFrontmatter(document: NoteDocument): NoteDocument {
  if (document.bare || document.body !== '') return document;
  const text = belowFences(document);
  const read = readNote(document.file, Buffer.from(text, 'utf8'));
  return read.ok && read.note.block === null ? reopenedText(document, text) : document;
}
