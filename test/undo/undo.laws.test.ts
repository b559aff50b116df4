// Over 5 s: each example changes a note in a vault on disk and undoes it.
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planUndo, type UndoPlan } from '../../src/undo/undo.ts';
import type { FieldEdit } from '../../src/vault/edit.ts';
import { readNote } from '../../src/vault/frontmatter.ts';
import { noteText } from '../../src/vault/note-text.ts';
import type { VaultPatch } from '../../src/vault/record.ts';
import { bareText, edit, edits, keeps, type OddNote, oddNote, rewritten, textOf } from '../laws/odd-notes.ts';
import { lawRuns } from '../support/laws.ts';
import { anew, appliedNote, type Deed, isGone, meddling } from './meddling.ts';
import { applied, attempt, dataOf, PLAIN, throughReversal, type Way } from './travel.ts';

/*
 * Undo gives each changed field back exactly as it was (contract, section 8), from the recipe as it comes out of its
 * note. fast-check prints the seed of what fails; LAW_RUNS sets how many are tried.
 */

// Some twenty thousand edits, on a machine that may have other things to do.
const RUNS = lawRuns();
const way: fc.Arbitrary<Way> = fc.record({ crlf: fc.boolean(), ownFile: fc.boolean() });

const readable = (text: string) => readNote('n.md', Buffer.from(text)).ok;
const note = oddNote.filter((one) => readable(textOf(one)));
const anyText = fc.oneof({ weight: 6, arbitrary: note.map(textOf) }, bareText);

function restored(patch: VaultPatch, text: string, force = false): Extract<UndoPlan, { kind: 'restore' }> {
  const plan = planUndo(patch, text, force);
  // Somebody took it back already, to the byte: there is nothing to do, and nothing to take back.
  if (plan.kind === 'restored') return { kind: 'restore', text, inverse: { ...patch, fields: {} } };
  if (plan.kind !== 'restore') throw new Error(JSON.stringify(plan));
  return plan;
}

/** Takes it back, takes that back, and once more: each gives the bytes that were there. */
function demandThereAndBack(source: string, change: { text: string; patch: VaultPatch }, by: Way): void {
  const undone = restored(change.patch, change.text);
  expect(undone.text).toBe(source);
  const redone = restored(throughReversal(undone.inverse, by), undone.text);
  expect(redone.text).toBe(change.text);
  expect(restored(throughReversal(redone.inverse, by), redone.text).text).toBe(source);
}

test('apply and undo give the same bytes; undo of the undo gives the applied ones', () => {
  let tried = 0;
  let made = 0;
  fc.assert(
    fc.property(anyText, edits, way, (source, all, by) => {
      tried += 1;
      const change = applied(source, all, by);
      if (change === null) return;
      made += 1;
      demandThereAndBack(source, change, by);
    }),
    { numRuns: RUNS },
  );
  expect(made, `${made} of ${tried} made`).toBeGreaterThan(tried / 2);
});

test('of two actions on one note either can be taken back first', () => {
  fc.assert(
    fc.property(anyText, edits, edits, way, fc.boolean(), (source, one, two, by, lastFirst) => {
      const fields = new Set(one.map(({ field }) => field));
      const others = two.filter(({ field }) => !fields.has(field));
      const first = applied(source, one, by);
      const second = first && others.length > 0 ? applied(first.text, others, by) : null;
      if (first === null || second === null) return;
      const [a, b] = lastFirst ? [second, first] : [first, second];
      const half = attempt(() => restored(a.patch, second.text));
      const whole = half && attempt(() => restored(b.patch, half.text));
      if (whole === null) return;
      if (lastFirst) expect(whole.text).toBe(source);
      expect(dataOf(whole.text)).toEqual(dataOf(source));
    }),
    { numRuns: RUNS },
  );
});

test('whatever is done elsewhere in between stays, and the fields come back exactly', () => {
  let tried = 0;
  const refused: string[] = [];
  fc.assert(
    fc.property(note, edits, fc.array(meddling, { minLength: 1, maxLength: 3 }), way, (before, all, deeds, by) => {
      const change = applied(textOf(before), all, by);
      const after = change && appliedNote(before, all);
      if (change === null || after === null) return;
      expect(textOf(after)).toBe(change.text);
      const fields = new Set(all.map(({ field }) => field));
      const done = (one: OddNote) => textOf(deeds.reduce((now: OddNote, deed: Deed) => deed(now, fields), one));
      const [wanted, text] = [done(before), done(after)];
      if (!readable(text) || !readable(wanted)) return;
      // Blank lines that come to lie behind a scalar that keeps them change its own value: no edit elsewhere.
      const own = (one: string) => JSON.stringify([...fields].map((field) => dataOf(one)[field] ?? null));
      if (own(wanted) !== own(textOf(before))) return;
      // And the deed must say the same of every other field with the entry there and with it gone.
      const others = (one: string) =>
        Object.entries(dataOf(one))
          .filter(([field]) => !fields.has(field))
          .sort();
      if (JSON.stringify(others(text)) !== JSON.stringify(others(wanted))) return;
      const moved = all.some(({ field }) => isGone(before, after, field));
      // The blank lines about an entry that is gone are a kept scalar's own, once the entry between them goes too.
      if (moved && before.pieces.some((piece) => keeps(piece) && !fields.has(piece.key))) return;
      tried += 1;
      const undone = attempt(() => restored(change.patch, text));
      if (undone === null) {
        refused.push(JSON.stringify({ text, all, wanted }).slice(0, 1000));
        return;
      }
      if (moved) expect(withoutFields(undone.text, before, fields)).toBe(withoutFields(wanted, before, fields));
      else expect(undone.text).toBe(wanted);
      expect(dataOf(undone.text)).toEqual(dataOf(wanted));
      expect(restored(throughReversal(undone.inverse, by), undone.text).text).toBe(text);
    }),
    { numRuns: RUNS * 2 },
  );
  if (process.env.LAW_SHOW) console.log(refused.length, tried, refused.slice(0, 12).join('\n'));
  expect(refused.length, `${refused.length} of ${tried} refused`).toBeLessThan(tried / 25);
});

test('a note given other line ends, fields and all, still gets the former entry back byte for byte', () => {
  fc.assert(
    fc.property(note, edit, way, (before, one, by) => {
      const change = applied(textOf(before), [one], by);
      if (change === null || Object.keys(change.patch.fields).length === 0) return;
      const turned = change.text.includes('\r\n')
        ? change.text.replaceAll('\r\n', '\n')
        : change.text.replaceAll('\n', '\r\n');
      const plan = attempt(() => planUndo(change.patch, turned, false));
      if (plan?.kind !== 'restore') return;
      expect(plan.text).toContain(change.patch.fields[one.field]?.before_source ?? '');
      expect(dataOf(plan.text)).toEqual(dataOf(textOf(before)));
    }),
    { numRuns: RUNS },
  );
});

test('a person who has decided since is heard; force takes it back all the same, and that can be taken back', () => {
  fc.assert(
    fc.property(note, edit, rewritten, way, (before, one, source, by) => {
      const change = applied(textOf(before), [one], by);
      const after = change && appliedNote(before, [one]);
      const there = after?.pieces.find(({ key }) => key === one.field);
      if (change === null || after === null || there === undefined || keeps(there)) return;
      const theirs = textOf(withSource(after, one.field, anew(there, source)));
      if (!readable(theirs) || Object.keys(change.patch.fields).length === 0) return;
      const wrote = dataOf(change.text)[one.field];
      const plan = attempt(() => planUndo(change.patch, theirs, false));
      if (JSON.stringify(dataOf(theirs)[one.field] ?? null) !== JSON.stringify(wrote ?? null)) {
        const isBack = JSON.stringify(dataOf(theirs)) === JSON.stringify(dataOf(textOf(before)));
        if (!isBack || plan?.kind !== 'restored')
          expect(plan).toMatchObject({ kind: 'conflict', conflicts: [{ field: one.field }] });
      }
      const forced = attempt(() => restored(change.patch, theirs, true));
      if (forced === null) return;
      expect(forced.text).toContain(change.patch.fields[one.field]?.before_source ?? '');
      expect(dataOf(forced.text)).toEqual(dataOf(textOf(before)));
      const back = attempt(() => throughReversal(forced.inverse, by));
      if (back !== null) expect(restored(back, forced.text).text).toBe(theirs);
    }),
    { numRuns: RUNS },
  );
});

test('any text travels through a note of the program, whatever line ends the note is given on the way', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[' ', '\n', '\r\n', '\r', '\t', '\u0085', '\u2028', '\uFEFF', '\0', '\ud800', '\udc00', '"', "'"],
    ),
    fc.constantFrom(' '.repeat(300), '\n'.repeat(300), '\n  '.repeat(100), '\u00a0'.repeat(300), '---\n', '\n...\n'),
    fc.integer({ max: 0xffff }).map((code) => String.fromCharCode(code)),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
  const flat = fc.dictionary(fc.constantFrom('a', 'before_source', 'constructor'), text);
  fc.assert(
    fc.property(flat, text, fc.boolean(), (fields, key, crlf) => {
      const data = { ...fields, nested: { list: Object.values(fields), [`k${key}`]: fields }, room: 'x'.repeat(2000) };
      const written = noteText(data, 'Body.');
      const read = readNote('event/x.md', Buffer.from(crlf ? written.replaceAll('\n', '\r\n') : written));
      expect(read.ok ? { ...read.note.data } : read.trouble).toEqual(data);
    }),
    { numRuns: RUNS },
  );
});

describe('every note of the example vault', () => {
  const root = path.join(import.meta.dirname, '../../vault-example');
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));

  test.each(files)('%s', (file) => {
    const source = fs.readFileSync(path.join(root, file), 'utf8');
    const variants = new Set([source, source.replace(/\r?\n/g, '\r\n'), `\uFEFF${source.trimEnd()}`]);
    for (const [nth, variant] of [...variants].entries()) {
      for (const all of editsFor(variant, nth)) demandUndone(variant, all);
    }
  });

  function demandUndone(source: string, all: readonly FieldEdit[]): void {
    const change = applied(source, all, PLAIN);
    if (change === null || change.text === source) return;
    demandThereAndBack(source, change, PLAIN);
    expect(restored(change.patch, `${change.text}\nappended later`).text).toBe(`${source}\nappended later`);
  }

  function editsFor(text: string, variant: number): FieldEdit[][] {
    const fields = Object.keys(dataOf(text));
    const each = fields.map((field, nth): FieldEdit[] => {
      const ways: FieldEdit[] = [
        { op: 'set', field, value: 'changed: "by" the steward' },
        { op: 'set', field, value: ['[[a]]', 'b'] },
        { op: 'delete', field },
        { op: 'add', field, members: ['[[new]]'] },
      ];
      return ways.slice((nth + variant) % 4, ((nth + variant) % 4) + 1);
    });
    const done: FieldEdit[] = [
      { op: 'set', field: 'state', value: 'done' },
      { op: 'set', field: 'completedDate', value: '2026-11-21' },
      { op: 'set', field: 'pending_confirmation', value: true },
    ];
    return [...each, done, fields.slice(0, 8).map((field) => ({ op: 'delete', field }))];
  }
});

function withSource(one: OddNote, key: string, source: string): OddNote {
  return { ...one, pieces: one.pieces.map((piece) => (piece.key === key ? { ...piece, source } : piece)) };
}

/** A text without the former entries of these fields: a deleted one comes back behind its neighbour, wherever that is. */
function withoutFields(text: string, before: OddNote, fields: ReadonlySet<string>): string {
  const former = before.pieces.filter(({ key }) => fields.has(key));
  return former.reduce((left, { source }) => {
    expect(left).toContain(source);
    return left.replace(source, () => '');
  }, text);
}
