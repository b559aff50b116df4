import fc from 'fast-check';
import { expect } from 'vitest';
import { editFields, type FieldEdit } from '../../src/vault/edit.ts';
import { keeps, type OddNote, type Piece, rewritten, textOf } from '../laws/odd-notes.ts';
import { attempt } from './travel.ts';

/* What people and programs do to a note between an action and its undo. */

/** The same deed done to the note with and without the action; the fields of the action are left alone. */
export type Deed = (note: OddNote, fields: ReadonlySet<string>) => OddNote;

const elsewhere = fc.constantFrom<Deed>(
  (one) => ({ ...one, body: `${one.body}\nappended, no newline` }),
  (one) => ({ ...one, body: `${one.body}\r\nappended\r\n` }),
  (one) => ({ ...one, body: one.body.replace(/\r?\n/g, '\r\n') }),
  (one) => ({ ...one, body: one.body.replace(/\r\n/g, '\n') }),
  (one) => ({ ...one, body: '\n' }),
  (one) => ({ ...one, body: '\n---\nstate: not a field\n---\n' }),
  (one) => ({ ...one, head: one.head.startsWith('\uFEFF') ? one.head.slice(1) : `\uFEFF${one.head}` }),
  (one) => ({ ...one, close: one.close.startsWith('-') ? '...' : '---' }),
);
const order = fc.nat().map(
  (seed): Deed =>
    (one, fields) =>
      reordered(one, fields, seed),
);
const rewriting = fc
  .tuple(fc.nat(), rewritten)
  .map(([nth, source]): Deed => other(nth, (piece) => ({ ...piece, source: anew(piece, source) })));
const removing = fc.nat().map((nth): Deed => other(nth, (piece) => ({ ...piece, source: '' })));
const inserting = fc
  .tuple(fc.nat(), fc.constantFrom('# a new comment\n', '\n', 'added: by hand # yes\n'))
  .map(([nth, line]): Deed => other(nth, (piece) => ({ ...piece, between: line + piece.between })));

export const meddling: fc.Arbitrary<Deed> = fc.oneof(elsewhere, order, rewriting, removing, inserting);

/**
 * One of the pieces that the action did not touch, changed. Scalars that keep their blank lines are left alone: there,
 * blank lines change hands.
 */
function other(nth: number, change: (piece: Piece) => Piece): Deed {
  return (one, fields) => {
    const free = one.pieces.filter((piece) => !fields.has(piece.key) && !keeps(piece));
    const chosen = free.length === 0 ? undefined : free[nth % free.length];
    return { ...one, pieces: one.pieces.map((piece) => (piece.key === chosen?.key ? change(piece) : piece)) };
  };
}

/** The fields that the action left alone, in another order; its own stay where they are. */
function reordered(one: OddNote, fields: ReadonlySet<string>, seed: number): OddNote {
  const others = one.pieces.filter(({ key }) => !fields.has(key));
  if (others.some(keeps)) return one;
  const turned = others.map((_, at) => others[(at + seed) % others.length]);
  return { ...one, pieces: one.pieces.map((piece) => (fields.has(piece.key) ? piece : (turned.shift() ?? piece))) };
}

/** The piece's key as it is written, with another value, indented like it. */
export function anew({ source: former }: Piece, source: string): string {
  const key = /^\s*(?:"[^"]*"|'[^']*'|[^:]*?)\s*(?=:)/.exec(former)?.[0] ?? '';
  const indent = /^ */.exec(former)?.[0] ?? '';
  return key + source.replace(/\n(?=.*\S)/g, `\n${indent}`);
}

// --- the applied note as pieces --------------------------------------------------------------------------------------

/** The note after the edits, piece by piece: each edit made alone must change its own piece and nothing else. */
export function appliedNote(before: OddNote, all: readonly FieldEdit[]): OddNote | null {
  const ordered = [...all.filter(({ op }) => op !== 'delete'), ...all.filter(({ op }) => op === 'delete')];
  let now: OddNote | null = before;
  for (const one of ordered) now = now && appliedOne(now, one);
  return now;
}

/** Whether the edits removed the field altogether. */
export function isGone(before: OddNote, after: OddNote, field: string): boolean {
  const held = (one: OddNote) => one.pieces.some(({ key, source }) => key === field && source !== '');
  return held(before) && !held(after);
}

function appliedOne(now: OddNote, one: FieldEdit): OddNote | null {
  const edited = attempt(() => editFields('n.md', textOf(now), [one]));
  if (edited === null) return null;
  const at = now.pieces.findIndex(({ key }) => key === one.field);
  const place = at === -1 ? now.pieces.length : at;
  const between = now.pieces[at]?.between ?? now.last;
  const lead = textOf({ ...now, pieces: now.pieces.slice(0, place), last: between, close: '', body: '' });
  const rest = textOf({ ...now, head: '', pieces: now.pieces.slice(place + 1), last: at === -1 ? '' : now.last });
  expect(edited.text.startsWith(lead) && edited.text.endsWith(rest)).toBe(true);
  const source = edited.text.slice(lead.length, edited.text.length - rest.length);
  if (at === -1 && source === '') return now;
  const pieces = now.pieces.toSpliced(place, 1, { between, key: one.field, source });
  return { ...now, pieces, last: at === -1 ? '' : now.last };
}
